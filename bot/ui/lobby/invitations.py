"""Invitations to a table: the presser chooses members, or the server's role for players; each is mentioned once."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal
from bot.tables.server_settings import ServerStore
from bot.ui.admission.admission import or_later
from bot.ui.kit import components as c
from bot.ui.kit.components import link_to
from bot.ui.kit.custom_ids import Press, make_id
from bot.ui.kit.interactions import field_of, guild_of, reader, say_outdated, show
from bot.ui.kit.names import called
from bot.ui.kit.permissions import known_channel
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.refusals import accepted, refused
from bot.ui.words.rule_names import lobby_line
from bot.ui.words.table_text import countdown

MOST_INVITED: Final = 10
ROLE_PAUSE_MS: Final = 10 * 60_000
"""A server's role for players is mentioned at most this often, however many tables are opened."""


class Invitations:
    """Answers *Invite…* and the choice of whom. Everybody at the table may invite."""

    verbs = frozenset[str]({LobbyVerb.INVITE, LobbyVerb.INVITE_PEOPLE, LobbyVerb.INVITE_ROLE})

    def __init__(self, presenter: Presenter, servers: ServerStore, clock: Clock) -> None:
        self._directory = presenter.directory
        self._presenter = presenter
        self._servers = servers
        self._clock = clock

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts = reader(interaction)
        lobby = find_lobby(self._directory, press.table_id, texts, seated=interaction.user.id, is_open=True)
        if lobby.is_full:
            raise refused(LobbyCode.TABLE_FULL, texts)
        role_id = (await or_later(self._servers.read(guild_of(interaction)))).players_role
        role = None if interaction.guild is None or role_id is None else interaction.guild.get_role(role_id)
        match press.verb:
            case LobbyVerb.INVITE:
                notes = []
            case LobbyVerb.INVITE_PEOPLE:
                notes = await self._invite_people(interaction, lobby, texts)
            case LobbyVerb.INVITE_ROLE if role is not None:
                notes = [await self._invite_role(interaction, lobby, role, texts)]
            case _:
                await say_outdated(interaction)
                return
        await show(interaction, invite_panel(lobby, role, notes, texts))

    async def _invite_people(self, interaction: discord.Interaction, lobby: Lobby, texts: Texts) -> list[str]:
        """Mentions the chosen members who can come; gives what the presser has to know of each."""
        notes: list[str] = []
        wanted: dict[int, discord.Member] = {}
        for member in _chosen_members(interaction):
            channel = known_channel(member.guild, lobby.place.channel_id)
            told = {"name": called(member.display_name)}
            if member.bot:
                notes.append(texts.t("{name} is a bot: the host adds robots in *Settings…*.", **told))
            elif lobby.seat_of(member.id) is not None:
                notes.append(texts.t("{name} sits at this table already.", **told))
            elif not (channel is None or channel.permissions_for(member).view_channel):
                told["channel"] = f"<#{lobby.place.channel_id}>"
                notes.append(texts.t("{name} cannot see {channel}, so is not invited.", **told))
            elif member.id in lobby.invited:
                notes.append(texts.t("{name} is invited already.", **told))
            else:
                wanted[member.id] = member
        invited = [wanted[user_id] for user_id in await self._note(lobby, [*wanted], texts)] if wanted else []
        if invited:
            try:
                await self._post(interaction, lobby, users=invited)
            except BaseException:
                await self._directory.lobbies.update(lobby.id, lambda now: now.uninvite([one.id for one in invited]))
                raise
            notes.insert(0, texts.t("Invited: {names}", names=", ".join(called(one.display_name) for one in invited)))
        return notes

    async def _note(self, lobby: Lobby, user_ids: Collection[int], texts: Texts) -> list[int]:
        """Saves who is invited; gives those who were not invited before, by another press at the same time either."""
        new: list[int] = []

        def invite(now: Lobby) -> Lobby | LobbyRefusal:
            new.extend(user_id for user_id in user_ids if user_id not in now.invited)
            return now.invite(new)

        accepted(await or_later(self._directory.lobbies.update(lobby.id, invite)), texts)
        return new

    async def _invite_role(
        self, interaction: discord.Interaction, lobby: Lobby, role: discord.Role, texts: Texts
    ) -> str:
        guild_id, now = guild_of(interaction), self._clock.now()
        called_at = (await or_later(self._servers.read(guild_id))).players_called_at
        if called_at is not None and now < called_at + ROLE_PAUSE_MS:
            when = countdown(called_at + ROLE_PAUSE_MS)
            return texts.t("{role} was called a moment ago; again {when}.", role=role.mention, when=when)
        if not (role.mentionable or interaction.app_permissions.mention_everyone):
            return texts.t(
                "I cannot mention {role}: an admin of the server makes it mentionable, or lets me mention everyone.",
                role=role.mention,
            )
        await or_later(self._servers.change(guild_id, partial(replace, players_called_at=now)))
        try:
            await self._post(interaction, lobby, roles=[role])
        except BaseException:
            await self._servers.change(guild_id, partial(replace, players_called_at=called_at))
            raise
        return texts.t("Invited: {names}", names=role.mention)

    async def _post(
        self,
        interaction: discord.Interaction,
        lobby: Lobby,
        *,
        users: Sequence[discord.Member] = (),
        roles: Sequence[discord.Role] = (),
    ) -> None:
        public, place = texts_for(lobby.locale), lobby.place
        line = public.t(
            "{people}: {name} invites you to a table of Kem's. {link}",
            people=" ".join([*(one.mention for one in users), *(one.mention for one in roles)]),
            name=called(interaction.user.display_name),
            link=link_to(place.guild_id, place.channel_id, place.message_id),
        )
        allowed = discord.AllowedMentions(everyone=False, users=[*users], roles=[*roles])
        channel = interaction.client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        await interaction.response.defer()  # the post waits for its turn in the channel
        async with self._presenter.requests.slot(place.channel_id, is_urgent=True) as slot:
            slot.request()
            await channel.send(line, allowed_mentions=allowed, nonce=str(interaction.id))


def invite_panel(lobby: Lobby, role: discord.Role | None, notes: Collection[str], texts: Texts) -> c.Layout:
    """Whom to invite; `notes` say what came of the choice before."""
    t = texts.t
    parts: list[c.Part] = [
        c.text("**" + t("Invite to the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.user_menu(make_id(lobby.id, LobbyVerb.INVITE_PEOPLE), t("Choose members…"), most=MOST_INVITED),
    ]
    if role is not None:
        label = t("Call @{role}", role=role.name)[: c.MAX_LABEL]
        parts.append(c.row(c.button(label, make_id(lobby.id, LobbyVerb.INVITE_ROLE))))
    if notes:
        parts.append(c.text(*notes))
    return c.layout(*parts, colour=c.GREEN)


def _chosen_members(interaction: discord.Interaction) -> list[discord.Member]:
    guild, values, resolved = interaction.guild, field_of(interaction, "values"), field_of(interaction, "resolved")
    if guild is None or not isinstance(values, list) or not isinstance(resolved, dict):
        return []
    users: dict[str, Any] = resolved.get("users", {})
    members: dict[str, Any] = resolved.get("members", {})
    known = [one for one in values if one in users and one in members][:MOST_INVITED]
    state = interaction._state  # as discord.py's own menus make members of what came with a press
    described: list[Any] = [{**members[one], "user": users[one]} for one in known]
    return [discord.Member(data=data, guild=guild, state=state) for data in described]
