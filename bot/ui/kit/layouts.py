"""Changed copies of finished messages; the question before what cannot be undone."""

from collections.abc import Collection, Iterable, Sequence

from bot.records.history import After, Before, BoardLine, BoardPage, HistoryPage, MatchRecord
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id, verb_of, write_spot


def with_line(layout: c.Layout, line: str) -> c.Layout:
    heading, *rest = c.parts_of(layout)
    assert heading["type"] == c.TEXT, "every message begins with a heading"
    return _with_parts(layout, [c.text(heading["content"], line), *rest])


def with_picture(layout: c.Layout, name: str, alt: str, replaces: int = 0) -> c.Layout:
    """The same message, with the attached file of that name under its heading; `alt` is its alternative text.

    It takes the place of so many parts.
    """
    heading, *rest = c.parts_of(layout)
    return _with_parts(layout, [heading, c.gallery(f"attachment://{name}", alt), *rest[replaces:]])


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


def turning_row(
    page: HistoryPage | BoardPage,
    lines: Sequence[MatchRecord | BoardLine],
    verb: str,
    about: str,
    ways: tuple[str, str] = ("◀", "▶"),
) -> list[c.Row]:
    """The row that turns a page to what stands before and after its lines; none where it is the only page.

    Custom ids have the verb, what the list is `about`, and a spot.
    """
    if not lines or not (page.has_before or page.has_after):
        return []
    back, on = (f"{about}:{write_spot(spot)}" for spot in (Before(lines[0].key), After(lines[-1].key)))
    return [
        c.row(
            c.button(ways[0], make_id(NO_TABLE, verb, back), is_enabled=page.has_before),
            c.button(ways[1], make_id(NO_TABLE, verb, on), is_enabled=page.has_after),
        )
    ]


def danger(label: str, custom_id: str) -> c.Button:
    return c.button(label, custom_id, style=c.DANGER)


def _with_parts(layout: c.Layout, parts: Iterable[c.Part]) -> c.Layout:
    (container,) = layout
    return c.layout(*parts, colour=container["accent_color"])
