"""Every command, and what is offered while one is typed, is answered within a second, whatever the database does."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from discord.app_commands import Command

from bot.store.engine.database import Database
from tests.integration import simcord_patches
from tests.integration.harness import AUTOCOMPLETE, COMMAND, Harness
from tests.integration.table import hunting
from tests.integration.test_fuzz_commands import commands_of, nested, plain_value, resolved, said
from tests.integration.test_storage import stalled

SECOND = 1.0
SLOW = ("Pas encore fait", "Un instant…")
READY = {
    *("kems hand", "kems leave", "kems night", "kems table kick", "kems table end"),
    *("kems-admin night list", "kems-admin night edit", "kems-admin night host"),
}
"""What needs no database; everything else says that it does not answer, or promises an answer."""
PROMISED = {"kems privacy export"}
WAITS = "En attente d'un autre export, ou de la base de données."
GIVEN: dict[str, dict[str, Any]] = {
    "kems sign": {"gesture": "🍀"},
    "kems rules": {"preset": "Jeudi"},
    "kems table substitute": {"member": "Dora"},
    "kems table move": {"number": 1},
    "kems-admin night cancel": {"night": 1},
}
"""Options besides those that a command requires, or better ones."""


@contextmanager
def slow(seconds: float) -> Iterator[None]:
    """Each request takes so long."""
    operation = Database._operation

    @asynccontextmanager
    async def waiting(database: Database) -> AsyncIterator[None]:
        await asyncio.sleep(seconds)
        async with operation(database):
            yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_operation", waiting)
        yield


async def asked(
    harness: Harness, command: Command[Any, ..., Any], options: dict[str, Any], kind: int = COMMAND
) -> simcord_patches.Interaction:
    """Somebody who may do anything runs a command, or types it; what they were answered a second later."""
    people = {name: str(member.id) for name, member in harness.members.items()}
    given = [
        {
            "name": parameter.display_name,
            "type": parameter.type.value,
            "value": people.get(options[parameter.display_name], options[parameter.display_name]),
            "focused": kind == AUTOCOMPLETE,
        }
        for parameter in command.parameters
        if parameter.display_name in options
    ]
    assert len(given) == len(options), f"{command.qualified_name} has no such options"
    answer = await harness.send(harness["Léa"].id, kind, nested(command, given) | {"resolved": resolved(harness)})
    await harness.advance(SECOND)
    return answer


def wanted(harness: Harness, command: Command[Any, ..., Any]) -> dict[str, Any]:
    """What a command requires, or what `GIVEN` says."""
    required = (parameter for parameter in command.parameters if parameter.required)
    named = {parameter.display_name: plain_value(parameter, harness) for parameter in required}
    return named | GIVEN.get(command.qualified_name, {})


@pytest.mark.kems(has_allowances=False)
async def test_commands_and_autocomplete_are_answered_while_the_database_stalls(harness: Harness) -> None:
    await hunting(harness, rules="classic target=4")  # a friendly match, in which the host may open seats
    with stalled():
        answers = {
            command.qualified_name: await asked(harness, command, wanted(harness, command))
            for command in commands_of(harness)
        }
    assert not {name for name, answer in answers.items() if not answer.responded}
    assert {name for name, answer in answers.items() if said(harness, answer) == WAITS} == PROMISED
    assert not {name for name, answer in answers.items() if answer.deferred}, "and what is promised says why it waits"
    ready = {name for name, answer in answers.items() if not any(slow in said(harness, answer) for slow in SLOW)}
    assert ready - PROMISED <= READY, "these asked the database for nothing: they belong into READY in this file"
    assert ready >= READY, "these ask the database by now: take them out of READY in this file"
    await harness.advance(5)
    typed = [
        (command, parameter.display_name)
        for command in commands_of(harness)
        for parameter in command.parameters
        if parameter.autocomplete
    ]
    assert len(typed) > 10
    with stalled():
        for command, option in typed:
            answer = await asked(harness, command, {option: "a"}, AUTOCOMPLETE)
            assert answer.autocomplete_choices is not None, (command.qualified_name, option)


async def test_every_command_is_answered_while_each_request_takes_long(harness: Harness) -> None:
    """What asks for several things has one patience for all of them."""
    await hunting(harness)
    with slow(0.5):
        for command in commands_of(harness):
            answer = await asked(harness, command, wanted(harness, command))
            assert answer.responded, command.qualified_name
            await harness.advance(3)  # whatever it began ends, before the next one
    await harness.advance(5)


@pytest.mark.kems(table_threads=True)
async def test_a_thread_is_opened_for_a_table_that_was_saved(harness: Harness) -> None:
    with stalled():
        start = next(each for each in commands_of(harness) if each.qualified_name == "kems start")
        answer = await asked(harness, start, {})
        assert any(slow in said(harness, answer) for slow in SLOW)
        assert harness.places() == [harness.channel.id], "nothing is announced"
    await harness.advance(3)
    assert not harness["Dora"].messages()
    await harness["Bruno"].slash("kems start")
    for name in ("Léa", "Chloé", "Dora"):
        await harness[name].click("Rejoindre")
    await harness["Bruno"].click("Commencer")
    await harness.advance(2)
    (thread,) = set(harness.places()) - {harness.channel.id}
    assert "Bruno" in harness["Dora"].messages(thread)[-1].text
