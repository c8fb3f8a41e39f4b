"""What fails: what was asked for cannot be done; Discord refuses a request, or cannot be reached."""

from typing import Any, Final

import aiohttp
import discord

UNREACHED: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)
"""The connection was cut, could not be made, or took too long: nobody knows whether the request was carried out."""
FAILED: Final = (discord.HTTPException, *UNREACHED)
_MOST: Final = 300


class SentenceError(Exception):
    """What was asked for cannot be done; the message is a sentence in the reader's language."""


def facts(error: Exception) -> dict[str, Any]:
    """What the log keeps of a failure: Discord's words; those of others may quote an address with a token in it."""
    if isinstance(error, discord.HTTPException):
        return {"status": error.status, "code": error.code, "problem": error.text[:_MOST]}
    return {"problem": type(error).__name__}
