"""Everything that follows from the record of finished matches, made anew: standings, pairs and ratings.

A match that is declared void is left out, and then all is as if it had never been played. Rating a large server's
matches takes a while: it is done beside the database, and written only if nothing has changed meanwhile.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, case, delete, exists, func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.ladder.formula import FORMULA, Formula, Rating, chain, shown
from bot.live.ladder import VoidCode
from bot.live.lobby import Status
from bot.store.codec import Codec
from bot.store.counting import PAIR_SUMS, SUMS, TALLY, player_values, ranked_match, standing_values
from bot.store.database import Database
from bot.store.endings import ask_again
from bot.store.finished import record_plays
from bot.store.models import PairRow, PlayerRow, PlayRow, ResultRow, StandingRow, TableRow, VoidRow

CHUNK: Final = 4000
"""Rows that are read at once; between two reads others may write."""


class _Seat(NamedTuple):
    """One person of a ranked match, with the rating that is stored so far."""

    number: int
    user_id: int
    table_id: int
    season: int
    ended_at: int
    team: int
    place: int
    has_left: bool
    is_broken_off: bool
    mu: float | None
    sigma: float | None


@dataclass(frozen=True, slots=True)
class _Rated:
    """The ratings after one match, and what is stored of them so far: mean and deviation by user."""

    table_id: int
    season: int
    after: dict[int, Rating]
    stored: dict[int, tuple[float | None, float | None]]


class Recount:
    """Rebuilds, and the `Referee` of `bot.live.ladder`."""

    def __init__(
        self,
        database: Database,
        codec: Codec | None = None,
        *,
        formula: Formula = FORMULA,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is called when the boards of seasons that are over may have changed."""
        self._database = database
        self._codec = codec or Codec()
        self._formula = formula
        self._changed = changed

    async def rebuild(self) -> int:
        """Make the standings of all servers anew, and return how many matches were counted.

        What each person did is read from the logs of matches that ended before it was recorded.
        """
        async with self._database.transaction() as session:
            guilds = (await session.scalars(select(ResultRow.guild_id).distinct())).all()
        for guild_id in guilds:
            await self._fill(guild_id)
            await self._recount(guild_id)
        async with self._database.transaction() as session:
            return await session.scalar(select(func.count()).select_from(ResultRow)) or 0

    async def void(self, guild_id: int, table_id: int, *, by_id: int, reason: str, at: int) -> VoidCode:
        """See `Referee.void`."""
        async with self._database.transaction() as session:
            result = await session.get(ResultRow, table_id)
            if result is None or result.guild_id != guild_id:
                return VoidCode.NO_MATCH
            if await session.get(VoidRow, table_id) is not None:
                return VoidCode.ALREADY_VOID
        await self._recount(
            guild_id, VoidRow(table_id=table_id, guild_id=guild_id, by_id=by_id, reason=reason, at=at), result.season
        )
        self._changed()
        return VoidCode.VOIDED

    async def _fill(self, guild_id: int) -> None:
        played = exists().where(PlayRow.table_id == ResultRow.table_id)
        query = (
            select(ResultRow.table_id)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .where(ResultRow.guild_id == guild_id, TableRow.purged_at.is_(None), ~played)
        )
        async with self._database.transaction() as session:
            missing = (await session.scalars(query)).all()
        for table_id in missing:
            async with self._database.transaction() as session:
                await record_plays(session, self._codec, table_id)

    async def _recount(self, guild_id: int, void: VoidRow | None = None, season: int | None = None) -> None:
        """Count a server's matches again, of one season or of all, without the one that becomes void."""
        while True:
            async with self._database.transaction() as session:
                stamp = await _stamp(session, guild_id)
            rows = await self._read(guild_id, 0 if void is None else void.table_id)
            history = await asyncio.to_thread(_rate_all, rows, self._formula)
            async with self._database.transaction() as session:
                if await _stamp(session, guild_id) != stamp:
                    continue
                if void is not None:
                    session.add(void)
                    ours = update(PlayRow).where(PlayRow.table_id == void.table_id)
                    await session.execute(ours.values(is_void=True, mu=None, sigma=None, shown=None))
                await add_up_again(session, guild_id, season)
                await _write_ratings(session, guild_id, history, self._formula)
                await ask_again(session, guild_id, season or 0)
                return

    async def _read(self, guild_id: int, without: int) -> list[_Seat]:
        """Who was ranked in each match, in the order in which the matches were counted."""
        query = (
            select(
                ResultRow.number,
                PlayRow.user_id,
                PlayRow.table_id,
                PlayRow.season,
                PlayRow.ended_at,
                PlayRow.team,
                PlayRow.place,
                PlayRow.has_left,
                TableRow.status != Status.OVER.value,
                PlayRow.mu,
                PlayRow.sigma,
            )
            .join(PlayRow, PlayRow.table_id == ResultRow.table_id)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .where(ResultRow.guild_id == guild_id, PlayRow.is_ranked.is_(True), PlayRow.is_void.is_(False))
            .where(PlayRow.table_id != without)
            .order_by(ResultRow.number, PlayRow.user_id)
            .limit(CHUNK)
        )
        rows: list[_Seat] = []
        last = (0, 0)
        while True:
            async with self._database.transaction() as session:
                after = query.where(tuple_(ResultRow.number, PlayRow.user_id) > last)
                chunk = [_Seat._make(row) for row in await session.execute(after)]
            rows += chunk
            if len(chunk) < CHUNK:
                return rows
            last = (chunk[-1].number, chunk[-1].user_id)


