"""One night's message: sign-up, then live board, then final standings."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import discord

from bot.nights.night import Night
from bot.tables.nights.live_nights import LiveNights
from bot.ui.kit.custom_ids import parse_id
from bot.ui.kit.texts import Texts, mark, texts_for
from bot.ui.live.illustrations import Illustrated
from bot.ui.live.live_message import LiveContext, LiveMessage, Spot
from bot.ui.live.outage import OutageWords, Reason
from bot.ui.live.pace import Slot
from bot.ui.night.verbs import PlayerVerb, read_arg

OF_NIGHT: Final = OutageWords(
    reasons={
        Reason.CHANNEL_GONE: mark("The channel of this night was deleted."),
        Reason.FORBIDDEN: mark("I may not show this night in {channel} any more."),
        Reason.CLOSED: mark("The thread of this night, {channel}, is archived or locked."),
        Reason.REMOVED: mark("I was removed from this server."),
        Reason.DELETED: mark("The message of this night is deleted again and again in {channel}."),
    },
    lacking=mark("I cannot show this night in {channel} any more: I lack these permissions there: {names}."),
    outside=mark("I may not show this night in {channel} any more: in a private thread, mention {bot} to add me."),
    waiting=mark("That has been so since {when}; the night goes on."),
    elsewhere=mark("Its results stay: `/kems night` shows them."),
    remedy=mark("Its message comes back by itself once that is put right."),
)


class NightMessage(LiveMessage):
    """`show` it each change of its night."""

    shows = "night"
    outage_words = OF_NIGHT
    mentions = discord.AllowedMentions(everyone=False, users=False, roles=True, replied_user=False)

    def __init__(
        self,
        context: LiveContext,
        nights: LiveNights,
        night: Night,
        read: Callable[[Night], Awaitable[Illustrated]],
        posted: Callable[[Night], Awaitable[None]],
    ) -> None:
        """`read` returns what the message shows. `posted` is awaited once it stands in its channel and is saved."""
        super().__init__(context, {"night": night.id}, texts_for(night.locale), is_restored=True)
        self.night = night
        self._message_id = night.message_id
        self._nights = nights
        self._read = read
        self._posted = posted
        self._shows: Illustrated | None = None

    def show(self, night: Night, *, is_urgent: bool = False) -> None:
        self.night = night
        self.ask(is_urgent=is_urgent)

    @property
    def spot(self) -> Spot:
        return Spot(self.night.guild_id, self.night.plan.channel_id, self._message_id)

    @property
    def nonce(self) -> str:
        return f"night-{self.night.id}" if self._message_id is None else str(self._message_id)

    @property
    def comes_back(self) -> bool:
        return not self.night.is_finished

    def look(self) -> Illustrated | None:
        return self._shows

    def recognises(self, message: discord.Message) -> bool:
        """By the button to sign up."""
        items = discord.ui.LayoutView.from_message(message).walk_children()
        presses = (parse_id(str(getattr(item, "custom_id", ""))) for item in items)
        joins = (read_arg(press.arg) for press in presses if press is not None and press.verb == PlayerVerb.JOIN)
        return any(arg is not None and arg[0] == self.night.id for arg in joins)

    async def note(self, message_id: int, *, is_found: bool) -> None:
        self._message_id = message_id
        await self._save()

    def warning(self, texts: Texts) -> str | None:
        """Why the message cannot be shown, which is tried once more; None where it can."""
        if self.outage is not None:
            self.retry()
        return self.outage_line(texts)

    async def _show(self, slot: Slot) -> None:
        if self.night.is_finished and self._message_id is None:
            return
        self._shows = await self._read(self.night)
        await super()._show(slot)
        await self._save()

    async def _save(self) -> None:
        message_id = self._message_id
        if self.night.message_id == message_id:
            return
        changed = await self._nights.update(self.night.id, lambda now: replace(now, message_id=message_id))
        if isinstance(changed, Night):
            self.night = changed
            await self._posted(changed)
