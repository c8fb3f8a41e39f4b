"""Several players in one line of a hand panel, each with the latest gesture."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from bot.discord.text.names import clean, escaped_name
from bot.discord.text.text_width import graphemes, truncate_to_width, width

CUT_NAME: Final = 6.5  # ems
_NUMBER: Final = re.compile(r"( \(\d+\))$")
_CUTS: Final = ((12.0, 12.0), (CUT_NAME, 12.0), (CUT_NAME, 6.0), (4.5, 4.5), (3.0, 3.0))
"""Ems of a name and of its gesture, tried in turn until all people of a line have room."""
_ONE_EMOJI: Final = 2.3  # ems, with an ellipsis
_NARROW: Final = "\u202f"
_NONE: Final = "\u200b"  # keeps two names in bold apart


class LatestGesture(NamedTuple):
    """A player with the latest gesture.

    - `team`: the mark of the team, or empty.
    - `name`, `gesture`: as they are shown.
    - `is_new`: the gesture is marked as fresh.
    """

    team: str
    name: str
    gesture: str
    is_new: bool


@lru_cache(512)  # buys 7 of the 98 us of a panel (tests.bench.caches)
def people_line(made: tuple[LatestGesture, ...], room: float, icon: str = "") -> str:
    """Return the players' names with their gestures in one line; a fresh gesture is bold, and follows an `icon`.

    If even truncated names do not fit, initials by team replace them, fresh ones in bold: `①CM🛶 ②NM`. If these do not
    fit either, the first emoji of each remains, without the teams.
    """
    line = icon
    for name_room, gesture_room in _CUTS:
        parts = [icon] if icon else []
        for team, name, gesture, is_new in made:
            part = f"{team}{clipped_name(name, name_room)} {truncate_to_width(gesture, gesture_room)}".rstrip()
            parts.append(f"**{part}** ◀" if is_new and icon else f"{part} •" if is_new else part)
        line = "\u2002".join(parts)
        if width(line) <= room:
            return line
    ways = ((" ", "\u2002", partial(truncate_to_width, ems=_ONE_EMOJI)), (_NONE, " ", _first), (_NARROW, "", _first))
    for between, after, cut in ways:
        teams: dict[str, list[str]] = {}
        for team, name, gesture, is_new in made:
            part = escaped_name(_first(clean(name))) + cut(gesture)
            teams.setdefault(team if after else "", []).append(f"**{part}**" if is_new else part)
        line = after.join(team + between.join(entries) for team, entries in teams.items())
        if width(line) <= room:
            return line
    return truncate_to_width(line, room)


def _first(text: str) -> str:
    return next(graphemes(text), "")


@lru_cache(1024)  # buys 4 of the 81 us of a panel (tests.bench.caches)
def clipped_name(name: str, ems: float, written: Callable[[str], str] = escaped_name) -> str:
    """Return a name truncated to `ems`; a number that distinguishes it from another name is kept.

    `written` returns the name as it is shown.
    """
    whole, number, _ = _NUMBER.split(name, maxsplit=1) if _NUMBER.search(name) else (name, "", "")
    return truncate_to_width(written(whole), ems - width(number)) + number
