"""Refuses arguments of `Match` that make no sense, with a sentence each."""

import re
from collections.abc import Sequence
from typing import Any, Final, get_args, get_origin, get_type_hints

from bot.game.actions import Action

_NAME: Final = re.compile(r'(?!-$)[^\s#"\[\]/]+')
"""A name that KGN can use: a word without any of its signs."""


def _field_types(kind: type) -> dict[str, tuple[Any, type | None]]:
    """Returns the type of each field of an action, and of a tuple that of its items."""
    hints = get_type_hints(kind).items()
    return {name: (tuple, get_args(hint)[0]) if get_origin(hint) is tuple else (hint, None) for name, hint in hints}


_FIELDS: Final[dict[type, dict[str, tuple[Any, type | None]]]] = {kind: _field_types(kind) for kind in get_args(Action)}


def require(is_good: bool, name: str, wanted: str, given: object) -> None:
    """Raises ValueError where an argument is not as wanted."""
    if not is_good:
        raise ValueError(f"{name} has to be {wanted}, not {given!r}.")


def require_action(action: object) -> None:
    """Raises ValueError for what is no action, or an action whose fields are of other types."""
    kind = type(action)
    require(kind in _FIELDS, "action", "one of bot.game.actions", action)
    for name, (wanted, item) in _FIELDS[kind].items():
        value = getattr(action, name)
        if item is None:
            named = getattr(wanted, "__name__", str(wanted))
            require(isinstance(value, wanted), f"{name} of {kind.__name__}", named, value)
        else:
            is_good = isinstance(value, tuple) and all(isinstance(part, item) for part in value)
            require(is_good, f"{name} of {kind.__name__}", f"a tuple of {item.__name__}", value)


def require_whole(name: str, wanted: str, value: object, allowed: range | None = None) -> None:
    """Raises ValueError for what is no whole number, or none of those allowed."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    require(is_whole and (allowed is None or value in allowed), name, wanted, value)


def require_names(names: Sequence[str], players: int) -> None:
    """Raises ValueError for what is not a different name for each seat."""
    is_good = len(names) == len(set(names)) == players and all(map(_is_name, names))
    require(is_good, "names", f"{players} different words, one for each seat", names)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
