"""What was played: finished and running matches, their rounds and who sat where. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.game.rules import Rules
from bot.store.codec import decode_numbers, decode_rules
from bot.store.database import Database
from bot.store.models import ResultRow, RoundRow, SeatRow, TableRow


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sat where; a robot, or somebody who was forgotten, has no user id."""

    seat: int
    team: int
    name: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round; `points` by team, all that were given during it. `outcome` is None while it is played.

    `caller`, `target` and `team` are what was named by the call that ended it. Instants in milliseconds.
    """

    round: int
    dealer: int
    outcome: str | None
    caller: int | None
    target: int | None
    team: int | None
    points: tuple[int, ...]
    started_at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """How a match ended: `winner` is a team, None for a draw; `scores` those of the last game, `games` won by team."""

    winner: int | None
    scores: tuple[int, ...]
    games: tuple[int, ...]
    rounds: int
    ended_at: int


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match; `result` is None unless it was played to its end."""

    id: int
    guild_id: int
    channel_id: int
    status: str
    rules: Rules
    opened_at: int
    started_at: int | None
    seats: tuple[SeatRecord, ...]
    rounds: tuple[RoundRecord, ...]
    result: ResultRecord | None


class History:
    """Every method raises StoreError when the database does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def match(self, table_id: int) -> MatchRecord | None:
        async with self._database.transaction() as session:
            found = await _records(session, (await session.scalars(select(TableRow).filter_by(id=table_id))).all())
            return found[0] if found else None

    async def recent(self, guild_id: int, limit: int = 10) -> tuple[MatchRecord, ...]:
        """The finished matches of a server, youngest end first."""
        query = (
            select(TableRow)
            .join(ResultRow, ResultRow.table_id == TableRow.id)
            .where(TableRow.guild_id == guild_id)
            .order_by(ResultRow.ended_at.desc(), TableRow.id.desc())
            .limit(limit)
        )
        async with self._database.transaction() as session:
            return await _records(session, (await session.scalars(query)).all())


async def _records(session: AsyncSession, tables: Sequence[TableRow]) -> tuple[MatchRecord, ...]:
    ids = [table.id for table in tables]
    seats = await session.scalars(select(SeatRow).where(SeatRow.table_id.in_(ids)).order_by(SeatRow.seat))
    seat_rows = seats.all()
    rounds = await session.scalars(select(RoundRow).where(RoundRow.table_id.in_(ids)).order_by(RoundRow.round))
    round_rows = rounds.all()
    results = {row.table_id: row for row in await session.scalars(select(ResultRow).where(ResultRow.table_id.in_(ids)))}
    return tuple(
        MatchRecord(
            id=table.id,
            guild_id=table.guild_id,
            channel_id=table.channel_id,
            status=table.status,
            rules=decode_rules(table.rules),
            opened_at=table.opened_at,
            started_at=table.started_at,
            seats=tuple(_seat(row) for row in seat_rows if row.table_id == table.id),
            rounds=tuple(_round(row) for row in round_rows if row.table_id == table.id),
            result=_result(results.get(table.id)),
        )
        for table in tables
    )


def _seat(row: SeatRow) -> SeatRecord:
    return SeatRecord(row.seat, row.team, row.name, row.user_id)


def _round(row: RoundRow) -> RoundRecord:
    return RoundRecord(
        row.round,
        row.dealer,
        row.outcome,
        row.caller,
        row.target,
        row.team,
        decode_numbers(row.points),
        row.started_at,
        row.ended_at,
    )


def _result(row: ResultRow | None) -> ResultRecord | None:
    if row is None:
        return None
    return ResultRecord(row.winner, decode_numbers(row.scores), decode_numbers(row.games), row.rounds, row.ended_at)
