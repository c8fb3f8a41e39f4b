"""Finds what belongs to a table by a key, such as its channel, without looking at any other table."""

from collections.abc import Collection, Iterator


class Index:
    """Table ids by keys of one kind. Each table has any number of keys; each key leads to any number of tables."""

    def __init__(self) -> None:
        self._ids: dict[int, dict[int, None]] = {}
        self._keys: dict[int, frozenset[int]] = {}

    def __contains__(self, key: int) -> bool:
        """Whether the key leads to a table."""
        return key in self._ids

    def __iter__(self) -> Iterator[int]:
        """All keys that lead to a table."""
        return iter(tuple(self._ids))

    def ids(self, key: int) -> tuple[int, ...]:
        """The tables of a key; those that have had it for longer are first."""
        return tuple(self._ids.get(key, ()))

    def put(self, table_id: int, keys: Collection[int]) -> None:
        """Replace the keys of a table."""
        former, present = self._keys.get(table_id, frozenset()), frozenset(keys)
        for key in former - present:
            ids = self._ids[key]
            del ids[table_id]
            if not ids:
                del self._ids[key]
        for key in present - former:
            self._ids.setdefault(key, {})[table_id] = None
        if present:
            self._keys[table_id] = present
        else:
            self._keys.pop(table_id, None)

    def drop(self, table_id: int) -> None:
        """Forget a table."""
        self.put(table_id, ())
