"""Approximate widths of text, and truncation between grapheme clusters.

Discord's fonts are proportional, and a button is as wide as its label. Widths are in ems of the font, and close to
those of DejaVu Sans Bold.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Final

ELLIPSIS: Final = "…"
_PARTING: Final = " \u200c\u200d"  # joins nothing at the end of a text

_WIDTHS: Final = {
    char: width
    for width, chars in {
        0.20: "\u202f",
        0.33: "\u00a0 !,.·:;|'’",
        0.35: "ijlI",
        0.45: "ft()[]/—-",
        0.47: "rJ",
        0.60: "csz?«»",
        0.73: "PY",
        0.69: "abdeghknopquvxyL0123456789_+−–EFSTZ",
        0.80: "ABCDGHKNOQRUVX…",
        0.95: "wMW@%",
        1.05: "m",
        1.0: "♠♥♦♣★☆🃏",
        1.02: "🂠",
    }.items()
    for char in chars
}
_SYMBOL: Final = 0.85
_PICTURE: Final = 1.45
_PICTURES: Final = "\u231a"  # symbols from here on are pictures, but for letters of other scripts
_JOINED: Final = re.compile("[\ufe0e\ufe0f\u200b-\u200f\u2060-\u2069]")
_COMBINED: Final = re.compile("[\u200d\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Code points that combine several characters into one emoji: joiners, letters of flags, skin tones, tags."""
_EMOJI: Final = re.compile(r"<a?:\w+:\d+>")
_TIME: Final = re.compile(r"<t:-?\d+:R>")
_LONGEST_TIME: Final = "il y a 00 secondes"  # hardly shorter: "hace 00 segundos"; "dans 00 secondes"
_MARKUP: Final = re.compile(r"\*\*|\\|^-# ", re.MULTILINE)
_SPACES: Final = (("\u2003", 1.0), ("\u2002", 0.5), ("\u2005", 0.25), ("\u2006", 0.167))
_WHOLE: Final = r"<[^<>]+>|\*\*|\\\S"  # an emoji of a server, a time, what markdown makes of two characters
_PIECES: Final = re.compile(f"({_WHOLE})|((?:(?!{_WHOLE}).)+)", re.DOTALL)
_APART: Final = "\u2068"  # begins a name whose letters may run the other way
_APART_END: Final = "\u2069"
_EDGE: Final = "\u200b"  # keeps spaces that nothing else follows from being cut off


@lru_cache(4096)  # buys 23 of the 80 us of a panel (tests.bench.caches)
def width(text: str) -> float:
    """Return the width (in ems) of a line or label without markdown; a countdown counts at its longest."""
    plain = _MARKUP.sub("", _EMOJI.sub("🃏", _TIME.sub(_LONGEST_TIME, text)))
    if not _COMBINED.search(plain):
        return sum(map(_width_of, _JOINED.sub("", plain)))
    return sum(map(_width_of_one, graphemes(plain)))


def _width_of_one(character: str) -> float:
    """Return the width of a grapheme cluster: a flag, a family or an emoji with a skin tone is one emoji wide."""
    widths = [_width_of(char) for char in _JOINED.sub("", character)]
    return _PICTURE if _PICTURE in widths else sum(widths)


def _width_of(char: str) -> float:
    base = char if char in _WIDTHS else unicodedata.normalize("NFD", char)[0]
    if base in _WIDTHS:
        return _WIDTHS[base]
    is_picture = base >= _PICTURES and unicodedata.category(base)[0] not in "MLN"
    return _PICTURE if is_picture else _SYMBOL


def space(ems: float) -> str:
    """Return spaces of about this width (in ems), which clients do not collapse."""
    made, left = "", ems
    for char, wide in _SPACES:
        while left >= wide - 0.083:
            made += char
            left -= wide
    return made


def indented(label: str, ems: float) -> str:
    """Return the label, padded on the left to a width of about `ems`.

    No space is put next to an emoji, since emoji fonts have spaces of another width.
    """
    before = space(ems - width(label))
    return f"{_EDGE}{before}{label}" if before else label


def centred(label: str, ems: float) -> str:
    """Return the label, padded on both sides to a width of about `ems`."""
    side = space((ems - width(label)) / 2)
    return f"{_EDGE}{side}{label}{side}{_EDGE}" if side else label


def truncate_to_width(text: str, ems: float) -> str:
    """Return the text, truncated with an ellipsis to a width of `ems`.

    Bold text and direction isolates are closed after the ellipsis.
    """
    if width(text) <= ems:
        return text
    found = _PIECES.findall(text)
    pieces = (piece for whole, words in found for piece in ([whole] if whole else graphemes(words)))
    kept, bold = "", False
    for piece in pieces:
        if width(kept + piece + "…") > ems:
            break
        kept += piece
        bold ^= piece == "**"
    apart = kept.count(_APART) - kept.count(_APART_END)
    return kept.rstrip() + "…" + _APART_END * apart + ("**" if bold else "")


def wrap_to_width(text: str, ems: float, most: int) -> tuple[str, ...]:
    """Return the text in at most `most` lines of a width of at most `ems`; the last one is truncated."""
    lines: list[str] = []
    words = text.split(" ")
    line = words[0]
    for number, word in enumerate(words[1:], 1):
        if width(f"{line} {word}") <= ems:
            line = f"{line} {word}"
        elif len(lines) == most - 1:
            line = truncate_to_width(" ".join([line, *words[number:]]), ems)
            break
        else:
            lines.append(line)
            line = word
    return (*lines, truncate_to_width(line, ems))


def graphemes(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of a text, by a newer version of Unicode than Python's."""
    import wcwidth  # noqa: PLC0415 - tests/test_late_imports.py

    return wcwidth.iter_graphemes(text)


def truncate(text: str, limit: int) -> str:
    """Return the text, truncated with an ellipsis to at most `limit` code points."""
    if len(text) <= limit:
        return text
    seen = [*graphemes(text)]
    fits = sum(1 for _ in takewhile(lambda end: end < limit, accumulate(map(len, seen))))
    return "".join(seen[:fits]).rstrip(_PARTING) + ELLIPSIS
