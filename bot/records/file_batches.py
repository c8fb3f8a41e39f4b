"""Long files in batches: each is a call made in a process that others wait for, too."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

SIZE: Final = 250
"""The most items of a batch, which takes a few milliseconds to hand over."""

Batches = Iterable["partial[bytes]"]
"""The parts of a file, in order."""
Section = tuple[str, Callable[[Any], Any], Any]
"""A field of a JSON document: its name, what makes JSON values, and what it makes them of: all, or each of a list."""


@dataclass(slots=True)
class Progress:
    """How many matches of an export have been read; `total` is 0 until it is its turn."""

    done: int = 0
    total: int = 0


def batches(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the items in batches of `SIZE`."""
    return (items[first : first + SIZE] for first in range(0, len(items), SIZE))


def json_document(sections: Iterable[Section]) -> Batches:
    """Return an object with these fields, in UTF-8, as `json.dumps` writes it with `indent=1`."""
    mark = "{"
    for name, make, value in sections:
        is_list = isinstance(value, list | tuple)
        if is_list and value:
            opening = f'{mark}\n "{name}": ['
            for items in batches(value):
                yield partial(_items, opening, make, items)
                opening = ","
            mark = "\n ],"
        else:
            yield partial(_field, mark, name, identity if is_list else make, value)
            mark = ","
    yield partial(_text, mark.rstrip(",") + "\n}")


def identity(value: Any) -> Any:
    """Return the value itself."""
    return value


def _text(text: str) -> bytes:
    return text.encode()


def _field(mark: str, name: str, make: Callable[[Any], Any], value: Any) -> bytes:
    return _text(mark + _written({name: make(value)}).removeprefix("{").removesuffix("\n}"))


def _items(opening: str, make: Callable[[Any], Any], items: Sequence[Any]) -> bytes:
    written = _written({"": [make(item) for item in items]})
    return _text(opening + written.removeprefix('{\n "": [').removesuffix("\n ]\n}"))


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
