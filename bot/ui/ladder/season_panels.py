"""The end of a season for the managers of a server: what it costs, and which of its duties failed."""

from collections.abc import Iterable
from typing import Final

from bot.ladder.season_duties import DutyProblem, SeasonDuty, Trouble
from bot.ladder.seasons import Every, Schedule, Season
from bot.tables.server_settings import ServerSettings
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.layouts import confirmation, danger
from bot.ui.kit.permissions import FOR_ROLES, IN_CHANNEL, permission_names
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.leaderboard import LadderVerb, season_name

_PROBLEMS: Final = {
    DutyProblem.NO_CHANNEL: mark("Its channel is gone: choose another with `/kems-admin config`."),
    DutyProblem.MAY_NOT_POST: mark("In its channel I need: {permissions}."),
    DutyProblem.NO_ROLE: mark("The role is gone: choose another with `/kems-admin config`."),
    DutyProblem.MAY_NOT_GIVE: mark("I need {permissions}, and my role must stand above it in the server's list."),
    DutyProblem.REFUSED: mark("Discord refused it."),
}


def season_end_panel(season: Season, settings: ServerSettings, schedule: Schedule, texts: Texts) -> Layout:
    t = texts.t
    costs = [t("Its boards become final. This cannot be undone.")]
    if settings.podium_channel is None:
        costs.append(t("Its podium is posted here."))
    else:
        costs.append(t("Its podium is posted in {channel}.", channel=f"<#{settings.podium_channel}>"))
    if settings.champion_role is not None:
        costs.append(t("Its champion gets the role {role}.", role=f"<@&{settings.champion_role}>"))
    if schedule.every is Every.HAND:
        costs.append(t("Matches still being played become friendly; so are new ones until a season starts."))
    else:
        costs.append(t("The next season begins at once; matches still being played count for it."))
    return confirmation(
        "🏁 " + t("End {season}?", season=season_name(season, texts)),
        [f"- {cost}" for cost in costs],
        danger(t("End the season"), make_id(NO_TABLE, LadderVerb.SEASON_END, str(season.number))),
    )


def trouble_lines(troubles: Iterable[Trouble], texts: Texts) -> list[str]:
    return [_line(trouble, texts) for trouble in troubles]


def _line(trouble: Trouble, texts: Texts) -> str:
    t, season = texts.t, season_name(trouble.season, texts)
    if trouble.duty is SeasonDuty.PODIUM and trouble.is_correction:
        failed = t("⚠️ The podium of {season} could not be corrected.", season=season)
    elif trouble.duty is SeasonDuty.PODIUM:
        failed = t("⚠️ The podium of {season} could not be posted.", season=season)
    else:
        failed = t("⚠️ The champion's role could not be handed over after {season}.", season=season)
    last = t("I have given up.") if trouble.is_given_up else t("I will try again.")
    return f"{failed} {problem_words(trouble.problem, texts)} {last}"


def problem_words(problem: DutyProblem, texts: Texts) -> str:
    needed = FOR_ROLES if problem is DutyProblem.MAY_NOT_GIVE else IN_CHANNEL
    return texts.t(_PROBLEMS[problem], permissions=", ".join(permission_names(needed, texts)))
