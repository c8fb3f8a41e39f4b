"""Attempts at scenes of days and of moments: the secret, the attempts, and the scores of days."""

import secrets
from collections.abc import Collection
from dataclasses import fields
from datetime import date
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, true, update
from sqlalchemy.orm import Session, aliased

from bot.daily.attempt import (
    MOST_BETTER,
    MOST_CHALLENGES,
    Attempt,
    Challenge,
    DayKey,
    Key,
    MomentKey,
    read_key,
    write_key,
)
from bot.daily.day import SCENES, Score
from bot.daily.practice_round import SILENCE_MS
from bot.daily.store import PanelReach, SceneStore
from bot.store.engine.database import Database
from bot.store.schema.daily import AttemptRow, DailySecretRow
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import ServerRow
from bot.store.sql import Adapter, changed_row_count, from_row, upsert
from bot.store.tables.panel_store import Cipher

_BYTES: Final = 32
_AS_THEY_ARE: Final = tuple(field.name for field in fields(Attempt) if field.name != "key")


class SqlSceneStore(Adapter, SceneStore):
    """`SceneStore` in SQL."""

    def __init__(self, database: Database, cipher: Cipher | None) -> None:
        """Without a cipher, no panel can be edited after a restart."""
        super().__init__(database)
        self._cipher = cipher
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

    async def start(self, attempt: Attempt, reach: PanelReach, *, again: bool = False) -> bool:
        row, values = AttemptRow, _values(attempt) | self._reached(reach, is_over=False)
        is_silent = row.pressed_at < attempt.started_at - SILENCE_MS
        others = (row.user_id == attempt.user_id, row.scene != values["scene"], row.is_over.is_(False))
        silent = update(row).where(*others, is_silent).values(is_over=True, moves="", token=None)
        renewed = {name: value for name, value in values.items() if name != "is_posted"}

        def start(session: Session) -> bool:
            new, key = upsert(session, row).values(values), (row.user_id, row.scene)
            if again:
                new = new.on_conflict_do_update(index_elements=key, set_=renewed, where=or_(row.is_over, is_silent))
            else:
                new = new.on_conflict_do_nothing()
            if not changed_row_count(session, new):
                return False
            session.execute(silent)
            return True

        return await self._database.change(start)

    async def find(self, user_id: int, key: Key) -> Attempt | None:
        found = await self._get(AttemptRow, user_id, write_key(key))
        return None if found is None else _try(found)

    async def save(self, attempt: Attempt, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        row, values = AttemptRow, self._reached(reach, is_over=attempt.is_over)
        values |= {name: getattr(attempt, name) for name in ("pressed_at", "moves", "result", "is_over")}
        is_newest = row.pressed_at <= (attempt.pressed_at if since is None else since)
        return await self._change(update(row).values(values).where(*_is_same(attempt), ~row.is_over, is_newest)) > 0

    async def withdraw(self, attempt: Attempt) -> None:
        await self._change(delete(AttemptRow).where(*_is_same(attempt)))

    async def unfinished(self) -> tuple[tuple[Attempt, PanelReach | None], ...]:
        rows = await self._scalars(select(AttemptRow).where(AttemptRow.is_over.is_(False)))
        return tuple((_try(row), self._reach(row)) for row in rows)

    async def mark(self, user_id: int, keys: Collection[Key], *, is_posted: bool) -> bool:
        own = (AttemptRow.user_id == user_id, AttemptRow.scene.in_(map(write_key, keys)))
        other = update(AttemptRow).where(*own, AttemptRow.is_posted.is_(not is_posted))
        return await self._change(other.values(is_posted=is_posted)) > 0

    async def add_challenge(self, attempt: Attempt) -> bool:
        row, values = AttemptRow, _values(attempt) | {"is_posted": True, "token": None, "language": ""}

        def put(session: Session) -> bool:
            new, key = upsert(session, row).values(values), (row.user_id, row.scene)
            known = new.on_conflict_do_update(
                index_elements=key, set_={"is_posted": True}, where=row.is_posted.is_(False)
            )
            return changed_row_count(session, known) > 0

        return await self._database.change(put)

    async def challenge(self, key: MomentKey) -> Attempt | None:
        same = (AttemptRow.table_id == key.table_id, AttemptRow.scene == write_key(key))
        found = await self._scalar(select(AttemptRow).where(*same, AttemptRow.is_posted))
        return None if found is None else _try(found)

    async def challenges(self, table_id: int) -> tuple[Challenge, ...]:
        row, own = AttemptRow, (AttemptRow.table_id == table_id, AttemptRow.is_posted)

        def read(session: Session) -> tuple[Challenge, ...]:
            scenes = session.scalars(select(row.scene).where(*own).order_by(row.scene).limit(MOST_CHALLENGES)).all()
            return tuple(_challenge(session, scene, table_id) for scene in scenes)

        return await self._database.query(read)

    async def challenged_tables(self, user_id: int) -> Collection[tuple[int, int]]:
        own, posted = AttemptRow, aliased(AttemptRow)
        same = (posted.table_id == own.table_id, posted.scene == own.scene, posted.is_posted)
        # A join would let PostgreSQL begin with all posted ones.
        is_challenge = select(true()).where(*same).limit(1).scalar_subquery()
        tables = select(own.guild_id, own.table_id).where(own.user_id == user_id, is_challenge)
        return {(guild_id, table_id or 0) for guild_id, table_id in await self._rows(tables)}

    async def attempts(self, user_id: int, day: date) -> tuple[Attempt, ...]:
        scenes = [write_key(DayKey(day, number)) for number in range(SCENES)]
        own = select(AttemptRow).where(AttemptRow.user_id == user_id, AttemptRow.scene.in_(scenes))
        return tuple(_try(row) for row in await self._scalars(own.order_by(AttemptRow.scene)))

    async def days(self, user_id: int) -> Collection[date]:
        own = (
            select(AttemptRow.day)
            .where(AttemptRow.user_id == user_id, AttemptRow.day.is_not(None))
            .group_by(AttemptRow.day)
        )
        return {date.fromordinal(day or 0) for day in await self._scalars(own.having(func.count() == SCENES))}

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        row, time = AttemptRow, AttemptRow.result
        over = func.sum(time - row.reference)
        sums = (func.count(time), func.coalesce(func.sum(time), 0), func.coalesce(over, 0))
        is_hidden_player = and_(
            PlayerRow.guild_id == guild_id, PlayerRow.user_id == row.user_id, PlayerRow.is_hidden.is_(True)
        )
        days = row.day.between(first.toordinal(), last.toordinal())
        query = select(row.user_id, *sums).outerjoin(PlayerRow, is_hidden_player).group_by(row.user_id)
        query = query.where(row.guild_id == guild_id, days, PlayerRow.user_id.is_(None))
        rows = await self._rows(query)
        return tuple(Score(user_id, right, int(ms or 0), int(more or 0)) for user_id, right, ms, more in rows)

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        wanted = (ServerRow.daily_channel.is_not(None), ServerRow.daily_hour <= hour)
        due = select(ServerRow.guild_id, ServerRow.daily_channel)
        rows = await self._rows(due.where(*wanted, ServerRow.daily_posted_day < day.toordinal()))
        return tuple((guild_id, channel_id) for guild_id, channel_id in rows)

    def _reached(self, reach: PanelReach | None, *, is_over: bool) -> dict[str, Any]:
        """Return the columns that reach the panel: unchanged, as they are now, or empty after the end."""
        if is_over:
            return {"token": None}
        if reach is None:
            return {}
        token = None if self._cipher is None else self._cipher.encrypt(reach.token)
        return {"token": token, "language": reach.language}

    def _reach(self, row: AttemptRow) -> PanelReach | None:
        token = self._cipher.decrypt(row.token) if self._cipher and row.token else None
        return PanelReach(token, row.language) if token else None


def _is_same(attempt: Attempt) -> tuple[ColumnElement[bool], ...]:
    key = (AttemptRow.user_id == attempt.user_id, AttemptRow.scene == write_key(attempt.key))
    return (*key, AttemptRow.started_at == attempt.started_at)


def _values(attempt: Attempt) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(attempt, name) for name in _AS_THEY_ARE}
    match attempt.key:
        case DayKey(day, _):
            values["day"] = day.toordinal()
        case MomentKey(table_id):
            values["table_id"] = table_id
    return values | {"scene": write_key(attempt.key)}


def _challenge(session: Session, scene: str, table_id: int) -> Challenge:
    row, key = AttemptRow, read_key(scene)
    assert isinstance(key, MomentKey), "a challenge is a moment of a match"
    tried = (row.table_id == table_id, row.scene == scene, row.is_posted.is_(False), row.is_over)
    hidden = and_(PlayerRow.guild_id == row.guild_id, PlayerRow.user_id == row.user_id, PlayerRow.is_hidden.is_(True))
    better = select(row.user_id).outerjoin(PlayerRow, hidden).where(*tried, row.result > row.reference)
    named = better.where(PlayerRow.user_id.is_(None)).order_by(row.pressed_at).limit(MOST_BETTER)
    count = session.scalar(select(func.count()).select_from(row).where(*tried)) or 0
    return Challenge(key, count, tuple(session.scalars(named)))


def _try(row: AttemptRow) -> Attempt:
    key = read_key(row.scene)
    assert key is not None, "a scene was saved by its key"
    return from_row(Attempt, row, key=key)
