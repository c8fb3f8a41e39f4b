"""Exports everything that is stored about a person, hides them from boards, and erases them (`bot.store.erasure`).

`bot.store.personal` lists what is about them. Texts by others (`voids.reason`, `bans.reason`, `nights.title`,
`nights.reason`, `night_drafts.title`) lose the id and its mentions only: a name may be any word. Texts for others
(`presses.reason`) are stored without any. Logs name seats, and nights name entrants. Of a ban, its digest and its end
stay.

Processes that serve other tables are asked to let a person leave them (`ErasureRow`). A process learns of it with its
next heartbeat (`bot.store.engine.cluster`).
"""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.orm import Session

from bot.base.background import run_in_batches
from bot.base.errors import StoreError
from bot.records.file_batches import Progress
from bot.records.personal_data import PersonalData
from bot.store.engine.cluster import SqlCluster
from bot.store.engine.database import Database
from bot.store.erasure import ALIVE, BATCHES, erase, erase_some, find_mentions, start
from bot.store.ladder.season_store import show_again_about
from bot.store.personal import PERSONAL, Personal
from bot.store.schema import tables as s
from bot.store.schema.codec import decode_numbers, encode, unpack
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import ErasureRow, LeaseRow, ProcessRow
from bot.store.sql import Adapter, AnySelect, read_in_batches, upsert
from bot.tables.erasure import OtherProcesses

ANSWER_S: Final = 12.0
"""Longer than a stuck process lives: its row goes, and the request to it, too."""
_LOOK_S: Final = 0.2


REST_S: Final = 0.005
"""Seconds between two batches of an erasure."""
BATCH_SIZE: Final = 100
"""Few enough rows that a press which waits for their reading is answered in time."""
LOGS: Final = 20
"""Logs of matches that one transaction reads, a few milliseconds each."""
_WORDS: Final = ("GestureMade", "SignProposed")
"""Kinds of events with what a player wrote or reacted with."""
_SEATS: Final = select(
    s.SeatRow.table_id,
    s.TableRow.guild_id,
    s.TableRow.channel_id,
    s.TableRow.status,
    s.TableRow.opened_at,
    s.TableRow.started_at,
    s.SeatRow.seat,
    s.SeatRow.team,
    s.SeatRow.name,
    s.SeatRow.ballot,
    s.SeatRow.wants_rematch,
).join(s.TableRow)

_NIGHTS: Final = select(
    s.EntrantRow.night_id,
    s.EntrantRow.number,
    s.EntrantRow.name,
    s.NightRow.guild_id,
    s.NightRow.title,
    s.NightRow.starts_at,
    s.NightRow.body,
).join(s.NightRow)


