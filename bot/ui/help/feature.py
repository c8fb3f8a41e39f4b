"""`/kems help`, and the presses that turn its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord

from bot.discord.api.components import link_to
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, reader
from bot.discord.api.responses import reply_outdated, show
from bot.discord.interactions.admission.budgets import FREE, Verb
from bot.discord.interactions.admission.rights import manages_server, may_decide, may_see, plans_nights
from bot.discord.interactions.feature import CommandSet, Feature, by_key, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.text.texts import mark
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.seating import open_seat
from bot.ui.help.pages import HelpPage, HelpVerb, Here, help_page
from bot.ui.lobby.places import find_place


@dataclass(eq=False, repr=False)
class HelpCommand(CommandSet):
    """`descriptions` are those of the other commands, by key."""

    verbs = frozenset[Verb](HelpVerb)

    _directory: TableDirectory
    _defaults: ServerDefaults
    _requests: BotRequests
    _descriptions: Mapping[str, str]

    @command("help", mark("See what you can do here and now"), draws=FREE)
    async def help(self, interaction: discord.Interaction) -> None:
        await self._show(interaction, HelpPage.PLAYERS)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        if press.arg in set(HelpPage):
            await self._show(interaction, HelpPage(press.arg))
        else:
            await reply_outdated(interaction)

    async def _show(self, interaction: discord.Interaction, page: HelpPage) -> None:
        descriptions = {**self._descriptions, "help": self.help.description}
        await show(interaction, help_page(page, await self._here(interaction), descriptions, reader(interaction)))

    async def _here(self, interaction: discord.Interaction) -> Here:
        obstacle = None
        try:
            await find_place(interaction, self._defaults, self._requests)
        except RefusedError as error:
            obstacle = str(error)
        table, seat = self._table_here(interaction), self._own(interaction)
        return Here(
            seat=None if seat is None else _link(seat),
            is_playing=seat is not None and seat.status is Status.PLAYING,
            has_table=table is not None,
            has_open_seat=table is not None and open_seat(table) is not None,
            obstacle=obstacle,
            decides=table is not None and may_decide(interaction, table),
            is_match=table is not None and table.status is Status.PLAYING,
            hosts_nights=await plans_nights(interaction, self._defaults),
            manages=manages_server(interaction),
        )

    def _table_here(self, interaction: discord.Interaction) -> Lobby | None:
        table = self._directory.lobby_in(interaction.channel_id or 0)
        return table if table is not None and may_see(interaction, table) else None

    def _own(self, interaction: discord.Interaction) -> Lobby | None:
        """The table of this server at which the presser sits: the one here, else the youngest."""
        user_id, guild_id, here = interaction.user.id, interaction.guild_id, interaction.channel_id
        alive = self._directory.alive_of(user_id)
        own = [each for each in alive if each.place.guild_id == guild_id and each.seat_of(user_id) is not None]
        return next((each for each in own if each.place.channel_id == here), next(iter(own), None))


def _link(lobby: Lobby) -> str:
    return link_to(lobby.place.guild_id, lobby.place.channel_id, lobby.place.message_id)


def help_feature(rooms: Rooms, features: Sequence[Feature]) -> Feature:
    """It explains the commands of these `features`, and its own."""
    descriptions = {key: each.description for key, each in by_key(features).items()}
    explained = HelpCommand(rooms.directory, rooms.defaults, rooms.requests, descriptions)
    return Feature(presses=(explained,), commands=explained.commands)
