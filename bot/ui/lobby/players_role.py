"""The server's role for players: members take it with *Call me*, and *Play* mentions it.

A host turns this on for a role without permissions; each press checks again that it still has none.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import discord

from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, reply
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.members import change_role, role_refusal
from bot.discord.places.permissions import grants_more_than_everyone
from bot.discord.text.texts import Texts, texts_for
from bot.ladder.seasons import LadderSetup
from bot.tables.lobby.lobby import Lobby
from bot.tables.nights.live_nights import LiveNights
from bot.tables.servers.settings import ServerSettings
from bot.ui.table.verbs import TableVerb


def why_not_open(
    guild: discord.Guild, role_id: int | None, settings: ServerSettings, entry_role_ids: Collection[int], texts: Texts
) -> str | None:
    """Return why members may not give themselves a role; None if they may.

    `entry_role_ids` are the roles that nights and ranked matches of the server require.
    """
    t, role = texts.t, None if role_id is None else guild.get_role(role_id)
    if role is None:
        return t("No players' role is chosen.")
    if role.id in {settings.hosts_role, settings.champion_role, settings.winner_role, *entry_role_ids}:
        return t("{role} has another use here (entry, hosts, winners): choose another role.", role=role.mention)
    if grants_more_than_everyone(role):
        return t("{role} may do more than everybody: choose a role without permissions.", role=role.mention)
    problem = role_refusal(guild, role.id)
    return None if problem is None else problem.words(guild, texts)


def entry_roles(nights: LiveNights, guild_id: int, setup: LadderSetup) -> frozenset[int]:
    """Return the roles that a server's ranked matches and its planned and running nights require."""
    entries = (setup.ranked_rules.entry, *(night.plan.entry for night in nights.nights_in(guild_id)))
    return frozenset(entry.role_id for entry in entries if entry.role_id is not None)


@dataclass(eq=False)
class PlayersRole:
    """Answers *Call me*, and knows where it is offered."""

    _rooms: Rooms

    verbs = frozenset[Verb]({TableVerb.CALL_ME})

    async def is_open(self, guild_id: int) -> bool:
        """Return whether members of a server may give themselves the players' role.

        Raises:
            StoreError: The server's settings could not be read.
        """
        return await self._open_role(guild_id, await self._rooms.store.servers.read(guild_id)) is not None

    async def with_role_mention(self, call: Lobby) -> Lobby:
        """Return a quick start whose message offers the role, and mentions it if that is still allowed today.

        Raises:
            StoreError: The server's settings could not be read or saved.
        """
        guild_id, now = call.place.guild_id, self._rooms.clock.now()
        settings = await self._rooms.store.servers.read(guild_id)
        if (role := await self._open_role(guild_id, settings)) is None:
            return call
        channel = role.guild.get_channel(call.place.channel_id)
        may_mention = channel is not None and channel.permissions_for(role.guild.me).mention_everyone
        is_mentioned = False

        def counted(known: ServerSettings) -> ServerSettings:
            nonlocal is_mentioned
            called = known.with_role_mention(now)
            is_mentioned = called != known
            return called

        if (role.mentionable or may_mention) and settings.with_role_mention(now) != settings:
            await self._rooms.store.servers.change(guild_id, counted)
        return replace(call, players_role=role.id, mentions_role=is_mentioned)

    async def press(self, interaction: discord.Interaction, _press: Press) -> None:
        """Give the presser the role, or take it away.

        Raises:
            RefusedError: Members may not take the role by themselves, or Discord refuses the change.
        """
        texts, guild, member = texts_of(interaction), interaction.guild, interaction.user
        settings = await continue_when_slow(self._rooms.store.servers.read(guild_id_of(interaction)))
        if guild is None or not isinstance(member, discord.Member) or not settings.is_role_open:
            raise RefusedError(texts.t("Nobody takes the players' role by themselves on this server."))
        role_id = settings.players_role
        entry_role_ids = entry_roles(
            self._rooms.nights, guild.id, await continue_when_slow(self._rooms.store.seasons.setup(guild.id))
        )
        refusal = why_not_open(guild, role_id, settings, entry_role_ids, texts)
        if refusal is not None or role_id is None:
            raise RefusedError(refusal or "")
        await defer(interaction, is_new=True)
        is_given, reason = member.get_role(role_id) is None, texts.t("🔔 Call me")
        problem = await change_role(self._rooms.client, guild.id, member.id, role_id, reason, is_given=is_given)
        if problem is not None:
            raise RefusedError(problem.words(guild, texts))
        if is_given:
            line = texts.t(
                "You have {role} now: it is called when somebody is missing. Your profile shows it; press again to"
                " give it back.",
                role=f"<@&{role_id}>",
            )
        else:
            line = texts.t("You do not have {role} any more: nobody calls you.", role=f"<@&{role_id}>")
        await reply(interaction, line)

    async def _open_role(self, guild_id: int, settings: ServerSettings) -> discord.Role | None:
        guild = self._rooms.client.get_guild(guild_id)
        if guild is None or settings.players_role is None or not settings.is_role_open:
            return None
        texts = texts_for("en")
        entry_role_ids = entry_roles(self._rooms.nights, guild_id, await self._rooms.store.seasons.setup(guild_id))
        refusal = why_not_open(guild, settings.players_role, settings, entry_role_ids, texts)
        return guild.get_role(settings.players_role) if refusal is None else None
