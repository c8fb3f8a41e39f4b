"""The ladders of all servers, and `/kems-admin season …`, which starts, ends, names and exports their seasons."""

import asyncio
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import discord
from discord.app_commands import Choice, Range, locale_str

from bot.base.worker_process import join_batches
from bot.discord.api.components import Layout, confirmation, danger, layout, text
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id, read_number
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow, progress_line, with_progress
from bot.discord.api.responses import (
    attached,
    defer,
    follow_up,
    post_reply,
    reply,
    reply_outdated,
    reply_panel,
    reply_with_files,
)
from bot.discord.interactions.admission.allowances import COMPUTATIONS, FREE, Verb
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command, matching_choices
from bot.discord.interactions.rooms import Rooms
from bot.discord.interactions.setting import read_zone
from bot.discord.text.names import clean
from bot.discord.text.texts import LANGUAGES, Texts, mark
from bot.ladder.seasons import MAX_NAME, LadderSetup, Schedule, Season, SeasonLength, zones
from bot.records.file_batches import Progress
from bot.records.season_files import SeasonRecord, as_csv, as_json
from bot.tables.hub import ErasureDone, RightsChanged, SeasonChanged, SettingsChanged, on
from bot.tables.servers.settings import ServerSettings
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.commands import (
    MOST_SEASONS,
    LadderCommands,
    StandingsCommands,
    offer_seasons,
    schedule_words,
)
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import LadderVerb, over_line, season_name
from bot.ui.ladder.podiums import Podiums


class FileFormat(StrEnum):
    """The format of an exported season."""

    CSV = "csv"
    JSON = "json"


_LENGTHS: Final = dict(zip((mark("month"), mark("quarter"), mark("by hand")), SeasonLength, strict=True))
_SCHEDULES: Final = [Choice(name=locale_str(name), value=every.value) for name, every in _LENGTHS.items()]
_SEASON: Final = (mark("season"), mark("Which season (the running one)"))
_FORMATS: Final = [Choice(name=name.upper(), value=name.value) for name in FileFormat]
_MAX_ZONE: Final = 64


