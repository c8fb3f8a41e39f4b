"""What could not be done when a season ended, for those who manage the server: what is wrong and what to do."""

from collections.abc import Iterable

from bot.ladder.season_duties import DutyProblem, SeasonDuty, Trouble
from bot.ui.kit.permissions import FOR_ROLES, IN_CHANNEL, permission_names
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import season_name


def trouble_lines(troubles: Iterable[Trouble], texts: Texts) -> list[str]:
    """A line for each."""
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
    """What is wrong, and what to do."""
    t = texts.t
    match problem:
        case DutyProblem.NO_CHANNEL:
            return t("Its channel is gone: choose another with `/kems-admin config`.")
        case DutyProblem.MAY_NOT_POST:
            return t(
                "In its channel I need: {permissions}.", permissions=", ".join(permission_names(IN_CHANNEL, texts))
            )
        case DutyProblem.NO_ROLE:
            return t("The role is gone: choose another with `/kems-admin config`.")
        case DutyProblem.MAY_NOT_GIVE:
            (permission,) = permission_names(FOR_ROLES, texts)
            return t("I need {permission}, and a role of mine above it in the server's list.", permission=permission)
        case DutyProblem.REFUSED:
            return t("Discord refused it.")
