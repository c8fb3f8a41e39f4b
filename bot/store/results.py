"""Rounds and results as rows, written in the transaction of the events that tell them.

Everything here follows from the log alone: the rows can be rebuilt by recording a match's events again.
"""

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncSession

from bot.game.events import CardsDealt, CounterFailed, Event, GameWon, MatchEnded, RoundEnded, SignGuessed
from bot.live.lobby import Status
from bot.store.codec import decode_numbers, encode_numbers
from bot.store.models import ResultRow, RoundRow, TableRow


async def record(session: AsyncSession, table_id: int, event: Event) -> None:
    """Bring rounds and result up to date with one event; most events leave them alone."""
    match event:
        case CardsDealt():
            await session.merge(
                RoundRow(table_id=table_id, round=event.round, dealer=event.dealer, points="[]", started_at=event.at)
            )
            await session.flush()
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
            await _record_end(session, table_id, event)


async def _last_round(session: AsyncSession, table_id: int) -> RoundRow:
    query = select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round.desc()).limit(1)
    return (await session.scalars(query)).one()


def _add(row: RoundRow, points: tuple[int, ...]) -> None:
    before = decode_numbers(row.points) or (0,) * len(points)
    row.points = encode_numbers(_sum(before, points))


async def _record_end(session: AsyncSession, table_id: int, event: MatchEnded) -> None:
    rounds = list(await session.scalars(select(RoundRow).where(RoundRow.table_id == table_id).order_by(RoundRow.round)))
    teams = max((len(decode_numbers(row.points)) for row in rounds), default=0)
    scores = games = (0,) * teams
    for before, row in zip([None, *rounds], rounds, strict=False):
        if before is not None and before.game_winner is not None:
            scores = (0,) * teams  # a new game starts from nothing
        scores = _sum(scores, decode_numbers(row.points) or (0,) * teams)
        if row.game_winner is not None:
            games = tuple(won + (team == row.game_winner) for team, won in enumerate(games))
    values = {
        "table_id": table_id,
        "winner": event.winner,
        "scores": encode_numbers(scores),
        "games": encode_numbers(games),
        "rounds": len(rounds),
        "ended_at": event.at,
    }
    insert = sqlite_insert if session.get_bind().dialect.name == "sqlite" else postgres_insert
    await session.execute(insert(ResultRow).values(values).on_conflict_do_nothing())
    await session.execute(update(TableRow).where(TableRow.id == table_id).values(status=Status.OVER.value))


def _sum(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + point for score, point in zip(scores, points, strict=True))
