"""Counts a finished match in one transaction: what each player did in it, then standings, pairs and ratings.

Only the record of what each player did (`plays`) is a source: `rebuild_totals` sums the rest up from it again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Select, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.ladder import formula as f
from bot.ladder.tally import SeatTally
from bot.store.schema.codec import encode
from bot.store.schema.ladder import PairRow, PlayerRow, PlayRow, StandingRow
from bot.store.schema.tables import ResultRow, TableRow
from bot.store.sql import AnyRow, upsert
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
    left_early: bool = False


async def count_match(
    session: AsyncSession,
    match: ResultRow,
    plays: Sequence[Play],
    formula: f.Formula = f.FORMULA,
    *,
    is_broken_off: bool = False,
    weight: float = 1.0,
) -> None:
    """Add a match that was not counted before; one that `is_broken_off` has only the quitters' plays.

    A player whose data was erased has a record and no standing.
    """
    ranked = ranked_match(
        match.season,
        match.ended_at,
        [play for play in plays if play.is_ranked],
        is_broken_off=is_broken_off,
        weight=weight,
    )
    ratings = {} if ranked is None else await _rate(session, match, ranked, formula)
    await session.execute(insert(PlayRow), [_play_values(match, play, ratings.get(play.user_id)) for play in plays])
    people = [play for play in plays if play.user_id > 0]
    if not people:
        return
    await _merge_players(session, match, people, ratings)
    await _add_standings(session, PlayRow.table_id == match.table_id, PlayRow.user_id > 0)
    await _add_pairs(session, lambda low, _: [low.table_id == match.table_id, low.user_id > 0])
    key = {"guild_id": match.guild_id, "season": match.season, "is_ranked": True}
    rated = [
        {**key, "user_id": user_id, **standing_values(rating, formula)}
        for user_id, rating in ratings.items()
        if user_id > 0
    ]
    if rated:
        await session.execute(update(StandingRow), rated)


def ranked_match(
    season: int, at: int, plays: Sequence[Play | AnyRow], *, is_broken_off: bool, weight: float
) -> f.RankedMatch | None:
    """The match of which these are the players' parts; None without a part."""
    teams: dict[int, list[Play | AnyRow]] = {}
    for play in plays:
        teams.setdefault(play.team, []).append(play)
    sides = tuple(
        f.Side(
            members[0].place,
            tuple(play.user_id for play in members),
            frozenset(play.user_id for play in members if play.has_left),
            frozenset(play.user_id for play in members if play.left_early),
        )
        for members in teams.values()
    )
    return f.RankedMatch(season, at, sides, is_broken_off, weight) if sides else None


def rating_of(row: PlayerRow) -> f.Rating | None:
    """A player's present rating, if there is one."""
    if row.mu is None:
        return None
    assert row.sigma is not None
    assert row.season is not None
    assert row.rated_at is not None
    partners = msgspec.json.decode(row.partners or "[]", type=frozenset[int])
    counts = (row.matches or 0, partners, row.opponents or 0, row.day_shown or 0)
    return f.Rating(row.mu, row.sigma, row.season, row.rated_at, *counts)


def player_values(rating: f.Rating | None) -> dict[str, Any]:
    """The columns of `PlayerRow` that hold the rating."""
    if rating is None:
        return dict.fromkeys(("mu", "sigma", "season", "rated_at", "matches", "partners", "opponents", "day_shown"))
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "season": rating.season,
        "rated_at": rating.last_at,
        "matches": rating.matches,
        "partners": encode(tuple(sorted(rating.partners))),
        "opponents": rating.opponents,
        "day_shown": rating.day_shown,
    }


def standing_values(rating: f.Rating | None, formula: f.Formula) -> dict[str, Any]:
    """The columns of `StandingRow` that hold the rating as it is right after the match."""
    if rating is None:
        return dict.fromkeys(RATED)
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "rated_at": rating.last_at,
        "shown": f.shown(rating, formula),
        "is_provisional": f.is_provisional(rating, formula),
        "fresh_until": f.fresh_until(rating, rating.last_at, formula),
    }


