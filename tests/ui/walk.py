"""Looks at a message as Discord gets it: walks the components of a layout. And people to sit at a table."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest

from bot.discord.api.components import Layout
from bot.discord.api.custom_ids import Press, parse_id
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.text_width import width
from bot.discord.text.texts import LANGUAGES, Texts
from bot.game import actions as a
from bot.game.build_view import legal_moves
from bot.game.cards import Card
from bot.game.decide import decide
from bot.game.signs import HOUSE_SIGNS, GestureKind
from bot.game.state import State
from bot.records.player import Player
from bot.ui.words.panel_text import SMALL_LINE
from tests.rules.table import Table
from tests.seen import typed


class TypedTexts(Texts):
    """The sentences of a language with ordinary spaces, as a test has them."""

    def t(self, message: str, /, **fields: object) -> str:
        return typed(super().t(message, **fields))

    def n(self, singular: str, plural: str, count: int, /, **fields: object) -> str:
        return typed(super().n(singular, plural, count, **fields))


FR: Final = TypedTexts("fr")
EN: Final = TypedTexts("en")
BOTH: Final = pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
"""Runs a test in both languages whose screens are recorded."""
ALL: Final = (FR, EN, *(TypedTexts(language) for language in LANGUAGES if language not in ("fr", "en")))
EVERY: Final = pytest.mark.parametrize("texts", ALL, ids=list(LANGUAGES))
BY_LANGUAGE: Final = {texts.locale: texts for texts in ALL}
"""Runs a test in every language."""
TABLE_ID: Final = 7
NAMES: Final = (
    "Ana", "Bruno", "Chloé", "Dora", "Émile", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Léa",
)  # fmt: skip
ROW, BUTTON, SELECT, TEXT = 1, 2, 3, 10
_CALLS: Final = (a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)
_PADDING: Final = re.compile("[\u2000-\u200b]")
_FACE: Final = re.compile("(?:10|[2-9AVDRJQKB])[♠♥♦♣]|🃏[★☆]")


@dataclass(frozen=True)
class Shown:
    """One button as it is shown."""

    label: str
    custom_id: str
    is_enabled: bool
    emoji: dict[str, Any] | None

    @property
    def press(self) -> Press:
        found = parse_id(self.custom_id)
        assert found is not None, f"unreadable custom id {self.custom_id!r}"
        return found


def people(count: int = 4, robots: int = 1) -> tuple[Player, ...]:
    """So many players, the last of them robots."""
    return tuple(
        Player(name, None if seat >= count - robots else 1000 + seat) for seat, name in enumerate(NAMES[:count])
    )


def walk(view: Layout) -> Iterator[dict[str, Any]]:
    """Every component of the message, nested ones after their parents."""
    for part in view:
        yield part
        if "components" in part:
            yield from walk(part["components"])


def _unpadded(label: str) -> str:
    """A label without the spaces that make it as wide as others."""
    return typed(_PADDING.sub("", label))


def words(view: Layout) -> str:
    """All message text."""
    return _written(walk(view))


def _written(parts: Iterable[dict[str, Any]]) -> str:
    return typed("\n".join(part["content"] for part in parts if part["type"] == TEXT))


def is_whole(line: str) -> bool:
    """Whether a hand panel shows the line without cutting it."""
    return width(line) <= SMALL_LINE


def buttons(view: Layout) -> list[Shown]:
    """All buttons in their order."""
    return _buttons(walk(view))


def _buttons(parts: Iterable[dict[str, Any]]) -> list[Shown]:
    return [
        Shown(_unpadded(part.get("label") or ""), part["custom_id"], not part["disabled"], part.get("emoji"))
        for part in parts
        if part["type"] == BUTTON
    ]


def enabled(view: Layout) -> set[str]:
    """The verbs of the buttons that can be pressed."""
    return {item.press.verb for item in buttons(view) if item.is_enabled}


def button(view: Layout, custom_id: str) -> Shown:
    """The one button with this `<verb>:<argument>`, of whatever round."""
    shape = re.compile(rf"k1:{TABLE_ID}(\.\d+)?:{re.escape(custom_id)}")
    found = [item for item in buttons(view) if shape.fullmatch(item.custom_id)]
    assert len(found) == 1, f"{custom_id}: {[item.custom_id for item in buttons(view)]}"
    return found[0]


def row_labels(view: Layout) -> list[list[str]]:
    """The labels, row by row."""
    return [
        [_unpadded(part.get("label") or "") for part in row["components"]] for row in walk(view) if row["type"] == ROW
    ]


def check_limits(view: Layout) -> None:
    """What Discord refuses, and what a phone cannot show."""
    parts = list(walk(view))
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(parts) <= 40
    assert len(ids) == len(set(ids)), "two components share a custom id"
    assert all(0 < len(custom_id) <= 100 and parse_id(custom_id) is not None for custom_id in ids)
    assert all(1 <= len(row["components"]) <= 4 for row in parts if row["type"] == ROW)
    assert all(part["content"].strip() for part in parts if part["type"] == TEXT)
    assert len(_written(parts)) <= 4000
    assert all((item.label or item.emoji) and len(item.label) <= 80 for item in _buttons(parts))


def faces_in(view: Layout) -> set[str]:
    """The faces of all cards that can be read anywhere on the message."""
    parts = list(walk(view))
    written = [_written(parts), *(item.label for item in _buttons(parts))]
    return {found.group() for text in written for found in _FACE.finditer(text)}


def faces_of(cards: object, texts: Texts) -> set[str]:
    """The same for cards."""
    assert isinstance(cards, tuple | list | set)
    return {Faces(texts).label(card).rstrip("\ufe0e") for card in cards if isinstance(card, Card)}


def wander(table: Table, seed: int, steps: int) -> Iterator[State]:
    """States of a match in which people do whatever is legal, seldom call, and make gestures."""
    chance = Random(seed)
    for _ in range(steps):
        table.wait(chance.choice((0.2, 1, 6)))
        owing = [seat for seat, held in enumerate(table.state.seats) if held.owes]
        seat = chance.choice(owing if owing and chance.random() < 0.7 else range(len(table.state.seats)))
        legal = sorted(legal_moves(table.state, seat, table.now), key=repr)
        calm = [action for action in legal if not isinstance(action, _CALLS)]
        if legal:
            table.do(chance.choice(calm if calm and chance.random() < 0.9 else legal))
        gesture = a.MakeGesture(seat, GestureKind.REACT, chance.choice(HOUSE_SIGNS))
        if chance.random() < 0.2 and isinstance(decide(table.state, gesture, table.now, table.rng), tuple):
            table.do(gesture)
        yield table.state
