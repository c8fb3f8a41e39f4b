"""Many busy tables at once, with Discord's rate limits on: how old is what people see?

`make bench BENCH=busy` prints it for many numbers of tables.
"""

import asyncio
import random
import re
import time
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from bot.discord.api.custom_ids import parse_id
from bot.game.events import CardPutDown, CardTaken, Phase
from bot.game.evolve import evolve
from bot.game.state import State
from bot.sandbox.discord.objects import Message
from bot.sandbox.discord.state import wall_clock
from bot.ui.table.verbs import TableVerb
from tests.rig.air import Weather
from tests.rig.assumptions import PLAIN
from tests.rig.crowd import Answers, Crowd, Place, bot_at, crowd, pool_on_board, pool_on_panel, uncollected
from tests.rig.evidence import TableRecord, read_postgres, read_running
from tests.rig.limits import STRICT
from tests.rig.processes import processor_time

BUSY: Final = 2.3  # exchanges a second: tried: the ends of rounds take some of them away
CALM: Final = 0.25
PANEL_RATE: Final = 800
"""Edits of panels a second; the bot begins with half of it, which no load here comes to."""
WEATHER: Final = Weather(rest=(0.06, 0.12), gateway=(0.02, 0.05))
ROUND_S: Final = (30.0, 60.0)  # a round ends after so long, by a call that is false
THINKS_S: Final = (0.1, 0.3)  # between putting down and taking
SETTLES_S: Final = 5.0
_TRIES: Final = 5  # to take a card up: somebody else may be faster
_SKEW_MS: Final = 5
_DISCORD_EPOCH_MS: Final = 1_420_070_400_000

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
    answers: Answers = field(default_factory=Answers)
    requests: int = 0
    limited: tuple[str, ...] = ()
    invalid: dict[str, int] = field(default_factory=dict)
    cpu: float = 0.0
    own_cpu: float = 0.0

    @property
    def limited_routes(self) -> Counter[str]:
        return Counter(re.sub(r"\d{15,}|(?<=/)[\w-]{40,}", "…", route) for route in self.limited)

    @property
    def ms(self) -> float:
        return 1000 * self.cpu / max(1, self.exchanges)

    def __str__(self) -> str:
        def told(ages: Sequence[float]) -> str:
            return (
                f"median {median(ages):.2f} s, 95th percentile {percentile(ages, 0.95):.2f} s, most {max(ages):.2f} s"
            )

        rate = self.exchanges / self.seconds / self.tables
        return "\n".join(
            (
                f"{self.tables} tables, {self.seconds:.0f} s, {rate:.2f} exchanges a second and table:"
                f" {len(self.limited)} times 429, {self.answers.missed} missed deadlines,"
                f" {sum(self.invalid.values())} other refusals of {self.requests:,} requests"
                f" ({self.requests / max(1, self.exchanges):.2f} an exchange)",
                *(f"  {count} of them: {route}" for route, count in self.limited_routes.most_common()),
                f"  age on the tables' messages: {told(self.board_ages)}",
                f"  age on the panels of the others: {told(self.panel_ages)}",
                f"  {self.unseen} changes were never seen; {self.overtaken} edits came too late, and were made good",
                f"  answers to presses: median {self.answers.percentile(0.5):.0f} ms,"
                f" 99th percentile {self.answers.percentile(0.99):.0f} ms; latency of the network included",
                f"  processor time of the bot: {100 * self.cpu / self.seconds:.0f} % of one core"
                f" ({self.ms:.1f} ms an exchange); of Discord and its members"
                f" {100 * self.own_cpu / self.seconds:.0f} %",
            )
        )


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


# ---------------------------------------------------------------------- the load


@dataclass(frozen=True, slots=True)
class Shown:
    """One change of a message: when (milliseconds), and its components from then on."""

    at: int
    components: Any
    is_public: bool

    @property
    def pool(self) -> Pool:
        """The open cards, by slot; none where the message shows no pool."""
        read = pool_on_board if self.is_public else pool_on_panel
        return _without_end(read(self.components))


def _without_end(slots: Iterable[str | None]) -> Pool:
    """Without the empty slots at the end: a panel keeps more of them than the table."""
    pool = [*slots]
    while pool and pool[-1] is None:
        pool.pop()
    return tuple(pool)


async def load(
    folder: Path,
    tables: int,
    seconds: float,
    dsn: str | None = None,
    *,
    panel_rate: int = 0,
    is_strict: bool = False,
    pictures: int = 0,
) -> Report:
    """Play for so long, then compare what was shown when with what was done when.

    ``pictures``: so many running matches may be shown as pictures.

    ``dsn``: the PostgreSQL database that the bot uses instead of a file. ``panel_rate`` is the setting; the bot begins
    with half of it. ``is_strict``: all fears come true, and people play as calmly as that allows.
    """
    address = dsn or f"sqlite:///{folder / 'kems.db'}"
    town_of = crowd(tables, STRICT if is_strict else PLAIN)
    settings = {"database_url": address, "table_pictures": pictures, "panel_rate": panel_rate}
    async with town_of as town, bot_at(town, folder, **settings) as process:
        await town.open_tables(tables)
        town.air.change(WEATHER)
        return await keep_busy(town, process.pid, folder, seconds, dsn, CALM if is_strict else BUSY)


