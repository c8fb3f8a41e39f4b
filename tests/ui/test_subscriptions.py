"""Every handler of an event of the hub hears all events that it takes: none is left out of its `feature.py`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import bot

UI: Final = Path(bot.__file__).parent / "ui"
FEATURES: Final = sorted(UI.glob("*/feature.py"))
HANDLER: Final = re.compile(r"    (?:async )?def (?P<name>[a-z]\w*)\(self, \w+: (?P<events>\w+(?: \| \w+)*)\)")
CALLED_BY_OTHERS: Final = {("table_closed", "LobbyChanged")}
"""What a handler gets from another one."""


def subscriptions(feature: Path) -> Iterator[tuple[str, str]]:
    """What `on(...)` names: each handler with its event."""
    for node in ast.walk(ast.parse(feature.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name("on"), args=[ast.Name(event), *heard]):
                names = (each for handler in heard for each in ast.walk(handler) if isinstance(each, ast.Attribute))
                yield from ((name.attr, event) for name in names)


HEARD: Final = {feature: {*subscriptions(feature)} for feature in FEATURES}
EVENTS: Final = {event for heard in HEARD.values() for _, event in heard}


def handlers(feature: Path) -> Iterator[tuple[str, str]]:
    """The public methods of the feature's classes that take an event alone, with each event."""
    for file in feature.parent.rglob("*.py"):
        for found in HANDLER.finditer(file.read_text(encoding="utf-8")):
            yield from ((found["name"], event) for event in found["events"].split(" | ") if event in EVENTS)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda file: file.parent.name)
def test_every_handler_is_subscribed_to_its_events(feature: Path) -> None:
    left_out = {*handlers(feature)} - HEARD[feature] - CALLED_BY_OTHERS
    assert not left_out, f"to be heard by on(...) in {feature.relative_to(UI.parents[1])}"


def test_features_have_handlers() -> None:
    assert sum(1 for feature in FEATURES for _ in handlers(feature)) > 20
