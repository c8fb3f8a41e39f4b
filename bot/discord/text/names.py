"""Escapes what people write, above all names: markdown, mentions, links, direction marks, piles of accents."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.discord.text.text_width import truncate
from bot.records.player import Player

MAX_NAME: Final = 20  # characters of a name that are shown
_NAMELESS: Final = "?"
_MARKS_ON_ONE: Final = 2  # combining marks; every living script needs at most that many
_JOINERS: Final = "\u200c\u200d"  # one parts Persian letters, the other holds emojis together; both shape Indic ones
_AT_AN_END: Final = re.compile(f"[{_JOINERS}]+(?=\\s|$)")
_FLAG: Final = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # of a part of a country
_PIECE: Final = re.compile(f"{_FLAG}|.", re.DOTALL)
_SYMBOLS: Final = frozenset({"So", "Sm", "Sk", "Cn"})  # categories of emojis; a newer Unicode's have the last one
_VIRAMA: Final = 9  # the combining class of a sign that binds two Indic letters
_SHAPED: Final = re.compile("[\u0900-\u0dff\u1000-\u109f\u1780-\u17d3]")
"""Letters and marks of scripts in which a joiner changes the shape of the next mark: Indic, Burmese, Khmer."""
_BREAK: Final = "\u200b"
_BLANK: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")  # letters and symbols that show nothing
_NOTHING: Final = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
# Marks that show nothing, and code points that Unicode keeps for such marks or assigns to nothing, ever.
_UNSEEN: Final = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef"
    f"\u2065\ufff0-\ufff8\U000e0000-\U000e001f\U000e0080-\U000e0fff\ufdd0-\ufdef{_NOTHING}]"
)
_KEY: Final = "(?!\ufe0f?\u20e3)"  # no * or # of an emoji
_MARKDOWN: Final = re.compile(rf"([\\*_~`|]{_KEY})")
_AT_LINE_START: Final = re.compile(rf"^(\d*)([#>+-]{_KEY}|(?<=\d)\.)")  # a heading, a quotation, a list
_IN_A_LINK: Final = re.compile(r"(:(?=//)|](?=\()|\.[a-z]{2,}(?=/))", re.IGNORECASE)
_LINK: Final = re.compile(r"(https?://[^\s<>()\[\]`|*]+)")
_EMPTY_LINES: Final = re.compile("\n{3,}")
_BACKWARDS: Final = frozenset({"R", "AL", "AN"})  # Unicode Standard Annex 9: what is read from right to left


def clean(written: str, limit: int = MAX_NAME) -> str:
    """Return a text as one line of at most `limit` characters, without control, invisible or direction characters.

    A character that this Python's Unicode does not know is kept: it is a newer emoji or letter.
    """
    kept: list[str] = []
    marks = _MARKS_ON_ONE  # no mark may precede the first letter
    pieces = _PIECE.findall(_UNSEEN.sub("", _BLANK.sub(" ", unicodedata.normalize("NFC", written))))
    for char, following in zip(pieces, [*pieces[1:], " "], strict=False):
        kind = unicodedata.category(char[0])
        if kind[0] == "Z" or char in "\n\r\t":
            kept.append(" ")
            marks = _MARKS_ON_ONE
        elif kind in ("Mn", "Me"):
            marks += 1
            if marks <= _MARKS_ON_ONE:
                kept.append(char)
        elif char in _JOINERS:
            if kept and _joins(char, kept[-1][-1], following):
                kept.append(char)
        elif kind[0] != "C" or kind == "Cn":
            kept.append(char)
            marks = 0
    return truncate(_AT_AN_END.sub("", " ".join("".join(kept).split())), limit)


def _joins(joiner: str, before: str, following: str) -> bool:
    """Return whether a joiner between these characters is visible, as in emojis and in scripts with joined letters.

    Sources for letters: RFC 5892, appendix A.1 and A.2; before a mark, the Unicode Standard, chapters 12 and 16.
    """
    if _SHAPED.match(before) and _SHAPED.match(following) and unicodedata.category(following)[0] == "M":
        return True
    if unicodedata.combining(before) == _VIRAMA or unicodedata.bidirectional(before) == "AL":
        return True
    is_emoji = before in "\ufe0f\u20e3\U000e007f" or unicodedata.category(before) in _SYMBOLS
    return is_emoji and joiner == "\u200d"


def neutralise(written: str, limit: int = MAX_NAME) -> str:
    """Return a cleaned line for a title without markdown, in which mentions, links and timestamps do not work."""
    return _without_marks(clean(written, limit))


def _without_marks(line: str) -> str:
    return _IN_A_LINK.sub(rf"\1{_BREAK}", line.replace("<", "‹").replace(">", "›").replace("@", "@" + _BREAK))


@lru_cache(4096)  # buys 31 of the 66 us of a table's message (tests.bench.caches)
def escape_markdown(written: str, limit: int = MAX_NAME) -> str:
    """Return a cleaned line for message text, in which markdown, mentions and links do not work.

    Right-to-left text is isolated, so that it does not reorder what is beside it.
    """
    return _apart(_AT_LINE_START.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", neutralise(written, limit))))


def escape_prose(written: str, limit: int) -> str:
    """Return text of several lines for a message; links work in it, markdown and mentions do not.

    Several empty lines in a row become one.
    """
    lines = [_AT_LINE_START.sub(r"\1\\\2", _plain_line(line, limit)) for line in written.splitlines()]
    text = _EMPTY_LINES.sub("\n\n", "\n".join(map(_apart, lines))).strip("\n")
    return truncate(text, limit)


def _plain_line(written: str, limit: int) -> str:
    """Return a line in which nothing works but its links."""
    parts = _LINK.split(clean(written, limit))  # every second one is a link
    parts[::2] = [_MARKDOWN.sub(r"\\\1", _without_marks(part)) for part in parts[::2]]
    return "".join(parts)


def escaped_name(written: str) -> str:
    """Return a person's name for message text; an empty name is replaced."""
    return escape_markdown(written) or _NAMELESS


