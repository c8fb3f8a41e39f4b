"""Reads what was played: finished and running matches, their rounds, and who sat where."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import Season
from bot.records.history import (
    FIRST,
    Before,
    History,
    HistoryPage,
    MatchRecord,
    PlayerStats,
    ResultRecord,
    RoundRecord,
    SeatRecord,
    Spot,
    VoidRecord,
)
from bot.store.engine.database import Database
from bot.store.engine.paging import read_page
from bot.store.ladder.stats import stats_of
from bot.store.schema import PlayerRow, PlayRow, ResultRow, RoundRow, SeatRow, TableRow, VoidRow
from bot.store.schema.codec import decode_numbers, decode_rules

PAGE: Final = 5
"""Matches on a page."""
_END: Final = Before((0, 0))
"""The spot after the oldest match: instants and table ids count from 1."""


class SqlHistory(History):
    """`History` in SQL."""

    def __init__(self, database: Database, page_size: int = PAGE, formula: Formula = FORMULA) -> None:
        self._database = database
        self._size = page_size
        self._formula = formula

    async def match(self, table_id: int) -> MatchRecord | None:
        async with self._database.transaction() as session:
            rounds = await session.scalars(
                select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round)
            )
            found = await _records(session, [table_id], rounds.all())
            return found[0] if found else None

    async def history(self, guild_id: int, user_id: int | None = None, spot: Spot = FIRST) -> HistoryPage:
        if user_id is None:
            keys = (ResultRow.ended_at, ResultRow.table_id)
            query = select(ResultRow.table_id).where(ResultRow.guild_id == guild_id)
        else:
            keys = (PlayRow.ended_at, PlayRow.table_id)
            query = select(PlayRow.table_id).where(PlayRow.guild_id == guild_id, PlayRow.user_id == user_id)
        async with self._database.transaction() as session:
            rows, has_before, has_after = await read_page(session, query, keys, spot, self._size)
            is_beyond = not rows and has_before
            if is_beyond:
                rows, has_before, _ = await read_page(session, query, keys, _END, self._size)
            matches = await _records(session, [row[0] for row in rows])
            return HistoryPage(matches, has_before, has_after, is_instead=is_beyond and bool(matches))

    async def stats(self, guild_id: int, user_id: int, at: int, season: Season | None = None) -> PlayerStats | None:
        async with self._database.transaction() as session:
            return await stats_of(session, guild_id, user_id, at, season, self._formula)

    async def voids(self, guild_id: int, limit: int) -> tuple[VoidRecord, ...]:
        query = select(VoidRow).where(VoidRow.guild_id == guild_id).order_by(VoidRow.at.desc()).limit(limit)
        async with self._database.transaction() as session:
            return tuple(_void(row) for row in await session.scalars(query))


async def _records(
    session: AsyncSession, ids: Sequence[int], rounds: Sequence[RoundRow] = ()
) -> tuple[MatchRecord, ...]:
    """In the order of the ids."""
    query = (
        select(TableRow, ResultRow, VoidRow)
        .outerjoin(ResultRow, ResultRow.table_id == TableRow.id)
        .outerjoin(VoidRow, VoidRow.table_id == TableRow.id)
        .where(TableRow.id.in_(ids))
    )
    found: dict[int, tuple[TableRow, ResultRow | None, VoidRow | None]] = {
        table.id: (table, result, void) for table, result, void in await session.execute(query)
    }
    seats_of, rounds_of = await _seats(session, ids), _by_table(rounds)
    return tuple(
        MatchRecord(
            id=table.id,
            guild_id=table.guild_id,
            channel_id=table.channel_id,
            status=table.status,
            rules=decode_rules(table.rules),
            is_ranked=table.is_ranked,
            opened_at=table.opened_at,
            started_at=table.started_at,
            seats=tuple(seats_of.get(table.id, ())),
            rounds=tuple(_round(row) for row in rounds_of.get(table.id, ())),
            result=None if result is None else _result(result),
            void=None if void is None else _void(void),
        )
        for table, result, void in (found[table_id] for table_id in ids if table_id in found)
    )


async def _seats(session: AsyncSession, ids: Sequence[int]) -> dict[int, list[SeatRecord]]:
    """By table. Where the name is no longer kept, the name that the player used last."""
    name = func.coalesce(func.nullif(SeatRow.name, ""), PlayerRow.name, "")
    query = (
        select(SeatRow.table_id, SeatRow.seat, SeatRow.team, name, SeatRow.user_id)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .outerjoin(PlayerRow, (PlayerRow.guild_id == TableRow.guild_id) & (PlayerRow.user_id == SeatRow.user_id))
        .where(SeatRow.table_id.in_(ids))
        .order_by(SeatRow.seat)
    )
    found: dict[int, list[SeatRecord]] = {}
    for table_id, *seat in await session.execute(query):
        found.setdefault(table_id, []).append(SeatRecord(*seat))
    return found


def _by_table(rows: Iterable[RoundRow]) -> dict[int, list[RoundRow]]:
    found: dict[int, list[RoundRow]] = {}
    for row in rows:
        found.setdefault(row.table_id, []).append(row)
    return found


def _round(row: RoundRow) -> RoundRecord:
    return RoundRecord(
        row.round,
        row.dealer,
        row.outcome,
        row.caller,
        row.target,
        row.team,
        decode_numbers(row.points),
        row.margin,
        row.rival,
        row.rival_call,
        row.started_at,
        row.ended_at,
    )


def _result(row: ResultRow) -> ResultRecord:
    scores, games = decode_numbers(row.scores), decode_numbers(row.games)
    return ResultRecord(row.winner, scores, games, row.rounds, row.ended_at, row.season)


def _void(row: VoidRow) -> VoidRecord:
    return VoidRecord(row.table_id, row.by_id, row.reason, row.at)
