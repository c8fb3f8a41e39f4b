"""The month is over, and the bot dies as it says so: one podium stands afterwards, and each role was given once."""

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ladder.season_duties import GRACE_MS
from bot.store.tables.servers import SqlServerStore
from tests.databases import migrated
from tests.rig.air import Weather
from tests.rig.rig import Rig, running
from tests.store.conftest import opened
from tests.store.counted_matches import SURE, Match, play

PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
SOON_MS = 1500


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


def role_changes(rig: Rig) -> list[tuple[str, str]]:
    """Each time that somebody was given a role, or it was taken from them: what, and whose."""
    users = {str(user): name for name, user in rig.remote.users.items()}
    log = rig.remote.discord.guilds[0].audit_log
    return [(change["key"], users[entry["target_id"]]) for entry in log for change in entry["changes"]]


@pytest.mark.slow
async def test_a_bot_that_dies_at_the_end_of_the_month_tells_it_once(tmp_path: Path) -> None:
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE, sure_matches=0, sure_partners=0) as rig:
        role = rig.remote.moderator.add_role(rig.remote.guild_id, "Champion")
        await month_over_soon(rig, role)
        rig.remote.air.change(Weather(rest=(2.0, 2.0), where="/messages"))  # a second there, and one back
        await rig.start()
        await rig.remote.until(lambda: bool(podiums(rig)), "the podium")
        await rig.kill()  # before it knows that Discord has taken it
        assert progress(rig) == {"podium": "due", "champion": "due"}
        rig.remote.air.change(Weather(rest=(2.0, 2.0), where=f"/roles/{role}"))
        await rig.start()
        await rig.remote.until(lambda: bool(role_changes(rig)), "the first role")
        await rig.kill()  # one of the two has the role, which the bot does not know
        assert progress(rig) == {"podium": "done", "champion": "due"}
        assert len(role_changes(rig)) == 1
        rig.remote.air.change(Weather())
        await rig.start()
        await rig.remote.until(lambda: set(progress(rig).values()) == {"done"}, "all duties")
        assert len(podiums(rig)) == 1
        assert sorted(role_changes(rig)) == [("$add", "Chloé"), ("$add", "Léa")]
