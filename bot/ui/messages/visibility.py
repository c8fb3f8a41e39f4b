"""Whether the message of one table can be shown where it is, and since when it cannot."""

from typing import Final

import discord
import structlog

from bot.tables.clock import Clock
from bot.tables.lobby.place import Place
from bot.ui.kit.permissions import lacking
from bot.ui.kit.texts import Texts
from bot.ui.messages.private_threads import may_be_private
from bot.ui.messages.unseen import Unseen, Why, unseen_text

MOST_DELETIONS: Final = 3
"""A message that is deleted more often in a minute is posted no more."""
_MINUTE_MS: Final = 60_000

_log = structlog.get_logger(__name__)


class Visibility:
    """`unseen` says why the message cannot be shown; None while it can."""

    def __init__(self, client: discord.Client, clock: Clock, table_id: int) -> None:
        self.unseen: Unseen | None = None
        self._client = client
        self._clock = clock
        self._table_id = table_id
        self._deletions: list[int] = []

    def deleted(self) -> bool:
        """The message was deleted. Returns whether that has happened too often."""
        now = self._clock.now()
        self._deletions = [at for at in self._deletions if now - at < _MINUTE_MS] + [now]
        return len(self._deletions) > MOST_DELETIONS

    def lose(self, why: Why) -> bool:
        """The message cannot be shown. Returns whether that is news."""
        unseen = Unseen(why, self._clock.now() if self.unseen is None else self.unseen.since)
        if unseen == self.unseen:
            return False
        self.unseen = unseen
        _log.warning("board.unseen", table=self._table_id, why=why.value)
        return True

    def regain(self) -> None:
        """The message is shown again."""
        self.unseen = None
        _log.info("board.seen_again", table=self._table_id)

    def told(self, place: Place, texts: Texts) -> str | None:
        """Why the message cannot be shown; None where it can."""
        if self.unseen is None:
            return None
        channel_id, guild = place.channel_id, self._client.get_guild(place.guild_id)
        lacks = lacking(self._client, place.guild_id, channel_id)
        is_outside = guild is not None and may_be_private(guild.get_channel_or_thread(channel_id))
        outside = self._client.user.mention if is_outside and self._client.user is not None else None
        return unseen_text(self.unseen, channel_id, lacks, texts, outside=outside)