@dataclass(eq=False, repr=False)
class SeasonCommands(CommandSet):
    """`/kems-admin season …`, and the button that ends a season; further presses on it change nothing."""

    _rooms: Rooms
    _ladder: LadderReader
    _podiums: Podiums

    verbs = frozenset[Verb]({LadderVerb.SEASON_END})

    @command(
        "season_start",
        mark("Begin a season"),
        allowance=FREE,
        options={"name": (mark("name"), mark("Its name (none)"))},
    )
    async def start(self, interaction: discord.Interaction, name: Range[str, 1, MAX_NAME] | None = None) -> None:
        """Start a season by hand, and announce it."""
        written = None if name is None else _read_name(name, texts_of(interaction))
        guild_id, texts = guild_id_of(interaction), await self._rooms.defaults.public_texts(interaction)
        news = await continue_when_slow(self._ladder.news(guild_id, texts))
        started = await continue_when_slow(self._rooms.store.seasons.start(guild_id, self._rooms.clock.now(), written))
        if started is None:
            await reply(interaction, texts_of(interaction).t("A season is running: end it first."))
        else:
            line = texts.t("🏁 {season} begins now.", season=season_name(started, texts))
            await post_reply(interaction, line if news is None else f"{line}\n{news}")
            await self._warn(interaction)

    @command("season_end", mark("End the running season"), allowance=FREE)
    async def end(self, interaction: discord.Interaction) -> None:
        """Ask the presser to confirm that the running season ends.

        Raises:
            RefusedError: No season is running.
        """
        guild_id, texts = guild_id_of(interaction), texts_of(interaction)
        settings = await self._rooms.defaults.of(interaction)
        season = await continue_when_slow(self._rooms.store.seasons.running(guild_id, self._rooms.clock.now()))
        if season is None:
            raise RefusedError(texts.t("No season is running."))
        schedule = (await continue_when_slow(self._rooms.store.seasons.setup(guild_id))).schedule
        await reply_panel(interaction, season_end_panel(season, settings, schedule, texts))

    @command(
        "season_rename",
        mark("Name the running season"),
        allowance=FREE,
        options={"name": (mark("name"), mark("Its new name"))},
    )
    async def rename(self, interaction: discord.Interaction, name: Range[str, 1, MAX_NAME]) -> None:
        """Name the running season.

        Raises:
            RefusedError: The season has ended meanwhile, or the name shows nothing.
        """
        texts, guild_id = texts_of(interaction), guild_id_of(interaction)
        written = _read_name(name, texts)
        season = await continue_when_slow(self._rooms.store.seasons.running(guild_id, self._rooms.clock.now()))
        if season is None:
            await reply(interaction, texts.t("No season is running."))
        elif season.name == written:
            await reply(interaction, texts.t("It is already called {season}.", season=season_name(season, texts)))
        else:
            renamed = await continue_when_slow(
                self._rooms.store.seasons.rename(guild_id, self._rooms.clock.now(), season.number, written)
            )
            if renamed is None:
                raise RefusedError(texts.t("Season {number} is already over.", number=season.number))
            await reply(interaction, texts.t("It is called {season} now.", season=season_name(renamed, texts)))
            await self._warn(interaction)

    @command(
        "season_schedule",
        mark("Choose when a season begins"),
        allowance=FREE,
        choices={"every": _SCHEDULES},
        options={
            "every": (mark("every"), mark("How long a season lasts")),
            "zone": (mark("zone"), mark("The time zone, such as Europe/Paris")),
        },
    )
    async def schedule(
        self, interaction: discord.Interaction, every: str, zone: Range[str, 1, _MAX_ZONE] | None = None
    ) -> None:
        """Let seasons follow the calendar or be started by hand; the running season goes on to the next boundary.

        Raises:
            RefusedError: That is set already, or there is no such time zone.
        """
        texts = texts_of(interaction)
        known = None if zone is None else read_zone(zone, texts)
        guild_id = guild_id_of(interaction)
        present = (await continue_when_slow(self._rooms.store.seasons.setup(guild_id))).schedule
        chosen = Schedule(SeasonLength(every), known or present.zone)
        if chosen == present:
            raise RefusedError(texts.t("That is already set: {schedule}.", schedule=schedule_words(present, texts)))

        def choose(now: LadderSetup) -> LadderSetup:  # the zone may be another one by now
            return replace(now, schedule=replace(chosen, zone=known or now.schedule.zone))

        setup = await continue_when_slow(self._rooms.store.seasons.choose(guild_id, choose, self._rooms.clock.now()))
        await reply(interaction, texts.t("From now on: {schedule}.", schedule=schedule_words(setup.schedule, texts)))
        await self._warn(interaction)

    @command(
        "season_export",
        mark("Get a season's standings, matches and nights as files"),
        allowance=COMPUTATIONS,
        choices={"written": _FORMATS},
        options={"season": _SEASON, "written": (mark("format"), mark("CSV for spreadsheets, JSON for programs (CSV)"))},
    )
    async def export(
        self, interaction: discord.Interaction, season: Range[int, 1, MOST_SEASONS] | None = None, written: str = "csv"
    ) -> None:
        """Send the standings, matches and nights of a season as files.

        Raises:
            RefusedError: There is no such season.
        """
        texts, guild_id = texts_of(interaction), guild_id_of(interaction)
        chosen = await continue_when_slow(self._ladder.season(guild_id, season))
        if chosen is None:
            raise RefusedError(texts.t("There is no season with that number here."))
        await defer(interaction)  # a large season takes a while
        now = self._rooms.clock.now()
        progress = Progress()
        reading = self._rooms.store.season_records.read(guild_id, chosen, now, progress)
        record = await with_progress(interaction, reading, lambda: progress_line(progress, texts.t))
        nights = await self._rooms.store.night_records.between(guild_id, chosen.starts_at, chosen.ends_at or now)
        record = replace(record, nights=nights)
        limit = interaction.filesize_limit
        files = await season_files(record, FileFormat(written), texts.locale, limit)
        line = texts.t("{season}, without players who opted out of leaderboards.", season=season_name(chosen, texts))
        await reply_with_files(interaction, line, files)

    @export.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the server's seasons."""
        return await offer_seasons(self._ladder, interaction, current)

    @schedule.autocomplete("zone")
    async def offer_zones(self, _interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Suggest time zones."""
        return matching_choices(((name, name) for name in zones()), current.replace(" ", "_"))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """End the season, and post its podium in the server's podium channel, or in this one if there is none."""
        guild_id, texts, number = guild_id_of(interaction), texts_of(interaction), read_number(press.arg)
        check_manages_server(interaction)
        if number is None:
            await reply_outdated(interaction)
            return
        await defer(interaction)  # the end may take long, and a later attempt would not know this channel
        ended = await self._rooms.store.seasons.end(guild_id, self._rooms.clock.now(), number)
        if ended is None:
            record_refusal("over")
            await reply_panel(interaction, layout(text(texts.t("Season {number} is already over.", number=number))))
            return
        podium = await self._podiums.ended(guild_id, ended, interaction.channel_id or 0)
        lines = self._podiums.problems(guild_id, texts)
        await reply_panel(interaction, layout(text(over_line(podium, texts), *lines)))

    async def _warn(self, interaction: discord.Interaction) -> None:
        """Say, after the answer, why podiums and the champion's role are not as they should be."""
        if lines := self._podiums.problems(guild_id_of(interaction), texts_of(interaction)):
            await follow_up(interaction, "\n".join(lines))


def _read_name(written: str, texts: Texts) -> str:
    """Return a season's name.

    Raises:
        RefusedError: The name shows nothing.
    """
    name = clean(written, MAX_NAME)
    if not name:
        raise RefusedError(texts.t("That name is empty: use letters or digits."))
    return name


async def season_files(record: SeasonRecord, written: FileFormat, language: str, limit: int) -> list[discord.File]:
    """Return the files, zipped if together they exceed `limit` bytes; no file if the zip file does as well.

    `language`: that of the spreadsheet program that opens the CSV; it decides the delimiter.
    """
    stem = f"kems-season-{record.season.number}"
    if written is FileFormat.JSON:
        files = {f"{stem}.json": await join_batches(as_json(record))}
    else:
        tables = as_csv(record, LANGUAGES[language].delimiter)
        files = {f"{stem}-{name}.csv": await join_batches(table) for name, table in tables.items()}
    return await asyncio.to_thread(attached, files, stem, limit)


def season_end_panel(season: Season, settings: ServerSettings, schedule: Schedule, texts: Texts) -> Layout:
    """Return the confirmation of a season's end: what happens to its podium, its champion and running matches."""
    t = texts.t
    costs = [t("Its boards become final. This cannot be undone.")]
    if settings.podium_channel is None:
        costs.append(t("If it has matches, its podium is posted here."))
    else:
        costs.append(
            t("If it has matches, its podium is posted in {channel}.", channel=f"<#{settings.podium_channel}>")
        )
    if settings.champion_role is not None:
        costs.append(t("Its champion gets the role {role}.", role=f"<@&{settings.champion_role}>"))
    if schedule.every is SeasonLength.HAND:
        costs.append(t("Matches still being played become friendly; so are new ones until a season starts."))
    else:
        costs.append(t("The next season begins at once; matches still being played count for it."))
    return confirmation(
        "🏁 " + t("End {season}?", season=season_name(season, texts)),
        [f"- {cost}" for cost in costs],
        danger(t("End the season"), make_id(NO_TABLE, LadderVerb.SEASON_END, str(season.number))),
    )


def feature(rooms: Rooms) -> Feature:
    """Return seasons, leaderboards and statistics as a feature."""
    reader, role = LadderReader(rooms), ChampionRole(rooms.client, rooms.store.champions)
    podiums = Podiums(rooms, reader, role)
    standings = StandingsCommands(reader, rooms.illustrator)
    season = SeasonCommands(rooms, reader, podiums)
    ladder = LadderCommands(rooms, reader)
    return Feature(
        presses=(standings, season, ladder),
        commands=(*standings.commands, *season.commands, *ladder.commands),
        hears=(
            on(RightsChanged, podiums.server_changed),
            on(SettingsChanged, podiums.server_changed),
            on(SeasonChanged, podiums.season_changed),
            on(ErasureDone, lambda _: role.undo_step()),
        ),
        of_shards=(podiums,),
        jobs=(podiums,),
        problems=podiums.role_problems,
    )