class SqlPersonalData(Adapter, PersonalData):
    """`PersonalData` in SQL."""

    def __init__(
        self, database: Database, *, changed: Callable[[], None] = lambda: None, batch_size: int = BATCH_SIZE
    ) -> None:
        """Prepare.

        Args:
            database: The database.
            changed: Called when boards of finished seasons may have changed, or recounts may resume.
            batch_size: Most rows that one transaction reads; of logs, `LOGS`.
        """
        super().__init__(database)
        self._chunk = batch_size
        self._exporting = asyncio.Lock()
        self._changed = changed

    async def export(self, user_id: int, progress: Progress | None = None) -> dict[str, Any]:
        progress = progress or Progress()
        async with self._exporting:
            progress.total = await self._scalar(select(func.count()).where(s.SeatRow.user_id == user_id)) or 0
            return await self._export(user_id, progress)

    async def _export(self, user_id: int, progress: Progress) -> dict[str, Any]:
        rows_by_name: dict[str, Any] = {"user_id": user_id}
        for each in PERSONAL:
            if each.export is not None:
                rows_by_name.setdefault(each.export, []).extend(await self._rows_of(each, user_id))
        seats = await self._read(_SEATS.where(s.SeatRow.user_id == user_id), s.SeatRow.table_id)
        words = await self._words({seat["table_id"]: seat["seat"] for seat in seats}, progress)
        return rows_by_name | {"seats": seats, "nights": await self._nights(user_id), "gestures_and_signs": words}

    async def tables_of(self, user_id: int) -> int:
        alive = select(s.TableRow.id).where(s.TableRow.status.in_(ALIVE))
        seats = select(func.count()).where(s.SeatRow.user_id == user_id, s.SeatRow.table_id.in_(alive))
        return await self._scalar(seats) or 0

    async def save_erasure_request(self, user_id: int, *, is_wanted: bool = True) -> None:
        def note(session: Session) -> None:
            if is_wanted:
                session.execute(upsert(session, s.PendingErasureRow).values(user_id=user_id).on_conflict_do_nothing())
            else:
                not_begun = (s.PendingErasureRow.user_id == user_id, s.PendingErasureRow.stand_in.is_(None))
                session.execute(delete(s.PendingErasureRow).where(*not_begun))

        await self._database.change(note)

    async def erasure_requests(self) -> Collection[int]:
        return await self._scalars(select(s.PendingErasureRow.user_id).where(s.PendingErasureRow.user_id > 0))

    async def erase_past_matches(self, user_id: int, unreadable_ids: Collection[int] = ()) -> bool:
        if not await self._unless_seated(start, user_id, unreadable_ids):
            return False
        for slice_of in BATCHES:
            some = partial(erase_some, user_id=user_id, slice_of=slice_of)
            await run_in_batches(partial(self._database.run, some), REST_S)
        return True

    async def erase(self, user_id: int, unreadable_ids: Collection[int] = ()) -> bool:
        mentions = await self._database.query(partial(find_mentions, user_id=user_id))
        is_done = await self._unless_seated(partial(erase, mentions=mentions), user_id, unreadable_ids)
        if is_done:
            self._changed()
        return is_done

    async def _unless_seated(
        self, work: Callable[[Session, int], None], user_id: int, unreadable_ids: Collection[int]
    ) -> bool:
        """Run some work on a person who sits nowhere, in one transaction; return whether it ran."""

        def do(session: Session) -> bool:
            if _is_seated(session, user_id, unreadable_ids):
                return False
            work(session, user_id)
            return True

        return await self._database.change(do)

    async def scrub_deleted_rows(self) -> None:
        if numbers := await self._scalars(select(s.PendingErasureRow.user_id).where(s.PendingErasureRow.user_id < 0)):
            await self._database.scrub()
            await self._change(delete(s.PendingErasureRow).where(s.PendingErasureRow.user_id.in_(numbers)))

    async def hide(self, guild_id: int, user_id: int, name: str, *, is_hidden: bool) -> None:
        def hide(session: Session) -> None:
            new = upsert(session, PlayerRow).values(guild_id=guild_id, user_id=user_id, name=name, is_hidden=is_hidden)
            keys = ["guild_id", "user_id"]
            session.execute(new.on_conflict_do_update(index_elements=keys, set_={"is_hidden": is_hidden}))
            show_again_about(session, user_id, guild_id)

        await self._database.change(hide)
        self._changed()

    async def show_avatar(self, guild_id: int, user_id: int, name: str, *, is_shown: bool) -> None:
        everywhere = update(PlayerRow).where(PlayerRow.user_id == user_id).values(hides_avatar=not is_shown)

        def show(session: Session) -> None:
            new = upsert(session, PlayerRow).values(guild_id=guild_id, user_id=user_id, name=name)
            session.execute(new.on_conflict_do_nothing(index_elements=["guild_id", "user_id"]))
            session.execute(everywhere)

        await self._database.change(show)

    async def without_avatar(self, user_ids: Collection[int]) -> frozenset[int]:
        wanted = select(PlayerRow.user_id).where(PlayerRow.user_id.in_(user_ids), PlayerRow.hides_avatar.is_(True))
        return frozenset(await self._scalars(wanted))

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        row = await self._get(PlayerRow, guild_id, user_id)
        return row is not None and row.is_hidden

    async def _rows_of(self, personal: Personal, user_id: int) -> list[dict[str, Any]]:
        table, name = personal.person.class_.__table__, personal.person.key
        key = [column for column in table.primary_key if column.name != name]
        rows = select(*table.columns).where(personal.person == user_id)
        return await self._read(rows, *key, without={name, *personal.hides})

    async def _nights(self, user_id: int) -> list[dict[str, Any]]:
        """Return the nights for which the person had signed up, with their part in each."""
        found = await self._read(_NIGHTS.where(s.EntrantRow.user_id == user_id), s.EntrantRow.night_id)
        nights = []
        for row in found:
            body, number = json.loads(row.pop("body")), row["number"]
            tables = [
                {"round": turn["number"], **table}
                for turn in body["rounds"]
                for table in turn["tables"]
                if number in table["seats"]
            ]
            nights.append({**row, "sign_up": body["entrants"][number], "tables": tables})
        return nights

    async def _read(self, query: AnySelect, *key: Any, without: Collection[str] = ()) -> list[dict[str, Any]]:
        """Return all rows of a query, ordered by a `key` that it selects; presses are answered between the batches."""
        found: list[dict[str, Any]] = []
        async for rows in read_in_batches(
            self._database, query, key, self._chunk, lambda row: [row._mapping[column.key] for column in key]
        ):
            found += [{name: value for name, value in row._mapping.items() if name not in without} for row in rows]
        return found

    async def _words(self, seats: Mapping[int, int], progress: Progress) -> list[dict[str, Any]]:
        """Return what the player wrote or reacted with, match by match; `seats` has their seat by table."""
        words: list[dict[str, Any]] = []
        table_ids = sorted(seats)
        for progress.done in range(0, len(table_ids), LOGS):
            some = table_ids[progress.done : progress.done + LOGS]
            words += await self._database.query(partial(_read_words, seats={each: seats[each] for each in some}))
        return words


