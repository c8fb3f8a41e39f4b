"""The rows of the database, and how values are written in them.

Instants are milliseconds since the Unix epoch. Discord's ids are BIGINT. Structured values are JSON as text. Events
name seats, never users; `bot.store.privacy.personal_data` lists the columns with personal data.
"""

from bot.store.schema.columns import Base
from bot.store.schema.ladder import (
    ChampionRow,
    PairRow,
    PlayerRow,
    PlayRow,
    RecountRow,
    SeasonDutyRow,
    SeasonRow,
    StandingRow,
    VoidRow,
)
from bot.store.schema.nights import EntrantRow, NightRow, NightStepRow
from bot.store.schema.processes import OF_PROCESSES
from bot.store.schema.servers import LadderRow, RuleSetRow, ServerRow
from bot.store.schema.tables import (
    DepartureRow,
    EventRow,
    InvitationRow,
    PanelRow,
    ResultRow,
    SeatRow,
    ShareRow,
    TableRow,
)

__all__ = [
    "OF_PROCESSES",
    "Base",
    "ChampionRow",
    "DepartureRow",
    "EntrantRow",
    "EventRow",
    "InvitationRow",
    "LadderRow",
    "NightRow",
    "NightStepRow",
    "PairRow",
    "PanelRow",
    "PlayRow",
    "PlayerRow",
    "RecountRow",
    "ResultRow",
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
