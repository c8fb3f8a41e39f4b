"""Counts a finished match in one transaction: each player's part, then standings, pairs and ratings.

The record of what each player did (`plays`) is the only source: `rebuild_totals` sums it up again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Final

import msgspec
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Executable,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Session

from bot.base.times import DAY_MS
from bot.ladder import formula as f
from bot.ladder.columns import TALLY
from bot.store.ladder.careers import add_to_streaks, mates_after
from bot.store.ladder.recount_requests import being_erased, request_recount
from bot.store.schema.codec import encode
from bot.store.schema.ladder import OTHER, OWN, PairRow, Play, PlayerRow, PlayRow, StandingRow
from bot.store.schema.tables import ResultRow, TableRow
from bot.store.sql import AnyRow, Upserting, plain, upserting
from bot.tables.lobby.lobby import Status

SUMS: Final = ("matches", "wins", "draws", "rounds", *TALLY)
"""The columns of `StandingRow` that add up, also over seasons; `win_days` does so within one."""
RATED: Final = ("mu", "sigma", "rated_at", "displayed_rating", "is_provisional", "fresh_until")
"""The columns of `StandingRow` that the last match sets."""
STANDING_SUMS: Final = (*SUMS, "win_days")
_PLAYED_OUT: Final = (TableRow.status == Status.OVER.value) | ResultRow.winner.is_not(None)
PAIR_SUMS: Final = ("together", "together_wins", "against", "low_wins", "high_wins")


def count_match(
    session: Session,
    match: ResultRow,
    plays: Sequence[Play],
    formula: f.Formula = f.FORMULA,
    *,
    is_broken_off: bool = False,
    weight: float = 1.0,
) -> None:
    """Count a match for the first time; if it `is_broken_off`, only the players that left have a part in it.

    A player whose data was erased has a record and no standing. While one is being erased, a recount is requested.
    """
    erasing = being_erased(session)
    ranked = ranked_match(
        match.season,
        match.ended_at,
        [play for play in plays if play.is_ranked],
        is_broken_off=is_broken_off,
        weight=weight,
    )
    players = {} if ranked is None else _players(session, match, ranked.people)
    ratings = {} if ranked is None else _rate(session, match, ranked, players, formula)
    rows = [_new_play(match, play, ratings.get(play.user_id), formula) for play in plays]
    session.execute(insert(plain(PlayRow)), rows)
    if erasing:
        request_recount(session, match.guild_id, number=match.number, season=match.season)
    people = [play for play in plays if play.user_id > 0]
    if not people:
        return
    first_partners = {
        play.user_id: mates_after(
            None if (row := players.get(play.user_id)) is None else row.first_partners, play, plays, erasing
        )
        for play in people
    }
    _merge_players(session, match, people, ratings, first_partners)
    add_to_streaks(session, match.guild_id, match.season, people)
    _add_match(session, match.table_id)
    key = {"guild_id": match.guild_id, "season": match.season, "is_ranked": True}
    rated = [
        {**key, "user_id": user_id, **standing_values(rating, formula)}
        for user_id, rating in ratings.items()
        if user_id > 0
    ]
    if rated:
        session.execute(update(StandingRow), rated)


def ranked_match(
    season: int, at: int, plays: Sequence[Play | AnyRow], *, is_broken_off: bool, weight: float
) -> f.RankedMatch | None:
    """Return a match made of these players' parts; None if there are none."""
    teams: dict[int, list[Play | AnyRow]] = {}
    for play in plays:
        teams.setdefault(play.team, []).append(play)
    sides = tuple(
        f.Side(
            members[0].place,
            tuple(play.user_id for play in members),
            frozenset(play.user_id for play in members if play.has_left),
            frozenset(play.user_id for play in members if play.has_left_early),
        )
        for members in teams.values()
    )
    return f.RankedMatch(season, at, sides, is_broken_off, weight) if sides else None


def rating_of(row: PlayerRow) -> f.Rating | None:
    """Return a player's present rating, if there is one."""
    if row.mu is None:
        return None
    assert row.sigma is not None
    assert row.season is not None
    assert row.rated_at is not None
    partners = msgspec.json.decode(row.partners or "[]", type=frozenset[int])
    counts = (row.matches or 0, partners, row.opponents or 0, row.day_start_rating or 0)
    return f.Rating(row.mu, row.sigma, row.season, row.rated_at, *counts)


def player_values(rating: f.Rating | None) -> dict[str, Any]:
    """Return the values of the rating columns of `PlayerRow`."""
    if rating is None:
        return dict.fromkeys(
            ("mu", "sigma", "season", "rated_at", "matches", "partners", "opponents", "day_start_rating")
        )
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "season": rating.season,
        "rated_at": rating.last_at,
        "matches": rating.matches,
        "partners": encode(tuple(sorted(rating.partners))),
        "opponents": rating.opponents,
        "day_start_rating": rating.day_start_rating,
    }


