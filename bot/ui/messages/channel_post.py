"""Keeps the message of a lobby up to date whose match is played in a thread: it links there, then tells the end."""

from typing import Final

import discord
import structlog

from bot.tables.lobby.place import FormerMessage
from bot.ui.kit.components import Layout
from bot.ui.kit.edits import edit_message
from bot.ui.kit.failures import facts
from bot.ui.messages.coalescer import LastSent
from bot.ui.messages.limits.budget import Slot

_SERVER_ERROR: Final = 500

_log = structlog.get_logger(__name__)


class ChannelPost:
    """One table's post. It is edited before the table's own message says that nothing more will happen."""

    def __init__(self, client: discord.Client, table_id: int) -> None:
        self._client = client
        self._table_id = table_id
        self._shown = LastSent()
        self._is_gone = False

    def is_due(self, layout: Layout) -> bool:
        """Whether the post does not show that yet."""
        return not (self._is_gone or self._shown.is_now(layout))

    async def bring_up_to_date(self, post: FormerMessage, layout: Layout, slot: Slot) -> None:
        """Raises discord.HTTPException where Discord is out of order: it is tried again."""
        if not self.is_due(layout):
            return
        slot.request()
        try:
            with self._shown.sending() as sent:
                await edit_message(self._client, post.channel_id, post.message_id, layout)
                sent(layout)
        except discord.HTTPException as error:
            if error.status >= _SERVER_ERROR:
                raise
            _log.info("post.refused", table=self._table_id, **facts(error))
            self._is_gone = True  # deleted, or out of reach: the match goes on without it
