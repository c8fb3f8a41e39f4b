"""The public message of a table; at the end it becomes the result.

The next deal gets a new message only if the current one is out of sight. Former messages link to the new one or shrink
to a log, which is deleted at the end.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.base.times import MINUTE_MS
from bot.discord.api.components import layout, link_from, text
from bot.discord.api.custom_ids import parse_id
from bot.discord.api.interactions import custom_ids_of
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.notices import Notice, delete_message
from bot.discord.messages.posted_message import EarlierPost, LiveContext, MessageAddress, Recipients
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.permissions import open_channel
from bot.discord.places.threads import delete_if_empty
from bot.discord.rate_limits.throttling import RequestPermit
from bot.discord.text.texts import texts_for
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import FormerMessage, TableChannel
from bot.tables.match.table import Table
from bot.tables.table_store import DamagedTable
from bot.ui.table.messages.table_screen import TableScreen

POST_S: Final = 1.0
"""Longest time that a press waits for the next message of its table, in seconds."""
MOST_DELETED: Final = 4
"""Most messages deleted in one write."""
MOST_MINUTES: Final = 45
"""Age in minutes from which the next deal gets a new message: Discord limits edits of old ones."""
MOST_REACTIONS: Final = 15
"""Number of different reactions that fill a message; Discord allows 20."""
MOST_BELOW: Final = 2
"""Number of messages below a private panel that put it out of sight."""

_log = structlog.get_logger(__name__)


class TableMessage(LiveMessage):
    """Knows where the table is, and its former messages; a `TableScreen` knows what the message shows."""

    shows = "table"
    sees_chat = True

    def __init__(
        self,
        context: LiveContext,
        directory: TableDirectory,
        lobby: Lobby | DamagedTable,
        screen: TableScreen,
        *,
        outage_changed: Callable[["TableMessage"], None],
        posted: Callable[[int], None],
        may_already_be_posted: bool,
    ) -> None:
        """Prepare the message of a table.

        - `outage_changed` is called with it when it can no longer be shown, or can be shown again.
        - `posted` is called with the table's id when there is a new message.
        - `may_already_be_posted`: a former run may have posted the next message without saving its id.
        """
        super().__init__(
            context, {"table": lobby.id}, texts_for(lobby.locale), may_already_be_posted=may_already_be_posted
        )
        self.table_id = lobby.id
        self.place = self._saved = lobby.place
        self._lobby = lobby
        self._directory = directory
        self._screen = screen
        self._tell_outage = outage_changed
        self._tell_posted = posted
        self._post_of_lobby: Notice | None = None
        self._posted_round = 0
        self._is_out_of_sight = may_already_be_posted  # something may have been written below while the bot was away
        self._written = deque[int](maxlen=MOST_BELOW)  # ids of the newest messages of its channel
        self._reactions: set[str] = set()
        self._ending: asyncio.Task[None] | None = None
        self._in_time: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------ what the message is

    @property
    def is_settled(self) -> bool:
        return self.place.is_final

    @property
    def address(self) -> MessageAddress:
        place = self.place
        return MessageAddress(place.guild_id, place.channel_id, None if place.is_moving else place.message_id)

    @property
    def nonce(self) -> str:
        """The nonce, which names the previous message."""
        place = self.place
        before = place.message_id or (place.post and place.post.message_id)
        return str(before) if before else f"{self._lobby.opened_at}-{self.table_id}"

    @property
    def is_reposted(self) -> bool:
        return not (self._screen.is_closed or self.place.is_final)

    @property
    def search_after(self) -> int:
        opened_at = self._lobby.opened_at - MINUTE_MS  # Discord's clock, which numbers messages, may have been behind
        return self.place.message_id or (opened_at - discord.utils.DISCORD_EPOCH) << 22

    def look(self) -> Illustrated | None:
        if self._screen.has_moved_on(self.place.round) and not self.is_left:
            self.place = replace(self.place, round=self._screen.round)
        is_none = self._never_stood and self._earlier is not EarlierPost.OF_FORMER_RUN
        return None if is_none else self._screen.look(self.place.round)

    @property
    def _never_stood(self) -> bool:
        """Return whether the table was closed before its first message was posted, as far as is known."""
        return self._screen.is_closed and self.place.message_id is None and self.place.post is None

    @property
    def recipients(self) -> Recipients:  # type: ignore[override]
        lobby, roles = self._directory.open_lobby(self.table_id), tuple[int, ...]()
        if lobby is not None and lobby.mentions_role and lobby.players_role and self.place.message_id is None:
            roles = (lobby.players_role,)
        return Recipients(self._new_members, roles)

    @property
    def is_silent(self) -> bool:  # type: ignore[override]
        return bool(self._new_members)

    @property
    def _new_members(self) -> tuple[int, ...]:
        """Return the players if the table moves to a thread: a mention makes them its members.

        A phone shows no thread to others, and refuses their presses once it is archived:
        https://github.com/discord/discord-api-docs/issues/8474
        """
        place = self.place
        if not (place.is_moving or (place.post is not None and place.message_id is None)):
            return ()
        guild, lobby = self._client.get_guild(place.guild_id), self._directory.lobby(self.table_id)
        is_thread = guild is not None and guild.get_channel(place.channel_id) is None
        return tuple(lobby.people) if is_thread and lobby is not None else ()

    def look_of_post(self) -> Illustrated | None:
        self._posted_round = self._screen.round
        look, members = self._screen.look(self._posted_round), self._new_members
        if self._never_stood:
            return None
        if look is None or not members:
            return look
        line = "-# " + " ".join(f"<@{user_id}>" for user_id in members)
        return look.with_line(line)

    def recognises(self, components: Sequence[object]) -> bool:
        presses = map(parse_id, custom_ids_of(components))
        rounds = [press.round or 0 for press in presses if press is not None and press.table_id == self.table_id]
        self._posted_round = max(rounds, default=0)
        return bool(rounds)

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        if not is_found:
            self._is_out_of_sight = False
            self._reactions.clear()
        place = self.place.next(message_id, self._posted_round, is_gone=self.is_gone)
        try:
            await self._save(place)
        finally:
            self._tell_posted(self.table_id)

    def outage_changed(self) -> None:
        self._tell_outage(self)

    async def channel_gone(self) -> None:
        """Stop waiting, since nobody can be notified any more."""
        await self._save(replace(self.place, is_final=self._screen.is_final, open_channel_id=None))

    # ------------------------------------------------------------------ what happens at the table and around it

    def changed(self, table: Table, *, is_urgent: bool = False) -> None:
        """Show a change of the table; if it `is_urgent`, before those of other tables."""
        self.context.requests.record_activity(self.table_id)
        self._screen.changed(table)
        if self._screen.is_final and self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._read_end())
        self.request_update(is_urgent=is_urgent)

    async def renew_end(self, table: Table) -> None:
        """Show what was added to the result of a match.

        If a match in a thread ended in an earlier run, only its card in the parent channel is updated: the thread may
        be archived, and a message would reopen it.

        Raises:
            StoreError: The addition could not be read.
        """
        if self._ending is not None:
            await asyncio.wait({self._ending})
        self._screen.changed(table)
        if not await self._screen.renew_end():
            return
        if self._ending is None and self.place.post is not None:
            self._card(self.place.post).request_update()
        else:
            self.request_update()

    def close(self, lobby: Lobby | DamagedTable) -> None:
        """Show how the table ended: cancelled, expired, or damaged and closed."""
        self._screen.close(lobby)
        self.retry()

    def written(self, message_id: int, *, by_person: bool) -> None:
        """Record a new message in the table's channel; `by_person`: it is a person's."""
        self._written.append(message_id)
        self.has_talk |= by_person

    def reacted(self, emoji: str) -> None:
        """Record the emoji of a reaction to the message."""
        self._reactions.add(emoji)

    def lost_sight(self) -> None:
        """Assume that messages were written during an outage."""
        self._is_out_of_sight = True

    @property
    def is_left(self) -> bool:
        """Whether the next deal is posted as a new message."""
        message_id = self.place.message_id
        if message_id is None or self._is_out_of_sight or max(self._written, default=0) > message_id:
            return True
        age = self.context.clock.now() - (message_id >> 22) - discord.utils.DISCORD_EPOCH
        return age > MOST_MINUTES * MINUTE_MS or len(self._reactions) >= MOST_REACTIONS

    def has_buried(self, panel: discord.Message) -> bool:
        """Return whether `MOST_BELOW` messages follow a private panel in the table's channel."""
        is_here = panel.channel.id == self.place.channel_id
        return is_here and len(self._written) == MOST_BELOW and min(self._written) > panel.id

    async def write_in_time(self, most_s: float = POST_S) -> None:
        """Write the message now, waiting at most `most_s` seconds, so that later messages stand below it."""
        self._in_time = asyncio.get_running_loop().create_task(self._write_soon())
        await asyncio.wait({self._in_time}, timeout=most_s)

    async def move(self, channel_id: int) -> None:
        """Post the message again in another channel, or at the end of this one; the old message links to it.

        Raises:
            StoreError: The move was not saved; the table stays.
        """
        await self._settle(lambda place: place.moved_to(channel_id))

    async def open_thread(self, thread_id: int) -> None:
        """Post the message in a thread under the lobby's message, which links to it.

        Raises:
            StoreError: The move was not saved; the table stays.
        """
        await self._settle(lambda place: place.in_thread(thread_id))

    def stop(self) -> None:
        super().stop()
        for task in (self._ending, self._in_time):
            if task is not None:
                task.cancel()

    # ------------------------------------------------------------------ writing

    async def write_beside(self, permit: RequestPermit) -> None:
        if self._screen.has_moved_on(self.place.round):
            await self._post(permit)
        former = self.place.former
        if former is not None and not self.place.is_moving:
            await self._left(former, lambda: self._link_from(former)).write(permit)
            self.place = replace(self.place, former=None, logs=(*self.place.logs, former))
        if (post := self.place.post) is not None:
            await self._card(post).write(permit)
        if self._screen.is_final and self.place.logs:
            await self._delete_logs(permit)
            self.request_update()  # there may be more of them
        is_final = self._screen.is_final and self._screen.is_complete and not self.place.logs
        await self._save(replace(self.place, is_final=is_final))

    def _card(self, post: FormerMessage) -> Notice:
        """Return the notice that turns the lobby's message into the card of the match."""
        if self._post_of_lobby is None:
            self._post_of_lobby = self._left(post, self._screen.post)
        return self._post_of_lobby

    def _left(self, at: FormerMessage, look: Callable[[], Illustrated]) -> Notice:
        """Return the notice for a former message that stays: the lobby's above the match's thread, or another."""
        address = MessageAddress(self.place.guild_id, at.channel_id, at.message_id)
        return Notice(self.context, {"table": self.table_id}, self.texts, address, say=look)

    def _link_from(self, former: FormerMessage) -> Illustrated:
        link = link_from(former.message_id, self.place)
        return Illustrated(layout(text(self.texts.t("➡️ This table has moved: {link}", link=link))))

    async def _delete_logs(self, permit: RequestPermit) -> None:
        logs, rest = self.place.logs[:MOST_DELETED], self.place.logs[MOST_DELETED:]
        for log in logs:
            await delete_message(self.context, log.channel_id, log.message_id, permit)
        left = {log.channel_id for log in logs} - {log.channel_id for log in rest} - {self.place.channel_id}
        for channel_id in left:
            await delete_if_empty(self._client, channel_id, permit)
        self.place = replace(self.place, logs=rest)

    async def _save(self, place: TableChannel) -> None:
        """Save where the table is.

        Raises:
            StoreError: It was not saved; the value in memory is right all the same.
        """
        self.place = place
        if place != self._saved:
            open_id = open_channel(self._client, place.guild_id, place.channel_id, place.open_channel_id)
            self.place = place = replace(place, open_channel_id=open_id)
            await self._directory.move(self.table_id, place)
            self._saved = place

    async def _settle(self, change: Callable[[TableChannel], TableChannel]) -> None:
        async with self._lock:
            place = change(self.place)
            await self._directory.move(self.table_id, place)
            self.place = self._saved = place
            self.context.placed(self)
        self.retry()

    async def _read_end(self) -> None:
        await self._screen.read_end()
        self.request_update()
        if not self._screen.is_complete:
            await self._screen.read_film()
            self.request_update()

    async def _write_soon(self) -> None:
        if not await self.try_write(is_urgent=True):
            self.request_update()
