"""Every command, run by French readers and by English ones: each reads their own language and nothing else.

A command without a case is run as it is, before all cases. A sentence of the other language anywhere in an answer fails
the test.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any

import discord
import pytest
from discord.app_commands import Command, command

from bot.store.engine.database import Database
from tests.integration import simcord_patches
from tests.integration.harness import BRUNO, CHLOE, DORA, LEA, PEOPLE, Harness, Member
from tests.integration.seasons import past
from tests.integration.table import Table
from tests.integration.test_fuzz_commands import commands_of
from tests.seen import walk
from tests.ui.catalogues import entries, forms

SHOWN = ("content", "label", "placeholder", "description", "title")
LEAST, SURE = 4, 12  # letters of a piece of a sentence by which it may be known, or is known for sure

Options = Callable[[Harness], Mapping[str, Any]]


async def nothing(_: Harness) -> None:
    """The case needs no preparation."""


@dataclass(frozen=True)
class Case:
    """A command as somebody runs it, perhaps after something else was done."""

    command: str
    options: Mapping[str, Any] = field(default_factory=dict)
    by: str = LEA
    first: Callable[[Harness], Awaitable[None]] = nothing


async def hunting(harness: Harness) -> None:
    """The four of them at a match of one point, by ids alone: labels are of one language."""
    await harness[LEA].slash("kems start", target=1)
    table = table_of(harness)
    await table.press(LEA, "settings")
    await harness[LEA].choose(f"k1:{table.id}:set:teams", "chosen")
    for name in PEOPLE[1:]:
        await table.press(name, "join")
    await table.press(LEA, "start")
    await table.agree_on_what_is_offered()
    for name in PEOPLE:
        await table.press(name, "hand")
    dealer = next(name for name in PEOPLE if table.can_press(name, "open"))
    await table.act(dealer, "open")


async def finished(harness: Harness) -> None:
    await harness.advance(3)
    await table_of(harness).press(LEA, "kems")
    await harness.advance(3)


async def elsewhere(harness: Harness) -> None:
    harness.enter("ailleurs")


def table_of(harness: Harness) -> Table:
    """The youngest table of the server."""
    table = Table(harness)
    seen = harness[LEA].messages()
    table.id = max(int(number) for message in seen for number in re.findall(r"k1:(\d+)[.:]", str(message)))
    return table


CASES = (
    Case("kems-admin daily", {"hour": 18}),
    Case("kems records history", {"member": BRUNO}),
    Case("kems records match", {"number": 1}),
    Case("kems leaderboard", {"board": "duos"}),
    Case("kems privacy boards", {"shown": True}),
    Case("kems privacy avatar", {"shown": False}),
    Case("kems-admin rules save", {"name": "Jeudi", "text": "classic target=1"}),
    Case("kems-admin rules list"),
    Case("kems-admin rules delete", {"name": "Jeudi"}),
    Case("kems-admin ladder void", {"number": 1}),
    Case("kems-admin ban", {"member": "Karim", "time": 7, "reason": "triche"}),
    Case("kems-admin bans"),
    Case("kems-admin unban", {"member": "Karim"}),
    Case("kems-admin season rename", {"name": "2026"}),
    Case("kems-admin season export", {"format": "csv"}),
    Case("kems-admin season schedule", {"every": "hand"}),
    Case("kems-admin season start"),
    Case("kems hand", first=hunting),
    Case("kems rules"),
    Case("kems sign", {"gesture": "👀"}),
    Case("kems table pause"),
    Case("kems table resume"),
    Case("kems records export", first=finished),
    Case("kems records replay"),
    Case("kems records review"),
    Case("kems table absent", {"then": "wait"}, first=hunting),
    Case("kems table substitute", {"member": BRUNO}),
    Case("kems table kick", {"member": DORA}),
    Case("kems leave", by=CHLOE),
    Case("kems table move", first=elsewhere),
    Case("kems table end"),
    Case("kems start"),
    Case("kems play", by=DORA),
    Case("kems practice", by=CHLOE),
    Case("kems tutorial", by=BRUNO),
)
"""Commands that take an option, follow another one, or are somebody else's; in this order."""
BEFORE_TABLES = CASES[: next(number for number, case in enumerate(CASES) if case.first is hunting)]


