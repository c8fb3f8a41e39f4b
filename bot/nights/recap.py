"""A night in review: what stood out, and what a person's nights add up to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from bot.nights.honours import Honour, HonourKind
from bot.nights.night import Night
from bot.nights.plan import Format
from bot.nights.standings import Standing, standings


@dataclass(frozen=True, slots=True)
class SeatFeat:
    """What one seat did, and how long it took."""

    seat: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class TableFeats:
    """What stood out in the match of one table of a night: `bot.ladder.highlights` finds it."""

    round: int
    table: int
    bluff: SeatFeat | None = None
    quickest: SeatFeat | None = None


def honours(night: Night, feats: Iterable[TableFeats] = ()) -> tuple[Honour, ...]:
    """Returns what stood out in a night, in the order of `HonourKind`; the first of equals counts. Robots earn none."""
    known = sorted(feats, key=lambda each: (each.round, each.table))
    bluffs = [(each, each.bluff) for each in known if each.bluff is not None]
    quick = [(each, each.quickest) for each in known if each.quickest is not None]
    found = (
        _best_table(night),
        _feat(night, HonourKind.BEST_BLUFF, sorted(bluffs, key=lambda pair: -pair[1].milliseconds)),
        _feat(night, HonourKind.QUICKEST_KEMS, sorted(quick, key=lambda pair: pair[1].milliseconds)),
        _climb(night),
    )
    return tuple(honour for honour in found if honour is not None)


def _best_table(night: Night) -> Honour | None:
    best: Honour | None = None
    for turn in night.rounds:
        for table in turn.tables:
            winner = table.result.winner if table.result is not None else None
            if table.result is None or winner is None:
                continue
            first, second = sorted(table.result.scores, reverse=True)[:2]
            people = tuple(seat for seat in table.members(winner) if seat is not None)
            if people and (best is None or first - second > best.value):
                best = Honour(HonourKind.BEST_TABLE, people, first - second, turn.number, table.number)
    return best


def _feat(night: Night, kind: HonourKind, ranked: Sequence[tuple[TableFeats, SeatFeat]]) -> Honour | None:
    for where, feat in ranked:
        if not 1 <= where.round <= len(night.rounds):
            continue
        tables = night.rounds[where.round - 1].tables
        table = next((each for each in tables if each.number == where.table), None)
        if table is None or feat.seat >= len(table.seats):
            continue
        entrant = table.seats[feat.seat]
        if entrant is not None:
            return Honour(kind, (entrant,), feat.milliseconds, where.round, where.table)
    return None


def _climb(night: Night) -> Honour | None:
    """Who gained most places; nobody in a knock-out, where a place is lost once, nor in a lounge."""
    if night.plan.format in (Format.KNOCKOUT, Format.LOUNGE) or len(night.rounds) < 2:
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

    `NEWCOMER`: the first night. `REGULAR`: five, `PILLAR`: twenty. `STREAK`: five in a row. `WINNER`: won a night,
    `CHAMPION`: three. `PODIUM`: among the first three of at least eight. `BLUFFER`, `LIGHTNING` and `CLIMBER`: the best
    bluff, the quickest Kem's, the biggest climb of a night.
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
    """One night of one person: its number on the server, the place among `of` lines, the honours."""

    night: int
    place: int
    of: int
    honours: tuple[HonourKind, ...] = ()


@dataclass(frozen=True, slots=True)
class EarnedBadge:
    """A badge, and how often its condition was met."""

    badge: Badge
    times: int


_HONOURED: Final = {
    Badge.BLUFFER: HonourKind.BEST_BLUFF,
    Badge.LIGHTNING: HonourKind.QUICKEST_KEMS,
    Badge.CLIMBER: HonourKind.BIGGEST_CLIMB,
}


def entries(night: Night, found: Sequence[Honour]) -> dict[int, NightEntry]:
    """Returns what a night adds for each entrant who sat at a table with a result, by entrant."""
    lines: Sequence[Standing] = standings(night)
    return {
        entrant: NightEntry(
            night.number,
            line.place,
            len(lines),
            tuple(honour.kind for honour in found if entrant in honour.entrants),
        )
        for line in lines
        if line.tables
        for entrant in line.entrants
    }


def attendance(attended: Collection[int], held: Iterable[int]) -> tuple[int, int]:
    """Returns the running and the longest streak of nights, from the numbers of the nights that took place."""
    runs = [(came, sum(1 for _ in run)) for came, run in groupby(number in attended for number in sorted(held))]
    running = runs[-1][1] if runs and runs[-1][0] else 0
    return running, max((length for came, length in runs if came), default=0)


def badges(nights: Sequence[NightEntry], held: Iterable[int]) -> tuple[EarnedBadge, ...]:
    """Returns the badges of a person's nights on one server, in the order of `Badge`."""
    _, longest = attendance({entry.night for entry in nights}, held)
    won = sum(entry.place == 1 for entry in nights)
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
    return tuple(EarnedBadge(badge, times[badge]) for badge in Badge if times[badge])
