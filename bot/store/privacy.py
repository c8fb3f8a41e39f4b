"""Everything that is stored on a person, to be shown or (`bot.store.forgetting`) removed.

Their id is in `tables.host_id`, `seats`, `departures`, `panels`, `players`, `plays`, `standings`, `pairs`, `voids`,
`champions` and in the partners of others (`players.partners`); their names in `seats`, `departures`, `players`, and
perhaps in a moderator's reason (`voids.reason`). Logs name seats. How a panel is reached is a secret and not exported.
PRIVACY.md says all this to the people themselves.
"""

import json
from collections.abc import Callable, Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.live.lobby import Status
from bot.store.database import Database
from bot.store.endings import ask_about
from bot.store.forgetting import forget
from bot.store.models import (
    Base,
    ChampionRow,
    DepartureRow,
    EventRow,
    PairRow,
    PanelRow,
    PlayerRow,
    PlayRow,
    SeatRow,
    StandingRow,
    TableRow,
    VoidRow,
)
from bot.store.sql import upsert

_WORDS: Final = ("GestureMade", "SignProposed")
"""Events that hold something a person wrote."""
_ALIVE: Final = (Status.OPEN.value, Status.PLAYING.value)


class PersonalData:
    """The `Privacy` of `bot.live.privacy`."""

    def __init__(self, database: Database, *, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the boards of seasons that are over may have changed."""
        self._database = database
        self._changed = changed

    async def export(self, user_id: int) -> dict[str, Any]:
        """See `Privacy.export`."""
        async with self._database.transaction() as session:
            return {
                "user_id": user_id,
                "servers": await _rows(session, PlayerRow, PlayerRow.user_id == user_id, without=("partners",)),
                "seats": await _seats(session, user_id),
                "hosted_tables": list(
                    await session.scalars(select(TableRow.id).where(TableRow.host_id == user_id).order_by(TableRow.id))
                ),
                "departures": await _rows(session, DepartureRow, DepartureRow.user_id == user_id),
                "open_panels": await _rows(
                    session, PanelRow, PanelRow.user_id == user_id, without=("user_id", "message_id", "token")
                ),
                "matches": await _rows(session, PlayRow, PlayRow.user_id == user_id),
                "standings": await _rows(session, StandingRow, StandingRow.user_id == user_id),
                "pairs": await _rows(
                    session,
                    PairRow,
                    (PairRow.low_id == user_id) | (PairRow.high_id == user_id),
                    without=("low_id", "high_id"),
                ),
                "champion_roles": await _rows(session, ChampionRow, ChampionRow.user_id == user_id),
                "matches_declared_void": await _rows(session, VoidRow, VoidRow.by_id == user_id),
                "gestures_and_signs": await _words(session, user_id),
            }

    async def forget(self, user_id: int) -> bool:
        """See `Privacy.forget`."""
        async with self._database.transaction() as session:
            seated = select(func.count()).select_from(SeatRow).join(TableRow, TableRow.id == SeatRow.table_id)
            if await session.scalar(seated.where(SeatRow.user_id == user_id, TableRow.status.in_(_ALIVE))):
                return False
            await forget(session, user_id)
        self._changed()
        await self._database.scrub()
        return True

    async def hide(self, guild_id: int, user_id: int, name: str, *, is_hidden: bool) -> None:
        """See `Privacy.hide`."""
        async with self._database.transaction() as session:
            new = upsert(session, PlayerRow).values(guild_id=guild_id, user_id=user_id, name=name, is_hidden=is_hidden)
            keys = ["guild_id", "user_id"]
            await session.execute(new.on_conflict_do_update(index_elements=keys, set_={"is_hidden": is_hidden}))
            await ask_about(session, user_id, guild_id)
        self._changed()

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """See `Privacy.is_hidden`."""
        async with self._database.transaction() as session:
            row = await session.get(PlayerRow, (guild_id, user_id))
            return row is not None and row.is_hidden


async def _rows(
    session: AsyncSession, row: type[Base], condition: ColumnElement[bool], without: Collection[str] = ("user_id",)
) -> list[dict[str, Any]]:
    columns = [column for column in row.__table__.columns if column.name not in without]
    found = await session.execute(select(*columns).where(condition).order_by(*row.__table__.primary_key))
    return [dict(each._mapping) for each in found]


async def _seats(session: AsyncSession, user_id: int) -> list[dict[str, Any]]:
    query = (
        select(
            SeatRow.table_id,
            TableRow.guild_id,
            TableRow.channel_id,
            TableRow.status,
            TableRow.opened_at,
            TableRow.started_at,
            SeatRow.seat,
            SeatRow.team,
            SeatRow.name,
            SeatRow.ballot,
        )
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(SeatRow.user_id == user_id)
        .order_by(SeatRow.table_id)
    )
    return [dict(row._mapping) for row in await session.execute(query)]


async def _words(session: AsyncSession, user_id: int) -> list[dict[str, Any]]:
    """What the person wrote or reacted with, match by match."""
    query = (
        select(EventRow.table_id, EventRow.at, EventRow.kind, EventRow.body, SeatRow.seat)
        .join(SeatRow, SeatRow.table_id == EventRow.table_id)
        .where(SeatRow.user_id == user_id, EventRow.kind.in_(_WORDS))
        .order_by(EventRow.table_id, EventRow.seq)
    )
    found = ((row, json.loads(row.body)) for row in await session.execute(query))
    return [
        {"table_id": row.table_id, "at": row.at, "kind": row.kind, **body}
        for row, body in found
        if body["seat"] == row.seat
    ]
