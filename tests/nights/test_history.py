"""Who came to a night, and who was called to a table and did not come."""

from dataclasses import replace

from bot.nights.results.history import turnout
from bot.nights.rounds import ResultKind, TableResult
from tests.nights.evenings import STARTS_AT, begun, planned


def test_a_person_is_absent_when_they_did_not_come_to_their_last_table() -> None:
    night = begun(planned(4))
    (table,) = night.all_tables
    night = night.record_result(table.number, TableResult((1, 0)), STARTS_AT + 1)
    assert turnout(night) == (frozenset(range(4)), frozenset())
    assert turnout(night.mark_absent(2)) == (frozenset({0, 1, 3}), frozenset({2}))


def test_nobody_came_to_a_table_that_was_deserted() -> None:
    night = begun(planned(4))
    (table,) = night.all_tables
    deserted = replace(TableResult((1, 0)), kind=ResultKind.DESERTED)
    assert turnout(night.record_result(table.number, deserted, STARTS_AT + 1)) == (frozenset(), frozenset(range(4)))
