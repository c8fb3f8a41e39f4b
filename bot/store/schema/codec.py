"""Events, rules and other values as JSON text, and back.

Every stored event carries its kind (the event's class name) and the version of the schema it was written in.
"""

from collections.abc import Collection
from typing import Final, get_args

import msgspec

from bot.errors import StoreError
from bot.game.events import Event
from bot.game.rules import Rules
from bot.game.signs import Strategy

VERSION: Final = 1
"""The version of events. After the first release, a change of it comes with code that upgrades older events on read."""

KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}


def encode_event(event: Event) -> tuple[str, str]:
    """Kind and JSON text of an event."""
    return type(event).__name__, msgspec.json.encode(event).decode()


def decode_event(kind: str, version: int, text: str) -> Event:
    """Raises StoreError when a newer version of the bot wrote the event, or it is damaged; the table is not named."""
    if version > VERSION:
        raise StoreError(f"it was written by a newer version of the bot (schema {version}, not {VERSION})")
    if kind not in KINDS:
        raise StoreError(f"its kind {kind!r} is unknown")
    try:
        return msgspec.json.decode(text, type=KINDS[kind])
    except msgspec.MsgspecError as error:
        raise StoreError(f"it is damaged ({error})") from error


def encode(value: Rules | tuple[int, ...] | tuple[str, ...]) -> str:
    return msgspec.json.encode(value).decode()


def decode_rules(text: str) -> Rules:
    """Raises StoreError when the text is damaged."""
    try:
        return msgspec.json.decode(text, type=Rules)
    except msgspec.MsgspecError as error:
        raise StoreError(f"its rules are damaged ({error})") from error


def encode_strategies(strategies: Collection[Strategy] | None) -> str | None:
    """None, for no vote, stays None."""
    return None if strategies is None else encode(tuple(sorted(strategies)))


def decode_strategies(text: str | None) -> frozenset[Strategy] | None:
    """Raises StoreError when the text is damaged. The sentence leaves the text out: it may be a secret ballot."""
    try:
        return None if text is None else msgspec.json.decode(text, type=frozenset[Strategy])
    except msgspec.MsgspecError:
        raise StoreError("its vote is damaged") from None


def decode_numbers(text: str) -> tuple[int, ...]:
    return msgspec.json.decode(text, type=tuple[int, ...])
