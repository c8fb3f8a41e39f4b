"""`/kems daily`, the presses of a day, and `/kems-admin daily`."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.daily.day import Try, day_of, hour_at, streak, week_of
from bot.daily.moment import MomentRun, MomentTry
from bot.daily.run import is_running
from bot.daily.scene import SceneRun
from bot.daily.store import DailyStore, MomentStore
from bot.records.archive import Archive
from bot.records.history import History
from bot.tables.clock import Clock
from bot.tables.hub import Hub, SettingsChanged
from bot.tables.server_settings import ServerStore
from bot.ui.admission.budgets import FREE, POSTS, Verb
from bot.ui.admission.patience import in_time, or_later
from bot.ui.admission.rights import check_manages_server
from bot.ui.daily import screens
from bot.ui.daily.daily_post import DailyPost
from bot.ui.daily.day_scenes import DayStage
from bot.ui.daily.live_scenes import LiveScenes
from bot.ui.daily.moments import MomentPresses, MomentStage
from bot.ui.daily.scene_panel import read_day, read_move, read_scene_id
from bot.ui.daily.verbs import DailyVerb
from bot.ui.feature import CommandSet, Feature, command
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import NOBODY, PreparedView, guild_of, made_at, reader, say, say_outdated, show
from bot.ui.kit.permissions import IN_CHANNEL, missing, permission_names
from bot.ui.kit.texts import Texts, mark
from bot.ui.live.answers import SERVER_ERROR
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.lobby.places import ServerDefaults
from bot.ui.words.refusals import DISCORD_ERROR, check_not_timed_out
from bot.ui.words.table_text import countdown

_LAST_HOUR: Final = 23


@dataclass(frozen=True, slots=True)
class Daily:
    """`scenes` are those of days, `moments` those of matches."""

    feature: Feature
    scenes: LiveScenes[Try, SceneRun]
    moments: LiveScenes[MomentTry, MomentRun]
    post: DailyPost


def wire_daily(
    client: discord.Client,
    clock: Clock,
    hub: Hub,
    panel_requests: PanelRequests,
    emojis: CustomEmojis,
    defaults: ServerDefaults,
    servers: ServerStore,
    store: DailyStore,
    moment_store: MomentStore,
    history: History,
    archive: Archive,
) -> Daily:
    reading = DayReader(store)

    async def ended(one: Try, texts: Texts, told: str | None) -> Layout:
        return screens.own_day(await reading.of(one.user_id, one.guild_id, one.day), texts, told)

    stage = DayStage(store, ended)
    scenes = LiveScenes(client, clock, store, panel_requests, emojis, stage)
    moment_stage = MomentStage(archive)
    moments = LiveScenes(client, clock, moment_store, panel_requests, emojis, moment_stage)
    post = DailyPost(client, clock, store, servers, defaults)
    hub.subscribe(SettingsChanged, post.settings_changed)
    presses = DailyPresses(reading, stage, scenes, defaults)
    feature = Feature(
        presses=(presses, MomentPresses(history, archive, moment_store, moment_stage, moments, defaults)),
        commands=(*DailyCommand(presses).commands, *DailyPostCommand(servers, clock).commands),
    )
    return Daily(feature, scenes, moments, post)


@dataclass(frozen=True, slots=True)
class DayReader:
    store: DailyStore

    async def of(self, user_id: int, guild_id: int, day: date) -> screens.Day:
        """A person's day. Raises StoreError."""
        tries, played = await self.store.tries(user_id, day), await self.store.days(user_id)
        scores = await self.store.scores(guild_id, day, day)
        return screens.Day(day, tries, streak(played, day), scores)


