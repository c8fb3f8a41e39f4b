"""Servers: their settings by `/kems-admin config`, their last thirty days on a page by `/kems-admin report`.

The settings are one ephemeral message. Each choice is saved before it is answered, and takes effect at once. A choice
that deletes matches asks for confirmation. Each press checks again whether its presser may manage the server.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import time
from typing import Final

import discord
from babel.dates import format_time

from bot.base.times import DAY_MS
from bot.discord.api import components as c
from bot.discord.api.components import confirmation, danger
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import open_modal, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import FREE, PICTURES, Verb
from bot.discord.interactions.admission.press_notes import record_panel
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.interactions.setting import CHANGED, FORM, Setting, TextSetting, controls, custom_ids_for, find_setting
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.server_defaults import community_language
from bot.discord.text.picture_words import day, days, rows_words
from bot.discord.text.texts import Texts, mark
from bot.ladder.seasons import LadderSetup
from bot.records.pictures import BoardPicture, BoardRow, Curve
from bot.records.report import DAYS, Report, report_of
from bot.tables.erasure import MOST_COUNTED
from bot.tables.hub import ModerationDone, PersonBanned, on
from bot.tables.servers.settings import NOTICE_MS, ServerSettings
from bot.ui.lobby.players_role import entry_roles
from bot.ui.server.config_checks import known_places, known_roles
from bot.ui.server.moderation import BanCommands, LogChannel
from bot.ui.server.settings import (
    FIRST_PAGE,
    RETENTION,
    RETENTION_DAYS,
    SECOND_PAGE,
    SETTINGS,
    ConfigState,
    check_lines,
    years_or_days,
)

MOST_TROUBLES: Final = 2  # for more there is no room in the message


class ServerVerb(Verb):
    """The verbs of the buttons of a server's settings; all have table 0. A comment names the argument."""

    CONFIG = "config", FREE  # a setting, and what its button asks for
    CONFIG_MORE = "config_more", FREE  # to the second page
    CONFIG_BACK = "config_back", FREE  # from a question or the second page to the settings
    CONFIG_FORGET = "config_forget", FREE  # channels and roles that are gone
    RETENTION_NOW = "retention_now", FREE  # days: the answer to the question


SETTING_IDS: Final = custom_ids_for(NO_TABLE, ServerVerb.CONFIG)


def config_panel(state: ConfigState, texts: Texts, notice: str | None = None) -> c.Layout:
    """Return the first page of a server's settings, with the bot's permissions there.

    `notice`: why the last press changed nothing.
    """
    t = texts.t
    more = [c.button(t("More…"), make_id(NO_TABLE, ServerVerb.CONFIG_MORE))]
    if state.is_role_gone or not state.settings.places <= state.known:
        more.append(c.button(t("Forget what is gone"), make_id(NO_TABLE, ServerVerb.CONFIG_FORGET)))
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), "-# " + t("Changes apply immediately.")),
        *controls(FIRST_PAGE, state, SETTING_IDS, texts, *more),
        c.text("**" + t("What I may do") + "**", *state.checks, notice),
        colour=c.GREEN,
    )


