"""Rounds and results as rows, written in the transaction of the events that tell them.

They follow from the log alone. The transaction that ends a match also counts it, once.
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.game.events import CallMargin, CardsDealt, CounterFailed, Event, GameWon, MatchEnded, RoundEnded, SignGuessed
from bot.game.house_rules import teams_for
from bot.ladder.formula import Formula
from bot.store.engine.models import ResultRow, RoundRow, TableRow
from bot.store.engine.sql import hold_back, upsert
from bot.store.ladder.count_match import count
from bot.store.ladder.season_store import settled_season
from bot.store.records.finished import finished, quitters
from bot.store.tables.codec import Codec, decode_numbers, decode_rules, encode_numbers
from bot.tables.lobby import Status


async def record(session: AsyncSession, codec: Codec, formula: Formula, table_id: int, event: Event) -> None:
    """Bring rounds and result up to date with one event; most events leave them alone."""
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
            await _record_end(session, codec, formula, table_id, event)


async def _last_round(session: AsyncSession, table_id: int) -> RoundRow:
    query = select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round.desc()).limit(1)
    return (await session.scalars(query)).one()


def _add(row: RoundRow, points: tuple[int, ...]) -> None:
    before = decode_numbers(row.points) or (0,) * len(points)
    row.points = encode_numbers(_sum(before, points))


async def record_break_off(session: AsyncSession, codec: Codec, formula: Formula, table_id: int, at: int) -> None:
    """A ranked match that ended otherwise than by its rules has a result if somebody has left it, and lost."""
    table = await session.get_one(TableRow, table_id)
    season = await settled_season(session, table.guild_id, at)
    if table.is_ranked and season and await quitters(session, table_id):
        await _record_result(session, codec, formula, table, None, at, season)


async def _record_end(session: AsyncSession, codec: Codec, formula: Formula, table_id: int, event: MatchEnded) -> None:
    table = await session.get_one(TableRow, table_id)
    table.status, table.ended_at = Status.OVER.value, event.at
    season = await settled_season(session, table.guild_id, event.at)
    await _record_result(session, codec, formula, table, event.winner, event.at, season)


async def _record_result(
    session: AsyncSession, codec: Codec, formula: Formula, table: TableRow, winner: int | None, at: int, season: int
) -> None:
    await hold_back(session, ResultRow)  # two that end at once would take the same number, and one be lost
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
        await count(session, await finished(session, codec, table, result), formula)


def _sum(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + point for score, point in zip(scores, points, strict=True))
