"""Discord's error codes: why a message cannot be shown, what people read and do about it, what trying again helps.

Each is declared once: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
"""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Final, Self

import discord

from bot.discord.text.texts import mark
from bot.game.value import Worded

UNAUTHORIZED: Final = 401
TOO_MANY: Final = 429
SERVER_ERROR: Final = 500
"""From this status on it is not known whether Discord has done what was asked."""


class OutageReason(StrEnum):
    """Why a message cannot be shown. `DELETED`: again and again; `REMOVED`: the bot was removed from the server.

    `REFUSED`: Discord refuses what the message says, as AutoMod does, and perhaps not what it says next.
    """

    CHANNEL_GONE = "channel_gone"
    FORBIDDEN = "forbidden"
    CLOSED = "closed"
    REMOVED = "removed"
    DELETED = "deleted"
    REFUSED = "refused"


class Resource(Worded):
    """What Discord was asked for, and what comes before its own words about a code that has no sentence."""

    MESSAGE = "message"
    THREAD = "thread", mark("Discord won't open a thread in {channel}.")
    ROLE = "role"
    EVENT = "event"


_NO_ROLE: Final = {Resource.ROLE: mark("The role is gone: choose another with {/config}.")}
_ROLE_ABOVE: Final = mark("I need {names}, and my role must stand above it in the server's list.")
_TWO_FACTOR: Final = mark(
    "This server wants two-factor authentication: the person who runs me switches it on for their account."
)
_NO_CHANNEL: Final = mark("The channel {channel} is gone: choose another one.")
_NO_THREADS: Final = mark(
    "I'm not allowed to open threads in {channel}: give me {names} there, or choose another channel."
)
_WRONG: Final = mark("No threads for tables open in {channel}, a channel of another kind: choose a text channel.")
_MANY: Final = mark("This server has as many open threads as Discord allows (1,000): archive some that nobody reads.")
_MANY_EVENTS: Final = mark("This server has as many planned events as Discord allows (100): delete some.")
_FORBIDDEN: Final = {
    Resource.MESSAGE: mark("I may not write in {channel}: give me {names} there."),
    Resource.THREAD: _NO_THREADS,
    Resource.EVENT: mark("Missing permissions: {names}."),
}
_EXPLICIT: Final = mark("Discord takes it for explicit content: change the names or the title in it.")
_AUTOMOD: Final = mark("The server's AutoMod blocks it: exempt my role from its rule, or change the names in it.")
_SLOW: Final = mark("Slow mode holds my messages back in {channel}: exempt me from it, or switch it off.")
_HURRIED: Final = mark("Too much is written at once for Discord: it takes more in a moment.")
_OUR_FAULT: Final = mark("That is a mistake of mine, which the log keeps: tell the person who runs me.")


class ErrorCode(IntEnum):
    """`sentences` say what to do, by what was asked for; `may_pass`: trying again helps."""

    reason: OutageReason | None
    sentences: Mapping[Resource, str]
    may_pass: bool

    def __new__(
        cls,
        code: int,
        reason: OutageReason | None = None,
        sentences: Mapping[Resource, str] | None = None,
        may_pass: bool = False,
    ) -> Self:
        made = int.__new__(cls, code)
        made._value_, made.reason, made.sentences, made.may_pass = code, reason, sentences or {}, may_pass
        return made

    UNKNOWN_CHANNEL = 10003, OutageReason.CHANNEL_GONE, {Resource.MESSAGE: _NO_CHANNEL, Resource.THREAD: _NO_CHANNEL}
    UNKNOWN_SERVER = 10004, None, _NO_ROLE
    UNKNOWN_MEMBER = 10007
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_ROLE = 10011, None, _NO_ROLE
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_EVENT = 10070
    EXPLICIT_CONTENT = 20009, None, dict.fromkeys(Resource, _EXPLICIT)
    SLOW_MODE = 20016, None, dict.fromkeys((Resource.MESSAGE, Resource.THREAD), _SLOW), True
    MANY_WRITES = 20028, None, dict.fromkeys(Resource, _HURRIED), True
    MANY_EVENTS = 30038, None, {Resource.EVENT: _MANY_EVENTS}
    ANSWERED_ALREADY = 40060
    MISSING_ACCESS = 50001, OutageReason.FORBIDDEN, _FORBIDDEN | _NO_ROLE
    MISSING_PERMISSIONS = 50013, OutageReason.FORBIDDEN, _FORBIDDEN | {Resource.ROLE: _ROLE_ABOVE}
    WRONG_CHANNEL = 50024, None, {Resource.THREAD: _WRONG}
    INVALID_FORM = 50035, None, dict.fromkeys(Resource, _OUR_FAULT)
    ARCHIVED_THREAD = 50083, OutageReason.CLOSED
    TWO_FACTOR = 60003, None, {Resource.ROLE: _TWO_FACTOR}
    OVERLOADED = 130000, None, None, True
    LOCKED_THREAD = 160005, OutageReason.CLOSED
    MANY_THREADS = 160006, None, {Resource.THREAD: _MANY}
    BLOCKED_MESSAGE = 200000, None, dict.fromkeys(Resource, _AUTOMOD)
    BLOCKED_TITLE = 200001, None, dict.fromkeys(Resource, _AUTOMOD)


KNOWN: Final[Mapping[int, ErrorCode]] = {code: code for code in ErrorCode}


def code_of(error: BaseException) -> ErrorCode | None:
    """Return the code of a refusal, if it is one of those that the bot knows."""
    return KNOWN.get(error.code) if isinstance(error, discord.HTTPException) else None


def reason_of(error: discord.HTTPException) -> OutageReason | None:
    """Return why the place refuses a post or an edit; None if the reason is another."""
    code = code_of(error)
    return None if code is None else code.reason


def may_pass(error: Exception) -> bool:
    """Return whether trying again helps: Discord is out of reach or out of order, or wants to be asked later.

    A page instead of JSON is no answer of Discord's: its shield sends one while it shuts an address out.
    """
    if not isinstance(error, discord.HTTPException) or error.status == TOO_MANY or error.status >= SERVER_ERROR:
        return True
    code = code_of(error)
    if error.code == 0 and error.text.lstrip().startswith("<"):
        return True
    return code is not None and code.may_pass
