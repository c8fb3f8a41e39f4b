"""The plan of a night, and what a night needs to know of its format."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar, Final

from bot.base.times import MINUTE_MS
from bot.conditions import EVERYBODY, EntryRules
from bot.game.rules.rules import Rules
from bot.game.value import Sentence
from bot.nights.clocks import SATURDAY, at_minute, local_time, minute_of_day, to_instant

BREAK_MINUTES: Final = 3


class TieBreak(Sentence):
    """The criteria that rank entrants, as boards show them; between equals the next one of the format decides.

    - `POINTS`: 2 for a table won, 1 for a shared first place, half of it if most seats are robots'. A bye counts as 1
      for a person, 2 for a pair.
    - `WINS`: tables won.
    - `SCORE_DIFFERENCE`: own score less the best other one, summed over tables.
    - `OPPONENTS` (Buchholz): points of all opponents; own points for a bye.
    - `DEFEATED` (Sonneborn-Berger): twice the points of beaten opponents, once those of drawn ones.
    - `HEAD_TO_HEAD`: points against those who are level so far.
    - `ROUNDS_SURVIVED`: rounds of a knock-out survived; one more for the last pair present.
    - `AVERAGE`: points per table, over at least half as many tables as the busiest person has played.
    - `FINAL`: 2 for winning it, 1 for losing it.
    """

    ROUNDS_SURVIVED = "rounds survived"
    AVERAGE = "points a table (over at least half as many tables as who played most)"
    POINTS = "points (2 for a table won, 1 for a draw)"
    FINAL = "the final"
    WINS = "tables won"
    HEAD_TO_HEAD = "points against those who are level"
    OPPONENTS = "points of one's opponents (Buchholz)"
    DEFEATED = "points of those one has beaten (Sonneborn-Berger)"
    SCORE_DIFFERENCE = "difference of the scores"


class Format:
    """A format as far as plans and nights know it; `bot.nights.formats` has the objects.

    - `name`: how it is stored; `title` and `sentence` are its English words.
    - `tie_breaks`: in the order in which they decide.
    - `has_pairs`: partners stay together for the whole night.
    - `is_closed`: nobody new joins once the night has started.
    - `has_set_rounds`: `NightPlan.rounds` says how many.
    - `eliminates`: whoever loses a table is out.
    - `may_have_final`: `NightPlan.has_final` counts.
    - `is_open`: one round without a break, to which tables are added as people come.
    - `runs_alone`: nobody hosts it; highlights come with the end, and the recap is one line on Monday.
    - `defaults`: fields of a plan that the format sets when chosen.
    - `night_title`, `weekday`: title and weekday (0: Monday) of a new plan.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    night_title: ClassVar[str] = "Kem's night"
    weekday: ClassVar[int] = SATURDAY
    tie_breaks: ClassVar[tuple[TieBreak, ...]]
    has_pairs: ClassVar[bool] = False
    is_closed: ClassVar[bool] = False
    has_set_rounds: ClassVar[bool] = False
    eliminates: ClassVar[bool] = False
    may_have_final: ClassVar[bool] = False
    is_open: ClassVar[bool] = False
    runs_alone: ClassVar[bool] = False
    defaults: ClassVar[Mapping[str, object]] = {"break_minutes": BREAK_MINUTES}

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class SeriesDefaults:
    """Fields of the following nights of a series, while this one has other values; see `NightPlan`."""

    size: int
    fills_with_robots: bool
    channel_id: int
    announce_id: int | None


_OF_SERIES: Final = tuple(field.name for field in fields(SeriesDefaults))


