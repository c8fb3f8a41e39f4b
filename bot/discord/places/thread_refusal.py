"""Discord makes no thread: what it said, and what to do about it."""

from dataclasses import dataclass
from typing import Final

import discord

from bot.discord.api.requests import SERVER_ERROR, TOO_MANY
from bot.discord.places.permissions import IN_THREAD, permission_names, timeout_words
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark

_MOST_SAID: Final = 150
UNKNOWN_CHANNEL: Final = 10003
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
_REMEDIES: Final = {
    UNKNOWN_CHANNEL: mark("The channel {channel} is gone: choose another one."),
    50001: mark("I may open no threads in {channel}: give me {names} there, or choose another channel."),
    50013: mark("I may open no threads in {channel}: give me {names} there, or choose another channel."),
    50024: mark("No threads for tables open in {channel}, a channel of another kind: choose a text channel."),
    160006: mark("This server has as many open threads as Discord allows (1,000): archive some that nobody reads."),
}


@dataclass(frozen=True, slots=True)
class ThreadRefusal:
    """Discord's code and words."""

    code: int
    said: str

    def words(self, guild: discord.Guild | None, channel_id: int, texts: Texts) -> str:
        """What to do, then what Discord said."""
        if (timeout := timeout_words(guild, texts)) is not None:
            return timeout
        remedy = _REMEDIES.get(self.code, mark("Discord opens no thread in {channel}."))
        names = permission_names(IN_THREAD, texts)
        line = texts.t(remedy, channel=f"<#{channel_id}>", names=names)
        said = texts.t("Discord says: {words}", words=self.said) if self.said else None
        return " ".join(filter(None, (line, said)))


NOT_NOW: Final = ThreadRefusal(0, "")
"""It may open one a little later."""


def refusal_of(error: Exception) -> ThreadRefusal | None:
    """Why Discord makes no thread; None where it may make it a little later."""
    if not isinstance(error, discord.HTTPException) or error.status == TOO_MANY or error.status >= SERVER_ERROR:
        return None
    return ThreadRefusal(error.code, clean(error.text, _MOST_SAID))