async def _rate(
    session: AsyncSession, match: ResultRow, ranked: f.RankedMatch, formula: f.Formula
) -> Mapping[int, f.Rating]:
    users = sorted(ranked.people)
    rows = await session.scalars(
        select(PlayerRow).where(PlayerRow.guild_id == match.guild_id, PlayerRow.user_id.in_(users))
    )
    before = {row.user_id: rating for row in rows if (rating := rating_of(row)) is not None}
    met, deserted = await _met(session, match, users, formula), await _deserted(session, match, ranked, formula)
    medians = await _medians(session, match, formula)
    return f.rate(ranked, before, f.Background(met, deserted, *medians), formula)


async def _met(
    session: AsyncSession, match: ResultRow, users: Collection[int], formula: f.Formula
) -> Mapping[int, Mapping[int, int]]:
    """See `Background.met`."""
    own, other = aliased(PlayRow), aliased(PlayRow)
    query = (
        select(own.user_id, other.user_id, _sum(own.ended_at > f.repeats_since(match.ended_at, formula)))
        .join(other, (other.table_id == own.table_id) & (other.team != own.team))
        .join(TableRow, TableRow.id == own.table_id)
        .join(ResultRow, ResultRow.table_id == own.table_id)
        .where(
            own.guild_id == match.guild_id,
            own.user_id.in_(users),
            own.ended_at > f.known_since(match.ended_at, formula),
            own.is_ranked.is_(True),
            own.is_void.is_(False),
            other.is_ranked.is_(True),
            (TableRow.status == Status.OVER.value) | ResultRow.winner.is_not(None),
        )
        .group_by(own.user_id, other.user_id)
    )
    met: dict[int, dict[int, int]] = {}
    for user_id, opponent, repeats in await session.execute(query):
        met.setdefault(user_id, {})[opponent] = repeats
    return met


