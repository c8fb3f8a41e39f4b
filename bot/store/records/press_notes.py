"""What became of presses, in the order of their ids, which is that of time."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import structlog
from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session

from bot.nights.posts import remove_all_mentions
from bot.records.press_notes import PressNote, PressNoteStore, first_id
from bot.store.engine.failures import RejectedError
from bot.store.schema.tables import PressRow
from bot.store.sql import Adapter, from_row, plain, upsert

_log = structlog.get_logger(__name__)
_NOTES: Final = plain(PressRow)
_FORGET: Final = delete(_NOTES).where(_NOTES.c.press_id < bindparam("since"))


class SqlPressNoteStore(Adapter, PressNoteStore):
    """`PressNoteStore` in SQL. It stores no mention from a refusal: an erasure would have to read all notes."""

    async def save(self, notes: Sequence[PressNote], since: int) -> None:
        try:
            await self._keep(notes, since)
        except RejectedError:  # of one of them, and so each time: the others are kept
            for note in notes:
                try:
                    await self._keep([note], since)
                except RejectedError as problem:
                    _log.warning("press.not_noted", press=note.press_id, problem=str(problem))

    async def _keep(self, notes: Sequence[PressNote], since: int) -> None:
        def save(session: Session) -> None:
            session.execute(_FORGET, {"since": first_id(since)})
            new = upsert(session, _NOTES).on_conflict_do_nothing()  # Discord may deliver a press twice
            session.execute(new, [asdict(note) | {"reason": remove_all_mentions(note.reason)} for note in notes])

        await self._database.change(save)

    async def between(self, since: int, until: int, user_id: int) -> tuple[Sequence[PressNote], int]:
        is_then = PressRow.press_id.between(first_id(since), first_id(until) - 1)
        theirs = select(PressRow).where(is_then, PressRow.user_id == user_id).order_by(PressRow.press_id)
        notes = [from_row(PressNote, row) for row in await self._scalars(theirs)]
        everybody = select(func.count()).select_from(PressRow).where(is_then)
        return notes, (await self._scalar(everybody) or 0) - len(notes)
