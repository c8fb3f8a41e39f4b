"""The few shapes every message is made of: text, rows of at most four buttons, one container.

A component is the JSON object that Discord gets, made once and not changed afterwards. The tests check Discord's limits
on every recorded screen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NotRequired, TypedDict

MAX_PARTS: Final = 40  # Discord's limits for one message
MAX_TEXT: Final = 4000
IN_ROW: Final = 4  # a fifth button would wrap on a phone
MAX_LABEL: Final = 80

Style = Literal[1, 2, 3, 4]
PRIMARY: Final[Style] = 1
SECONDARY: Final[Style] = 2
SUCCESS: Final[Style] = 3
DANGER: Final[Style] = 4

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


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji of the application or of a server; as text it is what shows it in a message."""

    name: str
    id: int

    def __str__(self) -> str:
        return f"<:{self.name}:{self.id}>"


class EmojiData(TypedDict):
    id: int
    name: str


class Button(TypedDict):
    type: Literal[2]
    style: Style
    disabled: bool
    custom_id: str
    label: NotRequired[str]
    emoji: NotRequired[EmojiData]


class Option(TypedDict):
    label: str
    value: str
    default: bool
    description: NotRequired[str]


class Chosen(TypedDict):
    """A channel or role that a menu shows as chosen."""

    id: int
    type: Literal["channel", "role"]


class Menu(TypedDict):
    """A menu of options, of members, of roles or of channels; the router answers it."""

    type: Literal[3, 5, 6, 8]
    custom_id: str
    min_values: int
    max_values: int
    disabled: bool
    required: bool
    placeholder: NotRequired[str]
    options: NotRequired[list[Option]]
    channel_types: NotRequired[list[int]]
    default_values: NotRequired[list[Chosen]]


class Text(TypedDict):
    type: Literal[10]
    content: str


class Row(TypedDict):
    type: Literal[1]
    components: list[Button | Menu]


class Media(TypedDict):
    url: str


class Picture(TypedDict):
    media: Media
    description: str
    spoiler: bool


class Gallery(TypedDict):
    """Pictures beside each other."""

    type: Literal[12]
    items: list[Picture]


Part = Text | Row | Gallery


class Container(TypedDict):
    """What every message of ours is."""

    type: Literal[17]
    spoiler: bool
    components: list[Part]
    accent_color: int | None


Layout = list[Container]
"""A message's components, one container, as Discord gets them; equal layouts need no edit."""


def text(*lines: str | None) -> Text:
    """Lines of markdown; those that are None or empty are left out."""
    return {"type": TEXT, "content": "\n".join(filter(None, lines))}


def button(
    label: str | None, custom_id: str, *, style: Style = SECONDARY, is_enabled: bool = True, emoji: Emoji | None = None
) -> Button:
    made: Button = {"type": BUTTON, "style": style, "disabled": not is_enabled, "custom_id": custom_id}
    if label:
        made["label"] = label
    if emoji is not None:
        made["emoji"] = {"id": emoji.id, "name": emoji.name}
    return made


def option(label: str, value: str, *, description: str = "", is_default: bool = False) -> Option:
    made: Option = {"label": label, "value": value, "default": is_default}
    if description:
        made["description"] = description
    return made


def menu(
    custom_id: str, placeholder: str, options: list[Option], *, least: int = 1, most: int = 1, is_enabled: bool = True
) -> Row:
    """A row with a menu of which between `least` and `most` options are chosen; the router answers it."""
    made = _menu(MENU, custom_id, placeholder, least, most)
    made["required"], made["disabled"], made["options"] = True, not is_enabled, options
    return row(made)


def channel_menu(custom_id: str, placeholder: str, kinds: Iterable[int], *, most: int, chosen: Iterable[int]) -> Row:
    """A row with a menu of a server's channels of these kinds (Discord's numbers); `chosen` are ids."""
    made = _menu(CHANNELS, custom_id, placeholder, 0, most)
    made["channel_types"] = list(kinds)
    return row(_with_chosen(made, "channel", chosen))


def role_menu(custom_id: str, placeholder: str, *, chosen: Iterable[int]) -> Row:
    """A row with a menu of a server's roles, of which one may be chosen; `chosen` are ids."""
    return row(_with_chosen(_menu(ROLES, custom_id, placeholder, 0, 1), "role", chosen))


def user_menu(custom_id: str, placeholder: str, *, most: int) -> Row:
    """A row with a menu of a server's members."""
    return row(_menu(USERS, custom_id, placeholder, 1, most))


def row(*controls: Button | Menu) -> Row:
    return {"type": ROW, "components": list(controls)}


def rows(buttons: Sequence[Button], in_row: int = IN_ROW) -> list[Row]:
    """The buttons in rows of four, or fewer where they are wide."""
    return [{"type": ROW, "components": [*buttons[start : start + in_row]]} for start in range(0, len(buttons), in_row)]


def gallery(url: str, description: str) -> Gallery:
    """One picture; an attached file is `attachment://` and its name."""
    return {"type": GALLERY, "items": [{"media": {"url": url}, "description": description, "spoiler": False}]}


def layout(*parts: Part, colour: int | None = None) -> Layout:
    """One message: its parts in a container."""
    return [{"type": CONTAINER, "spoiler": False, "components": list(parts), "accent_color": colour}]


def _menu(kind: Literal[3, 5, 6, 8], custom_id: str, placeholder: str, least: int, most: int) -> Menu:
    made: Menu = {
        "type": kind,
        "custom_id": custom_id,
        "min_values": least,
        "max_values": most,
        "disabled": False,
        "required": False,
    }
    if placeholder:
        made["placeholder"] = placeholder
    return made


def _with_chosen(made: Menu, kind: Literal["channel", "role"], chosen: Iterable[int]) -> Menu:
    values: list[Chosen] = [{"id": one, "type": kind} for one in chosen]
    if values:
        made["default_values"] = values
    return made
