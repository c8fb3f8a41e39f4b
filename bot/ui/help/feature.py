"""`/kems help`: what its reader can do in this channel, in ten lines; all for players; all for hosts.

Each line is a command and its description, as Discord lists it: a link if its name is in the reader's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.api.components import link_to
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import FREE, Verb
from bot.discord.interactions.admission.rights import manages_server, may_decide, may_see, plans_nights
from bot.discord.interactions.feature import CommandSet, Feature, by_key, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.text.command_names import MANAGERS, PATHS, PLAYERS, keys_in, path_of
from bot.discord.text.texts import Texts, mark
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.seating import open_seat
from bot.ui.lobby.places import Openings
from bot.ui.lobby.players_role import PlayersRole
from bot.ui.table.pages.match_end import call_me_button

BEGINS: Final = ("play", "start", "practice", "tutorial")
SEATED: Final = ("hand", "sign", "leave")
OF_MATCH: Final = keys_in("kems table")
OF_LOBBY: Final = tuple(key for key in OF_MATCH if key not in {"pause", "resume", "substitute"})
RECORDS: Final = ("leaderboard", *keys_in("kems records"), *keys_in("kems ladder"))
FIRST: Final = ("daily", "night", "rules", "leaderboard")
PRIVACY: Final = keys_in("kems privacy")
NIGHTS: Final = keys_in("kems-admin night")
SEASONS: Final = (*keys_in("kems-admin season"), *keys_in("kems-admin ladder"))
SERVER: Final = (*keys_in(MANAGERS), *keys_in("kems-admin rules"))


class HelpVerb(Verb):
    """The verbs of the buttons of the help; all have table 0. A comment names the argument."""

    HELP_PAGE = "help_page", FREE  # a page


class HelpPage(StrEnum):
    """A page of the help."""

    PLAYERS = "players"
    ALL = "all"
    HOSTS = "hosts"


@dataclass(frozen=True, slots=True)
class ReaderRights:
    """Where the reader is, and what they may do there.

    - `seat`: a link to the table at which they sit.
    - `obstacle`: why no table can be opened in this channel.
    - `decides`: they are the table's host or moderate it.
    - `offers_role`: they may take the server's role for players.
    """

    seat: str | None = None
    is_playing: bool = False
    has_table: bool = False
    has_open_seat: bool = False
    obstacle: str | None = None
    decides: bool = False
    is_match: bool = False
    hosts_nights: bool = False
    manages: bool = False
    offers_role: bool = False

    @property
    def is_host(self) -> bool:
        """Whether the reader hosts or manages anything here; then the help has a third page."""
        return self.decides or self.hosts_nights or self.manages


def help_page(page: HelpPage, rights: ReaderRights, descriptions: Mapping[str, str], texts: Texts) -> c.Layout:
    """Return a page of the help: there are two, and a third one for hosts.

    `descriptions` are those of all commands, in English, by key.
    """
    page = page if rights.is_host or page is not HelpPage.HOSTS else HelpPage.PLAYERS
    others = [key for key in descriptions if key not in PATHS]
    parts = {
        HelpPage.PLAYERS: lambda: _for_players(rights, texts),
        HelpPage.ALL: lambda: _all_for_players(others, texts),
        HelpPage.HOSTS: lambda: _for_hosts(rights, texts),
    }[page]()
    written = [
        c.text(
            heading and f"**{heading}**",
            *(f"{_name(key, texts)} — {texts.t(descriptions[key])}" for key in keys if key in descriptions),
        )
        for heading, keys in parts.items()
    ]
    labels = {HelpPage.PLAYERS: texts.t("What you can do here"), HelpPage.ALL: texts.t("All commands")}
    if rights.is_host:
        labels[HelpPage.HOSTS] = texts.t("For hosts")
    buttons = [
        c.button(label, make_id(NO_TABLE, HelpVerb.HELP_PAGE, other))
        for other, label in labels.items()
        if other is not page
    ]
    if rights.offers_role and page is HelpPage.PLAYERS:
        buttons.append(call_me_button(texts))
    return c.layout(c.text("## ♠ " + labels[page]), *written, *c.rows(buttons), colour=c.GREEN)


def _name(key: str, texts: Texts) -> str:
    """Return a command as the reader types it; a link, which has its English name, if that is the same."""
    name = texts.command_name(key)
    return texts.command(key) if name == path_of(key) else f"`/{name}`"


def _for_players(rights: ReaderRights, texts: Texts) -> dict[str, tuple[str, ...]]:
    t, parts = texts.t, dict[str, tuple[str, ...]]()
    if rights.seat is not None and rights.is_playing:
        parts[t("You are playing: {link}", link=rights.seat)] = SEATED
    elif rights.seat is not None:
        parts[t("Your table waits for its match: {link}", link=rights.seat)] = ("leave",)
    elif rights.has_table:
        parts[t("There is a table here: join it or watch it by its buttons.")] = (
            ("substitute",) if rights.has_open_seat else ()
        )
    if rights.seat is None and not rights.has_table:
        parts[rights.obstacle or t("Play")] = () if rights.obstacle else BEGINS
    parts[""] = FIRST
    return parts


def _all_for_players(others: Iterable[str], texts: Texts) -> dict[str, tuple[str, ...]]:
    t, rest = texts.t, (key for key in keys_in(PLAYERS) if key not in {*BEGINS, *SEATED, *RECORDS})
    return {
        t("Play"): BEGINS,
        t("At a table"): (*SEATED, *OF_MATCH),
        t("At any time"): (*rest, *others),
        t("What was played"): RECORDS,
        t("Your data"): PRIVACY,
    }


def _for_hosts(rights: ReaderRights, texts: Texts) -> dict[str, tuple[str, ...]]:
    t, parts = texts.t, dict[str, tuple[str, ...]]()
    if rights.decides:
        parts[t("The table here")] = OF_MATCH if rights.is_match else OF_LOBBY
    if rights.hosts_nights:
        parts[t("Game nights")] = ("night", *NIGHTS) if rights.manages else ("night",)
    if rights.manages:
        parts[t("The server")] = SERVER
        parts[t("Seasons of this server's ladder")] = SEASONS
    return parts


@dataclass(eq=False, repr=False)
class HelpCommand(CommandSet):
    """The command; `descriptions` are those of the other commands, by key."""

    verbs = frozenset[Verb](HelpVerb)

    _rooms: Rooms
    _descriptions: Mapping[str, str]

    @command("help", mark("See what you can do here and now"), allowance=FREE)
    async def help(self, interaction: discord.Interaction) -> None:
        """Show what the reader can do in this channel."""
        await self._show(interaction, HelpPage.PLAYERS)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the page that the pressed button names."""
        if press.arg in set(HelpPage):
            await self._show(interaction, HelpPage(press.arg))
        else:
            await reply_outdated(interaction)

    async def _show(self, interaction: discord.Interaction, page: HelpPage) -> None:
        descriptions = {**self._descriptions, "help": self.help.description}
        await reply_panel(
            interaction, help_page(page, await self._here(interaction), descriptions, texts_of(interaction))
        )

    async def _here(self, interaction: discord.Interaction) -> ReaderRights:
        obstacle = None
        try:
            await Openings(self._rooms).find_place(interaction)
        except RefusedError as error:
            obstacle = str(error)
        table, seat = self._table_here(interaction), self._own(interaction)
        return ReaderRights(
            seat=None if seat is None else _link(seat),
            is_playing=seat is not None and seat.status is Status.PLAYING,
            has_table=table is not None,
            has_open_seat=table is not None and open_seat(table) is not None,
            obstacle=obstacle,
            decides=table is not None and may_decide(interaction, table),
            is_match=table is not None and table.status is Status.PLAYING,
            hosts_nights=await plans_nights(interaction, self._rooms.defaults),
            manages=manages_server(interaction),
            offers_role=interaction.guild_id is not None
            and await continue_when_slow(PlayersRole(self._rooms).is_open(interaction.guild_id)),
        )

    def _table_here(self, interaction: discord.Interaction) -> Lobby | None:
        table = self._rooms.directory.lobby_in(interaction.channel_id or 0)
        return table if table is not None and may_see(interaction, table) else None

    def _own(self, interaction: discord.Interaction) -> Lobby | None:
        """Return the table of this server at which the presser sits: the one here, else the youngest."""
        user_id, guild_id, current_channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        alive = self._rooms.directory.alive_of(user_id)
        own = [each for each in alive if each.place.guild_id == guild_id and each.seat_of(user_id) is not None]
        return next((each for each in own if each.place.channel_id == current_channel), next(iter(own), None))


def _link(lobby: Lobby) -> str:
    return link_to(lobby.place.guild_id, lobby.place.channel_id, lobby.place.message_id)


def feature(rooms: Rooms) -> Feature:
    """Return the help as a feature; it explains its own command and those of the features above it."""
    descriptions = {key: each.description for key, each in by_key(rooms.features).items()}
    explained = HelpCommand(rooms, descriptions)
    return Feature(presses=(explained,), commands=explained.commands)
