"""Keeps one night's message up to date: sign-up, then live board, then final standings. It posts it once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

import discord
import structlog

from bot.errors import StoreError
from bot.nights.night import Night
from bot.nights.refusals import NightRefusal
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import parse_id
from bot.ui.kit.edits import edit_message
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.messages.coalescer import Coalescer, LastSent
from bot.ui.messages.illustrations import Illustrated, Illustrator
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.limits.budget import Slot
from bot.ui.night.verbs import NightVerb, read_arg

_SERVER_ERROR: Final = 500
_TOO_MANY: Final = 429
_UNKNOWN_MESSAGE: Final = 10008
_LOOKED_AT: Final = 50  # messages of the channel

_log = structlog.get_logger(__name__)


class NightChanges(Protocol):
    """Saves what belongs to a night's message: see `bot.tables.nights`."""

    async def update(self, night_id: int, change: Callable[[Night], Night | NightRefusal]) -> Night | NightRefusal:
        """Change a night. Raises StoreError when it was not saved."""

    def nights_in(self, guild_id: int) -> Sequence[Night]:
        """The nights of a server that are not wound up yet."""


class NightBoard:
    """The writer of one night's message. `ask` it after each change."""

    def __init__(
        self,
        client: discord.Client,
        requests: BotRequests,
        illustrator: Illustrator,
        nights: NightChanges,
        night: Night,
        look: Callable[[Night], Awaitable[Illustrated]],
        posted: Callable[[Night, discord.Message], Awaitable[None]],
    ) -> None:
        """`look` draws the message. `posted` is awaited once it stands in its channel and its id is saved."""
        self.night = night
        self._client = client
        self._requests = requests
        self._illustrator = illustrator
        self._nights = nights
        self._look = look
        self._posted = posted
        self._shown = LastSent()
        self._is_out_of_reach = False
        self._lock = asyncio.Lock()
        self.writer = Coalescer(self._write, interval=self._interval, slot=self._slot, shows="night")

    def ask(self, night: Night, *, is_urgent: bool = False) -> None:
        """Bring the message up to date with this night."""
        self.night = night
        self.writer.ask(is_urgent=is_urgent)

    async def caught_up(self) -> bool:
        """Bring the message up to date at once. Returns False where that may be tried again later."""
        try:
            async with self._slot() as slot:
                await self._write(slot)
        except (*FAILED, StoreError) as error:
            _log.info("night.not_caught_up", night=self.night.id, problem=str(error))
            return False
        return True

    def try_again(self) -> None:
        """The bot may have gained a right, or its message may be gone."""
        self._is_out_of_reach = False
        self.writer.ask()

    def deleted(self) -> None:
        """The message is gone: the next write finds that out, and posts another."""
        self._shown = LastSent()
        self.writer.ask()

    def _interval(self, is_urgent: bool) -> float:
        return self._requests.edit_interval(self.night.message_id, is_urgent=is_urgent)

    def _slot(self) -> Slot:
        return self._requests.slot(self.night.plan.channel_id, self.night.message_id)

    async def _write(self, slot: Slot) -> None:
        """Raises discord.HTTPException where Discord is out of order, and StoreError: both are tried again."""
        async with self._lock:
            await self._bring_up_to_date(slot)

    async def _bring_up_to_date(self, slot: Slot) -> None:
        night = self.night
        if self._is_out_of_reach:
            return
        message = await self._look(night)
        try:
            if night.message_id is None:
                if not night.is_finished:
                    await self._post(night, message, slot)
            elif not self._shown.is_now(message.layout):
                await self._edit(night, night.message_id, message, slot)
        except discord.HTTPException as error:
            if error.status == _TOO_MANY or error.status >= _SERVER_ERROR:
                raise
            if error.code == _UNKNOWN_MESSAGE and not night.is_finished:  # deleted: another one takes its place
                await self._note(None)
                self.writer.ask()
                return
            _log.warning("night.not_shown", night=night.id, **facts(error))
            self._is_out_of_reach = True

    async def _post(self, night: Night, message: Illustrated, slot: Slot) -> None:
        channel = self._client.get_partial_messageable(night.plan.channel_id, guild_id=night.guild_id)
        found = await self._find(night, channel, slot)
        if found is not None:
            await self._note(found)
            self.writer.ask()
            return
        slot.request()
        allowed = discord.AllowedMentions(everyone=False, users=False, roles=True, replied_user=False)
        view = PreparedView(message.layout)
        with self._shown.sending() as sent:
            posted = await channel.send(
                view=view, nonce=f"night-{night.id}-{night.version}"[:25], allowed_mentions=allowed
            )
            sent(message.layout)
        await self._note(posted.id)
        await self._posted(self.night, posted)

    async def _find(self, night: Night, channel: discord.PartialMessageable, slot: Slot) -> int | None:
        """The message that a former run posted without noting it."""
        if self._client.user is None:
            return None
        slot.request()
        try:
            async for message in channel.history(limit=_LOOKED_AT):
                if message.author.id == self._client.user.id and _is_of(message, night.id):
                    return message.id
        except discord.Forbidden:
            pass  # it may post, but not read
        return None

    async def _edit(self, night: Night, message_id: int, message: Illustrated, slot: Slot) -> None:
        files: list[discord.File] = []
        layout: Layout = message.layout
        if message.picture is not None:
            drawn, files = await self._illustrator.ready(message)
            layout = drawn.to_components()  # type: ignore[assignment]  # the layout that it was made of
        slot.request()
        with self._shown.sending() as sent:
            await edit_message(self._client, night.plan.channel_id, message_id, layout, files)
            sent(message.layout)

    async def _note(self, message_id: int | None) -> None:
        changed = await self._nights.update(self.night.id, lambda now: replace(now, message_id=message_id))
        if isinstance(changed, Night):
            self.night = changed


def _is_of(message: discord.Message, night_id: int) -> bool:
    """Whether a message has the button to sign up for a night."""
    for item in discord.ui.LayoutView.from_message(message).walk_children():
        press = parse_id(str(getattr(item, "custom_id", "")))
        arg = None if press is None or press.verb != NightVerb.JOIN else read_arg(press.arg)
        if arg is not None and arg[0] == night_id:
            return True
    return False