@dataclass(eq=False)
class DailyPresses:
    _reading: DayReader
    _stage: DayStage
    _scenes: LiveScenes[Try, SceneRun]
    _defaults: ServerDefaults

    verbs = frozenset[Verb](DailyVerb)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts = reader(interaction)
        scene, _, move = press.arg.partition(":")
        number = read_scene_id(scene)
        match press.verb:
            case DailyVerb.MINE if not press.arg:
                await self.show_mine(interaction)
            case DailyVerb.START if number is not None:
                is_today = number[0] == day_of(made_at(interaction))
                if not is_today or not await self._stage.begin(self._scenes, interaction, number[1], texts):
                    await self.show_mine(interaction)
            case DailyVerb.MOVE if number is not None and (asked := read_move(move)) is not None:
                if not await self._scenes.press(interaction, _asked(interaction, *number), asked, texts):
                    await self.show_mine(interaction)
            case DailyVerb.SHARE if (day := read_day(press.arg)) is not None:
                await self._share(interaction, day)
            case DailyVerb.BOARD if press.arg in (screens.DAY, screens.WEEK):
                await show(interaction, await self._board(interaction, press.arg))
            case _:
                await say_outdated(interaction)

    async def show_mine(self, interaction: discord.Interaction) -> None:
        """Show the presser's day, or the scene that they are playing."""
        texts, user, at = reader(interaction), interaction.user, made_at(interaction)
        day = await or_later(self._reading.of(user.id, guild_of(interaction), day_of(at)))
        running = next((one for one in day.tries if is_running(one, at)), None)
        if running is None:
            await show(interaction, screens.own_day(day, texts))
        else:
            await self._scenes.resume(interaction, running, texts)

    async def _share(self, interaction: discord.Interaction, shared: date) -> None:
        """Post the result of a day in the channel, once. Raises discord.HTTPException: Discord refuses it."""
        user, guild_id = interaction.user, guild_of(interaction)
        day = await or_later(self._reading.of(user.id, guild_id, shared))
        board = await self._board(interaction, screens.DAY)
        posted = screens.shared(day, user.display_name, await self._defaults.public_texts(interaction))
        if not day.is_done or not await in_time(self._reading.store.mark(user.id, day.day, is_posted=True)):
            await self.show_mine(interaction)
            return
        try:
            await show(interaction, board)
            await interaction.followup.send(view=PreparedView(posted), allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if error.status < SERVER_ERROR:  # else it may stand there
                await self._reading.store.mark(user.id, day.day, is_posted=False)
            if interaction.response.is_done():
                day = await self._reading.of(user.id, guild_id, shared)
                told = reader(interaction).t(DISCORD_ERROR)
                await show(interaction, screens.own_day(day, reader(interaction), told))
            raise

    async def _board(self, interaction: discord.Interaction, span: str) -> Layout:
        last = day_of(made_at(interaction))
        first = week_of(last) if span == screens.WEEK else last
        scores = await or_later(self._reading.store.scores(guild_of(interaction), first, last))
        return screens.board(span, scores, interaction.user.id, reader(interaction))


def _asked(interaction: discord.Interaction, day: date, number: int) -> Try:
    """The try that a button names, as it stands before anything is known of it."""
    at = made_at(interaction)
    return Try(interaction.user.id, day, number, guild_of(interaction), at, at, 0)


@dataclass(eq=False, repr=False)
class DailyCommand(CommandSet):
    _presses: DailyPresses

    @command("daily", mark("Play the deal of the day: three short scenes, one try each"), draws=FREE)
    async def daily(self, interaction: discord.Interaction) -> None:
        await self._presses.show_mine(interaction)


@dataclass(eq=False, repr=False)
class DailyPostCommand(CommandSet):
    _servers: ServerStore
    _clock: Clock

    @command(
        "daily_post",
        mark("Post the deal of the day here, at an hour that you choose; off by default"),
        draws=POSTS,
        options={"hour": (mark("hour"), mark("0 to 23, in Paris; without an hour nothing is posted any more"))},
    )
    async def daily(
        self, interaction: discord.Interaction, hour: app_commands.Range[int, 0, _LAST_HOUR] | None = None
    ) -> None:
        check_manages_server(interaction)
        texts, now = reader(interaction), self._clock.now()
        if hour is None:
            off = self._servers.change(guild_of(interaction), lambda one: replace(one, daily_channel=None))
            await or_later(off)
            await say(interaction, texts.t("The deal of the day is not posted here any more."))
            return
        check_not_timed_out(interaction.guild, texts)
        if lacks := missing(interaction.app_permissions, IN_CHANNEL):
            line = texts.t("I lack these permissions in this channel: {names}.", names=permission_names(lacks, texts))
            await say(interaction, line)
            return
        today = day_of(now)
        at = hour_at(today, hour)
        posted = today if at <= now else today - timedelta(1)
        channel, last = interaction.channel_id, posted.toordinal()
        chosen = partial(replace, daily_channel=channel, daily_hour=hour, daily_posted=last)
        await or_later(self._servers.change(guild_of(interaction), chosen))
        first = at if at > now else hour_at(today + timedelta(1), hour)
        line = texts.t("The deal of the day is posted here every day, quietly; next {when}.", when=countdown(first))
        await say(interaction, line)
