"""Two processes with one token and a database each: an old server that nobody has stopped."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.base.settings import Settings
from bot.discord.messages.rivals import RIVAL
from bot.operating.doctor import examine
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.rig import Bot, Rig, running
from tests.rig.test_interrupted import PEOPLE
from tests.rig.test_status import STATUS, asked


@asynccontextmanager
async def two_bots(folder: Path, assumptions: Assumptions = PLAIN) -> AsyncIterator[tuple[Rig, list[tuple[Bot, Path]]]]:
    """Each with its database; both are ready."""
    async with running(folder, PEOPLE, assumptions=assumptions, **STATUS) as rig:
        old = folder / "old.db"
        other = rig.another("old", database_url=f"sqlite:///{old}")
        await rig.start()
        await other.launch()
        await rig.remote.until(lambda: rig.remote.discord.connections == 2, "two connections", 60)
        async with asyncio.timeout(60):
            while {await asked(rig, "/readyz"), await asked(other, "/readyz")} != {"The bot is ready.\n"}:
                await asyncio.sleep(0.1)  # connected, and not yet told of its servers
        yield rig, [(rig, rig.database), (other, old)]


async def check_says_so(bot: Bot, database: Path) -> None:
    assert await asked(bot, "/readyz") == f"The bot is ready. {RIVAL}\n"
    await bot.stop()
    settings = Settings(_env_file=None, database_url=f"sqlite:///{database}")
    assert RIVAL in [one.sentence async for one in examine(settings) if one.is_good]


async def test_two_bots_with_one_token_notice_each_other_by_their_first_posts(tmp_path: Path) -> None:
    async with two_bots(tmp_path) as (rig, both):
        await rig.remote.slash(rig.remote.discord.users[0].id, "kems start")
        await rig.remote.until(lambda: all(bot.logged("token.used_twice") for bot, _ in both), "both lines", 60)
        for bot, database in both:
            await check_says_so(bot, database)


async def test_two_bots_with_one_token_notice_each_other_by_presses_when_nonces_are_hidden(tmp_path: Path) -> None:
    async with two_bots(tmp_path, Assumptions(hides_nonces=True)) as (rig, both):
        await rig.remote.slash(rig.remote.discord.users[0].id, "kems start")
        for number in range(6):  # of five, one of the two loses three
            await rig.remote.slash(rig.remote.discord.users[number % len(PEOPLE)].id, "kems records stats")
        await rig.remote.until(lambda: any(bot.logged("token.used_twice") for bot, _ in both), "a line of the log", 60)
        for bot, database in both:
            if bot.logged("token.used_twice"):
                await check_says_so(bot, database)
