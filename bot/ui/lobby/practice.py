"""`/kems practice` and `/kems tutorial`: a match with robots and a coach, in a thread of its own."""

from typing import Final

import discord
import structlog

from bot.tables.directory import TableDirectory
from bot.tables.lobby.coaching import Coaching
from bot.tables.match.table import Table
from bot.ui.feature import CommandSet, command
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.names import inert
from bot.ui.kit.permissions import IN_PRIVATE_THREAD, IN_THREAD, missing
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.robot_matches import show_seat
from bot.ui.lobby.robot_openings import RobotOpenings
from bot.ui.messages.presenter import Presenter
from bot.ui.table.which_table import running_match, running_match_here
from bot.ui.words.refusals import playing_text

_THREADS: Final = (
    (discord.ChannelType.private_thread, IN_PRIVATE_THREAD),
    (discord.ChannelType.public_thread, IN_THREAD),
)
_ARCHIVE_MINUTES: Final = 60

_log = structlog.get_logger(__name__)


class PracticeCommands(CommandSet):
    """`/kems practice` and `/kems tutorial`."""

    def __init__(self, directory: TableDirectory, presenter: Presenter, robot_openings: RobotOpenings) -> None:
        super().__init__()
        self._directory = directory
        self._presenter = presenter
        self._robot_openings = robot_openings

    @command(mark("practice"), mark("Play with robots, and with a coach who says what to do"))
    async def practice(self, interaction: discord.Interaction) -> None:
        """Begin a match with robots; a person who practises already finds that match."""
        await self._play(interaction, Coaching.ON)

    @command(mark("tutorial"), mark("Learn the game in five minutes, in a match with patient robots"))
    async def tutorial(self, interaction: discord.Interaction) -> None:
        """Begin a match that teaches the game; a person who is in the middle of one finds it."""
        await self._play(interaction, Coaching.LESSONS)

    async def _play(self, interaction: discord.Interaction, coaching: Coaching) -> None:
        channel_id, settings = await self._robot_openings.find_channel(interaction)

        async def apart(locale: str) -> int:
            return await self._open_thread(interaction, locale) or channel_id

        playing = running_match(self._directory, interaction)
        if playing is not None and _is_there(playing, coaching):
            await self._lead_to(interaction, playing)
        elif (here := running_match_here(self._directory, interaction)) is not None:
            await say(interaction, playing_text(here.lobby.place, reader(interaction)))
        else:
            table = await self._robot_openings.begin(interaction, settings, apart, coaching)
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
