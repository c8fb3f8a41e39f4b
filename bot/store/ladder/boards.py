"""The boards of a season, in the order of their indexes. Hidden players are left out, without a gap in the places."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from bot.ladder.formula import fresh_until, shown
from bot.ladder.seasons import Board, Season
from bot.records.history import FIRST, BoardLine, BoardPage, Boards, Spot
from bot.store.engine.database import Database
from bot.store.ladder.stats import rating_in_season, seen_at
from bot.store.schema.ladder import PairRow, PlayerRow, StandingRow
from bot.store.sql import AnyRow, AnySelect, read_page

PAGE: Final = 10
"""Lines on a page."""
BATCH: Final = 500
"""Ratings that one transaction brings up to date."""

_COLUMNS: Final[dict[Board, Any]] = {
    Board.RATING: StandingRow.shown,
    Board.WINS: StandingRow.wins,
    Board.KEMS: StandingRow.kems,
    Board.COUNTERS: StandingRow.counters,
    Board.BLUFFERS: StandingRow.baits,
}
_IS_PLAYER: Final = (PlayerRow.guild_id == StandingRow.guild_id) & (PlayerRow.user_id == StandingRow.user_id)


@dataclass(frozen=True, slots=True)
class _Order:
    """A board as a query of its lines and the columns of its order: the value first, then the user ids."""

    lines: AnySelect
    keys: tuple[InstrumentedAttribute[int], ...]


class SqlBoards(Boards):
    def __init__(self, database: Database, page_size: int = PAGE) -> None:
        self._database = database
        self._size = page_size

    async def board(self, guild_id: int, season: Season, board: Board, at: int, spot: Spot = FIRST) -> BoardPage:
        order = _order(guild_id, season, board)
        if board is Board.RATING:
            await self._refresh_ratings(guild_id, season, at)
        async with self._database.transaction() as session:
            rows, has_before, has_after = await read_page(session, order.lines, order.keys, spot, self._size)
            above, greater = await _above(session, order, rows[0]) if rows and has_before else (0, 0)
        lines = [_line(row, above + index + 1, len(order.keys)) for index, row in enumerate(rows)]
        return BoardPage(_with_shared_places(lines, greater + 1), has_before, has_after)

    async def provisional(self, guild_id: int, season: Season, at: int) -> tuple[BoardLine, ...]:
        await self._refresh_ratings(guild_id, season, at)
        value = StandingRow.shown
        query = (
            select(value, StandingRow.user_id, PlayerRow.name, PlayerRow.matches, StandingRow.wins)
            .join(PlayerRow, _IS_PLAYER)
            .where(*_ranked_in(guild_id, season), StandingRow.is_provisional.is_(True))
            .order_by(value.desc(), StandingRow.user_id.desc())
        )
        async with self._database.transaction() as session:
            return tuple([_line(row, 0, 2) for row in await session.execute(query.limit(self._size))])

    async def line(self, guild_id: int, season: Season, board: Board, at: int, user_id: int) -> BoardLine | None:
        if board is Board.DUOS:
            return None
        order = _order(guild_id, season, board)
        if board is Board.RATING:
            await self._refresh_ratings(guild_id, season, at)
        async with self._database.transaction() as session:
            row = (await session.execute(order.lines.where(StandingRow.user_id == user_id))).one_or_none()
            if row is None:
                return None
            _, greater = await _above(session, order, row)
            return _line(row, greater + 1, len(order.keys))

    async def _refresh_ratings(self, guild_id: int, season: Season, at: int) -> None:
        """Bring the shown ratings that idleness has changed up to an instant of the season.

        Other transactions run between the batches. Rows that another transaction is writing are skipped.
        """
        until = seen_at(season, at)
        known = (StandingRow.user_id, StandingRow.mu, StandingRow.sigma, StandingRow.rated_at)
        stale = select(*known).where(
            StandingRow.guild_id == guild_id,
            StandingRow.season == season.number,
            StandingRow.is_ranked.is_(True),
            StandingRow.fresh_until <= until,
        )
        batch = stale.order_by(StandingRow.fresh_until).limit(BATCH).with_for_update(skip_locked=True)
        key = {"guild_id": guild_id, "season": season.number, "is_ranked": True}
        while True:
            async with self._database.transaction() as session:
                rows = (await session.execute(batch)).all()
                rested = [(row.user_id, rating_in_season(row, season, until)) for row in rows]
                values = [
                    {**key, "user_id": user_id, "shown": shown(rating), "fresh_until": fresh_until(rating, until)}
                    for user_id, rating in rested
                    if rating is not None
                ]
                if values:
                    await session.execute(update(StandingRow), values)
            if len(values) < BATCH:
                return


def _order(guild_id: int, season: Season, board: Board) -> _Order:
    """The rows are the keys, the names, then matches and wins."""
    if board is Board.DUOS:
        return _duos(guild_id, season)
    value = _COLUMNS[board]
    lines = (
        select(value, StandingRow.user_id, PlayerRow.name, StandingRow.matches, StandingRow.wins)
        .join(PlayerRow, _IS_PLAYER)
        .where(*_ranked_in(guild_id, season))
    )
    if board is Board.RATING:  # settled ratings of players who have won
        lines = lines.where(StandingRow.is_provisional.is_(False), StandingRow.wins > 0)
    else:
        lines = lines.where(value > 0)
    return _Order(lines, (value, StandingRow.user_id))


def _ranked_in(guild_id: int, season: Season) -> tuple[ColumnElement[bool], ...]:
    """What the lines of a season's boards have in common."""
    return (
        StandingRow.guild_id == guild_id,
        StandingRow.season == season.number,
        StandingRow.is_ranked.is_(True),
        PlayerRow.is_hidden.is_(False),
    )


