"""Parts text into the characters that people see, such as flags, families or accented letters, and cuts it there."""

from collections.abc import Iterator
from itertools import accumulate, takewhile
from typing import Final

ELLIPSIS: Final = "…"
_PARTING: Final = " \u200c\u200d"  # joins nothing at the end of a text


def seen_characters(text: str) -> Iterator[str]:
    """The grapheme clusters of a text, by the newest Unicode rather than Python's."""
    import wcwidth  # noqa: PLC0415 - tests/test_late_imports.py

    return wcwidth.iter_graphemes(text)


def cut(text: str, limit: int) -> str:
    """The text in at most `limit` code points; an ellipsis ends it where something is left out."""
    if len(text) <= limit:
        return text
    seen = [*seen_characters(text)]
    fits = sum(1 for _ in takewhile(lambda end: end < limit, accumulate(map(len, seen))))
    return "".join(seen[:fits]).rstrip(_PARTING) + ELLIPSIS
