"""Every verb that a custom id can name, of all features together."""

from bot.ui.daily.verbs import DailyVerb, MomentVerb
from bot.ui.help.pages import HelpVerb
from bot.ui.ladder.leaderboard import LadderVerb
from bot.ui.lobby.verbs import LobbyVerb, SettingsVerb
from bot.ui.night.verbs import HostVerb, LeagueVerb, PlanVerb, PlayerVerb
from bot.ui.privacy.commands import PrivacyVerb
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.server.commands import ServerVerb
from bot.ui.table.verbs import DepartureVerb, TableVerb

VERBS = (
    *(*RulesVerb, *TableVerb, *DepartureVerb, *LobbyVerb, *SettingsVerb),
    *(*LadderVerb, *RecordsVerb, *ServerVerb, *PrivacyVerb, *DailyVerb, *MomentVerb, *HelpVerb),
    *(*PlayerVerb, *LeagueVerb, *HostVerb, *PlanVerb),
)