def plain_cases(commands: Iterable[Command[Any, ..., Any]]) -> list[Case]:
    """A case for each command that has none above."""
    plain = [one for one in commands if one.qualified_name not in {case.command for case in CASES}]
    lacking = [one.qualified_name for one in plain if any(option.required for option in one.parameters)]
    assert not lacking, f"{', '.join(lacking)}: an option is required, so CASES needs a case with a value for it"
    return [Case(one.qualified_name) for one in plain]


async def answer_to(harness: Harness, case: Case) -> str:
    """All words that anybody is shown once the command has been run: new messages, their controls, a form."""
    await case.first(harness)
    member = harness[case.by]
    before = max(message.id for message in raw(harness, member))
    given = {name: harness[value].actor if name == "member" else value for name, value in case.options.items()}
    result = await member.slash(case.command, **given)
    new = [message for message in raw(harness, member) if message.id > before]
    parts = [message.content for message in new]
    parts += [word for message in new for component in walk(message.components) for word in words(component)]
    parts += words(result.modal or {})
    return "\n".join(parts)


def raw(harness: Harness, member: Member) -> list[simcord_patches.Message]:
    return [
        message
        for place in harness.places()
        for message in simcord_patches.stored_messages(harness.env, place, member.id)
    ]


def words(node: Any) -> Iterator[str]:
    """Every text of a component that is shown; what is inside a container comes by itself."""
    if isinstance(node, list):
        for each in node:
            yield from words(each)
    elif isinstance(node, Mapping):
        yield from (str(node[key]) for key in SHOWN if isinstance(node.get(key), str))
        yield from words(node.get("options") or [])


@cache
def telling(language: str) -> frozenset[str]:
    """Pieces of sentences by which the language is known: no sentence of the other one has them."""
    known = entries("fr")
    french = {piece for entry in known.values() for form in forms(entry) for piece in pieces(form)}
    english = {piece for key in known for form in ([key] if isinstance(key, str) else key) for piece in pieces(form)}
    own, other = (french, english) if language == "fr" else (english, french)
    everything = "\0".join(other)
    return frozenset(piece for piece in own if piece not in everything)


def pieces(template: str) -> Iterator[str]:
    for literal, *_ in Formatter().parse(template):
        piece = literal.strip()
        if len(piece) >= LEAST:
            yield piece


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "cases"),
    [("fr", CASES), ("en-US", BEFORE_TABLES), pytest.param("en-US", CASES, marks=pytest.mark.long)],
    ids=["fr", "en-US", "en-US-tables"],
)
async def test_every_command_answers_in_the_readers_language(
    harness: Harness, database: Database, locale: str, cases: Sequence[Case]
) -> None:
    language, other = ("fr", "en") if locale == "fr" else ("en", "fr")
    await past(harness, database, days=2)
    plain = plain_cases(commands_of(harness))
    await harness[LEA].say("…")
    for case in (*plain, *cases):
        answer = await answer_to(harness, case)
        assert answer, f"{case.command}: no answer"
        strange = {piece for piece in telling(other) if len(piece) >= SURE and " " in piece and piece in answer}
        assert not strange, case.command
        assert any(piece in answer for piece in telling(language)), f"{case.command}: {answer}"


def test_every_command_with_an_option_has_a_case() -> None:
    @command()
    async def plain(_: discord.Interaction, perhaps: int = 0) -> None:
        """It says all by itself."""

    @command()
    async def asking(_: discord.Interaction, number: int) -> None:
        """It says too little."""

    assert plain_cases([plain]) == [Case("plain")]
    with pytest.raises(AssertionError, match=r"^asking: an option is required"):
        plain_cases([plain, asking])
