"""Presses on a lobby: who sits there, how, and when the match begins."""

from random import Random

import discord

from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.names import free_name
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.interactions import field_of, reader, say, say_outdated
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.messages.presenter import Presenter
from bot.ui.words.refusals import lobby_refusal_text


class LobbyPresses:
    """Answers every press on a lobby's message."""

    verbs = frozenset[str](
        {
            LobbyVerb.JOIN,
            LobbyVerb.LEAVE,
            LobbyVerb.ADD_ROBOT,
            LobbyVerb.REMOVE_ROBOT,
            LobbyVerb.TEAMS,
            LobbyVerb.SIT,
            LobbyVerb.START,
            LobbyVerb.CANCEL,
            LobbyVerb.NO_VOTE,
            LobbyVerb.FACES,
        }
    )

    def __init__(self, directory: TableDirectory, presenter: Presenter, rng: Random) -> None:
        self._directory = directory
        self._presenter = presenter
        self._rng = rng

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        if press.verb == LobbyVerb.START:
            await self._start(interaction, press.table_id)
            return
        change = self._change(interaction.user, press, field_of(interaction, "values"))
        if change is None:
            await say_outdated(interaction)
            return
        update = self._directory.update(press.table_id, change)
        await self._show(interaction, press.table_id, await or_later(update, late=self._presenter.caught_up))

    async def _start(self, interaction: discord.Interaction, table_id: int) -> None:
        lobby = self._directory.lobby(table_id)
        if lobby is not None and lobby.seat_of(interaction.user.id) is None:
            line = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_SEATED), reader(interaction))
            await say(interaction, line)
            return
        if lobby is None:
            await self._show(interaction, table_id, LobbyRefusal(LobbyCode.UNKNOWN_TABLE))
            return
        board = self._presenter.board(lobby)
        with board.held():
            started = await or_later(self._directory.start(table_id))
            if isinstance(started, LobbyRefusal):
                await say(interaction, lobby_refusal_text(started, reader(interaction)))
            else:
                await board.answer(interaction)

    async def _show(self, interaction: discord.Interaction, table_id: int, outcome: Lobby | LobbyRefusal) -> None:
        if isinstance(outcome, LobbyRefusal):
            await say(interaction, lobby_refusal_text(outcome, reader(interaction)))
            return
        board = self._presenter.board(outcome)
        with board.held():
            if outcome.status is Status.CANCELLED:
                self._presenter.closed(outcome)
            await board.answer(interaction)

    def _change(self, user: discord.User | discord.Member, press: Press, chosen: object) -> LobbyChange | None:
        """What a press asks for, None for one that the present messages do not carry. `chosen` are a menu's values."""
        match press.verb:
            case LobbyVerb.JOIN:
                return lambda lobby: lobby.join(Player(user.display_name, user.id))
            case LobbyVerb.LEAVE:
                return lambda lobby: lobby.leave(user.id)
            case LobbyVerb.ADD_ROBOT:
                return _if_seated(user.id, lambda lobby: with_robot(lobby, self._rng))
            case LobbyVerb.REMOVE_ROBOT:
                return _if_seated(user.id, lambda lobby: lobby.remove_robot())
            case LobbyVerb.TEAMS if press.arg in ("random", "chosen"):
                return _if_seated(user.id, lambda lobby: lobby.set_random(press.arg == "random"))
            case LobbyVerb.SIT:
                team = number_of(press.arg)
                return None if team is None else lambda lobby: lobby.sit(user.id, team)
            case LobbyVerb.CANCEL:
                return lambda lobby: lobby.cancel(user.id)
            case LobbyVerb.FACES:
                theme = _theme(chosen)
                return None if theme is None else _if_seated(user.id, lambda lobby: lobby.set_theme(theme))
            case LobbyVerb.NO_VOTE:
                return lambda lobby: lobby.withdraw_vote(user.id)
            case _:
                return None


def with_robot(lobby: Lobby, rng: Random) -> Lobby | LobbyRefusal:
    """The lobby with one more robot, whose name nobody there has."""
    taken = [player.name for player in lobby.players if player is not None]
    return lobby.add_robot(free_name(taken, rng))


def _theme(chosen: object) -> Theme | None:
    """The theme that a menu's values name, None for anything else."""
    return next((theme for theme in Theme if chosen == [theme.value]), None)


def _if_seated(user_id: int, change: LobbyChange) -> LobbyChange:
    """Who only watches does not arrange the table."""
    return lambda lobby: change(lobby) if lobby.seat_of(user_id) is not None else LobbyRefusal(LobbyCode.NOT_SEATED)
