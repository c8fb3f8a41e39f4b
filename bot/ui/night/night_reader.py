"""Finds the nights that people ask for: running ones in memory, the others in the records."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import discord
from discord.app_commands import Choice

from bot.conditions import Candidate
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import SlowStoreError, continue_when_slow
from bot.discord.interactions.admission.rights import has_role, manages_server, may_see_night, plans_nights
from bot.discord.interactions.feature import matching_choices
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.members import candidate
from bot.discord.places.permissions import may_write
from bot.discord.text.names import clean
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import join
from bot.nights.steps import remove_members
from bot.tables.servers.settings import ServerSettings
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.night.messages.night_messages import NightMessages
from bot.ui.night.words import MAX_TITLE

GONE_S: Final = 1.0
"""How long Discord may take to answer who has left, of the three seconds until an answer."""


class NightReader:
    """Finds nights for a presser. Every coroutine raises StoreError if the records cannot be read."""

    def __init__(self, rooms: Rooms, messages: NightMessages, ladder: LadderReader) -> None:
        self.live, self.bans, self.history = rooms.nights, rooms.directory.bans, rooms.store.history
        self._rooms, self.messages, self._ladder = rooms, messages, ladder

    async def find(self, interaction: discord.Interaction, night_id: int) -> Night:
        """Return a night that the presser may see (`may_see_night`).

        Raises:
            RefusedError: There is none.
        """
        night = self.live.night(night_id)
        if night is None:
            night = await continue_when_slow(self._rooms.store.night_records.night(guild_id_of(interaction), night_id))
        if night is None or not may_see_night(interaction, night):
            raise RefusedError(texts_of(interaction).t("This night is gone. {/night} shows the next one."))
        return night

    async def hosted(self, interaction: discord.Interaction, night_id: int) -> Night:
        """Return a night that the presser may host.

        Raises:
            RefusedError: There is none, or they may not.
        """
        night = await self.find(interaction, night_id)
        await self.check_hosts(interaction, night)
        return night

    async def hosts(self, interaction: discord.Interaction, night: Night | None = None) -> bool:
        """Return whether the presser may host a visible night or, without a night, may plan one.

        The role for hosts counts only if its holder may write; a planner who is banned is no host.
        """
        if night is None or manages_server(interaction):
            return await plans_nights(interaction, self._rooms.defaults)
        if (host_id := interaction.user.id) == night.host_id:
            return not await continue_when_slow(self.bans.find_many(night.guild_id, (host_id,)))
        return may_write(interaction, night.plan.post_channel) and has_role(interaction, await self._role(interaction))

    async def check_hosts(self, interaction: discord.Interaction, night: Night | None = None) -> None:
        """Check that the presser may host a night.

        Raises:
            RefusedError: They may not (`hosts`); the sentence names the role for hosts.
        """
        if await self.hosts(interaction, night):
            return
        role_id, t = await self._role(interaction), texts_of(interaction).t
        if role_id is None:
            raise RefusedError(t("Only the host and server managers can do that."))
        role = f"<@&{role_id}>"
        raise RefusedError(t("Only the host, {role} and server managers can do that.", role=role))

    async def _role(self, interaction: discord.Interaction) -> int | None:
        return (await self._rooms.defaults.of(interaction)).hosts_role

    async def candidates(
        self, night: Night, people: Sequence[discord.User | discord.Member]
    ) -> Mapping[int, Candidate]:
        """Return what a night's entry requirements need to know about people, by user id."""
        entry, now, matches = night.plan.entry, self._rooms.clock.now(), dict[int, int]()
        if entry.matches:
            matches |= await continue_when_slow(
                self.history.matches_played(night.guild_id, [person.id for person in people])
            )
        return {person.id: candidate(person, entry, now, matches.get(person.id, 0)) for person in people}

    async def strengths(self, night: Night, user_ids: Collection[int]) -> Mapping[int, float]:
        """Return the values by which these people are seeded, if the format uses seeds."""
        return (
            await continue_when_slow(self._ladder.strengths(night.guild_id, user_ids))
            if night.plan.format.eliminates
            else {}
        )

    async def joining(
        self, night: Night, user: discord.User | discord.Member, now: int
    ) -> tuple[Callable[[Night], Night], Candidate]:
        """Return the change that signs a person up at an instant (milliseconds), and what is known about the person."""
        strength = (await self.strengths(night, (user.id,))).get(user.id, 0.0)
        candidate, name = (await self.candidates(night, (user,)))[user.id], clean(user.display_name)
        return lambda known: join(known, user.id, name, now, strength, candidate), candidate

    async def without_gone(self, night: Night) -> Night:
        """Return a night without people who have left the server, since Discord's menus no longer list them."""
        gone = frozenset[int]() if night.is_finished else night.people.intersection(await self._asked(night))
        if not gone:
            return night
        changed = await continue_when_slow(self.live.update(night.id, lambda now: remove_members(now, gone)))
        return changed if isinstance(changed, Night) else night

    async def _asked(self, night: Night) -> Collection[int]:
        try:
            return await continue_when_slow(self.messages.gone(night), GONE_S)
        except SlowStoreError:  # the next look knows
            return ()

    async def settings(self, interaction: discord.Interaction) -> ServerSettings:
        """Return the settings of the presser's server."""
        return await self._rooms.defaults.of(interaction)

    async def templates(self, interaction: discord.Interaction, most: int) -> tuple[Night, ...]:
        """Return at most `most` nights that can serve as templates, latest first, each title once."""
        coming = sorted(self._seen(interaction), key=lambda night: -night.plan.starts_at)
        past = await continue_when_slow(self._rooms.store.night_records.past(guild_id_of(interaction), most))
        by_title = dict[str, Night]()
        for night in (*coming, *(former for former in past if may_see_night(interaction, former))):
            by_title.setdefault(night.plan.title, night)
        return tuple(by_title.values())[:most]

    def open_to(self, interaction: discord.Interaction) -> tuple[Night, ...]:
        """Return the planned and running nights that the presser may see, earliest first."""
        return tuple(night for night in self._seen(interaction) if not night.is_finished)

    def shown_to(self, interaction: discord.Interaction) -> Night | None:
        """Return the night that matters most to the presser: one in which they play, a running one, or the next one."""
        user_id = interaction.user.id

        def order(night: Night) -> tuple[bool, bool, int]:
            is_running = night.status is NightStatus.RUNNING
            return not (is_running and night.entrant_of(user_id)), not is_running, night.plan.starts_at

        finished = [night for night in self._seen(interaction) if night.status is NightStatus.OVER]
        return min(self.open_to(interaction), key=order, default=finished[-1] if finished else None)

    def _seen(self, interaction: discord.Interaction) -> list[Night]:
        """Return the nights in memory that the presser may see, the earliest first."""
        nights = self.live.nights_in(guild_id_of(interaction))
        return [night for night in nights if may_see_night(interaction, night)]

    def offered(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Return the open nights whose titles contain the typed text."""
        nights = self.open_to(interaction)
        named = ((f"#{night.number} {clean(night.plan.title, MAX_TITLE)}", night.id) for night in nights)
        return matching_choices(named, current)
