"""Matches of one person with robots, which begin at once."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from bot.errors import StoreError
from bot.game.rules.parts import Rules
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.robots.names import free_name
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import LobbyRefusal
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.messages.presenter import Presenter

_SIZE: Final = 4

HasPlayed = Callable[[int, int], Awaitable[bool]]
"""Whether a user has played a match of a server to its end: `(guild_id, user_id)`. Raises StoreError."""


class RobotMatches:
    """Opens the matches, by these rules."""

    def __init__(
        self, directory: TableDirectory, presenter: Presenter, rng: Random, rules: Rules, has_played: HasPlayed
    ) -> None:
        self._directory = directory
        self._presenter = presenter
        self._rng = rng
        self._rules = rules
        self._has_played = has_played

    async def begin(self, place: Place, host: Player, locale: str, settings: ServerSettings) -> Table | LobbyRefusal:
        """Begin a match, of beginners for a host who has never finished one in this server.

        Its lobby is shown when the start could not be saved. Raises StoreError.
        """
        assert host.user_id is not None, "robots open no tables"
        has_played = await self._has_played(place.guild_id, host.user_id)
        opened = await self._directory.open_lobby(
            place=place,
            host=host,
            rules=self._rules,
            size=_SIZE,
            locale=locale,
            absence=settings.absence,
            afk_seconds=settings.afk_seconds,
            robots=self._robots(host),
            robot_level=RobotLevel.REGULAR if has_played else RobotLevel.BEGINNER,
        )
        if isinstance(opened, LobbyRefusal):
            return opened
        try:
            return await self._directory.start(opened.id)
        except StoreError:
            self._presenter.caught_up(opened)
            raise

    def _robots(self, host: Player) -> list[Player]:
        robots: list[Player] = []
        while len(robots) < _SIZE - 1:
            robots.append(Player(free_name([host.name, *(robot.name for robot in robots)], self._rng)))
        return robots