async def _stamp(session: AsyncSession, guild_id: int) -> tuple[int | None, ...]:
    """Changes whenever a match is counted or declared void, or somebody is forgotten."""
    queries = (
        select(func.max(ResultRow.number)).where(ResultRow.guild_id == guild_id),
        select(func.count()).select_from(VoidRow).where(VoidRow.guild_id == guild_id),
        select(func.count()).select_from(PlayerRow).where(PlayerRow.guild_id == guild_id),
    )
    return tuple([await session.scalar(query) for query in queries])


def _rate_all(rows: Iterable[_Seat], formula: Formula) -> list[_Rated]:
    played = [(table_id, list(group)) for table_id, group in groupby(rows, key=lambda row: row.table_id)]
    matches = [
        ranked_match(
            group[0].season,
            group[0].ended_at,
            ((r.user_id, r.team, r.place, r.has_left) for r in group),
            is_broken_off=group[0].is_broken_off,
        )
        for _, group in played
    ]
    return [
        _Rated(table_id, group[0].season, after, {row.user_id: (row.mu, row.sigma) for row in group})
        for (table_id, group), after in zip(played, chain((match for match in matches if match), formula), strict=True)
    ]


async def add_up_again(session: AsyncSession, guild_id: int, season: int | None = None) -> None:
    """Standings and pairs, still without ratings. Forgotten people have none."""

    def only(row: Any) -> list[ColumnElement[bool]]:
        return [row.guild_id == guild_id, *([] if season is None else [row.season == season])]

    await session.execute(delete(StandingRow).where(*only(StandingRow)))
    await session.execute(delete(PairRow).where(*only(PairRow)))
    keys = (PlayRow.guild_id, PlayRow.user_id, PlayRow.season, PlayRow.is_ranked)
    sums = {
        "matches": func.count(),
        "wins": _sum(PlayRow.outcome == 1),
        "draws": _sum(PlayRow.outcome == 0),
        **{name: func.sum(getattr(PlayRow, name)) for name in ("rounds", *TALLY)},
    }
    counted = (*only(PlayRow), PlayRow.is_void.is_(False), PlayRow.user_id > 0)
    standings = select(*keys, *(sums[name] for name in SUMS)).where(*counted).group_by(*keys)
    await session.execute(insert(StandingRow).from_select([*(key.key for key in keys), *SUMS], standings))
    names = ["guild_id", "low_id", "high_id", "season", "is_ranked", *PAIR_SUMS]
    await session.execute(insert(PairRow).from_select(names, _pairs(only)))


def _pairs(only: Any) -> Select[*tuple[Any, ...]]:
    low, high = aliased(PlayRow), aliased(PlayRow)
    together = low.team == high.team
    is_ranked = low.is_ranked & high.is_ranked
    return (
        select(
            low.guild_id,
            low.user_id,
            high.user_id,
            low.season,
            is_ranked,
            _sum(together),
            _sum(together & (low.outcome == 1) & (high.outcome == 1)),
            _sum(~together),
            _sum(~together & (low.outcome == 1)),
            _sum(~together & (high.outcome == 1)),
        )
        .join(high, (high.table_id == low.table_id) & (high.user_id > low.user_id) & (high.seat != low.seat))
        .where(*only(low), low.is_void.is_(False), low.user_id > 0)
        .group_by(low.guild_id, low.user_id, high.user_id, low.season, is_ranked)
    )


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


async def _write_ratings(session: AsyncSession, guild_id: int, history: Iterable[_Rated], formula: Formula) -> None:
    plays: list[dict[str, Any]] = []
    in_season: dict[tuple[int, int], Rating] = {}
    present: dict[int, Rating] = {}
    for match in history:
        present |= match.after
        in_season |= {(match.season, user_id): rating for user_id, rating in match.after.items()}
        plays += (
            {"table_id": match.table_id, "user_id": user_id, "mu": r.mu, "sigma": r.sigma, "shown": shown(r, formula)}
            for user_id, r in match.after.items()
            if match.stored[user_id] != (r.mu, r.sigma)
        )
    standings = [
        {
            "guild_id": guild_id,
            "user_id": user_id,
            "season": number,
            "is_ranked": True,
            **standing_values(rating, formula),
        }
        for (number, user_id), rating in in_season.items()
        if user_id > 0
    ]
    players = [
        {"guild_id": guild_id, "user_id": user_id, **player_values(rating)}
        for user_id, rating in present.items()
        if user_id > 0
    ]
    await session.execute(update(PlayerRow).where(PlayerRow.guild_id == guild_id).values(player_values(None)))
    for row, values in ((PlayRow, plays), (StandingRow, standings), (PlayerRow, players)):
        if values:
            await session.execute(update(row), values)
