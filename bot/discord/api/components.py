"""The components of messages as plain data: texts, rows of at most four buttons, one container; and links into Discord.

A component is the JSON object that Discord gets. It is immutable, since the panels of a process share their buttons;
some functions return changed copies of finished messages. The tests check Discord's limits on every recorded screen.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn, NotRequired, TypedDict, TypeVar

from bot.discord.api.custom_ids import NO_TABLE, make_id, verb_of, write_page_key
from bot.records.history import AfterKey, BeforeKey, BoardLine, BoardPage, HistoryPage, MatchRecord
from bot.tables.lobby.table_channel import TableChannel

MAX_PARTS: Final = 40  # Discord's limits for one message
MAX_TEXT: Final = 4000
IN_ROW: Final = 4  # a fifth button would wrap on a phone
MAX_LABEL: Final = 80

Style = Literal[1, 2, 3, 4, 5]
PRIMARY: Final[Style] = 1
SECONDARY: Final[Style] = 2
SUCCESS: Final[Style] = 3
DANGER: Final[Style] = 4
LINK: Final[Style] = 5

# Discord's numbers for the types of components
ROW: Final = 1
BUTTON: Final = 2
MENU: Final = 3
USERS: Final = 5
ROLES: Final = 6
CHANNELS: Final = 8
TEXT: Final = 10
GALLERY: Final = 12
CONTAINER: Final = 17

GREEN: Final = 0x2F8F5B  # a table, its rules, the server's settings
GREY: Final = 0x6B6F76  # a table that is closed
BLUE: Final = 0x3C6EB4  # a hand; what was played
PURPLE: Final = 0x7A5AA6  # a sign; a secret vote
GOLD: Final = 0xC9A227  # a result; a leaderboard
TEAL: Final = 0x2A8C82  # what a person achieved
SLATE: Final = 0x4E5D94  # a replay
RED: Final = 0xB23A48  # what cannot be undone
TEAMS: Final = (0x6FB7FF, 0xFF9D6F, 0xC9A2FF, 0xFFE066, 0x7FE0B0, 0xFF8FB8)
"""The accent colours of messages about a team's win, by team; pictures use the same."""


T = TypeVar("T")


class _Fixed(dict[str, Any]):
    """An immutable JSON object; `{**component, ...}` makes a changed copy."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a component cannot be changed: make a changed copy")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


def _fixed(made: T) -> T:
    return _Fixed(made)  # type: ignore[call-overload,no-any-return]


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji of the application or of a server. Its `str` shows it in a message."""

    name: str
    id: int

    def __str__(self) -> str:
        return f"<:{self.name}:{self.id}>"


class EmojiData(TypedDict):
    """A custom emoji in a button, as Discord gets it."""

    id: int
    name: str


class Button(TypedDict):
    """A button; a link has a `url` in place of a custom id."""

    type: Literal[2]
    style: Style
    disabled: bool
    custom_id: NotRequired[str]
    url: NotRequired[str]  # in place of the id: no press reaches the bot
    label: NotRequired[str]
    emoji: NotRequired[EmojiData]


class Option(TypedDict):
    """One value of a menu."""

    label: str
    value: str
    default: bool
    description: NotRequired[str]


class Menu(TypedDict):
    """A menu of options, of members, of roles or of channels; the router answers it."""

    type: Literal[3, 5, 6, 8]
    custom_id: str
    min_values: int
    max_values: int
    disabled: bool
    required: bool
    placeholder: NotRequired[str]
    options: NotRequired[Sequence[Option]]
    channel_types: NotRequired[Sequence[int]]
    default_values: NotRequired[Sequence[Mapping[str, object]]]  # channels or roles


class Text(TypedDict):
    """Markdown."""

    type: Literal[10]
    content: str


class Row(TypedDict):
    """Up to four buttons, or one menu."""

    type: Literal[1]
    components: Sequence[Button | Menu]


class Gallery(TypedDict):
    """Pictures beside each other."""

    type: Literal[12]
    items: Sequence[Mapping[str, object]]


Part = Text | Row | Gallery


class Container(TypedDict):
    """The container that holds all parts of a message."""

    type: Literal[17]
    spoiler: bool
    components: Sequence[Part]
    accent_color: int | None


Layout = list[Container]
"""A message's components as Discord gets them, which are one container. Equal layouts need no edit."""


def text(*lines: str | None) -> Text:
    """Return markdown text with these lines; None and empty ones are left out."""
    return _fixed(Text(type=TEXT, content="\n".join(filter(None, lines))))


