"""Erases a person: most rows in batches, so that others' moves run in between, and the rest at once.

The start saves the number that replaces the person in the record of matches (`PendingErasureRow.stand_in`). The batches
write it into finished matches, which no move reads. The end deletes or rewrites the rest: everything that boards,
profiles and ratings show of the person goes in one transaction.

An interruption loses nothing: the saved number stays until the end, and the next run continues with it. Meanwhile no
recount runs (`bot.store.ladder.recount_requests`), and tables that are open or being played keep their rows.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from secrets import randbits
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from bot.nights.posts import remove_mentions
from bot.store.ladder.recount_requests import restart_recounts
from bot.store.ladder.season_store import show_again_about, shown_again
from bot.store.personal import PERSONAL, STAND_IN
from bot.store.schema import tables as s
from bot.store.schema.codec import decode_numbers, encode
from bot.store.schema.ladder import PairRow, PlayerRow, PlayRow, StandingRow, StreakRow, VoidRow
from bot.store.sql import AnyRow, lock_table, upsert
from bot.tables.lobby.lobby import Status

BATCH: Final = 100
"""Rows rewritten in one transaction: a few milliseconds."""
ALIVE: Final = (Status.OPEN.value, Status.PLAYING.value)

_WRITTEN: Final = (VoidRow.reason, s.BanRow.reason, s.NightRow.title, s.NightRow.reason, s.NightDraftRow.title)
"""The columns of texts by others, which may name the person."""

Mentions = dict[InstrumentedAttribute[str], Sequence[AnyRow]]
"""The keys of the rows, by column."""

Slice = Callable[[Connection, int, int], bool]
"""Erases a batch of a person's rows: `(connection, user_id, stand_in)`; returns whether there may be more."""

_REMEMBERED: Final = (PlayerRow.partners, PlayerRow.first_partners)


def start(session: Session, user_id: int) -> None:
    """Save the number that replaces a person from now on, unless that was done before."""
    lock_table(session, s.ResultRow)  # a match that is just being counted is counted before
    new = upsert(session, s.PendingErasureRow).values(user_id=user_id, stand_in=-1 - randbits(62))
    kept = func.coalesce(s.PendingErasureRow.stand_in, new.excluded.stand_in)
    session.execute(new.on_conflict_do_update(index_elements=["user_id"], set_={"stand_in": kept}))
    restart_recounts(session)


def erase_some(connection: Connection, user_id: int, slice_of: Slice) -> bool:
    """Erase some rows of a person for whom `start` was called; return whether there may be more such rows."""
    stand_in = _stand_in(connection, user_id)
    return stand_in is not None and slice_of(connection, user_id, stand_in)  # or another process has done the rest


def find_mentions(session: Session, user_id: int) -> Mentions:
    """Return the rows in which others have named a person. Run it as a query of its own: it scans whole tables."""

    def keys(text: InstrumentedAttribute[str]) -> Sequence[AnyRow]:
        key = tuple(text.class_.__table__.primary_key)
        return session.execute(select(*key).where(text.contains(str(user_id)))).all()

    return {text: keys(text) for text in _WRITTEN}


def erase(session: Session, user_id: int, mentions: Mentions) -> None:
    """Delete or rewrite every row with the person's id or name; running recounts start over.

    The number that replaces the person stays in `pending_erasures`.
    """
    start(session, user_id)
    connection = session.connection()
    stand_in = _stand_in(connection, user_id)
    assert stand_in is not None, "it was noted"
    show_again_about(session, user_id)
    for text, keys in mentions.items():
        table = text.class_.__table__
        for key in keys:
            same = [column == value for column, value in zip(table.primary_key, key, strict=True)]
            if (written := session.scalar(select(text).where(*same))) is not None:
                session.execute(update(table).where(*same).values({text.key: remove_mentions(written, user_id)}))
    while _part(connection, user_id, stand_in):
        pass
    session.execute(delete(PlayerRow).where(PlayerRow.user_id == user_id, PlayerRow.mu.is_(None)))
    replaced = _replaced(stand_in)
    for person in (each.person for each in PERSONAL):
        changed = update(person.class_).values(replaced[person]) if person in replaced else delete(person.class_)
        session.execute(changed.where(person == user_id))


def _stand_in(connection: Connection, user_id: int) -> int | None:
    return connection.scalar(select(s.PendingErasureRow.stand_in).where(s.PendingErasureRow.user_id == user_id))


