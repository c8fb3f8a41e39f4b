"""Reads what was played: finished matches, and who sat where."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import Season
from bot.records import history as h
from bot.store.engine.database import Database
from bot.store.ladder.stats import stats_of
from bot.store.schema.codec import decode_numbers, decode_rules
from bot.store.schema.ladder import PlayerRow, PlayRow, VoidRow
from bot.store.schema.tables import ResultRow, SeatRow, TableRow
from bot.store.sql import Adapter, AnySelect, from_row, read_page
from bot.tables.lobby.lobby import Status

PAGE: Final = 5
"""Matches on a page."""
_END: Final = h.Before((0, 0))
"""The spot after the oldest match: instants and table ids count from 1."""


class SqlHistory(Adapter, h.History):
    def __init__(self, database: Database, page_size: int = PAGE, formula: Formula = FORMULA) -> None:
        super().__init__(database)
        self._size = page_size
        self._formula = formula

    async def match(self, table_id: int) -> h.MatchRecord | None:
        async with self._database.transaction() as session:
            found = await _records(session, [table_id])
        return found[0] if found else None

    async def rating_changes(self, table_id: int) -> tuple[h.RatingChange, ...]:
        former = aliased(PlayRow)
        is_former = (
            (former.guild_id == PlayRow.guild_id)
            & (former.user_id == PlayRow.user_id)
            & (former.season == PlayRow.season)
            & (tuple_(former.ended_at, former.table_id) < tuple_(PlayRow.ended_at, PlayRow.table_id))
            & former.shown.is_not(None)
            & former.is_void.is_(False)
        )
        newest = (former.ended_at.desc(), former.table_id.desc())
        before = select(former.shown).where(is_former).order_by(*newest).limit(1).scalar_subquery()
        query = select(PlayRow.user_id, before, PlayRow.shown).where(
            PlayRow.table_id == table_id, PlayRow.shown.is_not(None), PlayRow.user_id > 0
        )
        async with self._database.transaction() as session:
            return tuple([h.RatingChange(*row) for row in await session.execute(query.order_by(PlayRow.seat))])

    async def history(self, guild_id: int, user_id: int | None = None, spot: h.Spot = h.FIRST) -> h.HistoryPage:
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
            return h.HistoryPage(matches, has_before, has_after, is_instead=is_beyond and bool(matches))

    async def has_played(self, guild_id: int, user_id: int) -> bool:
        own = (PlayRow.guild_id == guild_id, PlayRow.user_id == user_id, PlayRow.has_left.is_(False))
        query = select(PlayRow.table_id).where(*own).limit(1)
        return await self._scalar(query) is not None

    async def stats(self, guild_id: int, user_id: int, at: int, season: Season | None = None) -> h.PlayerStats | None:
        async with self._database.transaction() as session:
            return await stats_of(session, guild_id, user_id, at, season, self._formula)

    async def voids(self, guild_id: int, limit: int) -> tuple[h.VoidRecord, ...]:
        query = select(VoidRow).where(VoidRow.guild_id == guild_id).order_by(VoidRow.at.desc()).limit(limit)
        return tuple(from_row(h.VoidRecord, row) for row in await self._scalars(query))


async def _records(session: AsyncSession, ids: Sequence[int]) -> tuple[h.MatchRecord, ...]:
    """In the order of the ids."""
    query = (
        select(TableRow, ResultRow, VoidRow)
        .join(ResultRow, ResultRow.table_id == TableRow.id)
        .outerjoin(VoidRow, VoidRow.table_id == TableRow.id)
        .where(TableRow.id.in_(ids))
    )
    seats, losers = await _seats(session, ids), await _losers(session, ids)
    found = {
        table.id: from_row(
            h.MatchRecord,
            table,
            rules=decode_rules(table.rules),
            seats=tuple(seats.get(table.id, ())),
            losers=tuple(losers.get(table.id, ())),
            result=_result(result),
            void=_void(void),
        )
        for table, result, void in await session.execute(query)
    }
    return tuple(found[table_id] for table_id in ids if table_id in found)


async def _seats(session: AsyncSession, ids: Sequence[int]) -> dict[int, list[h.SeatRecord]]:
    """By table. Where the name is no longer kept, the name that the player used last."""
    name = func.coalesce(func.nullif(SeatRow.name, ""), PlayerRow.name, "")
    query = select(SeatRow.table_id, SeatRow.seat, SeatRow.team, name, SeatRow.user_id).join(
        TableRow, TableRow.id == SeatRow.table_id
    )
    is_player = (PlayerRow.guild_id == TableRow.guild_id) & (PlayerRow.user_id == SeatRow.user_id)
    return await _by_table(session, query.outerjoin(PlayerRow, is_player).where(SeatRow.table_id.in_(ids)))


async def _losers(session: AsyncSession, ids: Sequence[int]) -> dict[int, list[h.SeatRecord]]:
    """By table that was broken off; an erased player has neither name nor user id."""
    name = func.coalesce(PlayerRow.name, "")
    query = select(PlayRow.table_id, PlayRow.seat, PlayRow.team, name, PlayerRow.user_id).join(
        TableRow, (TableRow.id == PlayRow.table_id) & (TableRow.status != Status.OVER.value)
    )
    is_player = (PlayerRow.guild_id == PlayRow.guild_id) & (PlayerRow.user_id == PlayRow.user_id)
    return await _by_table(session, query.outerjoin(PlayerRow, is_player).where(PlayRow.table_id.in_(ids)))


async def _by_table(session: AsyncSession, query: AnySelect) -> dict[int, list[h.SeatRecord]]:
    found: dict[int, list[h.SeatRecord]] = {}
    for table_id, *seat in sorted(await session.execute(query), key=itemgetter(0, 1)):
        found.setdefault(table_id, []).append(h.SeatRecord(*seat))
    return found


def _result(row: ResultRow) -> h.ResultRecord:
    return from_row(h.ResultRecord, row, scores=decode_numbers(row.scores), games=decode_numbers(row.games))


def _void(row: VoidRow | None) -> h.VoidRecord | None:
    return None if row is None else from_row(h.VoidRecord, row)
