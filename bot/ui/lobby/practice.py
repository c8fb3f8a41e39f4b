"""`/kems practice` and `/kems tutorial`: a match with robots and a coach, in a thread of its own."""

from functools import partial
from typing import Final

import discord
import structlog

from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby.coaching import Coaching
from bot.tables.lobby.lobby import LobbyCode, LobbyRefusal
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.feature import CommandSet, command
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.names import inert
from bot.ui.kit.permissions import IN_PRIVATE_THREAD, IN_THREAD, missing
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.openings import Openings
from bot.ui.lobby.places import find_channel
from bot.ui.lobby.robot_matches import RobotMatches, show_seat
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.table.which_table import running_match, running_match_here
from bot.ui.words.refusals import accepted, former_table_text, playing_text

_THREADS: Final = (
    (discord.ChannelType.private_thread, IN_PRIVATE_THREAD),
    (discord.ChannelType.public_thread, IN_THREAD),
)
_ARCHIVE_MINUTES: Final = 60

_log = structlog.get_logger(__name__)


class PracticeCommands(CommandSet):
    """`/kems practice` and `/kems tutorial`."""

    def __init__(
        self,
        directory: TableDirectory,
        presenter: Presenter,
        defaults: ServerDefaults,
        openings: Openings,
        robot_matches: RobotMatches,
    ) -> None:
        super().__init__()
        self._directory = directory
        self._presenter = presenter
        self._defaults = defaults
        self._openings = openings
        self._robot_matches = robot_matches

    @command(mark("practice"), mark("Play with robots, and with a coach who says what to do"))
    async def practice(self, interaction: discord.Interaction) -> None:
        """Begin a match with robots; a person who practises already finds that match."""
        await self._play(interaction, Coaching.ON)

    @command(mark("tutorial"), mark("Learn the game in five minutes, in a match with patient robots"))
    async def tutorial(self, interaction: discord.Interaction) -> None:
        """Begin a match that teaches the game; a person who is in the middle of one finds it."""
        await self._play(interaction, Coaching.LESSONS)

    async def _play(self, interaction: discord.Interaction, coaching: Coaching) -> None:
        texts = reader(interaction)
        channel_id, settings = await find_channel(interaction, self._defaults, self._presenter.requests)
        playing = running_match(self._directory, interaction)
        if playing is not None and _is_there(playing, coaching):
            await self._lead_to(interaction, playing)
            return
        if (playing := running_match_here(self._directory, interaction)) is not None:
            await say(interaction, playing_text(playing.lobby.place, texts))
            return
        opened = await self._openings.open(
            interaction, partial(self._begin, interaction, channel_id, settings, coaching)
        )
        table = self._directory.table(opened.table_id)
        if table is None:  # an earlier command has opened a lobby
            lobby = accepted(self._directory.lobby(opened.table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
            await say(interaction, former_table_text(lobby.place, texts))
            return
        await self._lead_to(interaction, table)

    async def _lead_to(self, interaction: discord.Interaction, table: Table) -> None:
        """Show the presser's panel where the match is played; elsewhere say where that is."""
        played_in = table.lobby.place.channel_id
        if played_in == interaction.channel_id:
            await show_seat(interaction, table, self._presenter)
            return
        texts = reader(interaction)
        await say(
            interaction, texts.t("Your robots wait in {channel}: open your hand there.", channel=f"<#{played_in}>")
        )

    async def _begin(
        self, interaction: discord.Interaction, channel_id: int, settings: ServerSettings, coaching: Coaching
    ) -> Table | LobbyRefusal:
        locale = self._defaults.language(interaction, settings)
        thread_id = await self._open_thread(interaction, locale)
        place = Place(guild_of(interaction), thread_id or channel_id)
        host = Player(interaction.user.display_name, interaction.user.id)
        return await self._robot_matches.begin(place, host, locale, settings, coaching)

    async def _open_thread(self, interaction: discord.Interaction, locale: str) -> int | None:
        """Opens a thread for the presser alone, or a public one where only those are allowed; gives its id.

        None where neither can be opened, or Discord refuses it.
        """
        channel = interaction.channel
        kinds = (kind for kind, needed in _THREADS if not missing(interaction.app_permissions, needed))
        kind = next(kinds, None)
        if kind is None or not isinstance(channel, discord.TextChannel):
            return None
        name = texts_for(locale).t("Kem's practice — {name}", name=inert(interaction.user.display_name) or "?")
        try:
            async with self._presenter.requests.slot(planned=2, is_urgent=True) as slot:
                slot.request()
                thread = await channel.create_thread(name=name, type=kind, auto_archive_duration=_ARCHIVE_MINUTES)
                slot.request()
                await thread.add_user(discord.Object(interaction.user.id))
        except FAILED as error:
            _log.warning("thread.refused", channel=channel.id, **facts(error))
            return None
        return thread.id


def _is_there(playing: Table, coaching: Coaching) -> bool:
    """Whether a running match is what its player asks for: lessons that are not over, or any coach."""
    if coaching is Coaching.LESSONS:
        return playing.coaching is Coaching.LESSONS
    return playing.coaching is not Coaching.NONE
