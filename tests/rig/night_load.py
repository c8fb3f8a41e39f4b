"""A night of many tables within Discord's limits: how it opens, how old its board is, and what people wait for."""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Final

from bot.game.events import RoundEnded
from bot.game.rules.house_rules import override, preset
from bot.nights.night import Night
from bot.nights.rounds import Entrant
from bot.sandbox.discord.components import walk
from bot.sandbox.discord.objects import Message
from bot.sandbox.discord.state import wall_clock
from bot.store.nights import SqlNightStore
from tests.databases import migrated
from tests.nights.evenings import PLAN
from tests.rig.crowd import Crowd, Place, bot_at, crowd, verbs
from tests.rig.evidence import TableRecord, read_running
from tests.rig.load import WEATHER, Report, keep_busy
from tests.store.conftest import opened

SOON_MS: Final = 15_000
"""For the bot to start before the night does."""
LONGEST_S: Final = 240.0
_LOOKS_S: Final = 0.5


@dataclass
class NightReport:
    """What came of a night. Seconds; `opened` is when each table was shown, counted from the beginning of the night."""

    load: Report
    opened: list[float] = field(default_factory=list)
    board_ages: list[float] = field(default_factory=list)
    limited: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)  # the texts of the board, one after the other

    def __str__(self) -> str:
        ages = f"median {median(self.board_ages):.2f} s" if self.board_ages else "none"
        return (
            f"a night of {len(self.opened)} tables, open after {max(self.opened):.1f} s; {len(self.limited)} times 429;"
            f" age of its board: {ages} of {len(self.board_ages)} ends of rounds\n{self.load}"
        )


async def load_night(folder: Path, tables: int, seconds: float) -> NightReport:
    """Let a night of so many tables open by itself, keep all of them busy for so long, and measure."""
    address = migrated(folder)
    async with crowd(tables) as town:
        town.air.change(WEATHER)
        await _plan(town, address)
        async with bot_at(town, folder, log_level="INFO") as process:
            said: list[str] = []
            edits, opened_at = _follow_board(town, said), await _opened(town, folder, tables)
            await town.join_in(_places(folder))
            start = wall_clock()
            report = await keep_busy(town, process.pid, folder, seconds)
            ages, began_at = _ages(read_running(folder / "kems.db"), edits, start), await _began_at(address)
            return NightReport(
                report, [(at - began_at) / 1000 for at in opened_at], ages, tuple(town.air.limited), said
            )


async def _plan(town: Crowd, address: str) -> None:
    world, now = town.discord, wall_clock()
    rules = override(preset("classic"), {"target": "99", "sign_deadline": "10", "auto_open": "1"})
    times = {"starts_at": now + SOON_MS, "sign_up_until": now, "round_minutes": 120}
    plan = replace(PLAN, title="Soirée", rounds=1, rules=rules, channel_id=world.channels[0].id, **times)
    people = tuple(Entrant(number, user.id, user.name, now) for number, user in enumerate(world.users))
    guild_id = next(iter(world.world.guilds))
    async with opened(address) as database:
        night = Night(0, guild_id, 0, people[0].user_id, "fr", plan, seed=7, entrants=people)
        await SqlNightStore(database).create(night)


async def _began_at(address: str) -> int:
    async with opened(address) as database:
        (night,) = await SqlNightStore(database).load_live()
    return night.rounds[0].began_at


async def _opened(town: Crowd, folder: Path, tables: int) -> list[int]:
    shown: list[int] = []
    async with asyncio.timeout(LONGEST_S):
        while len(shown) < tables or len(read_running(folder / "kems.db")) < tables:
            shown += [wall_clock()] * (town.shown() - len(shown))
            await asyncio.sleep(_LOOKS_S)
    return shown


def _places(folder: Path) -> list[Place]:
    return [
        Place(number, [user for user in table.seats.values() if user is not None], table.id)
        for number, table in enumerate(read_running(folder / "kems.db").values())
    ]


def _follow_board(town: Crowd, said: list[str]) -> list[int]:
    """When the night's public message changes from now on; its texts go to ``said``."""
    edits: list[int] = []

    def note(message: Message, gone: bool) -> None:
        if not gone and message.viewer_id is None and any(verb.startswith("night_") for verb in verbs(message)):
            edits.append(wall_clock())
            said.append("\n".join(part["content"] for _, part in walk(message.components) if "content" in part))

    town.discord.world.followers.append(note)
    return edits


def _ages(tables: dict[int, TableRecord], edits: Sequence[int], start: int) -> list[float]:
    ends = [
        entry.event.at
        for table in tables.values()
        for entry in table.log
        if isinstance(entry.event, RoundEnded) and any(entry.event.points) and entry.event.at > start
    ]
    following = ((end, bisect_left(edits, end)) for end in ends)
    return [(edits[index] - end) / 1000 for end, index in following if index < len(edits)]
