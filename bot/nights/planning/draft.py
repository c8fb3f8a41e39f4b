"""What a host sets before a night is published; `NightDraftStore` of `bot.tables.nights.live_nights` keeps it."""

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.conditions import EntryRules
from bot.game.rules.house_rules import check_table, for_players
from bot.game.rules.presets import CLASSIC
from bot.nights.clocks import instant, minute_of_day, next_week, on_day_of
from bot.nights.formats import ROTATION
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.planning.length import expected, length_ms, turn_ms

_EVENING: Final = 21  # o'clock


@dataclass(frozen=True, slots=True)
class NightDraft:
    """`zone` is the server's time zone. `night_id` is the night that the draft changes, None for a new one.

    `id` is that of the interaction that began it. `until` is the end of the sign-up as the host typed it; None: by the
    format. Of the night that it changes, `signed_up` and `former` are how many had signed up, and the plan, when the
    draft last looked: what differs from that plan is the host's own.
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
        """The draft that changes a night; the end of its sign-up goes on following the format where it does."""
        plan = night.plan
        return cls(zone, plan, night_id=night.id, signed_up=len(night.present), former=plan)._with_until()

    def about(self, night: Night) -> "NightDraft":
        """The draft of the night as it is now, with what the host has changed, and nothing else.

        Another host, or a press such as *Tables of 6*, may have changed the night since the draft began.
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
        return replace(now.planned(**own | {"entry": entry}), until=until)

    def _with_until(self) -> "NightDraft":
        until = self.plan.sign_up_until
        return self if self.settled.sign_up_until == until else replace(self, until=until)

    def saved(self, *, with_series: bool) -> NightPlan:
        """The plan that is published, or takes the place of the night's. Raises RulesError where it cannot be played.

        `with_series`: a night of a series moves with all that follow.
        """
        check_table(for_players(self.plan.rules, self.plan.size), self.plan.size)
        return self.settled if self.former is None else self.settled.moved_from(self.former, with_series=with_series)

    @property
    def is_new(self) -> bool:
        return self.night_id is None

    @property
    def people(self) -> int:
        return expected(self.plan, self.signed_up)

    @property
    def moves_series(self) -> bool:
        """Whether it moves a night of a series: this date alone, or those that follow, too."""
        former = self.former
        is_weekly = former is not None and former.is_weekly and self.plan.is_weekly
        return is_weekly and former is not None and former.starts_at != self.plan.starts_at

    @property
    def settled(self) -> NightPlan:
        """The plan with the end of its sign-up."""
        plan, ends_at = self.plan, self.plan.starts_at + length_ms(self.plan, self.people)
        last = ends_at if plan.format.is_open else ends_at - turn_ms(plan)
        until = plan.starts_at if plan.format.is_closed else last
        until = until if self.until is None else self.until
        return replace(plan, sign_up_until=until, zone=self.zone, minute_of_day=self._minute)

    @property
    def _minute(self) -> int:
        """The minute of the day at which a series begins: not what a day shows on which that minute is skipped."""
        plan, minute = self.plan, self.plan.minute_of_day
        if minute is not None and instant(on_day_of(plan.starts_at, minute, self.zone), self.zone) == plan.starts_at:
            return minute
        return minute_of_day(plan.starts_at, self.zone)

    def planned(self, **changes: object) -> "NightDraft":
        return replace(self, plan=replace(self.plan, **changes))  # type: ignore[arg-type]  # the plan's own fields

    def like(self, plan: NightPlan, now: int) -> "NightDraft":
        """The draft of a night like another one, at least a week later, on its weekday by the clocks of its zone.

        It begins no second series: that of the other one goes on by itself.
        """
        starts_at = next_week(plan.starts_at, self.zone, max(now, plan.starts_at))
        return replace(self, plan=replace(plan.of_series.on_day(starts_at), is_weekly=False), until=None)


def _changed(before: NightPlan | EntryRules, now: NightPlan | EntryRules) -> dict[str, Any]:
    """The fields that are not as they were before, with their values."""
    return {one.name: value for one in fields(now) if (value := getattr(now, one.name)) != getattr(before, one.name)}


def first_plan(title: str, channel_id: int, zone: str, now: int, form: Format = ROTATION) -> NightPlan:
    """What a host finds set: nine in the evening on the format's next day, Saturday for most."""
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
    ).played_as(form)


def _next_evening(weekday: int, zone: str, now: int) -> int:
    here = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    day = here.date() + timedelta((weekday - here.weekday()) % 7)
    evening = datetime(day.year, day.month, day.day, _EVENING, tzinfo=here.tzinfo)
    return int((evening if evening > here else evening + timedelta(7)).timestamp()) * 1000
