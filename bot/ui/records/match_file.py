"""A finished match as a file to keep, in KGN. It knows how people are named there, and nothing of where matches lie."""

import unicodedata
from collections.abc import Sequence
from io import BytesIO

import discord

from bot.game.notation.writer import write_match
from bot.records.archive import PastMatch
from bot.ui.kit.names import MAX_NAME


def match_file(match: PastMatch) -> discord.File:
    """The match as `kems-<id>.kgn`."""
    kgn = write_match(match.events, seat_words([player.name for player in match.people]))
    return discord.File(BytesIO(kgn.encode()), filename=f"kems-{match.table_id}.kgn")


def seat_words(names: Sequence[str]) -> tuple[str, ...]:
    """The names by seat as words of letters and digits, no two alike; who has none of these is called by the seat."""
    words: list[str] = []
    for seat, name in enumerate(names, 1):
        word = base = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name)))[:MAX_NAME] or f"P{seat}"
        taken = {other.casefold() for other in words}
        number = 2
        while word.casefold() in taken:
            word, number = f"{base}{number}", number + 1
        words.append(word)
    return tuple(words)
