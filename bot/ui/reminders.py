"""Tells people what their table's own message cannot: that they are missed, or that it is gone. It knows no game.

Whoever is missed is mentioned; nobody else ever is.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, assert_never

import discord
import structlog

from bot.live.lobby import Lobby
from bot.live.people import Absence
from bot.ui.names import display_name
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
        user_ids = _user_ids(lobby, seats)
        content = reminder_text(user_ids, lobby.absence, until, texts_for(lobby.locale))
        self._start(self._send(lobby, lobby.place.channel_id, content, user_ids))

    def tell(self, lobby: Lobby, channel_id: int, line: str) -> None:
        """Say something about a table in a channel beside its own, under the names of its people."""
        names = ", ".join(display_name(player) for player in lobby.players if player is not None)
        self._start(self._send(lobby, channel_id, f"{names} — {line}", ()))

    def _start(self, sending: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, lobby: Lobby, channel_id: int, content: str, called: Sequence[int]) -> None:
        channel = self._client.get_partial_messageable(channel_id, guild_id=lobby.place.guild_id)
        mentions = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in called])
        try:
            await channel.send(content, allowed_mentions=mentions)
        except (discord.HTTPException, OSError) as error:
            _log.warning("reminder.refused", table=lobby.id, problem=str(error))


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
