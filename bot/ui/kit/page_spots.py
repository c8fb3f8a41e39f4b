"""Where a page of a long list begins, as a word in a custom id: `n2`, `a1800000000000.17`, `b5.1001`."""

import re
from typing import Final

from bot.records.history import After, Before, Nth, Spot

_SHAPE: Final = re.compile(r"([nab])([0-9]{1,19}(?:\.[0-9]{1,19}){0,2})", re.ASCII)
MOST: Final = 2**63 - 1  # what a database can hold
_MOST_PAGES: Final = 10_000


def write_spot(spot: Spot) -> str:
    """The word for a spot."""
    match spot:
        case Nth(page):
            return f"n{page}"
        case After(key):
            return "a" + ".".join(map(str, key))
        case Before(key):
            return "b" + ".".join(map(str, key))


def read_spot(word: str, keys: int) -> Spot | None:
    """The spot that a word names in a list with so many numbers in a key; None for anything else."""
    found = _SHAPE.fullmatch(word)
    if found is None:
        return None
    numbers = tuple(map(int, found[2].split(".")))
    if found[1] == "n":
        return Nth(numbers[0]) if len(numbers) == 1 and 1 <= numbers[0] <= _MOST_PAGES else None
    if len(numbers) != keys or max(numbers) > MOST:
        return None
    return After(numbers) if found[1] == "a" else Before(numbers)


def read_number(word: str) -> int | None:
    """The number that a word names, None for anything else, and for what no database can hold."""
    is_one = word.isascii() and word.isdigit() and len(word) <= len(str(MOST))
    return int(word) if is_one and int(word) <= MOST else None
