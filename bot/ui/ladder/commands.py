"""`/kems records stats` and `leaderboard`, and the presses on boards: who stands where."""

from dataclasses import dataclass
from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.base.errors import StoreError
from bot.discord.api.custom_ids import Press, read_number, read_spot
from bot.discord.api.interactions import RefusedError, first_chosen, guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import defer, reply_outdated
from bot.discord.interactions.admission.budgets import PICTURES, Verb
from bot.discord.interactions.feature import CommandSet, command, offered
from bot.discord.pictures.illustrations import Illustrated, Illustrator
from bot.discord.text.names import called
from bot.discord.text.texts import mark
from bot.ladder.columns import Board
from bot.ladder.seasons import Season
from bot.records.history import FIRST, Spot
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import LadderVerb, no_season, season_name

MOST_SEASONS: Final = 10_000
ALL_SEASONS: Final = 0
"""Stands for all seasons together, where a command can add them up."""

_BOARDS: Final = [Choice(name=locale_str(board.words), value=board.value) for board in Board]

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class StandingsCommands(CommandSet):
    """`/kems records stats` and `leaderboard`, and the buttons and the menu of leaderboards."""

    verbs = frozenset[Verb]({LadderVerb.BOARD, LadderVerb.BOARDS})

    _ladder: LadderReader
    _illustrator: Illustrator

    @command(
        "stats",
        mark("See a player's figures"),
        draws=PICTURES,
        options={"member": (mark("member"), mark("Who (you)")), "season": (mark("season"), mark("Which season (all)"))},
    )
    async def stats(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        season: Range[int, ALL_SEASONS, MOST_SEASONS] = ALL_SEASONS,
    ) -> None:
        guild_id, texts, who = guild_of(interaction), reader(interaction), member or interaction.user

        async def read() -> tuple[Season | None, Illustrated | None]:
            chosen = None if season == ALL_SEASONS else await self._ladder.season(guild_id, season)
            if season != ALL_SEASONS and chosen is None:
                return None, None
            return chosen, await self._ladder.stats(guild_id, who.id, interaction.user.id, chosen, texts)

        chosen, page = await or_later(read())
        name = called(who.display_name)
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif chosen is not None:
            when = season_name(chosen, texts)
            raise RefusedError(texts.t("{name} has finished no match in {season}.", name=name, season=when))
        elif season == ALL_SEASONS:
            raise RefusedError(texts.t("{name} has not finished a match yet.", name=name))
        else:
            raise RefusedError(texts.t("There is no season with that number here."))

    @command(
        "leaderboard",
        mark("See who is best"),
        draws=PICTURES,
        choices={"board": _BOARDS},
        options={
            "board": (mark("board"), mark("Which board (the first that isn't empty)")),
            "season": (mark("season"), mark("Which season (the running one)")),
        },
    )
    async def leaderboard(
        self,
        interaction: discord.Interaction,
        board: str | None = None,
        season: Range[int, 1, MOST_SEASONS] | None = None,
    ) -> None:
        chosen = None if board is None else Board(board)
        texts, page = reader(interaction), await self._board(interaction, season, chosen)
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif season is not None:
            raise RefusedError(texts.t("There is no season with that number here."))
        else:
            raise RefusedError(no_season(texts))

    @leaderboard.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return await offer_seasons(self._ladder, interaction, current)

    @stats.autocomplete("season")
    async def offer_seasons_and_all(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return await offer_seasons(self._ladder, interaction, current, all_too=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        match press.verb, *press.arg.split(":"):
            case LadderVerb.BOARD, str(name), str(number), str(word):
                spot = read_spot(word, 3 if name == Board.DUOS else 2)
            case LadderVerb.BOARDS, str(number):
                name, spot = first_chosen(interaction), FIRST
            case _:
                name, number, spot = "", "", None
        page, wanted = None, read_number(number)
        if name in set(Board) and spot is not None and wanted is not None:
            page = await self._board(interaction, wanted, Board(name), spot)
        if page is None:
            await reply_outdated(interaction)
        else:
            await self._illustrator.answer(interaction, page)

    async def _board(
        self, interaction: discord.Interaction, number: int | None, board: Board | None, spot: Spot = FIRST
    ) -> Illustrated | None:
        """A page of a board, by default of the first with people on it; None where there is no such season."""
        guild_id = guild_of(interaction)
        season = await or_later(self._ladder.season(guild_id, number))
        if season is None:
            return None
        if board is None:
            board = await or_later(self._ladder.opening(guild_id, season, Board))
        reading = self._ladder.board(guild_id, season, board, interaction.user.id, reader(interaction), spot)
        if board is not Board.LEAGUE:
            return await or_later(reading)
        await defer(interaction)  # a thread reckons it from all nights
        return await reading


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
    return offered(names, current)
