"""Erases a person from every table, in one transaction.

Where matches are counted, a made-up id below zero stands for them, so that the ratings of others can still be computed.
"""

import re
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bot.store import schema as s
from bot.store.ladder.recount import restart_recounts
from bot.store.ladder.season_duties import reopen_duties_about
from bot.store.schema.codec import decode_numbers, encode
from bot.store.schema.columns import NO_NAME, NO_USER

_DELETED: Final = (
    s.PanelRow.user_id,
    s.InvitationRow.user_id,
    s.PlayerRow.user_id,
    s.StandingRow.user_id,
    s.ChampionRow.user_id,
    s.PairRow.low_id,
    s.PairRow.high_id,
)
"""Rows with the person's id in one of these columns are about them alone."""


async def erase(session: AsyncSession, user_id: int) -> None:
    """Delete or rewrite every row that holds the person's id or name; running recounts begin again."""
    stand_in = -1 - secrets.randbits(62)
    words = {f"<@{user_id}>", f"<@!{user_id}>", str(user_id)}
    for row in (s.SeatRow, s.DepartureRow, s.PlayerRow, s.EntrantRow):
        words |= set(await session.scalars(select(row.name).where(row.user_id == user_id)))
    await restart_recounts(session)
    await reopen_duties_about(session, user_id)
    for word in sorted(words - {NO_NAME}, key=len, reverse=True):
        without_word = partial(re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").sub, "…")
        for text in (s.VoidRow.reason, s.NightRow.title):
            await _rewrite(session, text, without_word, text.contains(word, autoescape=True))
    without_partner = partial(_without_partner, user_id=user_id, stand_in=stand_in)
    is_partner = s.PlayerRow.partners.contains(str(user_id))
    await _rewrite(session, s.PlayerRow.partners, without_partner, is_partner, _has_met(user_id))
    for column in _DELETED:
        await session.execute(delete(column.class_).where(column == user_id))
    replaced: tuple[tuple[InstrumentedAttribute[Any], dict[str, Any]], ...] = (
        (s.TableRow.host_id, {"host_id": NO_USER}),
        (s.SeatRow.user_id, {"user_id": None, "name": NO_NAME}),
        (s.DepartureRow.user_id, {"user_id": stand_in, "name": NO_NAME}),
        (s.PlayRow.user_id, {"user_id": stand_in}),
        (s.VoidRow.by_id, {"by_id": NO_USER}),
        (s.NightRow.host_id, {"host_id": None}),
        (s.EntrantRow.user_id, {"user_id": None, "name": NO_NAME}),
        (s.NightStepRow.by_id, {"by_id": None}),
    )
    for column, values in replaced:
        await session.execute(update(column.class_).where(column == user_id).values(values))


def _has_met(user_id: int) -> ColumnElement[bool]:
    """Whether a player has played with the person; their pair is found by an index."""
    above, below = select(s.PairRow.high_id).where(s.PairRow.low_id == user_id), select(s.PairRow.low_id)
    return s.PlayerRow.user_id.in_(above.union(below.where(s.PairRow.high_id == user_id)))


async def _rewrite(
    session: AsyncSession, column: InstrumentedAttribute[Any], change: Callable[[str], str], *where: ColumnElement[bool]
) -> None:
    """Change a column's text in some rows."""
    table = column.class_.__table__
    keys = tuple(table.primary_key)
    for old, *values in (await session.execute(select(column, *keys).where(*where))).all():
        same = (key == value for key, value in zip(keys, values, strict=True))
        await session.execute(update(table).where(*same).values({column.key: change(old)}))


def _without_partner(partners: str, user_id: int, stand_in: int) -> str:
    return encode(tuple(sorted(stand_in if other == user_id else other for other in decode_numbers(partners))))
