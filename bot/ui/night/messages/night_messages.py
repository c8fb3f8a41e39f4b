"""Shows nights on Discord: their messages, threads for their tables, the server events."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import discord
import structlog

from bot.base.background import Tasks, retry_until_saved
from bot.discord.api.custom_ids import parse_id
from bot.discord.api.error_codes import OutageReason
from bot.discord.api.interactions import custom_ids_of
from bot.discord.api.requests import log_failures
from bot.discord.interactions.admission.rights import is_public
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.notices import Notice, delete_message, newest_messages
from bot.discord.messages.posted_message import LiveContext, MessageAddress
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.members import Membership
from bot.discord.places.outage import OutageWords
from bot.discord.places.permissions import is_role_gone
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.rate_limits.throttling import RequestPermit
from bot.discord.text.texts import Texts, mark, texts_for
from bot.nights.changes import Duty
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import without_role
from bot.nights.planning.series import next_start
from bot.nights.posts import Honour
from bot.nights.results.history import turnout
from bot.nights.results.standings import standings
from bot.nights.rounds import NightTable
from bot.tables.cluster import ShardResource
from bot.tables.hub import NightChanged, OpenChannels, RightsChanged, ServersReached, SettingsChanged
from bot.tables.nights.live_nights import LiveNights
from bot.tables.table_store import ServerFilter
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.night.board import live_tables, running_screen
from bot.ui.night.messages.night_posts import NightPosts, is_complete, is_written, outcome_of
from bot.ui.night.messages.posts import PostContext
from bot.ui.night.messages.recap import read_honours
from bot.ui.night.messages.server_event import ServerEvents
from bot.ui.night.messages.table_threads import TableThreads
from bot.ui.night.sign_up import begun_screen, sign_up_screen
from bot.ui.night.verbs import PlayerVerb, read_arg

LETTER_S: Final = 5.0
"""How long a host waits to read that their message is posted."""
_ROW: Final = 8
"""Number of nights in a recap of several."""
_MOST_LOOKED_AT: Final = 40
_TIDIED: Final = 100
"""Number of messages of the channel that are checked after a restart."""
_KEPT: Final = 100
"""Number of messages of finished nights that may still be edited."""
_OF_NIGHT: Final = OutageWords(
    reasons={
        OutageReason.CHANNEL_GONE: mark("The channel of this night was deleted."),
        OutageReason.FORBIDDEN: mark("I may not show this night in {channel} any more."),
        OutageReason.CLOSED: mark("The thread of this night, {channel}, is archived or locked."),
        OutageReason.REMOVED: mark("I was removed from this server."),
        OutageReason.DELETED: mark("The message of this night is deleted again and again in {channel}."),
        OutageReason.REFUSED: mark("Discord does not take this night's message in {channel}."),
    },
    lacking=mark("I can't show this night in {channel} any more. Missing permissions there: {names}."),
    outside=mark("I may not show this night in {channel} any more: in a private thread, mention {bot} to add me."),
    waiting=mark("That has been so since {when}; the night goes on."),
    elsewhere=mark("Its results stay: {/night} shows them."),
    later=mark("Its message comes back by itself then."),
    remedy=mark("Its message comes back by itself once that is put right."),
    refused=mark("Its message comes back by itself once that is put right."),
)

_log = structlog.get_logger(__name__)


class NightMessage(LiveMessage):
    """The message of one night; `show` receives each change of the night."""

    shows = "night"
    outage_words = _OF_NIGHT

    def __init__(
        self,
        context: LiveContext,
        nights: LiveNights,
        night: Night,
        read: Callable[[Night], Awaitable[Illustrated]],
        posted: Callable[[Night], None],
    ) -> None:
        """Prepare the message.

        - `read`: returns what the message shows.
        - `posted`: is called once it is posted and saved.
        """
        super().__init__(context, {"night": night.id}, texts_for(night.locale), may_already_be_posted=True)
        self.night = night
        self._message_id = night.message_id
        self._nights = nights
        self._read = read
        self._posted = posted
        self._shows: Illustrated | None = None

    def show(self, night: Night, *, is_urgent: bool = False) -> None:
        """Show this state of the night."""
        self.night = night
        if night.message_id is None and self._message_id == night.sign_up_id:
            self._message_id = None  # the board is posted at the foot of the channel
        self.request_update(is_urgent=is_urgent)

    @property
    def address(self) -> MessageAddress:
        return MessageAddress(self.night.guild_id, self.night.plan.post_channel, self._message_id)

    @property
    def nonce(self) -> str:
        kind = "night" if self.night.sign_up_id is None else "board"
        return f"{kind}-{self.night.id}" if self._message_id is None else str(self._message_id)

    @property
    def search_after(self) -> int | None:
        return self._message_id or self.night.sign_up_id

    @property
    def is_reposted(self) -> bool:
        return not self.night.is_finished

    def look(self) -> Illustrated | None:
        return self._shows

    def recognises(self, components: Sequence[object]) -> bool:
        """Return whether the components include the sign-up button."""
        presses = map(parse_id, custom_ids_of(components))
        joins = (read_arg(press.arg) for press in presses if press is not None and press.verb == PlayerVerb.JOIN)
        return any(arg is not None and arg[0] == self.night.id for arg in joins)

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        self._message_id = message_id
        await self._save()

    async def write_beside(self, permit: RequestPermit) -> None:
        """Make the sign-up message link to the board."""
        night = self.night
        if night.sign_up_id is None or night.message_id is None:
            return
        address = MessageAddress(night.guild_id, night.plan.post_channel, night.sign_up_id)
        left = begun_screen(night, self.texts)
        await Notice(self.context, {"night": night.id}, self.texts, address, say=lambda: Illustrated(left)).write(
            permit
        )
        await self._nights.update(night.id, lambda now: replace(now, sign_up_id=None))

    async def _show(self, permit: RequestPermit) -> None:
        if self.night.is_finished and self._message_id is None:
            return
        self._shows = await self._read(self.night)
        await super()._show(permit)
        await self._save()

    async def _save(self) -> None:
        message_id = self._message_id
        if self.night.message_id == message_id:
            return
        changed = await self._nights.update(self.night.id, lambda now: replace(now, message_id=message_id))
        if isinstance(changed, Night):
            self.night = changed
            self._posted(changed)


@dataclass(eq=False)
class NightMessages(ShardResource):
    """Implements `bot.tables.nights.round_tables.NightFace`, and receives events of nights from the hub."""

    _rooms: Rooms
    _ladder: LadderReader
    _messages: dict[int, NightMessage] = field(default_factory=dict, init=False)
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    def __post_init__(self) -> None:
        self._live, self._nights, self._client = self._rooms.live, self._rooms.nights, self._rooms.client
        self._context = self._live.context
        self.events = ServerEvents(self._client, self._nights, self._rooms.defaults)
        self._posts = NightPosts(self._context, self._nights, self._post_context, self.gone)
        self._threads = TableThreads(self._live, self._nights)

    def night_changed(self, changed: NightChanged) -> None:
        """Update a night's message, and do everything else that a change requires."""
        night = changed.night
        message = self._messages.get(night.id)
        former = None if message is None else message.night
        if message is None:
            if night.is_finished and night.message_id is None:
                return
            if night.status is NightStatus.RUNNING:
                self._tasks.start(self._tidy(night))
            message = NightMessage(self._context, self._nights, night, self._look, self.events.make)
            self._messages[night.id] = message
            self._live.add(message)
            self._look_for_role(night)
        message.show(night, is_urgent=former is None or former.status != night.status)
        ended = night.finished_thread_ids if former is None else night.finished_thread_ids - former.finished_thread_ids
        for thread_id in ended:
            self._tasks.start(self._threads.close(night.id, thread_id))
        if former is not None:
            self.events.follow(former, night)
        self._posts.changed(night)
        if night.is_finished:
            self._forget_finished()

    def rights_changed(self, changed: RightsChanged) -> None:
        """Check a server's nights: a role that they require may have been deleted."""
        for night in self._nights.nights_in(changed.guild_id):
            self._look_for_role(night)

    def servers_reached(self, reached: ServersReached) -> None:
        """Check these servers' nights: in the meantime a role may have been deleted, or a channel hidden."""
        for night in (night for guild_id in reached.guild_ids for night in self._nights.nights_in(guild_id)):
            self._look_for_role(night)
            self.events.look(night)

    def access_changed(self, changed: OpenChannels | SettingsChanged) -> None:
        """Check the server events of nights that may have become public or hidden."""
        for night in self._nights.nights_in(changed.guild_id):
            self.events.look(night)

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        """Return the id of a table's thread; None if Discord does not create it now.

        Raises:
            NoPlaceError: Discord refuses it for good.
        """
        return await self._threads.thread_for(night, table, texts_for(night.locale))

    async def gone(self, night: Night) -> Collection[int]:
        """Return which people of a night have left the server."""
        return await self._live.members.gone(night.guild_id, night.people)

    def threads_from(self, night: Night) -> int | None:
        """Return from when Discord accepts new threads in the night's channel (milliseconds); None if it does now."""
        return self._context.requests.threads_from(night.plan.channel_id)

    def is_posted(self, night: Night) -> bool:
        """Return whether all required posts of a night exist."""
        return is_complete(night)

    async def is_notified(self, night: Night) -> bool:
        """Return whether all required posts exist, and the night's message is up to date."""
        message = self._messages.get(night.id)
        return self.is_posted(night) and (message is None or await is_written(message))

    async def review(self, night: Night) -> tuple[Honour, ...]:
        """Return the highlights of a night.

        Raises:
            StoreError: The matches could not be read.
        """
        return await read_honours(self._rooms.store.archive, night)

    def thread_started(self, message: discord.Message) -> None:
        """Delete Discord's line that a thread was started: one for each table would push the board away."""
        is_line = message.type is discord.MessageType.thread_created and message.author == self._client.user
        if is_line and any(known.night.plan.channel_id == message.channel.id for known in self._messages.values()):
            self._tasks.start(self._delete(message))

    async def write(self, night: Night, line: str, nonce: str) -> int | DiscordRefusal:
        """Post a line of the host, which mentions everybody signed up.

        `nonce` is of this line alone: a retry posts it once.

        Returns:
            How many are mentioned, or why not everybody is; a temporary refusal is retried meanwhile.
        """
        calls = self._posts.calls(night, nonce, line, night.signed_up)
        await asyncio.wait({self._tasks.start(self._posts.write(calls))}, timeout=LETTER_S)
        return outcome_of(calls)

    async def release(self, servers: ServerFilter) -> None:
        """Stop writing about the nights of these servers: another process takes them over."""
        for number, message in tuple(self._messages.items()):
            if servers(message.night.guild_id):
                del self._messages[number]
                self._posts.forget(number)
                self.events.forget(number)
                self._threads.forget(number)

    async def is_announced(self, night: Night) -> bool:
        """Update a night's message, for at most `LETTER_S` seconds; return whether it is posted."""
        message, is_written = self._messages[night.id], False
        with suppress(TimeoutError):
            async with asyncio.timeout(LETTER_S):
                is_written = await message.try_write(is_urgent=True)
        return is_written and message.outage is None and message.address.message_id is not None

    def problems(self, guild_id: int, texts: Texts) -> list[str]:
        """Return lines about the threads and events that Discord refuses for the nights of a server."""
        lines = []
        for night in self._nights.nights_in(guild_id):
            found = (self._threads.refusal(night, texts), self.events.refusal(night, texts))
            lines += [f"<#{night.plan.channel_id}> · {line}" for line in found if line is not None]
        return lines

    def warning(self, night: Night, texts: Texts) -> str | None:
        """Retry a night's message if it cannot be shown; return what is wrong with it or the threads, or None."""
        message = self._messages.get(night.id)
        if message is not None and message.outage is not None:
            message.retry()
        lines = (None if message is None else message.problem_line(texts), self._threads.refusal(night, texts))
        return "\n".join(filter(None, lines)) or None

    async def stop(self) -> None:
        """Stop writing about nights. What is posted stays."""
        self._tasks.cancel()
        self.events.stop()
        await self._posts.stop()

    # ------------------------------------------------------------------ the night's message

    async def _look(self, night: Night) -> Illustrated:
        texts = texts_for(night.locale)
        if night.status is NightStatus.PLANNED or night.status is NightStatus.CANCELLED:
            return Illustrated(sign_up_screen(night, texts))
        lines = standings(night)
        live = live_tables(self._rooms.directory, night)
        layout = running_screen(night, lines, live, texts, threads_from=self.threads_from(night))
        return Illustrated(layout)

    def _forget_finished(self) -> None:
        """Keep only the messages of the latest finished nights: they may be corrected."""
        finished = [number for number, message in self._messages.items() if message.night.is_finished]
        for number in finished[:-_KEPT]:
            self._live.drop(self._messages.pop(number))
            self.events.forget(number)
            self._threads.forget(number)

    async def _post_context(self, night: Night) -> PostContext:
        zone, settings = await self._ladder.zone(night.guild_id), await self._rooms.defaults.read(night.guild_id)
        guild = self._client.get_guild(night.guild_id)

        def is_known(other: Night) -> bool:
            """Return whether readers of this night's channel may hear of another night."""
            channel_ids = (other.plan.channel_id, other.plan.post_channel)
            return night.plan.channel_id in channel_ids or is_public(guild, other.plan, settings)

        texts, coming, host = texts_for(night.locale), self._coming(night, is_known), await self._host(night)
        league = await self._ladder.league_line(night, texts) if night.status is NightStatus.OVER else None
        row = await self._row(night, is_known)
        return PostContext(texts, zone, settings.players_role, coming, host, row, league)

    async def _row(self, night: Night, is_known: Callable[[Night], bool]) -> Sequence[int]:
        """Return how many people came to the last nights of a format without a host, this one at the end."""
        if not {Duty.HONOUR, Duty.RECAP} <= {*night.done}:
            return ()
        past = await self._rooms.store.night_records.past(night.guild_id, _MOST_LOOKED_AT)
        alike = [
            former for former in past if former.plan.format is night.plan.format and former.status is NightStatus.OVER
        ]
        until = [former for former in alike if former.plan.starts_at <= night.plan.starts_at and is_known(former)][
            :_ROW
        ]
        return [len(turnout(former)[0]) for former in reversed(until)]

    async def _host(self, night: Night) -> str | None:
        """Return the mention of a night's host: its planner, or the server's hosts if the planner is gone or banned."""
        hosts = (await self._rooms.defaults.read(night.guild_id)).hosts_role
        role = None if hosts is None else f"<@&{hosts}>"
        if night.host_id is None or await self._rooms.directory.bans.find_many(night.guild_id, (night.host_id,)):
            return role
        found = await self._live.members.look_up(night.guild_id, (night.host_id,))
        return f"<@{night.host_id}>" if found.get(night.host_id, Membership.HERE) is Membership.HERE else role

    def _coming(self, night: Night, is_known: Callable[[Night], bool]) -> int | None:
        """Return the start of the next planned night of a server; a weekly one is planned after its recap."""
        others = filter(is_known, self._nights.nights_in(night.guild_id))
        planned = [other.plan.starts_at for other in others if other.status is NightStatus.PLANNED]
        if night.plan.is_weekly:
            planned.append(next_start(night, self._context.clock.now()))
        return min(planned, default=None)

    def _look_for_role(self, night: Night) -> None:
        """Open a night to everybody if its required role is deleted: nobody can have it any more."""
        guild = self._client.get_guild(night.guild_id)
        if not night.is_finished and is_role_gone(guild, night.plan.entry.role_id):
            self._tasks.start(self._open(night))

    async def _open(self, night: Night) -> None:
        required = night.plan.entry.role_id

        def opened(now: Night) -> Night:
            return without_role(now) if now.plan.entry.role_id == required else now

        await retry_until_saved(
            partial(self._nights.update, night.id, opened), "night.role_not_dropped", night=night.id
        )

    async def _tidy(self, night: Night) -> None:
        """Delete Discord's messages about new threads that came while no bot was connected."""
        with log_failures(_log.info, "night.not_tidied", night=night.id):
            for message in await newest_messages(self._context, night.plan.channel_id, _TIDIED):
                if message.type is discord.MessageType.thread_created and message.author == self._client.user:
                    await self._delete(message)

    async def _delete(self, message: discord.Message) -> None:
        with log_failures(_log.info, "night.line_not_deleted", channel=message.channel.id):
            await delete_message(self._context, message.channel.id, message.id)
