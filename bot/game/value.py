"""Decorators for the values made with each move (events, actions, views, parts of the state), and enums with words."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self, TypeVar, dataclass_transform
from zlib import crc32

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True)
def value(kind: type[_Class]) -> type[_Class]:
    """Make a class a dataclass that mypy treats as frozen.

    At runtime it is not: Python builds frozen objects four times as slowly.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


@dataclass_transform(frozen_default=True)
def value_with_dict(kind: type[_Class]) -> type[_Class]:
    """Do the same as `value`, but keep the `__dict__`, which `bot.game.state.with_changes` copies."""
    return dataclass(unsafe_hash=True)(kind)


def stamp(subject: object) -> str:
    """Return a short digest for a button's custom id, which changes when the button's subject does."""
    return f"{crc32(repr(subject).encode()):x}"


class Sentence(StrEnum):
    """An English sentence, or a part of one, which a user interface translates and fills in."""


class Worded(StrEnum):
    """A value that is stored or written, and its English `words`, which a user interface translates."""

    _value_: str
    words: str

    def __new__(cls, stored: str, words: str = "") -> Self:
        """Make a member of a stored value and its words."""
        made = str.__new__(cls, stored)
        made._value_, made.words = stored, words
        return made


class Choice(Worded):
    """A value of a rule: `label` names it in a menu, `words` tell it among the rules unless they depend on others."""

    label: str

    def __new__(cls, stored: str, label: str = "", words: str = "") -> Self:
        """Make a member of a stored value, its name in a menu and its words."""
        made = str.__new__(cls, stored)
        made._value_, made.label, made.words = stored, label, words
        return made
