"""Histories, boards, matches and figures as panels, for those who ask for them. It reads, and changes nothing."""

import asyncio

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.ladder.story import rounds_of
from bot.live.books import Books
from bot.live.chronicle import FIRST, HistoryPage, Spot
from bot.ui.chronicle_view import history_panel, match_panel
from bot.ui.leaderboard_view import leaderboard_panel, podium
from bot.ui.parts import Layout
from bot.ui.stats_view import stats_panel
from bot.ui.texts import Texts


class Chronicles:
    """What was played in a server, as its members read it. Every method raises StoreError when it cannot be read."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def history(self, guild_id: int, user_id: int | None, spot: Spot, texts: Texts) -> Layout:
        """A page of finished matches, of one person or of all."""
        page = await self._books.chronicle.history(guild_id, user_id, spot)
        name = None if user_id is None else _name(page, user_id)
        return history_panel(page, texts, user_id=user_id, name=name)

    async def match(self, guild_id: int, table_id: int, texts: Texts) -> Layout | None:
        """One finished match of the server; None where there is none of that number."""
        if not await self._books.archive.finished(guild_id, None, table_id):
            return None
        played = await self._books.archive.read(table_id)
        match = await self._books.chronicle.match(table_id)
        if played is None or match is None:
            return None
        rounds = await asyncio.to_thread(rounds_of, played.events)  # a long match takes a while to play again
        return match_panel(match, rounds, texts)

    async def stats(self, guild_id: int, user_id: int, season: Season | None, texts: Texts) -> Layout | None:
        """What somebody's matches add up to, of a season or of all; None for who played none."""
        stats = await self._books.chronicle.stats(guild_id, user_id, self._books.clock.now(), season)
        return None if stats is None else stats_panel(stats, season, texts)

    async def board(
        self, guild_id: int, season: Season, board: Board, reader_id: int, texts: Texts, spot: Spot = FIRST
    ) -> Layout:
        """A page of a board, with the reader's own line."""
        at = self._books.clock.now()
        page = await self._books.boards.board(guild_id, season, board, at, spot)
        own = await self._books.boards.line(guild_id, season, board, at, reader_id)
        return leaderboard_panel(page, board, season, texts, own=own)

    async def podium(self, guild_id: int, season: Season, texts: Texts) -> Layout:
        """Who was best in a season that is over."""
        at = self._books.clock.now()
        pages = {board: await self._books.boards.board(guild_id, season, board, at) for board in Board}
        return podium(season, pages, texts)

    async def season(self, guild_id: int, number: int | None) -> Season | None:
        """The season of that number; without one the running season, or else the last. None where there is none."""
        running = await self._books.seasons.running(guild_id, self._books.clock.now())
        if running is not None and number in (None, running.number):
            return running
        listed = await self._books.seasons.listed(guild_id)
        return next((season for season in listed if number in (None, season.number)), None)


def _name(page: HistoryPage, user_id: int) -> str:
    """The name somebody played under last, on this page."""
    seats = (seat for match in page.matches for seat in match.seats)
    return next((seat.name for seat in seats if seat.user_id == user_id), f"<@{user_id}>")
