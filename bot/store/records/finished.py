"""What there is to count of a finished match: who sat where to the end, who left, and what the log tells of each."""

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.outcomes import outcome, places
from bot.ladder.tally import SeatTally, tally
from bot.store.engine.models import DepartureRow, PlayRow, ResultRow, SeatRow, TableRow
from bot.store.ladder.count_match import Finished, Play, play_values
from bot.store.tables.codec import Codec, decode_numbers
from bot.store.tables.entries import read_log
from bot.tables.lobby import Status


async def record_plays(session: AsyncSession, codec: Codec, table_id: int) -> None:
    """Write down what each person did in a match that ended before that was done; its ratings are made later.

    Raises:
        StoreError: the log is damaged.
    """
    table, result = await session.get_one(TableRow, table_id), await session.get_one(ResultRow, table_id)
    match = await finished(session, codec, table, result)
    if match.plays:
        await session.execute(insert(PlayRow), [play_values(match, play, None) for play in match.plays])


async def finished(session: AsyncSession, codec: Codec, table: TableRow, result: ResultRow) -> Finished:
    """Whoever left, or went away, and did not come back has lost, and nothing else to show.

    Who took a seat over is not ranked. A match that was broken off counts for those alone whose ranked loss it is.

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
    tallies = () if is_broken_off else tally(entry.event for entry in await read_log(session, codec, table.id))
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
    return Finished(
        table.id, table.guild_id, result.season, result.ended_at, result.rounds, plays, is_broken_off=is_broken_off
    )


async def quitters(session: AsyncSession, table_id: int) -> Sequence[DepartureRow]:
    """Whoever left a match, or went away, and is not back, in the order in which they left."""
    present = select(SeatRow.user_id).where(
        SeatRow.table_id == table_id, SeatRow.is_away.is_(False), SeatRow.user_id.is_not(None)
    )
    gone = select(DepartureRow).where(DepartureRow.table_id == table_id, DepartureRow.user_id.not_in(present))
    return (await session.scalars(gone.order_by(DepartureRow.at))).all()
