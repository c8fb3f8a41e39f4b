"""Mentions absent players where their table is, and says in another channel that a table's channel is gone.

A reminder is edited while it is true, then deleted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import discord
import structlog

from bot.records.player import Player
from bot.tables.lobby.absence import Absence
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import Table
from bot.ui.kit.failures import facts
from bot.ui.kit.names import display_name
from bot.ui.kit.texts import Texts, mark, texts_for
from bot.ui.messages.coalescer import Coalescer
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.limits.budget import Slot
from bot.ui.words.table_text import countdown

EDIT_INTERVAL: Final = 5.0
"""Seconds between two edits of a reminder, which shares its channel's limit with the table's message."""

_OTHERWISE: Final = {
    Absence.ROBOT: mark("Otherwise a robot plays for you {when}."),
    Absence.SUBSTITUTE: mark("Otherwise anybody may take your seat {when}."),
    Absence.END: mark("Otherwise the table is closed {when}."),
}
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500

_log = structlog.get_logger(__name__)


class Reminders:
    """All reminders. No method waits for Discord."""

    def __init__(
        self, client: discord.Client, requests: BotRequests, called: Callable[[int], Mapping[int, int]]
    ) -> None:
        """`called` gives the seats of a table that are waited for, and until when (milliseconds)."""
        self._client = client
        self._requests = requests
        self._called = called
        self._notices: dict[int, list[_Notice]] = {}

    def call(self, table: Table, seats: Sequence[int], until: int) -> None:
        user_ids = [user_id for user_id, seat in table.lobby.people.items() if seat in seats]

        def content() -> str | None:
            lobby = table.lobby
            if table.is_over or lobby.status is not Status.PLAYING:
                return None
            is_paused = table.table_view().pause is not None
            return reminder_text(lobby, user_ids, self._called(table.id), texts_for(lobby.locale), is_paused=is_paused)

        self._show(table.lobby, table.lobby.place.channel_id, content, user_ids, f"{table.id}-{until}")

    def tell(self, lobby: Lobby, channel_id: int, line: str) -> None:
        """Post a line about a table and the names of its people in another channel."""
        names = ", ".join(display_name(player) for player in lobby.players if player is not None)
        self._show(lobby, channel_id, lambda: f"{names} — {line}", (), f"{lobby.id}-{lobby.place.channel_id}"[:25])

    def changed(self, table_id: int) -> None:
        """Bring the reminders of a table up to date."""
        notices = [notice for notice in self._notices.pop(table_id, ()) if not notice.is_done]
        if notices:
            self._notices[table_id] = notices
        for notice in notices:
            notice.writer.ask()

    def stop(self) -> None:
        for notices in self._notices.values():
            for notice in notices:
                notice.writer.close()

    def give_up(self, table_id: int) -> None:
        """Another process shows the table from now on."""
        for notice in self._notices.pop(table_id, ()):
            notice.writer.close()

    def forget(self, table_id: int) -> None:
        self._notices.pop(table_id, None)  # not closed: there may be something left to delete

    def _show(
        self, lobby: Lobby, channel_id: int, content: Callable[[], str | None], called: Collection[int], nonce: str
    ) -> None:
        channel = self._client.get_partial_messageable(channel_id, guild_id=lobby.place.guild_id)
        notice = _Notice(channel, self._requests, lobby.id, content, called, nonce)
        self._notices.setdefault(lobby.id, []).append(notice)
        notice.writer.ask()


class _Notice:
    """One message: posted, edited, and deleted when `content` gives None."""

    def __init__(
        self,
        channel: discord.PartialMessageable,
        requests: BotRequests,
        table_id: int,
        content: Callable[[], str | None],
        called: Collection[int],
        nonce: str,
    ) -> None:
        """`called` are mentioned. Of all posts with one `nonce` (up to 25 characters) Discord takes the first."""
        self.is_done = False
        self.writer = Coalescer(self._write, interval=lambda _is_urgent: EDIT_INTERVAL, slot=self._slot)
        self._channel = channel
        self._requests = requests
        self._table_id = table_id
        self._content = content
        self._mentions = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in called])
        self._nonce = nonce
        self._may_be_posted = False
        self._message: discord.Message | None = None
        self._shown: str | None = None

    def _slot(self) -> Slot:
        return self._requests.slot(self._channel.id, None if self._message is None else self._message.id)

    async def _write(self, slot: Slot) -> None:
        content = self._content()
        if self.is_done or (content is not None and content == self._shown):
            return
        try:
            if content is None:
                if self._message is not None:
                    slot.request()
                    await self._message.delete()
                self.is_done = True
            elif self._message is None:
                slot.request()
                await self._post(content)
            else:
                slot.request()
                await self._message.edit(content=content, allowed_mentions=self._mentions)
                self._shown = content
        except discord.HTTPException as error:
            if error.status == _TOO_MANY or error.status >= _SERVER_ERROR:
                raise  # it may do the next time
            _log.warning("reminder.refused", table=self._table_id, **facts(error))
            self.is_done = True

    async def _post(self, content: str) -> None:
        was_posted, self._may_be_posted = self._may_be_posted, True
        self._message = await self._channel.send(content, allowed_mentions=self._mentions, nonce=self._nonce)
        if was_posted:  # by an attempt that failed here and not at Discord, perhaps with other words
            self.writer.ask()
        else:
            self._shown = content


def reminder_text(
    lobby: Lobby, user_ids: Collection[int], called: Mapping[int, int], texts: Texts, *, is_paused: bool = False
) -> str | None:
    """What is true of the people who were called, a line for each fate; None when all are back.

    `called`: the seats that are waited for, and until when (milliseconds).
    """
    fates: dict[str, list[int]] = {}
    for seat, player in enumerate(lobby.players):
        if player is not None and player.user_id is not None and player.user_id in user_ids:
            line = _fate(lobby, seat, player, called, texts, is_paused=is_paused)
            if line is not None:
                fates.setdefault(line, []).append(player.user_id)
    mentions = {line: " ".join(f"<@{user_id}>" for user_id in missed) for line, missed in fates.items()}
    return "\n".join(f"{people} — {line}" for line, people in mentions.items()) or None


def _fate(
    lobby: Lobby, seat: int, player: Player, called: Mapping[int, int], texts: Texts, *, is_paused: bool
) -> str | None:
    t = texts.t
    if player.is_away:
        return t("a robot plays for you: press any button of the table to play again yourself.")
    if player.is_open:
        return t("anybody may take your seat: press any button of the table to keep it.")
    if seat not in called:
        return None
    if is_paused:
        return t("the match is paused: it goes on as soon as somebody resumes it.")
    line = t("the table awaits you: press any of its buttons.")
    otherwise = _otherwise(lobby, called, countdown(called[seat]), texts)
    return line if otherwise is None else f"{line} {otherwise}"


def _otherwise(lobby: Lobby, called: Mapping[int, int], when: str, texts: Texts) -> str | None:
    if lobby.absence is not Absence.END and called.keys() >= set(lobby.people.values()):
        return texts.t("If nobody comes, the match pauses {when}.", when=when)
    return None if lobby.absence is Absence.WAIT else texts.t(_OTHERWISE[lobby.absence], when=when)
