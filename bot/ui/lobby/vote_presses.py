"""Presses about the secret vote: open one's own ballot, fill it in, change it. The answer is for the presser alone."""

import discord

from bot.game.signs import Strategy
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import field_of, reader, say, say_outdated, show
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.lobby.vote_panel import vote_panel
from bot.ui.messages.presenter import Presenter
from bot.ui.words.refusals import lobby_refusal_text


class VotePresses:
    """Answers the lobby's button for the vote and the presses on every ballot."""

    verbs = frozenset[str]({LobbyVerb.VOTE, LobbyVerb.BALLOT, LobbyVerb.BALLOT_NO})

    def __init__(self, directory: TableDirectory, presenter: Presenter) -> None:
        self._directory = directory
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when a ballot was not saved."""
        texts, user_id = reader(interaction), interaction.user.id
        notice = None
        if press.verb != LobbyVerb.VOTE:
            yes = () if press.verb == LobbyVerb.BALLOT_NO else _chosen(interaction)
            if yes is None:
                await say_outdated(interaction)
                return
            cast = await or_later(
                self._directory.update(press.table_id, lambda lobby: lobby.cast(user_id, yes)),
                late=self._presenter.caught_up,
            )
            if isinstance(cast, LobbyRefusal):
                notice = lobby_refusal_text(cast, texts)
            else:
                self._presenter.board(cast).ask()
        lobby = self._directory.lobby(press.table_id)
        away = _away(lobby, user_id)
        if lobby is None or away is not None:
            await say(interaction, lobby_refusal_text(away or _GONE, texts))
            return
        panel = vote_panel(lobby, user_id, texts, notice)
        await show(interaction, panel)


_GONE = LobbyRefusal(LobbyCode.UNKNOWN_TABLE)


def _away(lobby: Lobby | None, user_id: int) -> LobbyRefusal | None:
    """Why somebody has no ballot here at all."""
    if lobby is None:
        return _GONE
    if lobby.seat_of(user_id) is None:
        return LobbyRefusal(LobbyCode.NOT_SEATED)
    return None if lobby.status is Status.OPEN else LobbyRefusal(LobbyCode.NOT_OPEN)


def _chosen(interaction: discord.Interaction) -> tuple[Strategy, ...] | None:
    """The strategies chosen in the menu, None for what it does not offer."""
    values = field_of(interaction, "values")
    if not isinstance(values, list):
        return None
    try:
        return tuple(Strategy(value) for value in values)
    except ValueError:
        return None
