"""Events and rules as JSON text, and back.

Every stored event carries its kind (the event's class name) and the schema's version; what an older version wrote is
brought up to date, one version at a time, before it is read.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import msgspec

from bot.errors import StoreError
from bot.game.events import Event
from bot.game.rules import Rules
from bot.game.signs import Strategy

VERSION: Final = 1
"""The version of what is written now. Raise it with a change that needs an entry in `UPGRADES`."""

KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}

Upgrade = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]
"""From kind and JSON object of one version to those of the next."""

UPGRADES: Final[dict[tuple[str, int], Upgrade]] = {}
"""By kind and the version it was written in; kinds that did not change need no entry."""


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads all versions up to its own."""

    version: int = VERSION
    upgrades: Mapping[tuple[str, int], Upgrade] = field(default_factory=lambda: UPGRADES)

    def encode(self, event: Event) -> tuple[str, str]:
        """Kind and JSON text of an event."""
        return type(event).__name__, msgspec.json.encode(event).decode()

    def decode(self, kind: str, version: int, text: str) -> Event:
        """The event that was written.

        Raises:
            StoreError: a newer bot wrote it, or it is damaged; the sentence does not name the table.
        """
        if version > self.version:
            raise StoreError(f"it was written by a newer version of the bot (schema {version}, not {self.version})")
        try:
            if version < self.version:
                kind, text = self._upgraded(kind, version, text)
            if kind not in KINDS:
                raise StoreError(f"its kind {kind!r} is unknown")
            return msgspec.json.decode(text, type=KINDS[kind])
        except (msgspec.MsgspecError, LookupError, TypeError) as error:
            raise StoreError(f"it is damaged ({error})") from error

    def _upgraded(self, kind: str, version: int, text: str) -> tuple[str, str]:
        body = msgspec.json.decode(text, type=dict[str, Any])
        for old in range(version, self.version):
            upgrade = self.upgrades.get((kind, old))
            if upgrade is not None:
                kind, body = upgrade(kind, body)
        return kind, msgspec.json.encode(body).decode()


def encode_rules(rules: Rules) -> str:
    return msgspec.json.encode(rules).decode()


def decode_rules(text: str) -> Rules:
    """Raises StoreError when the text is damaged."""
    try:
        return msgspec.json.decode(text, type=Rules)
    except msgspec.MsgspecError as error:
        raise StoreError(f"its rules are damaged ({error})") from error


def encode_strategies(strategies: Collection[Strategy] | None) -> str | None:
    """None stays None: there was no vote."""
    return None if strategies is None else msgspec.json.encode(sorted(strategies)).decode()


def decode_strategies(text: str | None) -> frozenset[Strategy] | None:
    """Raises StoreError when the text is damaged; the sentence does not repeat it, as it may be a secret ballot."""
    try:
        return None if text is None else msgspec.json.decode(text, type=frozenset[Strategy])
    except msgspec.MsgspecError:
        raise StoreError("its vote is damaged") from None


def encode_numbers(numbers: tuple[int, ...]) -> str:
    return msgspec.json.encode(numbers).decode()


def decode_numbers(text: str) -> tuple[int, ...]:
    return msgspec.json.decode(text, type=tuple[int, ...])
