"""Finds what belongs to a table by a key, such as its channel, without looking at any other table."""

from collections.abc import Collection, Iterator


class Index:
    """Table ids by keys of one kind. Each table has any number of keys; each key leads to any number of tables."""

    def __init__(self) -> None:
        self._ids: dict[int, tuple[int, ...]] = {}  # tuples: most keys lead to one table, and there are many keys
        self._keys: dict[int, tuple[int, ...]] = {}

    def __contains__(self, key: int) -> bool:
        """Whether the key leads to a table."""
        return key in self._ids

    def __iter__(self) -> Iterator[int]:
        """All keys that lead to a table."""
        return iter(tuple(self._ids))

    def ids(self, key: int) -> tuple[int, ...]:
        """The tables of a key; those that have had it for longer are first."""
        return self._ids.get(key, ())

    def put(self, table_id: int, keys: Collection[int]) -> None:
        """Replace the keys of a table."""
        former, present = self._keys.pop(table_id, ()), tuple(dict.fromkeys(keys))
        for key in former:
            if key not in present:
                self._ids[key] = tuple([other for other in self._ids[key] if other != table_id])
                if not self._ids[key]:
                    del self._ids[key]
        for key in present:
            if key not in former:
                self._ids[key] = (*self._ids.get(key, ()), table_id)
        if present:
            self._keys[table_id] = present

    def drop(self, table_id: int) -> None:
        """Forget a table."""
        self.put(table_id, ())
