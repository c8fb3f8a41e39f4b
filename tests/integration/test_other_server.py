"""A server is out of reach from any other: whatever number somebody names there, its tables are unknown."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord.app_commands import Command, Parameter

from bot.discord.api.modals import TEXT
from bot.discord.interactions.admission.rights import NOT_MANAGING
from bot.ui.ladder.leaderboard import LadderVerb
from bot.ui.night.verbs import PlanVerb
from bot.ui.privacy.feature import PrivacyVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import TableVerb
from tests.integration import simcord_patches
from tests.integration.fuzzing import STRANGER, stored_rows
from tests.integration.harness import AUTOCOMPLETE, COMMAND, COMPONENT, FORM, LEA, PEOPLE, Harness
from tests.integration.mishaps import read_event
from tests.integration.table import Table, dealt, hunting, kems
from tests.integration.test_fuzz_commands import commands_of, nested
from tests.integration.test_rights import EDITOR, LOBBY, MATCH, NOT_HOST, PAST, SERVER, Case
from tests.ui.walk import FR
from tests.verbs import VERBS

NOBODYS = 999_999
"""A number that no table has."""
OPEN_SEAT = PEOPLE.index("Dora")
CASES = {
    **LOBBY,
    **EDITOR,
    **MATCH,
    **PAST,
    **SERVER,
    TableVerb.SUBSTITUTE: Case(STRANGER, "", str(OPEN_SEAT)),
    RulesVerb.RULES_NAME: Case(STRANGER, "", form={TEXT: "volées"}),
}
PLAIN = Case(STRANGER, "")
SORTS = ("expired", "gone", "over", "paused", "running", "lobby")

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Elsewhere:
    """A server that Léa owns and Émile manages, as seen beside that of the harness; and a channel of it."""

    harness: Harness
    guild: Any
    channel: Any

    async def send(self, who: str, kind: int, data: dict[str, Any]) -> Any:
        """What somebody reads as the answer to a press, a form or a command that they send here."""
        user, place = self.harness[who].id, self.channel.id
        record = await self.harness.send(user, kind, data, guild=self.guild.id, channel=place)
        assert record.responded, data
        told = self.harness.env.backend.messages[place].get(record.message_id)
        shown = None if told is None else (told.content, told.components, len(told.attachments))
        return shown, record.ephemeral, record.modal, record.autocomplete_choices

    async def press(self, who: str, table_id: int, verb: str) -> Any:
        case = CASES.get(verb, PLAIN)
        custom_id = f"k1:{table_id}:{verb}" + (f":{case.arg}" if case.arg else "")
        if case.form is None:
            data = {"custom_id": custom_id, "component_type": 3 if case.values else 2, "values": list(case.values)}
            return await self.send(who, COMPONENT, data)
        fields = [{"type": 4, "custom_id": name, "value": value} for name, value in case.form.items()]
        parts = [{"type": 18, "component": field} for field in fields]
        return await self.send(who, FORM, {"custom_id": custom_id, "components": parts})


async def in_a_channel(
    harness: Harness, name: str, come: Callable[..., Awaitable[Table]] = hunting, **options: object
) -> Table:
    """Four people agree on their signs, in a channel of their own."""
    harness.channel = harness.guild.create_text_channel(name)
    return await come(harness, **options)


async def over(harness: Harness, name: str) -> Table:
    table = await in_a_channel(harness, name, target=1)
    await table.act(LEA, "kems")
    return table


async def lobby(harness: Harness, name: str) -> int:
    harness.channel = harness.guild.create_text_channel(name)
    await harness[LEA].slash("kems start")
    return max(lobby.id for lobby in harness.bot.rooms.directory.open_lobbies())


@dataclass(frozen=True)
class TwoServers:
    """The harness's server has a table of every sort, whose host is Léa; she and Émile stand in the other server."""

    elsewhere: Elsewhere
    tables: dict[str, int]
    folder: Path
    read: dict[tuple[tuple[int, int], ...], dict[str, list[str]]] = field(default_factory=dict)

    @property
    def harness(self) -> Harness:
        return self.elsewhere.harness

    def rows(self) -> dict[str, list[str]]:
        """What `_rows` says, read again where the files have changed since."""
        files = (self.folder / name for name in ("kems.db", "kems.db-wal"))
        written = tuple((found.st_mtime_ns, found.st_size) for found in (file.stat() for file in files))
        if written not in self.read:
            self.read.clear()
            self.read[written] = self._rows()
        return self.read[written]

    def _rows(self) -> dict[str, list[str]]:
        """All that is stored, apart from what is the other server's, and from the tables that it opened later."""

        def is_ours(row: dict[str, Any], name: str) -> bool:
            number = row["id"] if name == "tables" else row.get("table_id", 0)
            return row.get("guild_id") != self.elsewhere.guild.id and number <= max(self.tables.values())

        stored = stored_rows(self.folder)
        del stored["daily_secrets"]  # no server's: who looks first at a deal of the day makes it
        return {name: sorted(str(row) for row in found if is_ours(row, name)) for name, found in stored.items()}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def servers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TwoServers]:
    """They stand once for all tests here, which change nothing in the harness's server."""
    folder = tmp_path_factory.mktemp("servers")
    async with kems(folder, lobby_minutes=60, has_allowances=False) as harness:
        tables = {"expired": await lobby(harness, "expiree")}
        await harness.advance(2 * 3600)
        tables["gone"] = (await in_a_channel(harness, "oubliee", dealt)).id
        await harness.bot.rooms.directory.remove_match(tables["gone"])
        tables["over"] = (await over(harness, "finie")).id
        tables["paused"] = (await in_a_channel(harness, "en-pause", dealt)).id
        await harness["Dora"].agree("kems leave")
        await harness[LEA].slash("kems table pause")
        tables["running"] = (await in_a_channel(harness, "en-cours")).id
        await harness["Dora"].agree("kems leave")
        tables["lobby"] = await lobby(harness, "ouverte")
        await harness[LEA].slash("kems-admin rules save", name="les nôtres", text="classic target=3")
        await harness.settle()
        guild = harness.env.create_guild("Ailleurs", owner=user(harness, LEA), preferred_locale="fr")
        managing = guild.create_role(
            "Gérance", permissions=discord.Permissions(manage_guild=True, manage_messages=True)
        )
        guild.add_member(user(harness, STRANGER), roles=[managing])
        elsewhere = Elsewhere(harness, guild, guild.create_text_channel("ici"))
        await harness.settle()
        yield TwoServers(elsewhere, tables, folder)


