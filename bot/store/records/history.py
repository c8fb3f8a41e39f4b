"""Reads what was played: results, matches move by move, shared rounds, whole seasons.

A match that was broken off is not in the archive: its hands were never shown. A season is read a few hundred rows at a
time, so that other transactions run in between.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from operator import itemgetter
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from bot.ladder.columns import MATCH_BOARDS, SeatTally
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import Season
from bot.records import history as h
from bot.records.archive import Archive, PastMatch, SharedRound, SharedRounds
from bot.records.file_batches import Progress
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.records.season_files import MatchPart, PersonSums, SeasonMatch, SeasonRecord, SeasonRecords
from bot.robots.level import RobotLevel
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards, ratings_of, stats_of
from bot.store.ladder.point_sources import point_sources_of
from bot.store.schema.codec import decode_numbers, decode_rules, read_log
from bot.store.schema.ladder import PlayerRow, PlayRow, StandingRow, VoidRow
from bot.store.schema.tables import ResultRow, SeatRow, ShareRow, TableRow
from bot.store.sql import Adapter, AnySelect, from_row, read_in_batches, read_page
from bot.tables.lobby.lobby import Status

PAGE: Final = 5
"""Matches on a page."""
_END: Final = h.BeforeKey((0, 0))
"""The page after the oldest match: instants and table ids count from 1."""

_MATCHES: Final = select(TableRow, ResultRow, VoidRow).join(ResultRow).outerjoin(VoidRow)

BATCH_SIZE: Final = 100
"""Rows that one transaction reads."""


class SqlHistory(Adapter, h.History):
    """`History` in SQL."""

    def __init__(self, database: Database, page_size: int = PAGE, formula: Formula = FORMULA) -> None:
        super().__init__(database)
        self._size = page_size
        self._formula = formula

    async def match(self, table_id: int) -> h.MatchRecord | None:
        found = await self._database.query(lambda session: records_of(session, [table_id]))
        return found[0] if found else None

    async def rating_changes(self, table_id: int) -> tuple[h.RatingChange, ...]:
        former = aliased(PlayRow)
        is_former = (
            (former.guild_id == PlayRow.guild_id)
            & (former.user_id == PlayRow.user_id)
            & (former.ranked_number == PlayRow.ranked_number - 1)
            & (former.season == PlayRow.season)
        )
        before = select(former.displayed_rating).where(is_former).scalar_subquery()
        query = select(PlayRow.user_id, before, PlayRow.displayed_rating).where(
            PlayRow.table_id == table_id, PlayRow.displayed_rating.is_not(None), PlayRow.user_id > 0
        )
        return tuple(h.RatingChange(*row) for row in await self._rows(query.order_by(PlayRow.seat)))

    async def history(self, guild_id: int, user_id: int | None = None, page_key: h.PageKey = h.FIRST) -> h.HistoryPage:
        if user_id is None:
            keys = (ResultRow.ended_at, ResultRow.table_id)
            query = select(ResultRow.table_id).where(ResultRow.guild_id == guild_id)
        else:
            keys = (PlayRow.ended_at, PlayRow.table_id)
            query = select(PlayRow.table_id).where(PlayRow.guild_id == guild_id, PlayRow.user_id == user_id)

        def read(session: Session) -> h.HistoryPage:
            rows, has_before, has_after = read_page(session, query, keys, page_key, self._size)
            is_beyond = not rows and has_before
            if is_beyond:
                rows, has_before, _ = read_page(session, query, keys, _END, self._size)
            matches = records_of(session, [row[0] for row in rows])
            return h.HistoryPage(matches, has_before, has_after, is_clamped=is_beyond and bool(matches))

        return await self._database.query(read)

    async def has_played(self, guild_id: int, user_id: int) -> bool:
        own = (PlayRow.guild_id == guild_id, PlayRow.user_id == user_id, PlayRow.has_left.is_(False))
        query = select(PlayRow.table_id).where(*own).limit(1)
        return await self._scalar(query) is not None

    async def matches_played(self, guild_id: int, user_ids: Collection[int] | None) -> Mapping[int, int]:
        whose = PlayRow.user_id > 0 if user_ids is None else PlayRow.user_id.in_(user_ids)
        theirs = (PlayRow.guild_id == guild_id, whose)
        counts = (PlayRow.has_left.is_(False), PlayRow.is_void.is_(False))
        query = select(PlayRow.user_id, func.count()).where(*theirs, *counts).group_by(PlayRow.user_id)
        return dict(map(tuple, await self._rows(query)))

    async def ratings(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, h.RatingView]:
        read = partial(ratings_of, guild_id=guild_id, user_ids=user_ids, at=at, formula=self._formula)
        return await self._database.query(read)

    async def stats(self, guild_id: int, user_id: int, at: int, season: Season | None = None) -> h.PlayerStats | None:
        read = partial(stats_of, guild_id=guild_id, user_id=user_id, at=at, season=season, formula=self._formula)
        return await self._database.query(read)

    async def point_sources(
        self, guild_id: int, user_ids: Collection[int], season: Season
    ) -> Mapping[int, h.PointSources]:
        read = partial(point_sources_of, guild_id=guild_id, user_ids=user_ids, season=season, formula=self._formula)
        return await self._database.query(read)

    async def activity(self, guild_id: int, since: int) -> h.Activity:
        lately = (ResultRow.guild_id == guild_id, ResultRow.ended_at > since)
        earlier = aliased(PlayRow)
        active = (
            select(PlayRow.user_id)
            .join(ResultRow, ResultRow.table_id == PlayRow.table_id)
            .where(*lately, PlayRow.user_id > 0, PlayRow.is_void.is_(False))
            .distinct()
            .subquery()
        )
        theirs = (earlier.guild_id == guild_id, earlier.user_id == active.c.user_id, earlier.ended_at <= since)
        before = select(earlier.ended_at).where(*theirs, earlier.is_void.is_(False))
        last = before.order_by(earlier.ended_at.desc()).limit(1).scalar_subquery()
        starts = (
            select(TableRow.started_at).join(ResultRow).outerjoin(VoidRow).where(*lately, VoidRow.table_id.is_(None))
        )
        began = await self._scalars(starts.order_by(TableRow.started_at))
        former = await self._scalars(select(last).select_from(active))
        return h.Activity(tuple(at for at in began if at is not None), tuple(former))

    async def voids(self, guild_id: int, limit: int) -> tuple[h.VoidRecord, ...]:
        query = select(VoidRow).where(VoidRow.guild_id == guild_id).order_by(VoidRow.at.desc()).limit(limit)
        return tuple(from_row(h.VoidRecord, row) for row in await self._scalars(query))


def records_of(session: Session, ids: Sequence[int]) -> tuple[h.MatchRecord, ...]:
    """Return the matches of these ids, in order."""
    seats, losers = _seats(session, ids), _losers(session, ids)
    found = {
        table.id: _record(table, result, void, seats.get(table.id, ()), losers.get(table.id, ()))
        for table, result, void in session.execute(_MATCHES.where(TableRow.id.in_(ids)))
    }
    return tuple(found[table_id] for table_id in ids if table_id in found)


def _record(
    table: TableRow,
    result: ResultRow,
    void: VoidRow | None,
    seats: Iterable[h.SeatRecord] = (),
    losers: Iterable[h.SeatRecord] = (),
) -> h.MatchRecord:
    scores, games = decode_numbers(result.scores), decode_numbers(result.games)
    return from_row(
        h.MatchRecord,
        table,
        rules=decode_rules(table.rules),
        seats=tuple(seats),
        result=from_row(h.ResultRecord, result, scores=scores, games=games),
        void=None if void is None else from_row(h.VoidRecord, void),
        losers=tuple(losers),
        is_broken_off=table.status != Status.OVER.value,
    )


def _seats(session: Session, ids: Sequence[int]) -> dict[int, list[h.SeatRecord]]:
    """Return the seats by table. If the name is no longer kept, it is the one that the player used last."""
    name = func.coalesce(func.nullif(SeatRow.name, ""), PlayerRow.name, "")
    query = select(SeatRow.table_id, SeatRow.seat, SeatRow.team, name, SeatRow.user_id).join(TableRow)
    is_player = (PlayerRow.guild_id == TableRow.guild_id) & (PlayerRow.user_id == SeatRow.user_id)
    return _by_table(session, query.outerjoin(PlayerRow, is_player).where(SeatRow.table_id.in_(ids)))


def _losers(session: Session, ids: Sequence[int]) -> dict[int, list[h.SeatRecord]]:
    """Return the losers by table that was broken off; an erased player has neither name nor user id."""
    name = func.coalesce(PlayerRow.name, "")
    query = select(PlayRow.table_id, PlayRow.seat, PlayRow.team, name, PlayerRow.user_id).join(
        TableRow, (TableRow.id == PlayRow.table_id) & (TableRow.status != Status.OVER.value) & (PlayRow.outcome < 0)
    )
    is_player = (
        (PlayerRow.guild_id == PlayRow.guild_id) & (PlayerRow.user_id == PlayRow.user_id) & (PlayRow.user_id > 0)
    )
    return _by_table(session, query.outerjoin(PlayerRow, is_player).where(PlayRow.table_id.in_(ids)))


def _by_table(session: Session, query: AnySelect) -> dict[int, list[h.SeatRecord]]:
    found: dict[int, list[h.SeatRecord]] = {}
    for table_id, *seat in sorted(session.execute(query), key=itemgetter(0, 1)):
        found.setdefault(table_id, []).append(h.SeatRecord(*seat))
    return found


class SqlArchive(Adapter, Archive):
    """`Archive` in SQL."""

    async def read(self, table_id: int) -> PastMatch | None:
        query = select(TableRow).join(ResultRow)

        def read(session: Session) -> PastMatch | None:
            table = session.scalar(query.where(TableRow.id == table_id, TableRow.status == Status.OVER.value))
            if table is None:
                return None
            seats = session.scalars(select(SeatRow).where(SeatRow.table_id == table_id).order_by(SeatRow.seat))
            people = tuple(
                Player(
                    row.name,
                    row.user_id,
                    robot_level=RobotLevel(row.robot_level or table.robot_level) if row.user_id is None else None,
                    handover_times=decode_numbers(row.handover_times),
                )
                for row in seats
            )
            entries = read_log(session, table_id)
            return PastMatch(table_id, Theme(table.theme), people, tuple(entry.event for entry in entries))

        return await self._database.query(read)


class SqlSharedRounds(Adapter, SharedRounds):
    """`SharedRounds` in SQL."""

    async def message_of(self, shared: SharedRound) -> int | None:
        row = await self._get(ShareRow, *astuple(shared))
        return None if row is None else row.message_id

    async def save(self, shared: SharedRound, message_id: int) -> None:
        table_id, number, channel_id = astuple(shared)
        values = {"table_id": table_id, "round": number, "channel_id": channel_id, "message_id": message_id}
        await self._put(ShareRow, values)


class SqlSeasonRecords(SeasonRecords):
    """`SeasonRecords` in SQL."""

    def __init__(self, database: Database, batch_size: int = BATCH_SIZE, *, formula: Formula = FORMULA) -> None:
        self._database = database
        self._chunk = batch_size
        self._boards = SqlBoards(database, page_size=batch_size, formula=formula)
        self._exporting = asyncio.Lock()

    async def read(self, guild_id: int, season: Season, at: int, progress: Progress | None = None) -> SeasonRecord:
        progress = progress or Progress()
        count = select(func.count()).where(ResultRow.guild_id == guild_id, ResultRow.season == season.number)
        async with self._exporting:
            progress.total = await self._database.query(lambda session: session.scalar(count) or 0)
            boards = {board: await self._boards.whole(guild_id, season, board, at) for board in MATCH_BOARDS}
            sums = await self._sums(guild_id, season.number)
            matches = await self._matches(guild_id, season.number, progress)
            return SeasonRecord(guild_id, season, boards, sums, matches)

    async def _sums(self, guild_id: int, season: int) -> tuple[PersonSums, ...]:
        keys = (StandingRow.user_id, StandingRow.is_ranked)
        query = (
            select(StandingRow, PlayerRow.name)
            .join(PlayerRow, (PlayerRow.guild_id == StandingRow.guild_id) & (PlayerRow.user_id == StandingRow.user_id))
            .where(StandingRow.guild_id == guild_id, StandingRow.season == season, PlayerRow.is_hidden.is_(False))
        )
        sums: list[PersonSums] = []
        async for rows in read_in_batches(
            self._database, query, keys, self._chunk, lambda row: (row[0].user_id, row[0].is_ranked)
        ):
            sums += [from_row(PersonSums, row, name=name, tally=from_row(SeatTally, row)) for row, name in rows]
        return tuple(sorted(sums, key=lambda each: (not each.is_ranked, -each.wins, each.user_id)))

    async def _matches(self, guild_id: int, season: int, progress: Progress) -> tuple[SeasonMatch, ...]:
        query = _MATCHES.where(ResultRow.guild_id == guild_id, ResultRow.season == season)
        matches: list[SeasonMatch] = []
        async for rows in read_in_batches(
            self._database, query, [ResultRow.number], self._chunk, lambda row: [row[1].number]
        ):
            read = partial(_parts, guild_id=guild_id, ids=[row[0].id for row in rows])
            parts = await self._database.query(read)
            matches += [SeasonMatch(_record(*row), tuple(parts.get(row[0].id, ()))) for row in rows]
            progress.done = len(matches)
        return tuple(matches)


def _parts(session: Session, guild_id: int, ids: Sequence[int]) -> dict[int, list[MatchPart]]:
    """Return by table the players whose part is on record, and the robots that sat there at the end."""
    part = (PlayRow.table_id, PlayRow.seat, PlayRow.team, PlayRow.user_id, PlayRow.outcome, PlayRow.has_left)
    people = (
        select(*part, func.coalesce(PlayerRow.name, ""))
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
    for table_id, seat, team, user_id, outcome, has_left, name in session.execute(people):
        person = MatchPart(seat, team, user_id if name else None, name, False, outcome, has_left)
        found.setdefault(table_id, []).append(person)
    for table_id, seat, team, name in session.execute(robots):
        found.setdefault(table_id, []).append(MatchPart(seat, team, None, name, True, None, False))
    for parts in found.values():
        parts.sort(key=lambda part: (part.seat, part.has_left))
    return found
