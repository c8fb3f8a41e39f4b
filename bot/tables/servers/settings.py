"""What a server has chosen apart from its ladder: its settings, and its saved rules.

Discord's ids are opaque numbers here. The rule book knows presets, the rule sets of a server, and rules written as one
line. House rules in the bot's settings hold at every table, and are left out of such lines.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final, Protocol, get_type_hints

from bot.base.times import DAY_MS, MINUTE_MS, WEEK_MS
from bot.game.rules.house_rules import check_rules, name_key, override, preset, read_name, read_rules, write_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.records.league import Scale
from bot.tables.lobby.lobby import Absence

NOTICE_MS: Final = WEEK_MS
"""Milliseconds in which no log is deleted after a shorter retention was chosen, so that it can be corrected."""

MAX_SETS: Final = 25
"""The most rule sets of a server: as many as a menu of Discord has options."""

ROLE_PAUSE_MS: Final = 10 * MINUTE_MS
"""Shortest time between two mentions of a server's role for players, in milliseconds."""

NO_LEAGUE: Final = 0
"""`league_best` of a server that has no league."""

Channel = Annotated[int | None, "channel"]
Role = Annotated[int | None, "role"]


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server has chosen.

    - `language`: that of public messages; None for Discord's setting of the server.
    - `table_channels`: where tables may be opened, threads included; empty for everywhere.
    - `podium_channel`: for podiums of seasons; None for the channel in which a season is ended by hand, and no post of
      one that the calendar ends.
    - `champion_role`: for the best of a season; None for no role.
    - `players_role`: for members who want to be called to tables, last mentioned at `players_mentioned_at` (Unix
      milliseconds).
    - `is_role_open`: members may take that role themselves, and *Play* mentions it, at most `role_mentions_per_day`
      times a day. On the day `role_mentions_day` (since 1970, UTC) it has done so `role_mentions_today` times.
    - `hosts_role`: its members may plan and lead nights.
    - `winner_role`: for the winners of a night.
    - `has_result_film`: the result of a match shows its best moment as an animation.
    - `has_table_picture`: a running table is shown as a picture.
    - `log_channel`: where actions of hosts and managers against others are logged.
    - `absence`: what happens to absent players of new tables.
    - `afk_seconds`: idle time before they are called (0 for never, None for the bot's default).
    - `quick_start_seconds`: how long others can join a person who presses *Play*.
    - `daily_channel`, `daily_hour`: where and from when (0 to 23, Europe/Paris) the deal of the day is posted; None for
      nowhere. `daily_posted_day` is the day of the last post (`date.toordinal`).
    - `league_best`: how many nights of each person count in the league of a season (None for all, NO_LEAGUE for no
      league).
    - `league_scale`: by what points they count.
    - `counts_hidden_nights`: nights in channels that @everyone cannot see make events and count in the league.
    - `retention_days`: after how many days the log of a match is deleted, but not before `retained_until` (Unix
      milliseconds); None for never.
    """

    language: str | None = None
    table_channels: tuple[int, ...] = ()
    podium_channel: Channel = None
    champion_role: Role = None
    absence: Absence = Absence.ROBOT
    afk_seconds: int | None = None
    retention_days: int | None = None
    retained_until: int | None = None
    players_role: Role = None
    players_mentioned_at: int | None = None
    is_role_open: bool = False
    role_mentions_per_day: int = 3
    role_mentions_day: int = 0
    role_mentions_today: int = 0
    hosts_role: Role = None
    log_channel: Channel = None
    daily_channel: Channel = None
    daily_hour: int | None = None
    daily_posted_day: int = 0
    winner_role: Role = None
    quick_start_seconds: int = 20
    has_result_film: bool = True
    has_table_picture: bool = True
    league_best: int | None = None
    league_scale: Scale = Scale.EVEN
    counts_hidden_nights: bool = False

    def allows_table_in(self, *channel_ids: int | None) -> bool:
        """Return whether a table may be opened in a channel; for a thread, pass its id and its channel's."""
        return not self.table_channels or not set(self.table_channels).isdisjoint(channel_ids)

    def has_mentioned_role_lately(self, now: int) -> bool:
        """Return whether the players' role was mentioned so recently that it must not be mentioned now."""
        return self.players_mentioned_at is not None and now < self.players_mentioned_at + ROLE_PAUSE_MS

    def with_role_mention(self, now: int) -> "ServerSettings":
        """Return the settings after *Play* has mentioned the players' role; unchanged if it may not do so yet."""
        day = now // DAY_MS
        made = self.role_mentions_today if self.role_mentions_day == day else 0
        if made >= self.role_mentions_per_day or self.has_mentioned_role_lately(now):
            return self
        return replace(self, players_mentioned_at=now, role_mentions_day=day, role_mentions_today=made + 1)

    def with_retention(self, days: int | None, now: int) -> "ServerSettings":
        """Return the settings with another retention; if it is shorter, nothing is deleted for `NOTICE_MS`."""
        if days is None:
            return replace(self, retention_days=None, retained_until=None)
        is_shorter = self.would_delete_more(days)
        return replace(self, retention_days=days, retained_until=now + NOTICE_MS if is_shorter else self.retained_until)

    @property
    def places(self) -> frozenset[int]:
        """The ids of all channels and roles that are chosen."""
        chosen = (getattr(self, name) for name in (*_CHANNELS, *_ROLES))
        return frozenset((*self.table_channels, *filter(None, chosen)))

    @property
    def roles(self) -> tuple[int | None, ...]:
        """The ids of the roles, None for each that is not chosen."""
        return tuple(getattr(self, name) for name in _ROLES)

    def within(self, known: frozenset[int]) -> "ServerSettings":
        """Return the settings without channels and roles that are not `known`."""
        tables = tuple(channel_id for channel_id in self.table_channels if channel_id in known)
        gone = {name: None for name in (*_CHANNELS, *_ROLES) if getattr(self, name) not in known}
        return replace(self, table_channels=tables, **gone)  # type: ignore[arg-type]  # they may all be None

    def would_delete_more(self, days: int) -> bool:
        """Return whether a retention of so many days is shorter than the present one."""
        return self.retention_days is None or days < self.retention_days


def _fields(kind: object) -> tuple[str, ...]:
    hints = get_type_hints(ServerSettings, include_extras=True)
    return tuple(name for name, hint in hints.items() if hint == kind)


_CHANNELS: Final = _fields(Channel)
_ROLES: Final = _fields(Role)


class ServerStore(Protocol):
    """The stored settings of servers. Every method may raise StoreError."""

    async def read(self, guild_id: int) -> ServerSettings:
        """Return what the server has chosen, or the defaults."""

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Change and save a server's settings, and return them. Changes are serialised."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules that a server has saved under a name, as a line of `bot.game.rules.house_rules`."""

    name: str
    line: str


class RuleSetStore(Protocol):
    """The rule sets of each server, whose names ignore case. Every method may raise StoreError."""

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        """Save a set, replacing one of the same name; return False if the server already has `most` other sets."""

    async def delete(self, guild_id: int, rule_set: RuleSet) -> bool:
        """Delete a set; return False if there is none of that name, or it has other rules now."""

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        """Return the server's sets, ordered by name."""


class RuleBook:
    """Reads and writes rules, with the bot's house rules and the sets of servers. Some methods may raise StoreError."""

    def __init__(self, sets: RuleSetStore, defaults: Mapping[str, str]) -> None:
        """Use these sets; `defaults` are house rules by axis, which hold unless a table has others."""
        self._sets = sets
        self._defaults = dict(defaults)
        self.sets: Final = sets.all
        self.delete: Final = sets.delete

    def preset(self, name: str) -> Rules:
        """Return a preset with the default house rules.

        Raises:
            RulesError: There is no preset of that name.
        """
        return override(preset(name), self._defaults)

    def read(self, line: str) -> Rules:
        """Return the rules of a line.

        Raises:
            RulesError: The line cannot be read, or its rules cannot be played.
        """
        return read_rules(line, self._defaults)

    def write(self, rules: Rules) -> str:
        """Return the line from which `read` returns these rules."""
        return write_rules(rules, self._defaults)

    async def find(self, guild_id: int, written: str) -> tuple[Rules, str | None]:
        """Return the rules that a user typed (a preset, a server's set, or a line), and the set's name if it is one.

        Raises:
            RulesError: The text is not one of these, or the rules contradict each other.
        """
        wanted = name_key(written)
        if wanted not in PRESETS and "=" not in wanted:
            for kept in await self.sets(guild_id):
                if name_key(kept.name) == wanted:
                    return self.read(kept.line), kept.name
        return self.read(written), None

    async def save(self, guild_id: int, written: str, rules: Rules) -> RuleSet | None:
        """Save rules under a name, replacing earlier ones; return the set, or None if the server has too many.

        Raises:
            RulesError: The name cannot be used, or the rules contradict each other.
        """
        check_rules(rules)
        rule_set = RuleSet(read_name(written), self.write(rules))
        return rule_set if await self._sets.save(guild_id, rule_set, most=MAX_SETS) else None
