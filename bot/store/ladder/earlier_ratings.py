"""Reads what a server's ratings were before one of its matches: each play keeps those after its match."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from bot.base.times import WEEK_MS
from bot.ladder.formula import Formula, RankedMatch, Rating, known_since
from bot.ladder.seasons import match_weight
from bot.store.ladder.count_match import ranked_match
from bot.store.schema.codec import decode_rules
from bot.store.schema.ladder import OTHER, OWN, PlayRow
from bot.store.schema.tables import ResultRow, TableRow
from bot.store.sql import AnyRow
from bot.tables.lobby.lobby import Status

_ORDER_MS: Final = 2 * WEEK_MS  # matches are recorded in another order than they end
_MATCHES: Final = 50
"""Matches of a player that are read at once; most have met enough partners in so many."""


@dataclass(frozen=True, slots=True)
class EarlierPlayer:
    """A player before a match: the present rating, and the last one of each of the latest seasons."""

    rating: Rating
    in_season: Mapping[int, Rating]
    deserters: Sequence[tuple[int, tuple[int, ...]]]
    """For each of the latest matches, in order: when it ended, and the partners who left it early."""


def ranked_parts(guild_id: int) -> Select[*tuple[Any, ...]]:
    """Return the query for the players' parts in ranked matches with their stored ratings, match by match."""
    return (
        select(
            ResultRow.number,
            PlayRow.user_id,
            PlayRow.table_id,
            PlayRow.season,
            PlayRow.ended_at,
            PlayRow.team,
            PlayRow.place,
            PlayRow.has_left,
            PlayRow.has_left_early,
            PlayRow.is_void,
            ((TableRow.status != Status.OVER.value) & ResultRow.winner.is_(None)).label("is_broken_off"),
            PlayRow.mu,
            PlayRow.sigma,
            PlayRow.ranked_number,
            PlayRow.opponents,
            PlayRow.day_start_rating,
            TableRow.rules,
        )
        .join(PlayRow, PlayRow.table_id == ResultRow.table_id)
        .join(TableRow, TableRow.id == ResultRow.table_id)
        .where(ResultRow.guild_id == guild_id, PlayRow.is_ranked.is_(True))
        .order_by(ResultRow.number, PlayRow.user_id)
    )


def by_match(parts: Sequence[AnyRow]) -> Iterator[tuple[RankedMatch | None, Sequence[AnyRow]]]:
    """Group parts by match: yield each match with its parts, and None in place of a void match."""
    for _, found in groupby(parts, lambda part: part.number):
        own = list(found)
        first = own[0]
        if first.is_void:
            yield None, own
            continue
        weight = match_weight(decode_rules(first.rules))
        yield ranked_match(first.season, first.ended_at, own, is_broken_off=first.is_broken_off, weight=weight), own


def first_known(session: Session, guild_id: int, number: int, formula: Formula) -> int:
    """Return the number of the earliest match that affects the rating of the match with this `number`."""
    matches = select(ResultRow.ended_at, ResultRow.number).where(ResultRow.guild_id == guild_id)
    ended_at = session.scalar(matches.where(ResultRow.number == number))
    if ended_at is None:
        return number
    lately = matches.where(ResultRow.ended_at > known_since(ended_at, formula) - _ORDER_MS).subquery()
    return min(number, session.scalar(select(func.min(lately.c.number))) or number)


def rated_matches(parts: Sequence[AnyRow]) -> Iterator[tuple[RankedMatch, dict[int, Rating]]]:
    """Yield the matches of these parts, except void ones, with each player's rating after the match.

    The ratings leave out who a player's partners were.
    """
    for match, own in by_match(parts):
        if match is not None:
            yield match, {part.user_id: _rating(part) for part in own}


def earlier_player(
    session: Session, guild_id: int, user_id: int, number: int, formula: Formula
) -> EarlierPlayer | None:
    """Return a player's state before the match with this number; None without an earlier ranked match."""
    latest = (
        select(PlayRow, ResultRow.number)
        .join(ResultRow, ResultRow.table_id == PlayRow.table_id)
        .where(*_rated(PlayRow, guild_id, user_id), ResultRow.number < number)
        .order_by(PlayRow.ranked_number.desc())
        .limit(formula.spare_matches - 1)
    )
    plays = [play for (play, _) in reversed(session.execute(latest).all())]
    if not plays:
        return None
    partners_met = _partners(session, guild_id, user_id, plays[-1].ranked_number or 0, formula.sure_partners)
    ended = [play.table_id for play in plays]
    is_early = (PlayRow.table_id.in_(ended), PlayRow.has_left_early.is_(True), PlayRow.user_id != user_id)
    early: dict[tuple[int, int], list[int]] = {}
    for table_id, team, partner in session.execute(
        select(PlayRow.table_id, PlayRow.team, PlayRow.user_id).where(*is_early)
    ):
        early.setdefault((table_id, team), []).append(partner)
    rating, in_season = None, {}
    for play in plays:
        rating = in_season[play.season] = _rating(play, rating, _first(partners_met, play.ranked_number or 0, formula))
    assert rating is not None
    return EarlierPlayer(
        rating, in_season, [(play.ended_at, tuple(early.get((play.table_id, play.team), ()))) for play in plays]
    )


def _partners(session: Session, guild_id: int, user_id: int, last: int, most: int) -> list[tuple[int, int]]:
    """Return the partners of the player's first ranked matches, up to `most`, with each match's number."""
    is_mate = (OTHER.table_id == OWN.table_id) & (OTHER.team == OWN.team) & (OTHER.user_id != OWN.user_id)
    query = (
        select(OWN.ranked_number, OTHER.user_id)
        .select_from(OWN)
        .join(OTHER, is_mate & OTHER.is_ranked.is_(True))
        .where(*_rated(OWN, guild_id, user_id))
    )
    partners_met: list[tuple[int, int]] = []
    for first in range(1, last + 1, _MATCHES):
        numbered = query.where(
            OWN.ranked_number >= first, OWN.ranked_number < min(first + _MATCHES, last + 1)
        ).order_by(OWN.ranked_number)
        partners_met += [(ranked_number or 0, partner) for ranked_number, partner in session.execute(numbered)]
        if len({partner for _, partner in partners_met}) >= most:
            break
    return partners_met


def _first(partners_met: Sequence[tuple[int, int]], ranked_number: int, formula: Formula) -> frozenset[int]:
    """Return the partners after the player's ranked match of that number; see `Rating.partners`."""
    partners: set[int] = set()
    for _, found in groupby((each for each in partners_met if each[0] <= ranked_number), lambda each: each[0]):
        if len(partners) < formula.sure_partners:
            partners |= {partner for _, partner in found}
    return frozenset(partners)


def _rated(play: Any, guild_id: int, user_id: int) -> tuple[Any, ...]:
    return play.guild_id == guild_id, play.user_id == user_id, play.ranked_number.is_not(None)


def _rating(play: Any, before: Rating | None = None, partners: frozenset[int] = frozenset()) -> Rating:
    """Return the rating after a play, which follows the one `before` it."""
    season = play.season if before is None else max(before.season, play.season)
    last_at = play.ended_at if before is None else max(before.last_at, play.ended_at)
    return Rating(
        play.mu, play.sigma, season, last_at, play.ranked_number, partners, play.opponents, play.day_start_rating
    )
