"""The base classes of formats. Each format has a file of its own."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import ClassVar, Final

from bot.base.times import MINUTE_MS
from bot.nights.changes import Duty
from bot.nights.formats.matching import seats
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.results.history import NightPair, playing_pairs
from bot.nights.rounds import Entrant, NightRound, Pairing

PATIENCE_MS: Final = 15 * MINUTE_MS
"""How long a night waits for enough people before it is cancelled or over."""


class NightFormat(Format, ABC):
    """A format whose rounds follow one another, each for all who are present; subclasses may override that.

    Example:
        >>> from random import Random
        >>> from bot.nights.formats import FORMATS
        >>> swiss = FORMATS["swiss"]
        >>> swiss.has_pairs, swiss.is_closed
        (True, False)
    """

    @abstractmethod
    def pair(self, night: Night, rng: Random) -> Pairing:
        """Return the next round; equal nights and equal seeds of `rng` give equal rounds.

        For 200 people it takes a second of one core, so run it in the worker process. Without enough people there are
        no tables.
        """

    @abstractmethod
    def rounds_of(self, plan: NightPlan, count: int) -> int:
        """Return how many rounds `count` people play; in a format of pairs, `count` pairs."""

    def first_byes(self, plan: NightPlan, count: int) -> int:
        """Return how many of `count` pairs skip the first round."""
        return 0

    def round_count(self, night: Night) -> int:
        """Return how many rounds the night has if nobody leaves or joins."""
        return max(len(night.rounds), self.rounds_of(night.plan, 0))

    @abstractmethod
    def has_played_all(self, night: Night, last: NightRound) -> bool:
        """Return whether the last round is the final one, unless the host adds another."""

    def is_complete(self, night: Night) -> bool:
        """Return whether the last round is over and none follows."""
        return night.round is not None and (night.is_closing or self.has_played_all(night, night.round))

    def fewest(self, night: Night) -> int:
        """Return the smallest number of people for a round."""
        return 2 if night.plan.fills_with_robots else 4

    def queue(self, night: Night) -> tuple[Entrant, ...]:
        """Return the people who wait for a table while others play; empty in a format that seats everybody."""
        return ()

    def opens_at(self, night: Night) -> int | None:
        """Return when the first tables open (milliseconds); None while too few people have come."""
        return night.plan.starts_at if len(night.present) >= self.fewest(night) else None

    def waits_for_people(self, night: Night) -> bool:
        """Return whether too few people are present for the next round; never in a knock-out."""
        return not (self.eliminates or self.is_complete(night)) and len(night.present) < self.fewest(night)

    def patience_ms(self, night: Night) -> int:
        """Return how long after its start a night waits for people before it is cancelled."""
        return PATIENCE_MS

    def agenda(self, night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
        """Yield the duties of a running night, most urgent first, each with the instant at which it becomes due."""
        begins_at = last.over_at if night.next_at is None else night.next_at
        if not last.is_over:
            if last.ends_at is not None and last.called_at is None:
                yield Duty.CALL_TIME, last.ends_at
        elif self.is_complete(night):
            yield Duty.END_NIGHT, last.over_at
        elif not self.waits_for_people(night):
            yield Duty.START_ROUND, begins_at
        else:
            yield Duty.END_NIGHT, begins_at + PATIENCE_MS


class SetRounds(NightFormat):
    """A format with a fixed number of rounds."""

    has_set_rounds = True

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        return plan.rounds

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return len(night.rounds) >= self.rounds_of(night.plan, 0)


class PairFormat(NightFormat):
    """A format in which two people stay partners for the whole night."""

    has_pairs: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, object]] = {
        **Format.defaults,
        "fills_with_robots": True,
    }  # a robot plays with the odd person

    @abstractmethod
    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        """Return the pairs by table; a pair without a table has a bye.

        Args:
            pairs: The pairs to seat; a tuple of one entrant plays with a robot.
            most: Pairs at a table, 2 to 4; `table_sizes` gives the size of each table. With 2 and an odd number, leave
                one pair out: `meetings(night).byes` tells whose turn it is.
            rng: Decides between equals; places (`standings(night)`) are shared, all of them before the first round.
        """

    def finalists(self, night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
        """Return the two pairs of the final if that is the next round; else none."""
        return []

    def fewest(self, night: Night) -> int:
        return 3 if night.plan.fills_with_robots else 4  # two pairs, one of which may have a robot

    def pair(self, night: Night, rng: Random) -> Pairing:
        found, alone = playing_pairs(night)
        if len(found) < 2:
            return Pairing((), (*chain.from_iterable(found), *alone))
        final = self.finalists(night, found)
        tables = self.tables(night, [each for each in found if each not in final], night.plan.size // 2, rng)
        tables = [final, *tables] if final else tables
        playing = {each for table in tables for each in table}
        byes = chain.from_iterable(each for each in found if each not in playing)
        partners = tuple(
            (each[0], each[1])
            for each in found
            if len(each) == 2 and all(night.entrants[number].partner is None for number in each)
        )
        made = tuple(seats([(each[0], each[1] if len(each) == 2 else None) for each in table]) for table in tables)
        return Pairing(made, (*byes, *alone), partners, has_final=bool(final))
