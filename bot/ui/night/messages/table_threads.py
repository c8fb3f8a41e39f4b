"""The threads for a night's tables: created once, found again after a crash, everybody mentioned once.

Once a table has its result its thread is archived, unless people have written there.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Final

import discord
import structlog

from bot.discord.api.components import link_to
from bot.discord.api.error_codes import ErrorCode, Resource
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.notices import post_once
from bot.discord.messages.posted_message import MessageAddress, Recipients
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.threads import archive_thread, open_thread
from bot.discord.text.names import neutralise
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts, texts_for
from bot.nights.night import Night
from bot.nights.rounds import NightTable, ResultKind
from bot.tables.nights.live_nights import LiveNights
from bot.tables.nights.round_tables import NoPlaceError
from bot.ui.night.board import table_line
from bot.ui.night.words import round_name, sides

LINGER_S: Final = 120.0
"""How long a thread stays open after the result of its table."""
_MOST_WAITS: Final = 10
_MAX_NAME: Final = 100  # Discord's limit for a thread's name
_TITLE: Final = 60

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class TableThreads:
    """Creates, finds and archives the threads of tables."""

    _live: LiveMessages
    _nights: LiveNights
    _refused: dict[int, tuple[DiscordRefusal, int]] = field(default_factory=dict, init=False)
    """By night: the latest refusal, and its channel."""

    def __post_init__(self) -> None:
        self._context, self._client = self._live.context, self._live.context.client

    async def thread_for(self, night: Night, table: NightTable, texts: Texts) -> int | None:
        """Return the id of a table's thread; None if Discord does not create it now.

        Raises:
            NoPlaceError: Discord refuses it; `refusal` says why.
        """
        name = thread_name(night, table, texts)
        found = self._known(night, name) or await self._made(night, name)
        refusal = await self._mention(night, table, found, texts) if isinstance(found, int) else found
        if isinstance(found, int) and refusal is None:
            self._refused.pop(night.id, None)
            return found
        if refusal is not None:
            self._refused[night.id] = refusal, found if isinstance(found, int) else night.plan.channel_id
            if not refusal.may_pass:
                raise NoPlaceError
        return None

    def refusal(self, night: Night, texts: Texts) -> str | None:
        """Return why a night without threads is paused, and what to do; None if it is not."""
        if not night.is_unplaced:
            return None
        known, channel_id = self._refused.get(night.id, (DiscordRefusal(Resource.THREAD), night.plan.channel_id))
        return "⚠️ " + known.words(self._client.get_guild(night.guild_id), texts, channel_id)

    def forget(self, night_id: int) -> None:
        """Forget what Discord has refused for a night."""
        self._refused.pop(night_id, None)

    async def close(self, night_id: int, thread_id: int) -> None:
        """Archive a table's thread after people could see its result, unless the result is undone before.

        A result that no match has shown is posted first: any later post would reopen the thread.
        """
        if (ended := await self._settled(night_id, thread_id)) is None:
            return
        night, table = ended
        guild = self._client.get_guild(night.guild_id)
        thread = None if guild is None else guild.get_thread(thread_id)
        if thread is None or thread.archived:
            return
        if table.result is not None and table.result.kind not in (ResultKind.PLAYED, ResultKind.TIMED):
            address, nonce = MessageAddress(night.guild_id, thread_id), f"n{night.id}.{thread_id}"
            await post_once(
                self._context, address, table_line(night, table), nonce, texts_for(night.locale), night=night.id
            )
        if not self._live.has_talk(thread_id):
            await archive_thread(self._context.requests, thread)

    async def _settled(self, night_id: int, thread_id: int) -> tuple[Night, NightTable] | None:
        for _ in range(_MOST_WAITS):
            await asyncio.sleep(LINGER_S)
            night = self._nights.night(night_id)
            tables = () if night is None else night.all_tables
            table = next((table for table in tables if table.thread_id == thread_id and table.result is not None), None)
            if night is None or table is None:
                return None
            if self._live.is_settled(thread_id):
                return night, table
        return None

    def _known(self, night: Night, name: str) -> int | None:
        """Return the thread of that name that was created before a crash, and not saved."""
        guild, user = self._client.get_guild(night.guild_id), self._client.user
        wanted = (night.plan.channel_id, None if user is None else user.id, name)
        threads = () if guild is None else guild.threads
        return next(
            (thread.id for thread in threads if (thread.parent_id, thread.owner_id, thread.name) == wanted), None
        )

    async def _mention(self, night: Night, table: NightTable, thread_id: int, texts: Texts) -> DiscordRefusal | None:
        nonce = f"n{night.id}.{len(night.rounds)}.{table.number}"
        address, line = MessageAddress(night.guild_id, thread_id), mention_line(night, table, texts)
        recipients = Recipients(user_ids(night, table))
        return await post_once(
            self._context, address, line, nonce, texts, recipients=recipients, is_urgent=True, night=night.id
        )

    async def _made(self, night: Night, name: str) -> int | DiscordRefusal | None:
        channel_id = night.plan.channel_id
        guild = self._client.get_guild(night.guild_id)
        channel = self._client.get_channel(channel_id)
        if guild is None or guild.unavailable:
            return None
        if not isinstance(channel, discord.TextChannel):
            _log.warning("night.no_channel", night=night.id, channel=channel_id)
            return DiscordRefusal(Resource.THREAD, ErrorCode.UNKNOWN_CHANNEL)
        return await open_thread(self._context.requests, channel, name)


def thread_name(night: Night, table: NightTable, texts: Texts) -> str:
    """Return a thread's name, such as `R2 T3 · Soirée du samedi #12`, which is unique among the nights of a server."""
    title = neutralise(night.plan.title, _TITLE) or "Kem's"
    name = texts.t(
        "R{round} T{table} · {title} #{night}",
        title=title, night=night.number, round=len(night.rounds), table=table.number,
    )  # fmt: skip
    return truncate(name, _MAX_NAME)


def user_ids(night: Night, table: NightTable) -> list[int]:
    """Return the ids of the people at a table."""
    users = (night.entrants[number].user_id for number in table.people())
    return [user_id for user_id in users if user_id is not None]


def mention_line(night: Night, table: NightTable, texts: Texts) -> str:
    """Return a line that says who plays whom at this table, with a mention of each person."""
    people = " ".join(f"<@{user_id}>" for user_id in user_ids(night, table))
    where = texts.t("Table {number}", number=table.number)
    if night.round is not None:
        where = f"{round_name(night, night.round, texts)} · {where}"
    board = ""
    if (message_id := night.message_id or night.sign_up_id) is not None:
        board = "\n-# " + link_to(night.guild_id, night.plan.post_channel, message_id)
    sentence = texts.t("{name}: {value}", name=f"**{where}**", value=" — ".join(sides(night, table)))
    return f"{people}\n{sentence}{board}"
