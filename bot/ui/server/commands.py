"""`/kems-admin config`: one private message of menus, and the presses on it.

Each choice is saved before it is answered, and holds at once. A choice that deletes matches asks first.
Each press asks again whether its presser may manage the server.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

import discord
from discord import ChannelType

from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import Every, Setup, Trouble, find_zone, near_zones
from bot.records.seasons import SeasonStore
from bot.tables.bans import Bans
from bot.tables.clock import Clock
from bot.tables.erasure import Retention
from bot.tables.lobby.lobby import Absence
from bot.tables.season_ends import SeasonDutyStore
from bot.tables.server_settings import NOTICE_MS, ServerSettings, ServerStore
from bot.ui.admission.patience import or_later
from bot.ui.admission.rights import check_manages_server
from bot.ui.feature import CommandSet, Feature, command
from bot.ui.kit import components as c
from bot.ui.kit.components import Layout, confirmation, danger
from bot.ui.kit.custom_ids import NO_TABLE, Press, make_id
from bot.ui.kit.interactions import Form, chosen, guild_of, reader, say_outdated, show, typed
from bot.ui.kit.names import clean
from bot.ui.kit.texts import LANGUAGES, Texts, mark
from bot.ui.ladder.about import no_zone
from bot.ui.ladder.season_commands import trouble_line
from bot.ui.lobby.places import ServerDefaults, own_language
from bot.ui.rules.editor import preset_options
from bot.ui.server.bans import BanCommands
from bot.ui.server.config_checks import call_refusal, checks, everybody_refusal, known_places, more_checks, role_refusal
from bot.ui.server.report import ReportCommand

MAX_CHANNELS: Final = 25  # Discord's limit for a menu
MAX_ZONE: Final = 64
AFK_SECONDS: Final = (30, 60, 90, 120, 180, 300, 600, 0)
"""Choices for when absent people are called; 0: never."""
RETENTION_DAYS: Final = (30, 90, 180, 365, 730)
NONE: Final = "none"  # the value of an option that unsets a field
TABLE_KINDS: Final = (ChannelType.text, ChannelType.news, ChannelType.voice, ChannelType.stage_voice, ChannelType.forum)
PODIUM_KINDS: Final = (ChannelType.text, ChannelType.news)
_DAYS_A_YEAR: Final = 365

MOST_TROUBLES: Final = 2  # for more there is no room in the message

ServerChange = Callable[[ServerSettings], ServerSettings]
SavedChange = Callable[[int], Awaitable[object]]  # saves a change of the server of that id
_RETENTIONS: Final = frozenset(map(str, RETENTION_DAYS))


class ServerVerb(StrEnum):
    """What a press on the settings of a server asks for, on table 0; a comment names its argument."""

    CONFIG = "config"  # a field; a menu of its values, or a form
    CONFIG_ZONE = "config_zone"  # opens the form whose id is CONFIG
    CONFIG_MORE = "config_more"  # to the second page
    CONFIG_BACK = "config_back"  # from a question to the settings
    RETENTION_NOW = "retention_now"  # days: the answer to the question


class Field(StrEnum):
    """What there is to choose; the argument of a custom id."""

    LANGUAGE = "language"
    TABLES = "tables"
    ABSENCE = "absence"
    AFK = "afk"
    PRESETS = "presets"
    SIGN_REQUIRED = "sign_required"  # two buttons, of which one is shown
    SIGN_FREE = "sign_free"
    SEASONS = "seasons"
    ZONE = "zone"
    PODIUM = "podium"
    ROLE = "role"
    PLAYERS_ROLE = "players"
    HOSTS_ROLE = "hosts"
    LOG = "log"  # on the second page, as the next one
    WINNER_ROLE = "winner"
    RETENTION = "retention"
    GONE = "gone"  # forget channels and roles that are gone


@dataclass(frozen=True, slots=True)
class Configured:
    """What a server has chosen, and the defaults: its own language on Discord, and the bot's `afk_seconds`.

    Chosen channels and roles outside `known` are gone. `checks` and `more_checks` are lines about the bot's rights.
    """

    settings: ServerSettings
    setup: Setup
    own_language: str | None
    afk_seconds: int
    known: frozenset[int]
    checks: Sequence[str] = ()
    more_checks: Sequence[str] = ()


def config_panel(configured: Configured, texts: Texts, notice: str | None = None) -> c.Layout:
    t, settings, setup = texts.t, configured.settings, configured.setup
    if configured.own_language is None:
        languages = {None: t("of the person who posts them")}
    else:
        languages = {None: t("as Discord has it: {language}", language=texts.language_name(configured.own_language))}
    seasons = (t("a season every month"), t("a season every quarter"), t("seasons by hand"))
    kept = {days: t("kept for {time}", time=years_or_days(days, texts)) for days in RETENTION_DAYS}
    presets = preset_options(setup.gates.presets, texts)
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), "-# " + t("Changes apply immediately.")),
        _caption(t("Language"), t("of public messages")),
        _choice(
            Field.LANGUAGE,
            t("Language"),
            languages | {code: texts.language_name(code) for code in LANGUAGES},
            settings.language,
        ),
        _caption(t("Channels"), t("where tables may be opened, threads included; none: everywhere")),
        _channel_row(Field.TABLES, settings.table_channels, t("Everywhere"), configured),
        _caption(t("Absent people"), t("what happens at new tables, and after how long they are called")),
        _choice(Field.ABSENCE, t("Absent people"), {one: t(one.words) for one in Absence}, settings.absence),
        _choice(Field.AFK, t("Absent people"), _patience(configured, texts), settings.afk_seconds),
        _caption(t("Ranked"), t("the rules that count for the ladder")),
        c.menu(_id(Field.PRESETS), t("None: every match is friendly"), presets, least=0, most=len(presets)),
        _caption(t("Seasons"), t("the running one goes on to the next boundary")),
        _choice(Field.SEASONS, t("Seasons"), dict(zip(Every, seasons, strict=True)), setup.schedule.every),
        _buttons(configured, texts),
        _caption(t("Podium"), t("where it is posted at the end of a season")),
        _channel_row(Field.PODIUM, [settings.podium_channel], t("Only where a season is ended by hand"), configured),
        _caption(t("Champion's role"), t("for the best of the season")),
        _role(Field.ROLE, settings.champion_role, configured, texts),
        _caption(t("Players' role"), t("whom *Invite…* may call to a table")),
        _role(Field.PLAYERS_ROLE, settings.players_role, configured, texts),
        _caption(t("Hosts' role"), t("who plans and leads game nights, by `/kems night`")),
        _role(Field.HOSTS_ROLE, settings.hosts_role, configured, texts),
        _caption(t("Old matches"), retention_words(settings, texts)),
        _choice(Field.RETENTION, t("Old matches"), {None: t("kept for ever"), **kept}, settings.retention_days),
        c.text("**" + t("What I may do") + "**", *configured.checks, notice),
        colour=c.GREEN,
    )


def more_panel(configured: Configured, texts: Texts, notice: str | None = None) -> c.Layout:
    t, settings = texts.t, configured.settings
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), *configured.more_checks, notice),
        _caption(t("Log"), t("a line for each removal, ban, void match and corrected result: who, whom, why")),
        _channel_row(Field.LOG, [settings.log_channel], t("No log"), configured),
        _caption(t("Winner's role"), t("for the first of a game night, until the next one")),
        _role(Field.WINNER_ROLE, settings.winner_role, configured, texts),
        c.row(c.button(t("Back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK))),
        colour=c.GREEN,
    )


def zone_form(zone: str, texts: Texts) -> Form:
    """A time zone. Its custom id is `k1:0:config:zone`."""
    form = Form(texts.t("Time zone"), _id(Field.ZONE))
    return form.ask(texts.t("A city or a name, such as Europe/Paris"), written=zone, most=MAX_ZONE)


def retention_words(settings: ServerSettings, texts: Texts) -> str:
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


def retention_question(days: int, old: int, now: int, texts: Texts) -> c.Layout:
    """The question before old matches are kept for a shorter time: what is deleted, from when on, and what stays.

    `old` matches are older than `days` already; `now` in milliseconds.
    """
    t = texts.t
    costs = (
        t(
            "From <t:{at}:D> on I delete for good the moves, rounds and names of matches that ended more than {time}"
            " ago.",
            at=(now + NOTICE_MS) // 1000,
            time=years_or_days(days, texts),
        ),
        texts.n("{count} match is that old today.", "{count} matches are that old today.", old),
        t("Nobody can watch or export them any more. Results and standings stay."),
        t("Until then you can choose a longer time here."),
    )
    return confirmation(
        "🗑️ " + t("Delete old matches?"),
        [f"- {cost}" for cost in costs],
        danger(t("Delete old matches"), make_id(NO_TABLE, ServerVerb.RETENTION_NOW, str(days))),
        no=c.button(t("No, go back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK)),
    )


def years_or_days(days: int, texts: Texts) -> str:
    """A number of days in words; in years where those are whole."""
    years, rest = divmod(days, _DAYS_A_YEAR)
    return texts.n("{count} day", "{count} days", days) if rest else texts.n("{count} year", "{count} years", years)


def _id(field: Field) -> str:
    return make_id(NO_TABLE, ServerVerb.CONFIG, field)


def _caption(title: str, words: str) -> c.Part:
    return c.text(f"**{title}** — {words}")


def _choice(field: Field, placeholder: str, words: Mapping[Any, str], chosen: object) -> c.Part:
    """A menu of values, None as `NONE`; the words of each begin with a capital letter."""
    named = {NONE if value is None else value: label[:1].upper() + label[1:] for value, label in words.items()}
    return c.choice(_id(field), placeholder, named, NONE if chosen is None else chosen)


def _channel_row(field: Field, chosen: Iterable[int | None], placeholder: str, configured: Configured) -> c.Part:
    is_one = field is not Field.TABLES
    return c.channel_menu(
        _id(field),
        placeholder,
        [kind.value for kind in (PODIUM_KINDS if is_one else TABLE_KINDS)],
        most=1 if is_one else MAX_CHANNELS,
        chosen=[one for one in chosen if one is not None and one in configured.known],
    )


def _role(field: Field, chosen: int | None, configured: Configured, texts: Texts) -> c.Part:
    return c.role_menu(_id(field), texts.t("No role"), chosen=configured.known & {chosen})


def _patience(configured: Configured, texts: Texts) -> dict[int | None, str]:
    t = texts.t

    def words(seconds: int) -> str:
        return t("called after {seconds} s", seconds=seconds) if seconds else t("never called")

    own = t("as the bot is set: {patience}", patience=words(configured.afk_seconds))
    return {None: own, **{seconds: words(seconds) for seconds in AFK_SECONDS}}


def _buttons(configured: Configured, texts: Texts) -> c.Part:
    t, setup = texts.t, configured.setup
    is_required = setup.gates.sign_required
    sign = t("Sign required: yes") if is_required else t("Sign required: no")
    zone = t("Time zone: {zone}…", zone=setup.schedule.zone)
    buttons = [
        c.button(sign, _id(Field.SIGN_FREE if is_required else Field.SIGN_REQUIRED)),
        c.button(clean(zone, c.MAX_LABEL), make_id(NO_TABLE, ServerVerb.CONFIG_ZONE)),
        c.button(t("More…"), make_id(NO_TABLE, ServerVerb.CONFIG_MORE)),
    ]
    if not configured.settings.places <= configured.known:
        buttons.append(c.button(t("Forget what is gone"), _id(Field.GONE)))
    return c.row(*buttons)


_ROLES: Final = {
    Field.ROLE: ("champion_role", role_refusal),
    Field.PLAYERS_ROLE: ("players_role", call_refusal),
    Field.HOSTS_ROLE: ("hosts_role", everybody_refusal),
    Field.WINNER_ROLE: ("winner_role", role_refusal),
}
"""Which setting each role is, and what may speak against it."""


def server_feature(
    clock: Clock,
    servers: ServerStore,
    seasons: SeasonStore,
    duties: SeasonDutyStore,
    retention: Retention,
    bans: Bans,
    defaults: ServerDefaults,
    afk_seconds: int,
    report: ReportCommand,
) -> Feature:
    """The settings of all servers; `afk_seconds` holds where a server has not chosen its own."""
    config = ConfigCommands(servers, seasons, duties, retention, clock, defaults, afk_seconds)
    return Feature(
        presses=(config,), manager_commands=(*config.commands, *BanCommands(bans).commands, *report.commands)
    )


@dataclass(eq=False, repr=False)
class ConfigCommands(CommandSet):
    """Answers `/kems-admin config` and its panel."""

    _servers: ServerStore
    _seasons: SeasonStore
    _duties: SeasonDutyStore
    _retention: Retention
    _clock: Clock
    _defaults: ServerDefaults
    _afk_seconds: int

    verbs = frozenset[str](ServerVerb)

    @command(mark("config"), mark("Set Kem's up: language, channels, seasons, data"))
    async def config(self, interaction: discord.Interaction) -> None:
        await self._show(interaction)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        check_manages_server(interaction)
        if press.verb == ServerVerb.CONFIG_ZONE:
            setup = await or_later(self._seasons.setup(guild_of(interaction)))
            await interaction.response.send_modal(zone_form(setup.schedule.zone, reader(interaction)))
        elif press.verb == ServerVerb.CONFIG_BACK:
            await self._show(interaction)
        elif press.verb == ServerVerb.CONFIG_MORE:
            await self._show(interaction, panel=more_panel)
        elif press.verb == ServerVerb.RETENTION_NOW and press.arg in _RETENTIONS:
            days, now = int(press.arg), self._clock.now()
            await self._show(interaction, self._changing(lambda settings: settings.retaining(days, now)))
        elif press.arg == Field.RETENTION and (question := await self._retention_question(interaction)):
            await show(interaction, question)
        elif press.verb == ServerVerb.CONFIG and press.arg in set(Field):
            panel = more_panel if press.arg in (Field.LOG, Field.WINNER_ROLE) else config_panel
            await self._show(interaction, self._change(interaction, Field(press.arg)), panel)
        else:
            await say_outdated(interaction)

    def _change(self, interaction: discord.Interaction, field: Field) -> SavedChange | str:
        """What a press changes, or the sentence that refuses it: the panel no longer offers that, or it cannot be."""
        texts, guild, now = reader(interaction), interaction.guild, self._clock.now()
        match field, *chosen(interaction):
            case (Field.ZONE,):
                written = typed(interaction)
                zone = find_zone(written)
                if zone is None:
                    return no_zone(written, near_zones(written), texts)
                return self._choosing("schedule", zone=zone)
            case Field.PRESETS, *names if set(names) <= PRESETS.keys():
                presets = tuple(name for name in PRESETS if name in names)
                return self._choosing("gates", presets=presets)
            case ((Field.SIGN_REQUIRED | Field.SIGN_FREE), *_):
                return self._choosing("gates", sign_required=field is Field.SIGN_REQUIRED)
            case Field.SEASONS, str(every) if every in set(Every):
                return self._choosing("schedule", every=Every(every))
            case Field.LANGUAGE, str(language) if language in (NONE, *LANGUAGES):
                return self._changing(partial(replace, language=None if language == NONE else language))
            case Field.ABSENCE, str(absence) if absence in set(Absence):
                return self._changing(partial(replace, absence=Absence(absence)))
            case Field.AFK, str(seconds) if seconds in (NONE, *map(str, AFK_SECONDS)):
                return self._changing(partial(replace, afk_seconds=_number(seconds)))
            case Field.RETENTION, str(days) if days in (NONE, *map(str, RETENTION_DAYS)):
                return self._changing(lambda settings: settings.retaining(_number(days), now))
            case Field.TABLES, *values if (channels := _channels(guild, values, TABLE_KINDS)) is not None:
                return self._changing(partial(replace, table_channels=channels))
            case ((Field.PODIUM | Field.LOG), *values) if (
                channels := _channels(guild, values, PODIUM_KINDS)
            ) is not None:
                name = "podium_channel" if field is Field.PODIUM else "log_channel"
                return self._changing(partial(replace, **{name: next(iter(channels), None)}))
            case (_, *values) if field in _ROLES and len(values) <= 1:
                refusal = _role_refusal(interaction, field, values, texts)
                name, _ = _ROLES[field]
                return refusal or self._changing(partial(replace, **{name: next(map(int, values), None)}))
            case (Field.GONE,):
                return self._changing(lambda settings: settings.within(known_places(guild, settings)))
            case _:
                return texts.t("That can no longer be chosen: this is what there is now.")

    async def _retention_question(self, interaction: discord.Interaction) -> Layout | None:
        """What is asked before a choice that deletes matches; None for every other one."""
        guild_id, now, values = guild_of(interaction), self._clock.now(), chosen(interaction)
        if len(values) != 1 or values[0] not in _RETENTIONS:
            return None
        days = int(values[0])
        settings = await or_later(self._servers.read(guild_id))
        if not settings.would_delete_more(days):
            return None
        old = await or_later(self._retention.count_old(guild_id, days, now))
        return retention_question(days, old, now, reader(interaction))

    def _changing(self, change: ServerChange) -> SavedChange:
        return lambda guild_id: self._servers.change(guild_id, change)

    def _choosing(self, part: str, **chosen: object) -> SavedChange:
        def change(setup: Setup) -> Setup:
            return replace(setup, **{part: replace(getattr(setup, part), **chosen)})

        return lambda guild_id: self._seasons.choose(guild_id, change, self._clock.now())

    async def _show(
        self,
        interaction: discord.Interaction,
        change: SavedChange | str | None = None,
        panel: Callable[[Configured, Texts, str | None], Layout] = config_panel,
    ) -> None:
        """Show the panel after a change, or with the sentence that refuses it."""
        texts, guild_id = reader(interaction), guild_of(interaction)
        notice = change if isinstance(change, str) else None

        async def saved_and_read() -> tuple[ServerSettings, Setup, tuple[Trouble, ...]]:
            if change is not None and not isinstance(change, str):
                await change(guild_id)
            settings = await self._servers.read(guild_id)
            return settings, await self._seasons.setup(guild_id), await self._duties.troubles(guild_id)

        settings, setup, troubles = await or_later(saved_and_read())
        lines = [trouble_line(one, texts) for one in troubles[-MOST_TROUBLES:]]
        configured = Configured(
            settings=settings,
            setup=setup,
            own_language=own_language(interaction.guild),
            afk_seconds=self._afk_seconds,
            known=known_places(interaction.guild, settings),
            checks=[*checks(interaction, settings, texts), *lines],
            more_checks=more_checks(interaction.guild, settings, texts),
        )
        await show(interaction, panel(configured, texts, notice))


def _channels(
    guild: discord.Guild | None, values: Sequence[str], kinds: Sequence[discord.ChannelType]
) -> tuple[int, ...] | None:
    """The ids of the chosen channels; None if one is gone, or of another kind."""
    known = {} if guild is None else {str(channel.id): channel for channel in guild.channels}
    chosen = [known.get(value) for value in values]
    ids = tuple(channel.id for channel in chosen if channel is not None and channel.type in kinds)
    return ids if len(ids) == len(values) else None


def _role_refusal(interaction: discord.Interaction, field: Field, values: Sequence[str], texts: Texts) -> str | None:
    guild, member = interaction.guild, interaction.user
    if not values:
        return None
    role = None if guild is None else next((role for role in guild.roles if str(role.id) == values[0]), None)
    if role is None or not isinstance(member, discord.Member):
        return texts.t("That can no longer be chosen: this is what there is now.")
    return _ROLES[field][1](member, role, texts)


def _number(value: str) -> int | None:
    return None if value == NONE else int(value)