def more_panel(state: ConfigState, texts: Texts, notice: str | None = None) -> c.Layout:
    """Return the second page of a server's settings.

    `notice`: why the last press changed nothing.
    """
    t = texts.t
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), *state.more_checks, notice),
        *controls(SECOND_PAGE, state, SETTING_IDS, texts),
        c.row(c.button(t("Back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK))),
        colour=c.GREEN,
    )


def retention_question(days: int, old: int, now: int, texts: Texts) -> c.Layout:
    """Return the confirmation of a shorter retention of matches: what is deleted, from when on, and what stays.

    Args:
        days: The new retention.
        old: How many matches are already older; the count stops at `MOST_COUNTED`.
        now: The instant (milliseconds).
        texts: The host's texts.
    """
    t, is_counted = texts.t, old <= MOST_COUNTED
    costs = (
        t(
            "From <t:{at}:D> on I delete for good the moves, rounds and names of matches that ended more than {time}"
            " ago.",
            at=(now + NOTICE_MS) // 1000,
            time=years_or_days(days, texts),
        ),
        texts.n("{count} match is that old today.", "{count} matches are that old today.", old)
        if is_counted
        else t("More than {most} matches are that old today.", most=MOST_COUNTED),
        t("Nobody can watch or export them after that. Results and standings stay."),
        t("Until then you can choose a longer time here."),
    )
    return confirmation(
        "🗑️ " + t("Delete old matches?"),
        [f"- {cost}" for cost in costs],
        danger(t("Delete old matches"), make_id(NO_TABLE, ServerVerb.RETENTION_NOW, str(days))),
        no=c.button(t("No, go back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK)),
    )


@dataclass(eq=False, repr=False)
class ServerCommands(CommandSet):
    """`/kems-admin config` with its panel, and `/kems-admin report`.

    The settings of a server show which permissions the features lack there.
    """

    _rooms: Rooms

    verbs = frozenset[Verb](ServerVerb)

    @command("config", mark("Set Kem's up: language, channels, seasons, data"), allowance=FREE)
    async def config(self, interaction: discord.Interaction) -> None:
        """Show the first page of the settings."""
        await reply_panel(interaction, config_panel(await self._read(interaction), texts_of(interaction)))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Save the chosen value, or ask before old matches are deleted, and show the settings again."""
        check_manages_server(interaction)
        record_panel(make_id(NO_TABLE, ServerVerb.CONFIG_BACK))
        texts, state, notice = texts_of(interaction), await self._read(interaction), None
        setting, argument = find_setting(SETTINGS.values(), press.arg)
        match press.verb:
            case ServerVerb.CONFIG if isinstance(setting, TextSetting) and argument == FORM:
                await open_modal(interaction, setting.form(state, SETTING_IDS, texts))
                return
            case ServerVerb.CONFIG if setting is not None:
                try:
                    value = setting.read(interaction, state, argument)
                except RefusedError as refusal:
                    notice = str(refusal)
                else:
                    if setting is RETENTION and value is not None and state.settings.would_delete_more(value):
                        old = await continue_when_slow(
                            self._rooms.store.retention.count_old(guild_id_of(interaction), value, state.now)
                        )
                        await reply_panel(interaction, retention_question(value, old, state.now, texts))
                        return
                    notice = await self._save(interaction, state, setting, value)
            case ServerVerb.CONFIG_FORGET:
                await self._change(interaction, lambda now: now.within(known_places(interaction.guild, now)))
                if state.is_role_gone:
                    await self._save(interaction, state, SETTINGS["role_id"], None)
            case ServerVerb.RETENTION_NOW if press.arg in set(map(str, RETENTION_DAYS)):
                notice = await self._save(interaction, state, RETENTION, int(press.arg))
            case ServerVerb.CONFIG_BACK | ServerVerb.CONFIG_MORE:
                pass
            case _:
                await reply_outdated(interaction)
                return
        is_second = setting in SECOND_PAGE or press.verb == ServerVerb.CONFIG_MORE
        panel = more_panel if is_second else config_panel
        await reply_panel(interaction, panel(await self._read(interaction), texts, notice))

    async def _save(
        self, interaction: discord.Interaction, state: ConfigState, setting: Setting[ConfigState], value: object
    ) -> str | None:
        """Change one of the settings as they are saved by then. Return why not if its value has changed meanwhile."""

        def changed(now: ConfigState) -> ConfigState:
            return setting.with_value(now, value) if setting.value(now) == setting.value(state) else now

        if setting.path.startswith("settings."):
            settings = await self._change(interaction, lambda now: changed(replace(state, settings=now)).settings)
            saved = replace(state, settings=settings)
        else:
            choose = self._rooms.store.seasons.choose(
                guild_id_of(interaction), lambda now: changed(replace(state, setup=now)).setup, state.now
            )
            saved = replace(state, setup=await continue_when_slow(choose))
        if setting.value(saved) == value:
            return None
        t = texts_of(interaction).t
        why = t(CHANGED)
        return t("{pressed}: not done. {why}", pressed=t(setting.title), why=why) if setting.title else why

    async def _change(
        self, interaction: discord.Interaction, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        return await continue_when_slow(self._rooms.store.servers.change(guild_id_of(interaction), change))

    async def _read(self, interaction: discord.Interaction) -> ConfigState:
        texts, guild_id = texts_of(interaction), guild_id_of(interaction)

        async def read() -> tuple[ServerSettings, LadderSetup]:
            return await self._rooms.store.servers.read(guild_id), await self._rooms.store.seasons.setup(guild_id)

        settings, setup = await continue_when_slow(read())
        problems = [line for feature in self._rooms.features for line in feature.problems(guild_id, texts)][
            -MOST_TROUBLES:
        ]
        state = ConfigState(
            settings=settings,
            setup=setup,
            own_language=community_language(interaction.guild),
            afk_seconds=self._rooms.settings.afk_seconds,
            known=known_places(interaction.guild, settings) | known_roles(interaction.guild, setup.ranked_rules.entry),
            entry_role_ids=entry_roles(self._rooms.nights, guild_id, setup),
            now=self._rooms.clock.now(),
        )
        return replace(
            state,
            checks=[*check_lines(FIRST_PAGE, interaction, state, texts), *problems],
            more_checks=check_lines(SECOND_PAGE, interaction, state, texts),
        )

    @command("report", mark("See what happened here in 30 days"), allowance=PICTURES)
    async def report(self, interaction: discord.Interaction) -> None:
        """Show what happened on this server in the last thirty days."""
        guild_id, until = guild_id_of(interaction), self._rooms.clock.now()
        since = until - DAYS * DAY_MS

        async def read() -> tuple[Report, str]:
            zone = (await self._rooms.store.seasons.setup(guild_id)).schedule.zone
            activity = await self._rooms.store.history.activity(guild_id, since)
            nights = await self._rooms.store.night_records.between(guild_id, since, until)
            return report_of(activity, nights, until, zone), zone

        page = report_page(*await continue_when_slow(read()), texts_of(interaction))
        await self._rooms.illustrator.answer(interaction, page)


def report_page(report: Report, zone: str, texts: Texts) -> Illustrated:
    """Return the report as a picture and as text. `zone`: the server's time zone."""
    t, n = texts.t, texts.n
    rows = [
        BoardRow(0, t("Players"), str(report.players), sign="👥"),
        BoardRow(0, t("Newcomers"), str(report.new), t("their first match here"), sign="✨"),
        BoardRow(0, t("Came back"), str(report.back), t("after {days} days or more", days=DAYS), sign="👋"),
        BoardRow(0, t("Matches"), str(report.matches), sign="🃏"),
        BoardRow(0, t("Nights"), str(report.nights), sign="🌙"),
    ]
    if report.nights:
        came = texts.decimal(report.attendance, 1)
        rows.append(BoardRow(0, t("Average attendance"), came, t("people a night"), sign="🪑"))
        rows.append(BoardRow(0, t("No-shows"), str(report.missing), t("signed up, and never came"), sign="🚪"))
    if report.hour is not None:
        began = n("{count} match began in that hour", "{count} matches began in that hour", report.matches_then)
        hour = format_time(time(report.hour), "short", locale=texts.locale)
        rows.append(BoardRow(0, t("Best hour"), hour, began, sign="🕘"))
    span, daily = days(report.since, report.until, zone, texts), t("matches a day")
    first, last = (day(at, zone, texts) for at in (report.since, report.until))
    curve = Curve(report.daily, first, last) if report.matches else None
    picture = BoardPicture(t("30 days on this server"), f"{span} · {daily}", tuple(rows), curve=curve)
    lines = (
        f"{row.sign} " + t("{name}: {value}", name=row.name, value=f"**{row.value}**")
        + (f" · {row.note}" if row.note else "")
        for row in rows
    )  # fmt: skip
    heading = (f"## 📊 {picture.title}", f"-# {span} · {zone}")
    files = t("{/season_export} gives the matches and nights of a season as CSV.")
    layout = c.layout(c.text(*heading), c.text(*lines), c.text("-# " + files), colour=c.GREEN)
    return Illustrated(layout, picture, rows_words(picture), replaces=1)


def feature(rooms: Rooms) -> Feature:
    """Return the settings of servers as a feature."""
    log_channel = LogChannel(rooms.live.context, rooms.defaults)
    commands = ServerCommands(rooms)
    return Feature(
        presses=(commands,),
        commands=(*commands.commands, *BanCommands(rooms.directory.bans).commands),
        hears=(on(ModerationDone, log_channel.moderated), on(PersonBanned, log_channel.banned)),
        stops=(log_channel.stop,),
    )
