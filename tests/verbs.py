"""Every verb that a custom id can name, of all features together."""

from __future__ import annotations

from bot.ui.ladder.verbs import LadderVerb
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.night.verbs import NightVerb
from bot.ui.privacy.verbs import PrivacyVerb
from bot.ui.records.verbs import RecordsVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.server.verbs import ServerVerb
from bot.ui.table.verbs import DepartureVerb, TableVerb

VERBS = (
    *(*RulesVerb, *TableVerb, *DepartureVerb, *LobbyVerb),
    *(*LadderVerb, *RecordsVerb, *ServerVerb, *PrivacyVerb, *NightVerb),
)
