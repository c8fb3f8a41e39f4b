"""Which events of the gateway discord.py reads. It builds objects from each, and most concern no table.

Large servers send thousands of messages and reactions a second, so a look-up decides about each event first. An event
that discord.py cannot read is skipped and logged, since it would end the client.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import discord
import structlog

from bot.discord.api.absent_fields import fill_absent_fields
from bot.discord.api.discord_internals import Parser
from bot.discord.messages.live_messages import LiveMessages

Filter = Callable[[Any], bool]

_THREAD_STARTED: Final = discord.MessageType.thread_created.value
_INDISPENSABLE: Final = "READY"  # without this event the bot does not know its own user, so it has to fail

_log = structlog.get_logger(__name__)


def filters(messages: LiveMessages, hear_post: Callable[[Any], None]) -> Mapping[str, Filter]:
    """Return predicates by event name, which say whether discord.py shall parse an event.

    An event has to concern a live message. Of other messages in a channel, only Discord's lines about new threads pass.

    Args:
        messages: The live messages.
        hear_post: Called with the JSON of every message that is posted anywhere.
    """

    def is_in_channel(payload: Any) -> bool:
        hear_post(payload)
        return payload.get("type") == _THREAD_STARTED or messages.sees_chat(channel_id=int(payload["channel_id"]))

    def is_on_message(payload: Any) -> bool:
        is_ours = messages.sees_chat(message_id=int(payload["message_id"]))
        return is_ours and isinstance(payload["emoji"].get("name"), str | None)  # discord.py does not check it

    return {
        "MESSAGE_CREATE": is_in_channel,
        "MESSAGE_REACTION_ADD": is_on_message,
        "MESSAGE_REACTION_REMOVE": _never,
        "MESSAGE_DELETE": lambda payload: messages.is_at(int(payload["id"])),
        "MESSAGE_DELETE_BULK": lambda payload: any(messages.is_at(int(number)) for number in payload["ids"]),
        "MESSAGE_UPDATE": _never,
        "GUILD_SCHEDULED_EVENT_USER_ADD": _never,
        "GUILD_SCHEDULED_EVENT_USER_REMOVE": _never,
        "MESSAGE_REACTION_REMOVE_ALL": _never,
        "MESSAGE_REACTION_REMOVE_EMOJI": _never,
    }


def _never(_payload: Any) -> bool:
    return False


def filter_events(parsers: dict[str, Parser], wanted: Mapping[str, Filter]) -> None:
    """Wrap discord.py's event parsers, in place, so that they skip events that the predicates reject."""
    for event, is_wanted in wanted.items():
        parsers[event] = partial(_parse_if_wanted, parsers[event], is_wanted)


def skip_unreadable(parsers: dict[str, Parser]) -> None:
    """Wrap discord.py's event parsers, in place, so that they log and skip events that they cannot parse."""
    for event, parse in parsers.items():
        if event != _INDISPENSABLE:
            parsers[event] = partial(_parse_or_skip, event, parse)


def _parse_if_wanted(parse: Parser, is_wanted: Filter, payload: Any) -> None:
    if is_wanted(payload):
        parse(payload)


def _parse_or_skip(event: str, parse: Parser, payload: Any) -> None:
    try:
        fill_absent_fields(payload)
        parse(payload)
    except Exception as error:  # noqa: BLE001 - whatever discord.py stumbles over
        # Neither the payload nor values in the traceback: they may have an interaction's token.
        _log.warning("event.unreadable", event_name=event, problem=type(error).__name__)
