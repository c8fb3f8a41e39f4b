"""Histories, boards, matches and figures as panels, for those who ask for them. It reads, and changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

from bot.ladder.boards import Board
from bot.ladder.ended_rounds import counters_in_vain, rounds_of
from bot.ladder.season_duties import FRESH_MS, digest
from bot.ladder.seasons import Season
from bot.records.archive import PastPlace
from bot.records.history import FIRST, BoardPage, MatchRecord, Spot
from bot.tables.books import Books
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import best_of, is_over, leaderboard_panel, over_line, podium, podium_link
from bot.ui.ladder.pictures import (
    board_picture,
    curve_picture,
    curve_words,
    match_picture,
    match_words,
    podium_picture,
    rows_words,
)
from bot.ui.ladder.stats_panel import stats_panel
from bot.ui.messages.illustrations import Illustrated
from bot.ui.records.history_panels import history_panel, match_panel

Look = Callable[[Iterable[PastPlace]], Awaitable[Collection[int]]]
"""Tells which of some tables the reader may look at."""


class HistoryReader:
    """What was played in a server, as its members read it. Every method raises StoreError when it cannot be read."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def history(self, guild_id: int, user_id: int | None, spot: Spot, texts: Texts, look: Look) -> Layout:
        """A page of finished matches, of one person or of all; those the reader may not look at keep silent."""
        page = await self._books.chronicle.history(guild_id, user_id, spot)
        open_ids = await look(PastPlace(match.id, match.channel_id, match.user_ids) for match in page.matches)
        told = [match for match in page.matches if match.id in open_ids]
        name = None if user_id is None else _name(told, user_id)
        return history_panel(page, open_ids, texts, user_id=user_id, name=name)

    async def match(self, guild_id: int, table_id: int, texts: Texts) -> Illustrated | None:
        """One finished match of the server; None where there is none of that number."""
        if not await self._books.archive.finished(guild_id, None, table_id):
            return None
        played = await self._books.archive.read(table_id)
        match = await self._books.chronicle.match(table_id)
        if played is None or match is None:
            return None
        if not played.events:
            return Illustrated(match_panel(match, None, texts))
        rounds = await asyncio.to_thread(rounds_of, played.events)  # a long match takes a while to play again
        picture = match_picture(match, rounds, await self._zone(guild_id), texts)
        panel = match_panel(match, rounds, texts, counters_in_vain(played.events))
        return Illustrated(panel, picture, match_words(picture, texts))

    async def stats(self, guild_id: int, user_id: int, season: Season | None, texts: Texts) -> Illustrated | None:
        """What somebody's matches add up to, of a season or of all; None for who played none."""
        stats = await self._books.chronicle.stats(guild_id, user_id, self._books.clock.now(), season)
        if stats is None:
            return None
        layout = stats_panel(stats, season, texts)
        picture = curve_picture(stats, season, await self._zone(guild_id), texts)
        return Illustrated(layout) if picture is None else Illustrated(layout, picture, curve_words(picture, texts))

    async def board(
        self, guild_id: int, season: Season, board: Board, reader_id: int, texts: Texts, spot: Spot = FIRST
    ) -> Illustrated:
        """A page of a board, with the reader's own line."""
        at = self._books.clock.now()
        page = await self._books.boards.board(guild_id, season, board, at, spot)
        own = await self._books.boards.line(guild_id, season, board, at, reader_id)
        news = None if is_over(season, at) else await self.news(guild_id, texts)
        layout = leaderboard_panel(page, board, season, texts, at=at, own=own, news=news)
        picture = board_picture(page, board, season, texts)
        return Illustrated(layout) if picture is None else Illustrated(layout, picture, rows_words(picture))

    async def news(self, guild_id: int, texts: Texts) -> str | None:
        """That a season was over lately, and where its podium is; None if none was."""
        at = self._books.clock.now()
        listed = await self._books.seasons.listed(guild_id)
        season = next((season for season in listed if season.ends_at is not None and season.ends_at <= at), None)
        if season is None or season.ends_at is None or at - season.ends_at > FRESH_MS:
            return None
        told = await self._books.endings.podium(guild_id, season.number)
        return over_line(season, podium_link(guild_id, told), texts)

    async def tops(self, guild_id: int, season: Season) -> dict[Board, BoardPage]:
        """The first page of each board of a season."""
        at = self._books.clock.now()
        return {board: await self._books.boards.board(guild_id, season, board, at) for board in Board}

    async def season(self, guild_id: int, number: int | None) -> Season | None:
        """The season of that number; without one the running season, or else the last. None where there is none."""
        running = await self._books.seasons.running(guild_id, self._books.clock.now())
        if running is not None and number in (None, running.number):
            return running
        listed = await self._books.seasons.listed(guild_id)
        return next((season for season in listed if number in (None, season.number)), None)

    async def _zone(self, guild_id: int) -> str:
        """Where days on pictures begin: they cannot show everybody their own time, as messages do."""
        return (await self._books.seasons.setup(guild_id)).schedule.zone


def podium_message(
    season: Season, tops: Mapping[Board, BoardPage], texts: Texts, corrected_at: int | None = None
) -> Illustrated:
    """Who was best in a season that is over."""
    layout = podium(season, tops, texts, corrected_at)
    picture = podium_picture(season, tops[Board.RATING].lines, texts)
    return Illustrated(layout) if picture is None else Illustrated(layout, picture, rows_words(picture))


def told_of(tops: Mapping[Board, BoardPage]) -> str:
    """Stands for what makes a podium another one; a new name of somebody or another language does not."""
    best, leaders = best_of(tops)
    return digest(
        *((line.place, line.value, line.user_ids, line.matches) for line in best),
        *((board.value, line.value, line.user_ids) for board, line in leaders.items()),
    )


def _name(matches: Iterable[MatchRecord], user_id: int) -> str:
    """The name somebody played under in the first of them; "" in none."""
    seats = (seat for match in matches for seat in match.seats)
    return next((seat.name for seat in seats if seat.user_id == user_id), "")