def _replaced(stand_in: int) -> dict[InstrumentedAttribute[Any], dict[str, Any]]:
    """Return, by column with a person's id, what is written into the rows that have it."""
    return {
        each.person: {name: stand_in if value is STAND_IN else value for name, value in each.left.items()}
        for each in PERSONAL
        if each.left is not None
    }


def _replace_some(person: InstrumentedAttribute[Any], connection: Connection, user_id: int, stand_in: int) -> bool:
    """Replace the person in a batch of the rows of closed tables."""
    row = person.class_
    key = tuple(row.__table__.primary_key)
    some = select(*key).where(person == user_id, s.TableRow.status.not_in(ALIVE)).limit(BATCH).correlate(None)
    if row is not s.TableRow:
        some = some.join(s.TableRow, s.TableRow.id == row.table_id)
    found = update(row).where(tuple_(*key).in_(some)).values(_replaced(stand_in)[person])
    return connection.execute(found).rowcount == BATCH


def _delete_some(person: InstrumentedAttribute[Any], connection: Connection, user_id: int, _stand_in: int) -> bool:
    """Delete a batch of the rows that have the person in this column."""
    return len(_deleted(connection, person, person == user_id)) == BATCH


def _delete_standings(connection: Connection, user_id: int, _stand_in: int) -> bool:
    """Delete a batch of the person's standings; their podiums are due again."""
    deleted = _deleted(connection, StandingRow.user_id, StandingRow.user_id == user_id)
    first: dict[int, int] = {}
    for row in deleted:
        if row.is_ranked:
            first[row.guild_id] = min(row.season, first.get(row.guild_id, row.season))
    for guild_id, season in first.items():
        connection.execute(shown_again(guild_id, season))
    return len(deleted) == BATCH


def _deleted(
    connection: Connection, person: InstrumentedAttribute[Any], *where: ColumnElement[bool]
) -> Sequence[AnyRow]:
    """Delete a batch of the rows that meet the conditions, and return their keys."""
    key = tuple(person.class_.__table__.primary_key)
    found = connection.execute(select(*key).where(*where).limit(BATCH)).all()
    if found:
        this = (column == bindparam(f"this_{column.name}") for column in key)
        values = [{f"this_{name}": value for name, value in row._mapping.items()} for row in found]
        connection.execute(delete(person.class_).where(*this), values)
    return found


def _part(connection: Connection, user_id: int, stand_in: int) -> bool:
    """Delete some of the person's sums with other players; return whether there were any.

    The others keep the number as a partner.
    """
    for mine, other in ((PairRow.low_id, "high_id"), (PairRow.high_id, "low_id")):
        guild_id = connection.scalar(select(PairRow.guild_id).where(mine == user_id).limit(1))
        if guild_id is not None:
            pairs = _deleted(connection, mine, mine == user_id, PairRow.guild_id == guild_id)
            _forget_partner(connection, user_id, stand_in, guild_id, {getattr(pair, other) for pair in pairs})
            return True
    return False


def _forget_partner(
    connection: Connection, user_id: int, stand_in: int, guild_id: int, players: Collection[int]
) -> None:
    """Replace the person by the number among the partners of these players of a server."""
    remembers = or_(*(column.contains(str(user_id)) for column in _REMEMBERED))
    these = (PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_(players))
    found = select(PlayerRow.user_id, *_REMEMBERED).where(*these, remembers)
    changed = [
        {
            "this_user_id": row.user_id,
            "partners": _without_partner(row.partners, user_id, stand_in),
            "first_partners": _without_partner(row.first_partners, user_id, stand_in),
        }
        for row in connection.execute(found)
    ]
    if changed:
        this = (PlayerRow.guild_id == guild_id, PlayerRow.user_id == bindparam("this_user_id"))
        connection.execute(update(PlayerRow).where(*this), changed)


def _without_partner(partners: str | None, user_id: int, stand_in: int) -> str | None:
    if partners is None:
        return None
    return encode(tuple(sorted({stand_in if other == user_id else other for other in decode_numbers(partners)})))


BATCHES: Final[tuple[Slice, ...]] = (
    *(
        partial(_replace_some, person)
        for person in (PlayRow.user_id, s.SeatRow.user_id, s.DepartureRow.user_id, s.TableRow.host_id)
    ),
    *(partial(_delete_some, person) for person in (s.PressRow.user_id, StreakRow.user_id)),
    _delete_standings,
    _part,
)
"""What erases, in batches, the rows of which a person may have many; `erase` does the rest."""
