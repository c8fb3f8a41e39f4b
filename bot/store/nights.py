"""Saves game nights as rows and reads them back: drafts, planned and running nights, finished ones.

A night is written by the process that serves its server, one version after the other.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec
import structlog
from sqlalchemy import BindParameter, Select, bindparam, func, select, update
from sqlalchemy.orm import Session

from bot.base.errors import StoreError
from bot.nights.changes import DoneStep
from bot.nights.formats import FORMATS
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.planning.draft import NightDraft
from bot.records.archive import NightRecords
from bot.store.schema.codec import decode_numbers
from bot.store.schema.columns import NO_NAME
from bot.store.schema.tables import EntrantRow, NightDraftRow, NightRow, NightStepRow, ResultRow, TableRow
from bot.store.sql import Adapter, changed_row_count, lock_table, plain, put, read_in_batches
from bot.tables.lobby.lobby import Status
from bot.tables.nights.live_nights import NightDraftStore
from bot.tables.nights.running_night import MatchScore, NightStore
from bot.tables.table_store import ServerFilter, all_servers

_FINISHED: Final = (NightStatus.OVER.value, NightStatus.CANCELLED.value)
_BATCH_SIZE: Final = 50
_NIGHTS: Final = plain(NightRow)
_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_PARTS: Final = {row: select(plain(row)).where(row.night_id.in_(_IDS)) for row in (EntrantRow, NightStepRow)}
_ENTRANTS: Final = select(EntrantRow).where(EntrantRow.night_id.in_(_IDS)).order_by(EntrantRow.number)
_STEPS: Final = select(NightStepRow).where(NightStepRow.night_id.in_(_IDS)).order_by(NightStepRow.number)
_log = structlog.get_logger(__name__)


class SqlNightStore(Adapter, NightStore):
    """`NightStore` in SQL."""

    async def create(self, night: Night, former: Night | None = None) -> Night:
        last = select(func.coalesce(func.max(NightRow.number), 0)).where(NightRow.guild_id == night.guild_id)

        def create(session: Session) -> Night:
            if former is not None:
                _overwrite(session, former)
            lock_table(session, NightRow)  # two nights that are planned at once must not take the same number
            numbered = replace(night, number=(session.scalar(last) or 0) + 1)
            row = NightRow(**_columns(numbered))
            session.add(row)
            session.flush()
            created = replace(numbered, id=row.id)
            _write_parts(session, created)
            return created

        return await self._database.change(create, server=night.guild_id)

    async def save(self, night: Night) -> None:
        await self._database.change(lambda session: _overwrite(session, night), server=night.guild_id)

    async def load(self, night_id: int) -> Night | None:
        query = select(NightRow).where(NightRow.id == night_id)
        return next(iter(await self._database.query(lambda session: _read(session, query))), None)

    async def load_live(self, servers: ServerFilter = all_servers) -> tuple[Night, ...]:
        live = select(NightRow.id, NightRow.guild_id).where(NightRow.is_live.is_(True)).order_by(NightRow.id)
        ids = [night_id for night_id, guild_id in await self._rows(live) if servers(guild_id)]

        def read(session: Session) -> tuple[Night, ...]:
            nights: list[Night] = []
            for night_id in ids:
                try:
                    nights += _read(session, select(NightRow).where(NightRow.id == night_id))
                except StoreError as problem:  # the others go on
                    _log.error("night.unreadable", problem=str(problem))
            return tuple(nights)

        return await self._database.query(read) if ids else ()

    async def score(self, table_id: int) -> MatchScore | None:
        is_over = (TableRow.id == ResultRow.table_id) & (TableRow.status == Status.OVER.value)
        row = await self._scalar(select(ResultRow).join(TableRow, is_over).where(ResultRow.table_id == table_id))
        return None if row is None else MatchScore(decode_numbers(row.scores), decode_numbers(row.games))


class SqlNightRecords(Adapter, NightRecords):
    """`NightRecords` in SQL, and the planned nights."""

    async def night(self, guild_id: int, night_id: int) -> Night | None:
        query = select(NightRow).where(NightRow.id == night_id, NightRow.guild_id == guild_id)
        return next(iter(await self._latest(query, 1)), None)

    async def planned(self, guild_id: int) -> tuple[Night, ...]:
        """Return the nights of a server that have not started, earliest first."""
        query = select(NightRow).where(NightRow.guild_id == guild_id, NightRow.status == NightStatus.PLANNED.value)
        soonest = query.order_by(NightRow.starts_at, NightRow.id)
        return tuple(await self._database.query(lambda session: _read(session, soonest)))

    async def past(self, guild_id: int, most: int) -> tuple[Night, ...]:
        query = select(NightRow).where(NightRow.guild_id == guild_id, NightRow.status.in_(_FINISHED))
        return await self._latest(query, most)

    async def between(self, guild_id: int, first: int, until: int) -> tuple[Night, ...]:
        """Read a few nights at a time, so that other transactions run in between."""
        keys = (NightRow.starts_at, NightRow.id)
        query = select(*keys).where(
            *(NightRow.guild_id == guild_id, NightRow.status.in_(_FINISHED)),
            *(NightRow.starts_at >= first, NightRow.starts_at < until),
        )
        nights = list[Night]()
        async for rows in read_in_batches(self._database, query, keys, _BATCH_SIZE, tuple):
            these = select(NightRow).where(NightRow.id.in_([row.id for row in rows])).order_by(*keys)
            nights += await self._database.query(partial(_read, query=these))
        return tuple(nights)

    async def of_person(self, guild_id: int, user_id: int, most: int) -> tuple[Night, ...]:
        query = (
            select(NightRow)
            .join(EntrantRow)
            .where(EntrantRow.user_id == user_id, NightRow.guild_id == guild_id)
            .where(NightRow.status == NightStatus.OVER.value)
        )
        return await self._latest(query, most)

    async def _latest(self, query: Select[NightRow], most: int) -> tuple[Night, ...]:
        latest = query.order_by(NightRow.starts_at.desc()).limit(most)
        return tuple(await self._database.query(lambda session: _read(session, latest)))


class SqlNightDraftStore(Adapter, NightDraftStore):
    """`NightDraftStore` in SQL."""

    async def save(self, guild_id: int, user_id: int, draft: NightDraft, now: int) -> None:
        plan, former = draft.plan, draft.former
        titles = [plan.title] if former is None else [plan.title, former.title]
        former = None if former is None else replace(former, title="")
        body = _text(replace(draft, plan=replace(plan, title=""), former=former))
        row = {"guild_id": guild_id, "user_id": user_id, "title": "\n".join(titles), "body": body, "saved_at": now}
        await self._database.change(lambda session: put(session, NightDraftRow, row), server=guild_id)

    async def read(self, guild_id: int, user_id: int) -> NightDraft | None:
        row = await self._get(NightDraftRow, guild_id, user_id)
        if row is None:
            return None
        try:
            draft = msgspec.json.decode(row.body, type=NightDraft, dec_hook=_format)
        except (msgspec.MsgspecError, ValueError) as error:
            raise StoreError(f"A draft of a night cannot be read: {error}.") from error
        if draft.former is None:
            return draft.with_changes(title=row.title)
        title, _, former = row.title.partition("\n")
        return replace(draft.with_changes(title=title), former=replace(draft.former, title=former))


def _overwrite(session: Session, night: Night) -> None:
    """Write a version over the version before, and the entrants and steps that differ.

    Raises:
        StoreError: The night was changed meanwhile.
    """
    former = (_NIGHTS.c.id == night.id) & (_NIGHTS.c.version == night.version - 1)
    if changed_row_count(session, update(_NIGHTS).where(former).values(_columns(night))) != 1:
        raise StoreError(f"Night {night.id} was changed meanwhile: this change is not saved. Try again.")
    _write_parts(session, night)


def _columns(night: Night) -> dict[str, Any]:
    """Return the columns of a night's row, except its id. The body leaves out what has a column or a row of its own."""
    entrants = tuple(replace(entrant, user_id=None, name=NO_NAME) for entrant in night.entrants)
    body = replace(night, host_id=None, plan=replace(night.plan, title=""), entrants=entrants, steps=(), reason="")
    return {
        "guild_id": night.guild_id,
        "number": night.number,
        "host_id": night.host_id,
        "title": night.plan.title,
        "reason": night.reason,
        "status": night.status.value,
        "starts_at": night.plan.starts_at,
        "is_live": not night.is_wound_up,
        "version": night.version,
        "body": _text(body),
    }


