"""The secret vote on sign strategies: what each of them is, the ballot of its reader alone, what came of the vote."""

from functools import partial

import discord

from bot.game.signs import Strategy
from bot.tables.lobby.lobby import Lobby, LobbyRefusal
from bot.ui.admission.admission import or_later
from bot.ui.kit.components import PURPLE, Layout, button, layout, menu, option, row, text
from bot.ui.kit.custom_ids import Press, make_id
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.kit.texts import Texts
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.refusals import lobby_refusal_text
from bot.ui.words.signs import outcome_text, strategy_explained, strategy_name, strategy_names


class VotePresses:
    """Answers with the presser's own ballot, which the press may have filled in."""

    verbs = frozenset[str]({LobbyVerb.VOTE, LobbyVerb.BALLOT, LobbyVerb.BALLOT_NO})

    def __init__(self, presenter: Presenter) -> None:
        self._directory = presenter.directory
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts, user_id, notice = reader(interaction), interaction.user.id, None
        if press.verb != LobbyVerb.VOTE:
            yes = () if press.verb == LobbyVerb.BALLOT_NO else _strategies(field_of(interaction, "values"))
            if yes is None:
                await say_outdated(interaction)
                return
            casting = self._directory.lobbies.update(press.table_id, lambda lobby: lobby.cast(user_id, yes))
            cast = await or_later(casting)
            if isinstance(cast, LobbyRefusal):
                notice = lobby_refusal_text(cast, texts)
        lobby = find_lobby(self._directory, press.table_id, texts, seated=user_id, is_open=True)
        await show(interaction, vote_panel(lobby, user_id, texts, notice))


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


def _strategies(values: object) -> tuple[Strategy, ...] | None:
    if not isinstance(values, list) or any(value not in list(Strategy) for value in values):
        return None
    return tuple(map(Strategy, values))
