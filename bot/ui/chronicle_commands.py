"""`/kems history | match | stats | leaderboard` and `/kems ladder about`: what was played, and who stands where.

All answers are the reader's alone.
"""

from typing import Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.ladder.boards import Board
from bot.live.books import Books
from bot.live.chronicle import Nth
from bot.live.ports import StoreError
from bot.ui.answers import answered, reader, say
from bot.ui.chronicles import Chronicles
from bot.ui.ladder_view import VOIDS_TOLD, about_panel
from bot.ui.leaderboard_view import season_name
from bot.ui.names import defuse
from bot.ui.rules_options import MAX_CHOICE, MAX_CHOICES
from bot.ui.texts import mark
from bot.ui.visibility import may_view

_BOARDS: Final = {
    mark("rating"): Board.RATING,
    mark("wins"): Board.WINS,
    mark("Kem's"): Board.KEMS,
    mark("counters"): Board.COUNTERS,
    mark("duos"): Board.DUOS,
    mark("bluffs"): Board.BLUFFERS,
}
_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MOST_PAGES: Final = 1000
_MOST_SEASONS: Final = 10_000

_log = structlog.get_logger(__name__)


class ChronicleCommands(app_commands.Group):
    """A source of commands for the group `/kems`: it is never registered itself."""

    def __init__(self, chronicles: Chronicles, books: Books) -> None:
        super().__init__(name="chronicle", description="-")
        self._chronicles = chronicles
        self._books = books

    def add_to(self, group: app_commands.Group) -> None:
        """Put them under another group."""
        for command in self.commands:
            group.add_command(command)

    @app_commands.command(name=locale_str(mark("history")), description=locale_str(mark("See what was played here")))
    @app_commands.rename(member=locale_str(mark("member")), page=locale_str(mark("page")))
    @app_commands.describe(
        member=locale_str(mark("Whose matches (everybody's)")), page=locale_str(mark("Which page (the youngest)"))
    )
    async def history(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        page: app_commands.Range[int, 1, _MOST_PAGES] = 1,
    ) -> None:
        """List finished matches, youngest first."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            user_id = None if member is None else member.id
            view = await self._chronicles.history(interaction.guild_id, user_id, Nth(page), reader(interaction))
            await interaction.response.send_message(view=view, ephemeral=True)

    @app_commands.command(name=locale_str(mark("match")), description=locale_str(mark("See how a match went")))
    @app_commands.rename(number=locale_str(mark("table")))
    @app_commands.describe(number=locale_str(mark("Its number, as in the history")))
    async def match(self, interaction: discord.Interaction, number: app_commands.Range[int, 1, _MOST_TABLES]) -> None:
        """Tell a finished match round by round."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t = reader(interaction).t
            places = await self._books.archive.finished(interaction.guild_id, None, number)
            if places and not await may_view(interaction, places[0].channel_id):
                await say(interaction, t("That match was played in a channel that you cannot see."))
                return
            view = await self._chronicles.match(interaction.guild_id, number, reader(interaction))
            if view is None:
                await say(interaction, t("There is no finished match of that number here: see /kems history."))
            else:
                await interaction.response.send_message(view=view, ephemeral=True)

    @app_commands.command(name=locale_str(mark("stats")), description=locale_str(mark("See what somebody achieved")))
    @app_commands.rename(member=locale_str(mark("member")), season=locale_str(mark("season")))
    @app_commands.describe(
        member=locale_str(mark("Who (you)")), season=locale_str(mark("Of which season (all together)"))
    )
    async def stats(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        season: app_commands.Range[int, 1, _MOST_SEASONS] | None = None,
    ) -> None:
        """Add up what somebody did."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t, who = reader(interaction).t, member or interaction.user
            chosen = None if season is None else await self._chronicles.season(interaction.guild_id, season)
            if season is not None and chosen is None:
                await say(interaction, t("There is no season of that number here."))
                return
            view = await self._chronicles.stats(interaction.guild_id, who.id, chosen, reader(interaction))
            if view is None:
                await say(
                    interaction, t("{name} has not played a match to its end yet.", name=defuse(who.display_name))
                )
            else:
                await interaction.response.send_message(view=view, ephemeral=True)

    @app_commands.command(name=locale_str(mark("leaderboard")), description=locale_str(mark("See who is best")))
    @app_commands.rename(board=locale_str(mark("board")), season=locale_str(mark("season")))
    @app_commands.describe(
        board=locale_str(mark("What counts (the rating)")), season=locale_str(mark("Of which season (the present one)"))
    )
    @app_commands.choices(board=[Choice(name=locale_str(name), value=board.value) for name, board in _BOARDS.items()])
    async def leaderboard(
        self,
        interaction: discord.Interaction,
        board: str = Board.RATING.value,
        season: app_commands.Range[int, 1, _MOST_SEASONS] | None = None,
    ) -> None:
        """Show a board of a season."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t, guild_id = reader(interaction).t, interaction.guild_id
            chosen = await self._chronicles.season(guild_id, season)
            if chosen is None and season is not None:
                await say(interaction, t("There is no season of that number here."))
            elif chosen is None:
                await say(
                    interaction, t("There has been no season here yet: somebody who manages the server starts one.")
                )
            else:
                texts = reader(interaction)
                view = await self._chronicles.board(guild_id, chosen, Board(board), interaction.user.id, texts)
                await interaction.response.send_message(view=view, ephemeral=True)

    @stats.autocomplete("season")
    @leaderboard.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """The seasons whose names hold what was typed."""
        assert interaction.guild_id is not None, "the commands are for servers alone"
        try:
            listed = await self._books.seasons.listed(interaction.guild_id)
        except StoreError as error:
            _log.warning("choices.not_read", problem=str(error))
            return []
        names = [(season_name(season, reader(interaction))[:MAX_CHOICE], season.number) for season in listed]
        wanted = str(current).casefold()
        return [Choice(name=name, value=number) for name, number in names if wanted in name.casefold()][:MAX_CHOICES]


class LadderCommands(app_commands.Group):
    """`/kems ladder …`: how the ladder works."""

    def __init__(self, books: Books) -> None:
        super().__init__(name=locale_str(mark("ladder")), description=locale_str(mark("How the ladder works")))
        self._books = books

    @app_commands.command(name=locale_str(mark("about")), description=locale_str(mark("Read how the ladder works")))
    async def about(self, interaction: discord.Interaction) -> None:
        """Publish the formula, what makes a match ranked, and the void matches."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            guild_id, now = interaction.guild_id, self._books.clock.now()
            setup = await self._books.seasons.setup(guild_id)
            season = await self._books.seasons.running(guild_id, now)
            voids = await self._books.chronicle.voids(guild_id, VOIDS_TOLD)
            view = about_panel(setup, season, voids, reader(interaction))
            await interaction.response.send_message(view=view, ephemeral=True)
