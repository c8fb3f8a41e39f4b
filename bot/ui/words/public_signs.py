"""What everybody may know of the teams' signs, in words: the vote's outcome, what was said, who was found out."""

from typing import Final

from bot.game.phase import Phase
from bot.game.signs import SignReport, Strategy
from bot.ui.words.sign_emojis import shown_sign
from bot.ui.words.strategies import outcome_text
from bot.ui.words.table_text import TableText

REPORTS: Final = 3  # the latest that are shown


def reports(table_text: TableText) -> list[str]:
    """What was said of other teams' signs in this round, a line each, and whether it was right; the newest last."""
    return [_report(item, table_text) for item in table_text.view.reports[-REPORTS:]]


def known_single(table_text: TableText) -> str | None:
    """The teams that were found out and play a single sign for good, as a line."""
    t, teams = table_text.texts.t, table_text.listed([table_text.team(team) for team in table_text.view.known_single])
    return "-# " + t("{teams}: a single sign for the rest of the match.", teams=teams) if teams else None


def vote_outcome(table_text: TableText) -> str | None:
    """What the vote allowed, as a line, while the teams agree on their signs; None where it allowed nothing."""
    view = table_text.view
    if view.phase is not Phase.SIGNS or not view.strategies:
        return None
    return "-# " + outcome_text(view.strategies, table_text.texts)


def _report(item: SignReport, table_text: TableText) -> str:
    t = table_text.texts.t
    name, team = table_text.name(item.seat), table_text.team(item.team)
    if item.strategy is Strategy.TOTAL:
        said = t("{team}, you play total", team=team)
    elif item.strategy is Strategy.PRESIGN:
        said = t("{team}, stop pre-sign", team=team)
    elif len(item.signs) == 1:
        said = t("{team}, your sign is {sign}", team=team, sign=shown_sign(item.signs[0]))
    else:
        signs = table_text.listed([shown_sign(sign) for sign in item.signs])
        said = t("{team}, your signs are {signs}", team=team, signs=signs)
    if item.is_right:
        return t("📣 {name}: “{said}” — **right**", name=name, said=said)
    return t("📣 {name}: “{said}” — wrong", name=name, said=said)