def user(harness: Harness, name: str) -> Any:
    return harness[name].actor.user


OWN = (
    TableVerb.PLAY,
    TableVerb.FRIENDS,
    LadderVerb.SEASON_END,
    PlanVerb.PLAN,
)  # open a table, end a season, draft a night of the server where they are pressed


FOR_STRANGERS = {*LOBBY, *PAST, TableVerb.SUBSTITUTE, TableVerb.CLAIM}
"""Verbs that do something for who sits nowhere, too."""


def sort_for(verb: str) -> str:
    """The table at which a verb does something, if anywhere."""
    return "lobby" if verb in LOBBY or verb in EDITOR else "over" if verb in PAST else "running"


@pytest.mark.parametrize("sorts", [(), pytest.param(SORTS, marks=pytest.mark.long)], ids=["likely", "every"])
async def test_no_press_or_form_reaches_a_table_of_another_server(servers: TwoServers, sorts: Sequence[str]) -> None:
    elsewhere, tables = servers.elsewhere, servers.tables
    before = servers.rows()
    assert (len(before["tables"]), len(before["rule_sets"])) == (len(tables), 1)
    for verb in VERBS:
        people = (STRANGER, LEA) if sorts or verb in FOR_STRANGERS else (LEA,)
        for who in (STRANGER,) if verb is PrivacyVerb.FORGET else people:  # Léa's own data is in every server
            unknown = await elsewhere.press(who, NOBODYS, verb)
            for sort in sorts or (sort_for(verb),):
                answer = await elsewhere.press(who, tables[sort], verb)
                assert verb in OWN or answer == unknown, (verb, who, sort)
        assert servers.rows() == before, verb


