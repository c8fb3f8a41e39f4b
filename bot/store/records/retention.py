"""Deletes what a server does not want to keep of old matches, nights, attempts at scenes, bans and drafts.

Of a match go its log, rounds, names and departures. What each player did (`plays`) and the results stay as numbers, so
standings and ratings stay and can be computed again. Of a match without a result only its number stays, which must not
be used again.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Select, delete, exists, func, select, tuple_, update
from sqlalchemy.orm import Session

from bot.base.background import run_in_batches
from bot.base.times import DAY_MS
from bot.daily.day import day_of
from bot.store.schema import tables as s
from bot.store.schema.columns import NO_NAME, NO_USER
from bot.store.schema.daily import AttemptRow
from bot.store.sql import Adapter, changed_row_count, plain
from bot.tables.erasure import MOST_COUNTED, Retention
from bot.tables.lobby.lobby import Status
from bot.tables.nights.live_nights import KEPT_MS

BATCH: Final = 50
"""Attempts or nights of a server that one transaction deletes."""
_CLOSED: Final = (Status.OVER.value, Status.CANCELLED.value, Status.EXPIRED.value)


class SqlRetention(Adapter, Retention):
    """`Retention` in SQL."""

    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        await self._change(delete(s.BanRow).where(s.BanRow.until <= at))
        await self._change(delete(s.NightDraftRow).where(s.NightDraftRow.saved_at < at - KEPT_MS))
        due = select(s.ServerRow).where(s.ServerRow.retention_days.is_not(None), s.ServerRow.retained_until <= at)
        for server in await self._scalars(due.order_by(s.ServerRow.guild_id)):
            assert server.retention_days is not None, "the query asks for it"
            guild_id, before = server.guild_id, at - server.retention_days * DAY_MS
            for purge_some in (_purge_attempts, _purge_nights):
                some = partial(purge_some, guild_id=guild_id, before=before, at=at)
                await run_in_batches(partial(self._database.change, some))
            old = _old(guild_id, before).order_by(s.TableRow.opened_at).limit(most)
            ids = await self._scalars(old)
            if ids:
                await self._database.change(partial(_delete, ids=ids, at=at))
                return tuple(ids)
        return ()

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        begun = _old(guild_id, at - days * DAY_MS).where(s.TableRow.started_at.is_not(None)).limit(MOST_COUNTED + 1)
        return await self._scalar(select(func.count()).select_from(begun.subquery())) or 0


def _purge_attempts(session: Session, guild_id: int, before: int, at: int) -> bool:
    """Delete some old attempts at scenes of days; return whether there may be more. Moments go with matches."""
    is_old = (
        AttemptRow.guild_id == guild_id,
        AttemptRow.day <= day_of(before).toordinal(),
        AttemptRow.started_at < before,
    )
    key = (AttemptRow.user_id, AttemptRow.scene)
    some = select(*key).where(*is_old).limit(BATCH)
    return changed_row_count(session, delete(plain(AttemptRow)).where(tuple_(*key).in_(some))) == BATCH


def _purge_nights(session: Session, guild_id: int, before: int, at: int) -> bool:
    """Delete the names of some old nights, and what their hosts did. Return whether there may be more."""
    old = select(s.NightRow.id).where(
        s.NightRow.guild_id == guild_id,
        s.NightRow.starts_at < before,
        s.NightRow.is_live.is_(False),
        s.NightRow.purged_at.is_(None),
    )
    ids = session.scalars(old.limit(BATCH)).all()
    if ids:
        session.execute(update(s.EntrantRow).where(s.EntrantRow.night_id.in_(ids)).values(name=NO_NAME))
        session.execute(delete(s.NightStepRow).where(s.NightStepRow.night_id.in_(ids)))
        session.execute(update(s.NightRow).where(s.NightRow.id.in_(ids)).values(host_id=None, purged_at=at))
    return len(ids) == BATCH


def _old(guild_id: int, before: int) -> Select[int]:
    """Return the query of tables that were closed for good before an instant and are not purged yet."""
    return (
        select(s.TableRow.id)
        .outerjoin(s.ResultRow)
        .where(s.TableRow.guild_id == guild_id, s.TableRow.purged_at.is_(None), s.TableRow.opened_at < before)
        .where(s.TableRow.status.in_(_CLOSED), s.ResultRow.ended_at.is_(None) | (s.ResultRow.ended_at < before))
    )


def _delete(session: Session, ids: Sequence[int], at: int) -> None:
    for row in (s.EventRow, s.LogRow, s.DepartureRow, s.PanelRow, s.ShareRow, AttemptRow):
        session.execute(delete(row).where(row.table_id.in_(ids)))
    has_result = exists().where(s.ResultRow.table_id == s.SeatRow.table_id)
    session.execute(delete(s.SeatRow).where(s.SeatRow.table_id.in_(ids), ~has_result))
    people = update(s.SeatRow).where(s.SeatRow.table_id.in_(ids), s.SeatRow.user_id.is_not(None))
    session.execute(people.values(name=NO_NAME, ballot=None))
    session.execute(update(s.TableRow).where(s.TableRow.id.in_(ids)).values(host_id=NO_USER, purged_at=at))
