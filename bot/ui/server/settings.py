"""The settings of a server: each with its words, its control, and the permissions that the bot needs for it.

Declare a new setting here. Its value is a field of `bot.tables.servers.settings.ServerSettings`, with a column.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ChannelType

from bot.conditions import CONDITIONS
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.interactions.setting import (
    GONE,
    ChannelSetting,
    ChoiceSetting,
    RoleSetting,
    Setting,
    SnowflakeSetting,
    Switch,
    TextSetting,
    read_zone,
)
from bot.discord.places.permissions import timeout_words
from bot.discord.text.texts import LANGUAGES, Texts, mark
from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import LadderSetup, SeasonLength
from bot.records.league import Scale
from bot.tables.lobby.lobby import Absence
from bot.tables.servers.settings import NO_LEAGUE, ServerSettings
from bot.ui.lobby.players_role import why_not_open
from bot.ui.server.config_checks import (
    CALLED,
    CHECK_LOG,
    CHECK_PODIUM,
    GIVEN,
    HELD,
    RoleUse,
    check_server,
    check_tables,
)
from bot.ui.words.entry_text import condition_setting
from bot.ui.words.rule_names import best_words, preset_about, preset_name, scale_words

MAX_CHANNELS: Final = 25  # Discord's limit for a menu
MAX_ZONE: Final = 64
AFK_SECONDS: Final = (30, 60, 90, 120, 180, 300, 600, 0)
"""Choices for when absent people are called; 0: never."""
CALL_SECONDS: Final = (10, 20, 30, 45, 60, 90)
"""Choices for how long a quick start waits for people."""
RETENTION_DAYS: Final = (30, 90, 180, 365, 730)
LEAGUE_BESTS: Final = (None, 3, 4, 5, 6, 8, 10, NO_LEAGUE)
"""How many nights of a person count for the league of a season."""
MOST_ROLE_CALLS: Final = 10
_TABLE_KINDS: Final = (
    ChannelType.text, ChannelType.news, ChannelType.voice, ChannelType.stage_voice, ChannelType.forum
)  # fmt: skip
_POST_KINDS: Final = (ChannelType.text, ChannelType.news)
_DAYS_A_YEAR: Final = 365


@dataclass(frozen=True, slots=True)
class ConfigState:
    """The choices of a server, and the defaults.

    - `own_language`: the server's language on Discord.
    - `afk_seconds`: the bot's default.
    - `known`: the channels and roles that exist; chosen ones outside are gone.
    - `checks`, `more_checks`: lines about the bot's permissions, for the first and the second page.
    - `entry_role_ids`: the roles that nights and ranked matches require.
    - `now`: an instant in milliseconds.
    """

    settings: ServerSettings
    setup: LadderSetup
    own_language: str | None
    afk_seconds: int
    known: frozenset[int]
    checks: Sequence[str] = ()
    more_checks: Sequence[str] = ()
    entry_role_ids: Collection[int] = ()
    now: int = 0

    @property
    def is_role_gone(self) -> bool:
        """Whether ranked matches require a deleted role: then the requirement is ignored."""
        return self.setup.ranked_rules.entry.role_id not in (None, *self.known)


class _PlayersRole(RoleSetting[ConfigState]):
    def with_value(self, state: ConfigState, value: int | None) -> ConfigState:
        """Choose the role; another role is not open to members until that is turned on again."""
        if value == state.settings.players_role:
            return state
        return replace(state, settings=replace(state.settings, players_role=value, is_role_open=False))


class _OpenRole(Switch[ConfigState]):
    def read(self, interaction: discord.Interaction, state: ConfigState, argument: str = "") -> bool:
        if not super().read(interaction, state, argument):
            return False
        texts, guild, member = texts_of(interaction), interaction.guild, interaction.user
        if guild is None or not isinstance(member, discord.Member):
            raise RefusedError(texts.t(GONE))
        role = guild.get_role(state.settings.players_role or 0)
        refusal = None if role is None else GIVEN.refusal(member, role, texts)
        if (refusal := refusal or _why_not_open(guild, state, texts)) is not None:
            raise RefusedError(refusal)
        return True


class _Retention(ChoiceSetting[ConfigState]):
    def with_value(self, state: ConfigState, value: int | None) -> ConfigState:
        return replace(state, settings=state.settings.with_retention(value, state.now))


def years_or_days(days: int, texts: Texts) -> str:
    """Return a number of days in words; in years if these are whole."""
    years, rest = divmod(days, _DAYS_A_YEAR)
    return texts.n("{count} day", "{count} days", days) if rest else texts.n("{count} year", "{count} years", years)


def retention_words(settings: ServerSettings, texts: Texts) -> str:
    """Return how long matches are kept, and what is deleted then."""
    t = texts.t
    if settings.retention_days is None or settings.retained_until is None:
        return t(
            "kept for ever, unless you choose when their moves, rounds and names are deleted; results and standings"
            " always stay"
        )
    return t(
        "from <t:{at}:D> on I delete the moves, rounds and names of those that ended more than {time} ago, for good;"
        " results and standings stay",
        at=settings.retained_until // 1000,
        time=years_or_days(settings.retention_days, texts),
    )


def check_lines(
    page: Sequence[Setting[ConfigState]], interaction: discord.Interaction, state: ConfigState, texts: Texts
) -> list[str]:
    """Return lines about the bot's permissions in the channels that a page's settings name, and in the whole server."""
    lines: list[str] = []
    if (words := timeout_words(interaction.guild, texts)) is not None:
        return [f"❌ {words}"]
    for setting in page:
        if isinstance(setting, SnowflakeSetting) and setting.check is not None and interaction.guild is not None:
            lines += setting.check(interaction.guild, interaction, setting.ids_of(state), texts.t(setting.title), texts)
    if page is FIRST_PAGE and interaction.guild is not None:
        lines += check_server(interaction.guild, texts)
    if page is SECOND_PAGE and interaction.guild is not None:
        lines.append(_call_me_line(interaction.guild, state, texts))
    return lines


def _why_not_open(guild: discord.Guild, state: ConfigState, texts: Texts) -> str | None:
    settings = state.settings
    return why_not_open(guild, settings.players_role, settings, state.entry_role_ids, texts)


def _call_me_line(guild: discord.Guild, state: ConfigState, texts: Texts) -> str:
    """Return whether members are offered *Call me*, and why not."""
    t, role = texts.t, f"<@&{state.settings.players_role}>"
    if (why := _why_not_open(guild, state, texts)) is None and state.settings.is_role_open:
        return "✅ " + t("*Call me*: members take {role} by themselves", role=role)
    return "🔔 " + t(
        "There is no button *Call me*. {why}", why=why or t("Members do not take {role} by themselves.", role=role)
    )


def _large(options: Mapping[Any, str]) -> Mapping[Any, str]:
    """Return the options with a capital first letter: sentences elsewhere use the same words."""
    return {value: words[:1].upper() + words[1:] for value, words in options.items()}


def _languages(state: ConfigState, texts: Texts) -> Mapping[str | None, str]:
    t, own = texts.t, state.own_language
    if own is None:
        unset = t("of the person who posts them")
    else:
        unset = t("as Discord has it: {language}", language=texts.language_name(own))
    return _large({None: unset, **{code: texts.language_name(code) for code in LANGUAGES}})


def _patience(state: ConfigState, texts: Texts) -> Mapping[int | None, str]:
    t = texts.t

    def words(seconds: int) -> str:
        return t("called after {seconds} s", seconds=seconds) if seconds else t("never called")

    own = t("as the bot is set: {patience}", patience=words(state.afk_seconds))
    return _large({None: own, **{seconds: words(seconds) for seconds in AFK_SECONDS}})


def _retentions(_state: ConfigState, texts: Texts) -> Mapping[int | None, str]:
    t = texts.t
    times = {days: t("kept for {time}", time=years_or_days(days, texts)) for days in RETENTION_DAYS}
    return _large({None: t("kept for ever"), **times})


def _calls(_state: ConfigState, texts: Texts) -> Mapping[int, str]:
    return {seconds: texts.t("{seconds} s, then robots", seconds=seconds) for seconds in CALL_SECONDS}


def _role_calls(_state: ConfigState, texts: Texts) -> Mapping[int, str]:
    words = {
        count: texts.n("{count} call a day", "{count} calls a day", count) for count in range(1, MOST_ROLE_CALLS + 1)
    }
    return _large({0: texts.t("no call"), **words})


def _seasons(_state: ConfigState, texts: Texts) -> Mapping[SeasonLength, str]:
    words = (texts.t("a season every month"), texts.t("a season every quarter"), texts.t("seasons by hand"))
    return _large(dict(zip(SeasonLength, words, strict=True)))


def _about_hidden(state: ConfigState, texts: Texts) -> str:
    if state.settings.counts_hidden_nights:
        return texts.t("⚠️ public now: in events and league everybody reads their titles, channels and names")
    return texts.t("those of hidden channels have no event and are not in the league")


def _is_known(state: ConfigState, place_id: int) -> bool:
    return place_id in state.known


def _role(name: str, path: str, title: str, about: str, use: RoleUse) -> RoleSetting[ConfigState]:
    kind: type[RoleSetting[ConfigState]] = _PlayersRole if path == "settings.players_role" else RoleSetting[ConfigState]
    return kind(name=name, path=path, title=title, about=about, empty=mark("No role"), is_known=_is_known,
                refusal=use.refusal, check=use.check)  # fmt: skip


ZONE: Final = TextSetting[ConfigState](
    name="zone",
    path="setup.schedule.zone",
    title=mark("Time zone"),
    label=lambda zone, texts: texts.t("Time zone: {zone}…", zone=zone),
    question=lambda texts: texts.t("A city or a name, such as Europe/Paris"),
    parse=read_zone,
    most=MAX_ZONE,
)
RETENTION: Final = _Retention(
    name="retention",
    path="settings.retention_days",
    title=mark("Old matches"),
    about=lambda state, texts: retention_words(state.settings, texts),
    options=_retentions,
)
FIRST_PAGE: Final[Sequence[Setting[ConfigState]]] = (
    ChoiceSetting(
        name="language",
        path="settings.language",
        title=mark("Language"),
        about=mark("of public messages"),
        options=_languages,
    ),
    ChannelSetting(
        name="tables",
        path="settings.table_channels",
        title=mark("Channels"),
        about=mark("where tables may be opened, threads included; none: everywhere"),
        empty=mark("Everywhere"),
        kinds=_TABLE_KINDS,
        most=MAX_CHANNELS,
        is_known=_is_known,
        check=check_tables,
    ),
    ChoiceSetting(
        name="absence",
        path="settings.absence",
        title=mark("Absent people"),
        about=mark("what happens at new tables, and after how long they are called"),
        options=lambda _, texts: _large({absence: texts.t(absence.words) for absence in Absence}),
    ),
    ChoiceSetting(name="afk", path="settings.afk_seconds", title=mark("Absent people"), options=_patience),
    ChoiceSetting(
        name="presets",
        path="setup.ranked_rules.presets",
        title=mark("Ranked"),
        about=mark("the rules that count for the ladder"),
        empty=mark("None: every match is friendly"),
        options=lambda _, texts: {name: preset_name(name, texts) for name in PRESETS},
        about_each=lambda _, name, texts: preset_about(name, texts),
        is_many=True,
    ),
    ChoiceSetting(
        name="seasons",
        path="setup.schedule.every",
        title=mark("Seasons"),
        about=mark("the current one runs until its planned end"),
        options=_seasons,
    ),
    Switch(
        name="sign",
        path="setup.ranked_rules.sign_required",
        on=mark("Sign required: yes"),
        off=mark("Sign required: no"),
    ),
    ZONE,
    ChannelSetting(
        name="podium",
        path="settings.podium_channel",
        title=mark("Podium"),
        about=mark("where it is posted at the end of a season"),
        empty=mark("Only where a season is ended by hand"),
        kinds=_POST_KINDS,
        is_known=_is_known,
        check=CHECK_PODIUM,
    ),
    _role("role", "settings.champion_role", mark("Champion's role"), mark("for the best of the season"), GIVEN),
    _role(
        "players", "settings.players_role", mark("Players' role"), mark("whom *Invite…* may call to a table"), CALLED
    ),
    _role(
        "hosts",
        "settings.hosts_role",
        mark("Hosts' role"),
        mark("who plans and leads game nights, by {/night}"),
        HELD,
    ),
    RETENTION,
)
"""This page has all the 40 parts that Discord allows: put further settings on the second page."""
_RANKED_ENTRY: Final[Mapping[str, Mapping[str, Any]]] = {
    "role_id": {
        "about": mark("a table is ranked if all who sit there have the role and have been members for so long"),
        "is_known": _is_known,
        "check": HELD.check,
    },
    "days": {},
}
"""The conditions of `EntryRules` for ranked matches. The number of matches is none: it is not read for each lobby."""
SECOND_PAGE: Final[Sequence[Setting[ConfigState]]] = (
    ChoiceSetting(
        name="call",
        path="settings.quick_start_seconds",
        title=mark("Play"),
        about=mark("how long {/play} and its button wait for people"),
        options=_calls,
    ),
    ChannelSetting(
        name="log",
        path="settings.log_channel",
        title=mark("Log"),
        about=mark("a line for each removal, ban, void match and corrected result: who, whom, why"),
        empty=mark("No log"),
        kinds=_POST_KINDS,
        is_known=_is_known,
        check=CHECK_LOG,
    ),
    _role(
        "winner",
        "settings.winner_role",
        mark("Winner's role"),
        mark("for the first of a game night, until the next one"),
        GIVEN,
    ),
    ChoiceSetting(
        name="role_calls",
        path="settings.role_mentions_per_day",
        title=mark("Calls of the players' role"),
        about=mark("how often a day *Play* mentions it"),
        options=_role_calls,
    ),
    *(
        condition_setting(
            condition, "setup.ranked_rules.entry", mark("Who plays ranked"), **_RANKED_ENTRY[condition.name]
        )
        for condition in CONDITIONS
        if condition.name in _RANKED_ENTRY
    ),
    _OpenRole(
        name="open_role",
        path="settings.is_role_open",
        on=mark("Take the players' role: yes"),
        off=mark("Take the players' role: no"),
    ),
    Switch(
        name="picture",
        path="settings.has_table_picture",
        on=mark("Tables as pictures: yes"),
        off=mark("Tables as pictures: no"),
    ),
    Switch(
        name="film",
        path="settings.has_result_film",
        on=mark("Film with each result: yes"),
        off=mark("Film with each result: no"),
    ),
    ChoiceSetting(
        name="league",
        path="settings.league_best",
        title=mark("League of game nights"),
        about=mark("the points of a season's nights, a board of {/leaderboard}"),
        options=lambda _, texts: {best: best_words(best, texts) for best in LEAGUE_BESTS},
    ),
    ChoiceSetting(
        name="scale",
        path="settings.league_scale",
        title=mark("Points of a night"),
        options=lambda _, texts: {scale: scale_words(scale, texts) for scale in Scale},
    ),
    ChoiceSetting(
        name="hidden",
        path="settings.counts_hidden_nights",
        title=mark("Count hidden nights"),
        about=_about_hidden,
        options=lambda _, texts: {False: texts.t("No"), True: texts.t("Yes: their names become public")},
    ),
)
SETTINGS: Final[Mapping[str, Setting[ConfigState]]] = {setting.name: setting for setting in (*FIRST_PAGE, *SECOND_PAGE)}
