"""The application's emojis that show cards: knows them, uploads missing ones, shows cards as text without them.

An emoji is called `kems_french_7s_0a1b2c3d`: a face (`card_faces.picture_name`) and a digest of its drawing. Emojis
with other names are left alone.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import discord
import structlog

from bot.errors import KemsError
from bot.game.cards import Card
from bot.game.decks import DECKS, DeckKind
from bot.records.card_theme import Theme
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import Faces, picture_name, rank_of

PAUSE: Final = 1.0
"""Seconds between two changes: Discord limits these routes more tightly than it says."""

_OURS: Final = re.compile(r"(kems_[a-z]+_[0-9a-z]+)_[0-9a-f]{8}")
_INVALID_FORM: Final = 50035

Draw = Callable[[Theme, Card, str], bytes]
"""A card of a theme as PNG, with this rank written on a French one (`bot.ui.words.card_faces.rank_of`)."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Synced:
    """Numbers of emojis that `sync` found and changed; `removed` are old drawings."""

    kept: int
    uploaded: int
    removed: int


class CardEmojis:
    """The emojis that this process knows. Without any, cards are text alone."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._pictures: Mapping[str, int] = {}

    def faces(self, texts: Texts, theme: Theme) -> Faces:
        return Faces(texts, theme, self._pictures)

    async def load(self) -> None:
        """Ask Discord which pictures it has; the log says which are missing."""
        try:
            found = await self._client.fetch_application_emojis()
        except FAILED as error:
            _log.warning("card_emojis.unknown", problem=type(error).__name__, effect="cards are shown as text")
            return
        # Of two drawings of one face the newer wins: a sync was cut short between upload and removal.
        ours = ((_OURS.fullmatch(emoji.name), emoji.id) for emoji in sorted(found, key=lambda emoji: emoji.id))
        self._pictures = {name[1]: emoji_id for name, emoji_id in ours if name}
        missing = sum(name not in self._pictures for name, *_ in _every_face())
        if missing:
            hint = "`kems emojis sync` uploads the pictures of the cards (in `kems play` they come by themselves)"
            _log.info("card_emojis.missing", missing=missing, hint=hint)

    async def deliver(
        self, layout: Layout, send: Callable[[Layout], Awaitable[T]], rebuild: Callable[[], Layout | None]
    ) -> tuple[Layout, T]:
        """Send a message that may show cards. Returns the layout that was sent, and the result of `send`.

        When Discord refuses an emoji, which may have been deleted or replaced, the message is rebuilt without pictures.
        """
        try:
            return layout, await send(layout)
        except discord.HTTPException as error:
            if not self._pictures or error.code != _INVALID_FORM or "emoji" not in error.text.lower():
                raise
        _log.warning("card_emojis.refused", effect="sent as text")
        self._pictures = {}
        plain = rebuild() or layout
        sent = await send(plain)
        await self.load()
        return plain, sent


async def sync(
    client: discord.Client, draw: Draw, *, pause: float = PAUSE, plan: Callable[[Synced], None] | None = None
) -> Synced:
    """Upload the pictures that Discord lacks, then remove those whose drawing has changed.

    The client is logged in; it need not be connected. `plan` gets the numbers beforehand. A second call goes on where a
    failed one stopped.

    Raises:
        KemsError: Discord refused; what was uploaded stays.
    """
    try:
        drawn, missing, outdated = await _compared(client, draw)
        if plan is not None:
            plan(_work(drawn, missing, outdated))
        for name in missing:
            await client.create_application_emoji(name=name, image=drawn[name])
            await asyncio.sleep(pause)
        for emoji in outdated:
            await emoji.delete()
            await asyncio.sleep(pause)
    except FAILED as error:
        problem = f"cannot be reached ({type(error).__name__})"
        if isinstance(error, discord.HTTPException):
            problem = f"refused to change the application's emojis ({error.status}, code {error.code})"
        hint = "what was done is kept; wait a while and run `kems emojis sync` again."
        raise KemsError(f"Discord {problem}: {hint}") from error
    return _work(drawn, missing, outdated)


async def due(client: discord.Client, draw: Draw) -> Synced:
    """What `sync` would do now. Raises discord.HTTPException when Discord does not list the emojis."""
    return _work(*await _compared(client, draw))


async def _compared(client: discord.Client, draw: Draw) -> tuple[dict[str, bytes], list[str], list[discord.Emoji]]:
    """All pictures by name, the names that Discord lacks, and its emojis that show older drawings."""
    present = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
    drawn = await _drawn(draw)
    missing = [name for name in drawn if name not in present]
    outdated = [emoji for name, emoji in present.items() if _OURS.fullmatch(name) and name not in drawn]
    return drawn, missing, outdated


def _work(drawn: Collection[str], missing: Sequence[str], outdated: Sequence[discord.Emoji]) -> Synced:
    return Synced(kept=len(drawn) - len(missing), uploaded=len(missing), removed=len(outdated))


def _every_face() -> Iterator[tuple[str, Theme, Card, str]]:
    """All pictures: name, theme, card and rank."""
    faces = {
        picture_name(card, theme, language): (theme, card, rank_of(card, language))
        for theme in Theme
        for card in DECKS[DeckKind.D54]
        for language in LANGUAGES
    }
    return ((name, *face) for name, face in faces.items())


async def _drawn(draw: Draw) -> dict[str, bytes]:
    """All pictures by the full names of their emojis, drawn one by one in a thread."""
    files = {}
    for name, theme, card, rank in _every_face():
        file = await asyncio.to_thread(draw, theme, card, rank)
        files[f"{name}_{hashlib.sha256(file).hexdigest()[:8]}"] = file
    return files
