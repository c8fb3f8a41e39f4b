"""Standings, without their ratings, and pairs, summed up again from the record of matches."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.store.engine.sql import upsert
from bot.store.ladder.count_match import PAIR_SUMS, SUMS, TALLY
from bot.store.schema import PairRow, PlayRow, StandingRow


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
    keys = (PlayRow.guild_id, PlayRow.user_id, PlayRow.season, PlayRow.is_ranked)
    sums = {
        "matches": func.count(),
        "wins": _sum(PlayRow.outcome == 1),
        "draws": _sum(PlayRow.outcome == 0),
        **{name: func.sum(getattr(PlayRow, name)) for name in ("rounds", *TALLY)},
    }
    counted = (*only(PlayRow, "user_id"), PlayRow.is_void.is_(False))
    standings = select(*keys, *(sums[name] for name in SUMS)).where(*counted).group_by(*keys)
    new = upsert(session, StandingRow).from_select([*(key.key for key in keys), *SUMS], standings)
    added = new.on_conflict_do_update(
        index_elements=[key.key for key in keys], set_={name: new.excluded[name] for name in SUMS}
    )
    await session.execute(added)
    await session.execute(delete(StandingRow).where(*ours, StandingRow.matches == 0))
    await session.execute(delete(PairRow).where(*only(PairRow, "low_id", "high_id")))
    low, high = aliased(PlayRow), aliased(PlayRow)
    # No condition on the other's server: SQLite would look it up by that, among all plays of the server.
    among = [*only(low, "user_id"), *([] if known is None else [high.user_id.in_(known)])]
    names = ["guild_id", "low_id", "high_id", "season", "is_ranked", *PAIR_SUMS]
    await session.execute(insert(PairRow).from_select(names, _pairs(low, high, among)))


def _pairs(low: Any, high: Any, among: Collection[ColumnElement[bool]]) -> Select[*tuple[Any, ...]]:
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
        .where(*among, low.is_void.is_(False))
        .group_by(low.guild_id, low.user_id, high.user_id, low.season, is_ranked)
    )


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))
