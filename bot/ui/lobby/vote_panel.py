"""The secret vote on sign strategies: what each of them is, the ballot of its reader alone, what came of the vote."""

from functools import partial

from bot.game.signs.sign import Strategy
from bot.tables.lobby.lobby import Lobby
from bot.ui.kit.components import Layout, button, layout, menu, option, row, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.palette import PURPLE
from bot.ui.kit.texts import Texts
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.words.strategies import outcome_text, strategy_explained, strategy_name, strategy_names


def vote_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> Layout:
    """The ballot of one person at the table; once the outcome is known, that instead."""
    t, ids = texts.t, partial(make_id, lobby.id)
    title = "**" + t("Advanced signs") + "**"
    ballot, outcome = lobby.vote.ballot_of(user_id), lobby.vote.outcome
    is_open, yes = outcome is None, ballot or frozenset()
    options = [option(strategy_name(each, texts), each.value, is_default=each in yes) for each in lobby.votable]
    return layout(
        text(
            notice,
            title,
            t("A secret vote before the teams are formed: only what everybody says yes to is allowed."),
            t("Nobody learns who said what. Robots say yes to everything."),
        ),
        text(*(strategy_explained(each, texts) for each in lobby.votable)),
        text(_standing(ballot, outcome, texts)),
        menu(ids(LobbyVerb.BALLOT), t("I say yes to…"), options, least=0, most=len(options), is_enabled=is_open),
        row(button(t("No to all"), ids(LobbyVerb.BALLOT_NO), is_enabled=is_open)),
        colour=PURPLE,
    )


def _standing(ballot: frozenset[Strategy] | None, outcome: frozenset[Strategy] | None, texts: Texts) -> str:
    t = texts.t
    if outcome is not None:
        return "**" + outcome_text(outcome, texts) + "**"
    if ballot is None:
        return t("You have not voted yet: choose what you say yes to.")
    said = strategy_names(ballot, texts)
    yours = t("You said yes to: {strategies}.", strategies=said) if said else t("You said no to all.")
    return yours + " " + t("You may change that until everybody has voted.")
