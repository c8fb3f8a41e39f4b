"""Requests for recounts of a server's ratings, and what restarts or suspends a running recount.

While a person is being erased, the record of matches names them by two ids: by their own and by the number that
replaces it afterwards. So recounts wait for the end, and a match that is counted meanwhile requests one.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, case, exists, select, update
from sqlalchemy.orm import Session

from bot.store.schema.ladder import RecountRow
from bot.store.schema.tables import PendingErasureRow
from bot.store.sql import upsert

_STAMP_BITS: Final = 31
_HAS_BEGUN: Final = PendingErasureRow.stand_in.is_not(None)


def request_recount(session: Session, guild_id: int, *, number: int, season: int) -> None:
    """Request that ratings be computed again, from the first changed match and the first changed season on."""
    stamp = secrets.randbits(_STAMP_BITS)
    new = upsert(session, RecountRow).values(guild_id=guild_id, number=number, season=season, stamp=stamp)

    def first(kept: Any, requested: Any) -> Any:
        return case((kept < requested, kept), else_=requested)

    values = {
        "number": first(RecountRow.number, new.excluded.number),
        "season": first(RecountRow.season, new.excluded.season),
        "stamp": stamp,
    }
    session.execute(new.on_conflict_do_update(index_elements=["guild_id"], set_=values))


def restart_recounts(session: Session) -> None:
    """Make all running recounts start over, since user ids in the record of matches have changed."""
    session.execute(update(RecountRow).values(stamp=secrets.randbits(_STAMP_BITS)))


def is_erasing() -> ColumnElement[bool]:
    """Return the SQL condition that a person is being erased."""
    return exists().where(_HAS_BEGUN)


def being_erased(session: Session) -> Mapping[int, int]:
    """Return the user ids of people that are being erased, with the number that replaces each."""
    begun = session.execute(select(PendingErasureRow.user_id, PendingErasureRow.stand_in).where(_HAS_BEGUN))
    return {user_id: stand_in for user_id, stand_in in begun if stand_in is not None}
