"""The secret vote on sign strategies: what each of them is, the ballot of one person, and what came of the vote.

A ballot is shown to its voter alone; the public lobby shows the outcome alone.
"""

from bot.game.signs import Strategy
from bot.tables.lobby import Lobby
from bot.ui.kit.components import Layout, Row, button, layout, menu, option, row, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.palette import PURPLE
from bot.ui.kit.texts import Texts
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.words.strategies import outcome_text, strategy_explained, strategy_name, strategy_names


def vote_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> Layout:
    """The ballot of one person at the table; once the outcome is known, that instead."""
    t = texts.t
    title = "**" + t("Advanced signs") + "**"
    ballot, outcome = lobby.vote.ballot_of(user_id), lobby.vote.outcome
    return layout(
        text(
            notice,
            title,
            t("A secret vote before the teams are formed: only what everybody says yes to is allowed."),
            t("Nobody learns who said what. Robots say yes to everything."),
        ),
        text(*(strategy_explained(each, texts) for each in lobby.votable)),
        text(_standing(ballot, outcome, texts)),
        _menu(lobby, ballot, texts),
        row(button(t("No to all"), make_id(lobby.id, LobbyVerb.BALLOT_NO), is_enabled=outcome is None)),
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


def _menu(lobby: Lobby, ballot: frozenset[Strategy] | None, texts: Texts) -> Row:
    options = [
        option(strategy_name(each, texts), each.value, is_default=each in (ballot or ())) for each in lobby.votable
    ]
    return menu(
        make_id(lobby.id, LobbyVerb.BALLOT),
        texts.t("I say yes to…"),
        options,
        least=0,
        most=len(options),
        is_enabled=lobby.vote.outcome is None,
    )
