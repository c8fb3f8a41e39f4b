"""Open tables: a queue fills them as people come and go."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from bot.nights.changes import Duty
from bot.nights.formats.format import PATIENCE_MS, NightFormat
from bot.nights.formats.rotation import pair_individuals
from bot.nights.history import meetings
from bot.nights.night import Night
from bot.nights.plan import TieBreak
from bot.nights.rounds import Entrant, NightRound, Pairing
from bot.times import MINUTE_MS

QUEUE_MS: Final = 2 * MINUTE_MS
"""How long the first of the queue waits before a table opens with robots, or with fewer people."""


class Lounge(NightFormat):
    name = "lounge"
    tie_breaks = (TieBreak.POINTS, TieBreak.FEWEST_TABLES, TieBreak.SCORE_DIFFERENCE)
    is_open = True

    def pair(self, night: Night, rng: Random) -> Pairing:
        """The first of the queue fill whole tables; where none is whole, they fill a part of one."""
        waiting, robots = self.queue(night), night.plan.fills_with_robots
        whole = len(waiting) // night.plan.size * night.plan.size
        rest = len(waiting) if robots else len(waiting) // 2 * 2
        numbers = [entrant.number for entrant in waiting[: whole or rest]]
        found = pair_individuals(numbers, meetings(night), night.plan.size, rng, with_robots=robots)
        return replace(found, byes=())

    def round_count(self, night: Night) -> None:
        return None

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return last.called_at is not None

    def fewest(self, night: Night) -> int:
        return 1 if night.plan.fills_with_robots else 4

    def queue(self, night: Night) -> tuple[Entrant, ...]:
        free = (entrant for entrant in night.present if night.table_of(entrant.number) is None)
        return tuple(sorted(free, key=lambda entrant: (free_since(night, entrant), entrant.number)))

    def opens_at(self, night: Night) -> int | None:
        waiting = self.queue(night)
        if len(waiting) >= night.plan.size:
            return free_since(night, waiting[night.plan.size - 1])
        if len(waiting) >= self.fewest(night):
            return free_since(night, waiting[0]) + QUEUE_MS
        return None

    def patience_ms(self, night: Night) -> int:
        return night.plan.length_ms or PATIENCE_MS

    def agenda(self, night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
        if last.ends_at is not None and last.called_at is None:
            yield Duty.CALL_TIME, last.ends_at
        if not self.is_complete(night):
            opens_at = self.opens_at(night)
            if opens_at is not None:
                yield Duty.BEGIN_ROUND, opens_at
        elif last.is_over:
            yield Duty.END_NIGHT, max(last.over_at, last.called_at or 0)


def free_since(night: Night, entrant: Entrant) -> int:
    """Returns since when somebody waits for a table (milliseconds), the beginning at the earliest."""
    tables = night.round.tables if night.round is not None else ()
    ends = (table.ended_at or 0 for table in tables if entrant.number in table.seats)
    return max(night.plan.starts_at, entrant.joined_at, *ends)


LOUNGE: Final = Lounge()