def _read_words(session: Session, seats: Mapping[int, int]) -> list[dict[str, Any]]:
    table_ids = list(seats)
    events = select(s.EventRow.table_id, s.EventRow.kind, s.EventRow.body).where(
        s.EventRow.table_id.in_(table_ids), s.EventRow.kind.in_(_WORDS)
    )
    rows = session.execute(events.order_by(s.EventRow.table_id, s.EventRow.seq))
    bodies = [(row.table_id, row.kind, row.body) for row in rows]
    for log in session.scalars(select(s.LogRow).where(s.LogRow.table_id.in_(table_ids))):
        with suppress(StoreError):
            bodies += [(log.table_id, event.kind, event.body) for event in unpack(log.packed_events, _WORDS)]
    entries = [{"table_id": table_id, "kind": kind, **json.loads(body)} for table_id, kind, body in bodies]
    own = [each for each in entries if each["seat"] == seats[each["table_id"]]]
    return sorted(own, key=lambda each: each["table_id"])


def _is_seated(session: Session, user_id: int, unreadable_ids: Collection[int]) -> bool:
    """Return whether the person sits at a readable table that is open or being played."""
    alive = select(s.TableRow.id).where(s.TableRow.status.in_(ALIVE), s.TableRow.id.not_in(unreadable_ids))
    seats = select(s.SeatRow.table_id).where(s.SeatRow.user_id == user_id, s.SeatRow.table_id.in_(alive))
    return session.scalar(seats.limit(1)) is not None


class SqlOtherProcesses(OtherProcesses):
    """`OtherProcesses` in SQL."""

    def __init__(self, database: Database, answer_s: float = ANSWER_S) -> None:
        self._database = database
        self._answer_s = answer_s

    async def ask(self, user_id: int) -> bool:
        cluster = self._database.cluster
        if not isinstance(cluster, SqlCluster):
            return False
        serve = select(LeaseRow.owner).where(LeaseRow.id >= 0)
        others = select(ProcessRow.id, literal(user_id)).where(ProcessRow.id != cluster.id, ProcessRow.id.in_(serve))
        columns = [ErasureRow.process, ErasureRow.user_id]
        async with self._database.transaction() as session:
            await session.execute(delete(ErasureRow).where(ErasureRow.user_id == user_id))
            requested = insert(ErasureRow).from_select(columns, others).returning(ErasureRow.process)
            return bool((await session.scalars(requested)).all())

    async def answers(self, user_id: int) -> Collection[int]:
        if not isinstance(self._database.cluster, SqlCluster):
            return ()
        ours = ErasureRow.user_id == user_id
        until = asyncio.get_running_loop().time() + self._answer_s
        while asyncio.get_running_loop().time() < until:
            async with self._database.transaction() as session:
                answers = (await session.scalars(select(ErasureRow.unreadable_ids).where(ours))).all()
                if None not in answers:
                    await session.execute(delete(ErasureRow).where(ours))
                    return {table_id for answer in answers if answer for table_id in decode_numbers(answer)}
            await asyncio.sleep(_LOOK_S)
        async with self._database.transaction() as session:
            await session.execute(delete(ErasureRow).where(ours))
        raise StoreError("Another process of the bot does not answer: nothing was erased.")

    async def answer(self, user_id: int, unreadable_ids: Collection[int]) -> None:
        cluster = self._database.cluster
        assert isinstance(cluster, SqlCluster), "a process that serves everything is never asked"
        ours = update(ErasureRow).where(ErasureRow.process == cluster.id, ErasureRow.user_id == user_id)
        async with self._database.transaction() as session:
            await session.execute(ours.values(unreadable_ids=encode(tuple(unreadable_ids))))
