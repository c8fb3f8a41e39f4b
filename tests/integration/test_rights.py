"""Whoever has no right to something is told so in one line: nothing changes, and nothing private is shown.

Every verb of a custom id is here, and every command: what it asks for, or that anybody may.
"""

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import discord
from discord import app_commands

from bot.discord.api.modals import TEXT
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table_actions import ANYBODY_MINUTES
from bot.ui.daily.scene_panel import SceneVerb
from bot.ui.help.feature import HelpVerb
from bot.ui.ladder.leaderboard import LadderVerb
from bot.ui.lobby.verbs import LobbyVerb, SettingsVerb
from bot.ui.night.verbs import HostVerb, PlanVerb, PlayerVerb
from bot.ui.privacy.feature import PrivacyVerb
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.server.feature import ServerVerb
from bot.ui.table.pages.sign_panel import SIGNS
from bot.ui.table.verbs import DepartureVerb, TableVerb
from bot.ui.words.refusals import lobby_refusal_text
from tests.integration import simcord_patches
from tests.integration.harness import COMPONENT, FORM, PEOPLE, Harness
from tests.integration.table import Table
from tests.integration.test_replays import a_finished_match
from tests.seen import typed
from tests.ui.walk import FR
from tests.verbs import VERBS

STRANGER, SEATED = "Émile", "Chloé"

NOT_SEATED = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_SEATED), FR)
NOT_HOST = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_HOST), FR)
NOT_YOURS = FR.t("Only the host and moderators can do that.")
NOT_YET = FR.t(
    "The host, or a member who may manage messages, can go on; "
    "every player can {minutes} minutes after the pause: {when}.",
    minutes=ANYBODY_MINUTES,
    when="…",
)
WATCHES = FR.t("You are not at this table: watch, or open one with {/start}.")
NOT_IN_RANKED = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_NEUTRAL), FR)
NO_MATCH = FR.t("You are not at a table that is being played: open one with {/start}.")
SEAT_TAKEN = lobby_refusal_text(LobbyRefusal(LobbyCode.SEAT_TAKEN), FR)
HIDDEN = FR.t("That match was played in a channel that you cannot see.")
NO_PAST = FR.t("There is no finished match with that number here: see {/history}.")
NO_NIGHT = FR.t("This night is gone. {/night} shows the next one.")
NO_DRAFT = FR.t("This draft is gone: open a new one with {/night}.")
NO_HOST = FR.t("Only the host and server managers can do that.")
NOT_MANAGING = FR.t("Only admins of the server can set Kem's up.")


@dataclass(frozen=True)
class Case:
    """Somebody presses without the right to, and reads a line. `form` are the fields of a submitted one."""

    who: str
    line: str
    arg: str = ""
    values: tuple[str, ...] = ()
    form: dict[str, str] | None = None


