"""What a host sets before a night is published: a value, which its private panel holds (`draft_ids.py`)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.game.rules.presets import CLASSIC
from bot.nights.plan import Format, NightPlan
from bot.ui.night.words import length_ms

ROUNDS: Final = (1, 2, 3, 4, 5, 6, 7, 8)
MINUTES: Final = (10, 15, 20, 25, 30, 40, 60)
SIZES: Final = (4, 6, 8)
_SATURDAY: Final = 5
_EVENING: Final = 21  # o'clock
_MORNING: Final = 10
_CLOSED: Final = (Format.KNOCKOUT, Format.ROUND_ROBIN)  # nobody comes late there
WEEK_MS: Final = 7 * 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class NightDraft:
    """`night_id` is the night that it changes, None for a new one.

    `until` is the end of the sign-up as the host typed it; None: by the format.
    """

    guild_id: int
    user_id: int
    zone: str
    plan: NightPlan
    until: int | None = None
    night_id: int | None = None

    @property
    def settled(self) -> NightPlan:
        """The plan with the end of its sign-up and the time of its recap, which is the next morning."""
        plan = self.plan
        until = plan.starts_at if plan.format in _CLOSED else plan.starts_at + length_ms(plan)
        morning = next_morning(plan.starts_at + length_ms(plan), self.zone)
        return replace(plan, sign_up_until=until if self.until is None else self.until, recap_at=morning)

    def planned(self, **changes: object) -> "NightDraft":
        """The draft with other values in its plan."""
        return replace(self, plan=replace(self.plan, **changes))  # type: ignore[arg-type]  # the plan's own fields

    def like(self, plan: NightPlan, now: int) -> "NightDraft":
        """The draft of a night like a former one, a whole number of weeks later by the clocks of its time zone."""
        return replace(self, plan=plan.moved(next_week(plan.starts_at, self.zone, now)), until=None)


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
        format=Format.ROTATION,
        rounds=4,
        round_minutes=25,
        size=4,
        rules=CLASSIC,
        rule_set=None,
        is_ranked=False,
        fills_with_robots=False,
        channel_id=channel_id,
    )


def next_week(at: int, zone: str, now: int) -> int:
    """The first instant after `now` at the same time of the same weekday."""
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    weeks = max(0, (now - at) // WEEK_MS)
    while True:
        moved = int((local + timedelta(weeks=weeks)).timestamp()) * 1000
        if moved > now:
            return moved
        weeks += 1


def next_morning(at: int, zone: str) -> int:
    """The first ten o'clock in the morning after an instant."""
    here = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    morning = here.replace(hour=_MORNING, minute=0, second=0, microsecond=0)
    return int((morning if morning > here else morning + timedelta(1)).timestamp()) * 1000
