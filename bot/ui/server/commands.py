"""`/kems-admin config`: one private message of settings, and the presses on it.

Each choice is saved before it is answered, and holds at once. A choice that deletes matches asks first.
Each press asks again whether its presser may manage the server.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.base.clock import Clock
from bot.discord.api import components as c
from bot.discord.api.components import confirmation, danger
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.api.interactions import RefusedError, guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import open_modal, reply_outdated, show
from bot.discord.interactions.admission.budgets import FREE, Verb
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.interactions.setting import CHANGED, FORM, Setting, Typed, controls, ids_for, named
from bot.discord.places.server_defaults import own_language
from bot.discord.text.texts import Texts, mark
from bot.ladder.seasons import Setup
from bot.records.seasons import SeasonStore
from bot.tables.erasure import MOST_COUNTED, Retention
from bot.tables.server_settings import NOTICE_MS, ServerSettings, ServerStore
from bot.ui.server.config_checks import known_places
from bot.ui.server.settings import (
    FIRST_PAGE,
    RETENTION,
    RETENTION_DAYS,
    SECOND_PAGE,
    SETTINGS,
    Configured,
    check_lines,
    years_or_days,
)

MOST_TROUBLES: Final = 2  # for more there is no room in the message


class ServerVerb(Verb):
    """What a press on the settings of a server asks for, on table 0; a comment names its argument."""

    CONFIG = "config", FREE  # a setting, and what its button asks for
    CONFIG_MORE = "config_more", FREE  # to the second page
    CONFIG_BACK = "config_back", FREE  # from a question or the second page to the settings
    CONFIG_FORGET = "config_forget", FREE  # channels and roles that are gone
    RETENTION_NOW = "retention_now", FREE  # days: the answer to the question


SETTING_IDS: Final = ids_for(NO_TABLE, ServerVerb.CONFIG)


def config_panel(state: Configured, texts: Texts, notice: str | None = None) -> c.Layout:
    t = texts.t
    more = [c.button(t("More…"), make_id(NO_TABLE, ServerVerb.CONFIG_MORE))]
    if not state.settings.places <= state.known:
        more.append(c.button(t("Forget what is gone"), make_id(NO_TABLE, ServerVerb.CONFIG_FORGET)))
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), "-# " + t("Changes apply immediately.")),
        *controls(FIRST_PAGE, state, SETTING_IDS, texts, *more),
        c.text("**" + t("What I may do") + "**", *state.checks, notice),
        colour=c.GREEN,
    )


def more_panel(state: Configured, texts: Texts, notice: str | None = None) -> c.Layout:
    t = texts.t
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), *state.more_checks, notice),
        *controls(SECOND_PAGE, state, SETTING_IDS, texts),
        c.row(c.button(t("Back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK))),
        colour=c.GREEN,
    )


def retention_question(days: int, old: int, now: int, texts: Texts) -> c.Layout:
    """The question before old matches are kept for a shorter time: what is deleted, from when on, and what stays.

    `old` matches are older than `days` already, more of them than `MOST_COUNTED` not counted; `now` in milliseconds.
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
        t("Nobody can watch or export them any more. Results and standings stay."),
        t("Until then you can choose a longer time here."),
    )
    return confirmation(
        "🗑️ " + t("Delete old matches?"),
        [f"- {cost}" for cost in costs],
        danger(t("Delete old matches"), make_id(NO_TABLE, ServerVerb.RETENTION_NOW, str(days))),
        no=c.button(t("No, go back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK)),
    )


@dataclass(eq=False, repr=False)
class ConfigCommands(CommandSet):
    """Answers `/kems-admin config` and its panel."""

    _servers: ServerStore
    _seasons: SeasonStore
    _troubles: Sequence[Callable[[int, Texts], Sequence[str]]]
    _retention: Retention
    _clock: Clock
    _afk_seconds: int

    verbs = frozenset[Verb](ServerVerb)

    @command("config", mark("Set Kem's up: language, channels, seasons, data"), draws=FREE)
    async def config(self, interaction: discord.Interaction) -> None:
        await show(interaction, config_panel(await self._read(interaction), reader(interaction)))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        check_manages_server(interaction)
        texts, state, notice = reader(interaction), await self._read(interaction), None
        setting, asked = named(SETTINGS.values(), press.arg)
        match press.verb:
            case ServerVerb.CONFIG if isinstance(setting, Typed) and asked == FORM:
                await open_modal(interaction, setting.form(state, SETTING_IDS, texts))
                return
            case ServerVerb.CONFIG if setting is not None:
                try:
                    value = setting.read(interaction, state, asked)
                except RefusedError as refusal:
                    notice = str(refusal)
                else:
                    if setting is RETENTION and value is not None and state.settings.would_delete_more(value):
                        old = await or_later(self._retention.count_old(guild_of(interaction), value, state.now))
                        await show(interaction, retention_question(value, old, state.now, texts))
                        return
                    notice = await self._save(interaction, state, setting, value)
            case ServerVerb.CONFIG_FORGET:
                await self._change(interaction, lambda now: now.within(known_places(interaction.guild, now)))
            case ServerVerb.RETENTION_NOW if press.arg in set(map(str, RETENTION_DAYS)):
                notice = await self._save(interaction, state, RETENTION, int(press.arg))
            case ServerVerb.CONFIG_BACK | ServerVerb.CONFIG_MORE:
                pass
            case _:
                await reply_outdated(interaction)
                return
        is_second = setting in SECOND_PAGE or press.verb == ServerVerb.CONFIG_MORE
        panel = more_panel if is_second else config_panel
        await show(interaction, panel(await self._read(interaction), texts, notice))

    async def _save(
        self, interaction: discord.Interaction, state: Configured, setting: Setting[Configured], value: object
    ) -> str | None:
        """Changes what is saved now, whatever was read before; why not, if somebody has chosen another value by now."""

        def changed(now: Configured) -> Configured:
            return setting.changed(now, value) if setting.value(now) == setting.value(state) else now

        if setting.path.startswith("settings."):
            settings = await self._change(interaction, lambda now: changed(replace(state, settings=now)).settings)
            saved = replace(state, settings=settings)
        else:
            choose = self._seasons.choose(
                guild_of(interaction), lambda now: changed(replace(state, setup=now)).setup, state.now
            )
            saved = replace(state, setup=await or_later(choose))
        if setting.value(saved) == value:
            return None
        t = reader(interaction).t
        why = t(CHANGED)
        return t("{pressed}: not done. {why}", pressed=t(setting.title), why=why) if setting.title else why

    async def _change(
        self, interaction: discord.Interaction, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        return await or_later(self._servers.change(guild_of(interaction), change))

    async def _read(self, interaction: discord.Interaction) -> Configured:
        texts, guild_id = reader(interaction), guild_of(interaction)

        async def read() -> tuple[ServerSettings, Setup]:
            return await self._servers.read(guild_id), await self._seasons.setup(guild_id)

        settings, setup = await or_later(read())
        troubles = [line for lines in self._troubles for line in lines(guild_id, texts)][-MOST_TROUBLES:]
        state = Configured(
            settings=settings,
            setup=setup,
            own_language=own_language(interaction.guild),
            afk_seconds=self._afk_seconds,
            known=known_places(interaction.guild, settings),
            now=self._clock.now(),
        )
        return replace(
            state,
            checks=[*check_lines(FIRST_PAGE, interaction, state, texts), *troubles],
            more_checks=check_lines(SECOND_PAGE, interaction, state, texts),
        )
