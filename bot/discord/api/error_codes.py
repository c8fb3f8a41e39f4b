"""Discord's error codes: what each says of a message, what people read about it, and whether a retry helps.

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
"""From this HTTP status on it is not known whether Discord has carried out the request."""


class OutageReason(StrEnum):
    """Why a message cannot be shown.

    - `CHANNEL_GONE`: its channel was deleted.
    - `FORBIDDEN`: the bot lacks a permission.
    - `CLOSED`: the thread is locked, or archived for good.
    - `REMOVED`: the bot was removed from the server.
    - `DELETED`: the message was deleted again and again.
    - `REFUSED`: Discord refuses the content, as AutoMod does; it may accept the next one.
    """

    CHANNEL_GONE = "channel_gone"
    FORBIDDEN = "forbidden"
    CLOSED = "closed"
    REMOVED = "removed"
    DELETED = "deleted"
    REFUSED = "refused"


class Resource(Worded):
    """What a request is for. The sentence, if any, precedes Discord's own words about an error code without one."""

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
    """An error code of Discord.

    - `reason`: why a message cannot be shown, if the code says that.
    - `sentences`: what a person reads and can do about it, by what was requested.
    - `may_pass`: whether a retry may help.
    """

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
    """Return the error code of a refusal; None for any other error, or a code that is not declared here."""
    return KNOWN.get(error.code) if isinstance(error, discord.HTTPException) else None


def reason_of(error: discord.HTTPException) -> OutageReason | None:
    """Return why a message cannot be shown, if the error tells it; else None."""
    code = code_of(error)
    return None if code is None else code.reason


def may_pass(error: Exception) -> bool:
    """Return whether a retry may help: Discord was not reached, has an outage, or asks to wait.

    A page instead of JSON is not from Discord's API: Cloudflare sends one while it blocks an address.
    """
    if not isinstance(error, discord.HTTPException) or error.status == TOO_MANY or error.status >= SERVER_ERROR:
        return True
    code = code_of(error)
    if error.code == 0 and error.text.lstrip().startswith("<"):
        return True
    return code is not None and code.may_pass
