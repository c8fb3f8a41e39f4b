"""The league of a season: a board of what each person's nights add up to, by the places they took."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Final

from bot.nights.night import Night, NightStatus
from bot.nights.results.history import turnout
from bot.nights.results.standings import standings
from bot.records.history import FIRST, AfterKey, BeforeKey, BoardLine, BoardPage, PageKey, PageNumber

PAGE: Final = 10
"""Lines on a page."""
_MOST_NIGHTS: Final = 12
"""Nights of a person that are listed."""


class Scale(StrEnum):
    """What the places of a night are worth: how much more the first ones count."""

    FLAT = "flat"
    EVEN = "even"
    STEEP = "steep"

    @property
    def points(self) -> tuple[int, ...]:
        """The points by place, from the first one on; every later place gets those of the last entry."""
        return _POINTS[self]


_POINTS: Final = {
    Scale.FLAT: (5, 4, 3, 2, 1),
    Scale.EVEN: (10, 8, 6, 5, 4, 3, 2, 1),
    Scale.STEEP: (25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
}


def counted_nights(nights: Iterable[Night]) -> tuple[Night, ...]:
    """Return the nights that count: those that are over and to which somebody came."""
    return tuple(night for night in nights if night.status is NightStatus.OVER and turnout(night)[0])


def league(
    nights: Iterable[Night], scale: Scale, best: int | None, left_out: Collection[int] = ()
) -> tuple[BoardLine, ...]:
    """Return the lines of a league, best first.

    Between equals the best night decides, then the second best, and so on. A night is worth nothing to somebody who did
    not come, or whom its host removed. A line's note lists the points of its nights, most first, those that do not
    count in brackets: `10 + 8 + 6 (5, 3)`.

    Args:
        nights: The nights of the season.
        scale: What places are worth.
        best: How many of each person's nights count; None for all.
        left_out: User ids that have no place.
    """
    points, names = defaultdict[int, list[int]](list), dict[int, str]()
    for night in counted_nights(nights):
        for line in standings(night):
            for entrant in (night.entrants[number] for number in line.entrants):
                if entrant.user_id is not None and entrant.user_id not in left_out:
                    points[entrant.user_id].append(scale.points[min(line.place, len(scale.points)) - 1])
                    names[entrant.user_id] = entrant.name or names.get(entrant.user_id, "")
    found = {user_id: tuple(sorted(theirs, reverse=True)) for user_id, theirs in points.items()}
    values = {user_id: (sum(theirs[:best]), theirs) for user_id, theirs in found.items()}
    ranked = sorted(values, key=lambda user_id: (values[user_id], -user_id), reverse=True)
    lines = list[BoardLine]()
    for number, user_id in enumerate(ranked, 1):
        total, theirs = values[user_id]
        is_level = number > 1 and values[user_id] == values[ranked[number - 2]]
        place, note = lines[-1].place if is_level else number, _note(theirs, best)
        lines.append(BoardLine(place, total, (user_id,), (names[user_id],), len(theirs), 0, note))
    return tuple(lines)


def _note(points: Sequence[int], best: int | None) -> str:
    listed = points[:_MOST_NIGHTS]
    rest = [*map(str, listed[len(listed[:best]) :]), *(["…"] if len(points) > len(listed) else [])]
    return " + ".join(map(str, listed[:best])) + (f" ({', '.join(rest)})" if rest else "")


def page_of(lines: Sequence[BoardLine], page_key: PageKey = FIRST, size: int = PAGE) -> BoardPage:
    """Return a page of lines that are in memory; the first page if the line that `page_key` names is gone."""
    keys = [line.key for line in lines]
    match page_key:
        case AfterKey(key) if key in keys:
            first = keys.index(key) + 1
        case BeforeKey(key) if key in keys:
            first = max(0, keys.index(key) - size)
        case PageNumber(page):
            first = (page - 1) * size
        case _:
            first = 0
    visible = tuple(lines[first : first + size])
    return BoardPage(visible, first > 0, first + size < len(lines))
