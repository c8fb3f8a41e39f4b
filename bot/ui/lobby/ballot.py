"""The secret vote on sign strategies: a person's ballot, which is its reader's alone, and the presses on it."""

import discord

from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import show
from bot.discord.interactions.admission.budgets import Verb
from bot.discord.interactions.setting import controls, ids_for
from bot.discord.text.texts import Texts
from bot.game.signs import Strategy
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyRefusal
from bot.ui.lobby.lobby_board import closed_panel
from bot.ui.lobby.settings import ON_BALLOT, Arranged, change_of
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.refusals import lobby_refusal_text
from bot.ui.words.signs import outcome_text, strategy_explained, strategy_names


class VotePresses:
    """Answers with the presser's own ballot, which the press may have filled in."""

    verbs = frozenset[Verb]({LobbyVerb.VOTE, LobbyVerb.BALLOT})

    def __init__(self, directory: TableDirectory) -> None:
        self._directory = directory

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts, user_id, notice = reader(interaction), interaction.user.id, None
        lobby = find_lobby(self._directory, press.table_id, texts, seated=user_id)
        if press.verb == LobbyVerb.BALLOT:
            try:
                change = change_of(ON_BALLOT, interaction, press.arg, lobby)
            except RefusedError as refusal:
                change, notice = None, str(refusal)
            if change is not None:
                cast = await or_later(self._directory.lobbies.update(lobby.id, change))
                notice = lobby_refusal_text(cast, texts) if isinstance(cast, LobbyRefusal) else None
                lobby = self._directory.lobby(lobby.id) or lobby
        is_open = lobby.status is Status.OPEN
        await show(interaction, vote_panel(lobby, user_id, texts, notice) if is_open else closed_panel(lobby, texts))


def vote_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> c.Layout:
    """The ballot of one person at the table; once the outcome is known, that instead."""
    t, vote = texts.t, lobby.vote
    return c.layout(
        c.text(
            notice,
            "**" + t("Advanced signs") + "**",
            t("A secret vote before the teams are formed: only what everybody says yes to is allowed."),
            t("Nobody learns who said what. Robots say yes to everything."),
        ),
        c.text(*(strategy_explained(each, texts) for each in lobby.votable)),
        c.text(_standing(vote.ballot_of(user_id), vote.outcome, texts)),
        *controls(ON_BALLOT, Arranged(lobby, user_id), ids_for(lobby.id, LobbyVerb.BALLOT), texts),
        colour=c.PURPLE,
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
