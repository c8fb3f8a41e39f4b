"""Refusals of Discord as values: why it refuses a message, a thread, a role or an event, and the sentence about it.

Requests for threads, roles and events have a time limit (`attempt`).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

import discord
import structlog

from bot.base.background import LruCache
from bot.discord.api.error_codes import KNOWN, ErrorCode, Resource, may_pass
from bot.discord.api.interactions import texts_of
from bot.discord.api.requests import FAILED, error_fields
from bot.discord.places.permissions import (
    FOR_EVENTS,
    FOR_ROLES,
    IN_THREAD,
    known_channel,
    missing_permissions,
    needed_in,
    permission_names,
    timeout_words,
)
from bot.discord.rate_limits.responses import bounded
from bot.discord.text.names import escape_markdown
from bot.discord.text.texts import Texts, mark

_MOST_SAID: Final = 150
_MOST_PLACES: Final = 10
_NEEDED: Final = {Resource.THREAD: IN_THREAD, Resource.ROLE: FOR_ROLES, Resource.EVENT: FOR_EVENTS}
_DELETED: Final = {
    "emoji": mark("An emoji in it was deleted: choose another one."),
    "role": mark("A role in it was deleted: choose another one."),
}
"""Sentences for a request body that Discord refuses, by a word of its message."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DiscordRefusal:
    """Why Discord has refused a request.

    - `resource`: what the request was for.
    - `code`: Discord's error code; 0 for none.
    - `discord_text`: Discord's message, without markdown.
    - `may_pass`: whether a retry may help.
    """

    resource: Resource
    code: int = 0
    discord_text: str = ""
    may_pass: bool = False

    @classmethod
    def of(cls, resource: Resource, error: Exception) -> Self:
        """Return the refusal of a request that failed with this error."""
        if not isinstance(error, discord.HTTPException):
            return cls(resource, may_pass=True)
        passes = may_pass(error)
        is_page = passes and error.code == 0  # a page, or the words of a proxy
        return cls(resource, error.code, "" if is_page else escape_markdown(error.text, _MOST_SAID), passes)

    def words(self, guild: discord.Guild | None, texts: Texts, channel_id: int | None = None) -> str:
        """Return sentences that say why, and what to do; for an unknown error code they quote Discord."""
        if (timeout := timeout_words(guild, texts)) is not None:
            return timeout
        known, resource, channel = KNOWN.get(self.code), self.resource, f"<#{channel_id}>"
        sentence = None if known is None else known.sentences.get(resource)
        deleted = (gone for word, gone in _DELETED.items() if word in self.discord_text.lower())
        if known is ErrorCode.INVALID_FORM:
            sentence = next(deleted, sentence)
        if sentence is not None:
            names = permission_names(self._needed(guild, channel_id), texts)
            return texts.t(sentence, channel=channel, names=names)
        parts = [texts.t(resource.words, channel=channel)] if resource.words else []
        if self.may_pass and not (self.code or self.discord_text):
            parts.append(texts.t("Discord does not answer just now."))
        elif self.code or self.discord_text or resource is Resource.MESSAGE:
            parts.append(texts.t("Discord refuses: {words} ({code})", words=self.discord_text or "—", code=self.code))
        return " ".join(parts)

    def _needed(self, guild: discord.Guild | None, channel_id: int | None) -> tuple[str, ...]:
        if self.resource is not Resource.MESSAGE:
            return _NEEDED[self.resource]
        channel = None if guild is None or channel_id is None else known_channel(guild, channel_id)
        needed = needed_in(channel)
        if guild is None or channel is None:
            return needed
        return missing_permissions(channel.permissions_for(guild.me), needed) or needed


@dataclass(frozen=True, slots=True)
class RefusalLog:
    """The present refusals of requests in the background, which a server's settings list."""

    _latest: dict[int, LruCache[str, tuple[DiscordRefusal, int]]] = field(default_factory=dict)
    """The latest refusal and the number of refusals, by server and by what is shown of the place, such as `<#5>`."""

    def record(self, guild_id: int, place: str, refusal: DiscordRefusal | None) -> None:
        """Count a refusal in a place; `refusal=None`, after a success, deletes the count."""
        of_server = self._latest.setdefault(guild_id, LruCache(_MOST_PLACES))
        _, count = of_server.pop(place, (None, 0))
        if refusal is not None:
            of_server[place] = refusal, count + 1

    def lines(self, guild_id: int, guild: discord.Guild | None, texts: Texts) -> list[str]:
        """Return a line for each place with refusals; the latest refusal is last."""
        lines = list[str]()
        for place, (refusal, count) in self._latest.get(guild_id, LruCache(0)).items():
            number = place.strip("<#>")
            why = refusal.words(guild, texts, int(number) if number.isdecimal() else None)
            times = texts.n("{count} time", "{count} times", count)
            lines.append(f"⚠️ {place} · {why} · {times}")
        return lines


async def attempt(
    resource: Resource,
    request: Coroutine[Any, Any, T],
    most_s: float,
    hear: Callable[[DiscordRefusal], object] = lambda _: None,
    **about: object,
) -> T | DiscordRefusal:
    """Return the result of a request, or why it failed.

    Args:
        resource: What the request is for.
        request: The request.
        most_s: Seconds after which the request is cancelled; the refusal then `may_pass`.
        hear: Called with each refusal for which discord.py waits and retries.
        about: Log fields.
    """
    try:
        async with bounded(most_s, lambda error: hear(DiscordRefusal.of(resource, error))):
            return await request
    except FAILED as error:
        return refusal_of(resource, error, **about)


def refusal_of(resource: Resource, error: Exception, **about: object) -> DiscordRefusal:
    """Log why a request failed, with the log fields `about`, and return the reason as a refusal."""
    _log.warning(f"{resource}.refused", **about, **error_fields(error))
    return DiscordRefusal.of(resource, error)


def refusal_words(interaction: discord.Interaction, error: Exception) -> str:
    """Return the sentence that answers an interaction after Discord has refused the intended answer."""
    return DiscordRefusal.of(Resource.MESSAGE, error).words(
        interaction.guild, texts_of(interaction), interaction.channel_id
    )


@asynccontextmanager
async def explain_refusal(
    interaction: discord.Interaction, show: Callable[[str], Awaitable[None]]
) -> AsyncIterator[None]:
    """Call `show` with a sentence if a request in the `with` block fails after the interaction was answered.

    Raises:
        discord.HTTPException: Discord refuses the request.
        FAILED: It is not known whether the request was carried out.
    """
    try:
        yield
    except FAILED as error:
        if interaction.response.is_done():
            await show(refusal_words(interaction, error))
        raise
