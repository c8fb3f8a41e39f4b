"""Finds time zones by the names that people write: "Europe/Paris", "europe/paris", "Paris", "Montréal"."""

import unicodedata
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones


@cache
def zones() -> tuple[str, ...]:
    """Returns the names of all time zones, places first."""
    return tuple(sorted(available_timezones(), key=lambda name: ("/" not in name or name.startswith("Etc/"), name)))


def find_zone(written: str) -> str | None:
    """Returns the zone of that name in any spelling, or of that city if there is only one; else None."""
    wanted = _plain(written)
    named = [name for name in zones() if _plain(name) == wanted]
    named = named or [name for name in zones() if _city(name) == wanted]
    return named[0] if len(named) == 1 else None


def near_zones(written: str, most: int = 3) -> tuple[str, ...]:
    """Returns zones whose names hold the text, or else those that are spelled alike."""
    wanted = _plain(written)
    if not wanted:
        return ()
    holding = [name for name in zones() if wanted in _plain(name)]
    if holding:
        return tuple(holding[:most])
    by_city = {_city(name): name for name in reversed(zones())}
    return tuple(by_city[city] for city in get_close_matches(wanted.rsplit("/")[-1], by_city, most))


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.strip().casefold())
    return "".join(char for char in letters if not unicodedata.combining(char)).replace(" ", "_")


def _city(name: str) -> str:
    return _plain(name).rsplit("/", maxsplit=1)[-1]
