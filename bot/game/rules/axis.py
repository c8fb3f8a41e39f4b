"""The metadata of an axis of the rules, declared with the field that holds its value. Knows no axis."""

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
    """What an axis needs to have an effect. `axis` and `value`, as KGN writes them, are one way to get it."""

    axis: str
    value: str
    is_met: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the rules.

    - `part`: the part of `Rules` that has it; `name`: its field there; `kind`: the type of its value.
    - `label`: its English name, at most 45 characters; `hints`: other English words that people use for it.
    - `needs`: the axis has an effect only if these are met.
    - `choices`: the values of a number; without any, it is between `least` and `MOST`.
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
        """The values that it may have, as KGN writes them; empty if any number within its bounds will do."""
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
    """Return the dataclass field of an axis; see `Axis` for the arguments."""
    declared = {"label": label, "hints": hints, "needs": needs, "choices": choices, "least": least}
    made: _Value = field(default=default, metadata=declared)
    return made


def axes_of(rules: type) -> dict[str, Axis]:
    """Return the axes of all parts of a dataclass, by name."""
    parts = {name: part for name, part in get_type_hints(rules).items() if is_dataclass(part)}
    return {
        each.name: Axis(part, each.name, _type(get_type_hints(kind)[each.name]), **each.metadata)
        for part, kind in parts.items()
        for each in fields(kind)
    }


def _type(hint: Any) -> type:
    """Return the type of a value; for a generic one, without its parameters."""
    return hint if isinstance(hint, type) else tuple
