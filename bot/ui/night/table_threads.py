"""The threads in which a night's tables are played: made once, found again after a crash, everybody mentioned once."""

from typing import Final

import discord
import structlog

from bot.nights.night import Night
from bot.nights.rounds import NightTable
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.links import link_to
from bot.ui.kit.names import inert
from bot.ui.kit.texts import Texts
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.night.words import round_name, sides

_ARCHIVE_MINUTES: Final = 1440
_MAX_NAME: Final = 100  # Discord's limit for a thread's name
_TITLE: Final = 60

_log = structlog.get_logger(__name__)


async def thread_for(
    client: discord.Client, requests: BotRequests, night: Night, table: NightTable, texts: Texts
) -> int | None:
    """The id of a table's thread; None where Discord does not make it now."""
    channel_id, name = night.plan.channel_id, thread_name(night, table, texts)
    found = _known(client, night, name)
    try:
        if found is None:
            channel = client.get_channel(channel_id)
            if not isinstance(channel, discord.TextChannel):
                _log.warning("night.no_channel", night=night.id, channel=channel_id)
                return None
            async with requests.slot(is_urgent=True) as slot:
                slot.request()
                thread = await channel.create_thread(
                    name=name, type=discord.ChannelType.public_thread, auto_archive_duration=_ARCHIVE_MINUTES
                )
            found = thread.id
        await _mention(client, requests, night, table, found, texts)
    except FAILED as error:
        _log.warning("night.thread_refused", night=night.id, **facts(error))
        return None
    return found


def thread_name(night: Night, table: NightTable, texts: Texts) -> str:
    """`Soirée du samedi #12 · R2 · T3`: no other table of any night of this server is called so."""
    title = inert(night.plan.title, _TITLE) or "Kem's"
    return texts.t(
        "{title} #{night} · R{round} · T{table}",
        title=title, night=night.number, round=len(night.rounds), table=table.number,
    )[:_MAX_NAME]  # fmt: skip


def mention_line(night: Night, table: NightTable, texts: Texts) -> str:
    """Who plays whom here, each person mentioned."""
    users = [night.entrants[seat].user_id for seat in table.seats if seat is not None]
    people = " ".join(f"<@{user_id}>" for user_id in users if user_id is not None)
    where = texts.t("Table {number}", number=table.number)
    if night.round is not None:
        where = f"{round_name(night, night.round, texts)} · {where}"
    board = ""
    if night.message_id is not None:
        board = "\n-# " + link_to(night.guild_id, night.plan.channel_id, night.message_id)
    return f"{people}\n**{where}**: {' — '.join(sides(night, table))}{board}"


def _known(client: discord.Client, night: Night, name: str) -> int | None:
    """The thread of that name which was made before a crash, and not noted."""
    guild = client.get_guild(night.guild_id)
    threads = () if guild is None else guild.threads
    own = None if client.user is None else client.user.id
    for thread in threads:
        if thread.parent_id == night.plan.channel_id and thread.owner_id == own and thread.name == name:
            return thread.id
    return None


async def _mention(
    client: discord.Client, requests: BotRequests, night: Night, table: NightTable, thread_id: int, texts: Texts
) -> None:
    """Discord takes the first of two posts with one nonce."""
    thread = client.get_partial_messageable(thread_id, guild_id=night.guild_id)
    nonce = f"n{night.id}.{len(night.rounds)}.{table.number}"[:25]
    allowed = discord.AllowedMentions(everyone=False, roles=False, users=True)
    async with requests.slot(thread_id, is_urgent=True) as slot:
        slot.request()
        await thread.send(mention_line(night, table, texts), allowed_mentions=allowed, nonce=nonce)
