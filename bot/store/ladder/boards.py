"""Reads the boards of a season, in the order of their indexes, and one player's statistics.

Boards leave hidden players out, without a gap in the places. The number of statements for a player's statistics does
not grow with the matches.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    SQLColumnExpression,
    case,
    false,
    func,
    select,
    true,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.orm import Session, aliased

from bot.base.background import run_in_batches
from bot.ladder.columns import TALLY, Board, RankedBy, SeatTally
from bot.ladder.formula import FORMULA, Formula, Rating, after_idleness, displayed_rating, fresh_until, is_provisional
from bot.ladder.seasons import Season
from bot.ladder.tally import BARE_WINS, PARTNERS, Deed
from bot.records import history as h
from bot.store.engine.database import Database
from bot.store.ladder.careers import first_partners_of
from bot.store.ladder.count_match import SUMS, rating_of
from bot.store.ladder.season_store import season_at
from bot.store.schema.ladder import ALL_SEASONS, PairRow, PlayerRow, PlayRow, StandingRow, StreakRow
from bot.store.sql import AnyRow, AnySelect, read_page

PAGE: Final = 10
"""Lines on a page."""
BATCH: Final = 500
"""Ratings that one transaction brings up to date."""

_IS_PLAYER: Final = (PlayerRow.guild_id == StandingRow.guild_id) & (PlayerRow.user_id == StandingRow.user_id)


def stats_of(
    session: Session, guild_id: int, user_id: int, at: int, season: Season | None, formula: Formula
) -> h.PlayerStats | None:
    """Return a player's statistics; see `History.stats`."""
    sums = [func.coalesce(func.sum(getattr(StandingRow, name)), 0) for name in SUMS]
    ranked = func.coalesce(func.sum(case((StandingRow.is_ranked, StandingRow.matches), else_=0)), 0)
    mine = select(ranked, *sums).where(*_of_player(StandingRow, guild_id, user_id, season))
    ranked_matches, *totals = session.execute(mine).one()
    summed = {name: int(total) for name, total in zip(SUMS, totals, strict=True)}
    player = session.get(PlayerRow, (guild_id, user_id))
    if not summed["matches"] or player is None:
        return None
    streak = session.get(StreakRow, (guild_id, user_id, ALL_SEASONS if season is None else season.number))
    partner, opponent = _mates(session, guild_id, user_id, season)
    rating = _rating(session, player, at, season, formula)
    return h.PlayerStats(
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
        streak=0 if streak is None else streak.running,
        best_streak=0 if streak is None else streak.best,
        rating_history=_with_present(_course(session, guild_id, user_id, season), rating, seen_at(season, at)),
        deeds=_deeds(session, player),
        is_hidden=player.is_hidden,
    )


def ratings_of(
    session: Session, guild_id: int, user_ids: Collection[int], at: int, formula: Formula
) -> dict[int, h.RatingView]:
    """Return the ratings of these players at an instant; see `History.ratings`."""
    query = select(PlayerRow).where(PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_(user_ids))
    found = {row.user_id: _rating(session, row, at, None, formula) for row in session.scalars(query).all()}
    return {user_id: rating for user_id, rating in found.items() if rating is not None}


def rating_in_season(row: StandingRow | Row[*tuple[Any, ...]], season: Season, at: int) -> Rating | None:
    """Return the rating of a season's row, after idleness up to an instant or to the season's end."""
    if row.mu is None or row.sigma is None or row.rated_at is None:
        return None
    last = Rating(row.mu, row.sigma, season.number, row.rated_at)
    return after_idleness(last, season.number, seen_at(season, at))


def seen_at(season: Season | None, at: int) -> int:
    """Return the instant, or the season's last instant if the season is over by then."""
    return at if season is None or season.ends_at is None else min(at, season.ends_at - 1)


def _rating(
    session: Session, player: PlayerRow, at: int, season: Season | None, formula: Formula
) -> h.RatingView | None:
    if season is None:
        known = rating_of(player)
        if known is None:
            return None
        running = season_at(session, player.guild_id, at)
        present = after_idleness(known, known.season if running is None else running.number, at)
        return h.RatingView(displayed_rating(present), is_provisional(known, formula))
    row = session.get(StandingRow, (player.guild_id, player.user_id, season.number, True))
    rating = None if row is None else rating_in_season(row, season, at)
    return None if row is None or rating is None else h.RatingView(displayed_rating(rating), bool(row.is_provisional))


