"""Personal data: each column that holds a person's id, and what else of theirs is in the same row.

An export shows these rows (`bot.store.privacy`), an erasure deletes or rewrites them (`bot.store.erasure`), and
docs/privacy.md names their columns, which a test compares.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import InstrumentedAttribute

from bot.store.schema import tables as s
from bot.store.schema.columns import NO_NAME, NO_USER, Base
from bot.store.schema.daily import AttemptRow
from bot.store.schema.ladder import ChampionRow, PairRow, PlayerRow, PlayRow, StandingRow, StreakRow, VoidRow

STAND_IN: Final = object()
"""In `Personal.left`: the number that replaces the person in the record of matches."""


@dataclass(frozen=True, slots=True)
class Personal:
    """The rows that hold a person's id in the column `person`.

    - `words`: further columns: the person's name, what they did, wrote or were given, and what leads to them.
    - `export`: what an export calls the rows; None if it shows them otherwise. They lack the id and the columns
      `hides`, which are secrets and the ids of others.
    - `left`: what an erasure writes into a row; None: it deletes the row.
    """

    person: InstrumentedAttribute[Any]
    export: str | None = None
    hides: Collection[str] = ()
    words: tuple[InstrumentedAttribute[Any], ...] = ()
    left: Mapping[str, object] | None = None


def _all_but(row: type[Base], *kept: str) -> Collection[str]:
    return {column.name for column in row.__table__.columns} - {*kept}


_GONE: Final = {"user_id": None, "name": NO_NAME}
_REPLACED: Final = {"user_id": STAND_IN, "name": NO_NAME}
_NO_WISHES: Final = {"is_hidden": True, "hides_avatar": False, "help_level": None, "first_partners": None}
_OF_NIGHT: Final = _all_but(s.NightRow, "id", "guild_id", "number", "title", "reason", "starts_at")

PERSONAL: Final = (
    Personal(s.SeatRow.user_id, words=(s.SeatRow.name, s.SeatRow.ballot), left=_GONE),
    Personal(
        s.SeatRow.reserved_for_id,
        "reserved_seats",
        hides=_all_but(s.SeatRow, "table_id", "seat"),
        words=(s.SeatRow.reserved_for_name,),
        left=s.NOT_RESERVED,
    ),
    Personal(s.TableRow.host_id, "hosted_tables", hides=_all_but(s.TableRow, "id"), left={"host_id": NO_USER}),
    Personal(s.DepartureRow.user_id, "departures", words=(s.DepartureRow.name,), left=_REPLACED),
    Personal(s.InvitationRow.user_id, "invitations"),
    Personal(s.PanelRow.user_id, "open_panels", hides=("message_id", "token"), words=(s.PanelRow.token,)),
    Personal(s.PressRow.user_id, "presses", words=(s.PressRow.reason,)),
    Personal(PlayRow.user_id, "matches", left={"user_id": STAND_IN}),
    # The median of ratings counts a player as before: a recount finds the same.
    Personal(
        PlayerRow.user_id,
        "servers",
        hides=("partners", "first_partners"),
        words=(PlayerRow.name, PlayerRow.partners, PlayerRow.first_partners),
        left=_REPLACED | _NO_WISHES,
    ),
    Personal(StandingRow.user_id, "standings"),
    Personal(StreakRow.user_id, "streaks"),
    Personal(PairRow.low_id, "pairs", hides=("high_id",)),
    Personal(PairRow.high_id, "pairs", hides=("low_id",)),
    # Without the id the role could not be taken back: the row goes then (`bot.ui.ladder.champion_role`).
    Personal(ChampionRow.user_id, "champion_roles", left={"is_erased": True}),
    Personal(VoidRow.by_id, "matches_declared_void", words=(VoidRow.reason,), left={"by_id": NO_USER}),
    Personal(s.EntrantRow.user_id, words=(s.EntrantRow.name,), left=_GONE),
    Personal(
        s.NightRow.host_id,
        "hosted_nights",
        hides=_OF_NIGHT,
        words=(s.NightRow.title, s.NightRow.reason, s.NightRow.body),
        left={"host_id": None},
    ),
    Personal(s.NightDraftRow.user_id, "night_drafts", words=(s.NightDraftRow.title, s.NightDraftRow.body)),
    Personal(s.NightStepRow.by_id, "night_steps", words=(s.NightStepRow.body,), left={"by_id": None}),
    Personal(
        AttemptRow.user_id,
        "scene_attempts",
        hides=("token",),
        words=(AttemptRow.scene, AttemptRow.moves, AttemptRow.sign, AttemptRow.token),
    ),
    Personal(s.BanRow.by_id, "bans_given", hides=("digest", "user_id"), left={"by_id": None}),
    Personal(
        s.BanRow.user_id,
        "bans",
        hides=("digest", "by_id"),
        words=(s.BanRow.digest, s.BanRow.reason),
        left={"user_id": None, "by_id": None, "reason": ""},
    ),
    Personal(
        s.PendingErasureRow.user_id, words=(s.PendingErasureRow.stand_in,), left={"user_id": STAND_IN, "stand_in": None}
    ),
)
OF_OTHER_ROWS: Final = (s.EventRow.body, s.EventRow.press_id, s.ErasureRow.user_id)
"""A match's log names seats, not people; what one process asks another goes with its answer."""