LOBBY = {
    **{
        verb: Case(STRANGER, NOT_SEATED)
        for verb in (
            *(LobbyVerb.LEAVE, LobbyVerb.START, LobbyVerb.VOTE),
            *(LobbyVerb.INVITE, LobbyVerb.INVITE_PEOPLE, LobbyVerb.INVITE_ROLE),
        )
    },
    LobbyVerb.ARRANGE: Case(SEATED, NOT_HOST, "players", values=("6",)),
    LobbyVerb.BALLOT: Case(STRANGER, NOT_SEATED, "yes", values=("spoken",)),
    SettingsVerb.SWAP: Case(SEATED, NOT_HOST, values=("0", "1")),
    SettingsVerb.SET: Case(SEATED, NOT_HOST, "faces", values=("family",)),
    **{verb: Case(SEATED, NOT_HOST) for verb in (SettingsVerb.ADD_ROBOT, SettingsVerb.REMOVE_ROBOT)},
}
# Anybody may read the rules: the line stands above them.
EDITOR = {
    RulesVerb.RULES_PAGE: Case(SEATED, NOT_HOST, values=("calls",)),
    RulesVerb.RULES_SET: Case(SEATED, NOT_HOST, "target", form={TEXT: "3"}),
    RulesVerb.RULES_LINE: Case(SEATED, NOT_HOST, form={TEXT: "classic target=3"}),
    RulesVerb.RULES_NAME: Case(SEATED, NOT_HOST, form={TEXT: "les nôtres"}),
    **{
        verb: Case(SEATED, NOT_HOST)
        for verb in (RulesVerb.RULES_RESET, RulesVerb.RULES_TEXT, RulesVerb.RULES_SAVE, RulesVerb.RULES_LOAD)
    },
}
_AT_THE_TABLE = {
    TableVerb.PROPOSE: "🎲", TableVerb.ACCEPT: "0123abcd", TableVerb.GUESS: "0", TableVerb.DECLARE_TOTAL: "0",
    TableVerb.STOP_PRESIGN: "0", TableVerb.GESTURE: "👀", TableVerb.PUT: "7S", TableVerb.TAKE: "7S",
    TableVerb.COACH: "away", TableVerb.LEVEL: "bare",
    TableVerb.COUNTER_AT: "0", TableVerb.COUNTER_TEAM: "0", TableVerb.COUNTER_TWO: "0", TableVerb.SHOW: "7S8S",
    **dict.fromkeys((TableVerb.SIGN_PANEL, TableVerb.OTHER, TableVerb.KEEP, TableVerb.HAND, TableVerb.OPEN), ""),
    **dict.fromkeys((TableVerb.SWEEP, TableVerb.YES, TableVerb.NO, TableVerb.KEMS, TableVerb.DOUBLE), ""),
    **dict.fromkeys((TableVerb.COUNTER, TableVerb.NEXT, TableVerb.CHOOSE, TableVerb.SHOWING), ""),
}  # fmt: skip
MATCH = {
    **{verb: Case(STRANGER, WATCHES, arg) for verb, arg in _AT_THE_TABLE.items()},
    TableVerb.SIGN_TEXT: Case(STRANGER, WATCHES, form={SIGNS: "🎲"}),
    TableVerb.GUESS_TEXT: Case(STRANGER, WATCHES, "0", form={SIGNS: "👀"}),
    TableVerb.SUBSTITUTE: Case(STRANGER, SEAT_TAKEN, "0"),
    TableVerb.CLAIM: Case(STRANGER, SEAT_TAKEN, "0"),
    TableVerb.REMATCH: Case(STRANGER, NOT_SEATED),
    TableVerb.SHUFFLE: Case(STRANGER, NOT_SEATED),
    DepartureVerb.ASK_END: Case(SEATED, NOT_YOURS),
    DepartureVerb.END_NOW: Case(SEATED, NOT_YOURS, "match_loss"),
    DepartureVerb.LEAVE_NOW: Case(STRANGER, NOT_SEATED, "loss"),
    DepartureVerb.KICK_NOW: Case(SEATED, NOT_IN_RANKED, "1.loss"),
}
PAUSED = {TableVerb.RESUME: Case(SEATED, NOT_YET)}
PAST = {
    **dict.fromkeys((RecordsVerb.REPLAY, RecordsVerb.MOMENT), Case(STRANGER, NO_PAST, "0f")),
    **{
        verb: Case(STRANGER, NO_PAST)
        for verb in (RecordsVerb.FILM, RecordsVerb.SHARE, TableVerb.WATCH, TableVerb.SHARE, TableVerb.REVIEW)
    },
}
SERVER = {
    ServerVerb.CONFIG: Case(SEATED, NOT_MANAGING, "language", values=("en",)),
    ServerVerb.CONFIG_MORE: Case(SEATED, NOT_MANAGING),
    ServerVerb.CONFIG_FORGET: Case(SEATED, NOT_MANAGING),
    ServerVerb.CONFIG_BACK: Case(SEATED, NOT_MANAGING),
    ServerVerb.RETENTION_NOW: Case(SEATED, NOT_MANAGING, "30"),
    LadderVerb.SEASON_END: Case(SEATED, NOT_MANAGING, "1"),
    LadderVerb.VOID: Case(SEATED, NOT_MANAGING, "1", form={TEXT: "une erreur"}),
    LadderVerb.ASK_VOID: Case(SEATED, NOT_MANAGING, "1.2:0"),
    RulesVerb.RULES_DELETE: Case(SEATED, NOT_MANAGING, "les nôtres"),
}
# Who may do what in a night that there is: `test_nights`.
NIGHTS = {verb: Case(SEATED, NO_DRAFT, "1") for verb in PlanVerb}
NIGHTS |= {verb: Case(SEATED, NO_NIGHT, "1") for verb in (*PlayerVerb, *HostVerb, PlanVerb.EDIT)}
NIGHTS[PlanVerb.PLAN] = Case(SEATED, NO_HOST, "0")
FREE = {
    **dict.fromkeys(SceneVerb, "plays one's own deal of the day, and shows the board without those who left it"),
    **dict.fromkeys((SceneVerb.AGAIN, SceneVerb.PUT_FORWARD), "tests/integration/test_moments.py: only who sat there"),
    SceneVerb.TAKE: "plays what its player has put forward, once, where the result can be read",
    SceneVerb.MOVE: "acts in the presser's own try alone",
    LobbyVerb.JOIN: "takes a free seat of a lobby that everybody sees",
    RulesVerb.HELP: "is how to play",
    HelpVerb.HELP_PAGE: "shows what its reader may do",
    TableVerb.FILM: "shows what onlookers saw; in another channel the table keeps silent",
    SettingsVerb.SETTINGS: "shows the rules, and the settings to the host alone",
    DepartureVerb.STAY: "does nothing",
    TableVerb.PLAY: "seats oneself",
    TableVerb.FRIENDS: "opens a table of one's own",
    TableVerb.CALL_ME: "tests/integration/test_players_role.py: a role that opens nothing",
    LobbyVerb.REOPEN: "opens a table of one's own",
    RulesVerb.RULES: "shows the rules, and their editor to the host alone",
    RecordsVerb.HISTORY: "shows what is public; matches of hidden channels keep silent",
    LadderVerb.BOARD: "shows what is public",
    LadderVerb.BOARDS: "shows what is public",
    TableVerb.EMPTY: "is always disabled: it answers nobody",
    PrivacyVerb.FORGET: "is about the presser alone, whoever's panel it is on",
}
CASES = (LOBBY, EDITOR, MATCH, PAUSED, PAST, SERVER, NIGHTS)

