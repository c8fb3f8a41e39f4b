"""Changed copies of finished messages: with a line or a picture, without their buttons."""

from collections.abc import Collection

from bot.ui.kit.components import GALLERY, ROW, TEXT, Layout, Part, Row, gallery, text
from bot.ui.kit.custom_ids import verb_of


def without_controls(layout: Layout) -> Layout:
    return _with_parts(layout, [part for part in _parts(layout) if part["type"] != ROW])


def with_line(layout: Layout, line: str) -> Layout:
    """The same message with a line under its heading."""
    heading, *rest = _parts(layout)
    assert heading["type"] == TEXT, "every message begins with a heading"
    return _with_parts(layout, [text(heading["content"], line), *rest])


def with_picture(layout: Layout, name: str, alt: str) -> Layout:
    """The same message, with the attached file of that name under its heading; `alt` is its alternative text."""
    heading, *rest = _parts(without_picture(layout))
    return _with_parts(layout, [heading, gallery(f"attachment://{name}", alt), *rest])


def without_picture(layout: Layout) -> Layout:
    return _with_parts(layout, [part for part in _parts(layout) if part["type"] != GALLERY])


def at_rest(layout: Layout, verbs: Collection[str]) -> Layout:
    """The same message while nothing but these verbs can be pressed."""

    def disabled(row: Row) -> Row:
        controls = [one | {"disabled": verb_of(one["custom_id"]) not in verbs} for one in row["components"]]
        return {**row, "components": controls}

    return _with_parts(layout, [disabled(part) if part["type"] == ROW else part for part in _parts(layout)])


def text_length(layout: Layout) -> int:
    """How many characters the message's text has; Discord takes 4,000."""
    return sum(len(part["content"]) for part in _parts(layout) if part["type"] == TEXT)


def _parts(layout: Layout) -> list[Part]:
    (container,) = layout
    return container["components"]


def _with_parts(layout: Layout, parts: list[Part]) -> Layout:
    (container,) = layout
    return [{**container, "components": parts}]
