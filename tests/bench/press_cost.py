"""What a press costs: our bot among its tables, and the bare bot with the same answers and edits.

Both serve at the same time, each its own Discord in this process; rounds alternate. What our bot sends in a round is
written down, and sent again by the bare bot in answer to the same presses at the same moments.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import orjson

from bot.sandbox.discord.components import walk
from bot.sandbox.discord.objects import COMPONENTS_V2, EPHEMERAL, Json, Message
from bot.sandbox.discord.routes.routing import Call
from tests.bench import bare_bot
from tests.bench.figures import Figure, Part, Target, told
from tests.rig.air import Weather
from tests.rig.crowd import Answers, Crowd, Place, Tape, bot_at, crowd, uncollected
from tests.rig.processes import Running, processor_time
from tests.rig.runs import in_folder

SLOW_TABLES: Final = 16
SLOW_S: Final = 1.7
"""Between two presses at one table: longer than any message rests, so that each press causes all its edits."""
RUNS: Final = (1.05, 1.3)
"""The lowest and the highest ratio of a run so far."""


@dataclass
class Measure:
    """One round of one bot. ``cpu`` in seconds."""

    presses: int = 0
    requests: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    own_cpu: float = 0.0
    limited: int = 0
    answers: Answers = field(default_factory=Answers)

    @property
    def ms(self) -> float:
        return 1000 * self.cpu / max(1, self.presses)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of the record: when (seconds since the round's start), by whom, on what."""

    at: float
    user: int
    message: Message
    custom_id: str


class Ours:
    """Our bot, with so many tables in the middle of a hunt."""

    def __init__(self, crowd: Crowd, process: Running) -> None:
        self.crowd = crowd
        self.process = process
        self.pressed: list[Pressed] = []
        self.tape = cast("Tape", crowd.discord.recorder)
        self._began = 0.0

    async def play(self, seconds: float, pause: float) -> Measure:
        """Exchange at all tables for so many seconds, with a pause between two presses at a table."""
        crowd = self.crowd
        self.pressed, self.tape.calls = [], []
        async with _measured(crowd, self.process.pid) as measure:
            self.tape.is_running, self._began = True, time.monotonic()
            until = self._began + seconds
            await asyncio.gather(*(self._take_turns(place, until, pause) for place in crowd.places))
            measure.presses = len(crowd.answers.seconds)
        self.tape.is_running = False
        return measure

    async def _take_turns(self, place: Place, until: float, pause: float) -> None:
        await asyncio.sleep(self.crowd.rng.uniform(0, pause))
        while time.monotonic() < until:
            for user in place.users:
                for _ in range(2):
                    await self._move(place, user)
                    await asyncio.sleep(pause)

    async def _move(self, place: Place, user: int) -> None:
        custom_id = self.crowd.choose(place, user)
        if custom_id is None:
            await self.crowd.revive(place)
        else:
            panel = place.panels[user]
            self.pressed.append(Pressed(time.monotonic() - self._began, user, panel, custom_id))
            await self.crowd.press(user, panel, custom_id)


class Bare:
    """The bare bot, in a Discord that holds the same messages."""

    def __init__(self, crowd: Crowd, process: Running, folder: Path) -> None:
        self.crowd = crowd
        self.process = process
        self._script = folder / "script.json"
        self._messages: dict[int, Message] = {}
        self._people: dict[int, int] = {}

    async def take_over(self, ours: Ours) -> None:
        """Post the messages of our tables, and let everybody press once, so that their panels can be edited."""
        world, theirs = self.crowd.discord.world, ours.crowd.discord
        guild = self.crowd.discord.guilds[0]
        fresh = [place for place in ours.crowd.places if ours.crowd.board(place).id not in self._messages]
        self._people = {a.id: b.id for a, b in zip(theirs.users, self.crowd.discord.users, strict=True)}
        for place in fresh:
            channel = world.add_channel(guild, f"table-{place.number}")
            board = ours.crowd.board(place)
            for message in (board, *place.panels.values()):
                user = message.viewer_id
                is_private = user is not None
                self._messages[message.id] = world.post(
                    channel,
                    world.bot.id,
                    components=[*message.components],
                    flags=COMPONENTS_V2 | (EPHEMERAL if is_private else 0),
                    viewer_id=None if user is None else self._people[user],
                )
        await self._tell({})
        for place in fresh:
            for user, panel in place.panels.items():
                await self._press(Pressed(0.0, user, panel, ""))

    async def repeat(self, ours: Ours) -> Measure:
        """Serve the round that our bot has just served."""
        await self._tell(self._script_of(ours, [*ours.tape.calls]))
        async with _measured(self.crowd, self.process.pid) as measure:
            began = time.monotonic()
            tasks = []
            for pressed in ours.pressed:
                await asyncio.sleep(max(0.0, began + pressed.at - time.monotonic()))
                tasks.append(asyncio.create_task(self._press(pressed)))
            await asyncio.gather(*tasks)
            measure.presses = len(self.crowd.answers.seconds)
        return measure

    def _script_of(self, ours: Ours, calls: list[Call]) -> dict[str, list[Any]]:
        """What our bot sent, in its order: an edit goes with the last answer before it."""
        world = ours.crowd.discord.world
        script: dict[str, list[Any]] = {}
        last: list[Any] = [None, []]
        for call in calls:
            if call.shape == "interactions/*/*/callback":
                asked = world.interactions[call.number(0)]
                if asked.source is None or asked.source.id not in self._messages:
                    continue
                is_update = call.body["type"] == 7
                last = [_bare(call.body["data"]["components"]) if is_update else None, []]
                script.setdefault(str(self._people[asked.user_id]), []).append(last)
            elif call.shape.startswith("webhooks/"):
                panel = world.by_token[call.ids[1]].original
                if panel is not None and panel.viewer_id in self._people and panel.id in self._messages:
                    last[1].append(["panel", self._people[panel.viewer_id], _bare(call.body["components"])])
            elif call.shape == "channels/*/messages/*" and (found := self._messages.get(call.number(1))) is not None:
                last[1].append(["board", found.channel_id, found.id, _bare(call.body["components"])])
        return script

    async def _press(self, pressed: Pressed) -> None:
        """The press of the record; its button, or another where the moments differ by a little."""
        panel, user = self._messages[pressed.message.id], self._people[pressed.user]
        custom_ids = [c["custom_id"] for _, c in walk(panel.components) if c.get("custom_id") and not c.get("disabled")]
        custom_id = pressed.custom_id if pressed.custom_id in custom_ids else custom_ids[0]
        await self.crowd.press(user, panel, custom_id)

    async def _tell(self, script: dict[str, list[Any]]) -> None:
        self._script.write_bytes(orjson.dumps(script))
        panel = next(m for m in self._messages.values() if m.viewer_id is not None)
        assert panel.viewer_id is not None
        people, channel = self.crowd.discord.people, self.crowd.discord.world.channel(panel.channel_id)
        data: Json = {"custom_id": f"{bare_bot.SCRIPT}{self._script}", "component_type": 2, "id": 1}
        if await self.crowd.answer_to(people.forge(panel.viewer_id, panel, channel, data)) is None:
            raise AssertionError("the bare bot does not answer")
        await asyncio.sleep(0.5)