def _fitted(name: str, ending: str) -> str:
    return truncate(clean(name), MAX_NAME - len(ending)) + ending


def disambiguate(names: Iterable[str], fitted: Callable[[str, str], str] = _fitted) -> tuple[str, ...]:
    """Return names for display; a name that looks like an earlier one gets a number, such as `Alex (2)`.

    A name without visible characters stays empty.

    Args:
        names: As they were written.
        fitted: Appends an ending to a name, truncated to leave room for it.
    """
    unique_names: list[str] = []
    used_names: set[str] = set()
    for written in names:
        name, number = fitted(written, ""), 2
        while name and name.casefold() in used_names:
            name, number = fitted(written, f" ({number})"), number + 1
        used_names.add(name.casefold())
        unique_names.append(name)
    return tuple(unique_names)


@lru_cache(1024)  # each message of a table names its people many times
def disambiguate_players(players: tuple[Player | None, ...]) -> tuple[Player | None, ...]:
    """Return the players of a table by seat, with names of which no two look alike; None for an empty seat."""
    # An erased person has the user id 0 and no name.
    names = disambiguate("" if player is None or player.user_id == 0 else player.name for player in players)
    return tuple(
        player if player is None or not name else replace(player, name=name)
        for player, name in zip(players, names, strict=True)
    )


def display_name(player: Player) -> str:
    """Return a player's name for message text, with marks for robots, absent players and open seats."""
    return _marked(player, escape_markdown(player.name))


def label_name(player: Player) -> str:
    """Return a player's name, with the same marks, for a button or a menu, which show no markdown."""
    return _marked(player, clean(player.name))


def _apart(line: str) -> str:
    """Isolate a right-to-left line, so that scores and names beside it keep their places."""
    is_backwards = any(unicodedata.bidirectional(char) in _BACKWARDS for char in line)
    return f"\u2068{line}\u2069" if is_backwards else line


def _marked(player: Player, name: str) -> str:
    """Return a name with its player's marks. A player without a name was erased, and is no robot."""
    label = name or _NAMELESS
    if player.is_robot and name:
        label = f"🤖 {label}"
    elif player.is_away:
        label = f"{label} (🤖)"
    return f"{label} 🪑" if player.is_open else label
