"""`/kems stats`, `leaderboard` and `ladder about`, and the presses on boards: who stands where."""

from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.errors import StoreError
from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.records.history import FIRST
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import MAX_CHOICE, MAX_CHOICES, CommandSet, Subgroup, command
from bot.ui.kit.custom_ids import Press, read_number, read_spot
from bot.ui.kit.interactions import field_of, guild_of, reader, say, say_outdated
from bot.ui.kit.names import called
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import season_name
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.messages.illustrations import Illustrated, Illustrator

MOST_SEASONS: Final = 10_000
ALL_SEASONS: Final = 0
"""Stands for all seasons together, where a command can add them up."""

_NAMES: Final = {
    mark("rating"): Board.RATING,
    mark("wins"): Board.WINS,
    mark("Kem's"): Board.KEMS,
    mark("counters"): Board.COUNTERS,
    mark("duos"): Board.DUOS,
    mark("bluffs"): Board.BLUFFERS,
}
_BOARDS: Final = [Choice(name=locale_str(name), value=board.value) for name, board in _NAMES.items()]

_log = structlog.get_logger(__name__)


class StandingsCommands(CommandSet):
    """`/kems stats` and `leaderboard`, and the buttons and the menu of leaderboards."""

    verbs = frozenset[str]({LadderVerb.BOARD, LadderVerb.BOARDS})

    def __init__(self, ladder: LadderReader, illustrator: Illustrator) -> None:
        super().__init__()
        self._ladder = ladder
        self._illustrator = illustrator

    @command(
        mark("stats"),
        mark("See a player's figures"),
        options={
            "member": (mark("member"), mark("Who (you)")),
            "season": (mark("season"), mark("Which season (all)")),
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
            is_known = season == ALL_SEASONS or chosen is not None
            return chosen, await self._ladder.stats(guild_id, who.id, chosen, texts) if is_known else None

        chosen, page = await or_later(read())
        name = called(who.display_name)
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif chosen is not None:
            when = season_name(chosen, texts)
            line = texts.t("{name} has finished no match in {season}.", name=name, season=when)
            await say(interaction, line)
        elif season == ALL_SEASONS:
            await say(interaction, texts.t("{name} has not finished a match yet.", name=name))
        else:
            await say(interaction, texts.t("There is no season of that number here."))

    @command(
        mark("leaderboard"),
        mark("See who is best"),
        choices={"board": _BOARDS},
        options={
            "board": (mark("board"), mark("What counts (the rating)")),
            "season": (mark("season"), mark("Which season (the running one)")),
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
            line = texts.t("No season here yet: an admin of the server starts one with `/kems-admin season start`.")
            await say(interaction, line)

    @leaderboard.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return await offer_seasons(self._ladder, interaction, current)

    @stats.autocomplete("season")
    async def offer_seasons_and_all(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return await offer_seasons(self._ladder, interaction, current, all_too=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn a page, or show another board."""
        page = await or_later(self._asked(interaction, guild_of(interaction), press, reader(interaction)))
        if page is None:
            await say_outdated(interaction)
        else:
            await self._illustrator.answer(interaction, page)

    async def _asked(
        self, interaction: discord.Interaction, guild_id: int, press: Press, texts: Texts
    ) -> Illustrated | None:
        """The board that a press asks for; None for a custom id that the bot does not make."""
        match press.verb, *press.arg.split(":"):
            case LadderVerb.BOARD, str(name), str(number), str(word):
                spot = read_spot(word, 3 if name == Board.DUOS else 2)
            case LadderVerb.BOARDS, str(number):
                name, spot = next(iter(field_of(interaction, "values")), ""), FIRST
            case _:
                return None
        wanted = read_number(number)
        if name not in set(Board) or spot is None or wanted is None:
            return None
        season = await self._ladder.season(guild_id, wanted)
        if season is None:
            return None
        return await self._ladder.board(guild_id, season, Board(name), interaction.user.id, texts, spot)


class LadderCommands(Subgroup):
    """`/kems ladder …`: how the ladder works."""

    def __init__(self, ladder: LadderReader) -> None:
        super().__init__(mark("ladder"), mark("How the ladder works"))
        self._ladder = ladder

    @command(mark("about"), mark("Read how the ladder works"))
    async def about(self, interaction: discord.Interaction) -> None:
        """Show the formula, what makes a match ranked, and the void matches."""
        panel = await or_later(self._ladder.about(guild_of(interaction), reader(interaction)))
        await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)


async def offer_seasons(
    ladder: LadderReader, interaction: discord.Interaction, current: str, *, all_too: bool = False
) -> list[Choice[int]]:
    """The seasons whose names contain the typed text, the running one first; with `all_too`, all of them together."""
    texts = reader(interaction)
    try:
        running, listed = await or_later(ladder.seasons(guild_of(interaction)))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    names = [(texts.t("All seasons"), ALL_SEASONS)] if all_too else []
    if running is not None:  # a season of the calendar is not listed before its first match
        now = texts.t("{season} (running)", season=season_name(running, texts))
        names.append((now, running.number))
    names += [(season_name(season, texts), season.number) for season in listed if season != running]
    names = [(name[:MAX_CHOICE], number) for name, number in names]
    wanted = str(current).casefold()
    return [Choice(name=name, value=number) for name, number in names if wanted in name.casefold()][:MAX_CHOICES]
