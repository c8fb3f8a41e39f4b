"""A notice: a message that everything goes on without. It is posted once, and deleted when there is nothing to say."""

from collections.abc import Callable, Collection, Mapping

import discord

from bot.ui.kit.texts import Texts
from bot.ui.live.illustrations import Look
from bot.ui.live.live_message import LiveContext, LiveMessage, Spot
from bot.ui.live.pace import Slot


class Notice(LiveMessage):
    is_dispensable = True
    comes_back = False

    def __init__(
        self,
        context: LiveContext,
        about: Mapping[str, int],
        texts: Texts,
        spot: Spot,
        look: Callable[[], Look | None],
        nonce: str,
        users: Collection[int] | bool = (),
        interval: float | None = None,
    ) -> None:
        """It is deleted when `look` returns None. `users` are mentioned; True: all that it names.

        `interval`: seconds between two edits; None: as for other messages.
        """
        super().__init__(context, about, texts, spot)
        self._nonce = nonce
        self._edit_interval = interval
        self._say = look
        mentioned = users if isinstance(users, bool) else [discord.Object(user_id) for user_id in users]
        self.mentions = discord.AllowedMentions(everyone=False, roles=False, users=mentioned)

    @property
    def nonce(self) -> str:
        return self._nonce

    def look(self) -> Look | None:
        return self._say()

    def _interval(self, is_urgent: bool) -> float:
        return super()._interval(is_urgent) if self._edit_interval is None else self._edit_interval

    async def _show(self, slot: Slot) -> None:
        if self.look() is not None:
            await super()._show(slot)
            return
        if self.spot.message_id is not None:
            await slot.request_in_turn()
            await self.context.client.http.delete_message(self.spot.channel_id, self.spot.message_id)
        self.is_over = True
