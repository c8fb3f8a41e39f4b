"""Nights as values: planned, running, over; small and as large as they get."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

from bot.game.rules.presets import CLASSIC
from bot.nights.formats import ROTATION, format_of
from bot.nights.night import Night
from bot.nights.people import pairs, sign_up
from bot.nights.plan import Format, NightPlan
from bot.nights.rounds import Pairing, ResultKind, TableResult
from tests.nights.evenings import MINUTE
from tests.ui.screens.common import AT, HOST, NAMES

GUILD: Final = 1
CHANNEL: Final = 2


def plan_of(form: Format = ROTATION, **changes: Any) -> NightPlan:
    plan = NightPlan("Soirée du samedi", AT, AT, form, 4, 25, 4, CLASSIC, None, True, False, CHANNEL)
    until = AT if form.is_closed else AT + 100 * MINUTE
    return replace(plan, sign_up_until=until, **changes)


@cache
def night_of(people: int, form: Format = ROTATION, names: tuple[str, ...] = NAMES, **changes: Any) -> Night:
    """A planned night with so many people signed up; in a format for pairs the first half have partners."""
    night = Night(7, GUILD, 3, HOST, "fr", plan_of(form, **changes), seed=5, message_id=77)
    for number in range(people):
        name = names[number % len(names)] + ("" if number < len(names) else f" {number}")
        night = sign_up.join(night, HOST + number, name, AT - MINUTE + number)
    if form.has_pairs:
        for number in range(0, people // 2 - 1, 2):
            night = pairs.ask(night, HOST + number, number + 1)
            night = pairs.accept(night, HOST + number + 1, number)
    return night


@cache
def after(rounds: int, people: int, form: Format, **changes: Any) -> Night:
    """The night when so many rounds are over."""
    if rounds == 0:
        return night_of(people, form, **changes)
    night = begun(after(rounds - 1, people, form, **changes), AT + rounds * 30 * MINUTE)
    return ended_tables(night, all_of_them=True)


@cache
def running(people: int, form: Format = ROTATION, rounds: int = 2, **changes: Any) -> Night:
    """The night in its last round of so many, half of whose tables are over."""
    night = begun(after(rounds - 1, people, form, **changes), AT + rounds * 30 * MINUTE)
    return ended_tables(night, all_of_them=False)


def begun(night: Night, now: int) -> Night:
    """The next round, with a thread and a match for each table."""
    form = format_of(night)
    pairing = _by_lot(night) if form is ROTATION else form.pair(night, Random(len(night.rounds)))
    night = night.start_round(pairing, now)
    assert night.round is not None
    for table in night.round.tables:
        at = 1000 * night.round.number + table.number
        if table.table_id is None:
            night = night.open_table(table.number, thread_id=900_000_000_000_000_000 + at, table_id=at)
    return night


def _by_lot(night: Night) -> Pairing:
    """A round of a rotation that asks nobody whom they have met: that takes long, and is no matter of a sample."""
    people = [entrant.number for entrant in night.present]
    Random(len(night.rounds)).shuffle(people)
    size = night.plan.size
    seated = len(people) // size * size
    tables = tuple(tuple(people[first : first + size]) for first in range(0, seated, size))
    return Pairing(tables, tuple(sorted(people[seated:])))


def ended_tables(night: Night, *, all_of_them: bool) -> Night:
    assert night.round is not None
    tables = [table for table in night.round.tables if table.result is None]
    for table in tables if all_of_them else tables[: len(tables) // 2]:
        scores = (10, *((table.number * 3 + team) % 10 for team in range(table.teams - 1)))
        kind = ResultKind.TIMED if table.number % 3 == 0 else ResultKind.PLAYED
        shifted = scores[table.number % table.teams :] + scores[: table.number % table.teams]
        night = night.record_result(table.number, TableResult(shifted, kind), AT + 50 * MINUTE)
    return night


@cache
def over(people: int, form: Format = ROTATION, **changes: Any) -> Night:
    return after(3, people, form, **changes).end(AT + 200 * MINUTE)