async def _medians(session: AsyncSession, match: ResultRow, formula: f.Formula) -> tuple[int, int]:
    """The median of different opponents, and that of ratings."""
    lately = (PlayerRow.guild_id == match.guild_id, PlayerRow.rated_at > f.known_since(match.ended_at, formula))
    middle = select((func.count() - 1) // 2).where(*lately).scalar_subquery()
    players = select(PlayerRow).where(*lately).offset(middle).limit(1)
    by_opponents = await session.scalar(players.order_by(PlayerRow.opponents))
    by_rating = await session.scalar(players.order_by(PlayerRow.mu - 3 * PlayerRow.sigma))
    if by_opponents is None or by_rating is None or (rating := rating_of(by_rating)) is None:
        return 0, 0
    return by_opponents.opponents or 0, f.shown(rating, formula)


async def _deserted(
    session: AsyncSession, match: ResultRow, ranked: f.RankedMatch, formula: f.Formula
) -> Mapping[int, Collection[Collection[int]]]:
    """See `Background.deserted`; of the players whose partner left this match early."""
    deserted: dict[int, Collection[set[int]]] = {}
    own, other = aliased(PlayRow), aliased(PlayRow)
    for user_id in (user for side in ranked.sides if side.early for user in set(side.users) - side.quitters):
        ours = (own.guild_id == match.guild_id, own.user_id == user_id, own.is_ranked.is_(True), own.is_void.is_(False))
        latest = select(own.table_id, own.team).join(ResultRow, ResultRow.table_id == own.table_id).where(*ours)
        last = latest.order_by(ResultRow.number.desc()).limit(formula.spare_matches - 1).subquery()
        is_partner = (other.table_id == last.c.table_id) & (other.team == last.c.team) & (other.user_id != user_id)
        found = select(last.c.table_id, other.user_id).join(other, is_partner & other.left_early.is_(True))
        by_match: dict[int, set[int]] = {}
        for table_id, partner in await session.execute(found):
            by_match.setdefault(table_id, set()).add(partner)
        deserted[user_id] = by_match.values()
    return deserted


async def _merge_players(
    session: AsyncSession, match: ResultRow, people: Iterable[Play], ratings: Mapping[int, f.Rating]
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


def _play_values(match: ResultRow, play: Play, rating: f.Rating | None) -> dict[str, Any]:
    values = asdict(play)
    del values["name"]
    return {
        **values.pop("tally"),
        **values,
        **{name: getattr(match, name) for name in ("table_id", "guild_id", "season", "ended_at", "rounds")},
        "mu": None if rating is None else rating.mu,
        "sigma": None if rating is None else rating.sigma,
        "shown": None if rating is None else f.shown(rating),
    }


async def rebuild_totals(
    session: AsyncSession, guild_id: int, season: int | None = None, users: Collection[int] | None = None
) -> None:
    """Sum up again a server's standings and pairs: of one season or of all, of `users` alone or of all players.

    Of `users`, the pairs among them. Players whose data was erased have no sums. Stored ratings stay.
    """

    known = None if users is None else [user_id for user_id in users if user_id > 0]

    def only(row: Any, *people: str) -> list[ColumnElement[bool]]:
        """One condition for each user id: given two, SQLite takes the range and reads the rows of all players."""
        in_season = [] if season is None else [row.season == season]
        ids = [getattr(row, person) for person in people]
        return [row.guild_id == guild_id, *in_season, *(each > 0 if known is None else each.in_(known) for each in ids)]

    ours = only(StandingRow, "user_id")
    await session.execute(update(StandingRow).where(*ours).values(dict.fromkeys(SUMS, 0)))
    await _add_standings(session, *only(PlayRow, "user_id"), PlayRow.is_void.is_(False))
    await session.execute(delete(StandingRow).where(*ours, StandingRow.matches == 0))
    await session.execute(delete(PairRow).where(*only(PairRow, "low_id", "high_id")))
    # No condition on the other's server: SQLite would look it up by that, among all plays of the server.
    theirs = [] if known is None else [known]
    await _add_pairs(session, lambda low, high: [*only(low, "user_id"), *(high.user_id.in_(ids) for ids in theirs)])


async def _add_standings(session: AsyncSession, *plays: ColumnElement[bool]) -> None:
    keys = (PlayRow.guild_id, PlayRow.user_id, PlayRow.season, PlayRow.is_ranked)
    sums = {
        "matches": func.count(),
        "wins": _sum(PlayRow.outcome == 1),
        "draws": _sum(PlayRow.outcome == 0),
        **{name: func.sum(getattr(PlayRow, name)) for name in ("rounds", *TALLY)},
    }
    query = select(*keys, *(sums[name] for name in SUMS)).where(*plays).group_by(*keys)
    await _add_up(session, StandingRow, query, SUMS)


async def _add_pairs(session: AsyncSession, among: Callable[[Any, Any], Collection[ColumnElement[bool]]]) -> None:
    """Add plays to the sums of every two players, but of two who followed each other on one seat.

    `among` gives the conditions for the plays of the player with the lower id, and of the other.
    """
    low, high = aliased(PlayRow), aliased(PlayRow)
    together, is_ranked = low.team == high.team, low.is_ranked & high.is_ranked
    keys = (low.guild_id, low.user_id, high.user_id, low.season, is_ranked)
    sums = (
        together,
        together & (low.outcome == 1) & (high.outcome == 1),
        ~together,
        ~together & (low.outcome == 1),
        ~together & (high.outcome == 1),
    )
    query = (
        select(*keys, *map(_sum, sums))
        .join(high, (high.table_id == low.table_id) & (high.user_id > low.user_id) & (high.seat != low.seat))
        .where(*among(low, high), low.is_void.is_(False))
        .group_by(*keys)
    )
    await _add_up(session, PairRow, query, PAIR_SUMS)


async def _add_up(
    session: AsyncSession, row: type[StandingRow | PairRow], query: Select[*tuple[Any, ...]], sums: Collection[str]
) -> None:
    """Add the rows of a query, which are the keys and the sums, to the rows that are there."""
    keys = [column.name for column in row.__table__.primary_key]
    new = upsert(session, row).from_select([*keys, *sums], query)
    added = {name: getattr(row, name) + new.excluded[name] for name in sums}
    await session.execute(new.on_conflict_do_update(index_elements=keys, set_=added))


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))
