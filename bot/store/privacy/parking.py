"""What an older schema has no place for, kept beside it while a migration is taken back, for the next upgrade.

The steps in `migrations/` drop with `drop_tables` and `drop_columns`, and end their upgrade with `take_back`. In
between, `parked_<revision>_<rows|columns>_<table>` holds what a table lost. What hangs on a row that an older version
of the bot deletes meanwhile stays away.
"""

from typing import Final

from alembic import op
from sqlalchemy import Connection, Inspector, MetaData, Table, inspect, text

_PARKED: Final = "parked_"
_ROWS: Final = "rows"
_COLUMNS: Final = "columns"


def drop_tables(revision: str, *names: str) -> None:
    """Park all rows and drop the tables, in this order."""
    for name in names:
        _park(revision, _ROWS, name, _columns(inspect(op.get_bind()), name))
        op.drop_table(name)


def drop_columns(revision: str, table: str, *columns: str) -> None:
    """Park what the columns hold, by the table's key, and drop them.

    In place: on SQLite a batch would drop the table, and with it all that hangs on it.
    """
    keep_columns(revision, table, *columns)
    for column in columns:
        op.drop_column(table, column)


def keep_columns(revision: str, table: str, *columns: str, where: str = "1 = 1") -> None:
    """Park what columns hold that stay, of the rows that the next upgrade would write over."""
    key = inspect(op.get_bind()).get_pk_constraint(table)["constrained_columns"]
    _park(revision, _COLUMNS, table, [*key, *columns], where)


def take_back(revision: str, *tables: str) -> None:
    """Put back what was parked when this revision was taken back, of these tables or of all; often there is nothing."""
    bind = op.get_bind()
    inspector = inspect(bind)
    parked = {name for name in inspector.get_table_names() if name.startswith(f"{_PARKED}{revision}_")}
    if not parked:
        return
    for table, _ in inspector.get_sorted_table_and_fkc_names():  # what others refer to goes first
        if table is None or (tables and table not in tables):
            continue
        for kind, put_back in ((_ROWS, _insert), (_COLUMNS, _update)):
            name = _name(revision, kind, table)
            if name in parked:
                put_back(bind, inspector, name, table)
                op.drop_table(name)


def parked(bind: Connection) -> list[tuple[str, Table]]:
    """All that is parked now: of which table, and where."""
    metadata = MetaData()
    names = [name for name in inspect(bind).get_table_names() if name.startswith(_PARKED)]
    if names:  # else every table there is would be looked at
        metadata.reflect(bind, only=names)
    return [(table.name.split("_", 3)[-1], table) for table in metadata.sorted_tables]


def _name(revision: str, kind: str, table: str) -> str:
    return f"{_PARKED}{revision}_{kind}_{table}"


def _columns(inspector: Inspector, table: str) -> list[str]:
    return [column["name"] for column in inspector.get_columns(table)]


def _park(revision: str, kind: str, table: str, columns: list[str], where: str = "1 = 1") -> None:
    bind = op.get_bind()
    quote = bind.dialect.identifier_preparer.quote
    rows = f"FROM {quote(table)} WHERE {where}"
    if bind.scalar(text(f"SELECT count(*) {rows}")):
        op.execute(f"CREATE TABLE {_name(revision, kind, table)} AS SELECT {', '.join(map(quote, columns))} {rows}")


def _insert(bind: Connection, inspector: Inspector, parked: str, table: str) -> None:
    """Rows that refer to one that is gone stay away; what was parked replaces what the upgrade filled in."""
    quote = bind.dialect.identifier_preparer.quote
    key = ", ".join(map(quote, inspector.get_pk_constraint(table)["constrained_columns"]))
    op.execute(f"DELETE FROM {quote(table)} WHERE ({key}) IN (SELECT {key} FROM {parked})")  # noqa: S608
    listed = ", ".join(map(quote, _columns(inspector, parked)))
    refers = [
        f"({quote(mine)} IS NULL OR {quote(mine)} IN (SELECT {quote(theirs)} FROM {quote(key['referred_table'])}))"  # noqa: S608
        for key in inspector.get_foreign_keys(table)
        if key["referred_table"] != table
        for mine, theirs in zip(key["constrained_columns"], key["referred_columns"], strict=True)
    ]
    where = " AND ".join(["1 = 1", *refers])
    op.execute(f"INSERT INTO {quote(table)} ({listed}) SELECT {listed} FROM {parked} WHERE {where}")  # noqa: S608
    if bind.dialect.name == "postgresql":
        for column in inspector.get_columns(table):
            if column.get("autoincrement"):  # its numbers go on after the highest
                highest = f"SELECT max({quote(column['name'])}) FROM {quote(table)}"  # noqa: S608
                op.execute(f"SELECT setval(pg_get_serial_sequence('{table}', '{column['name']}'), ({highest}))")


def _update(bind: Connection, inspector: Inspector, parked: str, table: str) -> None:
    quote = bind.dialect.identifier_preparer.quote
    key = inspector.get_pk_constraint(table)["constrained_columns"]
    rest = [column for column in _columns(inspector, parked) if column not in key]
    values = ", ".join(f"{quote(column)} = {parked}.{quote(column)}" for column in rest)
    same = " AND ".join(f"{quote(table)}.{quote(column)} = {parked}.{quote(column)}" for column in key)
    op.execute(f"UPDATE {quote(table)} SET {values} FROM {parked} WHERE {same}")  # noqa: S608