# Options, who gives the command, and what they read. Names of people stand for themselves.
COMMANDS: dict[str, tuple[dict[str, Any], str, str]] = {
    **{f"kems table {name}": ({}, SEATED, NOT_YOURS) for name in ("pause", "end", "move")},
    "kems table resume": ({}, SEATED, NOT_YET),
    "kems table absent": ({"then": "end"}, SEATED, NOT_YOURS),
    "kems table kick": ({"member": "Bruno"}, SEATED, NOT_IN_RANKED),
    "kems table substitute": ({"member": "Bruno"}, SEATED, NOT_YOURS),
    "kems leave": ({}, STRANGER, NOT_SEATED),
    "kems hand": ({}, STRANGER, NO_MATCH),
    "kems sign": ({"gesture": "👀"}, STRANGER, NO_MATCH),
}
HIDDEN_MATCHES = {"kems records replay", "kems records review", "kems records export", "kems records match"}
FREE_COMMANDS = {
    "kems play", "kems start", "kems practice", "kems tutorial", "kems rules", "kems leaderboard", "kems help",
    "kems records history", "kems records stats",
    "kems ladder about", "kems night", "kems daily",
    "kems privacy export", "kems privacy delete", "kems privacy boards", "kems privacy avatar",
}  # fmt: skip


def test_every_verb_has_a_case() -> None:
    told = [verb for cases in (*CASES, FREE) for verb in cases]
    assert len(told) == len(set(told))
    missing = set(VERBS) - set(told)
    assert not missing, "add each to the CASES of tests/integration/test_rights.py, or to FREE if anybody may press it"
    assert set(told) == set(VERBS)


async def test_every_command_has_a_case_and_exists_only_in_servers(harness: Harness) -> None:
    walked = harness.bot.tree.walk_commands()
    names = {command.qualified_name for command in walked if isinstance(command, app_commands.Command)}
    # `test_other_server` runs all of these without the right to.
    kept = {name for name in names if name.startswith("kems-admin ")}
    told = [*COMMANDS, *HIDDEN_MATCHES, *FREE_COMMANDS]
    missing = names - kept - set(told)
    assert not missing, "add each to COMMANDS in tests/integration/test_rights.py, or to FREE_COMMANDS there"
    assert sorted(told) == sorted(names - kept)
    for command in harness.bot.tree.get_commands():
        assert isinstance(command, app_commands.Group)
        managing = discord.Permissions(manage_guild=True)
        assert command.default_permissions == (managing if command.name == "kems-admin" else None)

    # They are for servers alone: by the field `contexts` (0: a server), without the deprecated one beside it.
    sent = [body for method, path, body, _ in simcord_patches.sent_requests(harness.env) if path.endswith("/commands")]
    assert sent
    for command in sent[-1]:
        assert command["contexts"] == [0], command["name"]
        assert command["integration_types"] == [0], command["name"]
        assert "dm_permission" not in command, command["name"]