def button(
    label: str | None, custom_id: str, *, style: Style = SECONDARY, is_enabled: bool = True, emoji: Emoji | None = None
) -> Button:
    """Return a button whose presses the router answers by their custom id."""
    made: Button = {"type": BUTTON, "style": style, "disabled": not is_enabled, "custom_id": custom_id}
    if label:
        made["label"] = label
    if emoji is not None:
        made["emoji"] = _fixed(EmojiData(id=emoji.id, name=emoji.name))
    return _fixed(made)


def link_button(label: str, url: str) -> Button:
    """Return a button that opens a URL."""
    return _fixed(Button(type=BUTTON, style=LINK, disabled=False, label=label, url=url))


def option(label: str, value: str, *, description: str = "", is_default: bool = False) -> Option:
    """Return one option of a menu."""
    made: Option = {"label": label, "value": value, "default": is_default}
    if description:
        made["description"] = description
    return _fixed(made)


def menu(
    custom_id: str,
    placeholder: str,
    options: Iterable[Option],
    *,
    least: int = 1,
    most: int = 1,
    is_enabled: bool = True,
) -> Row:
    """Return a row with a menu; a user chooses `least` to `most` of its options."""
    made = _menu(MENU, custom_id, placeholder, least, most)
    made["required"], made["disabled"], made["options"] = True, not is_enabled, tuple(options)
    return row(_fixed(made))


def choice(
    custom_id: str, placeholder: str, words: Mapping[Any, str], chosen: object, about: Mapping[Any, str] | None = None
) -> Row:
    """Return a row with a menu of which one value is chosen.

    Args:
        custom_id: Of the menu.
        placeholder: Shown while nothing is chosen.
        words: The label of each value.
        chosen: The value that is chosen already.
        about: The description below some labels.
    """
    return menu(
        custom_id,
        placeholder,
        [
            option(label, str(value), description=(about or {}).get(value, ""), is_default=value == chosen)
            for value, label in words.items()
        ],
    )


def channel_menu(custom_id: str, placeholder: str, kinds: Iterable[int], *, most: int, chosen: Iterable[int]) -> Row:
    """Return a row with a menu of a server's channels.

    Args:
        custom_id: Of the menu.
        placeholder: Shown while nothing is chosen.
        kinds: Discord's numbers of the types of channels to choose from.
        most: How many may be chosen.
        chosen: Ids of channels that are chosen already.
    """
    made = _menu(CHANNELS, custom_id, placeholder, 0, most, chosen)
    made["channel_types"] = tuple(kinds)
    return row(_fixed(made))


def role_menu(custom_id: str, placeholder: str, *, chosen: Iterable[int]) -> Row:
    """Return a row with a menu of a server's roles; at most one can be chosen. `chosen`: ids chosen already."""
    return row(_fixed(_menu(ROLES, custom_id, placeholder, 0, 1, chosen)))


def user_menu(custom_id: str, placeholder: str, *, most: int) -> Row:
    """Return a row with a menu of a server's members; one to `most` can be chosen."""
    return row(_fixed(_menu(USERS, custom_id, placeholder, 1, most)))


def row(*controls: Button | Menu) -> Row:
    """Return these buttons, or this menu, as one row."""
    return _fixed(Row(type=ROW, components=controls))


def rows(buttons: Sequence[Button], in_row: int = IN_ROW) -> list[Row]:
    """Return the buttons in rows of `in_row` buttons."""
    return [row(*buttons[start : start + in_row]) for start in range(0, len(buttons), in_row)]


def gallery(name: str, description: str) -> Gallery:
    """Return a gallery of one picture: the attached file of this name."""
    picture = {"media": _Fixed(url=f"attachment://{name}"), "description": description, "spoiler": False}
    return _fixed(Gallery(type=GALLERY, items=(_Fixed(picture),)))


def layout(*parts: Part, colour: int | None = None) -> Layout:
    """Return a message with these parts in a container with an accent colour."""
    return [_fixed(Container(type=CONTAINER, spoiler=False, components=parts, accent_color=colour))]


def parts_of(layout: Layout) -> Sequence[Part]:
    """Return the components in the message's container."""
    (container,) = layout
    return container["components"]


def _menu(
    kind: Literal[3, 5, 6, 8], custom_id: str, placeholder: str, least: int, most: int, chosen: Iterable[int] = ()
) -> Menu:
    made = Menu(type=kind, custom_id=custom_id, min_values=least, max_values=most, disabled=False, required=False)
    if placeholder:
        made["placeholder"] = placeholder
    if values := tuple(_Fixed(id=chosen_id, type="role" if kind == ROLES else "channel") for chosen_id in chosen):
        made["default_values"] = values
    return made


