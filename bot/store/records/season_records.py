"""A whole season, read a few hundred rows at a time, so that other transactions run in between."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.seasons import Board, Season
from bot.ladder.tally import SeatTally
from bot.records.history import FIRST, After, BoardLine, Spot
from bot.records.season_files import MatchPart, PersonSums, SeasonMatch, SeasonRecord, SeasonRecords
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.schema.codec import decode_numbers, decode_rules
from bot.store.schema.ladder import PlayerRow, PlayRow, StandingRow, VoidRow
from bot.store.schema.tables import ResultRow, SeatRow, TableRow
from bot.store.sql import from_row, read_in_chunks
from bot.tables.lobby.lobby import Status

CHUNK: Final = 400
"""Rows that one transaction reads."""


class SqlSeasonRecords(SeasonRecords):
    def __init__(self, database: Database, chunk: int = CHUNK) -> None:
        self._database = database
        self._chunk = chunk
        self._boards = SqlBoards(database, page_size=chunk)

    async def read(self, guild_id: int, season: Season, at: int) -> SeasonRecord:
        boards = {board: await self._board(guild_id, season, board, at) for board in Board}
        sums = await self._sums(guild_id, season.number)
        return SeasonRecord(guild_id, season, boards, sums, await self._matches(guild_id, season.number))

    async def _board(self, guild_id: int, season: Season, board: Board, at: int) -> tuple[BoardLine, ...]:
        lines: list[BoardLine] = []
        spot: Spot = FIRST
        while True:
            page = await self._boards.board(guild_id, season, board, at, spot)
            lines += page.lines
            if not page.has_after:
                return tuple(lines)
            spot = After(lines[-1].key)

    async def _sums(self, guild_id: int, season: int) -> tuple[PersonSums, ...]:
        keys = (StandingRow.user_id, StandingRow.is_ranked)
        query = (
            select(StandingRow, PlayerRow.name)
            .join(PlayerRow, (PlayerRow.guild_id == StandingRow.guild_id) & (PlayerRow.user_id == StandingRow.user_id))
            .where(StandingRow.guild_id == guild_id, StandingRow.season == season, PlayerRow.is_hidden.is_(False))
        )
        sums: list[PersonSums] = []
        async for rows in read_in_chunks(
            self._database, query, keys, self._chunk, lambda row: (row[0].user_id, row[0].is_ranked)
        ):
            sums += [from_row(PersonSums, row, name=name, tally=from_row(SeatTally, row)) for row, name in rows]
        return tuple(sorted(sums, key=lambda one: (not one.is_ranked, -one.wins, one.user_id)))

    async def _matches(self, guild_id: int, season: int) -> tuple[SeasonMatch, ...]:
        query = (
            select(ResultRow, TableRow, VoidRow.table_id)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .outerjoin(VoidRow, VoidRow.table_id == ResultRow.table_id)
            .where(ResultRow.guild_id == guild_id, ResultRow.season == season)
        )
        matches: list[SeasonMatch] = []
        async for rows in read_in_chunks(
            self._database, query, [ResultRow.number], self._chunk, lambda row: [row[0].number]
        ):
            async with self._database.transaction() as session:
                parts = await _parts(session, guild_id, [row[0].table_id for row in rows])
            matches += [
                _match(result, table, parts.get(result.table_id, ()), is_void=void is not None)
                for result, table, void in rows
            ]
        return tuple(matches)


def _match(result: ResultRow, table: TableRow, parts: Iterable[MatchPart], *, is_void: bool) -> SeasonMatch:
    return from_row(
        SeasonMatch,
        result,
        number=result.table_id,
        preset=decode_rules(table.rules).preset,
        is_ranked=table.is_ranked,
        is_void=is_void,
        is_broken_off=table.status != Status.OVER.value,
        scores=decode_numbers(result.scores),
        games=decode_numbers(result.games),
        parts=tuple(sorted(parts, key=lambda part: (part.seat, part.has_left))),
    )


async def _parts(session: AsyncSession, guild_id: int, ids: Sequence[int]) -> dict[int, list[MatchPart]]:
    """By table: the players whose part is on record, and the robots that sat there at the end."""
    people = (
        select(PlayRow, func.coalesce(PlayerRow.name, ""))
        .outerjoin(
            PlayerRow,
            (PlayerRow.guild_id == guild_id) & (PlayerRow.user_id == PlayRow.user_id) & PlayerRow.is_hidden.is_(False),
        )
        .where(PlayRow.table_id.in_(ids))
    )
    robots = select(SeatRow.table_id, SeatRow.seat, SeatRow.team, SeatRow.name).where(
        SeatRow.table_id.in_(ids), SeatRow.user_id.is_(None), SeatRow.name != ""
    )
    found: dict[int, list[MatchPart]] = {}
    for row, name in await session.execute(people):
        part = MatchPart(row.seat, row.team, row.user_id if name else None, name, False, row.outcome, row.has_left)
        found.setdefault(row.table_id, []).append(part)
    for table_id, seat, team, name in await session.execute(robots):
        found.setdefault(table_id, []).append(MatchPart(seat, team, None, name, True, None, False))
    return found
