"""The tags of the bot's nonces, beside the leases of its processes."""

from dataclasses import asdict
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from bot.store.schema.tables import NonceTagRow, ProcessRow
from bot.store.sql import Adapter, find, from_row, put, upsert
from bot.tables.cluster import NonceTags, NonceTagStore

_KEY: Final = 0


class SqlNonceTagStore(Adapter, NonceTagStore):
    """`NonceTagStore` in SQL."""

    async def draw(self, now: int) -> NonceTags:
        def draw(session: Session) -> NonceTags:
            first = NonceTags.first(now)
            session.execute(upsert(session, NonceTagRow).values(id=_KEY, **asdict(first)).on_conflict_do_nothing())
            row = find(session, NonceTagRow, _KEY)
            tags = first if row is None else from_row(NonceTags, row)
            others = (session.scalar(select(func.count()).select_from(ProcessRow)) or 0) > 1  # SQLite has no row
            if tags != first and not others:
                tags = tags.renewed(now)
                put(session, NonceTagRow, {"id": _KEY, **asdict(tags)})
            return tags

        return await self._database.change(draw)

    async def save_rival(self, at: int) -> None:
        await self._change(update(NonceTagRow).where(NonceTagRow.id == _KEY).values(rival_seen_at=at))

    async def rival_seen_at(self) -> int | None:
        row = await self._get(NonceTagRow, _KEY)
        return None if row is None else row.rival_seen_at
