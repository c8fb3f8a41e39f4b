"""What Discord would refuse of the components of a message or a form.

Kinds that this bot does not send, such as sections and separators, are faults.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bot.sandbox.discord.components import (
    BUTTON,
    MENU,
    MENUS,
    Fault,
    Path,
    walk,
)
from bot.sandbox.discord.objects import Json
from tests.rig import published as p

ROW, TEXT_INPUT, TEXT, GALLERY, CONTAINER, LABEL = 1, 4, 10, 12, 17, 18
UNKNOWN_FIELD = "UNKNOWN_FIELD"  # not a code of Discord's, which ignores such fields
_LINK = 5
_PLAIN_STYLES = range(1, _LINK)


def component_faults(components: Any, path: Path, *, is_v2: bool, is_form: bool = False) -> list[Fault]:
    if not isinstance(components, list):
        return [(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a list.")]
    faults: list[Fault] = []
    seen_ids: set[str] = set()
    text = count = 0
    top = p.TOP_LEVEL_OF_FORM if is_form else p.TOP_LEVEL if is_v2 else frozenset((ROW,))
    for index, component in enumerate(components):
        inside = component.get("components") or () if component.get("type") == ROW else ()
        misplaced = any((child.get("type") == TEXT_INPUT) != is_form for child in inside)
        if component.get("type") not in top or misplaced:
            faults.append(((*path, index, "type"), "UNION_TYPE_CHOICES", "This component cannot stand here."))
    for here, component in walk(components, path):
        count += 1
        kind = component.get("type")
        faults += _shape(component, kind, here)
        check = _OF_KIND.get(kind)  # type: ignore[arg-type]  # a wrong type finds no check
        if check is None:
            continue
        faults += check(component, here)
        if kind == TEXT:
            text += len(component.get("content") or "")
        custom_id = component.get("custom_id")
        if custom_id is not None:
            if custom_id in seen_ids:
                message = f"Component custom id cannot be duplicated: {custom_id}"
                faults.append(((*here, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message))
            seen_ids.add(custom_id)
    if is_form:
        faults += sized(len(components), p.FORM_FIELDS, path)
    faults += sized(count, p.COMPONENTS_IN_MESSAGE, path)
    faults += sized(text, p.TEXT_IN_MESSAGE, path)
    return faults


def sized(size: int, span: p.Span, path: Path) -> list[Fault]:
    """A fault if a length or a number is not within its limits."""
    if span.holds(size):
        return []
    return [(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {span.low} and {span.high}, is {size} ({span.source}).")]


def _text(component: Json, key: str, span: p.Span, path: Path, *, is_needed: bool = False) -> list[Fault]:
    value = component.get(key)
    if value is None:
        return [((*path, key), "BASE_TYPE_REQUIRED", "This field is required")] if is_needed else []
    if not isinstance(value, str):
        return [((*path, key), "STRING_TYPE_CONVERT", "Could not interpret as a string.")]
    return sized(len(value), span, (*path, key))


def _shape(component: Json, kind: Any, path: Path) -> Iterable[Fault]:
    known = p.COMPONENT_FIELDS.get(kind)
    if known is None:
        return [((*path, "type"), "BASE_TYPE_CHOICES", f"There is no component of type {kind!r} here.")]
    inside = p.CHILDREN.get(kind)
    if component.keys() <= known and inside is None:
        return ()
    faults = [
        ((*path, strange), UNKNOWN_FIELD, f"A component of type {kind} has no field {strange!r}.")
        for strange in component.keys() - known
    ]
    for index, child in enumerate(component.get("components") or ()):
        if inside is not None and child.get("type") not in inside:
            message = f"A component of type {kind} holds none of type {child.get('type')}."
            faults.append(((*path, "components", index, "type"), "UNION_TYPE_CHOICES", message))
    return faults


def _row(row: Json, path: Path) -> Iterator[Fault]:
    children = row.get("components") or ()
    yield from sized(len(children), p.BUTTONS_IN_ROW, (*path, "components"))
    if len(children) > 1 and any(child.get("type") != BUTTON for child in children):
        yield (*path, "components"), "BASE_TYPE_BAD_LENGTH", "A row holds buttons, or one other component."


def _button(button: Json, path: Path) -> Iterable[Fault]:
    """Most components are buttons, and most buttons are plain: those are told apart quickly."""
    label, custom_id = button.get("label"), button.get("custom_id")
    is_labelled = p.BUTTON_LABEL.holds(len(label)) if isinstance(label, str) else bool(button.get("emoji"))
    is_named = isinstance(custom_id, str) and p.CUSTOM_ID.holds(len(custom_id))
    is_plain = is_labelled and is_named and button.get("style") in _PLAIN_STYLES
    return () if is_plain else _button_faults(button, path)


def _button_faults(button: Json, path: Path) -> Iterator[Fault]:
    style = button.get("style")
    yield from _text(button, "label", p.BUTTON_LABEL, path)
    if style not in p.BUTTON_STYLES:
        yield (*path, "style"), "BASE_TYPE_CHOICES", f"There is no button style {style!r}."
    if style == _LINK:
        if "custom_id" in button:
            yield (*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_FORBIDDEN", "This button takes no custom id."
        yield from _text(button, "url", p.BUTTON_URL, path, is_needed=True)
        return
    yield from _text(button, "custom_id", p.CUSTOM_ID, path, is_needed=True)
    if not button.get("label") and not button.get("emoji"):
        yield path, "BUTTON_COMPONENT_LABEL_REQUIRED", "A button needs a label or an emoji."


def _menu(menu: Json, path: Path) -> Iterator[Fault]:
    yield from _text(menu, "custom_id", p.CUSTOM_ID, path, is_needed=True)
    yield from _text(menu, "placeholder", p.MENU_PLACEHOLDER, path)
    low, high = menu.get("min_values", 1), menu.get("max_values", 1)
    yield from sized(low, p.MENU_MIN, (*path, "min_values"))
    yield from sized(high, p.MENU_MAX, (*path, "max_values"))
    if menu["type"] != MENU:
        return
    options = menu.get("options") or []
    yield from sized(len(options), p.MENU_OPTIONS, (*path, "options"))
    if not low <= high <= max(len(options), 1):
        message = f"From {low} to {high} of {len(options)} options cannot be chosen."
        yield (*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES", message
    if sum(bool(option.get("default")) for option in options) > high:
        yield (*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "More options are chosen than may be."
    values = set()
    for index, option in enumerate(options):
        here = (*path, "options", index)
        yield from _text(option, "label", p.OPTION_TEXT, here, is_needed=True)
        yield from _text(option, "value", p.OPTION_TEXT, here, is_needed=True)
        yield from _text(option, "description", p.OPTION_TEXT, here)
        if option.get("value") in values:
            message = "The specified option value is already used"
            yield (*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message
        values.add(option.get("value"))


def _input(field: Json, path: Path) -> Iterator[Fault]:
    yield from _text(field, "custom_id", p.CUSTOM_ID, path, is_needed=True)
    yield from _text(field, "label", p.INPUT_LABEL, path)
    yield from _text(field, "placeholder", p.INPUT_PLACEHOLDER, path)
    low, high = field.get("min_length"), field.get("max_length")
    yield from sized(0 if low is None else low, p.INPUT_MIN, (*path, "min_length"))
    yield from sized(1 if high is None else high, p.INPUT_MAX, (*path, "max_length"))
    value = field.get("value")
    if value and not (low or 0) <= len(value) <= (high or p.INPUT_MAX.high):
        yield (*path, "value"), "BASE_TYPE_BAD_LENGTH", "The text that is there already does not fit."


def _label(label: Json, path: Path) -> Iterator[Fault]:
    yield from _text(label, "label", p.INPUT_LABEL, path, is_needed=True)
    yield from _text(label, "description", p.LABEL_DESCRIPTION, path)
    if (label.get("component") or {}).get("type") not in p.IN_LABEL:
        yield (*path, "component", "type"), "UNION_TYPE_CHOICES", "A label does not hold this component."


def _gallery(gallery: Json, path: Path) -> Iterator[Fault]:
    items: Sequence[Json] = gallery.get("items") or ()
    yield from sized(len(items), p.GALLERY_ITEMS, (*path, "items"))
    for index, item in enumerate(items):
        yield from _text(item, "description", p.MEDIA_DESCRIPTION, (*path, "items", index))


def _container(container: Json, path: Path) -> Iterator[Fault]:
    yield from sized(len(container.get("components") or ()), p.CONTAINER_CHILDREN, (*path, "components"))
    colour = container.get("accent_color")
    if colour is not None and not 0 <= colour <= 0xFFFFFF:
        yield (*path, "accent_color"), "NUMBER_TYPE_MAX", "A colour is at most 0xFFFFFF."


_OF_KIND = {
    ROW: _row,
    BUTTON: _button,
    TEXT_INPUT: _input,
    TEXT: lambda text, path: _text(text, "content", p.TEXT_DISPLAY, path, is_needed=True),
    GALLERY: _gallery,
    CONTAINER: _container,
    LABEL: _label,
    **dict.fromkeys(MENUS, _menu),
}
