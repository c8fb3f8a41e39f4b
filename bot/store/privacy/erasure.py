"""Removes a person from every table, and from what is parked of tables and columns for a younger schema.

Of parked tables and columns that this version does not know, whatever holds the person's id or name is removed.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, FromClause, Integer, String, Table, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.engine.models import Base, PairRow, PlayerRow
from bot.store.ladder.recount import begin_again
from bot.store.ladder.season_duties import ask_about
from bot.store.privacy.parking import parked
from bot.store.tables.codec import decode_numbers, encode_numbers

FORGOTTEN: Final = ""
"""The name of somebody who was forgotten; nobody else has it."""
NOBODY: Final = 0
"""The user id of somebody who was forgotten, where there must be one."""

_ABOUT_PEOPLE: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("panels", "players", "standings", "champions"), ("user_id",)),
    "pairs": ("low_id", "high_id"),
}
"""Tables whose rows are about people alone, and the columns that say about whom."""


async def forget(session: AsyncSession, user_id: int) -> None:
    """Somebody made up stands for the person where matches are counted, so that the others' ratings can still be."""
    unknown = -1 - secrets.randbits(62)
    tables = [(table.name, table) for table in Base.metadata.sorted_tables]
    tables += await (await session.connection()).run_sync(parked)
    names: set[str] = set()
    for _, table in tables:
        if {"user_id", "name"} <= set(table.c.keys()):
            names |= set(await session.scalars(select(table.c.name).where(table.c.user_id == user_id)))
    words = sorted({f"<@{user_id}>", f"<@!{user_id}>", str(user_id), *names} - {FORGOTTEN}, key=len, reverse=True)
    await begin_again(session)
    await ask_about(session, user_id)
    for name, table in tables:
        await _leave_words(session, name, table, words)
        if name == "players" and "partners" in table.c:
            met = [_has_met(user_id)] if table is PlayerRow.__table__ else []
            leave = partial(_without, user_id=user_id, unknown=unknown)
            await _rewrite(session, name, table.c.partners, str(user_id), leave, *met)
    for name, table in tables:
        await _leave_rows(session, name, table, user_id, unknown)


def _has_met(user_id: int) -> ColumnElement[bool]:
    """Whether somebody has played with the person: then a pair says so."""
    above, below = select(PairRow.high_id).where(PairRow.low_id == user_id), select(PairRow.low_id)
    return PlayerRow.user_id.in_(above.union(below.where(PairRow.high_id == user_id)))


async def _leave_rows(session: AsyncSession, name: str, table: Table, user_id: int, unknown: int) -> None:
    known, strange = Base.metadata.tables.get(name), _strange(name, table, Integer)
    about = [table.c[column] == user_id for column in _ABOUT_PEOPLE.get(name, ())]
    if known is None:
        about = [column == user_id for column in strange]
    if about:
        await session.execute(delete(table).where(or_(*about)))
        return
    stand_ins: dict[str, dict[str, Any]] = {
        "tables": {"host_id": NOBODY},
        "seats": {"user_id": None},
        "departures": {"user_id": unknown},
        "plays": {"user_id": unknown},
        "voids": {"by_id": NOBODY},
    }
    others = {column.name: NOBODY for column in strange}
    for column, stand_in in (stand_ins.get(name, {}) | others).items():
        if column in table.c:
            name_too = {"name": FORGOTTEN} if column == "user_id" and "name" in table.c else {}
            theirs = update(table).where(table.c[column] == user_id)
            await session.execute(theirs.values({column: stand_in} | name_too))


async def _leave_words(session: AsyncSession, name: str, table: Table, words: Sequence[str]) -> None:
    """Take names out of what moderators wrote, and out of what nobody knows, where they are words of their own."""
    columns = _strange(name, table, String)
    columns += [table.c.reason] if name == "voids" and "reason" in table.c else []
    for column in columns:
        for word in words:
            alone = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            await _rewrite(session, name, column, word, partial(alone.sub, "…"))


async def _rewrite(
    session: AsyncSession,
    name: str,
    column: Column[Any],
    holding: str,
    change: Callable[[str], str],
    *where: ColumnElement[bool],
) -> None:
    """Change the texts of a column that hold some characters."""
    table = column.table
    known = Base.metadata.tables.get(name)
    keys = [table.c[key.name] for key in known.primary_key] if known is not None else [column]
    held = select(column, *keys).where(column.contains(holding, autoescape=True), *where)
    for old, *values in (await session.execute(held)).all():
        same = (key == value for key, value in zip(keys, values, strict=True))
        await session.execute(update(table).where(*same).values({column.name: change(old)}))


def _strange(name: str, table: FromClause, kind: type[Integer | String]) -> list[Any]:
    """The columns of a parked table that this version does not know."""
    known = Base.metadata.tables.get(name)
    strange = [column for column in table.c if known is None or column.name not in known.c]
    return [column for column in strange if isinstance(column.type, kind)]


def _without(partners: str, user_id: int, unknown: int) -> str:
    return encode_numbers(tuple(sorted(unknown if other == user_id else other for other in decode_numbers(partners))))
