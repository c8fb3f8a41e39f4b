"""Uploads the pictures of cards as emojis of the application.

An emoji is called `kems_french_7s_0a1b2c3d`: a face (`card_faces.picture_name`) and a digest of its drawing. Emojis
with other names are left alone.
"""

import asyncio
import hashlib
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.errors import KemsError
from bot.game.cards import DECKS, Card, DeckKind
from bot.records.card_theme import Theme
from bot.ui.kit.failures import FAILED
from bot.ui.kit.texts import LANGUAGES
from bot.ui.live.answers import LongWaitError, LongWaits
from bot.ui.words.card_faces import picture_name, rank_of

CARD_NAME: Final = re.compile(r"(kems_[a-z]+_[0-9a-z]+)_[0-9a-f]{8}")
"""The name of such an emoji; its first group is the face."""
PAUSE: Final = 1.0
"""Seconds between two changes: Discord limits these routes more tightly than it says."""

Draw = Callable[[Theme, Card, str], bytes]
"""A card of a theme as PNG, with this rank written on a French one (`bot.ui.words.card_faces.rank_of`)."""


@dataclass(frozen=True, slots=True)
class Synced:
    """Numbers of emojis that `sync` found and changed; `removed` are old drawings."""

    kept: int
    uploaded: int
    removed: int


async def sync(
    client: discord.Client,
    draw: Draw,
    *,
    pause: float = PAUSE,
    plan: Callable[[Synced], None] | None = None,
    waits: LongWaits | None = None,
) -> Synced:
    """Upload the pictures that Discord lacks, then remove those whose drawing has changed.

    The client is logged in; it need not be connected. `plan` gets the numbers beforehand. A second call goes on where a
    failed one stopped. Raises KemsError: Discord refused, or asks for one of the long `waits`; what was uploaded stays.
    """
    waits, done = waits or LongWaits(), 0
    try:
        drawn, missing, outdated = await _compared(client, draw)
        if plan is not None:
            plan(_work(drawn, missing, outdated))
        for name in missing:
            await waits.unless_long(client.create_application_emoji(name=name, image=drawn[name]))
            done += 1
            await asyncio.sleep(pause)
        for emoji in outdated:
            await waits.unless_long(emoji.delete())
            await asyncio.sleep(pause)
    except LongWaitError as error:
        raise KemsError(
            f"Discord asks to wait {duration(error.seconds)} before it takes more emojis. {done} pictures were"
            " uploaded and stay: run `kems emojis sync` again then, and it goes on."
        ) from error
    except FAILED as error:
        problem = f"cannot be reached ({type(error).__name__})"
        if isinstance(error, discord.HTTPException):
            problem = f"refused to change the application's emojis ({error.status}, code {error.code})"
        hint = "what was done is kept; wait a while and run `kems emojis sync` again."
        raise KemsError(f"Discord {problem}: {hint}") from error
    return _work(drawn, missing, outdated)


def duration(seconds: float) -> str:
    """A length of time in English, rounded up to minutes: `45 min`, `1 h 12 min`."""
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    return " ".join(f"{number} {unit}" for number, unit in ((hours, "h"), (minutes, "min")) if number) or "1 min"


async def due(client: discord.Client, draw: Draw) -> Synced:
    """What `sync` would do now. Raises discord.HTTPException when Discord does not list the emojis."""
    return _work(*await _compared(client, draw))


async def _compared(client: discord.Client, draw: Draw) -> tuple[dict[str, bytes], list[str], list[discord.Emoji]]:
    present = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
    drawn = {}
    for name, theme, card, rank in every_face():  # one by one in a thread
        file = await asyncio.to_thread(draw, theme, card, rank)
        drawn[f"{name}_{hashlib.sha256(file).hexdigest()[:8]}"] = file
    missing = [name for name in drawn if name not in present]
    outdated = [emoji for name, emoji in present.items() if CARD_NAME.fullmatch(name) and name not in drawn]
    return drawn, missing, outdated


def _work(drawn: Collection[str], missing: Sequence[str], outdated: Sequence[discord.Emoji]) -> Synced:
    return Synced(kept=len(drawn) - len(missing), uploaded=len(missing), removed=len(outdated))


def every_face() -> Iterator[tuple[str, Theme, Card, str]]:
    faces = {
        picture_name(card, theme, language): (theme, card, rank_of(card, language))
        for theme in Theme
        for card in DECKS[DeckKind.D54]
        for language in LANGUAGES
    }
    return ((name, *face) for name, face in faces.items())
