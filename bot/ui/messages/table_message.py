"""The public message of a table: posted once, edited at a pace that Discord accepts, left behind as the result.

The next deal gets a message of its own only where the present one is out of sight (`bot.ui.messages.below`). What the
table has left shrinks to a log, which is deleted at the end.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.errors import StoreError
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.table_store import Damaged
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.layouts import with_line
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.messages.board_sender import BoardSender
from bot.ui.messages.channel_post import ChannelPost
from bot.ui.messages.coalescer import Coalescer
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.kept_place import KeptPlace
from bot.ui.messages.left_messages import MOST_DELETED, tell_moved, without_logs
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.limits.budget import Slot
from bot.ui.messages.screens import TableScreen
from bot.ui.messages.unseen import Unseen, Why, reopen, why_unseen
from bot.ui.messages.visibility import Visibility

POST_S: Final = 1.0
"""The longest wait of a press for the next message of its table."""

_log = structlog.get_logger(__name__)


class TableMessage:
    """Decides when its message is written; a `TableScreen` knows what it shows. One coalescer makes all edits."""

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
        self._place = KeptPlace(directory, lobby.id, lobby.place, lambda: placed(self))
        self._texts = texts_for(lobby.locale)
        self._client = client
        self._clock = clock
        self._requests = requests
        self._sight_changed = sight_changed
        self._screen = screen
        self._visibility = Visibility(client, clock, lobby.id)
        self._sender = BoardSender(client, lobby, screen, self._place, emojis, ask=self.ask, is_restored=is_restored)
        self._channel_post = ChannelPost(client, lobby.id)
        self._ending: asyncio.Task[None] | None = None
        self._catching_up: asyncio.Task[None] | None = None
        self._is_trying = False
        self._may_tell = False
        self._lock = asyncio.Lock()
        self._writer = Coalescer(self._write, interval=self._interval, slot=self._slot, shows="table")

    @property
    def place(self) -> Place:
        """Where the message is."""
        return self._place.now

    @property
    def unseen(self) -> Unseen | None:
        """Why and since when the message cannot be shown; None while it can."""
        return self._visibility.unseen

    def changed(self, table: Table, *, is_urgent: bool = False) -> None:
        """Something happened at the table; with `is_urgent` its message goes before those of other tables."""
        self._requests.note_busy(self.table_id)
        self._screen.changed(table)
        if self._screen.is_final and self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._read_end())
        self._writer.ask(is_urgent=is_urgent)

    def ask(self) -> None:
        self._writer.ask()

    def close(self, lobby: Lobby | Damaged) -> None:
        """Show for the last time: the table was cancelled, given up, or its time ran out."""
        self._screen.close(lobby)
        self.try_again()

    def written(self, message_id: int) -> None:
        """A message came in the channel."""
        self._sender.below.written(message_id)

    def reacted(self, emoji: str) -> None:
        """A reaction was put on the message."""
        self._sender.below.reacted(emoji)

    def lost_sight(self) -> None:
        """Messages may have come that the bot did not see."""
        self._sender.below.lost_sight()

    @property
    def is_left(self) -> bool:
        """Whether the next deal gets a message of its own."""
        return self.place.message_id is None or self._sender.below.is_left(self.place.message_id, self._clock.now())

    async def caught_up(self) -> None:
        """Wait a moment, `POST_S` at most, until the message is up to date, so that what follows stands below it."""
        self._catching_up = asyncio.get_running_loop().create_task(self._catch_up())
        await asyncio.wait({self._catching_up}, timeout=POST_S)

    def deleted(self) -> None:
        """The present message was deleted: post it again unless nothing more will happen at the table."""
        if self._screen.is_final:
            return
        _log.info("board.deleted", table=self.table_id)
        self._sender.deleted()
        if self._visibility.deleted():
            self.lose(Why.DELETED)
        else:
            self._writer.ask()

    def lose(self, why: Why) -> None:
        """The table cannot be shown where it is: nothing is written until `try_again`, `found` or `move`."""
        self._sender.forget_shown()
        self._may_tell = self._may_tell and why is Why.FORBIDDEN
        if self._visibility.lose(why):
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
        return self._visibility.told(self.place, texts)

    async def move(self, channel_id: int) -> None:
        """Post the message again in another channel, or at the end of this one; the former message links to it.

        Raises:
            StoreError: it was not saved, and the table stays where it is.
        """
        async with self._lock:
            await self._place.settle(self.place.moved(channel_id))
        self.try_again()

    async def open_thread(self, thread_id: int) -> None:
        """Post the message in a thread under the lobby's message, which links to it. Raises as `move` does."""
        async with self._lock:
            await self._place.settle(self.place.in_thread(thread_id))
            self._sender.forget_shown()
        self.try_again()

    def stop(self) -> None:
        self._writer.close()
        for task in (self._ending, self._catching_up):
            if task is not None:
                task.cancel()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Do not edit the message while a press on it is being answered."""
        with self._writer.held():
            yield
        self._writer.ask()

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer a press on the message with its new content, which is outside the budget for edits."""
        await self._sender.answer(interaction, self._present)

    def _slot(self) -> Slot:
        place, has_moved_on = self.place, self._screen.has_moved_on(self.place.round)
        further = (
            has_moved_on and self.is_left,
            place.former is not None,
            place.post is not None and self._channel_post.is_due(self._screen.post()),
            self._sender.may_look,
        )
        logs = min(len(place.logs), MOST_DELETED) if self._screen.is_final else 0
        return self._requests.slot(place.channel_id, place.message_id, planned=1 + sum(further) + logs)

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
                    await self._place.note(replace(self.place, is_final=self._screen.is_final))
                return
            self._is_trying = False
            if before is not None and self.unseen is before:  # else it was lost again meanwhile
                self._visibility.regain()
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
        if not self._may_tell or layout is None or message_id is None or self._sender.is_now(layout):
            return
        try:
            await self._sender.edit(message_id, layout, self._present, slot)
        except FAILED as error:
            _log.info("board.untold", table=self.table_id, **facts(error))
            self._may_tell = False

    async def _bring_up_to_date(self, slot: Slot) -> None:
        layout = self._present()
        if layout is None:
            return
        self._may_tell = False
        message_id = self.place.message_id
        if message_id is None or self._sender.is_gone or self.place.is_moving:
            await self._sender.post(slot)
        elif not self._sender.is_now(layout):
            await self._sender.edit(message_id, layout, self._present, slot)
        self._may_tell = True
        if self._screen.has_moved_on(self.place.round):
            if slot.requests == slot.planned:  # it has moved on just now
                await slot.renew()
            await self._sender.post(slot)
        former = self.place.former
        if former is not None and not self.place.is_moving:
            await tell_moved(self._client, former, self.place, self._texts, slot)
            self._place.now = replace(self.place, former=None, logs=(*self.place.logs, former))
        if self.place.post is not None:
            await self._channel_post.bring_up_to_date(self.place.post, self._screen.post(), slot)
        if self._screen.is_final and self.place.logs:
            self._place.now = await without_logs(self._client, self.place, slot)
            self._writer.ask()  # there may be more of them
        is_final = self._screen.is_final and self._screen.is_complete and not self.place.logs
        await self._place.note(replace(self.place, is_final=is_final))
        self._sender.caught_up()

    async def _read_end(self) -> None:
        await self._screen.read_end()
        self._writer.ask()

    async def _catch_up(self) -> None:
        try:
            slot = self._slot()
            slot.is_urgent = True
            async with slot:
                await self._write(slot)
        except (*FAILED, StoreError) as error:
            _log.info("board.not_in_time", table=self.table_id, problem=str(error))
            self._writer.ask()

    def _present(self) -> Layout | None:
        """What the present message shows: the present round, unless that gets a message of its own."""
        if self._screen.has_moved_on(self.place.round) and not self.is_left:
            self._place.now = replace(self.place, round=self._screen.round)
        layout, told = self._screen.layout(self.place.round), None if self._is_trying else self.told(self._texts)
        if layout is None:
            return None
        layout = self._sender.dressed(layout)
        return layout if told is None else with_line(layout, told)
