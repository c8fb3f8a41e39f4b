"""Which table a command is about, from any channel of its server."""

from collections.abc import Sequence
from typing import Final

import discord
from discord.app_commands import Choice

from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.interactions.admission.rights import may_decide, may_see, moderates
from bot.discord.interactions.feature import MAX_CHOICE, MAX_CHOICES, matching_choices
from bot.discord.text.names import clean, disambiguate_players
from bot.discord.text.texts import Texts
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode
from bot.tables.match.table import Table
from bot.tables.table_store import DamagedTable
from bot.ui.words.refusals import lobby_refusal

_ALIVE: Final = frozenset({Status.OPEN, Status.PLAYING})


def find_table(directory: TableDirectory, interaction: discord.Interaction, number: int | None) -> Lobby:
    """Return the table with this number.

    Without a number: the presser's own in the channel, another one there, the presser's only one, or the server's only
    one.

    Raises:
        RefusedError: There is none; the sentence says what to do.
    """
    if number is not None:
        found = directory.lobby(number)
        if found is None or found.status not in _ALIVE or not may_see(interaction, found):
            t = texts_of(interaction).t
            raise RefusedError(t("There is no table {number} here: choose one of the list.", number=number))
        return found
    own = _own(directory, interaction)
    in_channel = [lobby for lobby in own if lobby.place.channel_id == interaction.channel_id]
    found = in_channel[0] if in_channel else directory.lobby_in(interaction.channel_id or 0)
    if found is not None:
        return found
    known = own or [lobby for lobby in _alive(directory, interaction) if moderates(interaction, lobby)]
    return _only(known, texts_of(interaction))


def find_lobby(
    directory: TableDirectory, table_id: int, texts: Texts, *, seated: int | None = None, is_open: bool = False
) -> Lobby:
    """Return the table that a press names.

    Args:
        directory: All tables.
        table_id: The table's id.
        texts: The presser's texts.
        seated: A user who must sit there.
        is_open: The match must not have begun.

    Raises:
        RefusedError: There is no such table.
    """  # noqa: DOC501 - `refused` makes one
    lobby = directory.lobby(table_id)
    if lobby is None:
        raise lobby_refusal(LobbyCode.UNKNOWN_TABLE, texts)
    if seated is not None and lobby.seat_of(seated) is None:
        raise lobby_refusal(LobbyCode.NOT_SEATED, texts)
    if is_open and lobby.status is not Status.OPEN:
        raise lobby_refusal(LobbyCode.NOT_OPEN, texts)
    return lobby


def find_table_to_move(directory: TableDirectory, interaction: discord.Interaction, number: int | None) -> Lobby:
    """Return the table with this number; without one, the presser's own in another channel, else as `find_table`.

    Raises:
        RefusedError: There is none; the sentence says what to do.
    """
    elsewhere = [lobby for lobby in _own(directory, interaction) if lobby.place.channel_id != interaction.channel_id]
    hosted = [lobby for lobby in elsewhere if interaction.user.id == lobby.host_id]
    if hosted and number is None:
        return _only(hosted, texts_of(interaction))
    return find_table(directory, interaction, number)


def table_of(
    directory: TableDirectory, user_id: int, guild_id: int | None, channel_id: int | None = None
) -> Table | None:
    """Return the latest match that a user plays in a server, or in one of its channels."""
    for lobby in directory.alive_of(user_id):
        is_here = lobby.place.guild_id == guild_id and channel_id in (None, lobby.place.channel_id)
        if is_here and lobby.seat_of(user_id) is not None and (table := directory.table(lobby.id)) is not None:
            return table
    return None


def running_match(directory: TableDirectory, interaction: discord.Interaction) -> Table | None:
    """Return the match that the presser plays in this server; None if it is paused."""
    table = table_of(directory, interaction.user.id, interaction.guild_id)
    return None if table is None or table.is_over or table.pause is not None else table


def running_match_here(directory: TableDirectory, interaction: discord.Interaction) -> Table | None:
    """Return the presser's running match if it is in this channel, or in a thread under one of its messages."""
    table = running_match(directory, interaction)
    if table is None:
        return None
    place = table.lobby.place
    channels = (place.channel_id, None if place.post is None else place.post.channel_id)
    return table if interaction.channel_id in channels else None


def offer_tables(directory: TableDirectory, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
    """Return the tables at which the presser sits or which they moderate, if number or names contain the typed text."""
    user_id = interaction.user.id
    alive = _alive(directory, interaction)
    known = [lobby for lobby in alive if lobby.seat_of(user_id) is not None or may_decide(interaction, lobby)]
    return matching_choices(((_shown(lobby), lobby.id) for lobby in known), current)


def offer_tables_to_close(
    directory: TableDirectory, interaction: discord.Interaction, current: str
) -> list[Choice[int]]:
    """Return the damaged tables that the presser may close, then those of `offer_tables`."""
    damaged, why = _damaged(directory, interaction), texts_of(interaction).t("damaged")
    named = [(f"{each.id} — {why}", each.id) for each in damaged if may_decide(interaction, each)]
    return [*matching_choices(named, current), *offer_tables(directory, interaction, current)][:MAX_CHOICES]


def find_damaged(
    directory: TableDirectory, interaction: discord.Interaction, number: int | None
) -> DamagedTable | None:
    """Return the damaged table with this number; without one, that of this channel if it has no other table."""
    current_channel, damaged = interaction.channel_id, _damaged(directory, interaction)
    if number is not None:
        return next((each for each in damaged if each.id == number), None)
    if current_channel is not None and directory.lobby_in(current_channel) is not None:
        return None
    return next((each for each in damaged if each.place.channel_id == current_channel), None)


def check_may_decide(interaction: discord.Interaction, lobby: Lobby | DamagedTable) -> None:
    """Check that the presser may decide about a table.

    Raises:
        RefusedError: They may not (`may_decide`).
    """  # noqa: DOC501 - `refused` makes one
    if not may_decide(interaction, lobby):
        raise lobby_refusal(LobbyCode.NOT_HOST, texts_of(interaction))


def _alive(directory: TableDirectory, interaction: discord.Interaction) -> Sequence[Lobby]:
    """Return the server's running matches and open lobbies that the presser can see, the youngest first."""
    alive = () if interaction.guild_id is None else directory.alive_in(interaction.guild_id)
    return [lobby for lobby in alive if may_see(interaction, lobby)]


def _own(directory: TableDirectory, interaction: discord.Interaction) -> list[Lobby]:
    """Return the tables of the server at which the presser sits, or whose host they are."""
    return [lobby for lobby in directory.alive_of(interaction.user.id) if lobby.place.guild_id == interaction.guild_id]


def _damaged(directory: TableDirectory, interaction: discord.Interaction) -> list[DamagedTable]:
    return [damaged for damaged in directory.all_damaged() if may_see(interaction, damaged)]


def _only(known: Sequence[Lobby], texts: Texts) -> Lobby:
    if not known:
        raise RefusedError(texts.t("There is no table in this channel."))
    if len(known) > 1:
        raise RefusedError(texts.t("There are several tables: choose one with the option “number”."))
    return known[0]


def _shown(lobby: Lobby) -> str:
    names = ", ".join(player.name for player in disambiguate_players(lobby.players) if player is not None)
    return clean(f"{lobby.id} — {names}", MAX_CHOICE)
