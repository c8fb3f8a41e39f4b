"""Matches of one person with robots, which begin at once: *Play now*, `/kems practice` and `/kems tutorial`."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Final

import discord

from bot.errors import StoreError
from bot.game.rules.rules import Pace, Rules
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Coaching, LobbyRefusal, Place, new_lobby
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.feature import CommandSet, command
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.texts import mark
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.places import Openings, ServerDefaults, TablePlace, find_place, thread_apart
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.hand_panel import PanelPage
from bot.ui.table.which_table import find_lobby, running_match, running_match_here
from bot.ui.words.refusals import RefusedError, former_table_text, playing_text

_SIZE: Final = 4
_SIGN_DEADLINE: Final = 900.0  # seconds; then chance draws a sign, which harms nobody

HasPlayed = Callable[[int, int], Awaitable[bool]]
"""Whether a user has played a match of a server to its end: `(guild_id, user_id)`. Raises StoreError."""


class RobotTables(CommandSet):
    """Answers with the presser's panel: of the match that begins, or of the one that they play already."""

    verbs = frozenset[str]({LobbyVerb.QUICK})

    def __init__(
        self,
        presenter: Presenter,
        defaults: ServerDefaults,
        openings: Openings,
        rng: Random,
        rules: Rules,
        has_played: HasPlayed,
    ) -> None:
        super().__init__()
        self._directory = presenter.directory
        self._presenter = presenter
        self._defaults = defaults
        self._openings = openings
        self._rng = rng
        self._rules = rules
        self._has_played = has_played

    @command(mark("practice"), mark("Play with robots, and with a coach who says what to do"))
    async def practice(self, interaction: discord.Interaction) -> None:
        await self._coach(interaction, Coaching.ON)

    @command(mark("tutorial"), mark("Learn the game in five minutes, in a match with patient robots"))
    async def tutorial(self, interaction: discord.Interaction) -> None:
        await self._coach(interaction, Coaching.LESSONS)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        if interaction.guild_id is None:
            raise RefusedError(reader(interaction).t("Tables are opened in a server's channel."))
        place = await find_place(interaction, self._defaults, self._presenter.requests)
        table = running_match(self._directory, interaction)
        await show_seat(interaction, table or await self._begin(interaction, place), self._presenter)

    async def _coach(self, interaction: discord.Interaction, coaching: Coaching) -> None:
        """Begin a match in a thread, and show the presser's panel; where that is elsewhere, say where."""
        place, texts = await find_place(interaction, self._defaults, self._presenter.requests), reader(interaction)
        table = running_match(self._directory, interaction)
        wanted = {Coaching.LESSONS} if coaching is Coaching.LESSONS else {*Coaching} - {Coaching.NONE}
        if table is None or table.coaching not in wanted:
            if (here := running_match_here(self._directory, interaction)) is not None:
                raise RefusedError(playing_text(here.lobby.place, texts))
            table = await self._begin(interaction, place, coaching)
        played_in = table.lobby.place.channel_id
        if played_in == interaction.channel_id:
            await show_seat(interaction, table, self._presenter)
        else:
            channel = f"<#{played_in}>"
            await say(interaction, texts.t("Your robots wait in {channel}: open your hand there.", channel=channel))

    async def _begin(
        self, interaction: discord.Interaction, here: TablePlace, coaching: Coaching | None = None
    ) -> Table:
        """The match of the presser, or the one that an earlier press of theirs has begun; with a coach in a thread.

        Raises RefusedError: the sentence says why, or where a lobby is that an earlier command has opened; StoreError:
        it was not saved.
        """
        locale = self._defaults.language(interaction, here.settings)
        host = Player(interaction.user.display_name, interaction.user.id)

        async def make() -> Table | LobbyRefusal:
            apart = None if coaching is None else await thread_apart(interaction, locale, self._presenter.requests)
            place = Place(guild_of(interaction), apart or here.channel_id)
            return await self._opened(place, host, locale, here.settings, coaching)

        opened = await self._openings.open(interaction, make)
        table = self._directory.table(opened.table_id)
        if table is None:
            texts = reader(interaction)
            lobby = find_lobby(self._directory, opened.table_id, texts)
            raise RefusedError(former_table_text(lobby.place, texts))
        return table

    async def _opened(
        self, place: Place, host: Player, locale: str, settings: ServerSettings, coaching: Coaching | None
    ) -> Table | LobbyRefusal:
        """A match against beginners where the host has a coach; one that teaches neither hurries nor delays the host.

        By default a host who has never finished a match in this server is taught. Its lobby is shown when the start
        could not be saved. Raises StoreError.
        """
        assert host.user_id is not None, "robots open no tables"
        if coaching is None:
            has_played = await self._has_played(place.guild_id, host.user_id)
            coaching = Coaching.NONE if has_played else Coaching.LESSONS
        teaches = coaching is Coaching.LESSONS
        rules = _unhurried(self._rules) if teaches else self._rules
        lobby = new_lobby(place=place, host=host, rules=rules, size=_SIZE, locale=locale).filled(self._rng)
        opened = await self._directory.lobbies.open(
            replace(
                lobby,
                absence=settings.absence,
                afk_seconds=0 if teaches else settings.afk_seconds,
                robot_level=RobotLevel.REGULAR if coaching is Coaching.NONE else RobotLevel.BEGINNER,
                coaching=coaching,
            )
        )
        if isinstance(opened, LobbyRefusal):
            return opened
        try:
            return await self._directory.start(opened.id)
        except StoreError:
            self._directory.lobbies.show(opened)
            raise


async def show_seat(
    interaction: discord.Interaction, table: Table, presenter: Presenter, *, is_below: bool = False
) -> None:
    """Answer a press of a player with their panel; `is_below`: as a new message, also where one was pressed."""
    seat = table.lobby.seat_of(interaction.user.id)
    assert seat is not None, "the presser plays there"
    page = PanelPage.SIGN if table.seat_view(seat).may_change_sign else PanelPage.HAND
    await presenter.show_panel(interaction, table, seat, page, is_below=is_below)


def _unhurried(rules: Rules) -> Rules:
    return replace(
        rules,
        exchange=replace(rules.exchange, take_limit=0),
        sweep=replace(rules.sweep, quiet=0),
        signs=replace(rules.signs, sign_deadline=_SIGN_DEADLINE),
        pace=Pace(),
    )
