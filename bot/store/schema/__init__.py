"""The rows of the database, and how values are written in them.

Instants are milliseconds since the Unix epoch. Discord's ids are BIGINT. Structured values are JSON as text. Events
name seats, never users; `bot.store.privacy.personal_data` lists the columns with personal data.
"""

from bot.store.engine.base import Base
from bot.store.schema.commands import CommandDigestRow
from bot.store.schema.ladder import PairRow, PlayerRow, PlayRow, RecountRow, StandingRow, VoidRow
from bot.store.schema.leases import ErasureRow, IdentifyRow, LeaseRow, ProcessRow
from bot.store.schema.matches import EventRow, ResultRow, RoundRow, ShareRow
from bot.store.schema.nights import EntrantRow, NightRow, NightStepRow
from bot.store.schema.seasons import ChampionRow, SeasonDutyRow, SeasonRow
from bot.store.schema.servers import LadderRow, RuleSetRow, ServerRow
from bot.store.schema.tables import DepartureRow, InvitationRow, PanelRow, SeatRow, TableRow

__all__ = [
    "Base",
    "ChampionRow",
    "CommandDigestRow",
    "DepartureRow",
    "EntrantRow",
    "ErasureRow",
    "EventRow",
    "IdentifyRow",
    "InvitationRow",
    "LadderRow",
    "LeaseRow",
    "NightRow",
    "NightStepRow",
    "PairRow",
    "PanelRow",
    "PlayRow",
    "PlayerRow",
    "ProcessRow",
    "RecountRow",
    "ResultRow",
    "RoundRow",
    "RuleSetRow",
    "SeasonDutyRow",
    "SeasonRow",
    "SeatRow",
    "ServerRow",
    "ShareRow",
    "StandingRow",
    "TableRow",
    "VoidRow",
]
