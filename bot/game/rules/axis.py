"""What an axis of the rules says of itself, beside the field that holds its value. Knows none of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar, get_type_hints

MOST: Final = 999
"""The largest value of a number that has no `choices`."""
SIGNED: Final = -9
"""The least value of points that may be lost."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Need:
    """What must hold for an axis to have an effect. `axis` and `value` are one way to get there, as KGN writes them."""

    axis: str
    value: str
    is_met: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the rules: the part of `Rules` it lives in, its field, the type of its value, and what it says.

    `label` is its English name, of 45 characters at most; `hints` are other English words that people use for it.
    It has an effect where its `needs` are met. A number is one of `choices`, or without any from `least` to `MOST`.
    """

    part: str
    name: str
    kind: type
    label: str
    hints: str
    needs: tuple[Need, ...]
    choices: Sequence[int]
    least: int

    @property
    def values(self) -> tuple[str, ...]:
        """Returns the values that it takes, as KGN writes them; none where it takes any number within its bounds."""
        if issubclass(self.kind, StrEnum):
            return tuple(member.value for member in self.kind)
        return ("yes", "no") if self.kind is bool else tuple(map(str, self.choices))


def axis(
    default: _Value,
    label: str,
    *,
    hints: str = "",
    needs: tuple[Need, ...] = (),
    choices: Sequence[int] = (),
    least: int = 0,
) -> _Value:
    """Returns the field of an axis, as `Axis` describes it."""
    said = {"label": label, "hints": hints, "needs": needs, "choices": choices, "least": least}
    made: _Value = field(default=default, metadata=said)
    return made


def axes_of(rules: type) -> dict[str, Axis]:
    """Returns the axes of all parts of a dataclass, by name."""
    parts = {name: part for name, part in get_type_hints(rules).items() if is_dataclass(part)}
    return {
        each.name: Axis(part, each.name, _type(get_type_hints(kind)[each.name]), **each.metadata)
        for part, kind in parts.items()
        for each in fields(kind)
    }


def _type(hint: Any) -> type:
    """Returns the type of a value; of a generic one that without its parameters."""
    return hint if isinstance(hint, type) else tuple
