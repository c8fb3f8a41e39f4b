"""Defuses what people wrote, names above all: markdown, mentions, links, turning characters, towers of accents."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.records.player import Player

MAX_NAME: Final = 20  # characters of a name that are shown
_NAMELESS: Final = "?"
_MARKS_ON_ONE: Final = 2  # combining marks; every living script gets by with that many
_JOINER: Final = "\u200d"  # holds emojis together
_BREAK: Final = "\u200b"
_BLANK: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")  # letters and symbols that show nothing
_UNSEEN: Final = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]")  # marks that do
_MARKDOWN: Final = re.compile(r"([\\*_~`|])")
_AT_LINE_START: Final = re.compile(r"^(\d*)([#>+-]|(?<=\d)\.)")  # a heading, a quotation, a list
_IN_A_LINK: Final = re.compile(r"(:(?=//)|](?=\()|\.[a-z]{2,}(?=/))", re.IGNORECASE)
_BACKWARDS: Final = frozenset({"R", "AL", "AN"})  # Unicode Standard Annex 9: what is read from right to left


def clean(written: str, limit: int = MAX_NAME) -> str:
    """One line of at most `limit` characters without controls, invisible or turning characters."""
    kept: list[str] = []
    marks = _MARKS_ON_ONE  # none may stand before the first letter
    for char in _UNSEEN.sub("", _BLANK.sub(" ", unicodedata.normalize("NFC", written))):
        kind = unicodedata.category(char)
        if kind[0] == "Z" or char in "\n\r\t":
            kept.append(" ")
            marks = _MARKS_ON_ONE
        elif kind in ("Mn", "Me"):
            marks += 1
            if marks <= _MARKS_ON_ONE:
                kept.append(char)
        elif char == _JOINER:
            kept.append(char)
        elif kind[0] != "C":
            kept.append(char)
            marks = 0
    line = " ".join("".join(kept).strip(_JOINER).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip(_JOINER + " ") + "…"


def inert(written: str, limit: int = MAX_NAME) -> str:
    """The same for titles, where markdown means nothing: no mention, link or timestamp works in it."""
    line = clean(written, limit).replace("<", "‹").replace(">", "›").replace("@", "@" + _BREAK)
    return _IN_A_LINK.sub(rf"\1{_BREAK}", line)


@lru_cache(4096)  # buys 31 of the 66 us of a table's message (tests.bench.caches)
def defuse(written: str, limit: int = MAX_NAME) -> str:
    """The same for message text: no markdown works in it either, and it turns nothing round it."""
    return _apart(_AT_LINE_START.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", inert(written, limit))))


def called(written: str) -> str:
    """A person's name for message text."""
    return defuse(written) or _NAMELESS


def display_name(player: Player) -> str:
    """The name for message text, with a mark for robots, for absent players and for open seats."""
    return _marked(player, defuse(player.name))


def label_name(player: Player) -> str:
    """The same for a button's label or a menu, where markdown means nothing."""
    return _marked(player, clean(player.name))


def _apart(line: str) -> str:
    """Holds a right-to-left line together, so that scores and names beside it keep their places."""
    is_backwards = any(unicodedata.bidirectional(char) in _BACKWARDS for char in line)
    return f"\u2068{line}\u2069" if is_backwards else line


def _marked(player: Player, name: str) -> str:
    """A player without a name was erased, and is no robot."""
    shown = name or _NAMELESS
    if player.is_robot and name:
        shown = f"🤖 {shown}"
    elif player.is_away:
        shown = f"{shown} (🤖)"
    return f"{shown} 🪑" if player.is_open else shown
