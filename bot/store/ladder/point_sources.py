"""Reads where players' points come from: what their ranked matches gained, by opponent and by partner."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, case, func, select, tuple_
from sqlalchemy.orm import Session, aliased

from bot.ladder.formula import Formula, Rating, displayed_rating
from bot.ladder.seasons import Season
from bot.records.history import MOST_LATEST, MOST_SOURCES, PointSource, PointSources
from bot.store.schema.ladder import OTHER, OWN, PlayerRow, PlayRow
from bot.store.sql import AnyRow


def point_sources_of(
    session: Session, guild_id: int, user_ids: Collection[int], season: Season, formula: Formula
) -> Mapping[int, PointSources]:
    """Return where these players' points come from; see `History.point_sources`."""
    before = aliased(PlayRow)
    is_before = (
        (before.guild_id == guild_id)
        & (before.user_id == OWN.user_id)
        & (before.ranked_number == OWN.ranked_number - 1)
    )
    former = func.coalesce(before.displayed_rating, displayed_rating(Rating(formula.mu, formula.sigma, 0, 0), formula))
    gain = func.sum(case((OWN.displayed_rating > former, OWN.displayed_rating - former), else_=0))
    counts = (func.count(), func.sum(case((OWN.outcome > 0, 1), else_=0)), gain)
    rated = [
        OWN.guild_id == guild_id,
        OWN.user_id.in_(user_ids),
        OWN.season == season.number,
        OWN.ranked_number.is_not(None),
    ]
    rated.append(OWN.ended_at >= season.starts_at)  # the index leads past earlier seasons
    totals = select(OWN.user_id, *counts).outerjoin(before, is_before).where(*rated).group_by(OWN.user_id)
    is_partner = OTHER.team == OWN.team
    point_rows = (
        select(OWN.user_id, is_partner, OTHER.user_id, *counts)
        .outerjoin(before, is_before)
        .join(OTHER, (OTHER.table_id == OWN.table_id) & (OTHER.user_id != OWN.user_id))
        .where(*rated)
        .group_by(OWN.user_id, is_partner, OTHER.user_id)
    )
    sides: dict[tuple[int, bool], list[AnyRow]] = {}
    for row in session.execute(point_rows):
        sides.setdefault((row[0], bool(row[1])), []).append(row)
    largest = {side: sorted(rows, key=_size)[:MOST_SOURCES] for side, rows in sides.items()}
    first = [(user, rows[0][2]) for (user, with_partner), rows in largest.items() if not with_partner]
    names = _names(session, guild_id, {row[2] for rows in largest.values() for row in rows})
    latest = _wins(session, rated, first)

    def sources(rows: Iterable[AnyRow], total: int) -> tuple[PointSource, ...]:
        return tuple(
            PointSource(other, names.get(other, ""), gained / total if total else 0.0, matches, wins)
            for _, _, other, matches, wins, gained in rows
        )

    return {
        user: PointSources(
            total,
            matches,
            sources(largest.get((user, False), ()), total),
            sources(largest.get((user, True), ()), total),
            tuple(latest.get(user, [])[-MOST_LATEST:]),
        )
        for user, matches, _, total in session.execute(totals)
    }


def _size(row: AnyRow) -> tuple[int, ...]:
    """Return the sort key of a row: most points, then most matches."""
    _, _, other, matches, _, gained = row
    return -gained, -matches, other


def _names(session: Session, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
    players = select(PlayerRow).where(PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_(user_ids))
    return {player.user_id: player.name for player in session.scalars(players)}


def _wins(
    session: Session, rated: Iterable[ColumnElement[bool]], against: Collection[tuple[int, int]]
) -> dict[int, list[Any]]:
    """Return by player the matches won against one opponent each, oldest first."""
    won = (
        select(OWN.user_id, OWN.table_id)
        .join(OTHER, (OTHER.table_id == OWN.table_id) & (OTHER.team != OWN.team))
        .where(*rated, OWN.outcome > 0, tuple_(OWN.user_id, OTHER.user_id).in_(against))
        .order_by(OWN.ended_at, OWN.table_id)
    )
    found: dict[int, list[int]] = {}
    for user, table_id in session.execute(won):
        found.setdefault(user, []).append(table_id)
    return found
