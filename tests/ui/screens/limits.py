"""What Discord takes of one message or form; the code that makes screens does not check it."""

from collections.abc import Iterator
from typing import Any

from bot.discord.api.components import BUTTON, CONTAINER, MAX_LABEL, MAX_PARTS, MAX_TEXT, MENU, ROW, TEXT
from bot.discord.api.custom_ids import MAX_ID, parse_id

FEWEST, FEWEST_FORMS = 1_400, 80
_MAX_TITLE = 45
_MOST_OPTIONS = 25
_MAX_OPTION = 100
_MAX_PLACEHOLDER = 150


def layouts(value: Any) -> Iterator[list[dict[str, Any]]]:
    """The layouts in a scene: some scenes hold several, some none."""
    if isinstance(value, list) and any(isinstance(part, dict) and part.get("type") == CONTAINER for part in value):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from layouts(part)


def forms(value: Any) -> Iterator[dict[str, Any]]:
    """The forms in a scene."""
    if isinstance(value, dict) and "title" in value:
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from forms(part)


def components(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The components of a layout with all that are inside them."""
    for part in parts:
        yield part
        yield from components(part.get("components", []))


def troubles(layout: list[dict[str, Any]]) -> Iterator[str]:
    """What Discord would refuse."""
    parts = list(components(layout))
    texts = [part["content"] for part in parts if part["type"] == TEXT]
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    if len(parts) > MAX_PARTS:
        yield f"{len(parts)} components"
    if sum(map(len, texts)) > MAX_TEXT or not all(map(str.strip, texts)):
        yield "too much text, or an empty one"
    if len(set(ids)) < len(ids):
        yield "two controls with one custom id"
    yield from (f"the custom id {one!r}" for one in ids if len(one) > MAX_ID or parse_id(one) is None)
    for part in parts:
        if part["type"] == ROW:
            kinds = [control["type"] for control in part["components"]]
            if not (1 <= len(kinds) <= 5 and set(kinds) == {BUTTON}) and len(kinds) != 1:
                yield f"a row of {kinds}"
        elif part["type"] == BUTTON and not (part.get("emoji") or len(part["label"]) >= 1):
            yield f"a button without a label: {part}"
        if len(part.get("label", "")) > MAX_LABEL or len(part.get("placeholder", "")) > _MAX_PLACEHOLDER:
            yield f"a label that is too long: {part}"
        if part["type"] == MENU:
            yield from _menu_troubles(part)


def form_troubles(form: dict[str, Any]) -> Iterator[str]:
    """What Discord would refuse of a form, and menus without an answer."""
    labels = form["components"]
    if not (0 < len(form["title"]) <= _MAX_TITLE and 1 <= len(labels) <= 5):
        yield f"the title {form['title']}, {len(labels)} questions"
    for label in labels:
        if not (0 < len(label["label"]) <= _MAX_TITLE and 0 < len(label.get("description", "-")) <= _MAX_OPTION):
            yield f"the question {label}"
        if len(label["component"].get("value") or "") > label["component"].get("max_length", 0):
            yield f"a long answer: {label}"
        if label["component"]["type"] == MENU:
            yield from _menu_troubles(label["component"])
            if sum(option["default"] for option in label["component"]["options"]) != 1:
                yield f"a menu without an answer: {label}"


def _menu_troubles(menu: dict[str, Any]) -> Iterator[str]:
    options, values = menu["options"], {option["value"] for option in menu["options"]}
    if not 1 <= len(values) == len(options) <= _MOST_OPTIONS:
        yield f"{len(options)} options, {len(values)} values"
    if not 0 <= menu["min_values"] <= menu["max_values"] <= len(options):
        yield f"{menu['max_values']} of {len(options)} options"
    if sum(option["default"] for option in options) > menu["max_values"]:
        yield "too many options are chosen"
    for option in options:
        words = (option["label"], option["value"], option.get("description", "-"))
        if not all(1 <= len(word) <= _MAX_OPTION for word in words):
            yield f"the option {option}"


def misfits(scenes: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """What Discord would refuse of all scenes, each with the screen's name."""
    screens = [(name, value) for found in scenes.values() for name, value in found.items()]
    found = [(name, layout) for name, value in screens for layout in layouts(value)]
    asked = [(name, form) for name, value in screens for form in forms(value)]
    assert len(found) >= FEWEST
    assert len(asked) >= FEWEST_FORMS
    refused = [(name, trouble) for name, layout in found for trouble in troubles(layout)]
    return refused + [(name, trouble) for name, form in asked for trouble in form_troubles(form)]