def _deeds(session: Session, player: PlayerRow) -> tuple[Deed, ...]:
    columns = [deed for deed in Deed if deed is not Deed.PARTNERS]
    sums = (
        func.sum(getattr(StandingRow, deed)).filter(StandingRow.is_ranked.is_(deed is not Deed.BARE))
        for deed in columns
    )
    mine = _of_player(StandingRow, player.guild_id, player.user_id, None)
    found = dict(zip(columns, session.execute(select(*sums).where(*mine)).one(), strict=True))
    found[Deed.PARTNERS] = len(first_partners_of(player.first_partners))
    least = {Deed.PARTNERS: PARTNERS, Deed.BARE: BARE_WINS}
    return tuple(deed for deed in Deed if (found[deed] or 0) >= least.get(deed, 1))


def _course(session: Session, guild_id: int, user_id: int, season: Season | None) -> list[h.RatingPoint]:
    """Return the displayed rating after each ranked match, oldest first, thinned to `MOST_POINTS`."""
    earlier = false() if season is None else StandingRow.season < season.number
    later = false() if season is None else StandingRow.season > season.number
    sums = (_matches_of(case((earlier, StandingRow.matches), else_=0)), _matches_of(StandingRow.matches))
    ranked = (*_of_player(StandingRow, guild_id, user_id, None), StandingRow.is_ranked.is_(True), ~later)
    before, upto = session.execute(select(*sums).where(*ranked)).one()
    count, steps = upto - before, h.MOST_POINTS - 1
    kept = {before + 1, *(before + -(-step * count // steps) for step in range(1, steps + 1))}
    mine = (*_of_player(PlayRow, guild_id, user_id, season), PlayRow.ranked_number.in_(kept))
    points = select(PlayRow.ended_at, PlayRow.displayed_rating).where(*mine).order_by(PlayRow.ranked_number)
    return [h.RatingPoint(at, value) for at, value in session.execute(points) if value is not None]


def _matches_of(matches: ColumnElement[int] | SQLColumnExpression[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(matches), 0)


def _with_present(course: list[h.RatingPoint], rating: h.RatingView | None, at: int) -> tuple[h.RatingPoint, ...]:
    """Return the rating history, with the present rating if it differs."""
    if rating is None or not course or course[-1].value == rating.value:
        return tuple(course)
    return (*course, h.RatingPoint(at, rating.value))


def _of_player(
    row: type[StandingRow | PlayRow], guild_id: int, user_id: int, season: Season | None
) -> list[ColumnElement[bool]]:
    in_season = [] if season is None else [row.season == season.number]
    return [row.guild_id == guild_id, row.user_id == user_id, *in_season]


def _mates(session: Session, guild_id: int, user_id: int, season: Season | None) -> tuple[h.Mate | None, h.Mate | None]:
    """Return the partner with whom most matches were won, and the opponent to whom most were lost."""
    rows = _met(guild_id, user_id, season).cte()
    best_partner = select(rows).order_by(rows.c.together_wins.desc(), rows.c.together, rows.c.other).limit(1).subquery()
    worst_opponent = select(rows).order_by(rows.c.lost.desc(), rows.c.against, rows.c.other).limit(1).subquery()
    both = select(true().label("is_partner"), best_partner).union_all(select(false(), worst_opponent))
    found = {row.is_partner: row for row in session.execute(both)}
    partner, opponent = found.get(True), found.get(False)
    players = select(PlayerRow.user_id, PlayerRow.name).where(
        PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_([each.other for each in (partner, opponent) if each])
    )
    names = {row.user_id: row.name for row in session.execute(players)}

    def mate(other: int, matches: int, count: int) -> h.Mate | None:
        return h.Mate(other, names.get(other, ""), matches, count) if count else None

    return (
        None if partner is None else mate(partner.other, partner.together, partner.together_wins),
        None if opponent is None else mate(opponent.other, opponent.against, opponent.lost),
    )


def _met(guild_id: int, user_id: int, season: Season | None) -> Select[*tuple[int, ...]]:
    def half(mine: ColumnElement[int], other: ColumnElement[int], lost: ColumnElement[int]) -> Select[*tuple[int, ...]]:
        counts = (PairRow.together, PairRow.together_wins, PairRow.against, lost.label("lost"))
        query = select(other.label("other"), *counts).where(PairRow.guild_id == guild_id, mine == user_id)
        return query if season is None else query.where(PairRow.season == season.number)

    both = union_all(
        half(PairRow.low_id.expression, PairRow.high_id.expression, PairRow.high_wins.expression),
        half(PairRow.high_id.expression, PairRow.low_id.expression, PairRow.low_wins.expression),
    ).subquery()
    counts = (both.c.together, both.c.together_wins, both.c.against, both.c.lost)
    return select(both.c.other, *(func.sum(count).label(count.name) for count in counts)).group_by(both.c.other)


@dataclass(frozen=True, slots=True)
class _Order:
    """A board: the query of its lines, and the columns that order them, which are the value and the user ids."""

    lines: AnySelect
    keys: tuple[SQLColumnExpression[int], ...]


class SqlBoards(h.Boards):
    """`Boards` in SQL."""

    def __init__(self, database: Database, page_size: int = PAGE, *, formula: Formula = FORMULA) -> None:
        self._database = database
        self._least = formula.season_matches
        self._size = page_size

    async def hidden(self, guild_id: int) -> frozenset[int]:
        hidden = select(PlayerRow.user_id).where(PlayerRow.guild_id == guild_id, PlayerRow.is_hidden.is_(True))
        return await self._database.query(lambda session: frozenset(session.scalars(hidden)))

    async def board(
        self, guild_id: int, season: Season, board: Board, at: int, page_key: h.PageKey = h.FIRST
    ) -> h.BoardPage:
        order = _order(guild_id, season, board, self._least)
        if board is Board.RATING:
            await self._refresh_ratings(guild_id, season, at)

        def read(session: Session) -> tuple[list[AnyRow], bool, bool, tuple[int, int]]:
            rows, has_before, has_after = read_page(session, order.lines, order.keys, page_key, self._size)
            before = _above(session, order, rows[0]) if rows and has_before else (0, 0)
            return rows, has_before, has_after, before

        rows, has_before, has_after, (above, greater) = await self._database.query(read)
        lines = [_line(row, above + index + 1, len(order.keys)) for index, row in enumerate(rows)]
        return h.BoardPage(_with_shared_places(lines, greater + 1), has_before, has_after)

    async def whole(self, guild_id: int, season: Season, board: Board, at: int) -> tuple[h.BoardLine, ...]:
        """Return all lines of a board; each page is read in its own transaction."""
        order = _order(guild_id, season, board, self._least)
        if board is Board.RATING:
            await self._refresh_ratings(guild_id, season, at)
        lines: list[h.BoardLine] = []
        page_key: h.PageKey = h.FIRST
        while True:
            read = partial(read_page, query=order.lines, keys=order.keys, page_key=page_key, size=self._size)
            rows, _, has_after = await self._database.query(read)
            page = [_line(row, len(lines) + index + 1, len(order.keys)) for index, row in enumerate(rows)]
            is_level = lines and page and lines[-1].value == page[0].value
            lines += _with_shared_places(page, lines[-1].place if is_level else len(lines) + 1)
            if not has_after:
                return tuple(lines)
            page_key = h.AfterKey(lines[-1].key)

    async def unnumbered(self, guild_id: int, season: Season, at: int) -> tuple[h.BoardLine, ...]:
        await self._refresh_ratings(guild_id, season, at)
        order = _unnumbered(guild_id, season, self._least)
        best = order.lines.order_by(*(key.desc() for key in order.keys)).limit(self._size)
        return await self._database.query(lambda session: tuple(_line(row, 0, 2) for row in session.execute(best)))

    async def line(self, guild_id: int, season: Season, board: Board, at: int, user_id: int) -> h.BoardLine | None:
        if board.ranked_by is RankedBy.PAIRS:
            return None
        order = _order(guild_id, season, board, self._least)
        if board is Board.RATING:
            await self._refresh_ratings(guild_id, season, at)

        def read(session: Session) -> h.BoardLine | None:
            row = session.execute(order.lines.where(order.keys[1] == user_id)).one_or_none()
            if row is not None:
                _, greater = _above(session, order, row)
                return _line(row, greater + 1, len(order.keys))
            if board is not Board.RATING:
                return None
            waiting = _unnumbered(guild_id, season, self._least).lines.where(StandingRow.user_id == user_id)
            return next((_line(row, 0, 2) for row in session.execute(waiting)), None)

        return await self._database.query(read)

    async def _refresh_ratings(self, guild_id: int, season: Season, at: int) -> None:
        """Bring the displayed ratings that idleness has changed up to an instant of the season, if there are any.

        Other transactions run between the batches. Rows that another transaction is writing are skipped.
        """
        until = seen_at(season, at)
        known = (StandingRow.user_id, StandingRow.mu, StandingRow.sigma, StandingRow.rated_at)
        stale = select(*known).where(
            StandingRow.guild_id == guild_id,
            StandingRow.season == season.number,
            StandingRow.is_ranked.is_(True),
            StandingRow.fresh_until <= until,
        )
        batch = stale.order_by(StandingRow.fresh_until).limit(BATCH).with_for_update(skip_locked=True)
        key = {"guild_id": guild_id, "season": season.number, "is_ranked": True}
        is_stale = await self._database.query(lambda session: session.scalar(stale.limit(1))) is not None

        def refresh(session: Session) -> bool:
            ratings = [(row.user_id, rating_in_season(row, season, until)) for row in session.execute(batch)]
            values = [
                key
                | {"user_id": user_id, "displayed_rating": displayed_rating(rating)}
                | {"fresh_until": fresh_until(rating, until)}
                for user_id, rating in ratings
                if rating is not None
            ]
            if values:
                session.execute(update(StandingRow), values)
            return len(values) == BATCH

        if is_stale:
            await run_in_batches(partial(self._database.change, refresh))


def _order(guild_id: int, season: Season, board: Board, least: int) -> _Order:
    """Return the order of a board. The rows are the keys, the names, then matches and wins."""
    if board.ranked_by is RankedBy.PAIRS:
        return _pairs(guild_id, season, board)
    value = getattr(StandingRow, board.by)
    is_on_it = _is_placed(least) if board is Board.RATING else value > 0
    return _players(guild_id, season, value, is_on_it, is_ranked=board.ranked_by is RankedBy.RANKED)


def _unnumbered(guild_id: int, season: Season, least: int) -> _Order:
    return _players(guild_id, season, StandingRow.displayed_rating, ~_is_placed(least))


def _is_placed(least: int) -> ColumnElement[bool]:
    return (StandingRow.matches >= least) & (StandingRow.wins > 0)


def _players(
    guild_id: int, season: Season, value: Any, is_on_it: ColumnElement[bool], *, is_ranked: bool = True
) -> _Order:
    lines = (
        select(value, StandingRow.user_id, PlayerRow.name, StandingRow.matches, StandingRow.wins)
        .join(PlayerRow, _IS_PLAYER)
        .where(
            StandingRow.guild_id == guild_id,
            StandingRow.season == season.number,
            StandingRow.is_ranked.is_(is_ranked),
            PlayerRow.is_hidden.is_(False),
            is_on_it,
        )
    )
    return _Order(lines, (value, StandingRow.user_id))


def _pairs(guild_id: int, season: Season, board: Board) -> _Order:
    value: Any = getattr(PairRow, board.by)
    low, high = aliased(PlayerRow), aliased(PlayerRow)
    lines = (
        select(
            value,
            PairRow.low_id,
            PairRow.high_id,
            low.name,
            high.name,
            PairRow.together,
            PairRow.together_wins.label("wins"),
        )
        .join(low, (low.guild_id == PairRow.guild_id) & (low.user_id == PairRow.low_id))
        .join(high, (high.guild_id == PairRow.guild_id) & (high.user_id == PairRow.high_id))
        .where(
            PairRow.guild_id == guild_id,
            PairRow.season == season.number,
            PairRow.is_ranked.is_(True),
            value > 0,
            low.is_hidden.is_(False),
            high.is_hidden.is_(False),
        )
    )
    return _Order(lines, (value, PairRow.low_id, PairRow.high_id))


def _above(session: Session, order: _Order, row: AnyRow) -> tuple[int, int]:
    """Return how many lines of the board come before a row, and how many of them have a greater value."""
    value, first = order.keys[0], tuple(row[: len(order.keys)])
    greater: ColumnElement[int] = func.coalesce(func.sum(case((value > first[0], 1), else_=0)), 0)
    counted = order.lines.with_only_columns(func.count(), greater).where(tuple_(*order.keys) > first)
    above, count = session.execute(counted).one()
    return above, count


def _line(row: AnyRow, place: int, keys: int) -> h.BoardLine:
    people = keys - 1
    value, *users = row[:keys]
    names = row[keys : keys + people]
    matches, wins = row[keys + people :]
    return h.BoardLine(place, value, tuple(users), tuple(names), matches, wins)


def _with_shared_places(lines: list[h.BoardLine], first: int) -> tuple[h.BoardLine, ...]:
    """Return level lines with the place of the first of them; `first` is that place for the top line of the page."""
    shared: list[h.BoardLine] = []
    for line in lines:
        place = line.place
        if not shared:
            place = first
        elif shared[-1].value == line.value:
            place = shared[-1].place
        shared.append(replace(line, place=place))
    return tuple(shared)
