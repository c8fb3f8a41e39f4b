"""The deal of the day: the secret, tries, and what they add up to."""

import secrets
from collections.abc import Collection
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from sqlalchemy import and_, delete, func, or_, select, update

from bot.daily.day import SCENES, Score, Try, stand_in
from bot.daily.store import DailyStore, PanelReach
from bot.store.engine.database import Database
from bot.store.schema.daily import DailySecretRow, DailyTryRow
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import ServerRow
from bot.store.sql import Adapter, changed, from_row, upsert
from bot.store.tables.panel_store import Cipher

_BYTES = 32


class SqlDailyStore(Adapter, DailyStore):
    def __init__(self, database: Database, cipher: Cipher | None) -> None:
        """Without a cipher no panel outlives a restart by itself."""
        super().__init__(database)
        self._cipher = cipher
        self._secret: bytes | None = None

    async def secret(self) -> bytes:
        if self._secret is None:
            self._secret = await self._read_secret()
        return self._secret

    async def _read_secret(self) -> bytes:
        async with self._database.transaction() as session:
            new = upsert(session, DailySecretRow).values(number=1, secret=secrets.token_hex(_BYTES))
            await session.execute(new.on_conflict_do_nothing())
            return bytes.fromhex((await session.scalars(select(DailySecretRow.secret))).one())

    async def begin(self, one: Try, reach: PanelReach) -> bool:
        async with self._database.transaction() as session:
            values = asdict(one) | {"day": one.day.toordinal()} | self._reaching(reach)
            new = upsert(session, DailyTryRow).values(values).on_conflict_do_nothing()
            if not await changed(session, new):
                return False
            is_other = or_(DailyTryRow.day != values["day"], DailyTryRow.number != one.number)
            left = update(DailyTryRow).where(
                DailyTryRow.user_id == one.user_id, is_other, DailyTryRow.is_over.is_(False)
            )
            await session.execute(left.values(is_over=True, moves="", token=None))
            of_former_days = delete(DailyTryRow).where(DailyTryRow.user_id < 0, DailyTryRow.day < values["day"])
            await session.execute(of_former_days)
            return True

    async def save(self, one: Try, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        values: dict[str, Any] = {} if reach is None else self._reaching(reach)
        if one.is_over:
            values = {"token": None}
        values |= {"pressed_at": one.pressed_at, "moves": one.moves, "time_ms": one.time_ms, "is_over": one.is_over}
        key = (DailyTryRow.user_id == one.user_id, DailyTryRow.day == one.day.toordinal())
        same = update(DailyTryRow).where(*key, DailyTryRow.number == one.number, DailyTryRow.is_over.is_(False))
        is_newest = DailyTryRow.pressed_at <= (one.pressed_at if since is None else since)
        return await self._change(same.where(is_newest).values(values)) > 0

    async def mark(self, user_id: int, day: date, *, is_posted: bool) -> bool:
        of_day = (DailyTryRow.user_id == user_id, DailyTryRow.day == day.toordinal())
        other = update(DailyTryRow).where(*of_day, DailyTryRow.is_posted.is_(not is_posted))
        return await self._change(other.values(is_posted=is_posted)) > 0

    async def tries(self, user_id: int, day: date) -> tuple[Try, ...]:
        own = (user_id, stand_in(await self.secret(), day, user_id))  # what was erased is used all the same
        of_day = select(DailyTryRow).where(DailyTryRow.user_id.in_(own), DailyTryRow.day == day.toordinal())
        rows = await self._scalars(of_day.order_by(DailyTryRow.number))
        return tuple(replace(_try(row), user_id=user_id) for row in rows)

    async def unfinished(self) -> tuple[tuple[Try, PanelReach | None], ...]:
        rows = await self._scalars(select(DailyTryRow).where(DailyTryRow.is_over.is_(False)))
        tokens = [self._cipher.decrypt(row.token) if self._cipher and row.token else None for row in rows]
        reached = [PanelReach(token, row.language) if token else None for row, token in zip(rows, tokens, strict=True)]
        return tuple(zip(map(_try, rows), reached, strict=True))

    async def days(self, user_id: int) -> Collection[date]:
        own = select(DailyTryRow.day).where(DailyTryRow.user_id == user_id).group_by(DailyTryRow.day)
        return {date.fromordinal(day) for day in await self._scalars(own.having(func.count() == SCENES))}

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        row, time = DailyTryRow, DailyTryRow.time_ms
        over = func.sum(time - row.reference_ms)
        sums = (func.count(time), func.coalesce(func.sum(time), 0), func.coalesce(over, 0))
        here = and_(PlayerRow.guild_id == guild_id, PlayerRow.user_id == row.user_id, PlayerRow.is_hidden.is_(True))
        days = row.day.between(first.toordinal(), last.toordinal())
        query = select(row.user_id, *sums).outerjoin(PlayerRow, here).group_by(row.user_id)
        query = query.where(row.guild_id == guild_id, days, PlayerRow.user_id.is_(None))
        rows = await self._rows(query)
        return tuple(Score(user_id, right, int(ms or 0), int(more or 0)) for user_id, right, ms, more in rows)

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        wanted = (ServerRow.daily_channel.is_not(None), ServerRow.daily_hour <= hour)
        due = select(ServerRow.guild_id, ServerRow.daily_channel)
        rows = await self._rows(due.where(*wanted, ServerRow.daily_posted < day.toordinal()))
        return tuple((guild_id, channel_id) for guild_id, channel_id in rows)

    def _reaching(self, reach: PanelReach) -> dict[str, str | None]:
        token = None if self._cipher is None else self._cipher.encrypt(reach.token)
        return {"token": token, "language": reach.language}


def _try(row: DailyTryRow) -> Try:
    return from_row(Try, row, day=date.fromordinal(row.day))
