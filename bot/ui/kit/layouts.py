"""Changed copies of finished messages; the question before what cannot be undone."""

from collections.abc import Collection, Iterable

from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import verb_of


def with_line(layout: c.Layout, line: str) -> c.Layout:
    heading, *rest = c.parts_of(layout)
    assert heading["type"] == c.TEXT, "every message begins with a heading"
    return _with_parts(layout, [c.text(heading["content"], line), *rest])


def with_picture(layout: c.Layout, name: str, alt: str) -> c.Layout:
    """The same message, with the attached file of that name under its heading; `alt` is its alternative text."""
    heading, *rest = (part for part in c.parts_of(layout) if part["type"] != c.GALLERY)
    return _with_parts(layout, [heading, c.gallery(f"attachment://{name}", alt), *rest])


def at_rest(layout: c.Layout, verbs: Collection[str]) -> c.Layout:
    """The same message while nothing but these verbs can be pressed."""

    def disabled(row: c.Row) -> c.Row:
        return c.row(*(one | {"disabled": verb_of(one["custom_id"]) not in verbs} for one in row["components"]))

    return _with_parts(layout, [disabled(part) if part["type"] == c.ROW else part for part in c.parts_of(layout)])


def text_length(layout: c.Layout) -> int:
    """How many characters the message's text has; Discord takes 4,000."""
    return sum(len(part["content"]) for part in c.parts_of(layout) if part["type"] == c.TEXT)


def confirmation(title: str, costs: Iterable[str | None], *yes: c.Button, no: c.Button | None = None) -> c.Layout:
    """A private question; nothing happens before one of the `yes` is pressed. `no` leads back."""
    return c.layout(c.text(f"## {title}", *costs), c.row(*yes, *([] if no is None else [no])), colour=c.RED)


def danger(label: str, custom_id: str) -> c.Button:
    return c.button(label, custom_id, style=c.DANGER)


def _with_parts(layout: c.Layout, parts: Iterable[c.Part]) -> c.Layout:
    (container,) = layout
    return c.layout(*parts, colour=container["accent_color"])
