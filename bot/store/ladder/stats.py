"""What one player's matches add up to, in a number of statements that does not grow with the matches."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, case, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.formula import Formula, Rating, is_provisional, rested, shown
from bot.ladder.outcomes import streaks
from bot.ladder.seasons import Season
from bot.ladder.tally import SeatTally
from bot.records.history import MOST_POINTS, Mate, PlayerStats, RatedAt, ShownRating
from bot.store.ladder.count_match import SUMS, TALLY, rating_of
from bot.store.ladder.season_store import season_at
from bot.store.schema.ladder import PairRow, PlayerRow, PlayRow, StandingRow


async def stats_of(
    session: AsyncSession, guild_id: int, user_id: int, at: int, season: Season | None, formula: Formula
) -> PlayerStats | None:
    sums = [func.coalesce(func.sum(getattr(StandingRow, name)), 0) for name in SUMS]
    ranked = func.coalesce(func.sum(case((StandingRow.is_ranked, StandingRow.matches), else_=0)), 0)
    mine = select(ranked, *sums).where(*_of_player(StandingRow, guild_id, user_id, season))
    ranked_matches, *totals = (await session.execute(mine)).one()
    summed = {name: int(total) for name, total in zip(SUMS, totals, strict=True)}
    player = await session.get(PlayerRow, (guild_id, user_id))
    if not summed["matches"] or player is None:
        return None
    streak, best_streak = streaks(await _outcomes(session, guild_id, user_id, season))
    partner, opponent = await _mates(session, guild_id, user_id, season)
    rating = await _rating(session, player, at, season, formula)
    return PlayerStats(
        user_id=user_id,
        name=player.name,
        matches=summed["matches"],
        ranked=ranked_matches,
        wins=summed["wins"],
        draws=summed["draws"],
        rounds=summed["rounds"],
        tally=SeatTally(**{name: summed[name] for name in TALLY}),
        rating=rating,
        partner=partner,
        opponent=opponent,
        streak=streak,
        best_streak=best_streak,
        course=_with_present(await _course(session, guild_id, user_id, season), rating, seen_at(season, at)),
    )


def rating_in_season(row: StandingRow | Row[*tuple[Any, ...]], season: Season, at: int) -> Rating | None:
    """The rating of a season's row after the idleness up to an instant or to the end of the season."""
    if row.mu is None or row.sigma is None or row.rated_at is None:
        return None
    last = Rating(row.mu, row.sigma, season.number, row.rated_at)
    return rested(last, season.number, seen_at(season, at))


def seen_at(season: Season | None, at: int) -> int:
    """The instant, or the last one of a season that is over by then."""
    return at if season is None or season.ends_at is None else min(at, season.ends_at - 1)


async def _rating(
    session: AsyncSession, player: PlayerRow, at: int, season: Season | None, formula: Formula
) -> ShownRating | None:
    if season is None:
        known = rating_of(player)
        if known is None:
            return None
        running = await season_at(session, player.guild_id, at)
        present = rested(known, known.season if running is None else running.number, at)
        return ShownRating(shown(present), is_provisional(known, formula))
    row = await session.get(StandingRow, (player.guild_id, player.user_id, season.number, True))
    rating = None if row is None else rating_in_season(row, season, at)
    return None if row is None or rating is None else ShownRating(shown(rating), bool(row.is_provisional))


async def _outcomes(session: AsyncSession, guild_id: int, user_id: int, season: Season | None) -> Sequence[int]:
    query = select(PlayRow.outcome).where(*_of_player(PlayRow, guild_id, user_id, season), PlayRow.is_void.is_(False))
    return (await session.scalars(query.order_by(PlayRow.ended_at, PlayRow.table_id))).all()


async def _course(session: AsyncSession, guild_id: int, user_id: int, season: Season | None) -> list[RatedAt]:
    """The shown rating after each ranked match, oldest first, thinned to `MOST_POINTS`."""
    order = (PlayRow.ended_at, PlayRow.table_id)
    rated = select(
        PlayRow.ended_at.label("at"),
        PlayRow.shown.label("value"),
        func.row_number().over(order_by=order).label("number"),
        func.count().over().label("count"),
    ).where(*_of_player(PlayRow, guild_id, user_id, season), PlayRow.is_void.is_(False), PlayRow.shown.is_not(None))
    one = rated.subquery()
    # The number of steps up to a match goes up by one at `MOST_POINTS - 1` matches, of which the last is one.
    step, before = ((number * (MOST_POINTS - 1)) // one.c.count for number in (one.c.number, one.c.number - 1))
    kept = select(one.c.at, one.c.value).where(or_(one.c.number == 1, step > before)).order_by(one.c.number)
    return [RatedAt(*row) for row in await session.execute(kept)]


def _with_present(course: list[RatedAt], rating: ShownRating | None, at: int) -> tuple[RatedAt, ...]:
    """The course and, where it differs, the present rating."""
    if rating is None or not course or course[-1].value == rating.value:
        return tuple(course)
    return (*course, RatedAt(at, rating.value))


def _of_player(
    row: type[StandingRow | PlayRow], guild_id: int, user_id: int, season: Season | None
) -> list[ColumnElement[bool]]:
    """The conditions for a player's rows, in a season or in all."""
    in_season = [] if season is None else [row.season == season.number]
    return [row.guild_id == guild_id, row.user_id == user_id, *in_season]


async def _mates(
    session: AsyncSession, guild_id: int, user_id: int, season: Season | None
) -> tuple[Mate | None, Mate | None]:
    """The partner with whom most matches were won, and the opponent to whom most were lost."""
    met = (await session.execute(_met(guild_id, user_id, season))).all()
    partner = max(met, key=lambda one: (one.together_wins, -one.together, -one.other), default=None)
    opponent = max(met, key=lambda one: (one.lost, -one.apart, -one.other), default=None)
    players = select(PlayerRow.user_id, PlayerRow.name).where(
        PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_([one.other for one in (partner, opponent) if one])
    )
    names = {row.user_id: row.name for row in await session.execute(players)}

    def mate(other: int, matches: int, count: int) -> Mate | None:
        return Mate(other, names.get(other, ""), matches, count) if count else None

    return (
        None if partner is None else mate(partner.other, partner.together, partner.together_wins),
        None if opponent is None else mate(opponent.other, opponent.apart, opponent.lost),
    )


def _met(guild_id: int, user_id: int, season: Season | None) -> Select[*tuple[int, ...]]:
    def half(mine: ColumnElement[int], other: ColumnElement[int], lost: ColumnElement[int]) -> Select[*tuple[int, ...]]:
        counts = (PairRow.together, PairRow.together_wins, PairRow.apart, lost.label("lost"))
        query = select(other.label("other"), *counts).where(PairRow.guild_id == guild_id, mine == user_id)
        return query if season is None else query.where(PairRow.season == season.number)

    both = union_all(
        half(PairRow.low_id.expression, PairRow.high_id.expression, PairRow.high_wins.expression),
        half(PairRow.high_id.expression, PairRow.low_id.expression, PairRow.low_wins.expression),
    ).subquery()
    counts = (both.c.together, both.c.together_wins, both.c.apart, both.c.lost)
    return select(both.c.other, *(func.sum(count).label(count.name) for count in counts)).group_by(both.c.other)