def stored(harness: Harness, table_id: int) -> Any:
    """All that a press may change: the table, and what everybody sees."""
    directory = harness.bot.rooms.directory
    live = directory.table(table_id)
    seen = [*harness["Dora"].newest(ephemeral=False)]
    return directory.lobby(table_id), seen, None if live is None else (live.seq, live.lobby, live.table_view())


async def press(harness: Harness, table: Table, verb: str, case: Case) -> None:
    """Press, or send a form, that Discord would not even show."""
    custom_id = f"k1:{table.id if verb not in SERVER | NIGHTS else 0}:{verb}" + (f":{case.arg}" if case.arg else "")
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if case.values else 2}
    if case.values:
        data["values"] = list(case.values)
    if case.form is not None:
        fields = [{"type": 4, "custom_id": name, "value": value} for name, value in case.form.items()]
        data = {"custom_id": custom_id, "components": [{"type": 18, "component": field} for field in fields]}
    board = table.message()
    messages = simcord_patches.stored_messages(harness.env, board.channel_id, harness["Léa"].id)
    source = next(m for m in messages if m.id == board.id)
    await harness.send(harness[case.who].id, COMPONENT if case.form is None else FORM, data, source=source)


def timeless(text: str) -> str:
    """What was said, whenever it happens and however it names commands."""
    return re.sub(r"<t:\d+:R>|</kems[^>]*>|`/kems[^`]*`", "…", text)


async def check(harness: Harness, table: Table, verb: str, case: Case, *, with_rules: bool = False) -> None:
    before, read = stored(harness, table.id), next(harness[case.who].newest()).id
    await press(harness, table, verb, case)
    await harness.advance(2.6)
    assert stored(harness, table.id) == before, verb
    new = [*takewhile(lambda message: message.id > read, harness[case.who].newest())]
    assert len(new) == 1, verb
    assert new[0].ephemeral, verb
    assert not new[0].controls, verb
    lines = timeless(new[0].text).splitlines()
    assert lines[0] == timeless(case.line), verb
    assert with_rules or len(lines) == 1, verb


async def test_a_lobby_is_arranged_by_the_people_at_it(harness: Harness) -> None:
    table = Table(harness)
    await harness["Léa"].slash("kems start")
    table.id = 1
    await harness[SEATED].click("Rejoindre")
    await harness["Léa"].click("Réglages…")
    await harness["Léa"].click(f"k1:{table.id}:set:vote:on")
    await harness["Léa"].click(f"k1:{table.id}:vote")
    await table.after(harness["Léa"].choose(f"k1:{table.id}:ballot:yes", "spoken"))
    for verb, case in LOBBY.items():
        await check(harness, table, verb, case)
    for verb, case in EDITOR.items():
        await check(harness, table, verb, case, with_rules=True)
    for verb, case in (SERVER | NIGHTS).items():
        await check(harness, table, verb, case)


async def test_only_players_act_in_a_match(harness: Harness, table: Table) -> None:
    for verb, case in MATCH.items():
        await check(harness, table, verb, case)
    for verb, case in PAUSED.items():
        await harness["Léa"].slash("kems table pause")
        await check(harness, table, verb, case)
    before = stored(harness, table.id)
    for command, (options, who, line) in COMMANDS.items():
        given = {name: harness[value].actor if value in PEOPLE else value for name, value in options.items()}
        answer = (await harness[who].slash(command, **given)).response
        assert answer is not None, command
        assert (timeless(typed(answer.content)), answer.ephemeral, answer.components) == (timeless(line), True, []), (
            command
        )
        await table.settle()
        assert stored(harness, table.id) == before, command


async def test_a_match_is_shown_to_people_who_see_its_channel(harness: Harness) -> None:
    everywhere = harness.channel
    hidden = discord.PermissionOverwrite(view_channel=False)
    overwrites = {harness[STRANGER].actor: hidden}
    harness.channel = harness.guild.create_text_channel("secret", overwrites=overwrites)
    table = await a_finished_match(harness)
    harness.channel = everywhere
    for verb, case in PAST.items():
        await check(harness, table, verb, case)
    for command in sorted(HIDDEN_MATCHES):
        answer = (await harness[STRANGER].slash(command, number=table.id)).response
        assert answer is not None
        assert (answer.content, answer.ephemeral, answer.attachments) == (HIDDEN, True, []), command
