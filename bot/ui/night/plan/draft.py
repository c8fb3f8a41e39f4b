"""What a host sets before a night is published: a value, which its private panel holds in custom ids.

So a restart loses nothing of it, and any process can answer its presses.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from bot.game.rules.presets import CLASSIC
from bot.nights.clocks import instant, minute_of_day, on_day_of
from bot.nights.formats import FORMATS, ROTATION
from bot.nights.length import expected, length_ms, turn_ms
from bot.nights.night import Night
from bot.nights.plan import NightPlan
from bot.tables.nights.live_nights import next_week
from bot.ui.kit.custom_ids import parse_id, read_number
from bot.ui.kit.names import clean
from bot.ui.night.verbs import PlanVerb, night_id, read_arg
from bot.ui.night.words import MAX_TITLE

SET: Final = "set:"
"""Stands before the name of a rule set of the server, which may be called like a preset."""
_SATURDAY: Final = 5
_EVENING: Final = 21  # o'clock
_MORNING: Final = 10
_PARTS: Final = 9


class PlanField(StrEnum):
    """What there is to choose, after the number of the night in a custom id."""

    FORMAT = "format"
    RULES = "rules"
    ROUNDS = "rounds"
    MINUTES = "minutes"
    SIZE = "size"
    CHANNEL = "channel"
    ANNOUNCE = "announce"  # the channel of its message, which the menu's custom id holds
    TEMPLATE = "template"
    # Buttons, which say what the next press sets
    RANKED = "ranked"
    ROBOTS = "robots"
    WEEKLY = "weekly"
    EVENT = "event"
    ROLE = "role"
    TALK = "talk"
    FINAL = "final"


NUMBERS: Final[dict[PlanField, tuple[str, tuple[int, ...]]]] = {
    PlanField.ROUNDS: ("rounds", (1, 2, 3, 4, 5, 6, 7, 8)),
    PlanField.MINUTES: ("round_minutes", (10, 15, 20, 25, 30, 40, 60)),
    PlanField.SIZE: ("size", (4, 6, 8)),
}
"""The fields of a plan, and the numbers that are offered for each."""
SWITCHES: Final = {
    PlanField.RANKED: "is_ranked",
    PlanField.ROBOTS: "fills_with_robots",
    PlanField.WEEKLY: "is_weekly",
    PlanField.EVENT: "wants_event",
    PlanField.ROLE: "calls_role",
    PlanField.TALK: "wants_talk_thread",
    PlanField.FINAL: "has_final",
}
"""The fields of a plan that are on or off."""


@dataclass(frozen=True, slots=True)
class NightDraft:
    """`zone` is the server's time zone. `night_id` is the night that the draft changes, None for a new one.

    `until` is the end of the sign-up as the host typed it; None: by the format. `former` is the plan of the night
    that it changes.
    """

    zone: str
    plan: NightPlan
    until: int | None = None
    night_id: int | None = None
    signed_up: int = 0
    former: NightPlan | None = None

    @classmethod
    def of(cls, night: Night, zone: str) -> "NightDraft":
        """The draft that changes a night; the end of its sign-up goes on following the format where it does."""
        plan = night.plan
        draft = cls(zone, plan, night_id=night.id, signed_up=len(night.present), former=plan)
        return draft if draft.settled.sign_up_until == plan.sign_up_until else replace(draft, until=plan.sign_up_until)

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
        """The plan with the end of its sign-up and the time of its recap, which is the next morning."""
        plan, ends_at = self.plan, self.plan.starts_at + length_ms(self.plan, self.people)
        last = ends_at if plan.format.is_open else ends_at - turn_ms(plan)
        until = plan.starts_at if plan.format.is_closed else last
        morning = _next_morning(ends_at, self.zone)
        until = until if self.until is None else self.until
        return replace(plan, sign_up_until=until, recap_at=morning, zone=self.zone, minute_of_day=self._minute)

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
        """The draft of a night like a former one, a whole number of weeks later by the clocks of its time zone."""
        return replace(self, plan=plan.on_day(next_week(plan.starts_at, self.zone, now)), until=None)


def first_plan(title: str, channel_id: int, zone: str, now: int) -> NightPlan:
    """What a host finds set: next Saturday at nine in the evening."""
    here = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    day = here.date() + timedelta((_SATURDAY - here.weekday()) % 7)
    evening = datetime(day.year, day.month, day.day, _EVENING, tzinfo=here.tzinfo)
    starts_at = int((evening if evening > here else evening + timedelta(7)).timestamp()) * 1000
    return NightPlan(
        title=title,
        starts_at=starts_at,
        sign_up_until=starts_at,
        format=ROTATION,
        rounds=4,
        round_minutes=25,
        size=4,
        rules=CLASSIC,
        rule_set=None,
        is_ranked=False,
        fills_with_robots=False,
        channel_id=channel_id,
        zone=zone,
    )


def _next_morning(at: int, zone: str) -> int:
    here = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    morning = here.replace(hour=_MORNING, minute=0, second=0, microsecond=0)
    return int((morning if morning > here else morning + timedelta(1)).timestamp()) * 1000


# ---------------------------------------------------------------------- custom ids


def numbers_id(draft: NightDraft) -> str:
    """The custom id of the button for title and time: all that is chosen but the title and the rules."""
    plan = draft.plan
    switches = sum(getattr(plan, name) << place for place, name in enumerate(SWITCHES.values()))
    parts = (plan.starts_at // 1000, "" if draft.until is None else draft.until // 1000, plan.most or "", plan.format,
             plan.rounds, plan.round_minutes, plan.size, plan.channel_id, switches)  # fmt: skip
    return night_id(PlanVerb.PLAN_TEXT, draft.night_id or 0, ".".join(map(str, parts)))


def rules_id(draft: NightDraft) -> str:
    """The custom id of the menu of rules: the rules that are chosen."""
    return night_id(PlanVerb.PLAN_SET, draft.night_id or 0, PlanField.RULES, rules_name(draft.plan))


def title_id(draft: NightDraft) -> str:
    """The custom id of the button that publishes: the title."""
    return night_id(PlanVerb.PUBLISH, draft.night_id or 0, clean(draft.plan.title, MAX_TITLE))


def rules_name(plan: NightPlan) -> str:
    """What the menu of rules calls the rules of a plan."""
    return plan.rules.preset if plan.rule_set is None else SET + plan.rule_set


def read_draft(custom_ids: Iterable[str], zone: str) -> tuple[NightDraft, str] | None:
    """The draft that the components of a panel hold, with the classic rules, and the name of the rules that are meant.

    None where they hold none.
    """
    numbers = title = rules = changed = announce = None
    for custom_id in custom_ids:
        press = parse_id(custom_id)
        read = None if press is None else read_arg(press.arg)
        if press is None or read is None:
            continue
        match press.verb, read[1]:
            case PlanVerb.PLAN_TEXT, (written,):
                changed, numbers = read[0] or None, written
            case PlanVerb.PLAN_SET, (PlanField.RULES, *name):
                rules = ":".join(name)
            case PlanVerb.PLAN_SET, (PlanField.ANNOUNCE, channel_id):
                announce = read_number(channel_id) or None
            case PlanVerb.PUBLISH, name:
                title = ":".join(name)
    parts = (numbers or "").split(".")
    if title is None or not rules or len(parts) != _PARTS or parts[3] not in FORMATS:
        return None
    starts, until, most, rounds, minutes, size, channel, switches = (
        read_number(part) if part else None for part in (*parts[:3], *parts[4:])
    )
    if starts is None or rounds is None or minutes is None or size is None or channel is None or switches is None:
        return None
    plan = replace(
        first_plan(title, channel, zone, now=0),
        starts_at=starts * 1000,
        sign_up_until=starts * 1000,
        format=FORMATS[parts[3]],
        rounds=rounds,
        round_minutes=minutes,
        size=size,
        most=most,
        announce_id=announce,
    )
    draft = NightDraft(zone, plan, None if until is None else until * 1000, changed)
    return draft.planned(**{name: bool(switches >> at & 1) for at, name in enumerate(SWITCHES.values())}), rules
