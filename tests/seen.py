"""A message as a member of the server sees it: its text and its controls.

Read from the messages of simcord, or of the rig's own Discord.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol

Json = dict[str, Any]
_CARD: Final = re.compile("(10|[2-9AVDRJQK])([♠♥♦♣])\ufe0e?")
_ROUND: Final = re.compile(r"^(k1:\d+)\.\d+:")
_ASKED_AT: Final = re.compile(r"[@~][0-9a-z]{11,13}$")
_RANKS: Final = {"10": "T", "V": "J", "D": "Q", "R": "K"}
_GREEN: Final = 3  # a button's style "success"
_SUITS: Final = dict(zip("♠♥♦♣", "SHDC", strict=True))


class Message(Protocol):
    """What is read of a message. ``interaction_metadata`` names who asked for it."""

    id: int
    channel_id: int
    author_id: int
    content: str
    components: list[Json]
    attachments: list[Json]

    @property
    def is_ephemeral(self) -> bool: ...

    @property
    def interaction_metadata(self) -> Json | None: ...


@dataclass(frozen=True, slots=True)
class Control:
    """A button or select menu of a message; ``label`` is the placeholder for a menu.

    A link has its address for ``custom_id``.
    """

    label: str
    custom_id: str
    disabled: bool
    values: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    is_green: bool = False

    @property
    def plain_id(self) -> str:
        """The custom id without the round in which the message was drawn, and without when a question was asked."""
        return _ROUND.sub(r"\1:", _ASKED_AT.sub("", self.custom_id))


@dataclass(frozen=True, slots=True)
class Seen:
    """All text of a message, what its pictures show in words, and its controls.

    ``viewer_id`` is the one member who sees it, None for everybody.
    """

    id: int
    channel_id: int
    text: str
    controls: tuple[Control, ...]
    author_id: int
    viewer_id: int | None = None
    pictures: tuple[str, ...] = ()

    @property
    def ephemeral(self) -> bool:
        return self.viewer_id is not None

    def control(self, label: str) -> Control | None:
        """The control of that label, or custom id."""
        return next((c for c in self.controls if label in (c.label, c.custom_id, c.plain_id)), None)


def typed(text: str) -> str:
    """The text with ordinary spaces for those at which no line breaks, as a test has it."""
    return text.replace("\u00a0", " ").replace("\u202f", " ").replace("\u2060", "")


def look_at(message: Message) -> Seen:
    """What there is to see of a message."""
    parts = [message.content]
    controls = []
    pictures = []
    files = {attachment["url"] for attachment in message.attachments}
    for component in walk(message.components):
        if "content" in component:
            parts.append(component["content"])
        if target := component.get("custom_id") or component.get("url"):
            emoji = (component.get("emoji") or {}).get("name") or ""
            label = component.get("label") or component.get("placeholder") or emoji
            values = chosen = ()
            if options := component.get("options"):
                values = tuple(option["value"] for option in options)
                chosen = tuple(option["value"] for option in options if option.get("default"))
            looks = bool(component.get("disabled")), values, chosen, component.get("style") == _GREEN
            controls.append(Control(typed(label), target, *looks))
        for item in component.get("items") or ():
            assert item["media"]["url"] in files, "a picture whose file was not sent"
            pictures.append(typed(str(item.get("description") or "")))
    if pictures:
        assert len(pictures) == len(files), "a file that the message does not show"
    presser = ((message.interaction_metadata or {}).get("user") or {}).get("id")
    return Seen(
        id=message.id,
        channel_id=message.channel_id,
        text=typed("\n".join(part for part in parts if part)),
        controls=tuple(controls),
        author_id=message.author_id,
        viewer_id=int(presser) if message.is_ephemeral and presser else None,
        pictures=tuple(pictures),
    )


def pool_in(text: str) -> tuple[str | None, ...]:
    """The open cards that a public table shows in large letters, by slot: codes, None for an empty slot.

    Nothing where the text shows no pool. French cards without pictures, in French or in English.
    """
    words = [word for line in text.splitlines() if line.startswith("#") for word in line.lstrip("# ").split("\u2003")]
    found = [_CARD.fullmatch(word) for word in words]
    if not all(card or word == "—" for card, word in zip(found, words, strict=True)):
        return ()
    return tuple(None if card is None else _RANKS.get(card[1], card[1]) + _SUITS[card[2]] for card in found)


def walk(components: Iterable[Json]) -> list[Json]:
    """All components of a message or a form, nested ones too."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        if children := component.get("components"):
            found += walk(children)
        found += [component["component"]] if "component" in component else []
    return found
