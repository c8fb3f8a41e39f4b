"""Tables by key."""

from hypothesis import given
from hypothesis import strategies as st

from bot.tables.live_tables import KeyIndex

ids = st.integers(0, 5)


@given(st.lists(st.tuples(ids, st.frozensets(ids))))
def test_the_index_finds_what_a_search_of_all_tables_finds(puts: list[tuple[int, frozenset[int]]]) -> None:
    index, keys_of = KeyIndex(), dict[int, frozenset[int]]()
    for table_id, keys in puts:
        index.put(table_id, keys)
        keys_of[table_id] = keys
        for key in range(6):
            having = {number for number, held in keys_of.items() if key in held}
            assert set(index.ids(key)) == having
            assert (key in index) is bool(having)
        assert set(index) == frozenset().union(*keys_of.values())
    for table_id in keys_of:
        index.drop(table_id)
    assert [*index] == []


def test_tables_with_the_same_key_are_listed_oldest_first() -> None:
    index = KeyIndex()
    for table_id in (3, 1, 2):
        index.put(table_id, (7,))
    index.put(1, (7, 8))
    assert index.ids(7) == (3, 1, 2)
    index.put(3, ())
    index.put(3, (7,))
    assert index.ids(7) == (1, 2, 3)
