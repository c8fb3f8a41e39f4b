"""Matches of one person with robots, which begin at once."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Final

import discord

from bot.errors import StoreError
from bot.game.rules.parts import Pace, Rules
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.robots.names import free_name
from bot.tables.directory import TableDirectory
from bot.tables.lobby.coaching import Coaching
from bot.tables.lobby.lobby import LobbyRefusal
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel.panel_pages import PanelPage

_SIZE: Final = 4
_SIGN_DEADLINE: Final = 900.0  # seconds; then chance draws a sign, which harms nobody

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

    async def begin(
        self, place: Place, host: Player, locale: str, settings: ServerSettings, coaching: Coaching | None = None
    ) -> Table | LobbyRefusal:
        """Begin a match, against beginners where the host has a coach; where that teaches, no clock hurries the host.

        By default a host who has never finished a match in this server is taught. Its lobby is shown when the start
        could not be saved. Raises StoreError.
        """
        assert host.user_id is not None, "robots open no tables"
        if coaching is None:
            has_played = await self._has_played(place.guild_id, host.user_id)
            coaching = Coaching.NONE if has_played else Coaching.LESSONS
        teaches = coaching is Coaching.LESSONS
        opened = await self._directory.open_lobby(
            place=place,
            host=host,
            rules=_unhurried(self._rules) if teaches else self._rules,
            size=_SIZE,
            locale=locale,
            absence=settings.absence,
            afk_seconds=0 if teaches else settings.afk_seconds,
            robots=self._robots(host),
            robot_level=RobotLevel.REGULAR if coaching is Coaching.NONE else RobotLevel.BEGINNER,
            coaching=coaching,
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


def _unhurried(rules: Rules) -> Rules:
    """The same rules without a clock that acts for a player who reads."""
    return replace(
        rules,
        exchange=replace(rules.exchange, take_limit=0),
        signs=replace(rules.signs, sign_deadline=_SIGN_DEADLINE),
        pace=Pace(),
    )


async def show_seat(interaction: discord.Interaction, table: Table, presenter: Presenter) -> None:
    """Answer a press of a player with their panel."""
    seat = table.seat_of(interaction.user.id)
    assert seat is not None, "the presser plays there"
    page = PanelPage.SIGN if table.seat_view(seat).may_change_sign else PanelPage.HAND
    await presenter.show_panel(interaction, table, seat, page)
