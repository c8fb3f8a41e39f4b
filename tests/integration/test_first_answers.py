"""Every command, and what is offered while one is typed, is answered within a second, whatever the database does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.engine.database import Database, Made
from tests.integration import simcord_patches
from tests.integration.harness import AUTOCOMPLETE, COMMAND, Harness
from tests.integration.table import hunting
from tests.integration.test_fuzz_commands import commands_of, nested, resolved, said
from tests.integration.test_storage import stalled

SECOND = 1.0
SLOW = "base de données tarde"
READY = ""
"""What needs no database; all else is told that it does not answer, or promised an answer."""
PROMISED = "…"

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "kems start": ({"rules": "classic"}, SLOW),
    "kems play": ({}, SLOW),
    "kems practice": ({}, SLOW),
    "kems tutorial": ({}, SLOW),
    "kems sign": ({"gesture": "🍀"}, SLOW),
    "kems hand": ({}, READY),
    "kems help": ({}, SLOW),
    "kems rules": ({"preset": "Jeudi"}, SLOW),
    "kems table pause": ({}, SLOW),
    "kems table resume": ({}, SLOW),
    "kems leave": ({}, READY),
    "kems table kick": ({"member": "Dora"}, READY),
    "kems table substitute": ({"member": "Dora"}, SLOW),
    "kems table absent": ({"then": "wait"}, SLOW),
    "kems table end": ({}, READY),
    "kems table move": ({"number": 1}, SLOW),
    "kems records export": ({}, SLOW),
    "kems records replay": ({"number": 1}, SLOW),
    "kems records review": ({}, SLOW),
    "kems records history": ({"page": 1}, SLOW),
    "kems records match": ({"number": 1}, SLOW),
    "kems records stats": ({"season": 1}, SLOW),
    "kems leaderboard": ({}, SLOW),
    "kems records league": ({}, SLOW),
    "kems ladder about": ({}, SLOW),
    "kems privacy export": ({}, PROMISED),
    "kems privacy delete": ({}, READY),
    "kems privacy boards": ({"shown": False}, SLOW),
    "kems privacy avatar": ({"shown": False}, SLOW),
    "kems night": ({}, READY),
    "kems-admin config": ({}, SLOW),
    "kems daily": ({}, SLOW),
    "kems-admin daily": ({"hour": 20}, SLOW),
    "kems-admin night create": ({}, SLOW),
    "kems-admin night list": ({}, READY),
    "kems-admin night edit": ({}, READY),
    "kems-admin night cancel": ({"night": 1}, SLOW),
    "kems-admin night host": ({}, READY),
    "kems-admin rules save": ({"name": "Jeudi", "text": "classic target=12"}, SLOW),
    "kems-admin rules list": ({}, SLOW),
    "kems-admin rules delete": ({"name": "Jeudi"}, SLOW),
    "kems-admin season start": ({}, SLOW),
    "kems-admin season end": ({}, SLOW),
    "kems-admin season export": ({"season": 1}, SLOW),
    "kems-admin season rename": ({"name": "Hiver"}, SLOW),
    "kems-admin season schedule": ({"every": "month"}, SLOW),
    "kems-admin ladder void": ({"number": 1}, SLOW),
    "kems-admin ladder watch": ({}, SLOW),
    "kems-admin ban": ({"member": "Dora"}, SLOW),
    "kems-admin unban": ({"member": "Dora"}, SLOW),
    "kems-admin bans": ({}, SLOW),
    "kems-admin report": ({}, SLOW),
}


@contextmanager
def slow(seconds: float) -> Iterator[None]:
    """Each request takes so long."""
    answering, asking, running = Database.transaction, Database.reading, Database.run

    @asynccontextmanager
    async def waiting(database: Database, **options: Any) -> AsyncIterator[AsyncSession]:
        await asyncio.sleep(seconds)
        async with answering(database, **options) as session:
            yield session

    @asynccontextmanager
    async def reading(database: Database) -> AsyncIterator[AsyncSession]:
        await asyncio.sleep(seconds)
        async with asking(database) as session:
            yield session

    async def run(database: Database, work: Callable[[Connection], Made], **options: Any) -> Made:
        await asyncio.sleep(seconds)
        return await running(database, work, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "transaction", waiting)
        patch.setattr(Database, "reading", reading)
        patch.setattr(Database, "run", run)
        yield


async def asked(
    harness: Harness, name: str, options: dict[str, Any], kind: int = COMMAND
) -> simcord_patches.Interaction:
    """Somebody who may do anything runs a command, or types it; what they were answered a second later."""
    command = next(each for each in commands_of(harness) if each.qualified_name == name)
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
    assert len(given) == len(options), f"{name} has no such options"
    answer = await harness.send(harness["Léa"].id, kind, nested(command, given) | {"resolved": resolved(harness)})
    await harness.advance(SECOND)
    return answer


@pytest.mark.kems(budgets={})
async def test_every_command_is_answered_while_the_database_stalls(harness: Harness) -> None:
    await hunting(harness, rules="classic target=4")  # a friendly match, in which the host may open seats
    assert CASES.keys() == {command.qualified_name for command in commands_of(harness)}, "each needs a case here"
    with stalled():
        for name, (options, expected) in CASES.items():
            answer = await asked(harness, name, options)
            assert answer.responded, name
            assert answer.deferred == (expected == PROMISED), name
            assert expected == PROMISED or expected in said(harness, answer), name
    await harness.advance(5)


async def test_every_command_is_answered_while_each_request_takes_long(harness: Harness) -> None:
    """What asks for several things has one patience for all of them."""
    await hunting(harness)
    with slow(0.5):
        for name, (options, _) in CASES.items():
            answer = await asked(harness, name, options)
            assert answer.responded, name
            await harness.advance(3)  # whatever it began ends, before the next one
    await harness.advance(5)


async def test_what_is_offered_while_typing_comes_in_time(harness: Harness) -> None:
    await hunting(harness)
    typed = [
        (command.qualified_name, parameter.display_name)
        for command in commands_of(harness)
        for parameter in command.parameters
        if parameter.autocomplete
    ]
    assert len(typed) > 10
    with stalled():
        for name, option in typed:
            answer = await asked(harness, name, {option: "a"}, AUTOCOMPLETE)
            assert answer.autocomplete_choices is not None, (name, option)


@pytest.mark.kems(table_threads=True)
async def test_a_thread_is_opened_for_a_table_that_was_saved(harness: Harness) -> None:
    with stalled():
        answer = await asked(harness, "kems start", {})
        assert SLOW in said(harness, answer)
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
