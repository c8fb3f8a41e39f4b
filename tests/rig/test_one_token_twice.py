"""Two processes with one token and a database each: an old server that nobody has stopped."""

import asyncio
from pathlib import Path

from bot.base.settings import Settings
from bot.operating.doctor import examine
from bot.records.press_notes import RIVAL
from tests.rig.rig import running
from tests.rig.test_interrupted import PEOPLE
from tests.rig.test_status import STATUS, asked


async def test_it_is_said_by_the_log_by_readyz_and_by_doctor(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **STATUS) as rig:
        old = tmp_path / "old.db"
        other = rig.another("old", database_url=f"sqlite:///{old}")
        await rig.start()
        await other.launch()
        await rig.remote.until(lambda: rig.remote.discord.connections == 2, "two connections", 60)
        async with asyncio.timeout(60):
            while {await asked(rig, "/readyz"), await asked(other, "/readyz")} != {"The bot is ready.\n"}:
                await asyncio.sleep(0.1)  # connected, and not yet told of its servers
        for number in range(6):  # of five, one of the two loses three
            await rig.remote.slash(rig.remote.discord.users[number % len(PEOPLE)].id, "kems records stats")
        both = ((rig, rig.database), (other, old))
        await rig.remote.until(lambda: any(bot.logged("token.used_twice") for bot, _ in both), "a line of the log", 60)
        for bot, database in both:
            if bot.logged("token.used_twice"):
                assert await asked(bot, "/readyz") == f"The bot is ready. {RIVAL}\n"
                await bot.stop()  # it saves what became of the presses
                settings = Settings(_env_file=None, database_url=f"sqlite:///{database}")
                assert RIVAL in [one.sentence async for one in examine(settings) if one.is_good]
