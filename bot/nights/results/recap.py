"""The recap of a night: its highlights, and what a person's nights add up to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from bot.nights.night import Night
from bot.nights.posts import Honour, HonourKind
from bot.nights.results.standings import standings, winners
from bot.nights.rounds import NightTable


def feat(
    kind: HonourKind, round_number: int, table: NightTable, seat: int, milliseconds: int, match_round: int = 1
) -> Honour | None:
    """Return what a seat achieved at a table as a highlight; None if a robot played there, or its person was absent."""
    entrant = table.seats[seat]
    return (
        None
        if entrant is None or entrant in table.no_shows
        else Honour(kind, (entrant,), milliseconds, round_number, table.number, match_round)
    )


def honours(night: Night, feats: Sequence[Honour] = ()) -> tuple[Honour, ...]:
    """Return the highlights of a night, in the order of `HonourKind`; of equal feats the first counts.

    `feats` are the bluffs, quick Kem's and close calls of its tables, in the order of tables.
    """

    def least(kind: HonourKind, sign: int = 1) -> Honour | None:
        return min((each for each in feats if each.kind is kind), key=lambda each: sign * each.value, default=None)

    found = (
        _best_table(night),
        least(HonourKind.BEST_BLUFF, -1),
        least(HonourKind.QUICKEST_KEMS),
        least(HonourKind.CLOSEST_CALL),
        _climb(night),
    )
    return tuple(honour for honour in found if honour is not None)


def _best_table(night: Night) -> Honour | None:
    best: Honour | None = None
    for number, table in ((each.number, table) for each in night.rounds for table in each.tables):
        if table.result is None or len(table.leaders) != 1:
            continue
        (team,), scores = table.leaders, table.result.scores
        people, ahead = table.present(team), scores[team] - max(scores[:team] + scores[team + 1 :])
        if people and ahead > (0 if best is None else best.value):
            best = Honour(HonourKind.BEST_TABLE, people, ahead, number, table.number)
    return best


def _climb(night: Night) -> Honour | None:
    """Return the highlight of most places gained; None without a gain, in a knock-out and in an open format."""
    if night.plan.format.eliminates or night.plan.format.is_open or len(night.rounds) < 2:
        return None
    before = {frozenset(line.entrants): line.place for line in standings(night, after_round=1)}
    climbs = [
        Honour(HonourKind.BIGGEST_CLIMB, line.entrants, before[frozenset(line.entrants)] - line.place)
        for line in standings(night)
        if frozenset(line.entrants) in before
    ]
    best = max(climbs, key=lambda honour: honour.value, default=None)
    return best if best is not None and best.value > 0 else None


# ---------------------------------------------------------------------- over many nights


class Badge(StrEnum):
    """What a person's nights on a server add up to.

    - `NEWCOMER`: the first night. `REGULAR`: five. `PILLAR`: twenty. `STREAK`: five in a row.
    - `WINNER`: a win among at least four. `CHAMPION`: three of them. `PODIUM`: among the first three of at least eight.
    - `BLUFFER`, `LIGHTNING`, `CLIMBER`: the best bluff, the quickest Kem's, the biggest climb of a night.
    """

    NEWCOMER = "newcomer"
    REGULAR = "regular"
    PILLAR = "pillar"
    STREAK = "streak"
    WINNER = "winner"
    CHAMPION = "champion"
    PODIUM = "podium"
    BLUFFER = "bluffer"
    LIGHTNING = "lightning"
    CLIMBER = "climber"


@dataclass(frozen=True, slots=True)
class NightEntry:
    """One night of one person.

    - `night`: its number on the server.
    - `place`, `of`: the place among so many lines.
    - `is_won`: they have won the night, which the first place alone does not say.
    """

    night: int
    place: int
    of: int
    honours: tuple[HonourKind, ...] = ()
    is_won: bool = True


_CONTESTED: Final = 4  # lines of a night from which on winning it gives a badge
_HONOURED: Final = {
    Badge.BLUFFER: HonourKind.BEST_BLUFF,
    Badge.LIGHTNING: HonourKind.QUICKEST_KEMS,
    Badge.CLIMBER: HonourKind.BIGGEST_CLIMB,
}


def entry_of(night: Night, user_id: int) -> NightEntry | None:
    """Return what a night contributes to a person's record; None if they played at no table with a result."""
    own, lines = night.entrant_of(user_id), standings(night)
    for line in lines:
        if own is not None and own.number in line.entrants and line.tables:
            kinds = tuple(honour.kind for honour in night.honours if own.number in honour.entrants)
            is_won = line.place > 1 or own.number in winners(night)
            return NightEntry(night.number, line.place, len(lines), kinds, is_won)
    return None


def attendance(attended: Collection[int], night_numbers: Iterable[int]) -> tuple[int, int]:
    """Return the current and the longest streak of attended nights, out of the nights that took place."""
    runs = [
        (came, sum(1 for _ in run)) for came, run in groupby(number in attended for number in sorted(night_numbers))
    ]
    running = runs[-1][1] if runs and runs[-1][0] else 0
    return running, max((length for came, length in runs if came), default=0)


def badges(nights: Sequence[NightEntry], night_numbers: Iterable[int]) -> dict[Badge, int]:
    """Return the badges for a person's nights on a server, in the order of `Badge`, with how often each was earned."""
    _, longest = attendance({entry.night for entry in nights}, night_numbers)
    won = sum(entry.place == 1 and entry.is_won and entry.of >= _CONTESTED for entry in nights)
    times = {
        Badge.NEWCOMER: min(len(nights), 1),
        Badge.REGULAR: len(nights) // 5,
        Badge.PILLAR: len(nights) // 20,
        Badge.STREAK: longest // 5,
        Badge.WINNER: won,
        Badge.CHAMPION: won // 3,
        Badge.PODIUM: sum(entry.place <= 3 and entry.of >= 8 for entry in nights),
        **{badge: sum(kind in entry.honours for entry in nights) for badge, kind in _HONOURED.items()},
    }
    return {badge: times[badge] for badge in Badge if times[badge]}
