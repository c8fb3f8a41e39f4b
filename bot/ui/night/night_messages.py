"""Shows nights on Discord: messages, threads for tables, reminders, questions to the host, the recap."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import discord
import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.nights.changes import Duty
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightTable
from bot.nights.standings import standings
from bot.records.archive import Archive
from bot.tables.clock import Clock
from bot.tables.hub import NightChanged
from bot.tables.nights.live_nights import LiveNights, next_week
from bot.tables.table_store import Servers
from bot.times import MINUTE_MS
from bot.ui.kit import components as c
from bot.ui.kit.components import link_to
from bot.ui.kit.custom_ids import parse_id
from bot.ui.kit.interactions import FAILED, edit_message, facts, noting
from bot.ui.kit.picture_words import rows_words
from bot.ui.kit.texts import Texts, mark, texts_for
from bot.ui.live.illustrations import Illustrated
from bot.ui.live.live_message import LiveContext, LiveMessage, Spot
from bot.ui.live.live_messages import Notice
from bot.ui.live.outage import OutageWords, Reason
from bot.ui.live.pace import Slot
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.places import ServerDefaults
from bot.ui.night.board import go_on_screen, live_tables, running_screen, still_screen
from bot.ui.night.calendar import keep_event, make_event
from bot.ui.night.check_in import IN_ONE_POST, CheckIn
from bot.ui.night.recap import end_picture, read_honours, recap
from bot.ui.night.sign_up import begun_screen, news_screen, sign_up_screen
from bot.ui.night.table_threads import TableThreads
from bot.ui.night.verbs import PlayerVerb, read_arg
from bot.ui.night.words import begins_line, changed_line, mentions, names_of, reason_of, title_of

_MOST: Final = 2_000
"""Characters of a message."""
_WIDEST: Final = 23
"""Characters of a mention and the space after it."""
_NEWS_MS: Final = 2 * MINUTE_MS
"""How long news are gathered for the next post that calls people."""
_TIDIED: Final = 100
"""Messages of the channel that are looked at after a restart."""
_KEPT: Final = 100
"""Messages of finished nights that may still be edited."""
_OF_NIGHT: Final = OutageWords(
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

_log = structlog.get_logger(__name__)


class NightMessage(LiveMessage):
    """`show` it each change of its night."""

    shows = "night"
    outage_words = _OF_NIGHT

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
        if night.message_id is None and self._message_id == night.sign_up_id:
            self._message_id = None  # the board is posted at the foot of the channel
        self.ask(is_urgent=is_urgent)

    @property
    def spot(self) -> Spot:
        return Spot(self.night.guild_id, self.night.plan.announced_in, self._message_id)

    @property
    def nonce(self) -> str:
        kind = "night" if self.night.sign_up_id is None else "board"
        return f"{kind}-{self.night.id}" if self._message_id is None else str(self._message_id)

    @property
    def found_after(self) -> int | None:
        return self._message_id or self.night.sign_up_id

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

    async def write_beside(self, slot: Slot) -> None:
        """Let the sign-up message lead to the board."""
        night = self.night
        if night.sign_up_id is None or night.message_id is None:
            return
        await slot.request_in_turn()
        with noting(_log.info, "night.sign_up_not_edited", night=night.id):
            await edit_message(self._client, night.plan.announced_in, night.sign_up_id, begun_screen(night, self.texts))
        await self._nights.update(night.id, lambda now: replace(now, sign_up_id=None))

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


@dataclass(eq=False)
class NightMessages:
    """Implements `NightFace`, and hears of nights by the hub. `_zone` reads the time zone of a server."""

    _client: discord.Client
    _clock: Clock
    _presenter: Presenter
    _defaults: ServerDefaults
    _archive: Archive
    _zone: Callable[[int], Awaitable[str]]
    _nights: LiveNights
    _messages: dict[int, NightMessage] = field(default_factory=dict, init=False)
    _questions: dict[int, Notice] = field(default_factory=dict, init=False)  # by night: tables that stand still
    _check_ins: dict[int, CheckIn] = field(default_factory=dict, init=False)
    _still: dict[int, Mapping[int, int]] = field(default_factory=dict, init=False)
    _tasks: Tasks = field(default_factory=Tasks, init=False)
    # One after another: discord.py learns of their limit by the first answer.
    _deleting: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _keeping: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)  # events: the latest edit comes last

    def __post_init__(self) -> None:
        requests, is_settled = self._presenter.requests, self._presenter.is_settled
        self._threads = TableThreads(self._client, requests, self._clock, self._nights.night, is_settled)

    def night_changed(self, changed: NightChanged) -> None:
        """Bring the message of a night up to date, and do what a change asks for beside it."""
        night = changed.night
        message = self._messages.get(night.id)
        former = None if message is None else message.night
        if message is None:
            if night.is_finished and night.message_id is None:
                return
            if night.status is NightStatus.RUNNING:
                self._tasks.begin(self._tidy(night))
            message = NightMessage(self._presenter.live.context, self._nights, night, self._look, self._published)
            self._messages[night.id] = message
            self._presenter.live.add(message)
        message.show(night, is_urgent=former is None or former.status != night.status)
        if night.news_id is not None and not night.unread:
            self._tasks.begin(self._all_read(night))
        ended = night.ended_in if former is None else night.ended_in - former.ended_in
        for thread_id in ended:
            self._tasks.begin(self._threads.close(night.id, thread_id))
        if former is not None:
            self._follow(former, night)
        check_in = self._check_ins.get(night.id)
        if check_in is None and night.check_in_id is not None:
            duty = Duty.REMIND if Duty.REMIND in night.done else Duty.TELL_CHANGE
            asked = replace(night, changed=None)
            check_in = self._check_ins[night.id] = CheckIn(self._presenter.live.context, self._nights, asked, duty)
        if check_in is not None:
            check_in.show(night)
            if night.status is not NightStatus.PLANNED and night.check_in_id is None:
                del self._check_ins[night.id]
        if night.is_finished:
            self._forget_finished()

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        return await self._threads.thread_for(night, table, texts_for(night.locale))

    def threads_from(self, night: Night) -> int | None:
        return self._threads.taken_from(night.plan.channel_id)

    def ask_host(self, night: Night, still: Mapping[int, int]) -> None:
        self._still[night.id] = still
        question = self._questions.get(night.id)
        if question is None and still:
            nonce = f"n{night.id}.{len(night.rounds)}.{min(still.values())}"
            question = self._notice(night, nonce, lambda: self._question(night))
            self._questions[night.id] = question
        if question is not None:
            question.ask()
        if not still:
            self._questions.pop(night.id, None)

    async def call_role(self, night: Night) -> bool:
        role_id = (await self._defaults.read(night.guild_id)).players_role
        if role_id is None:
            return True
        link = link_to(night.guild_id, night.plan.announced_in, night.message_id)
        said = f"<@&{role_id}>\n{begins_line(night.plan, texts_for(night.locale))} {link}"
        return await self._posted(night, f"n{night.id}.role{night.plan.starts_at // MINUTE_MS}", said, passes=True)

    async def ask_people(self, night: Night, duty: Duty) -> bool:
        former = self._check_ins.get(night.id)
        check_in = CheckIn(self._presenter.live.context, self._nights, replace(night, check_in_id=None), duty)
        if former is not None and former.nonce == check_in.nonce:
            check_in = former
        elif former is not None:
            former.is_replaced = True
            if not await _is_written(former):
                return False
        said = (begins_line if duty is Duty.REMIND else changed_line)(night.plan, texts_for(night.locale))
        if not await self._told(night, f"{duty[:1]}{night.changed}", said, IN_ONE_POST, passes=True):
            return False
        self._check_ins[night.id] = check_in
        return await _is_written(check_in) and (check_in.is_over or check_in.spot.message_id is not None)

    async def tell_news(self, night: Night) -> bool:
        people = sorted(night.unread, key=lambda one: one.is_told)[:IN_ONE_POST]
        texts, spot = texts_for(night.locale), Spot(night.guild_id, night.plan.announced_in)
        look = Illustrated(news_screen(night, people, texts))
        new = [one.user_id for one in people if one.user_id is not None and not one.is_told]
        context, nonce = self._presenter.live.context, f"n{night.id}.news{night.version}"[-25:]
        notice = Notice(context, {"night": night.id}, texts, spot, lambda: look, nonce, users=new)
        if not await _is_written(notice):
            return False
        message_id, again_at = notice.spot.message_id, self._clock.now() + _NEWS_MS
        await self._nights.update(night.id, lambda now: now.told(people, message_id, again_at))
        await self._delete_news(night)
        return True

    async def ask_on(self, night: Night) -> bool:
        return await self._posted(night, f"n{night.id}.on", Illustrated(go_on_screen(night, texts_for(night.locale))))

    async def recap(self, night: Night) -> bool:
        # After the recap no restart looks at the night again.
        if (message := self._messages.get(night.id)) is not None and not await _is_written(message):
            return False
        zone, found = await self._zone(night.guild_id), await read_honours(self._archive, night)
        await self._nights.update(night.id, lambda now: replace(now, honours=found))
        said = recap(night, found, self._coming(night, zone), zone, texts_for(night.locale))
        return said is None or await self._posted(night, f"n{night.id}.recap", said)

    def thread_started(self, message: discord.Message) -> None:
        """Discord says in a channel that the bot has started a thread. A line for each table pushes the board away."""
        if any(one.night.plan.channel_id == message.channel.id for one in self._messages.values()):
            self._tasks.begin(self._delete(message))

    def write(self, night: Night, said: str, nonce: str) -> None:
        """Mention everybody who plays with a line of the host. Returns at once."""
        self._tasks.begin(self._told(night, nonce, said))

    def give_up(self, servers: Servers) -> None:
        """Write nothing more about the nights of these servers: another process goes on with them."""
        for number, message in tuple(self._messages.items()):
            if servers(message.night.guild_id):
                message.stop()
                self._presenter.live.drop(self._messages.pop(number))
                if (check_in := self._check_ins.pop(number, None)) is not None:
                    check_in.stop()

    def warning(self, night: Night, texts: Texts) -> str | None:
        """Why the message of a night cannot be shown, which is tried once more; None where it can."""
        message = self._messages.get(night.id)
        if message is not None and message.outage is not None:
            message.retry()
        return None if message is None else message.outage_line(texts)

    def stop(self) -> None:
        self._tasks.cancel()

    # ------------------------------------------------------------------ the night's message

    async def _look(self, night: Night) -> Illustrated:
        texts = texts_for(night.locale)
        if night.status is NightStatus.PLANNED or night.status is NightStatus.CANCELLED:
            return Illustrated(sign_up_screen(night, texts))
        lines = standings(night)
        live = live_tables(self._presenter.directory, night)
        layout = running_screen(night, lines, live, texts, threads_from=self.threads_from(night))
        return Illustrated(layout)

    async def _published(self, night: Night) -> None:
        """Open the thread to talk in, and list the night among the server's events; each once."""
        texts = texts_for(night.locale)
        if night.plan.wants_talk_thread and night.talk_thread_id is None:
            thread_id = await self._talk_thread(night)
            if thread_id is not None:
                await self._nights.update(night.id, lambda now: replace(now, talk_thread_id=thread_id))
        if night.plan.wants_event and night.event_id is None:
            event_id = await make_event(self._client, night, texts)
            if event_id is not None:
                await self._nights.update(night.id, lambda now: replace(now, event_id=event_id))

    async def _talk_thread(self, night: Night) -> int | None:
        name = texts_for(night.locale).t("💬 {title}", title=title_of(night.plan))[:100]
        try:
            async with self._presenter.requests.slot() as slot:
                slot.request()
                channel = self._client.get_partial_messageable(night.plan.announced_in, guild_id=night.guild_id)
                message = channel.get_partial_message(night.message_id or 0)
                return (await message.create_thread(name=name, auto_archive_duration=10080)).id
        except FAILED as error:
            _log.warning("night.talk_refused", night=night.id, **facts(error))
            return None

    async def _keep_event(self, former: Night, night: Night, texts: Texts) -> None:
        async with self._keeping:
            await keep_event(self._client, former, night, texts)

    def _follow(self, former: Night, night: Night) -> None:
        texts = texts_for(night.locale)
        t, title = texts.t, title_of(night.plan)
        if night.passing and (night.plan != former.plan or night.status is not former.status):
            self._tasks.begin(self._pass(night))
        if night.event_id is not None and night is not former:
            self._tasks.begin(self._keep_event(former, night, texts))
        if night.status is NightStatus.OVER and former.status is NightStatus.RUNNING:
            self._tasks.begin(self._announce_end(night, texts))
        if night.status is NightStatus.CANCELLED and former.status is not NightStatus.CANCELLED:
            told = t("The night “{title}” is cancelled.", title=title)
            self._tasks.begin(self._told(night, "off", "\n".join(filter(None, (told, reason_of(night))))))

    async def _announce_end(self, night: Night, texts: Texts) -> None:
        """The podium, below all tables; it leads to the board."""
        lines = standings(night)
        first = [line.entrants for line in lines if line.place == 1 and line.tables]
        names = " · ".join(names_of(night, entrants) for entrants in first)
        said = texts.t("🌙 The night is over.")
        if names:
            count = sum(map(len, first))
            said = texts.n("🏆 **{names}** wins the night!", "🏆 **{names}** win the night!", count, names=names)
        link = link_to(night.guild_id, night.plan.announced_in, night.message_id)
        picture = end_picture(night, lines, await self._zone(night.guild_id), texts)
        podium = c.layout(c.text(f"{said} {link}"), colour=c.GOLD)
        await self._posted(night, f"n{night.id}.end", Illustrated(podium, picture, rows_words(picture)))

    async def _told(self, night: Night, nonce: str, said: str, since: int = 0, *, passes: bool = False) -> bool:
        """Mention everybody who plays, from one of them on. Returns False where it may do later."""
        told, users = [], night.signed_up
        count = min(IN_ONE_POST, (_MOST - len(said)) // _WIDEST)
        for start in range(since, len(users), count):
            people = mentions(users[start : start + count]) or ""
            part = f"n{night.id}.{nonce}.{start}"
            told.append(await self._posted(night, part, f"{people}\n{said}", passes=passes))
        return all(told)

    def _coming(self, night: Night, zone: str) -> int | None:
        """When the next night of a server begins that is planned; a weekly one is planned after its recap."""
        others = self._nights.nights_in(night.guild_id)
        planned = [other.plan.starts_at for other in others if other.status is NightStatus.PLANNED]
        if night.plan.is_weekly:
            planned.append(next_week(night.planned_at, zone, self._clock.now()))
        return min(planned, default=None)

    def _forget_finished(self) -> None:
        """Keep the messages of the nights that ended last: they may be corrected."""
        finished = [number for number, message in self._messages.items() if message.night.is_finished]
        for number in finished[:-_KEPT]:
            self._presenter.live.drop(self._messages.pop(number))

    # ------------------------------------------------------------------ other posts

    def _question(self, night: Night) -> Illustrated | None:
        still = self._still[night.id]
        return Illustrated(still_screen(night, still, texts_for(night.locale))) if still else None

    async def _posted(self, night: Night, nonce: str, said: Illustrated | str, *, passes: bool = False) -> bool:
        """Post in the night's channel, people mentioned; what `passes` goes when the night begins or is changed.

        Returns False where it may do later.
        """
        notice = self._notice(night, nonce, lambda: said)
        is_written, message_id = await _is_written(notice), notice.spot.message_id
        if passes and message_id is not None:
            await self._nights.update(night.id, lambda now: replace(now, passing=(*now.passing, message_id)))
        return is_written and (notice.is_over or message_id is not None)

    async def _pass(self, night: Night) -> None:
        for message_id in night.passing:
            await self._delete(self._channel(night).get_partial_message(message_id))
        gone = night.passing
        await self._nights.update(
            night.id, lambda now: replace(now, passing=tuple(one for one in now.passing if one not in gone))
        )

    async def _all_read(self, night: Night) -> None:
        await self._delete_news(night)
        await self._nights.update(
            night.id, lambda now: now if now.news_id != night.news_id else now.told((), None, now.news_from)
        )

    async def _delete_news(self, night: Night) -> None:
        if night.news_id is not None:
            channel = self._client.get_partial_messageable(night.plan.announced_in, guild_id=night.guild_id)
            await self._delete(channel.get_partial_message(night.news_id))

    def _notice(self, night: Night, nonce: str, look: Callable[[], Illustrated | str | None]) -> Notice:
        spot, texts = Spot(night.guild_id, night.plan.channel_id), texts_for(night.locale)
        return Notice(self._presenter.live.context, {"night": night.id}, texts, spot, look, nonce[-25:], users=True)

    async def _tidy(self, night: Night) -> None:
        """Delete the lines about new threads that came while no bot heard of them."""
        try:
            async with self._presenter.requests.slot() as slot:
                slot.request()
                lately = [message async for message in self._channel(night).history(limit=_TIDIED)]
        except FAILED as error:
            _log.info("night.not_tidied", night=night.id, **facts(error))
            return
        for message in lately:
            if message.type is discord.MessageType.thread_created and message.author == self._client.user:
                await self._delete(message)

    async def _delete(self, message: discord.Message | discord.PartialMessage) -> None:
        with noting(_log.info, "night.line_not_deleted", channel=message.channel.id):
            async with self._deleting, self._presenter.requests.slot() as slot:
                slot.request()
                await message.delete()

    def _channel(self, night: Night) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(night.plan.channel_id, guild_id=night.guild_id)


async def _is_written(message: LiveMessage) -> bool:
    """Bring a message up to date at once. Returns False where that may be tried again later."""
    try:
        await message.write_now()
    except (*FAILED, StoreError) as error:
        _log.info("night.not_written", problem=str(error))
        return False
    return True
