"""Skips events that discord.py cannot read, and logs them: such an event would end the client."""

from collections.abc import Callable
from typing import Any, Final

import structlog

_INDISPENSABLE: Final = "READY"  # without it the bot does not know who it is: better to end, and say so

_log = structlog.get_logger(__name__)

Parser = Callable[[Any], None]


def skip_unreadable(parsers: dict[str, Parser]) -> None:
    """Replace discord.py's parsers of events, by their names, with parsers that skip what they cannot read."""
    for event, parse in parsers.items():
        if event != _INDISPENSABLE:
            parsers[event] = _forgiving(event, parse)


def _forgiving(event: str, parse: Parser) -> Parser:
    def parse_or_skip(payload: Any) -> None:
        try:
            parse(payload)
        except Exception as error:  # noqa: BLE001 - whatever discord.py stumbles over
            # Not the payload nor the traceback's values: there may be an interaction's token in them.
            _log.warning("event.unreadable", event_name=event, problem=type(error).__name__)

    return parse_or_skip
