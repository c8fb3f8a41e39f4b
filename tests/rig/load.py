"""Many busy tables at once, with Discord's rate limits on: how old is what people see?

`make bench` prints it for ten tables and three minutes; `make bench BENCH="load --seconds 30"` for less.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

from bot.game.events import CardPutDown, CardTaken
from bot.game.evolve import evolve
from bot.game.phase import Phase
from bot.game.state import State
from bot.ui.table.verbs import TableVerb
from tests.rig.crash import cards
from tests.rig.evidence import TableRecord, read_running
from tests.rig.players import Group, Offer, Player, groups, offers, table_ids
from tests.rig.rig import Rig, running
from tests.rig.wire import Change, Counts, Weather

EXCHANGES_A_SECOND = 2.3  # tried: the ends of rounds take some of them away
WEATHER = Weather(rest=(0.06, 0.12), gateway=(0.02, 0.05))
ROUND_S = (30.0, 60.0)  # a round ends after so long, by a call that is false
THINKS_S = (0.1, 0.3)  # between putting down and taking
SETTLES_S = 4.0
_SKEW_MS = 5
_DISCORD_EPOCH_MS = 1_420_070_400_000

Pool = tuple[str | None, ...]


@dataclass
class Report:
    """What came of the load. Ages in seconds, from the press until the viewer's message shows what it did."""

    tables: int
    seconds: float
    board_ages: list[float] = field(default_factory=list)
    panel_ages: list[float] = field(default_factory=list)
    unseen: int = 0
    overtaken: int = 0
    exchanges: int = 0
    answers_ms: list[int] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    cpu: float = 0.0
    discord_cpu: float = 0.0

    @property
    def ages(self) -> list[float]:
        return [*self.board_ages, *self.panel_ages]

    @property
    def limited_routes(self) -> Counter[str]:
        """The routes that met a limit, without ids and tokens."""
        return Counter(re.sub(r"\d{15,}|(?<=/)[\w-]{40,}", "…", route) for route in self.counts.limited)

    def __str__(self) -> str:
        def told(ages: Sequence[float]) -> str:
            return (
                f"median {median(ages):.2f} s, 95th percentile {percentile(ages, 0.95):.2f} s, most {max(ages):.2f} s"
            )

        rate = self.exchanges / self.seconds / self.tables
        return "\n".join(
            (
                f"load: {self.tables} tables, {self.seconds:.0f} s, {rate:.2f} exchanges a second and table",
                f"  {len(self.counts.limited)} times 429, {len(self.counts.missed)} missed deadlines,"
                f" {sum(self.counts.invalid.values())} other refusals of {self.counts.requests:,} requests",
                *(f"    {count} of them: {route}" for route, count in self.limited_routes.most_common()),
                f"  age of what viewers see: {told(self.ages)}",
                f"    on the tables' messages: {told(self.board_ages)}",
                f"    on the panels of the others: {told(self.panel_ages)}",
                f"  {self.unseen} changes were never seen; {self.overtaken} edits came too late, and were made good",
                f"  answers to presses: median {median(self.answers_ms)} ms,"
                f" 99th percentile {percentile(self.answers_ms, 0.99):.0f} ms; latency of the network included",
                f"  processor time of the bot: {100 * self.cpu / self.seconds:.0f} % of one core,"
                f" of the rig's Discord {100 * self.discord_cpu / self.seconds:.0f} %",
            )
        )


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def processor_time(pid: int) -> float:
    """Seconds that a process has used; 0 where the system has no /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


# ---------------------------------------------------------------------- the load


async def load(folder: Path, tables: int, seconds: float, seed: int = 1) -> Report:
    """Play for so long, then compare what was shown when with what was done when."""
    people = [f"P{number:02}" for number in range(4 * tables)]
    async with running(folder, people, keep=True, auto_open=1, auto_next=0, sign_deadline=10) as rig:
        await rig.start()
        await rig.remote.weather(WEATHER)
        town = groups(rig.remote, [4] * tables, seed)
        await asyncio.gather(*(group.sit_down() for group in town))
        await asyncio.gather(*(_hands_up(group) for group in town))
        assert rig.bot_pid is not None
        used, used_by_discord = processor_time(rig.bot_pid), processor_time(rig.discord_pid)
        began, answered = time.monotonic(), len(await rig.remote.outcomes())
        first = rig.remote.history[-1].number
        exchanges = await asyncio.gather(*(_keep_busy(group, began + seconds) for group in town))
        report = Report(tables, time.monotonic() - began, exchanges=sum(exchanges))
        report.cpu = processor_time(rig.bot_pid) - used
        report.discord_cpu = processor_time(rig.discord_pid) - used_by_discord
        await asyncio.sleep(SETTLES_S)
        report.answers_ms = [o.took_ms for o in (await rig.remote.outcomes())[answered:] if o.is_answered]
        report.counts = await rig.remote.counts()
        _measure(report, rig, town, first)
        return report


async def _hands_up(group: Group) -> None:
    """Until the first hunt is open and everybody's panel too."""
    for member in group.members:
        member.exchanges = False
        member.boldness = 0
    await group.play_until(TableVerb.SWEEP)
    for member in group.members:
        if TableVerb.PUT not in offers(member.panel(), group.table_id):
            await member.open_hand()


