"""A round robin: each pair meets each, two at a table by Berger's tables."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from bot.nights.formats.format import PairFormat
from bot.nights.formats.swiss import level_tables
from bot.nights.history import NightPair, both, meetings, playing_pairs
from bot.nights.night import Night
from bot.nights.plan import TieBreak
from bot.nights.rounds import NightRound


class RoundRobin(PairFormat):
    name = "round_robin"
    tie_breaks = (TieBreak.POINTS, TieBreak.HEAD_TO_HEAD, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE)
    is_closed = True

    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        if most > 2:  # as a Swiss in which every score is equal
            return level_tables(night, pairs, most, rng, lambda pair: 0)
        return _berger(night, pairs, rng)

    def round_count(self, night: Night) -> int | None:
        return None if _is_wide(night) else max(len(night.rounds), _most_rounds(night))

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return len(night.rounds) >= _most_rounds(night) or (_is_wide(night) and _all_met(night))


def _berger(night: Night, pairs: Sequence[NightPair], rng: Random) -> list[list[NightPair]]:
    """The last pairing number stays, the others move on by one place a round."""
    if night.rounds:
        numbered = _numbered(pairs, _pairing_numbers(night))
    else:
        numbered = [*pairs]
        rng.shuffle(numbered)
        numbered = [*numbered, *[None] * (len(numbered) % 2)]
    moving = len(numbered) - 1
    turn = len(night.rounds) % moving
    places = [*numbered[turn:moving], *numbered[:turn], numbered[moving]]
    couples = ((places[place], places[moving - place]) for place in range(len(places) // 2))
    return [[one, other] for one, other in couples if one is not None and other is not None]


def _pairing_numbers(night: Night) -> tuple[tuple[int, ...], ...]:
    """The people of each pairing number, read from the first round.

    Its table t seats number t-1 and its mirror image. With an odd number of pairs number 0 has the bye, and the last
    one is nobody's.
    """
    couples = [(table.people(0), table.people(1)) for table in night.rounds[0].tables]
    resting = _first_to_rest(night)
    if resting:
        couples.insert(0, (resting, ()))
    return (*(one for one, _ in couples), *(other for _, other in reversed(couples)))


def _numbered(pairs: Sequence[NightPair], numbers: Sequence[tuple[int, ...]]) -> list[NightPair | None]:
    """The pair that plays for each number: that of the first of its people who is there and plays for no other."""
    free = list(pairs)
    found: list[NightPair | None] = []
    for people in numbers:
        found.append(next((each for number in people for each in free if number in each), None))
        if found[-1] is not None:
            free.remove(found[-1])
    return found


def _is_wide(night: Night) -> bool:
    return night.plan.size > 4


def _most_rounds(night: Night) -> int:
    """In how many rounds each pair meets each, two at a table; the most that larger tables may take."""
    if night.rounds:
        pairs = sum(table.teams for table in night.rounds[0].tables) + bool(_first_to_rest(night))
    else:
        pairs = len(playing_pairs(night)[0])
    return 2 * pairs if _is_wide(night) else pairs - 1 + pairs % 2


def _first_to_rest(night: Night) -> tuple[int, ...]:
    """The pair that had the bye of the first round. One person more is somebody without a partner, or a robot's."""
    byes = night.rounds[0].byes
    return byes if night.plan.fills_with_robots else byes[: len(byes) // 2 * 2]


def _all_met(night: Night) -> bool:
    met = meetings(night).opponents
    pairs = playing_pairs(night)[0]
    return all(met[both(one[0], other[0])] > 0 for one, other in combinations(pairs, 2))


ROUND_ROBIN: Final = RoundRobin()
