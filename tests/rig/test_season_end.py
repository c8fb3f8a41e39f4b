"""The month is over, and the bot dies as it says so: one podium stands afterwards, and each role was given once."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.ladder.season_duties import GRACE_MS
from bot.store.tables.servers import SqlServerStore
from tests.databases import migrated
from tests.rig.air import Weather
from tests.rig.rig import Rig, running
from tests.store.conftest import opened
from tests.store.counted_matches import SURE, Match, play

PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
ROLE_CHANGED = 25  # in an audit log
SOON_MS = 1500


async def asked(rig: Rig, method: str, path: str, **body: str) -> Any:
    """What Discord says to whoever has the bot's token."""
    address = f"http://{rig.remote.discord.address}/api/v10/guilds/{rig.remote.guild_id}/{path}"
    async with aiohttp.request(method, address, json=body or None, headers={"Authorization": "Bot rig"}) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def month_over_soon(rig: Rig, role_id: int) -> None:
    """Léa and Chloé have won a ranked match; the season, that of the calendar, is settled in a moment."""
    served, now = rig.remote, time.time_ns() // 1_000_000
    async with opened(f"sqlite:///{rig.database}") as database:
        users = tuple(served.users.values())
        await play(database, Match(users, at=now - GRACE_MS, guild=served.guild_id, names=PEOPLE), formula=SURE)
        chosen = {"podium_channel": served.channel_id, "champion_role": role_id}
        await SqlServerStore(database).change(served.guild_id, lambda before: replace(before, **chosen))
    with closing(sqlite3.connect(rig.database)) as file, file:
        file.execute("UPDATE seasons SET ends_at = ?", (now - GRACE_MS + SOON_MS,))
        file.execute("UPDATE tables SET message_final = 1")


def progress(rig: Rig) -> dict[str, str]:
    with closing(sqlite3.connect(f"file:{rig.database}?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT duty, progress FROM season_duties").fetchall())


def podiums(rig: Rig) -> list[int]:
    return [m.id for m in rig.remote.messages.values() if "Saison 1 est terminée" in m.text]


async def role_changes(rig: Rig) -> list[tuple[str, str]]:
    """Each time that somebody was given a role, or it was taken from them: what, and whose."""
    log = await asked(rig, "GET", f"audit-logs?action_type={ROLE_CHANGED}")
    users = {str(user): name for name, user in rig.remote.users.items()}
    entries = log["audit_log_entries"]
    return [(change["key"], users[entry["target_id"]]) for entry in entries for change in entry["changes"]]


async def reached(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await is_so():
            await asyncio.sleep(0.1)


@pytest.mark.slow
async def test_a_bot_that_dies_at_the_end_of_the_month_tells_it_once(tmp_path: Path) -> None:
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE, sure_matches=0, sure_partners=0) as rig:
        role = (await asked(rig, "POST", "roles", name="Champion"))["id"]
        await month_over_soon(rig, int(role))
        rig.remote.air.change(Weather(rest=(2.0, 2.0), where="/messages"))  # a second there, and one back
        await rig.start()
        await rig.remote.until(lambda: bool(podiums(rig)), "the podium")
        await rig.kill()  # before it knows that Discord has taken it
        assert progress(rig) == {"podium": "due", "champion": "due"}

        async def is_crowned() -> bool:
            return bool(await role_changes(rig))

        rig.remote.air.change(Weather(rest=(2.0, 2.0), where=f"/roles/{role}"))
        await rig.start()
        await reached(is_crowned)
        await rig.kill()  # one of the two has the role, which the bot does not know
        assert progress(rig) == {"podium": "done", "champion": "due"}
        assert len(await role_changes(rig)) == 1

        async def is_done() -> bool:
            return set(progress(rig).values()) == {"done"}

        rig.remote.air.change(Weather())
        await rig.start()
        await reached(is_done)
        assert len(podiums(rig)) == 1
        assert sorted(await role_changes(rig)) == [("$add", "Chloé"), ("$add", "Léa")]
