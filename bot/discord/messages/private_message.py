"""A private message: one person sees it, and the token of their newest press is the only way to it.

A token lives for fifteen minutes. Each press brings a new one, so the answer to a press can overtake an edit.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

import discord
import structlog

from bot.discord.api.components import Layout
from bot.discord.api.error_codes import ErrorCode, code_of, may_pass
from bot.discord.api.requests import edit_by_token, error_fields, log_failures, post_by_token
from bot.discord.messages.panel_memory import FRESH_MS
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.throttling import Coalescer, LastSent, Slot, Urgency

REFRESH_S: Final = 3.0
"""The longest that one edit may take."""
_NEW_MS: Final = 10_000
"""How long Discord may not know a token that it has given itself."""

_log = structlog.get_logger(__name__)

T = TypeVar("T")
Draw = Callable[[], Layout]


@dataclass(frozen=True, slots=True)
class PanelToken:
    """The token of the press that a message answered last, made at `made_at`.

    The token's original message is the bot's answer to the press, or the pressed message if the answer changed that.
    Unless the message `is_follow_up`, it is that one.
    """

    client: discord.Client = field(repr=False)
    message_id: int
    token: str = field(repr=False)
    made_at: int
    channel_id: int
    is_follow_up: bool = False

    async def edit(self, layout: Layout | None) -> None:
        """Change the message; None deletes it."""
        await edit_by_token(self.client, self.token, layout, self.message_id if self.is_follow_up else None)

    async def delete(self, requests: PanelRequests, now: int) -> None:
        """Delete the message after a newer press of its owner, if the token still reaches it."""
        if now - self.made_at >= FRESH_MS:
            return
        slot = requests.slot()
        slot.urgency = Urgency.GESTURE  # its owner has pressed just now
        with log_failures(_log.debug, "panel.gone", channel=self.channel_id):
            async with slot:
                slot.record_sent()
                await self.edit(None)

    async def post(self, layout: Layout) -> "PanelToken":
        """Post the message once more, at the end of the channel; how that one is reached."""
        posted = await post_by_token(self.client, self.token, layout)
        return replace(self, message_id=posted, is_follow_up=True)


@dataclass(eq=False, kw_only=True)
class PrivateMessage:
    """`shown` is what the message has. The `writer` brings it up to date with `edit`."""

    reach: PanelToken
    writer: Coalescer = field(repr=False)
    shown: LastSent = field(default_factory=LastSent, repr=False)
    _doubted: str = field(default="", repr=False)  # the token that Discord did not know once

    async def edit(self, slot: Slot, emojis: CustomEmojis, draw: Draw, now: int, within: float = 0.0) -> bool:
        """Show what is drawn, as `reaches` does. What a press has crossed is written again `within` so many seconds."""

        async def send(reach: PanelToken) -> None:
            layout = draw()
            if not self.shown.equals(layout):
                slot.record_sent()
                await deliver(self.shown, slot, emojis, layout, reach.edit, draw)
                if not self.shown.is_known:  # the answer to a press crossed it: perhaps this edit came last
                    self.writer.ask(within=within)

        return await self.reaches(send, now)

    async def reaches(self, send: Callable[[PanelToken], Awaitable[None]], now: int) -> bool:
        """Use the token. Returns False where the message is lost: its owner dismissed it, or its token has lapsed.

        Raises:
            discord.HTTPException: it is to be written again.
            TimeoutError: it is to be written again.
        """
        reach = self.reach
        try:
            await send(reach)
        except discord.HTTPException as error:
            if may_pass(error):
                raise
            is_unknown = code_of(error) is ErrorCode.UNKNOWN_WEBHOOK
            if is_unknown and self._doubted != reach.token and now - reach.made_at < _NEW_MS:
                self._doubted = reach.token  # Discord may not know its own token yet
                raise
            if self.reach is reach:  # else a newer press has made it whole again
                note = _log.info if isinstance(error, discord.NotFound) else _log.warning
                note("panel.lost", channel=reach.channel_id, **error_fields(error))
                return False
        return True


async def deliver(
    shown: LastSent,
    slot: Slot,
    emojis: CustomEmojis,
    layout: Layout,
    send: Callable[[Layout], Awaitable[T]],
    draw: Draw,
) -> T:
    """Send a private message by its token within `REFRESH_S`.

    Raises:
        discord.HTTPException: Discord refuses it.
        TimeoutError: it took too long.
    """
    with shown.recording() as sent:
        async with asyncio.timeout(REFRESH_S) as slot.patience:  # else discord.py waits, and holds the token
            layout, answer = await emojis.deliver(layout, send, draw)
        sent(layout)
    return answer


def panel_writer(
    requests: PanelRequests, write: Callable[[Slot], Awaitable[None]], channel_id: Callable[[], int]
) -> Coalescer:
    """Return the writer of a private message about a table that is in that channel now."""
    return Coalescer(
        write,
        interval=lambda _is_urgent: requests.edit_interval(channel_id()),
        slot=lambda: requests.slot(channel_id()),
        shows="panel",
    )
