"""Tells people what their table's own message cannot: that they are missed, or that it is gone. It knows no game.

Missed players are mentioned, and nobody else. A call says what is true: it is edited while it is, then deleted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, assert_never

import discord
import structlog

from bot.records.player import Player
from bot.tables.absence import Absence
from bot.tables.lobby import Lobby, Status
from bot.tables.table import Table
from bot.ui.kit.failures import facts
from bot.ui.kit.names import display_name
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.messages.coalescer import Budget, Coalescer
from bot.ui.words.table_text import countdown

EDIT_INTERVAL: Final = 5.0
"""Seconds between two edits of one call, which shares its channel's limit with the table's message."""

_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500

_log = structlog.get_logger(__name__)


class Reminders:
    """All calls under way. Nothing that notices a missing player waits for Discord."""

    def __init__(self, client: discord.Client, budget: Budget, called: Callable[[int], Mapping[int, int]]) -> None:
        """`called` gives the seats of a table that are waited for, and until when (milliseconds)."""
        self._client = client
        self._budget = budget
        self._called = called
        self._notices: dict[int, list[_Notice]] = {}

    def call(self, table: Table, seats: Sequence[int], until: int) -> None:
        """Mention the people of these seats where their table is."""
        user_ids = [user_id for user_id, seat in table.lobby.people.items() if seat in seats]

        def content() -> str | None:
            lobby = table.lobby
            if table.is_over or lobby.status is not Status.PLAYING:
                return None
            is_paused = table.table_view().pause is not None
            return reminder_text(lobby, user_ids, self._called(table.id), texts_for(lobby.locale), is_paused=is_paused)

        self._show(table.lobby, table.lobby.place.channel_id, content, user_ids, f"{table.id}-{until}")

    def tell(self, lobby: Lobby, channel_id: int, line: str) -> None:
        """Say something about a table in a channel beside its own, under the names of its people."""
        names = ", ".join(display_name(player) for player in lobby.players if player is not None)
        self._show(lobby, channel_id, lambda: f"{names} — {line}", (), f"{lobby.id}-{lobby.place.channel_id}"[:25])

    def changed(self, table_id: int) -> None:
        """Somebody came, or was done without; or the table has moved on."""
        notices = [notice for notice in self._notices.pop(table_id, ()) if not notice.is_done]
        if notices:
            self._notices[table_id] = notices
        for notice in notices:
            notice.writer.ask()

    def stop(self) -> None:
        """Write nothing any more: the bot is leaving."""
        for notices in self._notices.values():
            for notice in notices:
                notice.writer.close()

    def forget(self, table_id: int) -> None:
        """The table is gone."""
        self._notices.pop(table_id, None)  # not closed: there may be something left to delete

    def _show(
        self, lobby: Lobby, channel_id: int, content: Callable[[], str | None], called: Collection[int], nonce: str
    ) -> None:
        channel = self._client.get_partial_messageable(channel_id, guild_id=lobby.place.guild_id)
        notice = _Notice(channel, self._budget, lobby.id, content, called, nonce)
        self._notices.setdefault(lobby.id, []).append(notice)
        notice.writer.ask()


class _Notice:
    """One message: posted, brought up to date, and deleted when there is nothing to say any more."""

    def __init__(
        self,
        channel: discord.PartialMessageable,
        budget: Budget,
        table_id: int,
        content: Callable[[], str | None],
        called: Collection[int],
        nonce: str,
    ) -> None:
        """`called` are mentioned. Of all posts with one `nonce` (up to 25 characters) Discord takes the first."""
        self.is_done = False
        self.writer = Coalescer(self._write, interval=EDIT_INTERVAL, budget=budget)
        self._channel = channel
        self._table_id = table_id
        self._content = content
        self._mentions = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in called])
        self._nonce = nonce
        self._may_be_posted = False
        self._message: discord.Message | None = None
        self._shown: str | None = None

    async def _write(self) -> int:
        content = self._content()
        if self.is_done or (content is not None and content == self._shown):
            return 0
        try:
            if content is None:
                self.is_done = await self._delete()
            elif self._message is None:
                await self._post(content)
            else:
                await self._message.edit(content=content, allowed_mentions=self._mentions)
                self._shown = content
        except discord.HTTPException as error:
            if error.status == _TOO_MANY or error.status >= _SERVER_ERROR:
                raise  # it may do the next time
            _log.warning("reminder.refused", table=self._table_id, **facts(error))
            self.is_done = True
        return 1

    async def _post(self, content: str) -> None:
        was_posted, self._may_be_posted = self._may_be_posted, True
        self._message = await self._channel.send(content, allowed_mentions=self._mentions, nonce=self._nonce)
        if was_posted:  # by an attempt that nobody saw the end of, perhaps with other words
            self.writer.ask()
        else:
            self._shown = content

    async def _delete(self) -> bool:
        if self._message is not None:
            await self._message.delete()
        return True


def reminder_text(
    lobby: Lobby, user_ids: Collection[int], called: Mapping[int, int], texts: Texts, *, is_paused: bool = False
) -> str | None:
    """What is true of people who were called, one line for each fate; None when all are there.

    `called`: the seats that are waited for, and until when (milliseconds).
    """
    fates: dict[str, list[int]] = {}
    for seat, player in enumerate(lobby.players):
        if player is not None and player.user_id is not None and player.user_id in user_ids:
            line = _fate(lobby, seat, player, called, texts, is_paused=is_paused)
            if line is not None:
                fates.setdefault(line, []).append(player.user_id)
    return "\n".join(f"{_mentions(missed)} — {line}" for line, missed in fates.items()) or None


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
    match lobby.absence:
        case Absence.WAIT:
            return None
        case Absence.ROBOT:
            return texts.t("Otherwise a robot plays for you {when}.", when=when)
        case Absence.SUBSTITUTE:
            return texts.t("Otherwise anybody may take your seat {when}.", when=when)
        case Absence.END:
            return texts.t("Otherwise the table is closed {when}.", when=when)
    assert_never(lobby.absence)


def _mentions(user_ids: Collection[int]) -> str:
    return " ".join(f"<@{user_id}>" for user_id in user_ids)
