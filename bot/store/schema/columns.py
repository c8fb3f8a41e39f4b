"""The base class of all rows, how constraints and indexes are named, and columns that several tables have."""

from typing import Annotated, Final

from sqlalchemy import BigInteger, Double, ForeignKey, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=_NAMES)


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
"""The user id of such a person where a column needs one."""


class Rated:
    """The mean and deviation of a rating (`bot.ladder.formula.Rating`); NULL without a ranked match."""

    mu: Mapped[float | None] = mapped_column(Double)
    sigma: Mapped[float | None] = mapped_column(Double)


class Tallied:
    """The columns of a `bot.ladder.tally.SeatTally`, of one match or summed up."""

    rounds: Mapped[int]
    kems: Mapped[int]
    doubles: Mapped[int]
    kems_ms: Mapped[Millis]
    false_calls: Mapped[int]
    counters: Mapped[int]
    false_counters: Mapped[int]
    caught: Mapped[int]
    bluffs: Mapped[int]
    baits: Mapped[int]
    quick: Mapped[int]
    read: Mapped[int]
