"""Calls people who are missed to their table: the only time that the bot mentions anybody. It knows no game."""

import asyncio
from collections.abc import Sequence
from typing import assert_never

import discord
import structlog

from bot.live.lobby import Lobby
from bot.live.people import Absence
from bot.ui.teller import countdown
from bot.ui.texts import Texts, texts_for

_log = structlog.get_logger(__name__)


class Reminders:
    """Sends each in a task of its own: whoever noticed that somebody is missing does not wait for Discord."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._sending: set[asyncio.Task[None]] = set()

    def send(self, lobby: Lobby, seats: Sequence[int], until: int) -> None:
        """Mention the people of these seats where their table is."""
        task = asyncio.get_running_loop().create_task(self._send(lobby, _user_ids(lobby, seats), until))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, lobby: Lobby, user_ids: Sequence[int], until: int) -> None:
        place = lobby.place
        channel = self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        content = reminder_text(user_ids, lobby.absence, until, texts_for(lobby.locale))
        called = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in user_ids])
        try:
            await channel.send(content, allowed_mentions=called)
        except discord.HTTPException as error:
            _log.warning("reminder.refused", table=lobby.id, status=error.status, code=error.code)


def reminder_text(user_ids: Sequence[int], absence: Absence, until: int, texts: Texts) -> str:
    """One line; `until` in milliseconds."""
    mentions = " ".join(f"<@{user_id}>" for user_id in user_ids)
    line = texts.t("{mentions} — the table awaits you: press any of its buttons.", mentions=mentions)
    otherwise = _otherwise(absence, countdown(until), texts)
    return line if otherwise is None else f"{line} {otherwise}"


def _otherwise(absence: Absence, when: str, texts: Texts) -> str | None:
    match absence:
        case Absence.WAIT:
            return None
        case Absence.ROBOT:
            return texts.t("Otherwise a robot plays for you {when}.", when=when)
        case Absence.SUBSTITUTE:
            return texts.t("Otherwise anybody may take your seat {when}.", when=when)
        case Absence.END:
            return texts.t("Otherwise the table is closed {when}.", when=when)
    assert_never(absence)


def _user_ids(lobby: Lobby, seats: Sequence[int]) -> list[int]:
    players = (lobby.players[seat] for seat in seats)
    return [player.user_id for player in players if player is not None and player.user_id is not None]
