"""The draft that a host edits before publishing; `NightDraftStore` of `bot.tables.nights.live_nights` stores it."""

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.conditions import EntryRules
from bot.game.rules.house_rules import check_table, for_players
from bot.game.rules.presets import CLASSIC
from bot.nights.clocks import at_minute, minute_of_day, next_week, to_instant
from bot.nights.formats import ROTATION
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.planning.length import expected_people, length_ms, round_length_ms

_EVENING: Final = 21  # o'clock


@dataclass(frozen=True, slots=True)
class NightDraft:
    """A draft of a night or of a change to one.

    - `zone`: the server's time zone.
    - `until`: the end of sign-up as typed; None: by the format.
    - `night_id`: the night that it changes; None for a new one.
    - `id`: the interaction that began the draft.
    - `signed_up`, `former`: of the night that it changes, the number of entrants and the plan, when last looked at.
      What differs from that plan is the host's own.
    """

    zone: str
    plan: NightPlan
    until: int | None = None
    night_id: int | None = None
    id: int = 0
    signed_up: int = 0
    former: NightPlan | None = None

    @classmethod
    def of(cls, night: Night, zone: str) -> "NightDraft":
        """Return a draft that changes a night; if the end of sign-up follows the format now, it keeps doing so."""
        plan = night.plan
        return cls(zone, plan, night_id=night.id, signed_up=len(night.present), former=plan)._with_until()

    def rebase(self, night: Night) -> "NightDraft":
        """Return the draft based on the night as it is now; only what this host has changed differs from that.

        Another host, or a button such as *Tables of 6*, may have changed the night meanwhile.
        """
        now = replace(NightDraft.of(night, self.zone), id=self.id)
        if self.former is None:
            return now
        began = replace(self, plan=self.former, until=None)._with_until()
        until = now.until if self.until == began.until else self.until
        own = _changed(began.plan, self.plan)
        if own.keys() & {"rules", "rule_set"}:  # one choice
            own |= {"rules": self.plan.rules, "rule_set": self.plan.rule_set}
        entry = replace(now.plan.entry, **_changed(began.plan.entry, self.plan.entry))
        return replace(now.with_changes(**own | {"entry": entry}), until=until)

    def _with_until(self) -> "NightDraft":
        until = self.plan.sign_up_until
        return self if self.full_plan.sign_up_until == until else replace(self, until=until)

    def final_plan(self, *, with_series: bool) -> NightPlan:
        """Return the plan to publish; `with_series` moves all following nights, too.

        Raises:
            RulesError: It cannot be played.
        """
        check_table(for_players(self.plan.rules, self.plan.size), self.plan.size)
        return self.full_plan if self.former is None else self.full_plan.move_from(self.former, with_series=with_series)

    @property
    def is_new(self) -> bool:
        """Whether the draft plans a new night."""
        return self.night_id is None

    @property
    def people(self) -> int:
        """How many people are expected."""
        return expected_people(self.plan, self.signed_up)

    @property
    def moves_series(self) -> bool:
        """Whether the draft moves a night of a series, so that the host has to say whether later nights move, too."""
        former = self.former
        is_weekly = former is not None and former.is_weekly and self.plan.is_weekly
        return is_weekly and former is not None and former.starts_at != self.plan.starts_at

    @property
    def full_plan(self) -> NightPlan:
        """The plan, with the end of sign-up filled in."""
        plan, ends_at = self.plan, self.plan.starts_at + length_ms(self.plan, self.people)
        last = ends_at if plan.format.is_open else ends_at - round_length_ms(plan)
        until = plan.starts_at if plan.format.is_closed else last
        until = until if self.until is None else self.until
        return replace(plan, sign_up_until=until, zone=self.zone, minute_of_day=self._minute)

    @property
    def _minute(self) -> int:
        """The minute of the day at which a series begins: not what a day shows on which that minute is skipped."""
        plan, minute = self.plan, self.plan.minute_of_day
        if minute is not None and to_instant(at_minute(plan.starts_at, minute, self.zone), self.zone) == plan.starts_at:
            return minute
        return minute_of_day(plan.starts_at, self.zone)

    def with_changes(self, **changes: object) -> "NightDraft":
        """Return the draft with some values of its plan replaced."""
        return replace(self, plan=replace(self.plan, **changes))  # type: ignore[arg-type]  # the plan's own fields

    def copy_plan(self, plan: NightPlan, now: int) -> "NightDraft":
        """Return a draft like another night: at least a week later, on the same weekday in its zone."""
        starts_at = next_week(plan.starts_at, self.zone, max(now, plan.starts_at))
        return replace(self, plan=replace(plan.series_plan.on_day(starts_at), is_weekly=False), until=None)


def _changed(before: NightPlan | EntryRules, now: NightPlan | EntryRules) -> dict[str, Any]:
    """Return the fields that differ, with their new values."""
    return {
        item.name: value for item in fields(now) if (value := getattr(now, item.name)) != getattr(before, item.name)
    }


def first_plan(title: str, channel_id: int, zone: str, now: int, form: Format = ROTATION) -> NightPlan:
    """Return the plan with which a host starts: nine in the evening on the format's next weekday."""
    starts_at = _next_evening(form.weekday, zone, now)
    return NightPlan(
        title=title,
        starts_at=starts_at,
        sign_up_until=starts_at,
        format=form,
        rounds=4,
        round_minutes=25,
        size=4,
        rules=CLASSIC,
        rule_set=None,
        is_ranked=False,
        fills_with_robots=False,
        channel_id=channel_id,
        zone=zone,
    ).with_format(form)


def _next_evening(weekday: int, zone: str, now: int) -> int:
    local_now = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    day = local_now.date() + timedelta((weekday - local_now.weekday()) % 7)
    evening = datetime(day.year, day.month, day.day, _EVENING, tzinfo=local_now.tzinfo)
    return int((evening if evening > local_now else evening + timedelta(7)).timestamp()) * 1000
