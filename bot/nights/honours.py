"""What stood out in a night, as values."""

from dataclasses import dataclass
from enum import StrEnum


class HonourKind(StrEnum):
    """`BEST_TABLE`: the highest win, in points. `BEST_BLUFF`: the longest, `QUICKEST_KEMS`: the shortest, both in
    milliseconds. `BIGGEST_CLIMB`: places gained between the first round and the last.
    """

    BEST_TABLE = "best_table"
    BEST_BLUFF = "best_bluff"
    QUICKEST_KEMS = "quickest_kems"
    BIGGEST_CLIMB = "biggest_climb"


@dataclass(frozen=True, slots=True)
class Honour:
    """What stood out. `value` as `HonourKind` says; `round` and `table` are where, None for a climb."""

    kind: HonourKind
    entrants: tuple[int, ...]
    value: int
    round: int | None = None
    table: int | None = None
