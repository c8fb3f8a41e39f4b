"""The custom emojis in messages: the application's card pictures, and the servers' own, which may be signs.

Discord refuses a whole message for one button whose emoji it does not know (50035). Such an emoji is shown as text.

A card's picture is called `kems_french_7s_0a1b2c3d`: a face (`card_faces.picture_name`) and a digest of its drawing.
Application emojis with other names are left alone.
"""

import asyncio
import hashlib
import math
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final, TypeVar

import discord
import structlog

from bot.base.background import Backoff, LruCache, Tasks
from bot.base.clock import Clock
from bot.base.errors import KemsError
from bot.discord.api.components import BUTTON, MAX_LABEL, ROW, TEXT, Button, Layout, Menu, Part
from bot.discord.api.error_codes import ErrorCode, code_of
from bot.discord.api.requests import FAILED
from bot.discord.pictures.card_faces import Faces, picture_name, rank_of
from bot.discord.rate_limits.responses import LongWaitError, LongWaits
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import LANGUAGES, Texts
from bot.game.cards import DECKS, Card, DeckKind
from bot.records.pictures import Theme

CUSTOM_EMOJI: Final = re.compile(r"<(a?):(?:(\w+):)?(\d{1,20})>")
"""A custom emoji in a text; its groups are "a" if it is animated, its name and its id."""
CARD_NAME: Final = re.compile(r"(kems_[a-z]+_[0-9a-z]+)_[0-9a-f]{8}")
"""The name of a card's picture; its first group is the face."""
PAUSE: Final = 1.0
"""Seconds between two changes: the real rate limits of these routes are tighter than documented."""

Draw = Callable[[Theme, Card, str], bytes]
"""Draws a card of a theme as PNG, with this rank on a French one (`card_faces.rank_of`)."""

REFUSED_MS: Final = 60_000
"""How long a server's emoji that was refused is shown as text."""
LIST_MS: Final = 60_000
"""Shortest time between two listings of the application's emojis."""
LIST_S: Final = 10.0
"""Longest time that a start waits for that list, in seconds."""
MOST_NAMES: Final = 1_000

_PLACE: Final = re.compile(r"components\.(\d+(?:\.components\.\d+)*)\.emoji")

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SyncResult:
    """Numbers of emojis that `sync` found and changed; `removed` are old drawings."""

    kept: int
    uploaded: int
    removed: int


async def sync(
    client: discord.Client,
    draw: Draw,
    *,
    pause: float = PAUSE,
    progress: Callable[[int, int], None] = lambda done, total: None,
    waits: LongWaits | None = None,
) -> SyncResult:
    """Upload the card pictures that Discord lacks, then delete those whose drawing has changed.

    After a failure, a second call continues where the first one stopped.

    Args:
        client: It is logged in, and need not be connected.
        draw: Draws a card.
        pause: Seconds between two changes.
        progress: Called with the numbers of changes done and of all changes, at first and after each one.
        waits: Detects that Discord asks for a long wait.

    Raises:
        KemsError: Discord refused, or asks for a long wait; what was uploaded stays.
    """
    waits, done = waits or LongWaits(), 0
    try:
        drawn, missing, outdated = await _compared(client, draw)
        uploads = (client.create_application_emoji(name=name, image=drawn[name]) for name in missing)
        total = len(missing) + len(outdated)
        progress(0, total)
        for done, change in enumerate(chain(uploads, (emoji.delete() for emoji in outdated))):
            await waits.unless_long(change)
            progress(done + 1, total)
            await asyncio.sleep(pause)
    except LongWaitError as error:
        raise KemsError(
            f"Discord asks to wait {duration(error.seconds)} before it takes more emojis. What was uploaded stays"
            f" ({done}): run `kems emojis sync` again then, and it goes on."
        ) from error
    except FAILED as error:
        problem = f"cannot be reached ({type(error).__name__})"
        if isinstance(error, discord.HTTPException):
            problem = f"refused to change the application's emojis ({error.status}, code {error.code})"
        hint = "what was done is kept; wait a while and run `kems emojis sync` again."
        raise KemsError(f"Discord {problem}: {hint}") from error
    return _work(drawn, missing, outdated)


