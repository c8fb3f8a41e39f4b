"""Columns that several tables have."""

from typing import Annotated, Final

from sqlalchemy import BigInteger, Double, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

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
