"""What there is to count of a finished match: who sat where to the end, who left, and what the log tells of each."""

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.outcomes import outcome, places
from bot.ladder.tally import SeatTally, tally
from bot.store.codec import Codec, decode_numbers
from bot.store.counting import Finished, Play, play_values
from bot.store.entries import read_log
from bot.store.models import DepartureRow, PlayRow, ResultRow, SeatRow, TableRow


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

    Who took a seat over is not ranked.

    Raises:
        StoreError: the log is damaged.
    """
    seats = (await session.scalars(select(SeatRow).where(SeatRow.table_id == table.id).order_by(SeatRow.seat))).all()
    left = await session.scalars(
        select(DepartureRow).where(DepartureRow.table_id == table.id).order_by(DepartureRow.at)
    )
    present = {seat.user_id for seat in seats if not seat.is_away}
    quitters = [row for row in left if row.user_id not in present]
    given_up = {row.seat for row in quitters}
    teams = len(decode_numbers(result.scores))
    placed = places(result.winner, decode_numbers(result.games), decode_numbers(result.scores))
    broken = {seat % teams for seat in given_up}
    is_ranked = table.is_ranked and result.season > 0
    tallies = tally(entry.event for entry in await read_log(session, codec, table.id))
    plays = [
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
        if row.user_id is not None and not row.is_away
    ]
    first = {row.seat: row for row in reversed(quitters)}
    plays += [
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
        for row in quitters
    ]
    return Finished(table.id, table.guild_id, result.season, result.ended_at, result.rounds, tuple(plays))