def duration(seconds: float) -> str:
    """Return a length of time in English, rounded up to minutes: `45 min`, `1 h 12 min`."""
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    return " ".join(f"{number} {unit}" for number, unit in ((hours, "h"), (minutes, "min")) if number) or "1 min"


async def due(client: discord.Client, draw: Draw) -> SyncResult:
    """Return what `sync` would do now.

    Raises:
        discord.HTTPException: Discord does not list the emojis.
    """
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


def _work(drawn: Collection[str], missing: Sequence[str], outdated: Sequence[discord.Emoji]) -> SyncResult:
    return SyncResult(kept=len(drawn) - len(missing), uploaded=len(missing), removed=len(outdated))


@cache
def every_face() -> tuple[tuple[str, Theme, Card, str], ...]:
    """Return all card pictures: the name, theme and card of each, and the rank that is written on it."""
    faces = {
        picture_name(card, theme, language): (theme, card, rank_of(card, language))
        for theme in Theme
        for card in DECKS[DeckKind.D54]
        for language in LANGUAGES
    }
    return tuple((name, *face) for name, face in faces.items())


class CustomEmojis:
    """The custom emojis that this process knows. Before `load`, all cards are text."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._pictures: Mapping[str, int] = {}
        self._picture_ids: frozenset[int] = frozenset()
        self._listed_at = 0
        self._left_out: Set[int] = frozenset()  # emojis that are left out of the message being drawn
        self._refused: dict[int, int] = {}  # until when each is left out of all messages, in milliseconds
        self._names: LruCache[int, str] = LruCache(
            MOST_NAMES
        )  # of servers' emojis that were shown: a deleted one is shown by its name
        self._faces: dict[tuple[Texts, Theme], Faces] = {}
        self._tasks = Tasks()
        self._retries = Backoff()

    def faces(self, texts: Texts, theme: Theme) -> Faces:
        """Return how cards look to readers of a language; the same object until the pictures change."""
        pictures = self._pictures
        if self._left_out:
            emoji_ids = {name: emoji_id for name, emoji_id in pictures.items() if emoji_id not in self._left_out}
            return Faces(texts, theme, emoji_ids)
        known = self._faces.get((texts, theme))
        if known is None or known.pictures is not pictures:
            known = self._faces[texts, theme] = Faces(texts, theme, pictures)
        return known

    async def load(self) -> None:
        """List the card pictures on Discord, with retries after a failure, and log how many are missing."""
        self._listed_at = self._clock.now()
        try:
            async with asyncio.timeout(LIST_S):
                found = await self._client.fetch_application_emojis()
        except FAILED as error:
            _log.warning("card_emojis.unknown", problem=type(error).__name__, effect="cards stay as they are shown")
            self._retries.schedule_retry(self._begin_loading)
            return
        self._retries.reset()
        # Of two pictures of a face the newer wins: a sync was interrupted between upload and deletion.
        ours = ((CARD_NAME.fullmatch(emoji.name), emoji.id) for emoji in sorted(found, key=lambda emoji: emoji.id))
        pictures = {name[1]: emoji_id for name, emoji_id in ours if name}
        if pictures != self._pictures:
            self._pictures, self._picture_ids = pictures, frozenset(pictures.values())
        missing = sum(name not in self._pictures for name, *_ in every_face())
        if missing:
            hint = "`kems emojis sync` uploads the pictures of the cards (in `kems play` they come by themselves)"
            _log.info("card_emojis.missing", missing=missing, hint=hint)

    def _begin_loading(self) -> None:
        self._tasks.start(self.load())

    def fitting(self, layout: Layout) -> Layout:
        """Return the message with emojis that Discord would refuse replaced by names such as `:clover:`."""
        return [
            {**container, "components": [self._fit(part) for part in container["components"]]} for container in layout
        ]

    def named(self, line: str) -> str:
        """Return the text with each custom emoji replaced by a name such as `:clover:`, for use in a picture."""
        return CUSTOM_EMOJI.sub(self._named_in_words, line)

    async def deliver(
        self, layout: Layout, send: Callable[[Layout], Awaitable[T]], redraw: Callable[[], Layout | None]
    ) -> tuple[Layout, T]:
        """Send a message, leaving out emojis that Discord refuses.

        The application's emojis are refused now and then (https://github.com/discord/discord-api-docs/issues/7128), so
        the message is first retried with them.

        Args:
            layout: The message.
            send: Sends a layout; called again after a refusal of emojis.
            redraw: Renders the message again while refused card pictures are left out; None keeps the layout.

        Returns:
            The layout that was sent, and the result of `send`.

        Raises:
            discord.HTTPException: Discord refuses the message for another reason.
        """
        refused: set[int] = set()
        is_tried_again = False
        while True:
            try:
                sent = await send(layout)
            except discord.HTTPException as error:
                named = _named_in(error, layout)
                if not named:
                    raise
                if is_tried_again or not named & self._picture_ids:
                    refused |= set(_on_buttons(layout).values()) if refused else named  # at last all of them
                    layout = self._without(refused, layout, redraw)
                is_tried_again = True
                continue
            if refused & self._picture_ids and self._clock.now() - self._listed_at >= LIST_MS:
                self._begin_loading()  # the message does not wait for it: Discord's limit for emojis is one of hours
            return layout, sent

    def _without(self, refused: set[int], layout: Layout, redraw: Callable[[], Layout | None]) -> Layout:
        """Return the message without these emojis; those of servers are left out of all messages for a minute."""
        _log.warning("emojis.refused", emojis=sorted(refused), effect="sent as text")
        now = self._clock.now()
        lasting = {emoji_id: until for emoji_id, until in self._refused.items() if until > now}
        self._refused = lasting | dict.fromkeys(refused - self._picture_ids, now + REFUSED_MS)
        self._left_out = refused
        try:
            return self.fitting(redraw() or layout)
        finally:
            self._left_out = frozenset()

    def _is_shown(self, emoji_id: int) -> bool:
        if emoji_id not in self._picture_ids:
            emoji = self._client.get_emoji(emoji_id)
            if emoji is None or not emoji.is_usable():
                return False
            self._names[emoji_id] = emoji.name
        return emoji_id not in self._left_out and self._clock.now() >= self._refused.get(emoji_id, 0)

    def _fit(self, part: Part) -> Part:
        if part["type"] == TEXT:
            content = part["content"]
            if "<:" not in content and "<a:" not in content:  # most texts show none
                return part
            return {**part, "content": CUSTOM_EMOJI.sub(self._fit_in_text, content)}
        if part["type"] == ROW and any("emoji" in control for control in part["components"]):
            return {**part, "components": [self._fit_control(control) for control in part["components"]]}
        return part

    def _fit_control(self, control: Button | Menu) -> Button | Menu:
        if control["type"] != BUTTON or "emoji" not in control or self._is_shown(control["emoji"]["id"]):
            return control
        emoji = control["emoji"]
        label = truncate(f"{self._name(emoji['id'], emoji['name'])} {control.get('label', '')}".strip(), MAX_LABEL)
        made: Button = {**control, "label": label}
        del made["emoji"]
        return made

    def _fit_in_text(self, found: re.Match[str]) -> str:
        return found[0] if self._is_shown(int(found[3])) else self._name(int(found[3]), found[2] or "")

    def _named_in_words(self, found: re.Match[str]) -> str:
        emoji = self._client.get_emoji(int(found[3]))
        return self._name(int(found[3]), found[2] or "" if emoji is None else emoji.name)

    def _name(self, emoji_id: int, name: str) -> str:
        return f":{self._names.get(emoji_id, name)}:"


def _named_in(error: discord.HTTPException, layout: Layout) -> set[int]:
    """Return the ids of emojis on buttons that an error is about; all of them if it does not name any."""
    if code_of(error) is not ErrorCode.INVALID_FORM or "emoji" not in error.text.lower():
        return set()
    emoji_ids = _on_buttons(layout)
    named = {emoji_ids[place] for place in _PLACE.findall(error.text) if place in emoji_ids}
    return named or set(emoji_ids.values())


def _on_buttons(layout: Layout) -> dict[str, int]:
    """Return the ids of emojis on buttons by path, as in Discord's errors: `0.components.3.components.1`."""
    return {
        f"{top}.components.{row}.components.{place}": control["emoji"]["id"]
        for top, container in enumerate(layout)
        for row, part in enumerate(container["components"])
        if part["type"] == ROW
        for place, control in enumerate(part["components"])
        if control["type"] == BUTTON and "emoji" in control
    }
