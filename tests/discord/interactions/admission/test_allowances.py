"""What a member and a server may let the bot make."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.discord.interactions.admission import allowances
from bot.discord.interactions.admission.allowances import FREE, Allowance, Quota, Verb
from bot.discord.interactions.admission.spending import AT_ONCE_S, Spending, refund, spend
from bot.tables.hub import Hub
from bot.tables.servers.bans import Ban, BannedError, Bans
from tests.discord.interactions.admission.test_lateness import NOON

ROOT = Path(__file__).parents[4]
LEA, BRUNO, CHLOE = 1, 2, 3
POSTS = Allowance("posts", Quota(3, 60), Quota(5, 10), is_public=True)
FILES = Allowance("files", Quota(9, 1), Quota(9, 1), is_alone=True)


class Now:
    def __init__(self) -> None:
        self.at = NOON

    def now(self) -> int:
        return self.at


class Banned:
    """A store in which Chloé is banned."""

    async def find(self, _guild_id: int, user_ids: Any, at: int) -> dict[int, Ban]:
        return {CHLOE: Ban(CHLOE, at + 1)} if CHLOE in user_ids else {}

    put = lift = all = None


class Here:
    def __init__(self) -> None:
        self.clock = Now()
        store: Any = Banned()
        self.spending = Spending(self.clock, Bans(self.clock, store, Hub()))

    def press(self, who: int, guild: int = 7, *, manages: bool = False) -> Any:
        granted, user = discord.Permissions(manage_guild=manages), SimpleNamespace(id=who)
        press: Any = SimpleNamespace(user=user, guild_id=guild, locale="en-US", extras={}, permissions=granted)
        self.spending.attach_to(press)
        return press

    async def asks(
        self,
        who: int,
        what: Allowance | None = POSTS,
        guild: int = 7,
        *,
        manages: bool = False,
        fails_after: float | None = None,
    ) -> str:
        """What somebody reads, "" if they may; what they do then may fail after so many seconds."""
        press = self.press(who, guild, manages=manages)
        try:
            await spend(press, what)
        except RefusedError as error:
            return str(error)
        if fails_after is not None:
            refund(press, fails_after)
        return ""


def test_the_page_for_hosts_lists_every_allowance_with_its_figures() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (\d.*?) \| (\d.*?|—) \|", (ROOT / "docs/hosting.md").read_text("utf-8"), re.MULTILINE
    )
    told = {name: (member, server) for name, member, server in rows}
    assert told == {
        one.name: (shown(one.member), shown(one.server))
        for one in vars(allowances).values()
        if isinstance(one, Allowance)
    }


def declared(*, is_public: bool = False, is_alone: bool = False) -> set[str]:
    found = [one for one in vars(allowances).values() if isinstance(one, Allowance)]
    return {one.name for one in found if (one.is_public and is_public) or (one.is_alone and is_alone)}


def test_banned_members_may_do_nothing_public_and_long_work_runs_one_at_a_time() -> None:
    assert declared(is_public=True) == {"tables", "posts"}
    assert declared(is_alone=True) == {"films", "computations", "exports", "deletions"}


def shown(allowance: Quota | None) -> str:
    return "—" if allowance is None else f"{allowance.at_once}, {allowance.every_s} s"


def test_a_verb_equals_its_word_and_has_an_allowance() -> None:
    class Words(Verb):
        PUT = "put", FREE
        FILM = "film", POSTS

    assert [(verb.value, str(verb), verb.allowance) for verb in Words] == [
        ("put", "put", FREE),
        ("film", "film", POSTS),
    ]
    assert Words("film") is Words.FILM


async def test_a_member_may_use_an_allowance_at_once_and_then_at_its_pace() -> None:
    here = Here()
    assert [await here.asks(LEA) == "" for _ in range(5)] == [True, True, True, False, False]
    assert await here.asks(LEA) == f"You have asked for that too often: try again <t:{NOON // 1000 + 60}:R>."
    assert await here.asks(LEA, guild=8) != "", "in all servers together"
    assert await here.asks(BRUNO) == ""
    here.clock.at += 60_000
    assert [await here.asks(LEA) == "" for _ in range(2)] == [True, False]
    here.clock.at += 3_600_000
    assert [await here.asks(LEA) == "" for _ in range(5)] == [True, True, True, False, False]


async def test_no_single_member_can_use_up_a_servers_allowance() -> None:
    here = Here()
    for _ in range(60):
        await here.asks(LEA)
    assert [await here.asks(BRUNO) == "" for _ in range(3)] == [True, True, False]
    told = await here.asks(4)
    assert told == f"Too much was asked of me in this server: try again <t:{NOON // 1000 + 10}:R>."
    assert await here.asks(4, guild=8) == ""


async def test_a_refusal_by_the_budget_of_a_server_costs_a_member_nothing() -> None:
    here = Here()
    for member in range(10, 15):
        assert await here.asks(member) == ""
    assert {"in this server" in await here.asks(LEA) for _ in range(9)} == {True}
    assert [await here.asks(LEA, guild=8) == "" for _ in range(4)] == [True, True, True, False]


async def test_each_allowance_is_counted_separately() -> None:
    here, others = Here(), replace(POSTS, name="tables")
    for member in range(10, 15):
        assert await here.asks(member) == ""
    assert [await here.asks(LEA, others) == "" for _ in range(4)] == [True, True, True, False]
    assert "in this server" in await here.asks(LEA)


async def test_an_allowance_is_available_again_at_the_announced_second() -> None:
    here, quick = Here(), Allowance("quick", Quota(1, 1.3), Quota(9, 1))
    assert await here.asks(LEA, quick) == ""
    assert f"<t:{NOON // 1000 + 2}:R>" in await here.asks(LEA, quick)
    here.clock.at += 1_299
    assert await here.asks(LEA, quick) != ""
    here.clock.at += 1
    assert await here.asks(LEA, quick) == ""


async def test_a_failed_command_of_a_manager_is_refunded_to_the_managers_allowance_once() -> None:
    here = Here()
    for member in range(10, 15):
        assert await here.asks(member) == ""
    for who in range(20, 26):
        assert await here.asks(who, manages=True, fails_after=0.1) == ""
    assert "in this server" in await here.asks(BRUNO), "not to that of all members"
    press = here.press(LEA, manages=True)
    await spend(press, POSTS)
    refund(press, 0.1)
    refund(press, 0.1)
    assert [await here.asks(who, manages=True) == "" for who in range(30, 36)] == [True] * 5 + [False]


async def test_two_kinds_of_long_work_may_run_at_once() -> None:
    here, others = Here(), replace(FILES, name="reviews")

    async def work() -> list[str]:
        return [await here.asks(LEA, FILES), await here.asks(LEA, others), await here.asks(LEA, FILES)]

    assert await asyncio.create_task(work()) == ["", "", ""], "one task may ask twice"


async def test_a_command_that_fails_at_once_counts_only_for_the_member() -> None:
    here = Here()
    for member in range(10, 30):
        assert [await here.asks(member, fails_after=0.1) == "" for _ in range(4)] == [True, True, True, False]
    assert await here.asks(BRUNO) == ""
    for member in range(30, 34):
        assert await here.asks(member, fails_after=AT_ONCE_S) == ""
    assert "in this server" in await here.asks(34), "work of a second was done for nothing"


async def test_managers_of_a_server_have_a_separate_allowance() -> None:
    here = Here()
    for member in range(10, 15):
        assert await here.asks(member) == ""
    assert "in this server" in await here.asks(BRUNO)
    assert [await here.asks(who, manages=True) == "" for who in range(20, 26)] == [True] * 5 + [False]


async def test_an_allowance_of_each_member_is_not_used_up_by_others_or_by_failures() -> None:
    here = Here()
    for member in range(10, 99):
        assert await here.asks(member, allowances.EXPORTS) == ""
    for _ in range(3):
        assert await here.asks(LEA, allowances.EXPORTS, fails_after=60) == ""
    assert await here.asks(LEA, allowances.EXPORTS) == ""
    assert f"<t:{NOON // 1000 + 3600}:R>" in await here.asks(LEA, allowances.EXPORTS)
    assert await here.asks(LEA, allowances.DELETIONS) == ""
    here.clock.at += 3_600_000
    assert await here.asks(LEA, allowances.EXPORTS) == ""


async def test_a_banned_member_makes_nothing_that_others_see() -> None:
    here = Here()
    with pytest.raises(BannedError):
        await here.asks(CHLOE)
    assert await here.asks(CHLOE, FILES) == ""


async def test_a_free_command_is_never_counted() -> None:
    here = Here()
    assert {await here.asks(CHLOE, FREE) for _ in range(99)} == {""}


async def test_long_tasks_of_a_member_run_one_at_a_time() -> None:
    here, go_on, told = Here(), asyncio.Event(), list[str]()

    async def work(who: int) -> None:
        told.append(await here.asks(who, FILES))
        if not told[-1]:
            await go_on.wait()

    async with asyncio.TaskGroup() as group:
        for who in (LEA, LEA, BRUNO):
            group.create_task(work(who))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [line == "" for line in told] == [True, False, True]
        assert told[1] == "I am still working on what you asked for before: wait until it is there."
        go_on.set()
    await asyncio.create_task(work(LEA))
    assert told[-1] == ""
    await asyncio.sleep(0)
    assert here.spending._alone == {}, "what has ended is forgotten"
