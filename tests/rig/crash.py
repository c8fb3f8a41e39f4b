"""Kills the bot again and again while people play, and holds what they saw against what was stored.

`python -m tests.rig.crash [KILLS] [SEED] [1]` (`make crash`; 1: on PostgreSQL) for long, `tests/rig/test_crash.py` for
the gate.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from bot.game import events as e
from bot.game.events import Phase
from bot.ui.table.verbs import TableVerb
from tests.rig.accounts import Accounts, cards
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.evidence import TableRecord, postgres_database, read_copy, read_postgres, read_running
from tests.rig.limits import STRICT
from tests.rig.players import Group, groups, playing
from tests.rig.rig import Rig, running
from tests.rig.runs import main
from tests.seen import pool_in

SIZES = (4, 4, 4)
PAUSE = (0.03, 0.15)
SETTINGS = {"auto_open": 2, "auto_next": 3, "sign_deadline": 10}
LONGEST_LIFE_S = 1.6
SHARE_KILLED_YOUNG = 0.2  # of the kills strike while the bot is still starting
FEARED = replace(STRICT, of_channel=None)  # whose minute each comparison would have to wait for
_SETTLED_S, _SLOW_S = 8.0, 30.0
"""So soon after a restart all panels show what is stored; the second where panels have come to the slowest pace."""


@dataclass
class Tally:
    """What was done and verified."""

    kills: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    unasked: int = 0  # of those, so many panels came back without a press
    by_timer: int = 0
    returns: list[float] = field(default_factory=list)  # seconds from the start of a bot until its gateway stands

    def __str__(self) -> str:
        moves = ", ".join(f"{verb} {count}" for verb, count in self.acknowledged.most_common())
        return (
            f"{self.kills} kills; {self.acknowledged.total()} acknowledged presses, all logged ({moves}); "
            f"{self.compared} hands and their tables shown as replayed, {self.unasked} of them without a press; "
            f"{self.by_timer} deadlines fell due; "
            f"back after {median(self.returns):.2f} s (median), {max(self.returns):.2f} s at most"
        )


class CrashTest:
    """One town of players, one bot that dies often."""

    def __init__(self, rig: Rig, seed: int, sizes: Sequence[int], dsn: str | None, settled_s: float) -> None:
        """``dsn``: the PostgreSQL database that the bot uses instead of a file.

        ``settled_s``: within so many seconds all that is shown becomes what is stored.
        """
        self.settled_s = settled_s
        self.dsn = dsn
        self.rig = rig
        self.rng = random.Random(seed)
        self.groups = groups(rig.remote, sizes, seed, target="5")
        self.tally = Tally()
        self.accounts = Accounts(rig.remote)

    async def run(self, is_enough: Callable[[Tally], bool]) -> Tally:
        """Start, play, kill, verify, over and over until it is enough; at the end the tables must still be alive."""
        await self.rig.start()
        await asyncio.gather(*(group.sit_down() for group in self.groups))
        while not is_enough(self.tally):
            await self._live(self.rng.uniform(0.05, LONGEST_LIFE_S))
            if self.rng.random() < SHARE_KILLED_YOUNG:
                await self.rig.launch()
                await asyncio.sleep(self.rng.uniform(0.0, max(self.tally.returns, default=0.3)))
                await self.rig.kill()
                await self._account()
            await self._return()
            await self._compare()
        await self._all_go_on()
        return self.tally

    async def _live(self, seconds: float) -> None:
        async with playing(self.groups, PAUSE) as players:
            await asyncio.wait(players, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            for task in players:
                if task.done():
                    task.result()
            await self.rig.kill()
        await self._account()

    async def _account(self) -> None:
        """After a kill: what was acknowledged is stored."""
        self.tally.kills += 1
        tables = read_copy(self.rig.database) if self.dsn is None else await read_postgres(self.dsn)
        self.accounts.collect()
        self.accounts.settle(tables)
        self.tally.acknowledged = self.accounts.acknowledged
        self._remembered = {table.id: table.panels for table in tables.values()}

    async def _return(self) -> None:
        began = time.monotonic()
        await self.rig.start()
        self.tally.returns.append(time.monotonic() - began)
        assert "unreadable=0" in self.rig.logged("tables.restored")[-1]

    # ------------------------------------------------------------------ shown = replayed

    async def _compare(self) -> None:
        """Nobody acts for a moment: everybody looks at their hand, and all must become what the log says."""
        self._looked = self._coming_back()
        self.tally.unasked += len(self._looked)
        until = time.monotonic() + self.settled_s
        while True:
            await self._look_at_hands()
            tables = await self._tables()
            problems = [problem for group in self.groups for problem in self._differences(group, tables)]
            if not problems:
                break
            assert time.monotonic() < until, "\n".join(problems)
            await asyncio.sleep(0.1)
        self.tally.compared += len(self._looked)
        fell_due = (e.HuntOpened, e.CardsDealt, e.SignSettled)
        entries = [entry for table in tables.values() for entry in table.log]
        self.tally.by_timer = sum(isinstance(x.event, fell_due) and x.press_id is None for x in entries)

    def _coming_back(self) -> set[str]:
        """Whose panel the dead bot had remembered: the next one must bring it up to date by itself."""
        return {
            player.name
            for group in self.groups
            for player in group.members
            if (panel := player.panel()) is not None
            and self._remembered.get(group.table_id, {}).get(player.user) == panel.id
        }

    async def _look_at_hands(self) -> None:
        """Once in the life of a bot; from then on it keeps the panel up to date by itself."""
        for group in self.groups:
            for player in group.members:
                if player.name in self._looked:
                    continue
                outcome = await player.open_hand()
                if outcome is not None and outcome.answer is not None and cards(outcome.answer, TableVerb.PUT, "hand"):
                    self._looked.add(player.name)

    def _differences(self, group: Group, tables: dict[int, TableRecord]) -> list[str]:
        table, board = tables[group.table_id], group.board()
        if not table.is_playing:
            return []
        if board is None or board.id != table.message_id:
            return [f"table {table.id} is shown by {board and board.id}, stored is {table.message_id}"]
        state = table.state()
        where = f"table {table.id}, round {state.round}, {state.phase}"
        problems = []
        if state.phase in (Phase.SIGNS, Phase.OVER):
            return []
        pool = [card and card.code for card in state.pool]
        if (shown := [*pool_in(board.text)]) != pool:
            problems.append(f"{where}: the table shows {shown}, the log says {pool}")
        users = {user: seat for seat, user in table.seats.items()}
        for player in group.members:
            hand = cards(player.panel(), TableVerb.PUT, "hand")
            expected = [card and card.code for card in state.seats[users[player.user]].hand]
            if hand != expected:
                problems.append(f"{where}: {player.name} is shown {hand}, the log says {expected}")
        return problems

    # ------------------------------------------------------------------ alive

    async def _all_go_on(self) -> None:
        """After the last restart every table makes moves again, and deadlines fall due."""
        before = {key: len(table.log) for key, table in (await self._tables()).items()}
        ours, waiting = {group.table_id for group in self.groups}, [0]
        async with playing(self.groups, PAUSE):
            until = time.monotonic() + 30
            while waiting:
                assert time.monotonic() < until, f"nothing happens any more at the tables {waiting}"
                await asyncio.sleep(0.2)
                tables = (await self._tables()).values()
                waiting = [t.id for t in tables if t.id in ours and len(t.log) <= before.get(t.id, 0) + 5]

    async def _tables(self) -> dict[int, TableRecord]:
        return read_running(self.rig.database) if self.dsn is None else await read_postgres(self.dsn)


async def crash(
    folder: Path,
    is_enough: Callable[[Tally], bool],
    seed: int,
    sizes: Sequence[int] = SIZES,
    *,
    on_postgres: bool = False,
    assumptions: Assumptions = PLAIN,
) -> Tally:
    """The whole test in a folder of its own, until it is enough; with ``on_postgres``, in a database of its own."""
    people = [f"P{number:02}" for number in range(sum(sizes))]
    async with AsyncExitStack() as stack:
        dsn = await stack.enter_async_context(postgres_database()) if on_postgres else None
        database = {} if dsn is None else {"database_url": dsn}
        rig = await stack.enter_async_context(running(folder, people, assumptions=assumptions, **SETTINGS, **database))
        return await CrashTest(rig, seed, sizes, dsn, _SETTLED_S if assumptions == PLAIN else _SLOW_S).run(is_enough)


async def long(folder: Path, kills: int = 100, seed: int = 1, on_postgres: int = 0) -> Tally:
    options: Any = {"on_postgres": bool(on_postgres), "assumptions": FEARED}
    return await crash(folder, lambda tally: tally.kills >= kills, seed, **options)


if __name__ == "__main__":
    main("crash", long)
