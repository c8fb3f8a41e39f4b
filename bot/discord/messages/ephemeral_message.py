"""An ephemeral message, which one person sees and only the token of their newest press can edit.

A token expires after fifteen minutes. Each press brings a new one, and its answer can overtake an edit.
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
from bot.discord.rate_limits.throttling import Coalescer, LastSent, RequestPermit, Urgency

REFRESH_S: Final = 3.0
"""Longest time of an edit, in seconds."""
_NEW_MS: Final = 10_000
"""How long after a press Discord may still claim not to know its token, in milliseconds."""

_log = structlog.get_logger(__name__)

T = TypeVar("T")
Draw = Callable[[], Layout]


@dataclass(frozen=True, slots=True)
class PanelToken:
    """The token by which an ephemeral message is edited.

    - `token`: of the newest press that the message answers.
    - `made_at`: when that press was made, in Unix milliseconds.
    - `is_follow_up`: whether the message was posted after the answer. If not, it is the token's original message: the
      answer to the press, or the pressed message that the answer has edited.
    """

    client: discord.Client = field(repr=False)
    message_id: int
    token: str = field(repr=False)
    made_at: int
    channel_id: int
    is_follow_up: bool = False

    async def edit(self, layout: Layout | None) -> None:
        """Edit the message; None deletes it."""
        await edit_by_token(self.client, self.token, layout, self.message_id if self.is_follow_up else None)

    async def delete(self, requests: PanelRequests, now: int) -> None:
        """Delete the message, since a newer panel replaces it; do nothing if the token has expired."""
        if now - self.made_at >= FRESH_MS:
            return
        permit = requests.permit()
        permit.urgency = Urgency.GESTURE  # its owner has pressed just now
        with log_failures(_log.debug, "panel.gone", channel=self.channel_id):
            async with permit:
                permit.record_sent()
                await self.edit(None)

    async def post(self, layout: Layout) -> "PanelToken":
        """Post the message again at the end of the channel, and return the token with the new message's id."""
        posted = await post_by_token(self.client, self.token, layout)
        return replace(self, message_id=posted, is_follow_up=True)


@dataclass(eq=False, kw_only=True)
class EphemeralMessage:
    """An ephemeral message: how it is reached, what it shows, and its `writer`, which calls `edit`."""

    reach: PanelToken
    writer: Coalescer = field(repr=False)
    last_sent: LastSent = field(default_factory=LastSent, repr=False)
    _doubted: str = field(default="", repr=False)  # a token that Discord has once claimed not to know

    async def edit(
        self, permit: RequestPermit, emojis: CustomEmojis, draw: Draw, now: int, within: float = 0.0
    ) -> bool:
        """Edit the message to show what `draw` returns; return False if the message is lost (`reaches`).

        If the answer to a press has crossed the edit, another edit is requested `within` so many seconds.
        """

        async def send(reach: PanelToken) -> None:
            layout = draw()
            if not self.last_sent.equals(layout):
                permit.record_sent()
                await deliver(self.last_sent, permit, emojis, layout, reach.edit, draw)
                if not self.last_sent.is_known:  # the answer to a press has crossed this edit, which may have come last
                    self.writer.request_update(within=within)

        return await self.reaches(send, now)

    async def reaches(self, send: Callable[[PanelToken], Awaitable[None]], now: int) -> bool:
        """Use the token with `send`; return False if the message is lost: dismissed by its owner, or the token expired.

        Raises:
            discord.HTTPException: A retry may help.
            TimeoutError: A retry may help.
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
            if self.reach is reach:  # a newer press would have brought a valid token
                note = _log.info if isinstance(error, discord.NotFound) else _log.warning
                note("panel.lost", channel=reach.channel_id, **error_fields(error))
                return False
        return True


async def deliver(
    last_sent: LastSent,
    permit: RequestPermit,
    emojis: CustomEmojis,
    layout: Layout,
    send: Callable[[Layout], Awaitable[T]],
    draw: Draw,
) -> T:
    """Send an ephemeral message within `REFRESH_S` seconds, without emojis that Discord refuses.

    Args:
        last_sent: Records what was sent.
        permit: The permit of the request.
        emojis: The emojis that Discord knows.
        layout: The message.
        send: Makes the request.
        draw: Renders the message again, if emojis are refused.

    Raises:
        discord.HTTPException: Discord refuses it.
        TimeoutError: It took too long.
    """
    with last_sent.recording() as sent:
        async with asyncio.timeout(REFRESH_S) as permit.patience:  # discord.py would wait, and hold the token
            layout, answer = await emojis.deliver(layout, send, draw)
        sent(layout)
    return answer


def panel_writer(
    requests: PanelRequests, write: Callable[[RequestPermit], Awaitable[None]], channel_id: Callable[[], int]
) -> Coalescer:
    """Return a coalescer for an ephemeral message about a table; `channel_id` returns the table's current channel."""
    return Coalescer(
        write,
        interval=lambda _is_urgent: requests.edit_interval(channel_id()),
        permit=lambda: requests.permit(channel_id()),
        shows="panel",
    )
