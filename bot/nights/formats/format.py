"""What a format of game nights decides; each stands in a file of its own."""

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
"""How long a night waits for enough people before it is cancelled, or over."""


class NightFormat(Format, ABC):
    """A format whose rounds follow one another; each round seats everybody who is there. A format may override that."""

    @abstractmethod
    def pair(self, night: Night, rng: Random) -> Pairing:
        """Returns the next round; equal nights and equal seeds of `rng` give equal rounds.

        It takes a second of one core for 200 people, so that it belongs into a process of its own. Without enough
        people there are no tables.
        """

    @abstractmethod
    def rounds_of(self, plan: NightPlan, count: int) -> int:
        """Returns how many rounds so many people play, or so many pairs where there are pairs."""

    def first_byes(self, plan: NightPlan, count: int) -> int:
        """Returns how many of so many pairs have no table in the first round, and go straight into the second."""
        return 0

    def round_count(self, night: Night) -> int:
        """Returns how many rounds the night has if nobody leaves or comes."""
        return max(len(night.rounds), self.rounds_of(night.plan, 0))

    @abstractmethod
    def has_played_all(self, night: Night, last: NightRound) -> bool:
        """Whether no round follows the last one by itself."""

    def is_complete(self, night: Night) -> bool:
        return night.round is not None and (night.is_closing or self.has_played_all(night, night.round))

    def fewest(self, night: Night) -> int:
        """Returns how few people a round can be played by."""
        return 2 if night.plan.fills_with_robots else 4

    def queue(self, night: Night) -> tuple[Entrant, ...]:
        """Returns those who wait for a table while others play; nobody where a round seats everybody."""
        return ()

    def opens_at(self, night: Night) -> int | None:
        """Returns when the first tables open; None while too few people have come. Instants in milliseconds."""
        return night.plan.starts_at if len(night.present) >= self.fewest(night) else None

    def waits_for_people(self, night: Night) -> bool:
        """Returns whether too few are there for the next round, which a knock-out has in any case."""
        return not (self.eliminates or self.is_complete(night)) and len(night.present) < self.fewest(night)

    def patience_ms(self, night: Night) -> int:
        """Returns how long after its beginning a night waits for people before it is cancelled."""
        return PATIENCE_MS

    def agenda(self, night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
        """What comes in a running night, by urgency, with the instant from which on each is due."""
        begins_at = last.over_at if night.next_at is None else night.next_at
        if not last.is_over:
            if last.ends_at is not None and last.called_at is None:
                yield Duty.CALL_TIME, last.ends_at
        elif self.is_complete(night):
            yield Duty.END_NIGHT, last.over_at
        elif not self.waits_for_people(night):
            yield Duty.BEGIN_ROUND, begins_at
        else:
            yield Duty.END_NIGHT, begins_at + PATIENCE_MS


class SetRounds(NightFormat):
    has_set_rounds = True

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        return plan.rounds

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return len(night.rounds) >= self.rounds_of(night.plan, 0)


class PairFormat(NightFormat):
    """Two people stay partners for the whole night."""

    has_pairs: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, object]] = {
        **Format.defaults,
        "fills_with_robots": True,
    }  # a robot plays with the odd person

    @abstractmethod
    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        """Returns who plays whom, `most` pairs at a table (2 to 4); pairs without a table have a bye.

        A pair is a tuple of entrants, of one where a robot plays. `table_sizes` says how many pairs sit at each table.
        With 2 and an odd number one pair is left out: `meetings(night).byes` tells whose turn that is. Places of the
        moment (`standings(night)`) are shared, all of them before the first round: `rng` decides between equals.
        """

    def finalists(self, night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
        """Returns the two pairs that play the final in the next round; nobody before the last one."""
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
