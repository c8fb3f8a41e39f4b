"""A series keeps its hours when clocks are set: its beginning, the end of its sign-up, its review."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.base.times import HOUR_MS, MINUTE_MS
from bot.nights.changes import Duty, HostStep, StepKind
from bot.nights.clocks import local_time
from bot.nights.night import Night, NightStatus
from bot.nights.planning.draft import NightDraft, first_plan
from bot.nights.planning.series import next_of_series
from bot.nights.steps import apply_step
from bot.nights.timetable import next_at
from tests.ui.night.samples import night_of

ZONE = "Europe/Paris"


def at(text: str) -> int:
    return int(datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(ZONE)).timestamp() * 1000)


def local(instant: int | None) -> str:
    assert instant is not None
    return datetime.fromtimestamp(instant / 1000, ZoneInfo(ZONE)).strftime("%a %H:%M")


def reviewed(night: Night) -> str:
    """When the review is due of a night that ends three hours after its beginning."""
    over = replace(night, status=NightStatus.OVER, ended_at=night.plan.starts_at + 3 * HOUR_MS)
    return local(next_at(over.mark_done(Duty.HAND_OVER)))


def weekly(starts: str, until: str | None = None) -> Night:
    plan = replace(first_plan("x", 2, ZONE, at("2026-10-12 12:00")), starts_at=at(starts), is_weekly=True)
    draft = NightDraft(ZONE, plan, until=None if until is None else at(until))
    return replace(night_of(8), plan=draft.full_plan)


def following(night: Night) -> Night:
    return next_of_series(night, night.plan.starts_at + 6 * HOUR_MS, seed=1)


@pytest.mark.parametrize(("starts", "until"), [
    ("2026-10-18 20:00", "2026-10-17 20:00"),
    ("2026-10-25 20:00", "2026-10-24 20:00"),
    ("2027-03-21 20:00", "2027-03-20 20:00"),
    ("2027-03-28 20:00", "2027-03-27 20:00"),
])  # fmt: skip
def test_a_sign_up_ends_at_the_same_hour_each_week(starts: str, until: str) -> None:
    night, seen = weekly(starts, until), list[tuple[str, ...]]()
    for _ in range(4):
        seen.append((local(night.plan.starts_at), local(night.plan.sign_up_until), reviewed(night)))
        night = following(night)
    assert set(seen) == {("Sun 20:00", "Sat 20:00", "Mon 10:00")}


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Australia/Sydney", "UTC"])
@pytest.mark.parametrize("minute", [0, 30, 23 * 60, 23 * 60 + 30])
def test_a_series_near_midnight_keeps_its_weekday_by_the_clocks_of_its_plan(zone: str, minute: int) -> None:
    """Whichever zone its server has meanwhile."""
    starts = int(datetime(2026, 1, 2, *divmod(minute, 60), tzinfo=ZoneInfo(zone)).timestamp()) * 1000
    plan = replace(first_plan("x", 2, zone, starts - HOUR_MS), starts_at=starts, is_weekly=True)
    night = replace(night_of(8), plan=NightDraft(zone, plan).full_plan)
    for _ in range(60):
        before, night = night, following(night)
        assert local_time(night.plan.starts_at, zone) - local_time(before.plan.starts_at, zone) == timedelta(7)


def test_a_series_returns_to_its_hour_after_a_skipped_hour() -> None:
    night, seen = weekly("2027-03-21 02:30"), list[str]()
    for _ in range(3):
        seen.append(local(night.plan.starts_at))
        night = following(night)
    assert seen == ["Sun 02:30", "Sun 03:30", "Sun 02:30"]


def test_the_night_after_an_early_start_is_planned_at_the_usual_hour() -> None:
    night = weekly("2026-10-18 20:00", "2026-10-17 20:00")
    begun = apply_step(night, HostStep(StepKind.START), 1, night.plan.starts_at - 7 * MINUTE_MS)
    assert local(begun.plan.starts_at) == "Sun 19:53"
    plan = following(begun).plan
    assert (local(plan.starts_at), local(plan.sign_up_until)) == ("Sun 20:00", "Sat 20:00")


@pytest.mark.parametrize(("moved", "again"), [("2026-10-16 19:00", None), ("2026-10-20 21:30", "2026-10-21 20:15")])
def test_moving_one_night_leaves_the_following_ones_unchanged(moved: str, again: str | None) -> None:
    night = weekly("2026-10-18 20:00")
    for starts in filter(None, (moved, again)):
        draft = NightDraft.of(night, ZONE).with_changes(starts_at=at(starts))
        assert draft.moves_series
        night = night.replan(draft.full_plan.move_from(night.plan, with_series=False))
    assert night.plan.starts_at == at(again or moved)
    plan = following(night).plan
    assert (plan.starts_at, plan.series_at) == (at("2026-10-25 20:00"), None)
    assert local(plan.sign_up_until) == local(weekly("2026-10-18 20:00").plan.sign_up_until)


def test_a_series_that_is_moved_stays_at_its_new_hour() -> None:
    night = weekly("2026-10-18 20:00")
    draft = NightDraft.of(night, ZONE).with_changes(starts_at=at("2026-10-16 19:00"))
    night = night.replan(draft.full_plan.move_from(night.plan, with_series=True))
    assert following(night).plan.starts_at == at("2026-10-23 19:00")
    assert not NightDraft.of(night, ZONE).with_changes(title="Other").moves_series


def test_later_reviews_keep_their_hour_when_one_night_alone_is_moved() -> None:
    night = weekly("2026-12-04 21:00")
    for moved in ("2026-12-04 19:00", "2026-12-05 23:00"):
        draft = NightDraft.of(night, ZONE).with_changes(starts_at=at(moved))
        later = following(night.replan(draft.full_plan.move_from(night.plan, with_series=False)))
        assert (local(later.plan.starts_at), reviewed(later)) == ("Fri 21:00", "Sat 10:00")
