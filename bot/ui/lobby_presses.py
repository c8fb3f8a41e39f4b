"""Presses on a lobby, and the two ways to open one besides `/kems start`: the quick start and the rematch."""

from collections.abc import Coroutine
from random import Random
from typing import Any

import discord

from bot.game.rules import Rules
from bot.live.house import House, LobbyChange
from bot.live.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.live.people import Place, Player
from bot.live.table import Table
from bot.live.themes import Theme
from bot.robots.names import free_name
from bot.ui.answers import field_of, public_locale, reader, say
from bot.ui.ids import Press, Verb, number_of
from bot.ui.lobby_view import help_panel
from bot.ui.patience import or_later
from bot.ui.presenter import Presenter
from bot.ui.sentences import lobby_refusal_text
from bot.ui.texts import Language

_QUICK_SIZE = 4


class LobbyPresses:
    """Answers every press on a lobby's message."""

    def __init__(
        self, house: House, presenter: Presenter, rng: Random, *, quick_rules: Rules, default_locale: Language
    ) -> None:
        """`quick_rules` are those of a table opened by the quick start."""
        self._house = house
        self._presenter = presenter
        self._rng = rng
        self._quick_rules = quick_rules
        self._default_locale = default_locale

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        if press.verb is Verb.START:
            await self._start(interaction, press.table_id)
            return
        change = self._change(interaction.user, press, field_of(interaction, "values"))
        if change is None:
            line = reader(interaction).t("This button is no longer in use: press one on the newest message.")
            await say(interaction, line)
            return
        await self._show(interaction, press.table_id, await self._in_time(self._house.update(press.table_id, change)))

    async def help(self, interaction: discord.Interaction, table_id: int) -> None:
        """How to play, by the rules of the table if there is one."""
        lobby = self._house.lobby(table_id)
        rules = self._quick_rules if lobby is None else lobby.rules
        await interaction.response.send_message(view=help_panel(rules, reader(interaction)), ephemeral=True)

    async def rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        """The same people again, in a new lobby. Raises StoreError when it was not saved."""
        texts = reader(interaction)
        past = self._house.lobby(table_id)
        if past is not None and past.seat_of(interaction.user.id) is None:
            await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_SEATED), texts))
            return
        lobby = await self._in_time(self._house.rematch(table_id))
        if isinstance(lobby, LobbyRefusal):
            await say(interaction, lobby_refusal_text(lobby, texts))
            return
        self._presenter.board(lobby).ask()
        await say(interaction, texts.t("The table for the rematch is below."))

    async def reopen(self, interaction: discord.Interaction, table_id: int) -> None:
        """A table like the one that nobody started, for whoever asks. Raises StoreError when it was not saved."""
        texts, host = reader(interaction), Player(interaction.user.display_name, interaction.user.id)
        lobby = await self._in_time(self._house.reopen(table_id, host, interaction.channel_id))
        if isinstance(lobby, LobbyRefusal):
            await say(interaction, lobby_refusal_text(lobby, texts))
            return
        self._presenter.board(lobby).ask()
        await say(interaction, texts.t("The new table is below."))

    async def quick_start(self, interaction: discord.Interaction) -> Table | None:
        """A table with the presser and robots, started at once; the press is not answered yet.

        Raises:
            StoreError: it was not saved.
        """
        if interaction.guild_id is None or interaction.channel_id is None:
            await say(interaction, reader(interaction).t("Tables are opened in a server's channel."))
            return None
        place = Place(interaction.guild_id, interaction.channel_id)
        host = Player(interaction.user.display_name, interaction.user.id)
        locale = public_locale(interaction.guild_locale, self._default_locale)
        table = await or_later(self._with_robots(place, host, locale))
        return table if isinstance(table, Table) else None

    async def _with_robots(self, place: Place, host: Player, locale: Language) -> Table | LobbyRefusal:
        opened = await self._house.open_lobby(
            place=place, host=host, rules=self._quick_rules, size=_QUICK_SIZE, locale=locale
        )
        for _ in range(_QUICK_SIZE - 1):
            await self._house.update(opened.id, self._add_robot)
        return await self._house.start(opened.id)

    async def _in_time(self, change: Coroutine[Any, Any, Lobby | LobbyRefusal]) -> Lobby | LobbyRefusal:
        return await or_later(change, late=self._presenter.caught_up)

    async def _start(self, interaction: discord.Interaction, table_id: int) -> None:
        lobby = self._house.lobby(table_id)
        if lobby is not None and lobby.seat_of(interaction.user.id) is None:
            line = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_SEATED), reader(interaction))
            await say(interaction, line)
            return
        if lobby is None:
            await self._show(interaction, table_id, LobbyRefusal(LobbyCode.UNKNOWN_TABLE))
            return
        board = self._presenter.board(lobby)
        with board.held():
            started = await or_later(self._house.start(table_id))
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
            case Verb.JOIN:
                return lambda lobby: lobby.join(Player(user.display_name, user.id))
            case Verb.LEAVE:
                return lambda lobby: lobby.leave(user.id)
            case Verb.ADD_ROBOT:
                return _if_seated(user.id, self._add_robot)
            case Verb.REMOVE_ROBOT:
                return _if_seated(user.id, lambda lobby: lobby.remove_robot())
            case Verb.TEAMS if press.arg in ("random", "chosen"):
                return _if_seated(user.id, lambda lobby: lobby.set_random(press.arg == "random"))
            case Verb.SIT:
                team = number_of(press.arg)
                return None if team is None else lambda lobby: lobby.sit(user.id, team)
            case Verb.CANCEL:
                return lambda lobby: lobby.cancel(user.id)
            case Verb.FACES:
                theme = _theme(chosen)
                return None if theme is None else _if_seated(user.id, lambda lobby: lobby.set_theme(theme))
            case Verb.NO_VOTE:
                return lambda lobby: lobby.withdraw_vote(user.id)
            case _:
                return None

    def _add_robot(self, lobby: Lobby) -> Lobby | LobbyRefusal:
        taken = [player.name for player in lobby.players if player is not None]
        return lobby.add_robot(free_name(taken, self._rng))


def _theme(chosen: object) -> Theme | None:
    """The theme that a menu's values name, None for anything else."""
    return next((theme for theme in Theme if chosen == [theme.value]), None)


def _if_seated(user_id: int, change: LobbyChange) -> LobbyChange:
    """Who only watches does not arrange the table."""
    return lambda lobby: change(lobby) if lobby.seat_of(user_id) is not None else LobbyRefusal(LobbyCode.NOT_SEATED)
