"""Indexes by which everything on a person is found: in all servers, without reading whole tables."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

PEOPLE = {
    "tables": ("host_id", "id"),
    "departures": ("user_id", "table_id"),
    "players": ("user_id",),
    "plays": ("user_id", "table_id"),
    "standings": ("user_id",),
}


def upgrade() -> None:
    for table, columns in PEOPLE.items():
        op.create_index(_name(table, *columns), table, columns)
    op.create_index(_name("pairs", "low_id", "guild_id", "high_id"), "pairs", ["low_id", "guild_id", "high_id"])
    op.create_index(_name("pairs", "high_id", "guild_id", "low_id"), "pairs", ["high_id", "guild_id", "low_id"])
    op.drop_index(_name("pairs", "guild_id", "high_id"), table_name="pairs")


def downgrade() -> None:
    op.create_index(_name("pairs", "guild_id", "high_id"), "pairs", ["guild_id", "high_id"])
    op.drop_index(_name("pairs", "high_id", "guild_id", "low_id"), table_name="pairs")
    op.drop_index(_name("pairs", "low_id", "guild_id", "high_id"), table_name="pairs")
    for table, columns in PEOPLE.items():
        op.drop_index(_name(table, *columns), table_name=table)


def _name(table: str, *columns: str) -> str:
    return f"ix_{table}_{'_'.join(columns)}"
