"""What could not be done when a season ended, for those who manage the server: what is wrong and what to do."""

from collections.abc import Iterable

from bot.ladder.endings import Duty, Problem, Trouble
from bot.ui.leaderboard_view import season_name
from bot.ui.permissions import FOR_ROLES, IN_CHANNEL, permission_names
from bot.ui.texts import Texts


def trouble_lines(troubles: Iterable[Trouble], texts: Texts) -> list[str]:
    """A line for each."""
    return [_line(trouble, texts) for trouble in troubles]


def _line(trouble: Trouble, texts: Texts) -> str:
    t, season = texts.t, season_name(trouble.season, texts)
    if trouble.duty is Duty.PODIUM and trouble.is_correction:
        failed = t("⚠️ The podium of {season} could not be corrected.", season=season)
    elif trouble.duty is Duty.PODIUM:
        failed = t("⚠️ The podium of {season} could not be posted.", season=season)
    else:
        failed = t("⚠️ The champion's role could not be handed over after {season}.", season=season)
    last = t("I have given up.") if trouble.is_given_up else t("I will try again.")
    return f"{failed} {problem_words(trouble.problem, texts)} {last}"


def problem_words(problem: Problem, texts: Texts) -> str:
    """What is wrong, and what to do."""
    t = texts.t
    match problem:
        case Problem.NO_CHANNEL:
            return t("Its channel is gone: choose another with `/kems-admin config`.")
        case Problem.MAY_NOT_POST:
            return t(
                "In its channel I need: {permissions}.", permissions=", ".join(permission_names(IN_CHANNEL, texts))
            )
        case Problem.NO_ROLE:
            return t("The role is gone: choose another with `/kems-admin config`.")
        case Problem.MAY_NOT_GIVE:
            (permission,) = permission_names(FOR_ROLES, texts)
            return t("I need {permission}, and a role of mine above it in the server's list.", permission=permission)
        case Problem.REFUSED:
            return t("Discord refused it.")
