"""Defuses what people wrote, names above all, so that it can only ever be read. It must not know the game.

A name may hold markdown, mentions, links, control characters that turn text round, or a tower of accents.
"""

import re
import unicodedata
from typing import Final

from bot.live.people import Player

MAX_NAME: Final = 20  # characters of a name that are shown
_MARKS_IN_A_ROW: Final = 2  # combining marks; every living script gets by with that many
_JOINER: Final = "\u200d"  # holds emojis together
_BREAK: Final = "\u200b"
_MARKDOWN: Final = re.compile(r"([\\*_~`|])")
_AT_LINE_START: Final = re.compile(r"^([#>-])")


def clean(written: str, limit: int = MAX_NAME) -> str:
    """One line of at most `limit` characters without controls, invisible or turning characters."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", written):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\n\r\t":
            kept.append(" ")
        elif (kind[0] != "C" or char == _JOINER) and marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    line = " ".join("".join(kept).strip(_JOINER).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip(_JOINER + " ") + "…"


def defuse(written: str, limit: int = MAX_NAME) -> str:
    """The same for message text: no mention, link, timestamp or markdown works in it."""
    line = clean(written, limit).replace("<", "‹").replace(">", "›").replace("@", "@" + _BREAK)
    line = line.replace("://", ":" + _BREAK + "//").replace("](", "]" + _BREAK + "(")
    return _AT_LINE_START.sub(r"\\\1", _MARKDOWN.sub(r"\\\1", line))


def display_name(player: Player) -> str:
    """The name for message text; robots carry their mark, as do those for whom one plays, and seats to be had."""
    return _marked(player, defuse(player.name))


def label_name(player: Player) -> str:
    """The name for a button's label or a menu, where markdown means nothing."""
    return _marked(player, clean(player.name))


def _marked(player: Player, name: str) -> str:
    """Who was forgotten has no name, and is no robot."""
    shown = name or "?"
    if player.is_robot and name:
        shown = f"🤖 {shown}"
    elif player.is_away:
        shown = f"{shown} (🤖)"
    return f"{shown} 🪑" if player.is_open else shown
