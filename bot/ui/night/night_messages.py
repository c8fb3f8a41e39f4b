"""Shows nights on Discord: messages, threads for tables, reminders, questions to the host, the recap."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightTable
from bot.nights.standings import standings
from bot.records.archive import Archive
from bot.tables.clock import Clock
from bot.tables.shards import Shard
from bot.ui.kit import components as c
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.links import link_to
from bot.ui.kit.palette import GREY
from bot.ui.kit.permissions import may_attach
from bot.ui.kit.picture_words import rows_words
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.illustrations import Illustrated
from bot.ui.messages.presenter import Presenter
from bot.ui.night.calendar.scheduled_event import keep_event, make_event
from bot.ui.night.plan.draft import next_week
from bot.ui.night.public.board_screen import board_screen
from bot.ui.night.public.live_tables import live_tables
from bot.ui.night.public.night_board import NightBoard, NightChanges
from bot.ui.night.public.sign_up_screen import sign_up_screen
from bot.ui.night.recap.end_picture import end_picture
from bot.ui.night.recap.recap_reader import read_honours
from bot.ui.night.recap.recap_screen import recap
from bot.ui.night.table_threads import TableThreads
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import names_of, title_of
from bot.ui.words.table_text import countdown

_IN_ONE_POST: Final = 80
"""People mentioned in one message: Discord takes 2,000 characters."""
_TIDIED: Final = 100
"""Messages of the channel that are looked at after a restart."""
_KEPT: Final = 100
"""Boards of finished nights that may still be edited."""

_log = structlog.get_logger(__name__)


class NightMessages:
    """Implements `NightFace`. Call `attach` first: running nights and their face need each other."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        presenter: Presenter,
        defaults: ServerDefaults,
        archive: Archive,
        zone: Callable[[int], Awaitable[str]],
    ) -> None:
        """`zone` reads the time zone of a server."""
        self._client = client
        self._presenter = presenter
        self._defaults = defaults
        self._clock = clock
        self._archive = archive
        self._zone = zone
        self._threads = TableThreads(client, presenter.requests, clock)
        self._nights: NightChanges | None = None
        self._boards: dict[int, NightBoard] = {}
        self._shown_at: dict[int, int] = {}  # nights by their messages
        self._tasks: set[asyncio.Task[object]] = set()
        self._deleting = asyncio.Lock()  # one after another: discord.py learns of their limit by the first answer

    def attach(self, nights: NightChanges) -> None:
        """Save the ids of messages by `nights`."""
        self._nights = nights

    def changed(self, night: Night) -> None:
        """See `NightFace`."""
        board = self._boards.get(night.id)
        former = None if board is None else board.night
        if board is None:
            if night.is_finished and night.message_id is None:
                return
            if night.status is NightStatus.RUNNING:
                self._begin(self._tidy(night))
            board = self._boards[night.id] = self._board(night)
        if night.message_id is not None:
            self._shown_at[night.message_id] = night.id
        board.ask(night, is_urgent=former is None or former.status != night.status)
        if former is not None:
            self._follow(former, night)
        if night.is_finished:
            self._forget_finished()

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        """See `NightFace`."""
        return await self._threads.thread_for(night, table, texts_for(night.locale))

    def threads_from(self, night: Night) -> int | None:
        """See `NightFace`."""
        return self._threads.taken_from(night.plan.channel_id)

    def ask_host(self, night: Night, table: NightTable, until: int) -> None:
        """See `NightFace`."""
        self._begin(self._ask_host(night, table, until))

    async def remind(self, night: Night) -> bool:
        """See `NightFace`."""
        users = [entrant.user_id for entrant in night.present if entrant.user_id is not None]
        texts = texts_for(night.locale)
        said = texts.t("🌙 {title} begins {when}.", title=title_of(night.plan), when=countdown(night.plan.starts_at))
        for start in range(0, len(users), _IN_ONE_POST):
            people = " ".join(f"<@{user_id}>" for user_id in users[start : start + _IN_ONE_POST])
            if not await self._said(night, f"{people}\n{said}", f"n{night.id}.soon.{start}"):
                return False
        return True

    async def recap(self, night: Night) -> bool:
        """See `NightFace`."""
        assert self._nights is not None, "it is attached"
        board = self._boards.get(night.id)
        if board is not None and not await board.caught_up():  # after the recap no restart looks at the night again
            return False
        zone, found = await self._zone(night.guild_id), await read_honours(self._archive, night)
        await self._nights.update(night.id, lambda now: replace(now, honours=found))
        message = recap(night, found, self._coming(night, zone), zone, texts_for(night.locale))
        if message is None:
            return True
        view, files = await self._presenter.illustrator.ready(message, may_attach=self._may_attach(night))
        return await self._posted(night, f"n{night.id}.recap", view=view, files=files)

    def served(self, guild_ids: Iterable[int]) -> None:
        """Discord serves these servers (again): their messages may be out of date."""
        for guild_id in guild_ids:
            self.try_again(guild_id)

    def try_again(self, guild_id: int) -> None:
        """The bot may have gained a right in a server."""
        for board in self._boards.values():
            if board.night.guild_id == guild_id:
                board.try_again()

    def is_at(self, message_id: int) -> bool:
        """Whether a message shows a night."""
        return message_id in self._shown_at

    def is_in(self, channel_id: int) -> bool:
        """Whether a night has its message in a channel."""
        return any(board.night.plan.channel_id == channel_id for board in self._boards.values())

    def thread_started(self, message: discord.Message) -> None:
        """Discord says in a channel that the bot has started a thread. A line for each table pushes the board away."""
        if self.is_in(message.channel.id):
            self._begin(self._delete(message))

    def deleted(self, message_ids: Collection[int]) -> None:
        """Messages were deleted: a night's message is posted anew."""
        for message_id in message_ids:
            board = self._boards.get(self._shown_at.pop(message_id, 0))
            if board is not None:
                board.deleted()

    def give_up(self, shard: Shard) -> None:
        """Write nothing more about the nights of a shard: another process goes on with them."""
        for number, board in tuple(self._boards.items()):
            if shard.has(board.night.guild_id):
                board.writer.close()
                self._drop(number)

    def stop(self) -> None:
        for board in self._boards.values():
            board.writer.close()
        for task in self._tasks:
            task.cancel()

    # ------------------------------------------------------------------ the night's message

    def _board(self, night: Night) -> NightBoard:
        assert self._nights is not None, "it is attached before a night is shown"
        return NightBoard(
            self._client, self._presenter.requests, self._presenter.illustrator, self._nights, night, self._look,
            self._published,
        )  # fmt: skip

    async def _look(self, night: Night) -> Illustrated:
        texts = texts_for(night.locale)
        if night.status is NightStatus.PLANNED or night.status is NightStatus.CANCELLED:
            role_id = None
            if night.plan.calls_role and night.message_id is None:
                role_id = (await self._defaults.read(night.guild_id)).players_role
            return Illustrated(sign_up_screen(night, texts, calls=role_id))
        lines = standings(night)
        live = live_tables(self._presenter.directory, night)
        layout = board_screen(night, lines, live, texts, threads_from=self.threads_from(night))
        if night.status is not NightStatus.OVER or not self._may_attach(night):
            return Illustrated(layout)
        picture = end_picture(night, lines, await self._zone(night.guild_id), texts)
        return Illustrated(layout) if picture is None else Illustrated(layout, picture, rows_words(picture))

    async def _published(self, night: Night, message: discord.Message) -> None:
        """Open the thread to talk in, and list the night among the server's events; each once."""
        texts = texts_for(night.locale)
        assert self._nights is not None, "it is attached"
        if night.plan.wants_talk_thread and night.talk_thread_id is None:
            thread_id = await self._talk_thread(night, message)
            if thread_id is not None:
                await self._nights.update(night.id, lambda now: replace(now, talk_thread_id=thread_id))
        if night.plan.wants_event and night.event_id is None:
            event_id = await make_event(self._client, night, texts)
            if event_id is not None:
                await self._nights.update(night.id, lambda now: replace(now, event_id=event_id))

    async def _talk_thread(self, night: Night, message: discord.Message) -> int | None:
        name = texts_for(night.locale).t("💬 {title}", title=title_of(night.plan))[:100]
        try:
            async with self._presenter.requests.slot() as slot:
                slot.request()
                return (await message.create_thread(name=name, auto_archive_duration=10080)).id
        except FAILED as error:
            _log.warning("night.talk_refused", night=night.id, **facts(error))
            return None

    def _follow(self, former: Night, night: Night) -> None:
        """What a change asks for beside the message."""
        texts = texts_for(night.locale)
        is_cancelled = night.status is NightStatus.CANCELLED and former.status is NightStatus.PLANNED
        if is_cancelled or (night.status is NightStatus.PLANNED and night.plan != former.plan):
            self._begin(keep_event(self._client, night, texts))
        if night.status is NightStatus.OVER and former.status is NightStatus.RUNNING:
            self._begin(self._announce_end(night, texts))
        if night.status is NightStatus.CANCELLED and former.status is not NightStatus.CANCELLED:
            self._begin(self._announce_cancelled(night, texts))

    async def _announce_end(self, night: Night, texts: Texts) -> None:
        """One line below the tables, which leads to the board with the picture."""
        first = [line for line in standings(night) if line.place == 1 and line.tables]
        winners = " · ".join(names_of(night, line.entrants) for line in first)
        count = sum(len(line.entrants) for line in first)
        said = texts.t("🌙 The night is over.")
        if winners:
            said = texts.n("🏆 **{names}** wins the night!", "🏆 **{names}** win the night!", count, names=winners)
        link = link_to(night.guild_id, night.plan.channel_id, night.message_id)
        await self._said(night, f"{said} {link}", f"n{night.id}.end")

    async def _announce_cancelled(self, night: Night, texts: Texts) -> None:
        users = [entrant.user_id for entrant in night.present if entrant.user_id is not None]
        said = texts.t("{title} is cancelled.", title=title_of(night.plan))
        for start in range(0, len(users), _IN_ONE_POST):
            people = " ".join(f"<@{user_id}>" for user_id in users[start : start + _IN_ONE_POST])
            await self._said(night, f"{people}\n{said}", f"n{night.id}.off.{start}")

    def _coming(self, night: Night, zone: str) -> int | None:
        """When the next night of a server begins that is planned; a weekly one is planned after its recap."""
        assert self._nights is not None, "it is attached"
        planned = [
            other.plan.starts_at
            for other in self._nights.nights_in(night.guild_id)
            if other.status is NightStatus.PLANNED
        ]
        if night.plan.is_weekly:
            planned.append(next_week(night.plan.starts_at, zone, self._clock.now()))
        return min(planned, default=None)

    def _forget_finished(self) -> None:
        """Keep the boards of the nights that ended last: they may be corrected."""
        finished = [number for number, board in self._boards.items() if board.night.is_finished]
        for number in finished[:-_KEPT]:
            self._drop(number)

    def _drop(self, number: int) -> None:
        board = self._boards.pop(number)
        self._shown_at.pop(board.night.message_id or 0, None)

    # ------------------------------------------------------------------ other posts

    async def _ask_host(self, night: Night, table: NightTable, until: int) -> None:
        texts = texts_for(night.locale)
        t = texts.t
        place = t("Table {number}", number=table.number)
        layout = c.layout(
            c.text(
                None if night.host_id is None else f"<@{night.host_id}>",
                t("**{table}** is not played on. What becomes of it?", table=place),
                "-# " + t("Without an answer its score stands {when}.", when=countdown(until)),
            ),
            c.row(c.button(f"{place}…", night_id(NightVerb.HOST, night.id, table.number), style=c.PRIMARY)),
            colour=GREY,
        )
        await self._posted(night, f"n{night.id}.{len(night.rounds)}.{table.number}.{until}", view=PreparedView(layout))

    async def _said(self, night: Night, line: str, nonce: str) -> bool:
        return await self._posted(night, nonce, line)

    async def _posted(
        self,
        night: Night,
        nonce: str,
        line: str | None = None,
        *,
        view: PreparedView | None = None,
        files: list[discord.File] | None = None,
    ) -> bool:
        """Post in the night's channel, people mentioned. Of all posts with one nonce Discord takes the first.

        Returns False where it may do later.
        """
        channel_id = night.plan.channel_id
        channel = self._client.get_partial_messageable(channel_id, guild_id=night.guild_id)
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=True)
        given = {"view": view} if view is not None else {"content": line}
        try:
            async with self._presenter.requests.slot(channel_id) as slot:
                slot.request()
                await channel.send(**given, files=files or [], allowed_mentions=allowed, nonce=nonce[-25:])
        except discord.HTTPException as error:
            _log.warning("night.not_said", night=night.id, **facts(error))
            return error.status < 500 and error.status != 429  # refused for good: nothing more can be done
        except FAILED as error:
            _log.warning("night.not_said", night=night.id, **facts(error))
            return False
        return True

    async def _tidy(self, night: Night) -> None:
        """Delete the lines about new threads that came while no bot heard of them."""
        channel = self._client.get_partial_messageable(night.plan.channel_id, guild_id=night.guild_id)
        try:
            async with self._presenter.requests.slot() as slot:
                slot.request()
                lately = [message async for message in channel.history(limit=_TIDIED)]
        except FAILED as error:
            _log.info("night.not_tidied", night=night.id, **facts(error))
            return
        for message in lately:
            if message.type is discord.MessageType.thread_created and message.author == self._client.user:
                await self._delete(message)

    async def _delete(self, message: discord.Message) -> None:
        try:
            async with self._deleting, self._presenter.requests.slot() as slot:
                slot.request()
                await message.delete()
        except FAILED as error:
            _log.info("night.line_not_deleted", channel=message.channel.id, **facts(error))

    def _may_attach(self, night: Night) -> bool:
        guild = self._client.get_guild(night.guild_id)
        return guild is not None and may_attach(guild, night.plan.channel_id)

    def _begin(self, work: Coroutine[object, object, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