Kind = discord.AppCommandOptionType
OTHERS: dict[Kind, Any] = {Kind.string: "x", Kind.integer: 1, Kind.boolean: True}


def option(harness: Harness, parameter: Parameter, value: Any = None) -> dict[str, Any]:
    """An option with this value, or with any that it takes."""
    if value is None:
        offered = [choice.value for choice in parameter.choices] or [OTHERS.get(parameter.type)]
        value = str(harness["Bruno"].id) if parameter.type is Kind.user else offered[0]
    return {"name": parameter.display_name, "type": parameter.type.value, "value": value}


def naming(harness: Harness, command: Command[Any, ..., Any], name: str, value: Any) -> dict[str, Any]:
    """The command with one option, and with those that have to be given."""
    given = [
        option(harness, parameter, value if parameter.display_name == name else None)
        for parameter in command.parameters
        if parameter.required or parameter.display_name == name
    ]
    person = harness.env.backend.get_user(harness["Bruno"].id)
    users = {str(person.id): dict(simcord_patches.serializers.user_payload(person))}
    return nested(command, given) | {"resolved": {"users": users}}


def takes(harness: Harness, *names: str) -> list[tuple[Command[Any, ..., Any], str]]:
    """The commands that have one of these options."""
    every = [(command, parameter.display_name) for command in commands_of(harness) for parameter in command.parameters]
    return [(command, name) for command, name in every if name in names]


async def test_no_option_of_a_command_names_a_table_of_another_server(servers: TwoServers) -> None:
    elsewhere, tables = servers.elsewhere, servers.tables
    harness, before = elsewhere.harness, servers.rows()
    commands = takes(harness, "number")
    assert len(commands) >= 11
    for command, name in commands:
        for who in (STRANGER, LEA):
            unknown = await elsewhere.send(who, COMMAND, naming(harness, command, name, NOBODYS))
            for sort in tables if who == LEA else ("over", "running"):
                number = tables[sort]
                answer = await elsewhere.send(who, COMMAND, naming(harness, command, name, number))
                told = (command.qualified_name, who, sort)
                assert str(answer).replace(f"{number} ", "… ") == str(unknown).replace(f"{NOBODYS} ", "… "), told
        assert servers.rows() == before, command.qualified_name


async def test_no_rules_or_seasons_of_another_server_are_used(servers: TwoServers) -> None:
    elsewhere = servers.elsewhere
    harness, before = elsewhere.harness, servers.rows()
    named = takes(harness, "rules", "preset")
    named += [each for each in takes(harness, "name") if each[0].qualified_name == "kems-admin rules delete"]
    assert len(named) == 3
    for command, name in named:
        unknown = await elsewhere.send(LEA, COMMAND, naming(harness, command, name, "les autres"))
        answer = await elsewhere.send(LEA, COMMAND, naming(harness, command, name, "les nôtres"))
        assert str(answer).replace("les nôtres", "les autres") == str(unknown), command.qualified_name
    for command, name in takes(harness, "season"):
        answer = await elsewhere.send(STRANGER, COMMAND, naming(harness, command, name, 1))
        assert not any(person in str(answer) for person in ("Bruno", "Chloé", "Dora")), command.qualified_name
    assert servers.rows() == before


