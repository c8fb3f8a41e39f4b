"""What the host of a night decides before it begins, and what a night asks of its format."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar, Final

from bot.base.times import MINUTE_MS
from bot.conditions import EVERYBODY, EntryRules
from bot.game.rules.rules import Rules
from bot.game.value import Sentence
from bot.nights.clocks import SATURDAY, instant, minute_of_day, on_day_of, shown

BREAK_MINUTES: Final = 3


class TieBreak(Sentence):
    """What places are decided by, in words, as boards show it; between equals the next one of the format counts.

    `POINTS`: 2 for a table won, 1 for a shared first place, half of it where most seats are robots'; a bye is worth 1
    to a person, 2 to a pair. `WINS`: tables won. `SCORE_DIFFERENCE`: own scores less the best other score of each
    table. `OPPONENTS` (Buchholz): the points of everybody whom one has met, one's own for a bye. `DEFEATED`
    (Sonneborn-Berger): twice the points of those whom one has beaten, once of those with whom one drew.
    `HEAD_TO_HEAD`: points against those who are level so far. `ROUNDS_SURVIVED`: rounds of a knock-out that one has
    come through; one more for the last pair that is there. `AVERAGE`: points a table, over at least half as many
    tables as the person has who played most. `FINAL`: 2 for who won it, 1 for who lost it.
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
    """How the people of a night meet, as far as a plan and a night need to know; `bot.nights.formats` has the objects.

    `name` is how it is stored; `title` and `sentence` are its English words. `tie_breaks` count in their order.
    `has_pairs`: two people stay partners for the whole night. `is_closed`: nobody new joins once it has begun.
    `has_set_rounds`: `NightPlan.rounds` says how many. `eliminates`: who loses a table plays no further one.
    `may_have_final`: `NightPlan.has_final` counts. `is_open`: there is one round, to which tables are added as people
    come, and no break. `runs_alone`: nobody hosts, what stood out is shown with the end, and the review is one line on
    Monday. `defaults` are the fields of a plan that the format sets once it is chosen; a new plan of the format is
    called `night_title` and begins on the next `weekday` (0: Monday).
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
    """What the nights of a series have that follow on one which has something else: see `NightPlan`."""

    size: int
    fills_with_robots: bool
    channel_id: int
    announce_id: int | None


_OF_SERIES: Final = tuple(field.name for field in fields(SeriesDefaults))


@dataclass(frozen=True, slots=True)
class NightPlan:
    """One night. Instants in milliseconds since the Unix epoch.

    From `sign_up_until` on nobody new joins; an instant after `starts_at` lets people in late, where the format does.
    At most `most` people play at once, and others wait; None: no bound. A round lasts `round_minutes`, 0: as long as
    its longest match; `break_minutes` lie between two. An open format lasts `open_ms` from `starts_at` on.

    `has_final`: the first two of a Swiss meet in a last round. `size` people sit at a table, in teams of two; at tables
    of 6 and 8 fewer may sit, where that spares byes. `fills_with_robots`: robots take the seats that nobody has,
    instead of byes. The tables open in `channel_id`; the night's message stands in `announce_id`, None: there, too.
    `wants_event`: Discord lists the night among the server's events. `calls_role`: the server's role for players is
    mentioned once, an hour before. `is_weekly`: the same night is planned again a week later, at `minute_of_day` on the
    clocks of `zone` (None: at that of `starts_at`), which may show another time on a day on which clocks are set.
    `series_at` is when the series has the night begin, where this night alone was moved; None: when it begins. `series`
    is what the following nights have, where this night alone has something else. `entry` is what somebody needs to
    sign up.
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

    def moved_from(self, former: "NightPlan", *, with_series: bool) -> "NightPlan":
        """The plan that takes the place of a former one; a night of a series moves alone, or with all that follow.

        What else differs holds for those that follow, too.
        """
        edited = {name: getattr(self, name) for name in _OF_SERIES if getattr(self, name) != getattr(former, name)}
        plan = self.from_now_on(**edited)
        if with_series or not (self.is_weekly and former.is_weekly):
            return replace(plan, series_at=None)
        since = former.starts_at if former.series_at is None else former.series_at
        return replace(plan, series_at=None if since == self.starts_at else since)

    def tonight(self, **changes: object) -> "NightPlan":
        """The plan with other values of `SeriesDefaults`; of a series, for this night alone."""
        known = self.series or SeriesDefaults(**{name: getattr(self, name) for name in _OF_SERIES})
        return replace(self, **changes, series=known if self.is_weekly else None)  # type: ignore[arg-type]  # its fields

    def from_now_on(self, **changes: object) -> "NightPlan":
        """The plan with other values of `SeriesDefaults`, which the nights that follow have, too."""
        series = None if self.series is None else replace(self.series, **changes)  # type: ignore[arg-type]  # its fields
        return replace(self, **changes, series=series)  # type: ignore[arg-type]  # they are fields of a plan, too

    @property
    def of_series(self) -> "NightPlan":
        """The plan of the nights that follow."""
        return self if self.series is None else replace(self, **asdict(self.series), series=None)

    def played_as(self, form: Format) -> "NightPlan":
        """The plan in another format, with all that this sets."""
        return replace(self, **{"format": form, **form.defaults})  # type: ignore[arg-type]  # fields of a plan

    @property
    def announced_in(self) -> int:
        return self.announce_id or self.channel_id

    @property
    def open_ms(self) -> int:
        """How long an open format lasts."""
        return self.rounds * self.round_minutes * MINUTE_MS

    def moved(self, starts_at: int) -> "NightPlan":
        """The same plan at another instant: the end of the sign-up keeps its distance from the beginning."""
        until = self.sign_up_until + starts_at - self.starts_at
        return replace(self, starts_at=starts_at, sign_up_until=until)

    def like(self, former: "NightPlan") -> "NightPlan":
        """The plan, with the minute of a former one where both begin together: clocks may show another that day."""
        return replace(self, minute_of_day=former.minute_of_day) if self.starts_at == former.starts_at else self

    def on_day(self, day: int) -> "NightPlan":
        """The same plan on the day of an instant: all its times stay what they are on the clocks of its zone."""
        zone, minute = self.zone, self.minute_of_day
        own = on_day_of(self.starts_at, minute_of_day(self.starts_at, zone) if minute is None else minute, zone)
        wanted = on_day_of(day, own.hour * 60 + own.minute, zone)
        starts_at, minute = instant(wanted, zone), own.hour * 60 + own.minute
        until = instant(wanted + (shown(self.sign_up_until, zone) - own), zone)
        until = starts_at if self.sign_up_until == self.starts_at else until
        return replace(self, starts_at=starts_at, sign_up_until=until, minute_of_day=minute, series_at=None)
