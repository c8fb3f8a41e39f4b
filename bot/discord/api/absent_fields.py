"""Defaults for fields that Discord may leave out and that discord.py cannot do without.

https://github.com/discord/discord-api-spec says which fields these are. Without the defaults, discord.py would drop a
whole server for one voice channel without a bitrate. `tests/integration/test_smallest_objects.py` finds further ones.
"""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.discord.api.discord_internals import rewrite_answers

_VOICE: Final = (discord.ChannelType.voice.value, discord.ChannelType.stage_voice.value)
_OF_VOICE: Final = {"bitrate": 64_000, "user_limit": 0}
_BY_SIGN: Final[Mapping[str, dict[str, Any]]] = {
    "thread_metadata": {"parent_id": "0"},  # a thread
    "verify_key": {"bot_public": True, "bot_require_code_grant": False},  # an application
}
"""The defaults of a kind of object, by a field that only this kind has."""
_LISTS: Final = ("channels", "threads")


def fill_absent_fields(payload: Any) -> None:
    """Add defaults for absent fields to an object from Discord, in place, and to the channels and threads in it."""
    if not isinstance(payload, dict):
        return
    if payload.get("type") in _VOICE and "position" in payload:
        payload.update(_OF_VOICE | payload)
    for sign, needed in _BY_SIGN.items():
        if sign in payload:
            payload.update(needed | payload)
    for name in _LISTS:
        for part in payload.get(name) or ():
            fill_absent_fields(part)


def fill_answers(client: discord.Client) -> None:
    """Let a client read responses with absent fields, or with null for an empty list."""

    def completed(answer: Any) -> Any:
        fill_absent_fields(answer)
        return [] if answer is None else answer

    rewrite_answers(client, completed)
