"""Presses on a lobby: who sits there, how, the secret vote, when the match begins; and presses that open a table."""

from functools import partial
from random import Random

import discord

from bot.errors import StoreError
from bot.game.rules.parts import Rules
from bot.game.signs.sign import Strategy
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.names import free_name
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.interactions import field_of, guild_of, reader, say, say_outdated, show
from bot.ui.kit.texts import Texts
from bot.ui.lobby.openings import Openings
from bot.ui.lobby.places import find_channel
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.lobby.vote_panel import vote_panel
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel_pages import PanelPage
from bot.ui.words.refusals import RefusedError, accepted, former_table_text, lobby_refusal_text

_QUICK_SIZE = 4


class LobbyPresses:
    """Answers every press on a lobby's message and on ballots, and the greeting's button for a quick start."""

    verbs = frozenset[str](LobbyVerb)

    def __init__(
        self,
        directory: TableDirectory,
        presenter: Presenter,
        rng: Random,
        *,
        quick_rules: Rules,
        defaults: ServerDefaults,
        openings: Openings,
    ) -> None:
        """`quick_rules` are those of a table opened by the quick start."""
        self._directory = directory
        self._presenter = presenter
        self._rng = rng
        self._quick_rules = quick_rules
        self._defaults = defaults
        self._openings = openings

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        texts = reader(interaction)
        match press.verb:
            case LobbyVerb.QUICK:
                await self._quick_start(interaction, texts)
            case LobbyVerb.REOPEN:
                await self._reopen(interaction, press.table_id, texts)
            case LobbyVerb.START:
                await self._start(interaction, press.table_id, texts)
            case LobbyVerb.VOTE | LobbyVerb.BALLOT | LobbyVerb.BALLOT_NO:
                await self._vote(interaction, press, texts)
            case _:
                await self._arrange(interaction, press, texts)

    async def _arrange(self, interaction: discord.Interaction, press: Press, texts: Texts) -> None:
        change = self._change(interaction.user, press, field_of(interaction, "values"))
        if change is None:
            await say_outdated(interaction)
            return
        update = self._directory.update(press.table_id, change)
        lobby = accepted(await or_later(update, late=self._presenter.caught_up), texts)
        board = self._presenter.board(lobby)
        with board.held():
            if lobby.status is Status.CANCELLED:
                self._presenter.closed(lobby)
            await board.answer(interaction)

    def _change(self, user: discord.User | discord.Member, press: Press, chosen: object) -> LobbyChange | None:
        """What a press asks for, None for one that the present messages do not carry. `chosen` are a menu's values."""
        match press.verb:
            case LobbyVerb.JOIN:
                return lambda lobby: lobby.join(Player(user.display_name, user.id))
            case LobbyVerb.LEAVE:
                return lambda lobby: lobby.leave(user.id)
            case LobbyVerb.ADD_ROBOT:
                return _if_seated(user.id, self._with_robot)
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
                theme = next((theme for theme in Theme if chosen == [theme.value]), None)
                return None if theme is None else _if_seated(user.id, lambda lobby: lobby.set_theme(theme))
            case LobbyVerb.NO_VOTE:
                return lambda lobby: lobby.withdraw_vote(user.id)
            case _:
                return None

    def _with_robot(self, lobby: Lobby) -> Lobby | LobbyRefusal:
        taken = [player.name for player in lobby.players if player is not None]
        return lobby.add_robot(free_name(taken, self._rng))

    async def _start(self, interaction: discord.Interaction, table_id: int, texts: Texts) -> None:
        board = self._presenter.board(self._lobby(table_id, interaction.user.id, texts))
        with board.held():
            started = await or_later(self._directory.start(table_id))
            if isinstance(started, LobbyRefusal):
                await say(interaction, lobby_refusal_text(started, texts))
            else:
                await board.answer(interaction)

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

    async def _quick_start(self, interaction: discord.Interaction, texts: Texts) -> None:
        """Start a table with the presser and robots at once; the answer is the presser's panel."""
        if interaction.guild_id is None:
            raise RefusedError(texts.t("Tables are opened in a server's channel."))
        channel_id, settings = await find_channel(interaction, self._defaults, self._presenter.requests)
        place = Place(interaction.guild_id, channel_id)
        host_id = interaction.user.id
        host = Player(interaction.user.display_name, host_id)
        locale = self._defaults.language(interaction, settings)
        opened = await self._openings.open(interaction, partial(self._with_robots, place, host, locale, settings))
        table = self._directory.table(opened.table_id)
        seat = None if table is None else table.seat_of(host_id)
        if table is None or seat is None:  # an earlier command has opened a lobby
            lobby = accepted(self._directory.lobby(opened.table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
            await say(interaction, former_table_text(lobby.place, texts))
            return
        page = PanelPage.SIGN if table.seat_view(seat).may_change_sign else PanelPage.HAND
        await self._presenter.show_panel(interaction, table, seat, page)

    async def _with_robots(
        self, place: Place, host: Player, locale: str, settings: ServerSettings
    ) -> Table | LobbyRefusal:
        """A match of the host with robots; its lobby is shown when the start of the match could not be saved."""
        robots: list[Player] = []
        while len(robots) < _QUICK_SIZE - 1:
            robots.append(Player(free_name([host.name, *(robot.name for robot in robots)], self._rng)))
        opened = await self._directory.open_lobby(
            place=place,
            host=host,
            rules=self._quick_rules,
            size=_QUICK_SIZE,
            locale=locale,
            absence=settings.absence,
            afk_seconds=settings.afk_seconds,
            robots=robots,
        )
        if isinstance(opened, LobbyRefusal):
            return opened
        try:
            return await self._directory.start(opened.id)
        except StoreError:
            self._presenter.caught_up(opened)
            raise


def _if_seated(user_id: int, change: LobbyChange) -> LobbyChange:
    """The change for a player who sits there; those who only watch do not arrange the table."""
    return lambda lobby: change(lobby) if lobby.seat_of(user_id) is not None else LobbyRefusal(LobbyCode.NOT_SEATED)


def _strategies(interaction: discord.Interaction) -> tuple[Strategy, ...] | None:
    """The strategies chosen in the menu, None for what it does not offer."""
    values = field_of(interaction, "values")
    if not isinstance(values, list):
        return None
    try:
        return tuple(Strategy(value) for value in values)
    except ValueError:
        return None
