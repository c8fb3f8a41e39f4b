"""The two pages of `/kems help`: what its reader can do where they are, as a player and as a host.

Each line is a command's link and its description, as Discord lists it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.interactions.admission.budgets import FREE, Verb
from bot.discord.text.command_names import MANAGERS, PATHS, PLAYERS, keys_in
from bot.discord.text.texts import Texts

BEGINS: Final = ("play", "start", "practice", "tutorial")
SEATED: Final = ("hand", "sign", "leave")
OF_MATCH: Final = keys_in("kems table")
OF_LOBBY: Final = tuple(key for key in OF_MATCH if key not in {"pause", "resume", "substitute"})
RECORDS: Final = ("leaderboard", *keys_in("kems records"), *keys_in("kems ladder"))
AT_ANY_TIME: Final = tuple(key for key in keys_in(PLAYERS) if key not in {*BEGINS, *SEATED, *RECORDS})
PRIVACY: Final = keys_in("kems privacy")
NIGHTS: Final = keys_in("kems-admin night")
SEASONS: Final = (*keys_in("kems-admin season"), *keys_in("kems-admin ladder"))
SERVER: Final = (*keys_in(MANAGERS), *keys_in("kems-admin rules"))


class HelpVerb(Verb):
    """What a press on the help asks for, on table 0; a comment names its argument."""

    HELP_PAGE = "help_page", FREE  # a page


class HelpPage(StrEnum):
    PLAYERS = "players"
    HOSTS = "hosts"


@dataclass(frozen=True, slots=True)
class Here:
    """Where the reader is, and what they may do there.

    `seat` is a link to the table at which they sit. `obstacle` says why no table can be opened in this channel.
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

    @property
    def is_host(self) -> bool:
        return self.decides or self.hosts_nights or self.manages


def help_page(page: HelpPage, here: Here, descriptions: Mapping[str, str], texts: Texts) -> c.Layout:
    """`descriptions` are those of all commands there are, in English, by key. Who hosts nothing has one page."""
    is_hosts = page is HelpPage.HOSTS and here.is_host
    others = [key for key in descriptions if key not in PATHS]
    parts = _for_hosts(here, texts) if is_hosts else _for_players(here, others, texts)
    written = [
        c.text(
            f"**{heading}**",
            *(f"{texts.command(key)} — {texts.t(descriptions[key])}" for key in keys if key in descriptions),
        )
        for heading, keys in parts.items()
    ]
    other, label = HelpPage.HOSTS, texts.t("For hosts")
    if is_hosts:
        other, label = HelpPage.PLAYERS, texts.t("For players")
    turning = [c.row(c.button(label, make_id(NO_TABLE, HelpVerb.HELP_PAGE, other)))] if here.is_host else []
    return c.layout(c.text("## ♠ " + texts.t("What you can do here")), *written, *turning, colour=c.GREEN)


def _for_players(here: Here, others: Iterable[str], texts: Texts) -> dict[str, tuple[str, ...]]:
    t, parts = texts.t, dict[str, tuple[str, ...]]()
    if here.seat is not None and here.is_playing:
        parts[t("You are playing: {link}", link=here.seat)] = SEATED
    elif here.seat is not None:
        parts[t("Your table waits for its match: {link}", link=here.seat)] = ("leave",)
    elif here.has_table:
        parts[t("There is a table here: join it or watch it by its buttons.")] = (
            ("substitute",) if here.has_open_seat else ()
        )
    if here.seat is None and not here.has_table:
        parts[here.obstacle or t("Play")] = () if here.obstacle else BEGINS
    parts[t("At any time")] = (*AT_ANY_TIME, *others)
    parts[t("What was played")] = RECORDS
    parts[t("Your data")] = PRIVACY
    return parts


def _for_hosts(here: Here, texts: Texts) -> dict[str, tuple[str, ...]]:
    t, parts = texts.t, dict[str, tuple[str, ...]]()
    if here.decides:
        parts[t("The table here")] = OF_MATCH if here.is_match else OF_LOBBY
    if here.hosts_nights:
        parts[t("Game nights")] = ("night", *NIGHTS) if here.manages else ("night",)
    if here.manages:
        parts[t("The server")] = SERVER
        parts[t("Seasons of this server's ladder")] = SEASONS
    return parts
