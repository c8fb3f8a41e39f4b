"""What a host does to one night of a series, and what the next one has of it: the table in docs/nights.md, by row."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.base.times import HOUR_MS
from bot.nights.changes import HostStep, StepKind
from bot.nights.formats import SWISS
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.planning.draft import NightDraft
from bot.nights.planning.series import next_of_series
from bot.nights.steps import apply_step, change_seating, move_to_channel, pause_without_channel
from tests.nights.evenings import MINUTE, STARTS_AT, begun, next_round, planned, with_pairs

PAGE: Final = Path(__file__).parents[2] / "docs/nights.md"
HOST, NEW, OTHER = 4, 900, 77
TONIGHT, ON, ASKED = "tonight", "from now on", "asked"
Change = Callable[[Night], Night]


def weekly(people: int = 6) -> Night:
    """A night of pairs; its first four people come every week."""
    night = with_pairs(people // 2, format=SWISS, is_weekly=True, fills_with_robots=False)
    night = replace(night, plan=NightDraft(night.plan.zone, night.plan).full_plan)
    for number in range(4):
        night = sign_up.comes_weekly(night, 100 + number, comes=True)
    return night


def next_one(night: Night) -> Night:
    return next_of_series(night, STARTS_AT + 8 * HOUR_MS, seed=1)


def edited(*, with_series: bool = False, **changes: object) -> Change:
    def change(night: Night) -> Night:
        draft = NightDraft.of(night, night.plan.zone).with_changes(**changes)
        return night.replan(draft.final_plan(with_series=with_series))

    return change


def stepped(kind: StepKind, **of: object) -> Change:
    def change(night: Night) -> Night:
        step, now = HostStep(kind, **of), STARTS_AT + MINUTE  # type: ignore[arg-type]  # fields of a step
        if kind in (StepKind.PAIR, StepKind.START, StepKind.DROP):
            return apply_step(night, step, HOST, STARTS_AT - MINUTE)
        night = begun(night)
        if kind is StepKind.RESUME_ALL:
            night = apply_step(night, HostStep(StepKind.PAUSE_ALL), HOST, now)
        if kind is StepKind.RESUME_TABLE:
            night = apply_step(night, HostStep(StepKind.PAUSE_TABLE, table=1), HOST, now)
        return apply_step(night, step, HOST, now)

    return change


def channel(*, is_gone: bool) -> Change:
    def change(night: Night) -> Night:
        still = pause_without_channel(begun(night), STARTS_AT + MINUTE)
        return move_to_channel(still, OTHER, None, STARTS_AT + 2 * MINUTE, with_series=is_gone)

    return change


ROWS: Final[Mapping[str, tuple[str, Mapping[str, Change]]]] = {
    "*Edit…*: title, rules, format, seats, ticks": (
        ON,
        {"title": edited(title="Autre"), "robots": edited(fills_with_robots=True), "size": edited(size=6)},
    ),
    "*Edit…*: the time": (
        ASKED,
        {
            TONIGHT: edited(starts_at=STARTS_AT + HOUR_MS),
            ON: edited(starts_at=STARTS_AT + HOUR_MS, with_series=True),
        },
    ),
    "*Tables of 6*, *🤖 Robots in free seats*": (
        ASKED,
        {
            TONIGHT: lambda night: change_seating(change_seating(night, size=6), with_robots=True),
            ON: lambda night: change_seating(night, with_robots=True, with_series=True),
        },
    ),
    "*Sign somebody up…*": (
        TONIGHT, {"join": lambda night: sign_up.join(night, NEW, "Zoé", STARTS_AT - MINUTE, by_host=True)}
    ),
    "*Remove…*": ("tonight, and ends their *Every week*", {}),
    "*pair two…*": ("tonight, and from now on if both come every week", {}),
    "*Start now…*, *Pause*, *Go on*, *+5 min*, *swap two…*": (
        TONIGHT,
        {
            "start": stepped(StepKind.START), "pause": stepped(StepKind.PAUSE_ALL),
            "go on": stepped(StepKind.RESUME_ALL), "one": stepped(StepKind.PAUSE_TABLE, table=1),
            "it goes on": stepped(StepKind.RESUME_TABLE, table=1), "time": stepped(StepKind.ADD_TIME, minutes=5),
            "swap": stepped(StepKind.SWAP, entrant=0, other=2),
        },
    ),
    "a result, *Start the table again…*, *End the night…*": (
        TONIGHT,
        {
            "result": stepped(StepKind.ENTER_RESULT, table=1, scores=(10, 4)),
            "again": stepped(StepKind.RESTART_TABLE, table=1), "end": stepped(StepKind.END_EARLY),
        },
    ),
    "*Another channel for the tables…*": (
        "tonight, and from now on if the channel is gone",
        {TONIGHT: channel(is_gone=False), ON: channel(is_gone=True)},
    ),
    "*Cancel the night…*": (
        ASKED,
        {TONIGHT: lambda night: night.cancel(STARTS_AT)},
    ),
}  # fmt: skip
CASES: Final = [
    pytest.param(change, holds if way not in (TONIGHT, ON) else way, id=f"{row}: {way}")
    for row, (holds, changes) in ROWS.items()
    for way, change in changes.items()
]


def test_the_page_lists_the_tested_steps() -> None:
    (table,) = re.findall(r"^\| step \| holds \|\n\|.*\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
    assert rows == [[row, holds] for row, (holds, _) in ROWS.items()]


@pytest.mark.parametrize(("change", "holds"), CASES)
def test_a_step_changes_the_next_night_as_documented(change: Change, holds: str) -> None:
    night = weekly()
    changed = change(night)
    assert changed != night
    before, after = next_one(night), next_one(changed)
    assert (after.plan == before.plan) is (holds == TONIGHT)
    assert after.entrants == before.entrants
    if holds == ON:
        assert next_one(after).plan.moved_to(0) == after.plan.moved_to(0), "and the one after that"


def test_a_removed_person_is_not_signed_up_for_later_nights() -> None:
    night = stepped(StepKind.DROP, entrant=0)(weekly())
    assert [one.user_id for one in next_one(night).entrants] == [101, 102, 103]
    assert sign_up.join(next_one(night), 100, "P0", 1).is_in(100)


def test_a_pair_made_by_the_host_stays_together_every_week() -> None:
    night = stepped(StepKind.PAIR, entrant=0, other=2)(weekly())
    assert next_one(night).entrants[0].partner == 2
    mixed = stepped(StepKind.PAIR, entrant=0, other=4)(weekly())
    assert next_one(mixed).entrants[0].partner is None


def test_a_cancelled_series_plans_no_more_nights() -> None:
    night = weekly().cancel(STARTS_AT, with_series=True)
    assert (night.status, night.plan.is_weekly) == (NightStatus.CANCELLED, False)


def test_an_edit_of_a_series_field_applies_to_later_nights() -> None:
    night = change_seating(weekly(), size=6)
    assert next_one(edited(title="Autre")(night)).plan.size == 4
    following = next_one(edited(fills_with_robots=True)(night)).plan
    assert (following.size, following.fills_with_robots) == (4, True)
    back = next_one(edited(fills_with_robots=False)(change_seating(night, with_robots=True))).plan
    assert (back.size, back.fills_with_robots) == (4, False)


def test_a_copied_night_has_the_values_of_the_series() -> None:
    night = change_seating(weekly(), size=6)
    plan = replace(night.plan, title="Modèle")
    draft = NightDraft("Europe/Paris", weekly().plan).copy_plan(plan, STARTS_AT)
    assert (draft.plan.size, draft.plan.series, draft.plan.title) == (4, None, "Modèle")
    assert (plan.is_weekly, draft.plan.is_weekly) == (True, False), "the series goes on by itself"


def test_a_single_night_is_changed_without_a_question_about_a_series() -> None:
    night = change_seating(planned(7), size=6)
    assert (night.plan.size, night.plan.series) == (6, None)
    assert next_round(night, Random(1), STARTS_AT)[0].rounds
