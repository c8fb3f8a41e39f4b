"""Open tables: a queue fills them as people come and go."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

from bot.base.times import MINUTE_MS
from bot.nights.changes import Duty
from bot.nights.formats.format import PATIENCE_MS, NightFormat
from bot.nights.formats.rotation import pair_individuals
from bot.nights.night import Night
from bot.nights.plan import NightPlan, TieBreak
from bot.nights.results.history import meetings
from bot.nights.rounds import Entrant, NightRound, Pairing

QUEUE_MS: Final = 75_000
"""Longest wait of the first in the queue for people from other tables, or for a full table."""
WAIT_MS: Final = 8 * MINUTE_MS
"""Longest wait for people from other tables before time is called at the table that has played longest."""
_AGAIN: Final = 9
"""How many meetings the last table counts as."""


class Lounge(NightFormat):
    """The format of open tables."""

    name = "lounge"
    title = "Open tables"
    sentence = "come and go: a queue fills the tables"
    tie_breaks = (TieBreak.AVERAGE, TieBreak.WINS, TieBreak.SCORE_DIFFERENCE)
    is_open = True

    def pair(self, night: Night, rng: Random) -> Pairing:
        """Seat the first people of the queue at full tables in mixed groups; if they are too few, at a smaller one."""
        silent, robots = night.silent, night.plan.fills_with_robots
        waiting = sorted((entrant.number for entrant in self.queue(night)), key=lambda number: number in silent)
        whole = len(waiting) // night.plan.size * night.plan.size
        count = whole or (len(waiting) if robots else len(waiting) // 2 * 2)
        last, before = _last_tables(night), meetings(night)
        choices = ([*waiting[: count - 1], number] for number in waiting[count - 1 :])
        seated = next((choice for choice in choices if not _are_same(choice, last)), waiting[:count])
        for first, second in combinations(sorted(seated), 2):
            before.opponents[first, second] += _AGAIN * (second in last[first] or first in last[second])
        found = pair_individuals(seated, before, night.plan.size, rng, with_robots=robots)
        return replace(found, byes=())

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        return 1

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return last.called_at is not None

    def fewest(self, night: Night) -> int:
        return 1 if night.plan.fills_with_robots else 4

    def queue(self, night: Night) -> tuple[Entrant, ...]:
        free = (entrant for entrant in night.present if night.table_of(entrant.number) is None)
        return tuple(sorted(free, key=lambda entrant: (free_since(night, entrant), entrant.number)))

    def opens_at(self, night: Night) -> int | None:
        """Return when the next table opens.

        If people for two tables wait, it opens at once, as their groups can be mixed; fewer people wait while others
        play.
        """
        waiting = self.queue(night)
        is_alone = len(waiting) == len(night.present)
        at_once = night.plan.size if is_alone else 2 * night.plan.size
        if len(waiting) >= at_once:
            return free_since(night, waiting[at_once - 1])
        are_same = _are_same([entrant.number for entrant in waiting], _last_tables(night))
        if len(waiting) < self.fewest(night) or (are_same and not is_alone):
            return None
        return free_since(night, waiting[0]) + QUEUE_MS

    def hurry_at(self, night: Night, last: NightRound) -> int | None:
        """Return when time is called at a table because people are waiting; None for never."""
        waiting = self.queue(night)
        playing = [table for table in last.tables if table.result is None and table.paused_at is None]
        own_ends = [table.ends_at for table in playing if table.ends_at is not None]
        is_hurried = any(last.ends_at is None or ends_at < last.ends_at for ends_at in own_ends)
        return free_since(night, waiting[0]) + WAIT_MS if waiting and playing and not is_hurried else None

    def patience_ms(self, night: Night) -> int:
        return night.plan.open_ms or PATIENCE_MS

    def agenda(self, night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
        if last.ends_at is not None and last.called_at is None:
            yield Duty.CALL_TIME, last.ends_at
        if not self.is_complete(night):
            opens_at = self.opens_at(night)
            if opens_at is not None:
                yield Duty.START_ROUND, opens_at
            elif (hurry_at := self.hurry_at(night, last)) is not None:
                yield Duty.HURRY, hurry_at
        elif last.is_over:
            yield Duty.END_NIGHT, max(last.over_at, last.called_at or 0)


def _last_tables(night: Night) -> dict[int, tuple[int, ...]]:
    """Return the people of each entrant's last table; nobody for newcomers."""
    last = {entrant.number: tuple[int, ...]() for entrant in night.entrants}
    for table in night.all_tables:
        last |= dict.fromkeys(table.people(), table.people())
    return last


def _are_same(seated: Sequence[int], last: Mapping[int, tuple[int, ...]]) -> bool:
    """Return whether a player would only meet people from their previous table."""
    return any(set(seated) <= set(last[number]) for number in seated)


def free_since(night: Night, entrant: Entrant) -> int:
    """Return since when an entrant has been waiting for a table (milliseconds), at the earliest the night's start."""
    tables = night.round.tables if night.round is not None else ()
    ends = (table.ended_at or 0 for table in tables if entrant.number in table.seats)
    return max(night.plan.starts_at, entrant.joined_at, *ends)


LOUNGE: Final = Lounge()
