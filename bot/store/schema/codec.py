"""Rules and other values as JSON text, and back."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from bot.errors import StoreError
from bot.game.cards import Card
from bot.game.rules.parts import Rules
from bot.game.signs.sign import Strategy

_REMEMBERED: Final = 1024


def encode(value: Rules | tuple[int, ...] | tuple[str, ...]) -> str:
    return msgspec.json.encode(value).decode()


Shared = TypeVar("Shared", Rules, Card)


def shared(value: Shared) -> Shared:
    """Equal values as one object: tables play a few presets, with the same cards."""
    known: Shared = _known(value)
    return known


@lru_cache(_REMEMBERED)
def _known(value: Any) -> Any:
    return value


@lru_cache(_REMEMBERED)
def decode_rules(text: str) -> Rules:
    """Raises StoreError when the text is damaged."""
    try:
        return shared(msgspec.json.decode(text, type=Rules))
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
