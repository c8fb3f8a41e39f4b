"""`/kems history | match | stats | leaderboard` and `/kems ladder about`: what was played, and who stands where.

All answers are the reader's alone.
"""

from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.ladder.boards import Board
from bot.ladder.formula import Formula
from bot.ladder.seasons import Season
from bot.records.history import Nth
from bot.tables.books import Books
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.answers import answered, reader, say
from bot.ui.kit.names import called
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.about import VOIDS_TOLD, about_panel
from bot.ui.ladder.leaderboard import season_name
from bot.ui.ladder.season_options import ALL_SEASONS, MOST_SEASONS, offer_seasons
from bot.ui.messages.illustrations import Illustrated, Illustrator
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.visibility import may_look, visible

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


class HistoryCommands(app_commands.Group):
    """A source of commands for the group `/kems`: it is never registered itself."""

    def __init__(self, chronicles: HistoryReader, books: Books, illustrator: Illustrator) -> None:
        super().__init__(name="chronicle", description="-")
        self._chronicles = chronicles
        self._illustrator = illustrator
        self._books = books

    def add_to(self, group: app_commands.Group) -> None:
        """Put them under another group."""
        for command in self.commands:
            group.add_command(command)

    @app_commands.command(name=locale_str(mark("history")), description=locale_str(mark("See what was played here")))
    @app_commands.rename(member=locale_str(mark("member")), page=locale_str(mark("page")))
    @app_commands.describe(
        member=locale_str(mark("Whose matches (everybody's)")), page=locale_str(mark("Which page (the newest)"))
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
            look, texts = partial(visible, interaction), reader(interaction)
            panel = await or_later(self._chronicles.history(interaction.guild_id, user_id, Nth(page), texts, look))
            await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)

    @app_commands.command(name=locale_str(mark("match")), description=locale_str(mark("See how a match went")))
    @app_commands.rename(number=locale_str(mark("table")))
    @app_commands.describe(number=locale_str(mark("Its number, as in the history")))
    async def match(self, interaction: discord.Interaction, number: app_commands.Range[int, 1, _MOST_TABLES]) -> None:
        """Tell a finished match round by round."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            texts = reader(interaction)
            is_open, page = await or_later(self._told(interaction, number, texts))
            if page is not None:
                await self._illustrator.answer(interaction, page)
            elif is_open:
                await say(interaction, texts.t("There is no finished match of that number here: see `/kems history`."))
            else:
                await say(interaction, texts.t("That match was played in a channel that you cannot see."))

    @app_commands.command(name=locale_str(mark("stats")), description=locale_str(mark("See what somebody achieved")))
    @app_commands.rename(member=locale_str(mark("member")), season=locale_str(mark("season")))
    @app_commands.describe(
        member=locale_str(mark("Who (you)")), season=locale_str(mark("Of which season (all together)"))
    )
    async def stats(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        season: app_commands.Range[int, ALL_SEASONS, MOST_SEASONS] = ALL_SEASONS,
    ) -> None:
        """Add up what somebody did."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            guild_id, texts, who = interaction.guild_id, reader(interaction), member or interaction.user

            async def read() -> tuple[Season | None, Illustrated | None]:
                chosen = None if season == ALL_SEASONS else await self._chronicles.season(guild_id, season)
                if season != ALL_SEASONS and chosen is None:
                    return None, None
                return chosen, await self._chronicles.stats(guild_id, who.id, chosen, texts)

            chosen, page = await or_later(read())
            name = called(who.display_name)
            if page is not None:
                await self._illustrator.answer(interaction, page)
            elif chosen is not None:
                when = season_name(chosen, texts)
                line = texts.t("{name} has played no match to its end in {season}.", name=name, season=when)
                await say(interaction, line)
            elif season == ALL_SEASONS:
                await say(interaction, texts.t("{name} has not played a match to its end yet.", name=name))
            else:
                await say(interaction, texts.t("There is no season of that number here."))

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
        season: app_commands.Range[int, 1, MOST_SEASONS] | None = None,
    ) -> None:
        """Show a board of a season."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            guild_id, texts, reader_id = interaction.guild_id, reader(interaction), interaction.user.id

            async def read() -> Illustrated | None:
                chosen = await self._chronicles.season(guild_id, season)
                if chosen is None:
                    return None
                return await self._chronicles.board(guild_id, chosen, Board(board), reader_id, texts)

            page = await or_later(read())
            if page is not None:
                await self._illustrator.answer(interaction, page)
            elif season is not None:
                await say(interaction, texts.t("There is no season of that number here."))
            else:
                line = texts.t("There has been no season here yet: the people who manage the server start one.")
                await say(interaction, line)

    @leaderboard.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """The seasons whose names hold what was typed."""
        return await offer_seasons(self._books, interaction, current)

    @stats.autocomplete("season")
    async def offer_seasons_and_all(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Those, and all of them together."""
        return await offer_seasons(self._books, interaction, current, all_too=True)

    async def _told(
        self, interaction: discord.Interaction, number: int, texts: Texts
    ) -> tuple[bool, Illustrated | None]:
        """A finished match, for those who may look at it; and whether the reader is one of them, if there is one."""
        assert interaction.guild_id is not None, "the command is for servers alone"
        places = await self._books.archive.finished(interaction.guild_id, None, number)
        if places and not await may_look(interaction, places[0]):
            return False, None
        return True, await self._chronicles.match(interaction.guild_id, number, texts)


class LadderCommands(app_commands.Group):
    """`/kems ladder …`: how the ladder works."""

    def __init__(self, books: Books, formula: Formula) -> None:
        super().__init__(name=locale_str(mark("ladder")), description=locale_str(mark("How the ladder works")))
        self._books = books
        self._formula = formula

    @app_commands.command(name=locale_str(mark("about")), description=locale_str(mark("Read how the ladder works")))
    async def about(self, interaction: discord.Interaction) -> None:
        """Publish the formula, what makes a match ranked, and the void matches."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            guild_id, now = interaction.guild_id, self._books.clock.now()
            setup = await or_later(self._books.seasons.setup(guild_id))
            season = await or_later(self._books.seasons.running(guild_id, now))
            voids = await or_later(self._books.chronicle.voids(guild_id, VOIDS_TOLD))
            panel = about_panel(setup, season, voids, reader(interaction), self._formula)
            await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)
