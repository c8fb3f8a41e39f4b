"""Self-describing custom ids, `k1:<table>:<verb>:<argument>`: they survive restarts, and do not name the presser.

On the messages of a match they name the round as well, `k1:<table>.<round>:<verb>:<argument>`, so that a press that was
meant for one round does not act in the next. A custom id that is about no table has the number 0 (`NO_TABLE`): "on
table 0". The seat follows from the user, never from the id.
"""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.records.history import AfterKey, BeforeKey, PageKey, PageNumber

MAX_ID: Final = 100  # Discord's limit for a custom id
MAX_ARG: Final = MAX_ID - len("k1:9223372036854775807.9999:remove_robot:")
_SHAPE: Final = re.compile(r"k1:(0|[1-9][0-9]{0,18})(?:\.(0|[1-9][0-9]{0,3}))?:([a-z0-9_]+)(?::(.+))?", re.DOTALL)
_SPOT: Final = re.compile(r"([nab])([0-9]{1,19}(?:\.[0-9]{1,19}){0,2})", re.ASCII)
MOST: Final = 2**63 - 1  # what a database can hold
NO_TABLE: Final = 0
"""The number of the table in a custom id that is about no table; tables count from 1."""
_MOST_PAGES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Press:
    """A parsed custom id. An id without an argument has the `arg` "", one without a round the `round` None."""

    table_id: int
    verb: str
    arg: str = ""
    round: int | None = None


def make_id(table_id: int, verb: str, arg: str = "", round: int | None = None) -> str:  # noqa: A002 - the game's word
    """Return the custom id of a button, a menu or a modal.

    Raises:
        ValueError: It is longer than Discord's 100 characters.
    """
    text = f"k1:{table_id}" + ("" if round is None else f".{round}") + f":{verb}" + (f":{arg}" if arg else "")
    if len(text) > MAX_ID:
        raise ValueError(f"no custom id can be made of table {table_id}, {verb!r} and {arg!r}")
    return text


class RoundCustomIds(NamedTuple):
    """Makes the custom ids of a message that shows one round of a match: `ids(TableVerb.PUT, "7S")`."""

    table_id: int
    round: int

    def __call__(self, verb: str, arg: str = "") -> str:
        """Return a custom id as `make_id` does, without its check: those of a match are short."""
        return f"k1:{self.table_id}.{self.round}:{verb}:{arg}" if arg else f"k1:{self.table_id}.{self.round}:{verb}"


def verb_of(custom_id: str) -> str:
    """Return the verb of a custom id that `make_id` returned."""
    return custom_id.split(":", 3)[2]


def parse_id(text: str) -> Press | None:
    """Parse a custom id; None if it does not come from `make_id`."""
    found = _SHAPE.fullmatch(text) if len(text) <= MAX_ID else None
    if found is None or int(found[1]) > MOST:
        return None
    return Press(int(found[1]), found[3], found[4] or "", None if found[2] is None else int(found[2]))


def number_of(arg: str) -> int | None:
    """Return the number of a seat or a team in an argument; None for an argument without a number."""
    return int(arg) if re.fullmatch(r"0|[1-9][0-9]?", arg) else None


def write_page_key(page_key: PageKey) -> str:
    """Return a page's key as a part of a custom id."""
    match page_key:
        case PageNumber(page):
            return f"n{page}"
        case AfterKey(key):
            return "a" + ".".join(map(str, key))
        case BeforeKey(key):
            return "b" + ".".join(map(str, key))


def read_page_key(word: str, keys: int) -> PageKey | None:
    """Parse a page's key that `write_page_key` returned; None for anything else.

    Args:
        word: A part of a custom id.
        keys: How many numbers a key of the list has.
    """
    found = _SPOT.fullmatch(word)
    if found is None:
        return None
    numbers = tuple(map(int, found[2].split(".")))
    if found[1] == "n":
        return PageNumber(numbers[0]) if len(numbers) == 1 and 1 <= numbers[0] <= _MOST_PAGES else None
    if len(numbers) != keys or max(numbers) > MOST:
        return None
    return AfterKey(numbers) if found[1] == "a" else BeforeKey(numbers)


def read_number(word: str) -> int | None:
    """Parse a number without a sign; None for anything else, or if a database cannot hold it."""
    is_one = word.isascii() and word.isdigit() and len(word) <= len(str(MOST))
    return int(word) if is_one and int(word) <= MOST else None
