"""Presses on a lobby: who sits there, the secret vote, when the match begins; and opening an expired one again."""

import discord

from bot.game.signs.sign import Strategy
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.edits import update_pressed
from bot.ui.kit.interactions import field_of, guild_of, reader, say, say_outdated, show
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.lobby.places import can_open_thread, find_channel, thread_under
from bot.ui.lobby.post_screen import starting_post
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.lobby.vote_panel import vote_panel
from bot.ui.messages.presenter import Presenter
from bot.ui.table.departures import Departures
from bot.ui.words.refusals import RefusedError, accepted, lobby_refusal_text


class LobbyPresses:
    """Answers every press on a lobby's message and on ballots, and the one that opens an expired table again."""

    verbs = frozenset[str](
        {
            LobbyVerb.JOIN,
            LobbyVerb.LEAVE,
            LobbyVerb.START,
            LobbyVerb.VOTE,
            LobbyVerb.BALLOT,
            LobbyVerb.BALLOT_NO,
            LobbyVerb.REOPEN,
        }
    )

    def __init__(self, directory: TableDirectory, presenter: Presenter, defaults: ServerDefaults) -> None:
        self._directory = directory
        self._presenter = presenter
        self._defaults = defaults
        self._departures = Departures(directory, presenter)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        texts, user = reader(interaction), interaction.user
        match press.verb:
            case LobbyVerb.REOPEN:
                await self._reopen(interaction, press.table_id, texts)
            case LobbyVerb.START:
                await self._start(interaction, press.table_id, texts)
            case LobbyVerb.JOIN:
                player = Player(user.display_name, user.id)
                await self._change(interaction, press.table_id, lambda lobby: lobby.join(player), texts)
            case LobbyVerb.LEAVE if self._is_last(press.table_id, user.id):
                await self._departures.leave(interaction, press.table_id)
            case LobbyVerb.LEAVE:
                await self._change(interaction, press.table_id, lambda lobby: lobby.leave(user.id), texts)
            case _:
                await self._vote(interaction, press, texts)

    async def _change(self, interaction: discord.Interaction, table_id: int, change: LobbyChange, texts: Texts) -> None:
        """The presser sits down or stands up; the answer is the lobby as it is then."""
        update = self._directory.update(table_id, change)
        lobby = accepted(await or_later(update, late=self._presenter.caught_up), texts)
        board = self._presenter.board(lobby)
        with board.held():
            if lobby.status is Status.CANCELLED:
                self._presenter.closed(lobby)
            await board.answer(interaction)

    def _is_last(self, table_id: int, user_id: int) -> bool:
        """Whether the lobby closes when this player leaves it."""
        lobby = self._directory.lobby(table_id)
        return lobby is not None and lobby.status is Status.OPEN and {*lobby.people} == {user_id}

    async def _start(self, interaction: discord.Interaction, table_id: int, texts: Texts) -> None:
        """Begin the match: in the lobby's message, or in a thread under it."""
        lobby = self._lobby(table_id, interaction.user.id, texts)
        board = self._presenter.board(lobby)
        channel, message = interaction.channel, interaction.message
        is_apart = lobby.wants_thread and message is not None and can_open_thread(interaction)
        with board.held():
            start = self._directory.start(table_id, by=interaction.user.id)
            started = accepted(await or_later(start, late=self._presenter.caught_up), texts)
            if not is_apart or message is None or not isinstance(channel, discord.TextChannel):
                await board.answer(interaction)
                return
            public = texts_for(lobby.locale)
            await update_pressed(interaction, starting_post(started.lobby, public))
            host = next(player.name for player in lobby.players if player and player.user_id == lobby.host_id)
            thread_id = await thread_under(channel, message.id, host, public, self._presenter.requests)
            if thread_id is not None:
                await board.open_thread(thread_id)

    async def _vote(self, interaction: discord.Interaction, press: Press, texts: Texts) -> None:
        """Show the presser's own ballot, which the press may have filled in."""
        user_id, notice = interaction.user.id, None
        if press.verb != LobbyVerb.VOTE:
            yes = () if press.verb == LobbyVerb.BALLOT_NO else _strategies(interaction)
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
        lobby = self._lobby(press.table_id, user_id, texts)
        if lobby.status is not Status.OPEN:
            raise RefusedError(lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_OPEN), texts))
        await show(interaction, vote_panel(lobby, user_id, texts, notice))

    def _lobby(self, table_id: int, user_id: int, texts: Texts) -> Lobby:
        """The lobby in which somebody sits. Raises RefusedError without one."""
        lobby = accepted(self._directory.lobby(table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
        if lobby.seat_of(user_id) is None:
            raise RefusedError(lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_SEATED), texts))
        return lobby

    async def _reopen(self, interaction: discord.Interaction, table_id: int, texts: Texts) -> None:
        """Open a table like the one that nobody started, for the presser."""
        host = Player(interaction.user.display_name, interaction.user.id)
        channel_id, _ = await find_channel(interaction, self._defaults, self._presenter.requests)
        reopened = self._directory.reopen(guild_of(interaction), table_id, host, channel_id)
        lobby = accepted(await or_later(reopened, late=self._presenter.caught_up), texts)
        self._presenter.board(lobby).ask()
        await say(interaction, texts.t("The new table is in {channel}.", channel=f"<#{lobby.place.channel_id}>"))


def _strategies(interaction: discord.Interaction) -> tuple[Strategy, ...] | None:
    """The strategies chosen in the menu, None for what it does not offer."""
    values = field_of(interaction, "values")
    if not isinstance(values, list):
        return None
    try:
        return tuple(Strategy(value) for value in values)
    except ValueError:
        return None
