"""What servers set up, every sentence that stands alone, and the commands as Discord gets them."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.base.settings import Settings
from bot.compose import build_client
from bot.conditions import EntryRules
from bot.discord.api.error_codes import OutageReason, Resource
from bot.discord.api.refusals import SLOW_STORE, STORE_ERROR
from bot.discord.gateway.command_tree import CatalogueTranslator
from bot.discord.interactions.admission.admission import LATE, LEAVING, TOO_FAST
from bot.discord.interactions.setting import unknown_zone_text
from bot.discord.pictures.card_faces import Faces
from bot.discord.places.outage import Outage, outage_text
from bot.discord.places.permissions import FOR_ROLES, IN_CHANNEL, IN_THREAD, PICTURES, permission_names
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.command_names import PATHS
from bot.discord.text.texts import Texts
from bot.game.cards import DECKS, DeckKind
from bot.game.checks.refusals import Code
from bot.game.rules.house_rules import RulesError, check_table, override, preset, read_name, read_rules
from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import (
    Eligibility,
    LadderSetup,
    RankedRules,
    Schedule,
    SeasonLength,
)
from bot.records.history import Activity
from bot.records.pictures import Theme
from bot.records.report import report_of
from bot.records.seasons import EndedSeason
from bot.tables.lobby.lobby import Absence
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table_actions import TableRefusalCode
from bot.tables.servers.settings import ServerSettings
from bot.ui.help.feature import HelpPage, help_page
from bot.ui.ladder.leaderboard import over_line
from bot.ui.ladder.podiums import OF_PODIUM, role_line
from bot.ui.server.feature import config_panel, more_panel, report_page
from bot.ui.server.settings import ConfigState
from bot.ui.table.messages.reminders import fates_of, reminder_text
from bot.ui.words.refusals import STUCK, lobby_refusal_text, refusal_text, rules_error_text
from bot.ui.words.rule_names import rank_words
from tests.ui.help.places import PLACES
from tests.ui.screens.common import AT, HOSTILE, Scene, people, sent
from tests.ui.screens.ladder import SEASONS
from tests.ui.screens.lobbies import lobby_of

_UNPLAYABLE = (
    *("classik", "classic targett=12", "classic deck=53", "classic target=x", "classic target=12 target=13"),
    *("classic twelve", "classic win_by=99", "classic kems=0 double=0 counter=0", "*<@1>* target=12"),
)


def server_scenes(texts: Texts) -> Iterator[Scene]:
    """The panel on which a server is set up."""
    full = ServerSettings("fr", (10, 11, 12), 8, 9, Absence.SUBSTITUTE, 0).with_retention(730, AT)
    setup = LadderSetup(
        RankedRules(("classic", "bell"), sign_required=True, entry=EntryRules(60, days=7)),
        Schedule(SeasonLength.QUARTER, "America/New_York"),
    )
    checks = ["✅ <#10> — tables", "❌ <#11> — tables"]
    known = frozenset({10, 11, 12, 8, 9, 60})
    servers = {
        "at first": ConfigState(ServerSettings(), LadderSetup(), "en", 90, frozenset()),
        "full": ConfigState(full, setup, "fr", 3600, known, checks),
        "gone": ConfigState(full, setup, "en", 0, frozenset({10}), checks),
        "by hand": ConfigState(
            replace(full, language="en"), LadderSetup(RankedRules(()), Schedule(SeasonLength.HAND)), "fr", 60, known
        ),
        "kept for a month": ConfigState(ServerSettings().with_retention(30, AT), LadderSetup(), "en", 90, frozenset()),
    }
    for name, server in servers.items():
        yield f"config {name}", sent(config_panel(server, texts))
        yield f"config {name} noted", sent(config_panel(server, texts, "*Noté.*"))
    logged = replace(servers["full"], more_checks=["❌ <#8> — log"])
    yield (
        "config more",
        [sent(more_panel(logged, texts, None)), sent(more_panel(servers["at first"], texts, "*Noté.*"))],
    )
    quiet = report_of(Activity((), ()), (), AT, "Europe/Paris")
    busy = replace(quiet, players=42, new=7, back=3, matches=118, daily=(4,) * 30, nights=4, attendance=17.5,
                   missing=3, hour=21, matches_then=34)  # fmt: skip
    for name, report in {"quiet": quiet, "busy": busy}.items():
        page = report_page(report, "Europe/Paris", texts)
        yield f"report {name}", [sent(page.layout), page.alt]


def sentence_scenes(texts: Texts) -> Iterator[Scene]:
    """Sentences that stand alone, by what they are about."""
    codes = [*Code, *TableRefusalCode]
    refused: dict[str, Any] = {code.value: refusal_text(code, texts) for code in codes}
    refused["gone"] = refusal_text(Code.NOT_IN_POOL, texts, card="7♠")
    refused["taken"] = refusal_text(Code.NOT_IN_POOL, texts, card="7♠", by="Ana")
    yield "refusals", refused
    lobby = {code.name.lower(): lobby_refusal_text(LobbyRefusal(code), texts) for code in LobbyCode}
    awaited = LobbyRefusal(LobbyCode.VOTE_RUNNING, people(6, 2))
    yield "refusals of the lobby", {**lobby, "awaited": lobby_refusal_text(awaited, texts)}
    yield (
        "unplayable rules",
        {error.problem.name.lower() + str(error): rules_error_text(error, texts) for error in _errors()},
    )
    yield "other sentences", [*map(texts.t, (LATE, TOO_FAST, LEAVING, STORE_ERROR, SLOW_STORE, STUCK))]
    yield "rank words", {verdict.name.lower(): rank_words(verdict, texts) for verdict in Eligibility}
    yield "permissions", permission_names([*IN_CHANNEL, *IN_THREAD, *FOR_ROLES, *PICTURES], texts).split(", ")
    for theme in Theme:
        faces = Faces(texts, theme)
        yield f"cards {theme}", {card.code: [faces.label(card), faces.name(card)] for card in DECKS[DeckKind.D54]}
    yield "reminders", list(_reminders(texts))
    unseen = [outage_text(Outage(reason, 0), 8, (), texts, words=OF_PODIUM) for reason in OutageReason]
    lacking = outage_text(Outage(OutageReason.FORBIDDEN, 0), 8, IN_CHANNEL, texts, words=OF_PODIUM)
    outside = outage_text(Outage(OutageReason.FORBIDDEN, 0), 8, (), texts, outside="<@1>", words=OF_PODIUM)
    later = outage_text(Outage(OutageReason.FORBIDDEN, 0), 8, (), texts, timeout="…", words=OF_PODIUM)
    roles = [role_line(None, SEASONS[0], problem, texts) for problem in ROLE_PROBLEMS]
    yield "season troubles", [*unseen, lacking, outside, later, *roles]
    ends = [EndedSeason(7, season, channel_id=8, message_id=told) for season in SEASONS for told in (None, 9)]
    lines = [over_line(ended, texts) for ended in ends]
    yield (
        "seasons over",
        [*lines, unknown_zone_text("Pariss", ["Europe/Paris"], texts), unknown_zone_text(HOSTILE[0], [], texts)],
    )


ROLE_PROBLEMS = [DiscordRefusal(Resource.ROLE, code) for code in (10011, 50013, 60003, 0)]


def help_scenes(texts: Texts) -> Iterator[Scene]:
    descriptions = dict.fromkeys(PATHS, "Read the rules")
    for name, here in PLACES.items():
        for page in HelpPage:
            if page is HelpPage.PLAYERS or (here.is_host and page is HelpPage.HOSTS) or here.manages:
                yield f"help for {page} {name}", sent(help_page(page, here, descriptions, texts))


def command_scenes() -> Iterator[Scene]:
    """The commands of the bot: a line for each command and option, with its names, descriptions and bounds."""
    for payload in asyncio.run(_commands()):
        yield f"command {payload['name']}", sorted(_command_lines(payload, "/"))


def _command_lines(option: dict[str, Any], path: str) -> Iterator[str]:
    rest = dict(option)
    name, said = rest.pop("name"), rest.pop("description")
    french = (rest.pop("name_localizations", {}).get("fr", name), rest.pop("description_localizations").get("fr"))
    inner = rest.pop("options", ())
    yield f"{path}{name} ({french[0]}): {said} | {french[1]} {json.dumps(rest, ensure_ascii=False, sort_keys=True)}"
    for each in inner:
        yield from _command_lines(each, f"{path}{name} ")


async def _commands() -> list[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{Path(folder) / 'kems.db'}", _env_file=None)
        client, translator = build_client(settings), CatalogueTranslator()
        payloads = [await group.get_translated_payload(client.tree, translator) for group in client.groups]
    return json.loads(json.dumps(payloads), object_hook=_in_french)


def _in_french(told: dict[str, Any]) -> dict[str, Any]:
    """An object of a command without its names in the languages that are not recorded."""
    return {key: value for key, value in told.items() if value != {} and key not in ("de", "es-ES", "es-419")}


def _errors() -> Iterator[RulesError]:
    for line in _UNPLAYABLE:
        try:
            read_rules(line)
        except RulesError as error:
            yield error
    for name, players in (("classic", 5), ("bell", 6), ("classic", 12)):
        try:
            check_table(override(preset(name), {"deck": "32"}), players)
        except RulesError as error:
            yield error
    for name in (*PRESETS, "a=b", "x" * 99):
        try:
            read_name(name)
        except RulesError as error:
            yield error


def _reminders(texts: Texts) -> Iterator[str | None]:
    for absence in (Absence.WAIT, Absence.ROBOT, Absence.SUBSTITUTE, Absence.END):
        for kind in (1, 3):
            lobby = lobby_of("classic", 6, kind, absence=absence)
            for missed in (range(0), range(2), range(6)):
                until = dict.fromkeys(missed, AT)
                for is_paused in (False, True):
                    yield reminder_text(fates_of(lobby, until, texts, is_paused=is_paused))
