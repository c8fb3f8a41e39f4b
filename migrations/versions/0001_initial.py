"""The initial schema.

Until the first release is tagged, this file is edited in place, and each edit gets a new id, so that a database
made before the edit is refused instead of half-read. The id is the first twelve digits of the SHA-256 of this file
without the `revision` line; `tests/store/engine/test_migrations.py` says it. Once a release is tagged, this file stays
as it is and further revisions change the schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "067220c6493f"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "champions",
        key("guild_id"),
        key("user_id"),
        sa.Column("role_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_champions"),
    )
    op.create_index("ix_champions_user_id", "champions", ["user_id"])

    op.create_table(
        "ladders",
        key("guild_id"),
        sa.Column("ranked_presets", sa.Text(), nullable=False),
        sa.Column("sign_required", sa.Boolean(), nullable=False),
        sa.Column("season_every", sa.String(16), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_ladders"),
    )

    op.create_table(
        "leases",
        key("id", sa.Integer()),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leases"),
        sa.UniqueConstraint("epoch", name="uq_leases_epoch"),
    )

    op.create_table(
        "pairs",
        key("guild_id"),
        key("low_id"),
        key("high_id"),
        key("season", sa.Integer()),
        key("is_ranked", sa.Boolean()),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("together_wins", sa.Integer(), nullable=False),
        sa.Column("apart", sa.Integer(), nullable=False),
        sa.Column("low_wins", sa.Integer(), nullable=False),
        sa.Column("high_wins", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "low_id", "high_id", "season", "is_ranked", name="pk_pairs"),
    )
    board("duos", "pairs", "together_wins", "low_id", "high_id")
    op.create_index("ix_pairs_high_id_guild_id_low_id", "pairs", ["high_id", "guild_id", "low_id"])
    op.create_index("ix_pairs_low_id_guild_id_high_id", "pairs", ["low_id", "guild_id", "high_id"])

    op.create_table(
        "players",
        key("guild_id"),
        key("user_id"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("season", sa.Integer()),
        sa.Column("rated_at", sa.BigInteger()),
        sa.Column("matches", sa.Integer()),
        sa.Column("partners", sa.Text()),
        sa.Column("mu", sa.Double()),
        sa.Column("sigma", sa.Double()),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_players"),
    )
    op.create_index("ix_players_user_id", "players", ["user_id"])

    op.create_table(
        "recounts",
        key("guild_id"),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_recounts"),
    )

    op.create_table(
        "rule_sets",
        key("guild_id"),
        key("key", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "key", name="pk_rule_sets"),
    )

    op.create_table(
        "season_duties",
        key("guild_id"),
        key("season", sa.Integer()),
        key("duty", sa.String(16)),
        sa.Column("progress", sa.String(16), nullable=False),
        sa.Column("nonce", sa.String(25), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(16)),
        sa.Column("asked", sa.Integer(), server_default="0", nullable=False),
        sa.Column("told", sa.String(32)),
        sa.Column("channel_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("guild_id", "season", "duty", name="pk_season_duties"),
    )
    op.create_index("ix_season_duties_due_at", "season_duties", ["due_at"])

    op.create_table(
        "seasons",
        key("guild_id"),
        key("number", sa.Integer()),
        sa.Column("name", sa.Text()),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_seasons"),
    )

    op.create_table(
        "servers",
        key("guild_id"),
        sa.Column("language", sa.String(16)),
        sa.Column("table_channels", sa.Text(), nullable=False),
        sa.Column("podium_channel", sa.BigInteger()),
        sa.Column("champion_role", sa.BigInteger()),
        sa.Column("absence", sa.String(16), nullable=False),
        sa.Column("afk_seconds", sa.Integer()),
        sa.Column("retention_days", sa.Integer()),
        sa.Column("retained_until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("guild_id", name="pk_servers"),
    )

    op.create_table(
        "standings",
        key("guild_id"),
        key("user_id"),
        key("season", sa.Integer()),
        key("is_ranked", sa.Boolean()),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.BigInteger()),
        sa.Column("shown", sa.Integer()),
        sa.Column("is_provisional", sa.Boolean()),
        sa.Column("fresh_until", sa.BigInteger()),
        sa.Column("mu", sa.Double()),
        sa.Column("sigma", sa.Double()),
        *tally(),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "season", "is_ranked", name="pk_standings"),
    )
    board("baits", "standings", "baits", "user_id")
    board("counters", "standings", "counters", "user_id")
    board("fresh", "standings", "fresh_until")
    board("kems", "standings", "kems", "user_id")
    board("shown", "standings", "shown", "user_id")
    board("wins", "standings", "wins", "user_id")
    op.create_index("ix_standings_user_id", "standings", ["user_id"])

    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("message_round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("message_final", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("former_channel_id", sa.BigInteger()),
        sa.Column("former_message_id", sa.BigInteger()),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("random_teams", sa.Boolean(), nullable=False),
        sa.Column("theme", sa.String(16), server_default="french", nullable=False),
        sa.Column("rematch_of", sa.BigInteger()),
        sa.Column("rule_set", sa.String(32)),
        sa.Column("strategies", sa.Text()),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closes_at", sa.BigInteger()),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("is_ranked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("absence", sa.String(16), server_default="robot", nullable=False),
        sa.Column("afk_seconds", sa.Integer()),
        sa.Column("purged_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["rematch_of"], ["tables.id"], name="fk_tables_rematch_of_tables", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index(
        "ix_tables_ended",
        "tables",
        ["guild_id", "channel_id", "ended_at", "id"],
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index("ix_tables_guild_id_opened_at", "tables", ["guild_id", "opened_at"])
    op.create_index("ix_tables_host_id_id", "tables", ["host_id", "id"])
    op.create_index("ix_tables_status", "tables", ["status"])
    op.create_index(
        "ix_tables_whole",
        "tables",
        ["guild_id", "opened_at"],
        sqlite_where=sa.text("purged_at IS NULL"),
        postgresql_where=sa.text("purged_at IS NULL"),
    )

    op.create_table(
        "departures",
        key("table_id"),
        key("user_id"),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("was_sent_away", sa.Boolean(), server_default=sa.false(), nullable=False),
        of_table("departures"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_departures"),
    )
    op.create_index("ix_departures_user_id_table_id", "departures", ["user_id", "table_id"])

    op.create_table(
        "events",
        key("table_id"),
        key("seq", sa.Integer()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("press_id", sa.BigInteger()),
        of_table("events"),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
    )
    op.create_index(
        "uq_events_press_id",
        "events",
        ["press_id"],
        unique=True,
        sqlite_where=sa.text("press_id IS NOT NULL"),
        postgresql_where=sa.text("press_id IS NOT NULL"),
    )

    op.create_table(
        "panels",
        key("table_id"),
        key("user_id"),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("page", sa.String(16), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        of_table("panels"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_panels"),
    )

    op.create_table(
        "plays",
        key("table_id"),
        key("user_id"),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Integer(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("is_ranked", sa.Boolean(), nullable=False),
        sa.Column("is_void", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("shown", sa.Integer()),
        sa.Column("mu", sa.Double()),
        sa.Column("sigma", sa.Double()),
        *tally(),
        of_table("plays"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_plays"),
    )
    op.create_index(
        "ix_plays_guild_id_user_id_ended_at_table_id", "plays", ["guild_id", "user_id", "ended_at", "table_id"]
    )
    op.create_index("ix_plays_user_id_table_id", "plays", ["user_id", "table_id"])

    op.create_table(
        "results",
        key("table_id"),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer()),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        of_table("results"),
        sa.PrimaryKeyConstraint("table_id", name="pk_results"),
    )
    op.create_index("ix_results_guild_id_ended_at_table_id", "results", ["guild_id", "ended_at", "table_id"])
    op.create_index("ix_results_guild_id_number", "results", ["guild_id", "number"], unique=True)

    op.create_table(
        "rounds",
        key("table_id"),
        key("round", sa.Integer()),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(32)),
        sa.Column("caller", sa.Integer()),
        sa.Column("target", sa.Integer()),
        sa.Column("team", sa.Integer()),
        sa.Column("points", sa.Text(), nullable=False),
        sa.Column("game_winner", sa.Integer()),
        sa.Column("margin", sa.Integer()),
        sa.Column("rival", sa.Integer()),
        sa.Column("rival_call", sa.String(16)),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        of_table("rounds"),
        sa.PrimaryKeyConstraint("table_id", "round", name="pk_rounds"),
    )

    op.create_table(
        "seats",
        key("table_id"),
        key("seat", sa.Integer()),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_away", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("is_open", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("ballot", sa.Text()),
        of_table("seats"),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])

    op.create_table(
        "voids",
        key("table_id"),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        of_table("voids"),
        sa.PrimaryKeyConstraint("table_id", name="pk_voids"),
    )
    op.create_index("ix_voids_guild_id_at", "voids", ["guild_id", "at"])


def downgrade() -> None:
    for table in (
        "voids",
        "seats",
        "rounds",
        "results",
        "plays",
        "panels",
        "events",
        "departures",
        "tables",
        "standings",
        "servers",
        "seasons",
        "season_duties",
        "rule_sets",
        "recounts",
        "players",
        "pairs",
        "leases",
        "ladders",
        "champions",
    ):
        op.drop_table(table)


def key(name: str, kind: sa.types.TypeEngine | None = None) -> sa.Column:
    return sa.Column(name, kind or sa.BigInteger(), autoincrement=False, nullable=False)


def of_table(name: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{name}_table_id_tables"
    return sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=name, ondelete="CASCADE")


def tally() -> tuple[sa.Column, ...]:
    counts = ("rounds", "kems", "doubles", "kems_ms", "false_calls", "counters", "false_counters", "caught", "bluffs")
    kinds = {"kems_ms": sa.BigInteger()}
    return tuple(sa.Column(name, kinds.get(name, sa.Integer()), nullable=False) for name in (*counts, "baits"))


def board(name: str, table: str, *columns: str) -> None:
    """An index in the order of a board, to be read backwards; of ranked rows alone."""
    op.create_index(
        f"ix_board_{name}",
        table,
        ["guild_id", "season", *columns],
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
