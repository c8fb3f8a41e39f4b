"""Posts the message of one table and edits it, and finds it again after a restart."""

from collections.abc import Callable
from typing import Final

import discord
import structlog

from bot.tables.lobby.lobby import Lobby
from bot.tables.table_store import Damaged
from bot.ui.kit.components import Layout
from bot.ui.kit.edits import edit_message, update_pressed
from bot.ui.kit.layouts import with_picture
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.messages.below import Below
from bot.ui.messages.coalescer import LastSent
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.kept_place import KeptPlace
from bot.ui.messages.limits.budget import Slot
from bot.ui.messages.limits.old_messages import find_message
from bot.ui.messages.screens import AttachedPicture, TableScreen

_MINUTE_MS: Final = 60_000
_UNKNOWN_MESSAGE: Final = 10008

_log = structlog.get_logger(__name__)


class BoardSender:
    """`below` knows what has happened to the message since it was posted."""

    def __init__(
        self,
        client: discord.Client,
        table: Lobby | Damaged,
        screen: TableScreen,
        place: KeptPlace,
        emojis: CustomEmojis,
        *,
        ask: Callable[[], None],
        is_restored: bool,
    ) -> None:
        """`ask` is called where the message needs another write.

        `is_restored`: a former run may have posted the next message without noting it.
        """
        self.below = Below(is_unsure=is_restored)
        self._table_id = table.id
        self._opened_at = table.opened_at
        self._client = client
        self._screen = screen
        self._place = place
        self._emojis = emojis
        self._ask = ask
        self._shown = LastSent()
        self._is_restored = self._may_be_posted = is_restored
        self._may_attach = True
        self._gone: int | None = None

    @property
    def may_look(self) -> bool:
        """Whether the next post looks first for a message that nobody noted."""
        return self._is_restored

    @property
    def is_gone(self) -> bool:
        """Whether the present message was deleted."""
        return self._gone is not None and self._gone == self._place.now.message_id

    def deleted(self) -> None:
        """The present message was deleted."""
        self._gone = self._place.now.message_id

    def forget_shown(self) -> None:
        """What the message shows is not known any more."""
        self._shown = LastSent()

    def caught_up(self) -> None:
        """The message is up to date: from now on a post looks for no other one."""
        self._is_restored = False

    def is_now(self, layout: Layout) -> bool:
        """Whether the message shows that."""
        return self._shown.is_now(layout)

    def dressed(self, layout: Layout) -> Layout:
        """The layout with its picture, if there is one and it may be attached."""
        picture = self._picture
        return layout if picture is None else with_picture(layout, picture.name, picture.alt)

    async def answer(self, interaction: discord.Interaction, present: Callable[[], Layout | None]) -> None:
        """Answer a press on the message with its new content, which is outside the budget for edits."""
        layout = present()
        if layout is None:
            await interaction.response.defer()
            return
        is_here = interaction.message is not None and interaction.message.id == self._place.now.message_id
        with (self._shown if is_here else LastSent()).sending() as sent:
            layout, _ = await self._emojis.deliver(
                layout, lambda it: update_pressed(interaction, it, self._files()), present
            )
            sent(layout)

    async def post(self, slot: Slot) -> None:
        """Post the message again, at the end of the channel."""
        if self._is_restored:
            slot.request()
            if await self._has_found():
                return
        slot.request()
        number = self._screen.round
        layout = self._screen.layout(number)
        if layout is None:
            return
        may_be_posted, self._may_be_posted = self._may_be_posted, True
        shown = LastSent()
        with shown.sending() as sent:
            layout, message = await self._emojis.deliver(
                layout,
                lambda it: self._channel().send(view=PreparedView(it), nonce=self._nonce()),
                lambda: self._screen.layout(number),
            )
            if not may_be_posted:  # else it may be the message of an attempt that nobody saw the end of, and older
                sent(layout)
        self._shown, self._may_be_posted = shown, False
        self.below.posted()
        await self._place.note(self._place.now.next(message.id, number, is_gone=self.is_gone))
        if may_be_posted or self._picture is not None:  # a post has no picture
            self._ask()

    async def edit(self, message_id: int, layout: Layout, present: Callable[[], Layout | None], slot: Slot) -> None:
        """Edit the message; post it where it is gone. `present` gives the layout again without a refused emoji."""
        slot.request()
        channel_id = self._place.now.channel_id
        try:
            with self._shown.sending() as sent:
                layout, _ = await self._emojis.deliver(
                    layout,
                    lambda it: edit_message(self._client, channel_id, message_id, it, self._files()),
                    present,
                )
                sent(layout)
        except discord.Forbidden:
            if not self._files():
                raise
            self._may_attach = False  # the words are shown without the picture
            self._ask()
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            _log.info("board.deleted", table=self._table_id)
            self._gone = message_id
            if not self._screen.is_closed:
                await self.post(slot)

    async def _has_found(self) -> bool:
        """Take over the message that the former run posted without noting it. Returns whether there is one."""
        self._is_restored = False
        opened_at = self._opened_at - _MINUTE_MS  # Discord's clock, which numbers messages, may have been behind
        after = self._place.now.message_id or (opened_at - discord.utils.DISCORD_EPOCH) << 22
        found = await find_message(self._client, self._channel(), self._table_id, after)
        if found is None:
            return False
        self._shown = LastSent()
        await self._place.note(self._place.now.next(*found, is_gone=self.is_gone))
        self._ask()
        return True

    def _nonce(self) -> str:
        """Names the message after the present one, in at most 25 characters: Discord posts it once."""
        place = self._place.now
        before = place.message_id or (place.post and place.post.message_id)
        if before:
            return str(before)
        return f"{self._opened_at}-{self._table_id}"

    @property
    def _picture(self) -> AttachedPicture | None:
        return self._screen.picture if self._may_attach else None

    def _files(self) -> list[discord.File]:
        """The picture as a file, for one request."""
        picture = self._picture
        return [] if picture is None else [picture.as_file()]

    def _channel(self) -> discord.PartialMessageable:
        place = self._place.now
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