def _bare(components: list[Json]) -> list[Json]:
    """The components as the bot wrote them, without the numbers that Discord has given them."""
    return [
        {key: _bare(value) if key == "components" else value for key, value in component.items() if key != "id"}
        for component in components
    ]


@asynccontextmanager
async def _measured(crowd: Crowd, pid: int) -> AsyncIterator[Measure]:
    measure = Measure(answers=Answers())
    crowd.answers = measure.answers
    used, own, began = processor_time(pid), time.process_time(), time.monotonic()
    requests, limited = crowd.air.requests, len(crowd.air.limited)
    with uncollected():
        yield measure
    measure.seconds = time.monotonic() - began
    await asyncio.sleep(1.5)  # what is still to be edited
    measure.cpu, measure.own_cpu = processor_time(pid) - used, time.process_time() - own
    measure.requests, measure.limited = crowd.air.requests - requests, len(crowd.air.limited) - limited


@asynccontextmanager
async def both(tables: int, folder: Path) -> AsyncIterator[tuple[Ours, Bare]]:
    """Our bot with so many tables, and the bare bot with the same messages."""
    async with crowd(tables) as ours, crowd(tables) as theirs, bot_at(ours, folder) as process:
        await ours.open_tables(tables)
        ours.air.change(Weather())
        theirs.air.change(Weather())
        bare = await Running.start(bare_bot.main, theirs.discord.address, errors=folder / "bare.log")
        try:
            while not theirs.discord.is_connected:
                await asyncio.sleep(0.05)
            await asyncio.sleep(1.0)
            pair = Ours(ours, process), Bare(theirs, bare, folder)
            await pair[1].take_over(pair[0])
            yield pair
        finally:
            await bare.kill()


async def put_down(folder: Path, rounds: int, seconds: float) -> Part:
    """Processor time of one press with its answer, the table's message and three panels."""
    mine, reference = [], []
    async with both(SLOW_TABLES, folder) as (ours, bare):
        for _ in range(rounds):
            mine.append(await ours.play(seconds, SLOW_S))
            reference.append(await bare.repeat(ours))
    part = Part(
        "One press with everything that it causes",
        f"Exchanges at {SLOW_TABLES} tables of four, {SLOW_S:g} s apart at each, so that nothing is put together: the"
        " answer, the table's message, three panels. Over loopback sockets, each move durable before its answer. The"
        " bare bot sends the same.",
    )
    ours_ms, bare_ms = (tuple(one.ms for one in measures) for measures in (mine, reference))
    name = "CPU of a press, all its edits included"
    target = Target(most=1.1, if_missed="runs differ by more than that, and both answer in a few milliseconds")
    part.figures.append(Figure(name, "ms", ours_ms, "ms, the bare bot", bare_ms, target))
    part.answers["What does a press cost?"] = answer(part.figures[0])
    part.notes += [_line("ours", one) for one in mine] + [_line("bare", one) for one in reference]
    return part


def answer(cost: Figure) -> str:
    """What the processor time of a press beside the bare bot's means for an operator."""
    times = cost.ratio or 0.0
    low, high = min(times, *RUNS), max(times, *RUNS)
    return (
        f"{told(cost.value)} ms of a core with all the edits that it causes, {told(times)} times what a bare bot takes"
        f" for the same answers and edits ({low:.2f} to {high:.2f} times from run to run): most of what the"
        " machine does it does for Discord, not for the game."
    )


def _line(name: str, one: Measure) -> str:
    presses = max(1, one.presses)
    return (
        f"{name}: {one.presses} presses in {one.seconds:.0f} s, {one.requests / presses:.2f} requests a press,"
        f" {one.ms:.2f} ms; answers p50 {one.answers.percentile(0.5):.0f} ms,"
        f" p99 {one.answers.percentile(0.99):.0f} ms; {one.limited} times 429, {one.answers.missed} missed;"
        f" the members' own CPU {1000 * one.own_cpu / presses:.2f} ms a press"
    )


def bench_put_down(rounds: int = 7, seconds: float = 8.0) -> Part:
    """`put_down`, in a folder of its own."""
    return in_folder(put_down, rounds, seconds)