def _write_parts(session: Session, night: Night) -> None:
    """Write the entrants and the host's steps that differ from the stored ones."""
    entrants = [{"number": each.number, "user_id": each.user_id, "name": each.name} for each in night.entrants]
    steps = [
        {"number": number, "by_id": step.by, "body": _text(replace(step, by=None))}
        for number, step in enumerate(night.steps)
    ]
    parts: tuple[tuple[type[EntrantRow | NightStepRow], list[dict[str, Any]]], ...]
    parts = ((EntrantRow, entrants), (NightStepRow, steps))
    for kind, rows in parts:
        stored = [dict(row) for row in session.execute(_PARTS[kind], {"ids": [night.id]}).mappings()]
        for row in rows:
            if (part := {"night_id": night.id, **row}) not in stored:
                put(session, kind, part)


def _read(session: Session, query: Select[NightRow]) -> list[Night]:
    """Return the nights of a query, in order."""
    rows = session.scalars(query).all()
    entrants: defaultdict[int, list[EntrantRow]] = defaultdict(list)
    steps: defaultdict[int, list[NightStepRow]] = defaultdict(list)
    nights = {"ids": [row.id for row in rows]}
    for entrant in session.scalars(_ENTRANTS, nights):
        entrants[entrant.night_id].append(entrant)
    for step in session.scalars(_STEPS, nights):
        steps[step.night_id].append(step)
    return [_night(row, entrants[row.id], steps[row.id]) for row in rows]


def _night(row: NightRow, entrants: Sequence[EntrantRow], steps: Sequence[NightStepRow]) -> Night:
    try:
        night = msgspec.json.decode(row.body, type=Night, dec_hook=_format)
        log = tuple(replace(msgspec.json.decode(step.body, type=DoneStep), by=step.by_id) for step in steps)
        people = tuple(
            replace(entrant, user_id=person.user_id, name=person.name)
            for entrant, person in zip(night.entrants, entrants, strict=True)
        )
    except (msgspec.MsgspecError, ValueError) as error:
        raise StoreError(f"Night {row.id} cannot be read: {error}.") from error
    return replace(
        night,
        id=row.id,
        guild_id=row.guild_id,
        number=row.number,
        host_id=row.host_id,
        plan=replace(night.plan, title=row.title),
        reason=row.reason,
        entrants=people,
        steps=log,
        version=row.version,
    )


def _text(value: Night | NightDraft | DoneStep) -> str:
    return msgspec.json.encode(value, enc_hook=_name).decode()


def _name(value: object) -> str:
    assert isinstance(value, Format), "nothing else of a night is written by a hook"
    return value.name


def _format(kind: type, name: str) -> Format:
    assert kind is Format, "nothing else of a night is read by a hook"
    if name not in FORMATS:
        raise ValueError(f"no format is called {name}")
    return FORMATS[name]
