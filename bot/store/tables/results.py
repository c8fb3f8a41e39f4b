"""Rounds and results as rows, written in the transaction of the events they follow from.

The transaction that ends a match also counts it, once.
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.game.events import CallMargin, CardsDealt, CounterFailed, Event, GameWon, MatchEnded, RoundEnded, SignGuessed
from bot.game.house_rules import teams_for
from bot.ladder.formula import Formula
from bot.store.engine.sql import lock_table, upsert
from bot.store.ladder.count_match import count_match
from bot.store.ladder.season_store import saved_season
from bot.store.schema import ResultRow, RoundRow, TableRow
from bot.store.schema.codec import decode_numbers, decode_rules, encode_numbers
from bot.store.tables.finished import finished_match, quitters
from bot.tables.lobby import Status


async def record(session: AsyncSession, formula: Formula, table_id: int, event: Event) -> None:
    """Update rounds and result with one event; most events change neither."""
    match event:
        case CardsDealt():
            await session.merge(
                RoundRow(table_id=table_id, round=event.round, dealer=event.dealer, points="[]", started_at=event.at)
            )
            await session.flush()
        case CallMargin():
            row = await _last_round(session, table_id)
            row.margin, row.rival, row.rival_call = event.milliseconds, event.rival, event.call.value
        case CounterFailed() | SignGuessed():
            _add(await _last_round(session, table_id), event.points)
        case RoundEnded():
            row = await _last_round(session, table_id)
            row.outcome, row.caller, row.target, row.team = event.outcome.value, event.caller, event.target, event.team
            row.ended_at = event.at
            _add(row, event.points)
        case GameWon():
            (await _last_round(session, table_id)).game_winner = event.team
        case MatchEnded():
            await _record_end(session, formula, table_id, event)


async def _last_round(session: AsyncSession, table_id: int) -> RoundRow:
    query = select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round.desc()).limit(1)
    return (await session.scalars(query)).one()


def _add(row: RoundRow, points: tuple[int, ...]) -> None:
    before = decode_numbers(row.points) or (0,) * len(points)
    row.points = encode_numbers(_sum(before, points))


async def record_break_off(session: AsyncSession, formula: Formula, table_id: int, at: int) -> None:
    """Save the result of a ranked match that was broken off, if a player has lost it by leaving."""
    table = await session.get_one(TableRow, table_id)
    season = await saved_season(session, table.guild_id, at)
    if table.is_ranked and season and await quitters(session, table_id):
        await _record_result(session, formula, table, None, at, season)


async def _record_end(session: AsyncSession, formula: Formula, table_id: int, event: MatchEnded) -> None:
    table = await session.get_one(TableRow, table_id)
    table.status, table.ended_at = Status.OVER.value, event.at
    season = await saved_season(session, table.guild_id, event.at)
    await _record_result(session, formula, table, event.winner, event.at, season)


async def _record_result(
    session: AsyncSession, formula: Formula, table: TableRow, winner: int | None, at: int, season: int
) -> None:
    await lock_table(session, ResultRow)  # two matches that end at once must not take the same number
    table_id = table.id
    rounds = list(await session.scalars(select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round)))
    teams = teams_for(decode_rules(table.rules), table.size)
    scores = games = (0,) * teams
    for before, row in zip([None, *rounds], rounds, strict=False):
        if before is not None and before.game_winner is not None:
            scores = (0,) * teams  # a new game starts from nothing
        scores = _sum(scores, decode_numbers(row.points) or (0,) * teams)
        if row.game_winner is not None:
            games = tuple(won + (team == row.game_winner) for team, won in enumerate(games))
    recorded = func.coalesce(func.max(ResultRow.number), 0) + 1
    values = {
        "table_id": table_id,
        "guild_id": table.guild_id,
        "number": select(recorded).where(ResultRow.guild_id == table.guild_id).scalar_subquery(),
        "season": season,
        "winner": winner,
        "scores": encode_numbers(scores),
        "games": encode_numbers(games),
        "rounds": len(rounds),
        "ended_at": at,
    }
    new = upsert(session, ResultRow).values(values).on_conflict_do_nothing()
    result = await session.scalar(new.returning(ResultRow))
    if result is not None:
        await count_match(session, await finished_match(session, table, result), formula)


def _sum(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + point for score, point in zip(scores, points, strict=True))
