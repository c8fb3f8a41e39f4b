"""The public message of a table: posted, edited at a pace that Discord accepts, left behind as a result."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.place import FormerMessage, Place
from bot.tables.match.table import Table
from bot.tables.table_store import Damaged
from bot.ui.kit.components import Layout, text
from bot.ui.kit.components import layout as laid_out
from bot.ui.kit.edits import edit_message, update_pressed
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.layouts import with_line
from bot.ui.kit.permissions import lacking
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.messages.channel_post import ChannelPost
from bot.ui.messages.coalescer import Coalescer, LastSent
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.limits.budget import Slot
from bot.ui.messages.limits.old_messages import find_message, link_from
from bot.ui.messages.private_threads import may_be_private
from bot.ui.messages.screens import TableScreen
from bot.ui.messages.unseen import Unseen, Why, reopen, unseen_text, why_unseen

MOST_DELETIONS: Final = 3
"""A message that is deleted more often in a minute is posted no more."""

_MINUTE_MS: Final = 60_000
_UNKNOWN_MESSAGE: Final = 10008

_log = structlog.get_logger(__name__)


class TableMessage:
    """Knows where the message is; a `TableScreen` knows what it shows. One coalescer makes all edits."""

    def __init__(
        self,
        client: discord.Client,
        directory: TableDirectory,
        lobby: Lobby | Damaged,
        screen: TableScreen,
        *,
        clock: Clock,
        requests: BotRequests,
        emojis: CustomEmojis,
        placed: Callable[["TableMessage"], None],
        sight_changed: Callable[["TableMessage"], None],
        is_restored: bool,
    ) -> None:
        """`is_restored`: a former run may have posted the next message without noting it.

        `placed` is called whenever `place` changes; `sight_changed` when the message becomes `unseen`, and when it can
        be shown again.
        """
        self.table_id = lobby.id
        self._placed = placed
        self.place = lobby.place
        self.unseen: Unseen | None = None
        self._opened_at = lobby.opened_at
        self._texts = texts_for(lobby.locale)
        self._client = client
        self._clock = clock
        self._requests = requests
        self._sight_changed = sight_changed
        self._directory = directory
        self._emojis = emojis
        self._screen = screen
        self._shown = LastSent()
        self._channel_post = ChannelPost(client, lobby.id)
        self._noted = lobby.place
        self._is_restored = self._may_be_posted = is_restored
        self._gone: int | None = None
        self._deletions: list[int] = []
        self._is_trying = False
        self._may_tell = False
        self._lock = asyncio.Lock()
        self._writer = Coalescer(self._write, interval=self._interval, slot=self._slot, shows="table")

    @property
    def place(self) -> Place:
        """Where the message is."""
        return self._place

    @place.setter
    def place(self, place: Place) -> None:
        self._place = place
        self._placed(self)

    def changed(self, table: Table, *, is_urgent: bool = False) -> None:
        """Something happened at the table; with `is_urgent` its message goes before those of other tables."""
        self._requests.note_busy(self.table_id)
        self._screen.changed(table)
        self._writer.ask(is_urgent=is_urgent)

    def ask(self) -> None:
        self._writer.ask()

    def close(self, lobby: Lobby | Damaged) -> None:
        """Show for the last time: the table was cancelled, given up, or its time ran out."""
        self._screen.close(lobby)
        self.try_again()

    def deleted(self) -> None:
        """The present message was deleted: post it again unless nothing more will happen at the table."""
        if self._screen.is_final:
            return
        _log.info("board.deleted", table=self.table_id)
        self._gone, now = self.place.message_id, self._clock.now()
        self._deletions = [at for at in self._deletions if now - at < _MINUTE_MS] + [now]
        if len(self._deletions) > MOST_DELETIONS:
            self.lose(Why.DELETED)
        else:
            self._writer.ask()

    def lose(self, why: Why) -> None:
        """The table cannot be shown where it is: nothing is written until `try_again`, `found` or `move`."""
        unseen = Unseen(why, self._clock.now() if self.unseen is None else self.unseen.since)
        self._shown = LastSent()
        self._may_tell = self._may_tell and why is Why.FORBIDDEN
        if unseen != self.unseen:
            self.unseen = unseen
            _log.warning("board.unseen", table=self.table_id, why=why.value)
            self._sight_changed(self)

    def try_again(self) -> None:
        self._is_trying = True
        self._writer.ask()

    async def found(self) -> None:
        """Try at once to show a table that is `unseen`.

        Raises:
            StoreError: it was shown, and that was not saved.
            discord.HTTPException: Discord does not answer.
        """
        if self.unseen is not None:
            self._is_trying = True
            async with self._slot() as slot:
                await self._write(slot)

    def told(self, texts: Texts) -> str | None:
        """Why the table cannot be shown; None where it can."""
        if self.unseen is None:
            return None
        channel_id, guild = self.place.channel_id, self._client.get_guild(self.place.guild_id)
        lacks = lacking(self._client, self.place.guild_id, channel_id)
        is_outside = guild is not None and may_be_private(guild.get_channel_or_thread(channel_id))
        outside = self._client.user.mention if is_outside and self._client.user is not None else None
        return unseen_text(self.unseen, channel_id, lacks, texts, outside=outside)

    async def move(self, channel_id: int) -> None:
        """Post the message again in another channel, or at the end of this one; the former message links to it.

        Raises:
            StoreError: it was not saved, and the table stays where it is.
        """
        async with self._lock:
            await self._settle(self.place.moved(channel_id))
        self.try_again()

    async def open_thread(self, thread_id: int) -> None:
        """Post the message in a thread under the lobby's message, which links to it. Raises as `move` does."""
        async with self._lock:
            await self._settle(self.place.in_thread(thread_id))
            self._shown = LastSent()
        self.try_again()

    def stop(self) -> None:
        self._writer.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Do not edit the message while a press on it is being answered."""
        with self._writer.held():
            yield
        self._writer.ask()

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer a press on the message with its new content, which is outside the budget for edits."""
        layout = self._present()
        if layout is None:
            await interaction.response.defer()
            return
        is_here = interaction.message is not None and interaction.message.id == self.place.message_id
        with (self._shown if is_here else LastSent()).sending() as sent:
            layout, _ = await self._emojis.deliver(layout, lambda it: update_pressed(interaction, it), self._present)
            sent(layout)

    async def answer_new(self, response: discord.InteractionResponse[discord.Client]) -> None:
        """Answer a command with the message, which posts it."""
        layout = self._screen.layout(0)
        assert layout is not None, "the table was opened just now"
        with self._shown.sending() as sent:
            said = await response.send_message(view=PreparedView(layout))
            sent(layout)
        if said.message_id is not None:
            await self._note(replace(self.place, message_id=said.message_id))

    async def _settle(self, place: Place) -> None:
        await self._directory.move(self.table_id, place)
        self.place = self._noted = place

    async def _note(self, place: Place) -> None:
        """Save where the message is and which round it shows."""
        self.place = place
        if place != self._noted:
            await self._directory.move(self.table_id, place)
            self._noted = place

    def _slot(self) -> Slot:
        place = self.place
        further = (
            self._screen.has_moved_on(place.round),
            place.former is not None,
            place.post is not None and self._channel_post.is_due(self._screen.post()),
            self._is_restored,
        )
        return self._requests.slot(self.place.channel_id, self.place.message_id, planned=1 + sum(further))

    def _interval(self, is_urgent: bool) -> float:
        return self._requests.edit_interval(self.place.message_id, is_urgent=is_urgent)

    async def _write(self, slot: Slot) -> None:
        async with self._lock:
            if not self._is_served():
                return
            before = self.unseen
            if before is not None and not self._is_trying:
                await self._tell(slot)
                return
            try:
                await self._show(slot)
            except discord.HTTPException as error:
                why = why_unseen(error)
                if why is None:
                    raise
                self._is_trying = False
                self.lose(why)
                if why is Why.CHANNEL_GONE:  # nobody can be told any more
                    await self._note(replace(self.place, is_final=self._screen.is_final))
                return
            self._is_trying = False
            if before is not None and self.unseen is before:  # else it was lost again meanwhile
                self.unseen = None
                _log.info("board.seen_again", table=self.table_id)
                self._sight_changed(self)

    def _is_served(self) -> bool:
        """Whether the bot is in the table's server, as far as it knows yet, and Discord can serve that."""
        guild = self._client.get_guild(self.place.guild_id)
        return guild is not None and not guild.unavailable

    async def _show(self, slot: Slot) -> None:
        """Bring the message up to date, in an archived thread after opening it again."""
        try:
            await self._bring_up_to_date(slot)
        except discord.HTTPException as error:
            if why_unseen(error) is not Why.CLOSED or not await reopen(self._client, self.place.channel_id, slot):
                raise
            await self._bring_up_to_date(slot)

    async def _tell(self, slot: Slot) -> None:
        """Say on a message that may still be edited why no further message follows."""
        layout, message_id = self._present(), self.place.message_id
        if not self._may_tell or layout is None or message_id is None or self._shown.is_now(layout):
            return
        try:
            await self._edit(message_id, layout, slot)
        except FAILED as error:
            _log.info("board.untold", table=self.table_id, **facts(error))
            self._may_tell = False

    async def _bring_up_to_date(self, slot: Slot) -> None:
        layout = self._present()
        if layout is None:
            return
        self._may_tell = False
        if self.place.message_id in (None, self._gone) or self.place.is_moving:
            await self._post(slot)
        elif not self._shown.is_now(layout):
            await self._edit(self.place.message_id, layout, slot)
        self._may_tell = True
        if self._screen.has_moved_on(self.place.round):
            await self._post(slot)
        if self.place.former is not None and not self.place.is_moving:
            await self._leave(self.place.former, slot)
            self.place = replace(self.place, former=None)
        if self.place.post is not None:
            await self._channel_post.bring_up_to_date(self.place.post, self._screen.post(), slot)
        await self._note(replace(self.place, is_final=self._screen.is_final))
        self._is_restored = False

    async def _post(self, slot: Slot) -> None:
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
                lambda it: self._channel(self.place.channel_id).send(view=PreparedView(it), nonce=self._nonce()),
                lambda: self._screen.layout(number),
            )
            if not may_be_posted:  # else it may be the message of an attempt that nobody saw the end of, and older
                sent(layout)
        self._shown, self._may_be_posted = shown, False
        await self._note(replace(self.place, message_id=message.id, round=number))
        if may_be_posted:
            self._writer.ask()

    async def _has_found(self) -> bool:
        """Take over the message that the former run posted without noting it. Returns whether there is one."""
        self._is_restored = False
        opened_at = self._opened_at - _MINUTE_MS  # Discord's clock, which numbers messages, may have been behind
        after = self.place.message_id or (opened_at - discord.utils.DISCORD_EPOCH) << 22
        found = await find_message(self._client, self._channel(self.place.channel_id), self.table_id, after)
        if found is None:
            return False
        self._shown = LastSent()
        await self._note(replace(self.place, message_id=found[0], round=found[1]))
        self._writer.ask()
        return True

    def _nonce(self) -> str:
        """Names the message after the present one, in at most 25 characters: Discord posts it once."""
        before = self.place.message_id or (self.place.post and self.place.post.message_id)
        if before:
            return str(before)
        return f"{self._opened_at}-{self.table_id}"

    async def _edit(self, message_id: int, layout: Layout, slot: Slot) -> None:
        slot.request()
        channel_id = self.place.channel_id
        try:
            with self._shown.sending() as sent:
                layout, _ = await self._emojis.deliver(
                    layout, lambda it: edit_message(self._client, channel_id, message_id, it), self._present
                )
                sent(layout)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            _log.info("board.deleted", table=self.table_id)
            if not self._screen.is_closed:
                await self._post(slot)

    async def _leave(self, former: FormerMessage, slot: Slot) -> None:
        """Link from a message that the table has left to the present one."""
        link = link_from(former.message_id, self.place)
        board = laid_out(text(self._texts.t("➡️ This table has moved: {link}", link=link)))
        slot.request()
        try:
            await edit_message(self._client, former.channel_id, former.message_id, board)
        except discord.HTTPException as error:  # refused; where nobody knows, it is tried again
            _log.info("board.left_behind", table=self.table_id, **facts(error))

    def _present(self) -> Layout | None:
        layout, told = self._screen.layout(self.place.round), None if self._is_trying else self.told(self._texts)
        return layout if layout is None or told is None else with_line(layout, told)

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=self.place.guild_id)
