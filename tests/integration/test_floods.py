"""One member makes only so much: every verb and every command, many times, by a banned, a seated and a strange member.

What is made are tables, threads and messages that others see; the budgets are in `admission/allowances.py`.
"""

from collections import Counter
from typing import Any

import pytest
from discord.app_commands import Command

from bot.discord.interactions.admission.allowances import FREE, Verb
from bot.discord.interactions.feature import ALLOWANCE, by_key
from bot.ui.lobby.verbs import LobbyVerb, SettingsVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import DepartureVerb, TableVerb
from tests.integration import simcord_patches
from tests.integration.fuzzing import STRANGER
from tests.integration.harness import CHLOE, COMMAND, COMPONENT, EVERYBODY, FORM, LEA, Harness
from tests.integration.table import Table
from tests.integration.test_fuzz_commands import nested, plain_value, resolved
from tests.integration.test_rights import CASES, Case
from tests.verbs import VERBS

BANNED, SEATED = STRANGER, CHLOE
ROUND_S, MINUTE_S = 6, 60
"""No two rounds are so near that they count as one; a budget of tables or posts gives more after a minute."""
MOST = Counter({"tables": 10, "threads": 18, "posts": 28})
"""Eight things at once, and one more a minute; a table that moves is announced, and posted again."""
OF_TABLES = (TableVerb, DepartureVerb, LobbyVerb, SettingsVerb, RulesVerb)
"""These verbs are said of a table; all others name what they are about, or nothing."""
_PLAIN = Case(STRANGER, "")
_GIVEN = {verb: case for cases in CASES for verb, case in cases.items()}


def made(harness: Harness) -> Counter[str]:
    directory = harness.bot.rooms.directory
    ids = {lobby.id for lobby in directory.open_lobbies()} | {table.id for table in directory.tables()}
    threads = [thread for channel in harness.guild.channels.values() for thread in channel.threads]
    return Counter({"tables": len(ids), "threads": len(threads), "posts": len(harness.posted())})


async def command(harness: Harness, who: str, given: Command[Any, ..., Any]) -> None:
    """With a thread, and without what need not be said."""
    options = [
        {"name": each.display_name, "type": each.type.value, "value": plain_value(each, harness)}
        for each in given.parameters
        if each.required or each.display_name == "thread"
    ]
    await harness.send(harness[who].id, COMMAND, nested(given, options) | {"resolved": resolved(harness)})


async def press(harness: Harness, who: str, table_id: int, source: simcord_patches.Message | None, verb: Verb) -> None:
    case = _GIVEN.get(verb, _PLAIN)
    own = table_id if isinstance(verb, OF_TABLES) else 0
    for number in (own,) if verb.allowance is FREE else (table_id, 0):
        custom_id = f"k1:{number}:{verb}" + (f":{case.arg}" if case.arg else "")
        if case.form is None:
            data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 + bool(case.values)}
            data |= {"values": list(case.values)} if case.values else {}
        else:
            fields = [{"type": 4, "custom_id": name, "value": value} for name, value in case.form.items()]
            data = {"custom_id": custom_id, "components": [{"type": 18, "component": field} for field in fields]}
        await harness.send(harness[who].id, COMPONENT if case.form is None else FORM, data, source=source)


def board(harness: Harness, table: Table) -> simcord_patches.Message | None:
    seen = table.message()
    stored = simcord_patches.stored_messages(harness.env, seen.channel_id, harness[LEA].id)
    return next((message for message in stored if message.id == seen.id), None)


@pytest.mark.parametrize("rounds", [2, pytest.param(12, marks=pytest.mark.long)])
async def test_no_member_makes_more_than_their_budgets_allow(harness: Harness, table: Table, rounds: int) -> None:
    """Whoever has used them up makes nothing for a minute, and who is banned makes nothing at all."""
    await harness[LEA].ask("kems-admin ban", member=harness[BANNED].actor)
    features = harness.bot.features
    for who in (BANNED, "Fatou", SEATED):
        before, began = made(harness), harness.elapsed()
        for number in range(rounds if who != BANNED else 1):
            shown, in_a_minute = board(harness, table), made(harness)
            for key, each in by_key(features).items():
                if number == 0 or each.extras[ALLOWANCE] is not FREE or key == "pause":  # lets the next match begin
                    await command(harness, who, each)
            for verb in VERBS:
                if number == 0 or verb.allowance is not FREE:
                    await press(harness, who, table.id, shown, verb)
            await harness.advance(ROUND_S)
            if number and harness.elapsed() < began + MINUTE_S:
                assert made(harness) <= in_a_minute, who
        assert made(harness) - before <= (Counter[str]() if who == BANNED else MOST), who


@pytest.mark.parametrize(
    ("who", "command"), [(LEA, "kems-admin ladder watch"), ("Louise", "kems privacy export")], ids=["manager", "export"]
)
async def test_a_group_of_members_whose_commands_are_refused_delays_nobody(
    harness: Harness, who: str, command: str
) -> None:
    """They ask for a match that there is not, until nothing is left of the server's budget."""
    for _ in range(6):
        for name in EVERYBODY[1:9]:
            await harness[name].slash("kems records review", number=999)
    assert "Trop de demandes sur ce serveur" not in await harness[who].ask(command)
