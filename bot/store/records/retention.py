"""Deletes what a server does not want to keep of old matches and nights: logs, rounds, names and departures; old tries
at scenes, bans that are over, and drafts of nights.

What each player did (`plays`) and the results stay as numbers, so standings and ratings stay and can be computed again.
Of a match without a result only its number stays, which must not be used again.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Select, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.base.times import DAY_MS
from bot.store.schema import tables as s
from bot.store.schema.columns import NO_NAME, NO_USER
from bot.store.schema.daily import TryRow
from bot.store.sql import Adapter
from bot.tables.erasure import MOST_COUNTED, Retention
from bot.tables.lobby.lobby import Status
from bot.tables.nights.drafts import KEPT_MS

_CLOSED: Final = (Status.OVER.value, Status.CANCELLED.value, Status.EXPIRED.value)


class SqlRetention(Adapter, Retention):
    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        due = select(s.ServerRow).where(s.ServerRow.retention_days.is_not(None), s.ServerRow.retained_until <= at)
        async with self._database.transaction() as session:
            await session.execute(delete(s.BanRow).where(s.BanRow.until <= at))
            await session.execute(delete(s.NightDraftRow).where(s.NightDraftRow.kept_at < at - KEPT_MS))
            for server in (await session.scalars(due.order_by(s.ServerRow.guild_id))).all():
                assert server.retention_days is not None, "the query asks for it"
                guild_id, before = server.guild_id, at - server.retention_days * DAY_MS
                await _purge_nights(session, guild_id, before, at)
                old_tries = (TryRow.guild_id == guild_id, TryRow.started_at < before)
                await session.execute(delete(TryRow).where(*old_tries))
                old = _old(guild_id, before)
                ids = (await session.scalars(old.order_by(s.TableRow.opened_at).limit(most))).all()
                if ids:
                    await _delete(session, ids, at)
                    return tuple(ids)
        return ()

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        begun = _old(guild_id, at - days * DAY_MS).where(s.TableRow.started_at.is_not(None)).limit(MOST_COUNTED + 1)
        return await self._scalar(select(func.count()).select_from(begun.subquery())) or 0


async def _purge_nights(session: AsyncSession, guild_id: int, before: int, at: int) -> None:
    """Delete the names of old nights, and what their hosts did. A server has few nights: all of them at once."""
    old = select(s.NightRow.id).where(
        s.NightRow.guild_id == guild_id,
        s.NightRow.starts_at < before,
        s.NightRow.is_live.is_(False),
        s.NightRow.purged_at.is_(None),
    )
    ids = (await session.scalars(old)).all()
    if ids:
        await session.execute(update(s.EntrantRow).where(s.EntrantRow.night_id.in_(ids)).values(name=NO_NAME))
        await session.execute(delete(s.NightStepRow).where(s.NightStepRow.night_id.in_(ids)))
        await session.execute(update(s.NightRow).where(s.NightRow.id.in_(ids)).values(host_id=None, purged_at=at))


def _old(guild_id: int, before: int) -> Select[int]:
    """The ids of tables that were closed for good before an instant and are not purged yet."""
    return (
        select(s.TableRow.id)
        .outerjoin(s.ResultRow, s.ResultRow.table_id == s.TableRow.id)
        .where(s.TableRow.guild_id == guild_id, s.TableRow.purged_at.is_(None), s.TableRow.opened_at < before)
        .where(s.TableRow.status.in_(_CLOSED), s.ResultRow.ended_at.is_(None) | (s.ResultRow.ended_at < before))
    )


async def _delete(session: AsyncSession, ids: Sequence[int], at: int) -> None:
    for row in (s.EventRow, s.LogRow, s.DepartureRow, s.PanelRow, s.ShareRow, TryRow):
        await session.execute(delete(row).where(row.table_id.in_(ids)))
    has_result = exists().where(s.ResultRow.table_id == s.SeatRow.table_id)
    await session.execute(delete(s.SeatRow).where(s.SeatRow.table_id.in_(ids), ~has_result))
    people = update(s.SeatRow).where(s.SeatRow.table_id.in_(ids), s.SeatRow.user_id.is_not(None))
    await session.execute(people.values(name=NO_NAME, ballot=None))
    await session.execute(update(s.TableRow).where(s.TableRow.id.in_(ids)).values(host_id=NO_USER, purged_at=at))
