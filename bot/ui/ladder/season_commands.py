"""`/kems-admin season …` and `/kems-admin ladder …`: seasons and void matches."""

import asyncio
from dataclasses import replace
from enum import StrEnum
from typing import Final

import discord
from discord.app_commands import Choice, Range, locale_str

from bot.ladder.season_duties import DutyReport, Progress
from bot.ladder.seasons import MAX_NAME, Every, Schedule
from bot.ladder.zones import find_zone, near_zones, zones
from bot.records.season_files import as_csv, as_json
from bot.records.season_record import SeasonRecord, SeasonRecords
from bot.records.seasons import Recount, SeasonStore, VoidCode
from bot.tables.clock import Clock
from bot.tables.jobs.season_ends import SeasonEnds
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import MAX_CHOICES, Subgroup, command
from bot.ui.kit.attachments import attached
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.names import clean
from bot.ui.kit.texts import mark
from bot.ui.ladder.about import no_zone, schedule_words
from bot.ui.ladder.commands import MOST_SEASONS, offer_seasons
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import over_line, podium_link, season_name
from bot.ui.ladder.podium_post import podium_message, told_of
from bot.ui.ladder.season_troubles import trouble_lines
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.illustrations import Illustrator


class FileFormat(StrEnum):
    CSV = "csv"
    JSON = "json"


_EVERY: Final = {mark("month"): Every.MONTH, mark("quarter"): Every.QUARTER, mark("by hand"): Every.HAND}
_SCHEDULES: Final = [Choice(name=locale_str(name), value=every.value) for name, every in _EVERY.items()]
_SEASON: Final = (mark("season"), mark("Of which season (the present one)"))
_FORMATS: Final = [Choice(name=name.upper(), value=name.value) for name in FileFormat]
_VOID_WORDS: Final = {
    VoidCode.VOIDED: mark("Match {number} is void: standings and ratings are as if it had never been played."),
    VoidCode.NO_MATCH: mark("There is no finished match of that number here: see `/kems history`."),
    VoidCode.ALREADY_VOID: mark("Match {number} is void already."),
}
_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MAX_REASON: Final = 200
_MAX_ZONE: Final = 64


