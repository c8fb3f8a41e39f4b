"""The ladder: seasons, what each seat did in a match, standings, pairs, ratings and void matches.

Matches that ended before get their numbers here, and what each seat did from their logs by `kems rebuild-standings`.
`tables` must never be made anew on SQLite: dropping the old one would take all that refers to it along.
"""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, drop_tables, take_back

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BOARDS = ("shown", "wins", "kems", "counters", "baits")
TALLY = ("kems", "doubles", "kems_ms", "false_calls", "counters", "false_counters", "caught", "bluffs", "baits")

NUMBERS = """
UPDATE results SET guild_id = numbered.guild_id, season = 0, number = numbered.number
FROM (
    SELECT results.table_id AS table_id, tables.guild_id AS guild_id,
        row_number() OVER (PARTITION BY tables.guild_id ORDER BY results.ended_at, results.table_id) + coalesce(
            (SELECT max(known.number) FROM results AS known WHERE known.guild_id = tables.guild_id), 0
        ) AS number
    FROM results JOIN tables ON tables.id = results.table_id
    WHERE results.number IS NULL
) AS numbered
WHERE numbered.table_id = results.table_id
"""


def upgrade() -> None:
    op.add_column("tables", sa.Column("is_ranked", sa.Boolean(), server_default=sa.false(), nullable=False))
    with op.batch_alter_table("results") as results:
        results.add_column(sa.Column("guild_id", sa.BigInteger(), nullable=True))
        results.add_column(sa.Column("number", sa.Integer(), nullable=True))
        results.add_column(sa.Column("season", sa.Integer(), nullable=True))
    take_back(revision, "results")
    op.execute(NUMBERS)
    with op.batch_alter_table("results") as results:
        results.alter_column("guild_id", existing_type=sa.BigInteger(), nullable=False)
        results.alter_column("number", existing_type=sa.Integer(), nullable=False)
        results.alter_column("season", existing_type=sa.Integer(), nullable=False)
    op.create_index(op.f("ix_results_guild_id_ended_at_table_id"), "results", ["guild_id", "ended_at", "table_id"])
    op.create_index(op.f("ix_results_guild_id_number"), "results", ["guild_id", "number"], unique=True)

    op.create_table(
        "ladders",
        key("guild_id"),
        sa.Column("ranked_presets", sa.Text(), nullable=False),
        sa.Column("sign_required", sa.Boolean(), nullable=False),
        sa.Column("season_every", sa.String(length=16), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_ladders")),
    )
    op.create_table(
        "seasons",
        key("guild_id"),
        key("number", sa.Integer()),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_seasons")),
    )
    op.create_table(
        "departures",
        key("table_id"),
        key("user_id"),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        of_table("departures"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_departures")),
    )
    op.create_table(
        "voids",
        key("table_id"),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        of_table("voids"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_voids")),
    )
    op.create_index(op.f("ix_voids_guild_id_at"), "voids", ["guild_id", "at"])

    op.create_table(
        "players",
        key("guild_id"),
        key("user_id"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=True),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("matches", sa.Integer(), nullable=True),
        sa.Column("partners", sa.Text(), nullable=True),
        *rating(),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_players")),
    )
    op.create_table(
        "plays",
        key("table_id"),
        key("user_id"),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        *counts("seat", "team", "place", "outcome"),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("is_ranked", sa.Boolean(), nullable=False),
        sa.Column("is_void", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=True),
        *rating(),
        *counts("rounds", *TALLY),
        of_table("plays"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_plays")),
    )
    in_order = ["guild_id", "user_id", "ended_at", "table_id"]
    op.create_index(op.f("ix_plays_guild_id_user_id_ended_at_table_id"), "plays", in_order)

    op.create_table(
        "standings",
        key("guild_id"),
        key("user_id"),
        key("season", sa.Integer()),
        key("is_ranked", sa.Boolean()),
        *counts("matches", "wins", "draws"),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("shown", sa.Integer(), nullable=True),
        sa.Column("is_provisional", sa.Boolean(), nullable=True),
        sa.Column("fresh_until", sa.BigInteger(), nullable=True),
        *rating(),
        *counts("rounds", *TALLY),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "season", "is_ranked", name=op.f("pk_standings")),
    )
    for column in BOARDS:
        board("standings", column, column, "user_id")
    board("standings", "fresh", "fresh_until")

    op.create_table(
        "pairs",
        key("guild_id"),
        key("low_id"),
        key("high_id"),
        key("season", sa.Integer()),
        key("is_ranked", sa.Boolean()),
        *counts("together", "together_wins", "apart", "low_wins", "high_wins"),
        sa.PrimaryKeyConstraint("guild_id", "low_id", "high_id", "season", "is_ranked", name=op.f("pk_pairs")),
    )
    op.create_index(op.f("ix_pairs_guild_id_high_id"), "pairs", ["guild_id", "high_id"])
    board("pairs", "duos", "together_wins", "low_id", "high_id")
    take_back(revision)


def downgrade() -> None:
    drop_tables(revision, "pairs", "standings", "plays", "players", "voids", "departures", "seasons", "ladders")
    op.drop_index(op.f("ix_results_guild_id_number"), "results")
    op.drop_index(op.f("ix_results_guild_id_ended_at_table_id"), "results")
    drop_columns(revision, "results", "guild_id", "number", "season")
    drop_columns(revision, "tables", "is_ranked")


def key(name: str, kind: sa.types.TypeEngine | None = None) -> sa.Column:
    return sa.Column(name, kind or sa.BigInteger(), autoincrement=False, nullable=False)


def counts(*names: str) -> tuple[sa.Column, ...]:
    kinds = {"kems_ms": sa.BigInteger()}
    return tuple(sa.Column(name, kinds.get(name, sa.Integer()), nullable=False) for name in names)


def rating() -> tuple[sa.Column, ...]:
    return tuple(sa.Column(name, sa.Double(), nullable=True) for name in ("mu", "sigma"))


def of_table(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["table_id"], ["tables.id"], name=op.f(f"fk_{name}_table_id_tables"), ondelete="CASCADE"
    )


def board(table: str, name: str, *columns: str) -> None:
    """An index in the order of a board, to be read backwards; of ranked matches alone."""
    op.create_index(
        f"ix_board_{name}",
        table,
        ["guild_id", "season", *columns],
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
