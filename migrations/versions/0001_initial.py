"""The initial schema.

Until the first release is tagged, this file is edited in place, and each edit gets a new id, so that a database
made before the edit is refused instead of half-read. The id is the first twelve digits of the SHA-256 of this file
without the `revision` line; `tests/store/engine/test_migrations.py` says it. Once a release is tagged, this file stays
as it is and further revisions change the schema. Constraints and indexes without a name get it from
`bot.store.schema.columns`.
"""

from itertools import chain

import sqlalchemy as sa
from alembic import op

revision = "06a2c1680005"
down_revision = None
branch_labels = None
depends_on = None

BIG, INT, FLOAT, FLAG, TEXT = sa.BigInteger(), sa.Integer(), sa.Double(), sa.Boolean(), sa.Text()
SERVER_TABLES = (
    *("champions", "erasures", "identifies", "ladders", "leases", "pairs", "players", "processes"),
    "recounts",
    *("rule_sets", "season_duties", "seasons", "servers", "standings"),
)
TABLES_OF_TABLES = (*("departures", "events", "invitations", "panels", "plays", "results", "seats", "shares", "voids"),)


def upgrade() -> None:
    create("champions", keys(BIG, "guild_id", "user_id"), needed(BIG, "role_id"))
    index("champions", "user_id")

    create(
        "ladders",
        keys(BIG, "guild_id"),
        needed(TEXT, "ranked_presets"),
        needed(FLAG, "sign_required"),
        needed(sa.String(16), "season_every"),
        needed(sa.String(64), "zone"),
    )

    create("identifies", keys(INT, "bucket"), needed(BIG, "free_at"))
    create("leases", keys(INT, "id"), optional(sa.String(32), "holder"), needed(INT, "epoch"))
    create(
        "processes",
        keys(sa.String(32), "id"),
        needed(BIG, "expires_at"),
        needed(INT, "requests", default="0"),
        needed(FLAG, "is_alone", default=sa.false()),
    )

    process = sa.ForeignKey("processes.id", ondelete="CASCADE")
    create(
        "erasures",
        [sa.Column("process", sa.String(32), process, primary_key=True)],
        keys(BIG, "user_id"),
        optional(TEXT, "unreadable"),
    )

    create(
        "pairs",
        keys(BIG, "guild_id", "low_id", "high_id"),
        keys(INT, "season"),
        keys(FLAG, "is_ranked"),
        needed(INT, "together", "together_wins", "apart", "low_wins", "high_wins"),
    )
    board("duos", "pairs", "together_wins", "low_id", "high_id")
    index("pairs", "high_id", "guild_id", "low_id")
    index("pairs", "low_id", "guild_id", "high_id")

    create(
        "players",
        keys(BIG, "guild_id", "user_id"),
        needed(TEXT, "name"),
        needed(FLAG, "is_hidden", "no_avatar", default=sa.false()),
        optional(INT, "season", "matches"),
        optional(BIG, "rated_at"),
        optional(TEXT, "partners"),
        optional(FLOAT, "mu", "sigma"),
    )
    index("players", "user_id")

    create(
        "nights",
        [sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True)],
        needed(BIG, "guild_id", "starts_at"),
        needed(INT, "number", "version"),
        needed(TEXT, "title", "body"),
        needed(sa.String(16), "status"),
        needed(FLAG, "is_live"),
        optional(BIG, "host_id", "purged_at"),
    )
    index("nights", "guild_id", "number", unique=True)
    index("nights", "guild_id", "starts_at")
    index("nights", "host_id", "id")
    where_true("ix_nights_live", "nights", "is_live", "id")

    create("entrants", night_key(), keys(INT, "number"), optional(BIG, "user_id"), needed(TEXT, "name"))
    index("entrants", "user_id", "night_id")

    create("night_steps", night_key(), keys(INT, "number"), optional(BIG, "by_id"), needed(TEXT, "body"))
    index("night_steps", "by_id", "night_id")

    create("recounts", keys(BIG, "guild_id"), needed(INT, "season", "stamp"))

    create("rule_sets", keys(BIG, "guild_id"), keys(TEXT, "key"), needed(TEXT, "name", "line"))

    create(
        "season_duties",
        keys(BIG, "guild_id"),
        keys(INT, "season"),
        keys(sa.String(16), "duty"),
        needed(sa.String(16), "progress"),
        needed(sa.String(25), "nonce"),
        needed(BIG, "until"),
        needed(INT, "tries"),
        needed(INT, "asked", default="0"),
        optional(sa.String(16), "problem"),
        optional(sa.String(32), "digest"),
        optional(BIG, "due_at", "channel_id", "message_id"),
    )
    index("season_duties", "due_at")

    create(
        "seasons",
        keys(BIG, "guild_id"),
        keys(INT, "number"),
        optional(TEXT, "name"),
        needed(BIG, "starts_at"),
        optional(BIG, "ends_at"),
    )

    create(
        "servers",
        keys(BIG, "guild_id"),
        needed(TEXT, "table_channels"),
        needed(sa.String(16), "absence"),
        optional(sa.String(16), "language"),
        optional(INT, "afk_seconds", "retention_days"),
        optional(BIG, "podium_channel", "champion_role", "players_role", "players_called_at", "retained_until"),
    )

    create(
        "standings",
        keys(BIG, "guild_id", "user_id"),
        keys(INT, "season"),
        keys(FLAG, "is_ranked"),
        needed(INT, "matches", "wins", "draws"),
        tally(),
        optional(INT, "shown"),
        optional(FLAG, "is_provisional"),
        optional(BIG, "rated_at", "fresh_until"),
        optional(FLOAT, "mu", "sigma"),
    )
    board("fresh", "standings", "fresh_until")
    for column in ("baits", "counters", "kems", "shown", "wins"):
        board(column, "standings", column, "user_id")
    index("standings", "user_id")

    create(
        "tables",
        [sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True)],
        needed(BIG, "guild_id", "channel_id", "host_id", "opened_at"),
        optional(BIG, "message_id", "former_channel_id", "former_message_id", "post_channel_id", "post_message_id"),
        needed(INT, "message_round", default="0"),
        needed(FLAG, "message_final", "is_ranked", "wants_thread", "has_vote", default=sa.false()),
        needed(sa.String(16), "status", "locale"),
        needed(TEXT, "rules"),
        needed(TEXT, "log_messages", default="[]"),
        needed(INT, "size"),
        needed(FLAG, "random_teams"),
        needed(sa.String(16), "theme", default="french"),
        needed(sa.String(16), "absence", default="robot"),
        needed(sa.String(16), "robot_level", default="regular"),
        needed(sa.String(16), "coaching", default="none"),
        [sa.Column("rematch_of", BIG, sa.ForeignKey("tables.id", ondelete="SET NULL"))],
        optional(sa.String(32), "rule_set"),
        optional(TEXT, "strategies"),
        optional(INT, "afk_seconds"),
        optional(BIG, "closes_at", "started_at", "purged_at", "ended_at"),
    )
    index("tables", "guild_id", "channel_id", "ended_at", "id", name="ix_tables_ended", where="ended_at IS NOT NULL")
    index("tables", "guild_id", "opened_at", name="ix_tables_whole", where="purged_at IS NULL")
    index("tables", "guild_id", "opened_at")
    index("tables", "host_id", "id")
    index("tables", "status")

    create(
        "departures",
        table_key(),
        keys(BIG, "user_id"),
        needed(INT, "seat"),
        needed(TEXT, "name"),
        needed(BIG, "at"),
        needed(FLAG, "was_sent_away", default=sa.false()),
    )
    index("departures", "user_id", "table_id")

    create(
        "events",
        table_key(),
        keys(INT, "seq"),
        needed(BIG, "at"),
        needed(sa.String(32), "kind"),
        needed(INT, "version"),
        needed(TEXT, "body"),
        optional(BIG, "press_id"),
    )
    index("events", "press_id", name="uq_events_press_id", unique=True, where="press_id IS NOT NULL")

    create("invitations", table_key(), keys(BIG, "user_id"))
    index("invitations", "user_id")

    create(
        "panels",
        table_key(),
        keys(BIG, "user_id"),
        needed(INT, "seat", "round"),
        needed(sa.String(16), "page", "language"),
        needed(BIG, "made_at", "message_id"),
        needed(TEXT, "token"),
    )

    create(
        "plays",
        table_key(),
        keys(BIG, "user_id"),
        needed(BIG, "guild_id", "ended_at"),
        needed(INT, "season", "seat", "team", "place", "outcome"),
        needed(FLAG, "has_left", "is_ranked"),
        needed(FLAG, "is_void", default=sa.false()),
        tally(),
        optional(INT, "shown"),
        optional(FLOAT, "mu", "sigma"),
    )
    index("plays", "guild_id", "user_id", "ended_at", "table_id")
    index("plays", "user_id", "table_id")

    create(
        "results",
        table_key(),
        needed(BIG, "guild_id", "ended_at"),
        needed(INT, "number", "season", "rounds"),
        needed(TEXT, "scores", "games"),
        optional(INT, "winner"),
    )
    index("results", "guild_id", "ended_at", "table_id")
    index("results", "guild_id", "number", unique=True)

    create(
        "seats",
        table_key(),
        keys(INT, "seat"),
        needed(INT, "team"),
        needed(TEXT, "name"),
        needed(FLAG, "is_away", "is_open", "wants_rematch", default=sa.false()),
        optional(BIG, "user_id"),
        optional(sa.String(16), "robot_level"),
        optional(TEXT, "ballot"),
    )
    index("seats", "user_id")

    create("shares", table_key(), keys(INT, "round"), keys(BIG, "channel_id"), needed(BIG, "message_id"))

    create("voids", table_key(), needed(BIG, "guild_id", "by_id", "at"), needed(TEXT, "reason"))
    index("voids", "guild_id", "at")


