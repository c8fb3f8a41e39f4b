"""`/kems stats | leaderboard` and `/kems ladder about`: who stands where. All answers are the reader's alone."""

from typing import Final

import discord
from discord.app_commands import Choice, Range, locale_str

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import CommandSet, Subgroup, command
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.names import called
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import mark
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import season_name
from bot.ui.ladder.season_options import ALL_SEASONS, MOST_SEASONS, offer_seasons
from bot.ui.messages.illustrations import Illustrated, Illustrator

_NAMES: Final = {
    mark("rating"): Board.RATING,
    mark("wins"): Board.WINS,
    mark("Kem's"): Board.KEMS,
    mark("counters"): Board.COUNTERS,
    mark("duos"): Board.DUOS,
    mark("bluffs"): Board.BLUFFERS,
}
_BOARDS: Final = [Choice(name=locale_str(name), value=board.value) for name, board in _NAMES.items()]


class StandingsCommands(CommandSet):
    """`/kems stats` and `leaderboard`."""

    def __init__(self, ladder: LadderReader, illustrator: Illustrator) -> None:
        super().__init__()
        self._ladder = ladder
        self._illustrator = illustrator

    @command(
        mark("stats"),
        mark("See what somebody achieved"),
        options={
            "member": (mark("member"), mark("Who (you)")),
            "season": (mark("season"), mark("Of which season (all together)")),
        },
    )
    async def stats(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        season: Range[int, ALL_SEASONS, MOST_SEASONS] = ALL_SEASONS,
    ) -> None:
        """Add up what somebody did."""
        guild_id, texts, who = guild_of(interaction), reader(interaction), member or interaction.user

        async def read() -> tuple[Season | None, Illustrated | None]:
            chosen = None if season == ALL_SEASONS else await self._ladder.season(guild_id, season)
            if season != ALL_SEASONS and chosen is None:
                return None, None
            return chosen, await self._ladder.stats(guild_id, who.id, chosen, texts)

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

    @command(
        mark("leaderboard"),
        mark("See who is best"),
        choices={"board": _BOARDS},
        options={
            "board": (mark("board"), mark("What counts (the rating)")),
            "season": (mark("season"), mark("Of which season (the present one)")),
        },
    )
    async def leaderboard(
        self,
        interaction: discord.Interaction,
        board: str = Board.RATING.value,
        season: Range[int, 1, MOST_SEASONS] | None = None,
    ) -> None:
        """Show a board of a season."""
        guild_id, texts, reader_id = guild_of(interaction), reader(interaction), interaction.user.id

        async def read() -> Illustrated | None:
            chosen = await self._ladder.season(guild_id, season)
            if chosen is None:
                return None
            return await self._ladder.board(guild_id, chosen, Board(board), reader_id, texts)

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
        return await offer_seasons(self._ladder, interaction, current)

    @stats.autocomplete("season")
    async def offer_seasons_and_all(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Those, and all of them together."""
        return await offer_seasons(self._ladder, interaction, current, all_too=True)


class LadderCommands(Subgroup):
    """`/kems ladder …`: how the ladder works."""

    def __init__(self, ladder: LadderReader) -> None:
        super().__init__(mark("ladder"), mark("How the ladder works"))
        self._ladder = ladder

    @command(mark("about"), mark("Read how the ladder works"))
    async def about(self, interaction: discord.Interaction) -> None:
        """Publish the formula, what makes a match ranked, and the void matches."""
        panel = await or_later(self._ladder.about(guild_of(interaction), reader(interaction)))
        await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)
