"""Nights for tests, and a host who lets their rounds be played."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.game.rules.presets import PRESETS
from bot.nights.changes import Duty, NightCode, NightRefusedError
from bot.nights.formats import ROTATION, format_of
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.plan import NightPlan
from bot.nights.results.history import has_played_every_round
from bot.nights.rounds import NightTable, Pairing, TableResult
from bot.nights.timetable import due, next_at

Results = Callable[[NightTable, Random], TableResult]
"""Returns the result of a table."""

MINUTE = 60_000
MOST_DUTIES = 300
"""More than any evening of these tests has."""
STARTS_AT = 1_000 * MINUTE
PLAN = NightPlan(
    title="Friday",
    starts_at=STARTS_AT,
    sign_up_until=STARTS_AT + 60 * MINUTE,
    format=ROTATION,
    rounds=3,
    round_minutes=20,
    size=4,
    rules=next(iter(PRESETS.values())),
    rule_set=None,
    is_ranked=False,
    fills_with_robots=False,
    channel_id=5,
)


def code(change: Callable[[], Night]) -> NightCode:
    """Why a change is refused."""
    with pytest.raises(NightRefusedError) as refused:
        change()
    return refused.value.code


def pair(night: Night, rng: Random) -> Pairing:
    """The next round of a night."""
    return format_of(night).pair(night, rng)


def begun(night: Night) -> Night:
    """The night in its first round."""
    return night.start_round(pair(night, Random(1)), STARTS_AT)


def is_complete(night: Night) -> bool:
    return format_of(night).is_complete(night)


def planned(people: int, **plan: object) -> Night:
    """A night for which so many have signed up: entrant n is user 100 + n, and came in minute n."""
    night = Night(1, 2, 3, 4, "fr", replace(PLAN, **plan), seed=11)
    for number in range(people):
        night = sign_up.join(night, 100 + number, f"P{number}", number + 1)
    return night


def with_pairs(pairs: int, **plan: object) -> Night:
    """A night of entrants 0 and 1, 2 and 3 and so on as partners."""
    night = planned(2 * pairs, **plan)
    for number in range(0, 2 * pairs, 2):
        night = night.pair(number, number + 1)
    return night


def scored(table: NightTable, rng: Random) -> TableResult:
    return TableResult(tuple(rng.randrange(6) for _ in range(table.teams)))


def first_team_wins(table: NightTable, _rng: Random) -> TableResult:
    return TableResult((9, *range(table.teams - 1)))


def with_results(night: Night, rng: Random, now: int, result: Results = scored) -> Night:
    """The night in which every open table of the running round has a result, by default by chance."""
    for table in night.rounds[-1].tables:
        if table.result is None:
            night = night.record_result(table.number, result(table, rng), now)
    return night


def next_round(night: Night, rng: Random, now: int, result: Results = scored) -> tuple[Night, Pairing]:
    """The night after one more round with results, and how it was paired."""
    pairing = pair(night, rng)
    return with_results(night.start_round(pairing, now), rng, now + 10 * MINUTE, result), pairing


def all_rounds(night: Night, rng: Random, result: Results = scored) -> tuple[Night, list[Pairing]]:
    """The night after its last round, and how its rounds were paired."""
    pairings = []
    while not is_complete(night):
        night, pairing = next_round(night, rng, STARTS_AT + len(night.rounds), result)
        pairings.append(pairing)
        assert len(pairings) < 50
    return night, pairings


def come_and_go(night: Night, rng: Random, now: int) -> Night:
    """The night after a break in which some leave, some are absent, some return and some are new."""
    for entrant in night.entrants:
        match entrant.presence.value, rng.random():
            case "in", chance if chance < 0.05:
                night = sign_up.leave(night, entrant.user_id)
            case "in", chance if chance < 0.1:
                night = night.mark_absent(entrant.number)
            case ("absent" | "out") as away, chance if chance < (0.5 if away == "absent" else 0.2) and (
                not night.is_closed or has_played_every_round(night, entrant.number)
            ):
                night = sign_up.join(night, entrant.user_id, entrant.name, now)
    for _ in range(0 if night.plan.format.is_closed and night.rounds else rng.randrange(3)):
        night = sign_up.join(night, 10_000 + len(night.entrants), "Late", now)
    return night


def after(night: Night, duty: Duty, now: int) -> Night:
    """Return the night after a duty, other than the start of a round, was done."""
    match duty:
        case Duty.HURRY:
            return night.hurry_longest_table(now)
        case Duty.CALL_TIME:
            return night.call_time(now)
        case Duty.END_NIGHT:
            return night.end(now)
        case Duty.CANCEL:
            return night.cancel(now)
        case _:
            return night.mark_done(duty)


def to_the_end(
    night: Night, rng: Random, *, plays_until_called: bool = False, are_restless: bool = False
) -> tuple[Night, list[tuple[Duty, int]]]:
    """Does what the timetable asks for until nothing is left, and what was done when; people may come and go."""
    log: list[tuple[Duty, int]] = []
    now = 0
    while (at := next_at(night)) is not None:
        now = max(now, at)
        duty = due(night, now)
        assert duty is not None, "the timetable wakes its reader for nothing"
        log.append((duty, now))
        assert len(log) < MOST_DUTIES, log[-10:]
        if duty is Duty.START_ROUND:
            night = night.start_round(pair(night, rng), now)
            if not plays_until_called:
                night = with_results(night, rng, now + 10 * MINUTE)
            if are_restless and now < night.plan.sign_up_until:
                night = come_and_go(night, rng, now)
            continue
        night = after(night, duty, now)
        if duty in (Duty.HURRY, Duty.CALL_TIME):
            night = with_results(night, rng, now + MINUTE)
    return night, log


def seated(pairing: Pairing) -> list[int]:
    """The people at the tables of a round."""
    return [seat for table in pairing.tables for seat in table if seat is not None]


def check_seats(night: Night, pairing: Pairing) -> None:
    """Everybody who is there has one place, and nobody else has one."""
    assert sorted([*seated(pairing), *pairing.byes]) == [entrant.number for entrant in night.present]
    sizes = {len(table) for table in pairing.tables}
    assert all(size % 2 == 0 and 4 <= size <= night.plan.size for size in sizes)
    assert night.plan.size == 4 or max(sizes, default=4) - min(sizes, default=4) <= 2
    assert all(set(table) != {None} for table in pairing.tables)


def perfect(people: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """All ways to put an even number of people together two by two."""
    if not people:
        yield []
    for other in people[1:]:
        rest = tuple(each for each in people[1:] if each != other)
        for matching in perfect(rest):
            yield [(people[0], other), *matching]
