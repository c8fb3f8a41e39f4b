"""Counts a finished match in one transaction: what each player did in it, then standings, pairs and ratings.

Only the record of what each player did (`plays`) is a source; `bot.store.ladder.recount` computes the rest from it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any, Final

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.formula import (
    FORMULA,
    Formula,
    RankedMatch,
    Rating,
    Side,
    fresh_until,
    is_provisional,
    rate,
    repeats_since,
    shown,
)
from bot.ladder.tally import SeatTally
from bot.store.engine.sql import upsert
from bot.store.schema import PairRow, PlayerRow, PlayRow, StandingRow, TableRow
from bot.store.schema.codec import encode
from bot.tables.lobby.lobby import Status

TALLY: Final = tuple(field.name for field in fields(SeatTally))
SUMS: Final = ("matches", "wins", "draws", "rounds", *TALLY)
"""The columns of `StandingRow` that add up."""
RATED: Final = ("mu", "sigma", "rated_at", "shown", "is_provisional", "fresh_until")
"""The columns of `StandingRow` that the last match sets."""
PAIR_SUMS: Final = ("together", "together_wins", "apart", "low_wins", "high_wins")


@dataclass(frozen=True, slots=True)
class Play:
    """One player's part in a match; see `PlayRow`."""

    user_id: int
    name: str
    seat: int
    team: int
    place: int
    outcome: int
    has_left: bool
    is_ranked: bool
    tally: SeatTally


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match to count. `season` is 0 between seasons; a match that `is_broken_off` has only the quitters' plays."""

    table_id: int
    guild_id: int
    season: int
    ended_at: int
    rounds: int
    plays: tuple[Play, ...]
    is_broken_off: bool = False


async def count_match(session: AsyncSession, match: FinishedMatch, formula: Formula = FORMULA) -> None:
    """Add a match that was not counted before. A player whose data was erased has a record and no standing."""
    ratings = await _rate(session, match, formula)
    await session.execute(
        insert(PlayRow), [_play_values(match, play, ratings.get(play.user_id)) for play in match.plays]
    )
    people = [play for play in match.plays if play.user_id > 0]
    if not people:
        return
    await _merge_players(session, match, people, ratings)
    await _add_up(session, StandingRow, SUMS, _standings(match, people, ratings, formula), RATED)
    pairs = list(_pairs(match, people))
    if pairs:
        await _add_up(session, PairRow, PAIR_SUMS, pairs)


def ranked_match(
    season: int, at: int, people: Iterable[tuple[int, int, int, bool]], *, is_broken_off: bool
) -> RankedMatch | None:
    """The match of `people`, each as user, team, place and whether they left; None without people."""
    teams: dict[int, list[tuple[int, int, bool]]] = {}
    for user_id, team, place, has_left in people:
        teams.setdefault(team, []).append((user_id, place, has_left))
    sides = tuple(
        Side(members[0][1], tuple(m[0] for m in members), frozenset(m[0] for m in members if m[2]))
        for members in teams.values()
    )
    return RankedMatch(season, at, sides, is_broken_off) if sides else None


def rating_of(row: PlayerRow) -> Rating | None:
    """A player's present rating, if there is one."""
    if row.mu is None:
        return None
    assert row.sigma is not None
    assert row.season is not None
    assert row.rated_at is not None
    partners = msgspec.json.decode(row.partners or "[]", type=frozenset[int])
    return Rating(row.mu, row.sigma, row.season, row.rated_at, row.matches or 0, partners)


def player_values(rating: Rating | None) -> dict[str, Any]:
    """The columns of `PlayerRow` that hold the rating."""
    if rating is None:
        return dict.fromkeys(("mu", "sigma", "season", "rated_at", "matches", "partners"))
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "season": rating.season,
        "rated_at": rating.last_at,
        "matches": rating.matches,
        "partners": encode(tuple(sorted(rating.partners))),
    }


def standing_values(rating: Rating | None, formula: Formula = FORMULA) -> dict[str, Any]:
    """The columns of `StandingRow` that hold the rating as it is right after the match."""
    if rating is None:
        return dict.fromkeys(RATED)
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "rated_at": rating.last_at,
        "shown": shown(rating, formula),
        "is_provisional": is_provisional(rating, formula),
        "fresh_until": fresh_until(rating, rating.last_at, formula),
    }


