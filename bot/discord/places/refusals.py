"""What Discord refuses of threads, roles and events: a value, with what to do about it; no request waits for ever."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import discord
import structlog

from bot.discord.api.error_codes import KNOWN, Asked, may_pass
from bot.discord.api.requests import FAILED, facts
from bot.discord.places.permissions import FOR_EVENTS, FOR_ROLES, IN_THREAD, permission_names, timeout_words
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts

_MOST_SAID: Final = 150
_NEEDED: Final = {Asked.THREAD: IN_THREAD, Asked.ROLE: FOR_ROLES, Asked.EVENT: FOR_EVENTS}

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was asked for, Discord's code (0: none) and words. What `may_pass` is done a little later perhaps."""

    asked: Asked
    code: int = 0
    said: str = ""
    may_pass: bool = False

    def words(self, guild: discord.Guild | None, texts: Texts, channel_id: int | None = None) -> str:
        """What to do, then what Discord said; "" where there is nothing to say."""
        if (timeout := timeout_words(guild, texts)) is not None:
            return timeout
        known, asked = KNOWN.get(self.code), self.asked
        sentence = asked.words if known is None else known.sentences.get(asked, asked.words)
        names = permission_names(_NEEDED[asked], texts)
        line = texts.t(sentence, channel=f"<#{channel_id}>", names=names) if sentence else None
        said = texts.t("Discord says: {words}", words=self.said) if self.said else None
        return " ".join(filter(None, (line, said)))


async def attempted(asked: Asked, request: Coroutine[Any, Any, T], most_s: float, **about: object) -> T | Refusal:
    """What a request gives, or why it fails: where it takes longer, it may pass.

    discord.py sleeps for as long as Discord asks, which may be minutes.
    """
    try:
        async with asyncio.timeout(most_s):
            return await request
    except FAILED as error:
        return refusal_of(asked, error, **about)


def refusal_of(asked: Asked, error: Exception, **about: object) -> Refusal:
    """Why a request failed, which the log keeps with what it was `about`."""
    _log.warning(f"{asked}.refused", **about, **facts(error))
    if not isinstance(error, discord.HTTPException):
        return Refusal(asked, may_pass=True)
    said = "" if isinstance(error, discord.NotFound) else clean(error.text, _MOST_SAID)  # what is gone, the code says
    return Refusal(asked, error.code, said, may_pass(error))