@dataclass(frozen=True, slots=True)
class NightPlan:
    """The plan of one night. Instants in milliseconds since the Unix epoch.

    - `sign_up_until`: the end of sign-up; after `starts_at`, people may come late if the format allows it.
    - `round_minutes`: length of a round; 0: until its longest match ends. `break_minutes` lie between two.
    - `size`: people at a table, in teams of two; tables of 6 and 8 may have fewer, to spare byes.
    - `fills_with_robots`: robots take empty seats, instead of byes.
    - `channel_id`: where tables open. `announce_id`: where the night's message is; None: in the same channel.
    - `is_weekly`: the night is planned again a week later, at `minute_of_day` on the clocks of `zone`.
    - `most`: places; others wait. None: no limit.
    - `wants_event`: list the night among the server's events on Discord.
    - `calls_role`: mention the server's role for players once, an hour before.
    - `has_final`: the first two of a Swiss meet in a last round.
    - `minute_of_day`: None: that of `starts_at`, which differs on a day on which clocks are set.
    - `series_at`: the start by the series, if this night alone was moved.
    - `series`: what the following nights have, if this one alone differs.
    - `entry`: the conditions to sign up.
    """

    title: str
    starts_at: int
    sign_up_until: int
    format: Format
    rounds: int
    round_minutes: int
    size: int
    rules: Rules
    rule_set: str | None
    is_ranked: bool
    fills_with_robots: bool
    channel_id: int
    is_weekly: bool = False
    most: int | None = None
    break_minutes: int = BREAK_MINUTES
    wants_event: bool = False
    calls_role: bool = False
    has_final: bool = False
    announce_id: int | None = None
    zone: str = "UTC"
    minute_of_day: int | None = None
    series_at: int | None = None
    series: SeriesDefaults | None = None
    entry: EntryRules = EVERYBODY

    def move_from(self, former: "NightPlan", *, with_series: bool) -> "NightPlan":
        """Return this plan as a replacement of `former`; a night of a series moves alone, or with all later nights.

        Its other changes apply to the later nights, too.
        """
        edited = {name: getattr(self, name) for name in _OF_SERIES if getattr(self, name) != getattr(former, name)}
        plan = self.for_series(**edited)
        if with_series or not (self.is_weekly and former.is_weekly):
            return replace(plan, series_at=None)
        since = former.starts_at if former.series_at is None else former.series_at
        return replace(plan, series_at=None if since == self.starts_at else since)

    def tonight(self, **changes: object) -> "NightPlan":
        """Return the plan with other `SeriesDefaults` values; in a series, for this night alone."""
        known = self.series or SeriesDefaults(**{name: getattr(self, name) for name in _OF_SERIES})
        return replace(self, **changes, series=known if self.is_weekly else None)  # type: ignore[arg-type]  # its fields

    def for_series(self, **changes: object) -> "NightPlan":
        """Return the plan with other `SeriesDefaults` values, for this night and the following ones."""
        series = None if self.series is None else replace(self.series, **changes)  # type: ignore[arg-type]  # its fields
        return replace(self, **changes, series=series)  # type: ignore[arg-type]  # they are fields of a plan, too

    @property
    def series_plan(self) -> "NightPlan":
        """The plan of the following nights."""
        return self if self.series is None else replace(self, **asdict(self.series), series=None)

    def with_format(self, form: Format) -> "NightPlan":
        """Return the plan in another format, with the format's defaults."""
        return replace(self, **{"format": form, **form.defaults})  # type: ignore[arg-type]  # fields of a plan

    @property
    def post_channel(self) -> int:
        """The channel of the night's message."""
        return self.announce_id or self.channel_id

    @property
    def open_ms(self) -> int:
        """The length of an open format, in milliseconds."""
        return self.rounds * self.round_minutes * MINUTE_MS

    def moved_to(self, starts_at: int) -> "NightPlan":
        """Return the plan with another start; the time from the end of the sign-up to the start stays the same."""
        until = self.sign_up_until + starts_at - self.starts_at
        return replace(self, starts_at=starts_at, sign_up_until=until)

    def with_minute_of(self, former: "NightPlan") -> "NightPlan":
        """Return the plan with the `minute_of_day` of the plan `former`; without any change if their starts differ."""
        return replace(self, minute_of_day=former.minute_of_day) if self.starts_at == former.starts_at else self

    def on_day(self, day: int) -> "NightPlan":
        """Return the plan moved to the day of an instant; its local times stay."""
        zone, minute = self.zone, self.minute_of_day
        own = at_minute(self.starts_at, minute_of_day(self.starts_at, zone) if minute is None else minute, zone)
        wanted = at_minute(day, own.hour * 60 + own.minute, zone)
        starts_at, minute = to_instant(wanted, zone), own.hour * 60 + own.minute
        until = to_instant(wanted + (local_time(self.sign_up_until, zone) - own), zone)
        until = starts_at if self.sign_up_until == self.starts_at else until
        return replace(self, starts_at=starts_at, sign_up_until=until, minute_of_day=minute, series_at=None)