def _duos(guild_id: int, season: Season) -> _Order:
    low, high = aliased(PlayerRow), aliased(PlayerRow)
    lines = (
        select(
            PairRow.together_wins,
            PairRow.low_id,
            PairRow.high_id,
            low.name,
            high.name,
            PairRow.together,
            PairRow.together_wins.label("wins"),
        )
        .join(low, (low.guild_id == PairRow.guild_id) & (low.user_id == PairRow.low_id))
        .join(high, (high.guild_id == PairRow.guild_id) & (high.user_id == PairRow.high_id))
        .where(
            PairRow.guild_id == guild_id,
            PairRow.season == season.number,
            PairRow.is_ranked.is_(True),
            PairRow.together_wins > 0,
            low.is_hidden.is_(False),
            high.is_hidden.is_(False),
        )
    )
    return _Order(lines, (PairRow.together_wins, PairRow.low_id, PairRow.high_id))


async def _above(session: AsyncSession, order: _Order, row: AnyRow) -> tuple[int, int]:
    """How many lines of the board come before a row, and how many of them have a greater value."""
    value, first = order.keys[0], tuple(row[: len(order.keys)])
    greater: ColumnElement[int] = func.coalesce(func.sum(case((value > first[0], 1), else_=0)), 0)
    counted = order.lines.with_only_columns(func.count(), greater).where(tuple_(*order.keys) > first)
    above, count = (await session.execute(counted)).one()
    return above, count


def _line(row: AnyRow, place: int, keys: int) -> BoardLine:
    people = keys - 1
    value, *users = row[:keys]
    names = row[keys : keys + people]
    matches, wins = row[keys + people :]
    return BoardLine(place, value, tuple(users), tuple(names), matches, wins)


def _with_shared_places(lines: list[BoardLine], first: int) -> tuple[BoardLine, ...]:
    """Level lines get the place of the first of them; `first` is that place for the top line of the page."""
    shared: list[BoardLine] = []
    for line in lines:
        place = line.place
        if not shared:
            place = first
        elif shared[-1].value == line.value:
            place = shared[-1].place
        shared.append(replace(line, place=place))
    return tuple(shared)
