"""The base class of all rows, the naming of constraints and indexes, and columns that several tables have."""

from typing import Annotated, Any, Final

from sqlalchemy import BigInteger, Double, ForeignKey, Integer, MetaData, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.schema import CreateIndex
from sqlalchemy.sql.compiler import DDLCompiler

from bot.ladder.columns import TALLY

_NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """The base class of all rows."""

    metadata = MetaData(naming_convention=_NAMES)


@compiles(CreateIndex, "postgresql")
def _create_index(create: CreateIndex, compiler: DDLCompiler, **options: Any) -> str:
    """Create a partial index by `sqlite_where` alone: `postgresql_where` would load that dialect on SQLite."""
    of = create.element.dialect_options
    if of["postgresql"]["where"] is None:
        of["postgresql"]["where"] = of["sqlite"]["where"]
    made: str = compiler.visit_create_index(create, **options)  # type: ignore[no-untyped-call]
    return made


Millis = Annotated[int, mapped_column(BigInteger)]
Snowflake = Annotated[int, mapped_column(BigInteger)]
Json = Annotated[str, mapped_column(Text)]
KeySnowflake = Annotated[int, mapped_column(BigInteger, primary_key=True, autoincrement=False)]
KeyNumber = Annotated[int, mapped_column(primary_key=True, autoincrement=False)]
KeyTable = Annotated[
    int, mapped_column(BigInteger, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
]


NO_NAME: Final = ""
"""The name of a person whose data was erased or is no longer kept."""
NO_USER: Final = 0
"""The user id of such a person in a column that needs one."""


class Rated:
    """Mean and deviation of a rating (`bot.ladder.formula.Rating`); NULL without a ranked match."""

    mu: Mapped[float | None] = mapped_column(Double)
    sigma: Mapped[float | None] = mapped_column(Double)


class Tallied:
    """The columns of a `bot.ladder.columns.SeatTally`, of one match or summed up."""

    rounds: Mapped[int]


for _name in TALLY:
    setattr(
        Tallied,
        _name,
        mapped_column(BigInteger if _name.endswith("_ms") else Integer, nullable=False, server_default="0"),
    )
