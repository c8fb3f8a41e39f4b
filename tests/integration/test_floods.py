"""One member makes only so much: every verb and every command, many times, by a banned, a seated and a strange member.

What is made are tables, threads and messages that others see; the budgets are in `bot.ui.budget_table`.
"""

from collections import Counter
from typing import Any

import pytest
from discord import AppCommandOptionType as Kind
from discord.app_commands import Command, Parameter

from bot.ui.budget_table import BUDGETS
from bot.ui.kit.command_names import PATHS
from tests.integration import simcord_patches
from tests.integration.fuzzing import STRANGER
from tests.integration.harness import BRUNO, CHLOE, COMMAND, COMPONENT, FORM, LEA, Harness
from tests.integration.table import Table
from tests.integration.test_fuzz_commands import commands_of, nested, resolved
from tests.integration.test_rights import CASES, Case

BANNED, SEATED = STRANGER, CHLOE
ROUNDS, ROUND_S = 12, 6
"""More often than a budget of tables, threads and posts lets a member, and no two so near that they count as one."""
MOST = Counter({"tables": 10, "threads": 18, "posts": 28})
"""Eight things at once, and one more a minute; a table that moves is announced, and posted again."""
_PLAIN = Case(STRANGER, "")
_GIVEN = {verb: case for cases in CASES for verb, case in cases.items()}


def made(harness: Harness) -> Counter[str]:
    directory = harness.bot.parts.directory
    ids = {lobby.id for lobby in directory.open_lobbies()} | {table.id for table in directory.tables()}
    threads = [thread for channel in harness.guild.channels.values() for thread in channel.threads]
    return Counter({"tables": len(ids), "threads": len(threads), "posts": len(harness.posted())})


def value_of(parameter: Parameter, harness: Harness) -> Any:
    if parameter.choices:
        return parameter.choices[0].value
    by_kind = {Kind.integer: 1, Kind.boolean: True, Kind.user: str(harness[BRUNO].id), Kind.string: "classic"}
    return by_kind.get(parameter.type, str(harness.guild.id))


async def command(harness: Harness, who: str, given: Command[Any, ..., Any]) -> None:
    """With a thread, and without what need not be said."""
    options = [
        {"name": each.display_name, "type": each.type.value, "value": value_of(each, harness)}
        for each in given.parameters
        if each.required or each.display_name == "thread"
    ]
    await harness.send(harness[who].id, COMMAND, nested(given, options) | {"resolved": resolved(harness)})


async def press(harness: Harness, who: str, table: Table, verb: str) -> None:
    case, board = _GIVEN.get(verb, _PLAIN), table.message()
    for number in (table.id, 0):
        custom_id = f"k1:{number}:{verb}" + (f":{case.arg}" if case.arg else "")
        if case.form is None:
            data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 + bool(case.values)}
            data |= {"values": list(case.values)} if case.values else {}
        else:
            fields = [{"type": 4, "custom_id": name, "value": value} for name, value in case.form.items()]
            data = {"custom_id": custom_id, "components": [{"type": 18, "component": field} for field in fields]}
        stored = simcord_patches.stored_messages(harness.env, board.channel_id, harness[LEA].id)
        source = next((message for message in stored if message.id == board.id), None)
        await harness.send(harness[who].id, COMPONENT if case.form is None else FORM, data, source=source)


@pytest.mark.parametrize("who", [BANNED, SEATED, "Fatou"], ids=["banned", "seated", "strange"])
async def test_no_member_makes_more_than_their_budgets(harness: Harness, table: Table, who: str) -> None:
    await harness[LEA].ask("kems-admin ban", member=harness[BANNED].actor)
    before, named = made(harness), {each.qualified_name: each for each in commands_of(harness)}
    commands = {f"/{key}": named[path] for key, path in PATHS.items()}
    for number in range(ROUNDS):
        for what, budget in BUDGETS.items():
            if number and budget is None and what != "/pause":  # lets the next match begin
                continue
            if what in commands:
                await command(harness, who, commands[what])
            else:
                await press(harness, who, table, what)
        await harness.advance(ROUND_S)
    assert made(harness) - before <= (Counter[str]() if who == BANNED else MOST)