class SeasonCommands(Subgroup):
    """`/kems-admin season …`."""

    def __init__(
        self,
        clock: Clock,
        ladder: LadderReader,
        seasons: SeasonStore,
        records: SeasonRecords,
        defaults: ServerDefaults,
        ends: SeasonEnds,
        illustrator: Illustrator,
    ) -> None:
        super().__init__(mark("season"), mark("Seasons of this server's ladder"))
        self._clock = clock
        self._ladder = ladder
        self._seasons = seasons
        self._records = records
        self._defaults = defaults
        self._ends = ends
        self._illustrator = illustrator

    @command(
        mark("start"), mark("Begin a season"), options={"name": (mark("name"), mark("Its name, if it is to have one"))}
    )
    async def start(self, interaction: discord.Interaction, name: Range[str, 1, MAX_NAME] | None = None) -> None:
        guild_id, texts = guild_of(interaction), await self._defaults.public_texts(interaction)
        news = await or_later(self._ladder.news(guild_id, texts))
        started = await or_later(self._seasons.start(guild_id, self._clock.now(), _name(name)))
        if started is None:
            await say(interaction, reader(interaction).t("A season is running: end it first."))
        else:
            line = texts.t("🏁 {season} begins now.", season=season_name(started, texts))
            await interaction.response.send_message(line if news is None else f"{line}\n{news}")
            await self._warn(interaction)

    @command(mark("end"), mark("End the running season"))
    async def end(self, interaction: discord.Interaction) -> None:
        """End the season, and post its podium in the channel for podiums, or here where the server has none."""
        guild_id, texts = guild_of(interaction), reader(interaction)
        settings = await self._defaults.of(interaction)
        ended = await or_later(self._seasons.end(guild_id, self._clock.now()), late=lambda _: self._ends.look_again())
        if ended is None:
            await say(interaction, texts.t("No season is running."))
            return
        await interaction.response.defer(ephemeral=settings.podium_channel is not None, thinking=True)
        told = await self._ends.ended(guild_id, ended.number)
        if told.progress is Progress.NOTHING:
            public = await self._defaults.public_texts(interaction)
            tops = await self._ladder.tops(guild_id, ended)
            podium = podium_message(ended, tops, public)
            may_attach = interaction.app_permissions.attach_files
            view, files = await self._illustrator.ready(podium, may_attach=may_attach)
            answer = await interaction.edit_original_response(view=view, attachments=files)
            if settings.podium_channel is None:
                told = DutyReport(Progress.DONE, None, answer.channel.id, answer.id, told_of(tops))
                await self._ends.posted(guild_id, ended.number, told)
        else:
            await say(interaction, over_line(ended, podium_link(guild_id, told), texts))
        await self._warn(interaction)

    @command(mark("rename"), mark("Name the running season"), options={"name": (mark("name"), mark("Its name (none)"))})
    async def rename(self, interaction: discord.Interaction, name: Range[str, 1, MAX_NAME] | None = None) -> None:
        texts = reader(interaction)
        renamed = await or_later(self._seasons.rename(guild_of(interaction), self._clock.now(), _name(name)))
        if renamed is None:
            await say(interaction, texts.t("No season is running."))
        else:
            await say(interaction, texts.t("It is called {season} now.", season=season_name(renamed, texts)))
            await self._warn(interaction)

    @command(
        mark("schedule"),
        mark("Choose when a season begins"),
        choices={"every": _SCHEDULES},
        options={
            "every": (mark("every"), mark("How long a season lasts")),
            "zone": (mark("zone"), mark("Whose midnight counts, such as Europe/Paris")),
        },
    )
    async def schedule(
        self, interaction: discord.Interaction, every: str, zone: Range[str, 1, _MAX_ZONE] | None = None
    ) -> None:
        """Choose seasons by the calendar or by hand; the running season goes on to the next boundary."""
        texts = reader(interaction)
        known = None if zone is None else find_zone(zone)
        if zone is not None and known is None:
            await say(interaction, no_zone(zone, near_zones(zone), texts))
            return
        choosing = self._seasons.choose(
            guild_of(interaction),
            lambda before: replace(before, schedule=Schedule(Every(every), known or before.schedule.zone)),
            self._clock.now(),
        )
        setup = await or_later(choosing)
        await say(interaction, texts.t("From now on: {schedule}.", schedule=schedule_words(setup.schedule, texts)))
        await self._warn(interaction)

    @command(
        mark("export"),
        mark("Get a season's standings and matches as files"),
        choices={"written": _FORMATS},
        options={
            "season": _SEASON,
            "written": (mark("format"), mark("CSV for spreadsheets, JSON for programs (CSV)")),
        },
    )
    async def export(
        self,
        interaction: discord.Interaction,
        season: Range[int, 1, MOST_SEASONS] | None = None,
        written: str = FileFormat.CSV.value,
    ) -> None:
        """Give boards, sums and matches as files, without the people who are on no board."""
        texts, guild_id = reader(interaction), guild_of(interaction)
        chosen = await or_later(self._ladder.season(guild_id, season))
        if chosen is None:
            await say(interaction, texts.t("There is no season of that number here."))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)  # a large season takes a while
        record = await self._records.read(guild_id, chosen, self._clock.now())
        limit = interaction.filesize_limit
        files = await asyncio.to_thread(season_files, record, FileFormat(written), texts.locale, limit)
        if not files:
            line = texts.t("The files are too large for Discord: ask the person who runs the bot for them.")
        else:
            line = texts.t("{season}, without those who are on no leaderboard.", season=season_name(chosen, texts))
        await interaction.edit_original_response(content=line, attachments=files)

    @export.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return await offer_seasons(self._ladder, interaction, current)

    @schedule.autocomplete("zone")
    async def offer_zones(self, _interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        wanted = current.casefold().replace(" ", "_")
        return [Choice(name=name, value=name) for name in zones() if wanted in name.casefold()][:MAX_CHOICES]

    async def _warn(self, interaction: discord.Interaction) -> None:
        """Say, after the answer, which duties of ended seasons failed."""
        lines = trouble_lines(await self._ends.troubles(guild_of(interaction)), reader(interaction))
        if lines:
            await interaction.followup.send("\n".join(lines), ephemeral=True)


class VoidCommands(Subgroup):
    """`/kems-admin ladder …`."""

    def __init__(self, clock: Clock, recount: Recount) -> None:
        super().__init__(mark("ladder"), mark("The ladder of this server"))
        self._clock = clock
        self._recount = recount

    @command(
        mark("void"),
        mark("Declare a match void"),
        options={
            "number": (mark("table"), mark("Its number, as in the history")),
            "reason": (mark("reason"), mark("Why; everybody can read it in /kems ladder about")),
        },
    )
    async def void(
        self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES], reason: Range[str, 1, _MAX_REASON]
    ) -> None:
        """Count everything again as if the match had never been played."""
        await interaction.response.defer(ephemeral=True, thinking=True)  # a large server takes a while
        guild_id, by_id, reason = guild_of(interaction), interaction.user.id, clean(reason, _MAX_REASON)
        code = await self._recount.void(guild_id, number, by_id=by_id, reason=reason, at=self._clock.now())
        await say(interaction, reader(interaction).t(_VOID_WORDS[code], number=number))


def _name(written: str | None) -> str | None:
    return None if written is None else clean(written, MAX_NAME) or None


def season_files(record: SeasonRecord, written: FileFormat, language: str, limit: int) -> list[discord.File]:
    """The files, packed into one where they exceed `limit` bytes; no file where that is too large as well."""
    stem = f"kems-season-{record.season.number}"
    if written is FileFormat.JSON:
        files = {f"{stem}.json": as_json(record)}
    else:
        tables = as_csv(record, LANGUAGES[language].delimiter)
        files = {f"{stem}-{name}.csv": data for name, data in tables.items()}
    return attached(files, stem, limit)
