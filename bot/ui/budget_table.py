"""Which budget each press and each command draws on: a verb or a command that is not in `BUDGETS` fails a test.

What is `FREE` makes nothing but its own answer, or changes of what is there already: the pace of presses bounds it.
"""

from typing import Final

from bot.ui.admission.budgets import Allowance, Budget
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

_TABLES: Final = Budget("tables", Allowance(8, 60), Allowance(200, 3), is_public=True)
"""A table of one's own, with its thread and its messages."""
_STARTS: Final = Budget("starts", Allowance(12, 30), Allowance(200, 3))
"""A match at a table where people sit: who is banned may finish what they are in."""
_POSTS: Final = Budget("posts", Allowance(8, 60), Allowance(60, 5), is_public=True)
"""A message of its own, or a table that moves."""
_EVENINGS: Final = Budget("evenings", Allowance(60, 3), Allowance(200, 1))
"""What a host does to a night: its tables, posts and mentions."""
_FILMS: Final = Budget("films", Allowance(6, 15), Allowance(30, 5), is_alone=True)
"""A round as a moving picture, which takes seconds."""
_PICTURES: Final = Budget("pictures", Allowance(20, 3), Allowance(120, 0.5))
_COMPUTATIONS: Final = Budget("computations", Allowance(6, 20), Allowance(40, 3), is_alone=True)
"""Files, reviews and moments that are played again."""
_PAGES: Final = Budget("pages", Allowance(60, 1), Allowance(300, 0.2))
"""A page of what was played, for which Discord may be asked, or a round played again."""

