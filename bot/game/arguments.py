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


def require_whole(name: str, wanted: str, value: object, least: int | None = None, most: int | None = None) -> None:
    """Raises ValueError for what is no whole number, or one that is not between these."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    is_good = is_whole and (least is None or least <= value) and (most is None or value <= most)  # type: ignore[operator]
    require(is_good, name, wanted, value)


def require_names(names: object, players: int) -> None:
    """Raises ValueError for what is not a different name for each seat."""
    is_good = isinstance(names, Sequence) and len(names) == len(set(names)) == players
    is_good = is_good and all(isinstance(name, str) and _NAME.fullmatch(name) for name in names)  # type: ignore[attr-defined]
    require(is_good, "names", f"{players} different words, one for each seat", names)
