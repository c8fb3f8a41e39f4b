"""Screens as lines of text, which a reviewer can read and `git diff` can show.

A colour begins a message, `|` a line of its text. A row is a line of `[label](custom id)`, with the style of a button
that is not grey, and `off` where it is disabled. A menu has a line for each option.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from bot.discord.api.components import BUTTON, CONTAINER, MENU, ROW, TEXT

_STYLES: Final = {1: " blue", 2: "", 3: " green", 4: " red", 5: " link"}
_LABELLED: Final = 18  # the type of a form's field
_OF_EVERY_INPUT: Final = ("custom_id", "type", "label")
_UNSEEN: Final = re.compile(r"[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060-\u2069]")
_SHOWN_AS: Final = {
    "\u00a0": "␣",
    "\u202f": "⍽",
    **dict.fromkeys("\u2002\u2003\u2004\u2005\u2006\u2009\u200a\u200b", "˙"),
}


def written(value: Any) -> str:
    """The lines of a screen, or of the sentences and forms of a scene."""
    return "\n".join(_UNSEEN.sub(_shown, line) for line in _lines(value))


def _shown(unseen: re.Match[str]) -> str:
    return _SHOWN_AS.get(unseen[0], f"\\u{ord(unseen[0]):04x}")


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from (f"| {line}".rstrip(" ") for line in value.split("\n"))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if number and isinstance(item, list):
                yield "--"
            yield from _lines(item)
    elif isinstance(value, dict):
        yield from _component(dict(value)) if isinstance(value.get("type"), int) else _named(value)
    else:
        yield f"| {json.dumps(value)}"


def _named(values: dict[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, str) and "\n" not in value:
            yield f"{name}: {value}"
        elif isinstance(value, str | list | dict):
            yield f"{name}:"
            yield from _lines(value)
        else:
            yield f"{name}: {json.dumps(value)}"


def _component(part: dict[str, Any]) -> Iterator[str]:
    match part.pop("type"):
        case t if t == CONTAINER:
            colour = part.pop("accent_color")
            yield "#" if colour is None else f"#{colour:06x}"
            yield from _lines(part.pop("components"))
            part = {name: value for name, value in part.items() if value}  # a spoiler
        case t if t == TEXT:
            yield from _lines(part.pop("content"))
        case t if t == ROW:
            controls = part.pop("components")
            if all(control["type"] == BUTTON for control in controls):
                yield " ".join(map(_button, controls))
            else:
                yield from _lines(controls)
        case t if t == MENU:
            yield from _menu(part)
            part = {}
        case t if t == _LABELLED:
            asked = part["component"]
            if asked["type"] == MENU:
                yield f"<{part['label']}>"
                yield from _menu(asked)
            else:
                told = {name: value for name, value in asked.items() if value and name not in _OF_EVERY_INPUT}
                yield f"<{part['label']}> {asked['custom_id']} {json.dumps(told, ensure_ascii=False, sort_keys=True)}"
            part = {name: part[name] for name in ("description",) if name in part}
        case t:
            yield f"<{t}> {json.dumps(part, ensure_ascii=False, sort_keys=True)}"
            part = {}
    if part:
        yield json.dumps(part, ensure_ascii=False, sort_keys=True)


def _button(button: dict[str, Any]) -> str:
    emoji = f":{button['emoji']['name']}: " if "emoji" in button else ""
    off = " off" if button["disabled"] else ""
    return (
        f"[{emoji}{button.get('label', '')}]({button.get('custom_id') or button['url']}{_STYLES[button['style']]}{off})"
    )


def _menu(menu: dict[str, Any]) -> Iterator[str]:
    off = " off" if menu["disabled"] else ""
    yield f"<{menu.get('placeholder', '')}> {menu['custom_id']} {menu['min_values']}-{menu['max_values']}{off}"
    for option in menu["options"]:
        mark = "*" if option.get("default") else "-"
        told = f" ({option['description']})" if "description" in option else ""
        yield f"  {mark} {option['value']}: {option['label']}{told}"