_DRAWING: Final[dict[Budget, tuple[str, ...]]] = {
    _TABLES: (
        *("/play", "/start", "/practice", "/tutorial"),
        *(TableVerb.PLAY, TableVerb.FRIENDS, LobbyVerb.REOPEN),
    ),
    _STARTS: (LobbyVerb.START, TableVerb.REMATCH, TableVerb.SHUFFLE),
    _POSTS: (
        *("/move", "/daily_post"),
        *(LobbyVerb.INVITE_PEOPLE, LobbyVerb.INVITE_ROLE),
        *(RecordsVerb.SHARE, TableVerb.SHARE, DailyVerb.SHARE, PlanVerb.PUBLISH, PlanVerb.SAVE_SERIES, PlanVerb.FRIDAY),
        MomentVerb.CHALLENGE,
    ),
    _EVENINGS: (
        *(PlayerVerb.ASK, HostVerb.STEP, HostVerb.BAN_NOW, HostVerb.ADD, HostVerb.WRITTEN, HostVerb.SCORES),
        *(HostVerb.UNDO, HostVerb.GO_ON, HostVerb.EVENT, HostVerb.PLACE, HostVerb.CANCEL_NOW, "/night_cancel"),
    ),
    _FILMS: (TableVerb.FILM, RecordsVerb.FILM),
    _PICTURES: (
        *("/match", "/stats", "/leaderboard", "/report"),
        *(LadderVerb.BOARD, LadderVerb.BOARDS, LadderVerb.SEASON_END),
    ),
    _COMPUTATIONS: (
        *("/export", "/review", "/privacy_export", "/season_export", "/ladder_watch"),
        *(TableVerb.REVIEW, MomentVerb.AGAIN, MomentVerb.TAKE, PrivacyVerb.FORGET),
    ),
    _PAGES: (
        *("/history", "/replay", "/league", LeagueVerb.LEAGUE),
        *(RecordsVerb.HISTORY, RecordsVerb.REPLAY, RecordsVerb.MOMENT, TableVerb.WATCH),
        *(PlayerVerb.REPLAYS, PlayerVerb.CALENDAR),
    ),
}
FREE: Final[tuple[str, ...]] = (
    *("/help", "/sign", "/hand", "/pause", "/resume", "/leave", "/kick", "/substitute"),
    *("/absent", "/end", "/rules", "/ladder_about", "/night", "/daily"),
    *("/privacy_delete", "/privacy_boards", "/privacy_avatar"),
    *("/rules_save", "/rules_list", "/rules_delete"),
    *("/season_start", "/season_end", "/season_rename", "/season_schedule"),
    *("/ladder_void", "/config", "/ban", "/unban", "/bans"),
    *("/night_create", "/night_list", "/night_edit", "/night_host"),
    # The lobby, its rules and settings
    *(LobbyVerb.JOIN, LobbyVerb.LEAVE, LobbyVerb.SEATS, LobbyVerb.LENGTH, LobbyVerb.VOTE, LobbyVerb.BALLOT),
    *(LobbyVerb.BALLOT_NO, LobbyVerb.INVITE, SettingsVerb.SETTINGS, SettingsVerb.SWAP),
    *(SettingsVerb.ADD_ROBOT, SettingsVerb.REMOVE_ROBOT, SettingsVerb.SET, SettingsVerb.PROPOSE_VOTE),
    *(SettingsVerb.NO_VOTE, RulesVerb.RULES, RulesVerb.RULES_PAGE, RulesVerb.RULES_SET),
    *(RulesVerb.RULES_RESET, RulesVerb.RULES_TEXT, RulesVerb.RULES_LINE),
    *(RulesVerb.RULES_SAVE, RulesVerb.RULES_NAME, RulesVerb.RULES_LOAD),
    *(RulesVerb.RULES_DELETE, RulesVerb.HELP),
    # The match
    *(TableVerb.SIGN_PANEL, TableVerb.CHOOSE, TableVerb.PROPOSE, TableVerb.OTHER, TableVerb.SIGN_TEXT),
    *(TableVerb.ACCEPT, TableVerb.KEEP, TableVerb.GUESS, TableVerb.GUESS_TEXT, TableVerb.DECLARE_TOTAL),
    *(TableVerb.STOP_PRESIGN, TableVerb.GESTURE, TableVerb.HAND, TableVerb.OPEN, TableVerb.PUT, TableVerb.TAKE),
    *(TableVerb.SWEEP, TableVerb.YES, TableVerb.NO, TableVerb.KEMS, TableVerb.DOUBLE, TableVerb.COUNTER),
    *(TableVerb.COUNTER_AT, TableVerb.COUNTER_TEAM, TableVerb.COUNTER_TWO, TableVerb.SHOWING, TableVerb.SHOW),
    *(TableVerb.NEXT, TableVerb.COACH, TableVerb.LEVEL, TableVerb.RESUME, TableVerb.SUBSTITUTE, TableVerb.CLAIM),
    TableVerb.EMPTY,
    *(DepartureVerb.ASK_END, DepartureVerb.LEAVE_NOW, DepartureVerb.END_NOW, DepartureVerb.KICK_NOW),
    *(DepartureVerb.STAY, HelpVerb.HELP_PAGE),
    # Nights
    *(PlayerVerb.JOIN, PlayerVerb.LEAVE, PlayerVerb.READY, PlayerVerb.SEEK, PlayerVerb.ACCEPT, PlayerVerb.DECLINE),
    *(PlayerVerb.PART, PlayerVerb.ROBOT, PlayerVerb.WEEKLY, PlayerVerb.MINE, PlayerVerb.TABLES),
    PlayerVerb.STANDINGS,
    *(HostVerb.HOST, HostVerb.ASK_STEP, HostVerb.BAN, HostVerb.PEOPLE, HostVerb.SIGNED_UP, HostVerb.WRITE),
    *(HostVerb.TABLE, HostVerb.ROUND, HostVerb.RESULT, HostVerb.CANCEL, HostVerb.SPARE),
    *(PlanVerb.PLAN, PlanVerb.PLAN_TEXT, PlanVerb.PLAN_TYPED, PlanVerb.PLAN_SET, PlanVerb.EDIT),
    # The server, the ladder, the deal of the day
    *(ServerVerb.CONFIG, ServerVerb.CONFIG_MORE, ServerVerb.CONFIG_BACK, ServerVerb.CONFIG_FORGET),
    *(ServerVerb.RETENTION_NOW, LadderVerb.VOID, LadderVerb.ASK_VOID),
    *(DailyVerb.MINE, DailyVerb.START, DailyVerb.MOVE, DailyVerb.BOARD, MomentVerb.MOVE),
)
BUDGETS: Final[dict[str, Budget | None]] = {
    **{str(what): budget for budget, each in _DRAWING.items() for what in each},
    **{str(what): None for what in FREE},
}
"""By verb, or by the key of a command after a slash."""
