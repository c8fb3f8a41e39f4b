"""Commands and buttons that start a match at once: `/kems play`, `practice`, `tutorial`, and every *Play* button.

*Play* seats a person at the quick start of the channel, or opens it; practice and tutorial are played with robots
alone.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

import discord

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, follow_up
from bot.discord.interactions.admission.allowances import TABLES, Verb
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.places.permissions import check_may_post
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.threads import THREAD_S
from bot.discord.text.texts import mark
from bot.game.rules.rules import Pace, Rules, SignsTold
from bot.records.history import History
from bot.robots.level import RobotLevel
from bot.tables.directory import TableDirectory
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.ui.lobby.places import Openings, UsableChannel, may_be_apart, stays_here_line
from bot.ui.lobby.quick_start import QuickStarts
from bot.ui.table.messages.ephemeral_panels import EphemeralPanels
from bot.ui.table.presses import show_seat
from bot.ui.table.verbs import TableVerb
from bot.ui.table.which_table import find_lobby, running_match, running_match_here
from bot.ui.words.refusals import former_table_text, playing_text

_REFUSAL: Final = "refusal"
"""The key in the extras of an interaction for the reason why Discord has opened no thread."""
_SIGN_DEADLINE: Final = 900.0  # seconds; then chance draws a sign, which harms nobody


@dataclass(eq=False, repr=False)
class PlayCommands(CommandSet):
    """Seats people at quick starts, or starts a match with robots. A person who is playing already gets their panel.

    The button gives a person who has never finished a match in this server their first match, unless others wait.
    """

    verbs = frozenset[Verb]({TableVerb.PLAY})

    _clock: Clock
    _directory: TableDirectory
    _panels: EphemeralPanels
    _openings: Openings
    _quick_starts: QuickStarts
    _rules: Rules
    _history: History
    _rng: Random

    @command("play", mark("Play with the people who come in the next seconds, else with robots"), allowance=TABLES)
    async def play(self, interaction: discord.Interaction) -> None:
        """Seat the presser at a quick start."""
        place = await self._openings.find_shared_place(interaction, posts=False)
        if not await self._is_playing(interaction):
            await self._sit_down(interaction, place)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Seat the presser at a quick start, or start their first match with lessons.

        Raises:
            RefusedError: No table may be opened here.
        """
        if interaction.guild_id is None:
            raise RefusedError(texts_of(interaction).t("Tables are opened in a server's channel."))
        place = await self._openings.find_shared_place(interaction, posts=False)
        if await self._is_playing(interaction):
            return
        is_called = self._quick_starts.open_in(TableChannel(interaction.guild_id, place.channel_id)) is not None
        if is_called or await continue_when_slow(self._history.has_played(interaction.guild_id, interaction.user.id)):
            await self._sit_down(interaction, place)
        else:
            await self._teach(interaction)

    async def _is_playing(self, interaction: discord.Interaction) -> bool:
        """Return whether the presser is playing a match now; if so, show it."""
        table = running_match(self._directory, interaction)
        if table is not None:
            await show_seat(interaction, table, self._panels, is_below=True)
        return table is not None

    async def _sit_down(self, interaction: discord.Interaction, place: UsableChannel) -> None:
        """Seat the presser at a quick start; only a person who opens one must be allowed to write there."""
        if self._quick_starts.open_in(TableChannel(guild_id_of(interaction), place.channel_id)) is None:
            check_may_post(interaction, place.channel_id)
        starts_at = self._clock.now() + place.settings.quick_start_seconds * 1000
        call = replace(self._openings.lobby_of(interaction, place, self._rules), starts_at=starts_at)
        opened = await self._openings.open(interaction, lambda: self._quick_starts.sit_down(call))
        await defer(interaction, is_new=True)
        await self._quick_starts.promise(interaction, opened.table_id)

    @command("practice", mark("Play with robots, and with a coach who says what to do"), allowance=TABLES)
    async def practice(self, interaction: discord.Interaction) -> None:
        """Start a match with robots and a coach, or show the running one."""
        await self._coach(interaction, Coaching.ON)

    @command("tutorial", mark("Learn the game in five minutes, in a match with patient robots"), allowance=TABLES)
    async def tutorial(self, interaction: discord.Interaction) -> None:
        """Start a match with lessons, or show the running one."""
        await self._coach(interaction, Coaching.LESSONS)

    async def _teach(self, interaction: discord.Interaction) -> None:
        """Start the first match of a person, in a thread; the answer is their panel."""
        place = await self._find_place(interaction)
        await defer(interaction, is_new=True)  # its thread may take seconds
        table = await self._begin(interaction, place, Coaching.LESSONS)
        await show_seat(interaction, table, self._panels, is_below=True)
        await self._tell_refusal(interaction)

    async def _coach(self, interaction: discord.Interaction, coaching: Coaching) -> None:
        """Start a match in a thread, and show the presser's panel here: the match is played in it.

        Raises:
            RefusedError: No table may be opened here, or the presser is playing another match here.
        """
        place, texts = await self._find_place(interaction), texts_of(interaction)
        table = running_match(self._directory, interaction)
        wanted = {Coaching.LESSONS} if coaching is Coaching.LESSONS else {*Coaching} - {Coaching.NONE}
        if table is None or table.coaching not in wanted:
            if (running := running_match_here(self._directory, interaction)) is not None:
                raise RefusedError(playing_text(running.lobby.place, texts))
            await defer(interaction, is_new=True)  # its thread may take seconds
            table = await self._begin(interaction, place, coaching)
        await show_seat(interaction, table, self._panels)
        await self._tell_refusal(interaction)

    async def _find_place(self, interaction: discord.Interaction) -> UsableChannel:
        """Return a place for a private thread; its player need not be allowed to write in the channel."""
        return await self._openings.find_place(interaction, posts=not may_be_apart(interaction))

    async def _tell_refusal(self, interaction: discord.Interaction) -> None:
        """If Discord has refused a thread, say after the panel why the match is played in the channel."""
        refusal = interaction.extras.pop(_REFUSAL, None)
        if isinstance(refusal, DiscordRefusal) and isinstance(interaction.channel, discord.TextChannel):
            await follow_up(interaction, stays_here_line(refusal, interaction.channel, texts_of(interaction)))

    async def _begin(self, interaction: discord.Interaction, at_place: UsableChannel, coaching: Coaching) -> Table:
        """Return the match of the presser in a thread, or the one that an earlier press of theirs has started.

        Raises:
            RefusedError: The sentence says why, or where a lobby is that an earlier command has opened.
            StoreError: It was not saved.
        """

        async def make() -> Table | LobbyRefusal:
            refusal = self._directory.lobbies.too_many(guild_id_of(interaction), interaction.user.id)
            if refusal is not None:  # a thread would stay behind
                return refusal
            apart = await self._openings.thread_apart(interaction, at_place)
            if isinstance(apart, DiscordRefusal):
                check_may_post(interaction, at_place.channel_id)  # it is played there
                interaction.extras[_REFUSAL] = apart
            channel_id = apart if isinstance(apart, int) else at_place.channel_id
            return await self._opened(interaction, replace(at_place, channel_id=channel_id), coaching)

        opened = await self._openings.open(interaction, make, THREAD_S)
        table = self._directory.table(opened.table_id)
        if table is None:
            texts = texts_of(interaction)
            lobby = find_lobby(self._directory, opened.table_id, texts)
            raise RefusedError(former_table_text(lobby.place, texts))
        return table

    async def _opened(
        self, interaction: discord.Interaction, place: UsableChannel, coaching: Coaching
    ) -> Table | LobbyRefusal:
        """Return a match against beginners, with a coach, in which each round shows the signs.

        A match that teaches does not hurry or delay the host. If the start could not be saved, its lobby is shown.

        Raises:
            StoreError: The lobby was not saved.
        """
        teaches = coaching is Coaching.LESSONS
        rules = _unhurried(self._rules) if teaches else self._rules
        rules = replace(rules, signs=replace(rules.signs, signs_told=SignsTold.ROUND))
        lobby = self._openings.lobby_of(interaction, place, rules).filled(self._rng)
        lobby = replace(lobby, robot_level=RobotLevel.BEGINNER, coaching=coaching, robots_stay=True)
        opened = await self._directory.lobbies.open(replace(lobby, afk_seconds=0) if teaches else lobby)
        if isinstance(opened, LobbyRefusal):
            return opened
        try:
            return await self._directory.start(opened.id)
        except StoreError:
            self._directory.lobbies.show(opened)
            raise


def _unhurried(rules: Rules) -> Rules:
    return replace(
        rules,
        exchange=replace(rules.exchange, take_limit=0),
        sweep=replace(rules.sweep, quiet=0),
        signs=replace(rules.signs, sign_deadline=_SIGN_DEADLINE),
        pace=Pace(),
    )