def downgrade() -> None:
    for table in (*TABLES_OF_TABLES, "tables", "entrants", "night_steps", "nights", *SERVER_TABLES):
        op.drop_table(table)


def create(table: str, *columns: list[sa.Column]) -> None:
    op.create_table(table, *chain.from_iterable(columns))


def keys(kind: sa.types.TypeEngine, *names: str) -> list[sa.Column]:
    return [sa.Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def table_key() -> list[sa.Column]:
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return [sa.Column("table_id", BIG, of_table, primary_key=True, autoincrement=False)]


def night_key() -> list[sa.Column]:
    of_night = sa.ForeignKey("nights.id", ondelete="CASCADE")
    return [sa.Column("night_id", BIG, of_night, primary_key=True, autoincrement=False)]


def needed(kind: sa.types.TypeEngine, *names: str, default: str | sa.ColumnElement | None = None) -> list[sa.Column]:
    return [sa.Column(name, kind, server_default=default, nullable=False) for name in names]


def optional(kind: sa.types.TypeEngine, *names: str) -> list[sa.Column]:
    return [sa.Column(name, kind) for name in names]


def tally() -> list[sa.Column]:
    counts = ("rounds", "kems", "doubles", "false_calls", "counters", "false_counters", "caught", "bluffs", "baits")
    return needed(INT, *counts) + needed(BIG, "kems_ms")


def index(table: str, *columns: str, name: str | None = None, unique: bool = False, where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


def board(name: str, table: str, *columns: str) -> None:
    """An index in the order of a board, to be read backwards; of ranked rows alone."""
    where_true(f"ix_board_{name}", table, "is_ranked", "guild_id", "season", *columns)


def where_true(name: str, table: str, flag: str, *columns: str) -> None:
    """An index of the rows whose `flag` is set."""
    of_sqlite, of_postgres = sa.text(f"{flag} IS 1"), sa.text(f"{flag} IS true")
    op.create_index(name, table, columns, sqlite_where=of_sqlite, postgresql_where=of_postgres)