def with_new_ids(layout: Layout, showing: int) -> Layout:
    """Return a copy with new custom ids for menus of members, so that clients show these menus without a choice.

    `showing` makes the ids new: any number that was not used before.

    Source: https://github.com/discord/discord-api-docs/issues/7536
    """

    def new(part: Part) -> Part:
        if part["type"] != ROW or part["components"][0]["type"] != USERS:
            return part
        replacement: Menu = {**part["components"][0], "custom_id": f"{part['components'][0]['custom_id']}:{showing}"}
        return row(_fixed(replacement))

    (container,) = layout
    made: Container = {**container, "components": [new(part) for part in container["components"]]}
    return [_fixed(made)]


def link_to(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """Return the URL of a channel, or of a message in it."""
    channel = f"https://discord.com/channels/{guild_id}/{channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"


def link_from(message_id: int | None, place: TableChannel) -> str:
    """Return a link from a message to where its table has moved: to the channel until the table is posted there."""
    return link_to(place.guild_id, place.channel_id, None if place.message_id == message_id else place.message_id)


def with_line(message: Layout, line: str) -> Layout:
    """Return a copy of the message with one more line under its heading."""
    heading, *rest = parts_of(message)
    assert heading["type"] == TEXT, "every message begins with a heading"
    return _with_parts(message, [text(heading["content"], line), *rest])


def with_picture(message: Layout, name: str, alt: str, replaces: int = 0) -> Layout:
    """Return a copy of the message with a picture under its heading.

    Args:
        message: It begins with a heading.
        name: The name of the attached file.
        alt: The picture's alternative text.
        replaces: How many parts after the heading the picture takes the place of.
    """
    heading, *rest = parts_of(message)
    return _with_parts(message, [heading, gallery(name, alt), *rest[replaces:]])


def above_buttons(message: Layout, *parts: Part) -> Layout:
    """Return a copy of the message with these parts above its first row of controls, or at its end if it has none."""
    own = parts_of(message)
    first = next((place for place, part in enumerate(own) if part["type"] == ROW), len(own))
    return _with_parts(message, [*own[:first], *parts, *own[first:]])


def with_verbs_enabled(message: Layout, verbs: Collection[str]) -> Layout:
    """Return a copy of the message in which only the controls with these verbs are enabled."""

    def disabled(part: Row) -> Row:
        return row(
            *(control | {"disabled": verb_of(control["custom_id"]) not in verbs} for control in part["components"])
        )

    return _with_parts(message, [disabled(part) if part["type"] == ROW else part for part in parts_of(message)])


def text_length(message: Layout) -> int:
    """Return the number of characters in the message's texts, of which Discord allows 4,000."""
    return sum(len(part["content"]) for part in parts_of(message) if part["type"] == TEXT)


def confirmation(title: str, costs: Iterable[str | None], *yes: Button, no: Button | None = None) -> Layout:
    """Return a message that asks only the presser for a confirmation.

    Args:
        title: The question.
        costs: Lines that say what a yes would do; None is left out.
        yes: Buttons that confirm. They may be pressed late or twice: make the action harmless when repeated, or let the
            custom id say what exactly is confirmed.
        no: A button that leads back.
    """
    return layout(text(f"## {title}", *costs), row(*yes, *([] if no is None else [no])), colour=RED)


def page_buttons(
    page: HistoryPage | BoardPage,
    lines: Sequence[MatchRecord | BoardLine],
    verb: str,
    about: str,
    ways: tuple[str, str] = ("◀", "▶"),
) -> list[Row]:
    """Return a row with buttons to the previous and the next page of a list; no row if there is only one page.

    Args:
        page: Says whether there are lines before and after it.
        lines: The lines of the page.
        verb: The verb of the custom ids; their argument is `about` and the key of the page.
        about: Names the list.
        ways: The labels of the buttons.
    """
    if not lines or not (page.has_before or page.has_after):
        return []
    back, on = (
        f"{about}:{write_page_key(page_key)}" for page_key in (BeforeKey(lines[0].key), AfterKey(lines[-1].key))
    )
    return [
        row(
            button(ways[0], make_id(NO_TABLE, verb, back), is_enabled=page.has_before),
            button(ways[1], make_id(NO_TABLE, verb, on), is_enabled=page.has_after),
        )
    ]


def danger(label: str, custom_id: str) -> Button:
    """Return a red button."""
    return button(label, custom_id, style=DANGER)


def _with_parts(message: Layout, parts: Iterable[Part]) -> Layout:
    (container,) = message
    return layout(*parts, colour=container["accent_color"])