def play_values(rating: f.Rating | None, formula: f.Formula) -> dict[str, Any]:
    """Return the values of the rating columns of `PlayRow`, after the match."""
    if rating is None:
        return dict.fromkeys(("mu", "sigma", "displayed_rating", "ranked_number", "opponents", "day_start_rating"))
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "displayed_rating": f.displayed_rating(rating, formula),
        "ranked_number": rating.matches,
        "opponents": rating.opponents,
        "day_start_rating": rating.day_start_rating,
    }


def standing_values(rating: f.Rating | None, formula: f.Formula) -> dict[str, Any]:
    """Return the values of the rating columns of `StandingRow`, right after the match."""
    if rating is None:
        return dict.fromkeys(RATED)
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "rated_at": rating.last_at,
        "displayed_rating": f.displayed_rating(rating, formula),
        "is_provisional": f.is_provisional(rating, formula),
        "fresh_until": f.fresh_until(rating, rating.last_at, formula),
    }


def _players(session: Session, match: ResultRow, users: Collection[int]) -> dict[int, PlayerRow]:
    known = select(PlayerRow).where(PlayerRow.guild_id == match.guild_id, PlayerRow.user_id.in_(sorted(users)))
    return {row.user_id: row for row in session.scalars(known)}


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


# What is known of the players `users` and of the server since an instant: of ranked matches that were played to their
# end, which rows of plays are joined to by their tables and results.
_OF_SERVER: Final[BindParameter[int]] = bindparam("guild_id")
_SINCE: Final[BindParameter[int]] = bindparam("since")
_OWN_LATELY: Final = (
    OWN.guild_id == _OF_SERVER,
    OWN.user_id.in_(bindparam("users", expanding=True)),
    OWN.ended_at > _SINCE,
    OWN.is_ranked.is_(True),
    OWN.is_void.is_(False),
    _PLAYED_OUT,
)
_MET: Final = (
    select(OWN.user_id, OTHER.user_id, _sum(OWN.ended_at > bindparam("repeats_since")))
    .join(OTHER, (OTHER.table_id == OWN.table_id) & (OTHER.team != OWN.team))
    .join(TableRow, TableRow.id == OWN.table_id)
    .join(ResultRow, ResultRow.table_id == OWN.table_id)
    .where(*_OWN_LATELY, OTHER.is_ranked.is_(True))
    .group_by(OWN.user_id, OTHER.user_id)
)
"""See `Background.opponents_met`."""
_TOGETHER: Final = (
    select(OWN.user_id, OTHER.user_id, func.count())
    .join(OTHER, OTHER.table_id == OWN.table_id)
    .join(TableRow, TableRow.id == OWN.table_id)
    .join(ResultRow, ResultRow.table_id == OWN.table_id)
    .where(*_OWN_LATELY, OTHER.user_id.in_(bindparam("users", expanding=True)), OTHER.is_ranked.is_(True))
    .group_by(OWN.user_id, OTHER.user_id)
)
"""See `tied_accounts`."""
_IS_RANKED: Final = exists().where(
    PlayRow.table_id == ResultRow.table_id, PlayRow.is_ranked.is_(True), PlayRow.is_void.is_(False)
)
_MATCHES_LATELY: Final = (
    select(func.count())
    .select_from(ResultRow)
    .join(TableRow, TableRow.id == ResultRow.table_id)
    .where(ResultRow.guild_id == _OF_SERVER, ResultRow.ended_at > _SINCE, _PLAYED_OUT, _IS_RANKED)
)
_RATED_LATELY: Final = (PlayerRow.guild_id == _OF_SERVER, PlayerRow.rated_at > _SINCE)
_MIDDLE: Final = select((func.count() - 1) // 2).where(*_RATED_LATELY).scalar_subquery()
_MEDIAN: Final = select(PlayerRow).where(*_RATED_LATELY).offset(_MIDDLE).limit(1)
_MEDIAN_OF_OPPONENTS: Final = _MEDIAN.order_by(PlayerRow.opponents)
_MEDIAN_OF_RATINGS: Final = _MEDIAN.order_by(PlayerRow.mu - 3 * PlayerRow.sigma)


def _rate(
    session: Session,
    match: ResultRow,
    ranked: f.RankedMatch,
    players: Mapping[int, PlayerRow],
    formula: f.Formula,
) -> Mapping[int, f.Rating]:
    users = sorted(ranked.people)
    before = {user_id: rating for user_id, row in players.items() if (rating := rating_of(row)) is not None}
    lately = {
        "guild_id": match.guild_id,
        "users": users,
        "since": f.known_since(match.ended_at, formula),
        "repeats_since": f.repeats_since(match.ended_at, formula),
    }
    opponents_met, deserted = _by_pair(session, _MET, lately), _deserted(session, match, ranked, formula)
    medians = _medians(session, lately, formula)
    matches = session.scalar(_MATCHES_LATELY, lately) or 0
    tied = f.tied_accounts(users, _by_pair(session, _TOGETHER, lately), matches)
    return f.rate(ranked, before, f.Background(opponents_met, deserted, *medians, tied), formula)


def _by_pair(
    session: Session, query: Select[int, int, int], lately: Mapping[str, object]
) -> Mapping[int, Mapping[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for user_id, other, number in session.execute(query, lately):
        found.setdefault(user_id, {})[other] = number
    return found


def _medians(session: Session, lately: Mapping[str, object], formula: f.Formula) -> tuple[int, int]:
    """Return the median of different opponents, and that of displayed ratings."""
    by_opponents, by_rating = session.scalar(_MEDIAN_OF_OPPONENTS, lately), session.scalar(_MEDIAN_OF_RATINGS, lately)
    if by_opponents is None or by_rating is None or (rating := rating_of(by_rating)) is None:
        return 0, 0
    return by_opponents.opponents or 0, f.displayed_rating(rating, formula)


def _deserted(
    session: Session, match: ResultRow, ranked: f.RankedMatch, formula: f.Formula
) -> Mapping[int, Collection[Collection[int]]]:
    """See `Background.deserted`; of the players whose partner left this match early."""
    deserted: dict[int, Collection[set[int]]] = {}
    for user_id in (user for side in ranked.sides if side.early for user in set(side.users) - side.quitters):
        ours = (OWN.guild_id == match.guild_id, OWN.user_id == user_id, OWN.ranked_number.is_not(None))
        latest = select(OWN.table_id, OWN.team).where(*ours).order_by(OWN.ranked_number.desc())
        last = latest.limit(formula.spare_matches - 1).subquery()
        is_partner = (OTHER.table_id == last.c.table_id) & (OTHER.team == last.c.team) & (OTHER.user_id != user_id)
        found = select(last.c.table_id, OTHER.user_id).join(OTHER, is_partner & OTHER.has_left_early.is_(True))
        by_match: dict[int, set[int]] = {}
        for table_id, partner in session.execute(found):
            by_match.setdefault(table_id, set()).add(partner)
        deserted[user_id] = by_match.values()
    return deserted


def _merge_players(
    session: Session,
    match: ResultRow,
    people: Iterable[Play],
    ratings: Mapping[int, f.Rating],
    first_partners: Mapping[int, str | None],
) -> None:
    rows = [
        {"guild_id": match.guild_id, "user_id": p.user_id, "name": p.name, "first_partners": first_partners[p.user_id]}
        | player_values(ratings.get(p.user_id))
        for p in people
    ]
    session.execute(_player_merged(upserting(session)), rows)


@cache
def _player_merged(upserting: Upserting) -> Executable:
    """Return the statement that adds a player, or updates the name and all else that is known of them."""
    players = plain(PlayerRow)
    new = upserting(players)
    named = (*player_values(None), "first_partners")
    keep = {name: func.coalesce(new.excluded[name], players.c[name]) for name in named}
    return new.on_conflict_do_update(index_elements=["guild_id", "user_id"], set_={"name": new.excluded.name, **keep})


def _new_play(match: ResultRow, play: Play, rating: f.Rating | None, formula: f.Formula) -> dict[str, Any]:
    values = asdict(play)
    del values["name"]
    return {
        **values.pop("tally"),
        **values,
        **{name: getattr(match, name) for name in ("table_id", "guild_id", "season", "ended_at", "rounds")},
        **play_values(rating, formula),
    }


def take_out(session: Session, match: ResultRow) -> Sequence[int]:
    """Subtract a void match from standings and pairs without reading other matches; return its players.

    Ratings and careers stay as they are: a recount corrects them.
    """
    _add_match(session, match.table_id, -1)
    unrated = play_values(None, f.FORMULA)
    void = update(PlayRow).where(PlayRow.table_id == match.table_id).values(is_void=True, **unrated)
    users = session.scalars(void.returning(PlayRow.user_id)).all()
    ours = (StandingRow.guild_id == match.guild_id, StandingRow.season == match.season, StandingRow.user_id.in_(users))
    session.execute(delete(StandingRow).where(*ours, StandingRow.matches == 0))
    pairs = (PairRow.guild_id == match.guild_id, PairRow.season == match.season)
    no_longer_met = (PairRow.low_id.in_(users), PairRow.high_id.in_(users), PairRow.together == 0, PairRow.against == 0)
    session.execute(delete(PairRow).where(*pairs, *no_longer_met))
    return users


def _add_match(session: Session, table_id: int, times: int = 1) -> None:
    """Add a match to standings and pairs, or take it out (-1 times)."""
    for statement in _match_added(upserting(session), times):
        session.execute(statement, {"match": table_id})


@cache
def _match_added(upserting: Upserting, times: int) -> tuple[Executable, Executable]:
    """Return the statements for a match: building them takes longer than executing them."""
    won = _sum((PlayRow.outcome == 1) & ~_won_besides())
    standings = _standings_added(upserting, won, *_of_match(PlayRow), times=times)
    return standings, _pairs_added(upserting, lambda low, _: _of_match(low), times)


def _of_match(row: Any) -> list[ColumnElement[bool]]:
    return [row.table_id == bindparam("match"), row.user_id > 0]


def _won_besides() -> ColumnElement[bool]:
    """Return whether the player of a `PlayRow` has won another match of the same kind on the same day of the season."""
    day = PlayRow.ended_at - PlayRow.ended_at % DAY_MS
    return (
        select(OTHER.table_id)
        .where(
            OTHER.guild_id == PlayRow.guild_id,
            OTHER.user_id == PlayRow.user_id,
            OTHER.ended_at >= day,
            OTHER.ended_at < day + DAY_MS,
            OTHER.table_id != PlayRow.table_id,
            OTHER.season == PlayRow.season,
            OTHER.is_ranked == PlayRow.is_ranked,
            OTHER.is_void.is_(False),
            OTHER.outcome == 1,
        )
        .correlate(PlayRow)
        .exists()
    )


def rebuild_totals(session: Session, guild_id: int, season: int | None = None) -> None:
    """Compute again the standings and pairs of a season, or of all seasons. Ratings stay.

    Players whose data was erased have no sums.
    """

    def ours(row: Any) -> list[ColumnElement[bool]]:
        return [row.guild_id == guild_id, *([] if season is None else [row.season == season])]

    session.execute(update(StandingRow).where(*ours(StandingRow)).values(dict.fromkeys(STANDING_SUMS, 0)))
    won_on = case((PlayRow.outcome == 1, PlayRow.ended_at // DAY_MS))
    counts = (*ours(PlayRow), PlayRow.user_id > 0, PlayRow.is_void.is_(False))
    session.execute(_standings_added(upserting(session), func.count(won_on.distinct()), *counts))
    session.execute(delete(StandingRow).where(*ours(StandingRow), StandingRow.matches == 0))
    session.execute(delete(PairRow).where(*ours(PairRow)))
    session.execute(_pairs_added(upserting(session), lambda low, _: [*ours(low), low.user_id > 0]))


def _standings_added(
    upserting: Upserting, win_days: ColumnElement[int], *plays: ColumnElement[bool], times: int = 1
) -> Executable:
    """Return the statement that adds plays to the sums of their players."""
    keys = (PlayRow.guild_id, PlayRow.user_id, PlayRow.season, PlayRow.is_ranked)
    sums = {
        "matches": func.count(),
        "wins": _sum(PlayRow.outcome == 1),
        "draws": _sum(PlayRow.outcome == 0),
        **{name: func.sum(getattr(PlayRow, name)) for name in ("rounds", *TALLY)},
        "win_days": win_days,
    }
    query = select(*keys, *(sums[name] * times for name in STANDING_SUMS)).where(*plays).group_by(*keys)
    return _added_up(upserting, StandingRow, query, STANDING_SUMS)


def _pairs_added(
    upserting: Upserting, pair_filter: Callable[[Any, Any], Collection[ColumnElement[bool]]], times: int = 1
) -> Executable:
    """Return the statement that adds plays to the sums of every two players.

    Two who followed each other on a seat do not count. `pair_filter` gives the conditions of the two plays.
    """
    low, high = OWN, OTHER
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
        select(*keys, *(_sum(each) * times for each in sums))
        .join(high, (high.table_id == low.table_id) & (high.user_id > low.user_id) & (high.seat != low.seat))
        .where(*pair_filter(low, high), low.is_void.is_(False))
        .group_by(*keys)
    )
    return _added_up(upserting, PairRow, query, PAIR_SUMS)


def _added_up(
    upserting: Upserting, row: type[StandingRow | PairRow], query: Select[*tuple[Any, ...]], sums: Collection[str]
) -> Executable:
    """Return the statement that adds the rows of a query, which are the keys and the sums, to the existing rows."""
    table = plain(row)
    keys = [column.name for column in table.primary_key]
    new = upserting(table).from_select([*keys, *sums], query)
    added = {name: table.c[name] + new.excluded[name] for name in sums}
    return new.on_conflict_do_update(index_elements=keys, set_=added)