async def _rate(session: AsyncSession, match: FinishedMatch, formula: Formula) -> Mapping[int, Rating]:
    ranked = ranked_match(
        match.season,
        match.ended_at,
        ((p.user_id, p.team, p.place, p.has_left) for p in match.plays if p.is_ranked),
        is_broken_off=match.is_broken_off,
    )
    if ranked is None:
        return {}
    users = sorted(ranked.people)
    rows = await session.scalars(
        select(PlayerRow).where(PlayerRow.guild_id == match.guild_id, PlayerRow.user_id.in_(users))
    )
    before = {row.user_id: rating for row in rows if (rating := rating_of(row)) is not None}
    return rate(ranked, before, await _repeats(session, match, users, formula), formula)


async def _repeats(session: AsyncSession, match: FinishedMatch, users: Sequence[int], formula: Formula) -> int:
    """How many counting ranked matches exactly these players ended so shortly before that this one weighs less."""
    together = (
        select(PlayRow.table_id)
        .join(TableRow, TableRow.id == PlayRow.table_id)
        .where(
            PlayRow.guild_id == match.guild_id,
            PlayRow.user_id.in_(users),
            PlayRow.ended_at > repeats_since(match.ended_at, formula),
            PlayRow.is_ranked.is_(True),
            PlayRow.is_void.is_(False),
            TableRow.size == len(users),
            TableRow.status == Status.OVER.value,
        )
        .group_by(PlayRow.table_id)
        .having(func.count() == len(users))
    )
    return await session.scalar(select(func.count()).select_from(together.subquery())) or 0


async def _merge_players(
    session: AsyncSession, match: FinishedMatch, people: Iterable[Play], ratings: Mapping[int, Rating]
) -> None:
    new = upsert(session, PlayerRow)
    rated = player_values(None)
    keep = {name: func.coalesce(new.excluded[name], getattr(PlayerRow, name)) for name in rated}
    await session.execute(
        new.on_conflict_do_update(index_elements=["guild_id", "user_id"], set_={"name": new.excluded.name, **keep}),
        [
            {"guild_id": match.guild_id, "user_id": p.user_id, "name": p.name} | player_values(ratings.get(p.user_id))
            for p in people
        ],
    )


async def _add_up(
    session: AsyncSession,
    row: type[StandingRow | PairRow],
    sums: Iterable[str],
    values: list[dict[str, Any]],
    replaced: Iterable[str] = (),
) -> None:
    """Add `values` to the rows that are there; the columns `replaced` are overwritten."""
    new = upsert(session, row)
    changed = {name: getattr(row, name) + new.excluded[name] for name in sums}
    changed |= {name: new.excluded[name] for name in replaced}
    keys = [column.name for column in row.__table__.primary_key]
    await session.execute(new.on_conflict_do_update(index_elements=keys, set_=changed), values)


def _play_values(match: FinishedMatch, play: Play, rating: Rating | None) -> dict[str, Any]:
    """The columns of `PlayRow`."""
    values = asdict(play)
    del values["name"]
    return {
        **values.pop("tally"),
        **values,
        **{name: getattr(match, name) for name in ("table_id", "guild_id", "season", "ended_at", "rounds")},
        "mu": None if rating is None else rating.mu,
        "sigma": None if rating is None else rating.sigma,
        "shown": None if rating is None else shown(rating),
    }


def _standings(
    match: FinishedMatch, people: Iterable[Play], ratings: Mapping[int, Rating], formula: Formula
) -> list[dict[str, Any]]:
    return [
        {
            "guild_id": match.guild_id,
            "user_id": play.user_id,
            "season": match.season,
            "is_ranked": play.is_ranked,
            "matches": 1,
            "wins": int(play.outcome == 1),
            "draws": int(play.outcome == 0),
            "rounds": match.rounds,
            **asdict(play.tally),
            **standing_values(ratings.get(play.user_id), formula),
        }
        for play in people
    ]


def _pairs(match: FinishedMatch, people: Iterable[Play]) -> Iterator[dict[str, Any]]:
    """Every two players, except two who followed each other on one seat."""
    for low, high in combinations(sorted(people, key=lambda play: play.user_id), 2):
        if low.seat == high.seat:
            continue
        is_together = low.team == high.team
        yield {
            "guild_id": match.guild_id,
            "low_id": low.user_id,
            "high_id": high.user_id,
            "season": match.season,
            "is_ranked": low.is_ranked and high.is_ranked,
            "together": int(is_together),
            "together_wins": int(is_together and low.outcome == high.outcome == 1),
            "apart": int(not is_together),
            "low_wins": int(not is_together and low.outcome == 1),
            "high_wins": int(not is_together and high.outcome == 1),
        }