async def keep_busy(
    town: Crowd, pid: int, folder: Path, seconds: float, dsn: str | None = None, exchanges_a_second: float = BUSY
) -> Report:
    """Play for so long at the tables of a town whose bot is the process `pid`, and measure what came of it.

    ``dsn``: as of `load`.
    """
    shown = _follow(town)
    town.answers = Answers()
    used, own, requests = processor_time(pid), time.process_time(), town.air.requests
    limited, invalid = len(town.air.limited), Counter(town.air.invalid)
    start, began = wall_clock(), time.monotonic()
    with uncollected():
        playing = (_keep_busy(town, place, began + seconds, exchanges_a_second) for place in town.places)
        exchanges = await asyncio.gather(*playing)
    report = Report(len(town.places), time.monotonic() - began, exchanges=sum(exchanges), answers=town.answers)
    report.cpu, report.own_cpu = processor_time(pid) - used, time.process_time() - own
    report.requests = town.air.requests - requests
    await asyncio.sleep(SETTLES_S)
    report.limited = tuple(town.air.limited[limited:])
    report.invalid = dict(town.air.invalid - invalid)
    logged = read_running(folder / "kems.db") if dsn is None else await read_postgres(dsn)
    _measure(report, logged, town.places, shown, start)
    return report


def _follow(town: Crowd) -> dict[tuple[int, int | None], list[Shown]]:
    """What each table shows from now on, by its id and viewer; to begin with, what it shows now."""
    shown: dict[tuple[int, int | None], list[Shown]] = defaultdict(list)

    def note(message: Message, gone: bool) -> None:
        if not gone and (table_id := _table_of(message)) is not None:
            shown[table_id, message.viewer_id].append(
                Shown(wall_clock(), message.components, message.viewer_id is None)
            )

    for place in town.places:
        for message in (town.board(place), *place.panels.values()):
            note(message, False)
    town.discord.world.followers.append(note)
    return shown


def _table_of(message: Message) -> int | None:
    for component in _with_ids(message.components):
        press = parse_id(component["custom_id"])
        if press is not None and press.table_id:
            return press.table_id
    return None


def _with_ids(components: Iterable[Any]) -> Iterator[Any]:
    for component in components:
        if "custom_id" in component:
            yield component
        yield from _with_ids(component.get("components") or ())


async def _keep_busy(town: Crowd, place: Place, until: float, exchanges_a_second: float) -> int:
    """Exchanges at random moments by whoever is free; now and then a round ends and the next one begins."""
    rng = random.Random(place.number)
    busy: set[int] = set()
    running: set[asyncio.Task[None]] = set()
    round_ends = time.monotonic() + rng.uniform(*ROUND_S)
    due = time.monotonic()
    count = 0
    while time.monotonic() < until:
        due += rng.expovariate(exchanges_a_second)
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > round_ends:
            await asyncio.gather(*running)
            await _next_round(town, place)
            round_ends = time.monotonic() + rng.uniform(*ROUND_S)
            due = time.monotonic()
        free = [user for user in place.users if user not in busy]
        if free:
            count += 1
            task = asyncio.create_task(_exchange(town, place, rng.choice(free), busy, rng))
            running.add(task)
            task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return count


async def _exchange(town: Crowd, place: Place, user: int, busy: set[int], rng: random.Random) -> None:
    busy.add(user)
    try:
        panel = place.panels[user]
        if (put := town.harmless(panel)) is not None:
            await town.press(user, panel, put)
            await asyncio.sleep(rng.uniform(*THINKS_S))
        for _ in range(_TRIES):
            if (take := town.owed(panel)) is None:
                break
            await town.press(user, panel, take)
    finally:
        busy.discard(user)


async def _next_round(town: Crowd, place: Place) -> None:
    host = place.users[0]
    await town.press_verb(host, place.panels[host], TableVerb.KEMS)
    await town.until(lambda: town.offers(place, TableVerb.NEXT) or town.is_hunting(place))
    await town.revive(place)


# ---------------------------------------------------------------------- the measure


def _measure(
    report: Report,
    tables: dict[int, TableRecord],
    places: Iterable[Place],
    shown: dict[tuple[int, int | None], list[Shown]],
    start: int,
) -> None:
    for place in places:
        table = tables[place.table_id]
        moves, pools = _timeline(table)
        report.board_ages += _ages(report, moves, pools, shown[table.id, None], start, None)
        for seat, user in table.seats.items():
            report.panel_ages += _ages(report, moves, pools, shown[table.id, user], start, seat)


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
        pool = () if is_over else _without_end(card and card.code for card in state.pool)
        pools.setdefault(pool, []).append((entry.seq, entry.event.at))
        if isinstance(entry.event, CardPutDown | CardTaken) and entry.press_id is not None:
            moves.append(Moved(entry.seq, (entry.press_id >> 22) + _DISCORD_EPOCH_MS, entry.event.seat))
    return moves, pools


def _ages(
    report: Report,
    moves: list[Moved],
    pools: dict[Pool, list[tuple[int, int]]],
    changes: list[Shown],
    start: int,
    seat: int | None,
) -> list[float]:
    """How long after each move of others one surface showed it, or showed rightly that it had been undone."""
    seen: list[tuple[int, int]] = []  # after which event, when
    for change, following in pairwise([*changes, None]):
        known = pools.get(change.pool, [])
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
