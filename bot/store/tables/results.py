"""Results as rows, read from the log. The transaction that ends a match also counts it, once."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.game.events import Event, MatchEnded
from bot.game.evolve import evolve_all
from bot.game.state import State
from bot.ladder.formula import Formula
from bot.ladder.outcomes import is_early, leader, outcome, places
from bot.ladder.tally import SeatTally, tally
from bot.store.ladder.count_match import Play, count_match
from bot.store.ladder.season_store import saved_season
from bot.store.schema.codec import decode_numbers, encode, read_log
from bot.store.schema.tables import DepartureRow, ResultRow, SeatRow, TableRow
from bot.store.sql import lock_table, upsert
from bot.tables.lobby.lobby import Status


async def record_break_off(
    session: AsyncSession, formula: Formula, table_id: int, at: int, ended_by: int | None = None
) -> None:
    """Save the result of a ranked match that was broken off, if a player has lost it.

    The leading team wins a match that ends by players who are behind. Any other one is lost for the player `ended_by`
    alone, who ended it at will; else for all who have left it.
    """
    table = await session.get_one(TableRow, table_id)
    season = await saved_season(session, table.guild_id, at)
    gone = await _quitters(session, table_id)
    if not table.is_ranked or not season:
        return
    state = evolve_all(None, [entry.event for entry in await read_log(session, table_id)])
    winner, teams = leader(state.games, state.scores), len(state.scores)
    if ended_by is None:
        first = {row.seat: row for row in reversed(gone)}
        losers = [row for row in gone if first[row.seat] is row]
        causes = [row for row in losers if row.at == at]
    else:
        losers = causes = [row for row in gone if row.user_id == ended_by]
    if winner is not None and causes and all(row.seat % teams != winner for row in causes):
        await _record_result(session, formula, table, winner, at, season)
    elif losers:
        await _record_result(session, formula, table, None, at, season, losers)


async def record_end(session: AsyncSession, formula: Formula, table_id: int, event: MatchEnded) -> None:
    table = await session.get_one(TableRow, table_id)
    table.status = Status.OVER.value
    season = await saved_season(session, table.guild_id, event.at)
    await _record_result(session, formula, table, event.winner, event.at, season)


async def _record_result(
    session: AsyncSession,
    formula: Formula,
    table: TableRow,
    winner: int | None,
    at: int,
    season: int,
    losers: Collection[DepartureRow] = (),
) -> None:
    """Save and count a result, once. `losers` are those of a match that was broken off and nobody has won.

    Raises StoreError when the log is damaged.
    """
    await lock_table(session, ResultRow)  # two matches that end at once must not take the same number
    table_id = table.id
    events = [entry.event for entry in await read_log(session, table_id)]
    state = evolve_all(None, events)
    recorded = func.coalesce(func.max(ResultRow.number), 0) + 1
    values = {
        "table_id": table_id,
        "guild_id": table.guild_id,
        "number": select(recorded).where(ResultRow.guild_id == table.guild_id).scalar_subquery(),
        "season": season,
        "winner": winner,
        "scores": encode(state.scores),
        "games": encode(state.games),
        "rounds": state.round,
        "ended_at": at,
    }
    new = upsert(session, ResultRow).values(values).on_conflict_do_nothing()
    result = await session.scalar(new.returning(ResultRow))
    if result is not None:
        plays = _losses(table, result, losers) if losers else await _plays(session, table, result, events)
        await count_match(session, result, plays, formula, is_broken_off=bool(losers))


async def _plays(session: AsyncSession, table: TableRow, result: ResultRow, events: Sequence[Event]) -> list[Play]:
    """The part of each player in a match that somebody has won, or that was played to its end.

    A player who left and did not come back has lost, and the log tells nothing of them. A match is not ranked for a
    player who took a seat over.
    """
    seats = (await session.scalars(select(SeatRow).where(SeatRow.table_id == table.id).order_by(SeatRow.seat))).all()
    gone = await _quitters(session, table.id)
    placed = places(result.winner, decode_numbers(result.games), decode_numbers(result.scores))
    is_ranked = table.is_ranked and result.season > 0 and result.rounds > 0  # time may be called before the first deal
    tallies = tally(events, [decode_numbers(row.handed_over) for row in seats])
    first = {row.seat: row for row in reversed(gone)}

    def play(row: SeatRow | DepartureRow, user_id: int, counted: SeatTally, *, has_left: bool, is_ranked: bool) -> Play:
        team = row.seat % len(placed)
        score = outcome(placed, team, has_left=has_left)
        return Play(user_id, row.name, row.seat, team, placed[team], score, has_left, is_ranked, counted)

    stayed = [
        play(row, row.user_id, tallies[row.seat], has_left=False, is_ranked=is_ranked and row.seat not in first)
        for row in seats
        if row.user_id is not None and not row.is_away
    ]
    left = [
        replace(
            play(row, row.user_id, SeatTally(), has_left=True, is_ranked=is_ranked and first[row.seat] is row),
            left_early=is_early(_state_at(events, row.at), row.seat % len(placed)),
        )
        for row in gone
    ]
    return [*stayed, *left]


def _state_at(events: Iterable[Event], at: int) -> State:
    return evolve_all(None, (event for number, event in enumerate(events) if not number or event.at <= at))


def _losses(table: TableRow, result: ResultRow, losers: Collection[DepartureRow]) -> list[Play]:
    """The parts of those who have lost a ranked match that was broken off; nobody else has a part in it."""
    placed = places(None, decode_numbers(result.games), decode_numbers(result.scores))
    teams = len(placed)
    return [
        Play(row.user_id, row.name, row.seat, row.seat % teams, placed[row.seat % teams], -1, True, True, SeatTally())
        for row in losers
    ]


async def _quitters(session: AsyncSession, table_id: int) -> Sequence[DepartureRow]:
    """The players who left a match and are not back, in the order in which they left."""
    present = select(SeatRow.user_id).where(
        SeatRow.table_id == table_id, SeatRow.is_away.is_(False), SeatRow.user_id.is_not(None)
    )
    gone = select(DepartureRow).where(DepartureRow.table_id == table_id, DepartureRow.user_id.not_in(present))
    return (await session.scalars(gone.order_by(DepartureRow.at))).all()
