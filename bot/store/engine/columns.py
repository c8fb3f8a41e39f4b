"""Columns that several tables have."""

from typing import Annotated

from sqlalchemy import BigInteger, Double, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

Millis = Annotated[int, mapped_column(BigInteger)]
Snowflake = Annotated[int, mapped_column(BigInteger)]
Json = Annotated[str, mapped_column(Text)]
OfTable = Annotated[
    int, mapped_column(BigInteger, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
]


class Rated:
    """A rating (`bot.ladder.formula.Rating`) as far as it is the same everywhere; empty without a ranked match."""

    mu: Mapped[float | None] = mapped_column(Double)
    sigma: Mapped[float | None] = mapped_column(Double)


class Tallied:
    """A `bot.ladder.tally.SeatTally`, of one match or summed up."""

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
