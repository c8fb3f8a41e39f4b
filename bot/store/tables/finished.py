"""What counts of a match that has ended: who sat there to the end, who left, and what the log tells of each player."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.outcomes import outcome, places
from bot.ladder.tally import SeatTally, tally
from bot.store.ladder.count_match import FinishedMatch, Play
from bot.store.schema import DepartureRow, ResultRow, SeatRow, TableRow
from bot.store.schema.codec import decode_numbers
from bot.store.schema.event_log import read_log
from bot.tables.lobby import Status


async def finished_match(session: AsyncSession, table: TableRow, result: ResultRow) -> FinishedMatch:
    """The match as it is counted.

    A player who left and did not come back has lost, and the log tells nothing of them. A match is not ranked for a
    player who took a seat over. A match that was broken off counts only for those who lost it by leaving.

    Raises:
        StoreError: the log is damaged.
    """
    seats = (await session.scalars(select(SeatRow).where(SeatRow.table_id == table.id).order_by(SeatRow.seat))).all()
    gone = await quitters(session, table.id)
    given_up = {row.seat for row in gone}
    teams = len(decode_numbers(result.scores))
    placed = places(result.winner, decode_numbers(result.games), decode_numbers(result.scores))
    broken = {seat % teams for seat in given_up}
    is_ranked = table.is_ranked and result.season > 0
    is_broken_off = table.status != Status.OVER.value
    tallies = () if is_broken_off else tally(entry.event for entry in await read_log(session, table.id))
    stayed = [
        Play(
            row.user_id,
            row.name,
            row.seat,
            row.team,
            placed[row.team],
            outcome(placed, row.team, is_shielded=row.team in broken),
            has_left=False,
            is_ranked=is_ranked and row.seat not in given_up,
            tally=tallies[row.seat],
        )
        for row in seats
        if row.user_id is not None and not row.is_away and not is_broken_off
    ]
    first = {row.seat: row for row in reversed(gone)}
    left = [
        Play(
            row.user_id,
            row.name,
            row.seat,
            row.seat % teams,
            placed[row.seat % teams],
            outcome(placed, row.seat % teams, has_left=True),
            has_left=True,
            is_ranked=is_ranked and first[row.seat] is row,
            tally=SeatTally(),
        )
        for row in gone
        if not is_broken_off or (is_ranked and first[row.seat] is row)
    ]
    plays = (*stayed, *left)
    return FinishedMatch(
        table.id, table.guild_id, result.season, result.ended_at, result.rounds, plays, is_broken_off=is_broken_off
    )


async def quitters(session: AsyncSession, table_id: int) -> Sequence[DepartureRow]:
    """The players who left a match and are not back, in the order in which they left."""
    present = select(SeatRow.user_id).where(
        SeatRow.table_id == table_id, SeatRow.is_away.is_(False), SeatRow.user_id.is_not(None)
    )
    gone = select(DepartureRow).where(DepartureRow.table_id == table_id, DepartureRow.user_id.not_in(present))
    return (await session.scalars(gone.order_by(DepartureRow.at))).all()