async def test_no_autocomplete_offers_anything_of_another_server(servers: TwoServers) -> None:
    elsewhere = servers.elsewhere
    harness = elsewhere.harness
    for command in commands_of(harness):
        for parameter in (each for each in command.parameters if each.autocomplete):
            typed = {**option(harness, parameter, ""), "focused": True}
            answer = await elsewhere.send(LEA, AUTOCOMPLETE, nested(command, [typed]))
            shown = str(answer[-1])
            told = (command.qualified_name, parameter.display_name, shown)
            assert not any(name in shown for name in ("Bruno", "Chloé", "Dora", "les nôtres")), told


async def test_no_reply_in_another_server_is_a_gesture(servers: TwoServers) -> None:
    elsewhere, tables = servers.elsewhere, servers.tables
    harness = elsewhere.harness
    table = harness.bot.rooms.directory.table(tables["running"])
    before, place, bot = table.seq, table.lobby.place, harness.bot.user

    def reply(guild: int, channel: int) -> dict[str, Any]:
        return {
            "id": str(discord.utils.time_snowflake(harness.now())),
            "guild_id": str(guild),
            "channel_id": str(channel),
            "author": {"id": str(harness[LEA].id), "username": "Léa", "discriminator": "0", "avatar": None},
            "content": "👀",
            "mentions": [{"id": str(bot.id), "username": "Kem's", "discriminator": "0", "avatar": None}],
            "message_reference": {"message_id": str(place.message_id), "channel_id": str(place.channel_id)},
            "timestamp": "2026-01-01T00:00:00+00:00",
            **{key: [] for key in ("mention_roles", "attachments", "embeds")},
            **dict.fromkeys(("tts", "mention_everyone", "pinned"), False),
            "edited_timestamp": None,
            "type": 19,
        }

    for guild, channel in ((elsewhere.guild.id, elsewhere.channel.id), (place.guild_id, place.channel_id)):
        assert table.seq == before
        read_event(harness, "MESSAGE_CREATE", reply(guild, channel))
        await harness.settle()
    assert table.seq > before, "in its own server it is one"


@pytest.mark.asyncio(loop_scope="function")
async def test_a_moderator_of_one_channel_edits_no_rules_in_another(harness: Harness) -> None:
    number = await lobby(harness, "table")
    moderating = {harness[STRANGER].actor: discord.PermissionOverwrite(manage_messages=True)}
    harness.channel = harness.guild.create_text_channel("modere", overwrites=moderating)
    here = Elsewhere(harness, harness.guild, harness.channel)
    before = harness.bot.rooms.directory.lobby(number)
    shown, is_private, _, _ = await here.press(STRANGER, number, RulesVerb.RULES_SET)
    assert (NOT_HOST in str(shown), is_private) == (True, True)
    assert harness.bot.rooms.directory.lobby(number) == before


async def test_managers_commands_ask_for_the_permission_themselves(servers: TwoServers) -> None:
    """The settings of the server may let Discord pass them on for others."""
    elsewhere = servers.elsewhere
    harness = elsewhere.harness
    before = servers.rows()
    refused = FR.t(NOT_MANAGING)
    here = Elsewhere(harness, harness.guild, harness.channel)
    managing = [each for each in commands_of(harness) if each.qualified_name.startswith("kems-admin ")]
    assert len(managing) >= 10
    for command in managing:
        shown, is_private, _, _ = await here.send(STRANGER, COMMAND, naming(harness, command, "", None))
        assert (shown[0], is_private) == (refused, True), command.qualified_name
        for parameter in (each for each in command.parameters if each.autocomplete):
            typed = {**option(harness, parameter, ""), "focused": True}
            assert (await here.send(STRANGER, AUTOCOMPLETE, nested(command, [typed])))[-1] == []
    assert servers.rows() == before
    for command in managing:
        given = [option(harness, parameter) for parameter in command.parameters if parameter.required]
        shown, _, _, _ = await elsewhere.send(STRANGER, COMMAND, nested(command, given))
        assert shown is None or shown[0] != refused, command.qualified_name