async def _keep_busy(group: Group, until: float) -> int:
    """Exchanges at random moments by whoever is free; now and then a round ends and the next one begins."""
    rng = random.Random(group.host.name)
    busy: set[Player] = set()
    running: set[asyncio.Task[None]] = set()
    round_ends = time.monotonic() + rng.uniform(*ROUND_S)
    due = time.monotonic()
    count = 0
    while time.monotonic() < until:
        due += rng.expovariate(EXCHANGES_A_SECOND)
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > round_ends:
            await asyncio.gather(*running)
            await _next_round(group)
            round_ends = time.monotonic() + rng.uniform(*ROUND_S)
            due = time.monotonic()
        free = [member for member in group.members if member not in busy]
        if free:
            count += 1
            task = asyncio.create_task(_exchange(rng.choice(free), busy))
            running.add(task)
            task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return count


async def _exchange(player: Player, busy: set[Player]) -> None:
    """Put a card down and take another, from one's own panel."""
    busy.add(player)
    try:
        if puts := offers(player.panel(), player.table_id).get(TableVerb.PUT, []):
            await player.press(_harmless(player, puts))
            await asyncio.sleep(player.rng.uniform(*THINKS_S))
        for _ in range(5):  # somebody else may be faster
            takes = offers(player.panel(), player.table_id).get(TableVerb.TAKE)
            if not takes:
                break
            await player.press(player.rng.choice(takes))
    finally:
        busy.discard(player)


def _harmless(player: Player, puts: list[Offer]) -> Offer:
    """A card that makes no three alike in the pool, if there is one."""
    pool = Counter(card[0] for card in cards(player.panel(), TableVerb.TAKE, "pool") if card)
    return min(puts, key=lambda offer: (pool[offer.press.arg[0]], player.rng.random()))


async def _next_round(group: Group) -> None:
    calls = offers(group.host.panel(), group.table_id).get(TableVerb.KEMS)
    if calls:
        await group.host.press(calls[0])
    await group.members[1].press(await group.play_until(TableVerb.NEXT))
    await _hands_up(group)


# ---------------------------------------------------------------------- the measure


def _measure(report: Report, rig: Rig, town: Iterable[Group], first: int) -> None:
    tables = read_running(rig.database)
    changes = [change for change in rig.remote.history if not change.gone]
    for group in town:
        table = tables[group.table_id]
        moves, pools = _timeline(table)
        start = next(change.at for change in changes if change.number >= first)
        mine = [change for change in changes if group.table_id in table_ids(change.seen)]
        board = [change for change in mine if change.seen.viewer_id is None]
        report.board_ages += _ages(report, moves, pools, board, start, None)
        for seat, user in table.seats.items():
            panel = [change for change in mine if change.seen.viewer_id == user]
            report.panel_ages += _ages(report, moves, pools, panel, start, seat)


@dataclass(frozen=True, slots=True)
class Moved:
    """One exchange's half: the number of its event, when its button was pressed, and by whom."""

    seq: int
    at: int
    seat: int


def _timeline(table: TableRecord) -> tuple[list[Moved], dict[Pool, list[tuple[int, int]]]]:
    """The moves of a table; and for each pool that ever lay there (none after a round), after which events and when."""
    state: State | None = None
    moves = []
    pools: dict[Pool, list[tuple[int, int]]] = {}
    for entry in table.log:
        state = evolve(state, entry.event)
        is_over = state.phase in (Phase.OVER, Phase.MATCH_OVER)
        pool = () if is_over else tuple(card and card.code for card in state.pool)
        pools.setdefault(pool, []).append((entry.seq, entry.event.at))
        if isinstance(entry.event, CardPutDown | CardTaken) and entry.press_id is not None:
            moves.append(Moved(entry.seq, (entry.press_id >> 22) + _DISCORD_EPOCH_MS, entry.event.seat))
    return moves, pools


def _ages(
    report: Report,
    moves: list[Moved],
    pools: dict[Pool, list[tuple[int, int]]],
    changes: list[Change],
    start: int,
    seat: int | None,
) -> list[float]:
    """How long after each move of others one surface showed it, or showed rightly that it had been undone."""
    seen: list[tuple[int, int]] = []  # after which event, when
    for change, following in pairwise([*changes, None]):
        assert change is not None
        known = pools.get(tuple(cards(change.seen, TableVerb.TAKE, "pool")), [])
        index = bisect_right(known, change.at + _SKEW_MS, key=lambda one: one[1])
        if index == 0 or (seen and known[index - 1][0] < seen[-1][0]):
            report.overtaken += change.at > start
            continue
        seen.append((known[index - 1][0], change.at))
        seen += (again for again in known[index:] if following is None or again[1] < following.at)
    ages = []
    for move in moves:
        if move.at < start or move.seat == seat:
            continue
        index = bisect_left(seen, move.seq, key=lambda one: one[0])
        if index == len(seen):
            report.unseen += 1
        else:
            ages.append((seen[index][1] - move.at) / 1000)
    return ages


def bench_load(tables: int, seconds: int) -> None:
    """Print the report of so many tables."""
    with tempfile.TemporaryDirectory(prefix="kems-load-") as folder:
        print(asyncio.run(load(Path(folder), tables, seconds)), flush=True)
