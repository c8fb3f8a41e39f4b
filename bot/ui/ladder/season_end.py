"""The end of a season by hand: what it costs, asked once, and the button that does it."""

from typing import Final

import discord

from bot.ladder.season_duties import DutyReport, Progress
from bot.ladder.seasons import Every, Schedule, Season
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.jobs.season_ends import SeasonEnds
from bot.tables.server_settings import ServerSettings
from bot.ui.admission.rights import manages_server
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.confirmation import confirmation, danger
from bot.ui.kit.custom_ids import NO_TABLE, Press, make_id, read_number
from bot.ui.kit.interactions import guild_of, reader, say, say_outdated, show
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import over_line, podium_link, season_name
from bot.ui.ladder.podium_post import podium_message, told_of
from bot.ui.ladder.season_troubles import trouble_lines
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.illustrations import Illustrator
from bot.ui.words.refusals import RefusedError, not_managing_text


class SeasonEnd:
    """Asks before a season is ended by hand, and ends it once, however often the button is pressed."""

    verbs: Final = frozenset[str]({LadderVerb.SEASON_END})

    def __init__(
        self,
        clock: Clock,
        ladder: LadderReader,
        seasons: SeasonStore,
        defaults: ServerDefaults,
        ends: SeasonEnds,
        illustrator: Illustrator,
    ) -> None:
        self._clock = clock
        self._ladder = ladder
        self._seasons = seasons
        self._defaults = defaults
        self._ends = ends
        self._illustrator = illustrator

    async def ask(self, interaction: discord.Interaction) -> None:
        guild_id, texts = guild_of(interaction), reader(interaction)
        settings = await self._defaults.of(interaction)
        season = await or_later(self._seasons.running(guild_id, self._clock.now()))
        if season is None:
            await say(interaction, texts.t("No season is running."))
            return
        schedule = (await or_later(self._seasons.setup(guild_id))).schedule
        await show(interaction, season_end_panel(season, settings, schedule, texts))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """End the season, and post its podium in the channel for podiums, or here where the server has none."""
        guild_id, texts, number = guild_of(interaction), reader(interaction), read_number(press.arg)
        if not manages_server(interaction):
            raise RefusedError(not_managing_text(texts))
        if number is None:
            await say_outdated(interaction)
            return
        settings = await self._defaults.of(interaction)
        ending = self._seasons.end(guild_id, self._clock.now(), number)
        ended = await or_later(ending, late=lambda _: self._ends.look_again())
        if ended is None:
            await show(interaction, layout(text(texts.t("Season {number} is over already.", number=number))))
            return
        await interaction.response.defer()
        told = await self._ends.ended(guild_id, ended.number)
        if told.progress is Progress.NOTHING and settings.podium_channel is None:
            told = await self._post_here(interaction, ended)
        troubles = trouble_lines(await self._ends.troubles(guild_id), texts)
        panel = layout(text(over_line(ended, podium_link(guild_id, told), texts), *troubles))
        await interaction.edit_original_response(view=PreparedView(panel))

    async def _post_here(self, interaction: discord.Interaction, season: Season) -> DutyReport:
        """Post the podium where the season was ended."""
        guild_id, public = guild_of(interaction), await self._defaults.public_texts(interaction)
        tops = await self._ladder.tops(guild_id, season)
        podium = podium_message(season, tops, await self._ladder.zone(guild_id), public)
        view, files = await self._illustrator.ready(podium, may_attach=interaction.app_permissions.attach_files)
        message = await interaction.followup.send(view=view, files=files, wait=True)
        told = DutyReport(Progress.DONE, None, message.channel.id, message.id, told_of(tops))
        await self._ends.posted(guild_id, season.number, told)
        return told


def season_end_panel(season: Season, settings: ServerSettings, schedule: Schedule, texts: Texts) -> Layout:
    """What the end of a season costs, and the button that ends it."""
    t = texts.t
    costs = [t("Its boards become final. This cannot be undone.")]
    if settings.podium_channel is None:
        costs.append(t("Its podium is posted here."))
    else:
        costs.append(t("Its podium is posted in {channel}.", channel=f"<#{settings.podium_channel}>"))
    if settings.champion_role is not None:
        costs.append(t("Its champion gets the role {role}.", role=f"<@&{settings.champion_role}>"))
    if schedule.every is Every.HAND:
        costs.append(t("Matches still being played become friendly; so are new ones until a season starts."))
    else:
        costs.append(t("The next season begins at once; matches still being played count for it."))
    return confirmation(
        "🏁 " + t("End {season}?", season=season_name(season, texts)),
        [f"- {cost}" for cost in costs],
        danger(t("End the season"), make_id(NO_TABLE, LadderVerb.SEASON_END, str(season.number))),
    )
