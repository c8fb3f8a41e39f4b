"""The deal of the day: the secret, tries, and what they add up to. Tries at moments that are played again."""

import secrets
from collections.abc import Collection
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from bot.daily.day import SCENES, Score, Try, stand_in
from bot.daily.moment import Challenge, MomentKey, MomentTry
from bot.daily.run import SILENCE_MS
from bot.daily.store import DailyStore, MomentStore, PanelReach
from bot.store.engine.database import Database
from bot.store.schema.daily import ChallengeRow, DailySecretRow, DailyTryRow, MomentTryRow
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import ServerRow
from bot.store.sql import Adapter, changed, from_row, upsert
from bot.store.tables.panel_store import Cipher

_BYTES = 32


class _Tries(Adapter):
    """What tries of both kinds have in common."""

    def __init__(self, database: Database, cipher: Cipher | None) -> None:
        """Without a cipher no panel outlives a restart by itself."""
        super().__init__(database)
        self._cipher = cipher

    def _saved(self, reach: PanelReach | None, *, is_over: bool) -> dict[str, str | None]:
        """The columns that reach the panel: as they stay, as they are now, or empty after the end."""
        if is_over:
            return {"token": None}
        if reach is None:
            return {}
        token = None if self._cipher is None else self._cipher.encrypt(reach.token)
        return {"token": token, "language": reach.language}

    def _reach(self, row: DailyTryRow | MomentTryRow) -> PanelReach | None:
        token = self._cipher.decrypt(row.token) if self._cipher and row.token else None
        return PanelReach(token, row.language) if token else None


class SqlDailyStore(_Tries, DailyStore):
    def __init__(self, database: Database, cipher: Cipher | None) -> None:
        super().__init__(database, cipher)
        self._secret: bytes | None = None

    async def secret(self) -> bytes:
        if self._secret is None:
            self._secret = await self._read_secret()
        return self._secret

    async def _read_secret(self) -> bytes:
        def read(session: Session) -> str:
            new = upsert(session, DailySecretRow).values(number=1, secret=secrets.token_hex(_BYTES))
            session.execute(new.on_conflict_do_nothing())
            return session.scalars(select(DailySecretRow.secret)).one()

        return bytes.fromhex(await self._database.change(read))

    async def begin(self, one: Try, reach: PanelReach) -> bool:
        values = asdict(one) | {"day": one.day.toordinal()} | self._saved(reach, is_over=False)
        is_other = or_(DailyTryRow.day != values["day"], DailyTryRow.number != one.number)
        left = update(DailyTryRow).where(DailyTryRow.user_id == one.user_id, is_other, DailyTryRow.is_over.is_(False))
        of_former_days = delete(DailyTryRow).where(DailyTryRow.user_id < 0, DailyTryRow.day < values["day"])

        def begin(session: Session) -> bool:
            if not changed(session, upsert(session, DailyTryRow).values(values).on_conflict_do_nothing()):
                return False
            session.execute(left.values(is_over=True, moves="", token=None))
            session.execute(of_former_days)
            return True

        return await self._database.change(begin)

    async def save(self, one: Try, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        values: dict[str, Any] = {**self._saved(reach, is_over=one.is_over)}
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
        return tuple((_try(row), self._reach(row)) for row in rows)

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

    async def find(self, one: Try) -> Try | None:
        tries = await self.tries(one.user_id, one.day)
        return next((each for each in tries if each.number == one.number), None)


class SqlMomentStore(_Tries, MomentStore):
    async def begin(self, one: MomentTry, reach: PanelReach) -> bool:
        row, values = MomentTryRow, asdict(one) | self._saved(reach, is_over=False)
        key = [column.key for column in row.__table__.primary_key]
        is_left = or_(row.is_over, row.pressed_at < one.started_at - SILENCE_MS)
        others = (row.user_id == one.user_id, ~_is_same(row, one))
        left = update(row).where(*others, row.is_over.is_(False))
        is_asked = exists().where(_is_same(ChallengeRow, row))

        def begin(session: Session) -> bool:
            new = upsert(session, row).values(values)
            if not changed(session, new.on_conflict_do_update(index_elements=key, set_=values, where=is_left)):
                return False
            session.execute(left.values(is_over=True, moves="", token=None))
            session.execute(delete(row).where(*others, ~is_asked))  # nobody asks what came of it
            return True

        return await self._database.change(begin)

    async def find(self, one: MomentTry) -> MomentTry | None:
        found = await self._get(MomentTryRow, one.user_id, *one.key)
        return None if found is None else from_row(MomentTry, found)

    async def save(self, one: MomentTry, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        row = MomentTryRow
        values: dict[str, Any] = {**self._saved(reach, is_over=one.is_over)}
        values |= {"pressed_at": one.pressed_at, "moves": one.moves, "gain": one.gain, "is_over": one.is_over}
        is_newest = row.pressed_at <= (one.pressed_at if since is None else since)
        same = update(row).where(row.user_id == one.user_id, _is_same(row, one), row.started_at == one.started_at)
        return await self._change(same.where(row.is_over.is_(False), is_newest).values(values)) > 0

    async def unfinished(self) -> tuple[tuple[MomentTry, PanelReach | None], ...]:
        rows = await self._scalars(select(MomentTryRow).where(MomentTryRow.is_over.is_(False)))
        return tuple((from_row(MomentTry, row), self._reach(row)) for row in rows)

    async def challenge(self, key: MomentKey) -> Challenge | None:
        found = await self._get(ChallengeRow, *key)
        return None if found is None else from_row(Challenge, found)

    async def post(self, one: Challenge) -> bool:
        def post(session: Session) -> bool:
            new = upsert(session, ChallengeRow).values(asdict(one))
            return changed(session, new.on_conflict_do_nothing()) > 0

        return await self._database.change(post)

    async def withdraw(self, one: Challenge) -> None:
        await self._change(delete(ChallengeRow).where(_is_same(ChallengeRow, one)))


def _is_same(
    row: type[ChallengeRow | MomentTryRow], one: Challenge | MomentTry | type[MomentTryRow]
) -> ColumnElement[bool]:
    """Whether a row is about the same moment."""
    return and_(*(getattr(row, name) == getattr(one, name) for name in MomentKey._fields))


def _try(row: DailyTryRow) -> Try:
    return from_row(Try, row, day=date.fromordinal(row.day))
