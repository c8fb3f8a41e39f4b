"""What a process does as its leases change: takes shards up, hands them over, gives all up, leads, waits."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, patch

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.discord.api.discord_internals import ShardConnection
from bot.discord.gateway.shard_keeper import ASK_AGAIN_S, LONGEST_WAIT_S, LOOK_S, ShardKeeper
from bot.tables.cluster import ShardResource
from bot.tables.table_store import ServerFilter
from tests.discord.fakes import refused


@dataclass
class Cluster:
    """Of four shards, `free` are nobody's."""

    free: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    share: int = 4
    is_leader: bool = False
    may_lead: bool = False
    is_lost: bool = False
    requests: int = 45
    users_to_remove: Sequence[int] = ()
    unknown: Sequence[int] = ()
    count: int = 4
    owned_shards: list[int] = field(default_factory=list)
    acts_until: float = math.inf
    answers: list[float | StoreError] = field(default_factory=list)
    turns: set[str] = field(default_factory=set)

    async def enter(self, shards: int) -> None:
        self.owned_shards, self.is_lost, self.is_leader = [], False, False

    async def acquire_lease(self) -> int | None:
        if not self.free:
            return None
        self.owned_shards.append(self.free.pop(0))
        return self.owned_shards[-1]

    async def lead(self) -> None:
        self.is_leader = self.may_lead

    async def release_lease(self, shard: int) -> None:
        self.owned_shards = [number for number in self.owned_shards if number != shard]
        self.free.append(shard)

    async def identify_wait(self, bucket: int, turn: str) -> float:
        self.turns.add(turn)
        answer = self.answers.pop(0) if self.answers else 0.0
        if isinstance(answer, StoreError):
            raise answer
        return answer


def number_of(servers: ServerFilter) -> int:
    """The shard, of four, whose servers these are."""
    return next(number for number in range(4) if servers(number << 22))


@dataclass
class Served(ShardResource):
    """What was done, in its order; `broken` shards cannot be read."""

    done: list[str] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)
    owned_shards: set[int] = field(default_factory=set)
    requests: list[int] = field(default_factory=list)

    def serves(self, shards: Sequence[int], count: int) -> None:
        assert count == 4

    async def restore(self, servers: ServerFilter) -> None:
        self.owned_shards.add(number := number_of(servers))
        self.done.append(f"restore {number}")
        if number in self.broken:
            raise StoreError("The disk is slow.")

    async def release(self, servers: ServerFilter) -> None:
        if (number := number_of(servers)) in self.owned_shards:
            self.owned_shards.remove(number)
            self.done.append(f"release {number}")

    async def save(self) -> None:
        self.done.append("save")

    async def leave_tables(self, user_id: int) -> None:
        self.done.append(f"let {user_id} go")


@dataclass
class Job:
    runs: bool = False

    def start(self) -> None:
        self.runs = True

    async def stop(self) -> None:
        self.runs = False


@dataclass
class Process:
    cluster: Cluster = field(default_factory=Cluster)
    served: Served = field(default_factory=Served)
    job: Job = field(default_factory=Job)

    def __post_init__(self) -> None:
        client = discord.Client(intents=discord.Intents.none())
        client._connection.application_id = 1
        served = self.served
        self.keeper = ShardKeeper(
            client,
            self.cluster,
            [served],
            [self.job],
            serves=served.serves,
            requests_changed=served.requests.append,
            save=served.save,
            leave_tables=served.leave_tables,
        )

    async def look(self) -> list[str]:
        self.served.done.clear()
        await self.keeper._look()
        return self.served.done


async def test_a_process_takes_its_share_of_shards_and_releases_the_rest_one_by_one() -> None:
    process = Process()
    await process.keeper.start(4)
    assert process.served.done == ["restore 0", "restore 1", "restore 2", "restore 3"]
    process.cluster.share = 2
    assert await process.look() == ["release 3", "save"]
    assert process.cluster.free == [3]
    assert await process.look() == ["release 2", "save"]
    assert await process.look() == []
    process.cluster.share = 4
    assert await process.look() == ["restore 3", "restore 2"]


async def test_a_process_without_a_shard_waits_and_logs_it_once() -> None:
    process = Process(Cluster(free=[]))
    with capture_logs() as logs:
        await process.keeper.start(4)
        await process.look()
        await process.look()
    assert [line["event"] for line in logs] == ["shards.entered", "shards.waiting"]
    process.cluster.free = [2]
    assert await process.look() == ["restore 2"]


async def test_a_person_is_removed_from_the_tables_when_another_process_asks_for_it() -> None:
    process = Process()
    await process.keeper.start(4)
    process.cluster.users_to_remove = (7, 8)
    assert await process.look() == ["let 7 go", "let 8 go"]


async def test_a_process_forgets_lost_shards_before_it_joins_again() -> None:
    process = Process(Cluster(may_lead=True))
    await process.keeper.start(4)
    await process.look()
    assert process.job.runs
    process.cluster.is_lost, process.cluster.may_lead, process.cluster.is_leader = True, False, False
    with capture_logs() as logs:
        done = await process.look()
    assert done == ["release 0", "release 1", "release 2", "release 3"]
    assert [line["event"] for line in logs] == ["shards.rejoined", "shards.waiting"]
    assert not process.job.runs
    process.cluster.free = [1]
    assert await process.look() == ["restore 1"]


async def test_a_shard_that_cannot_be_read_is_left_to_others() -> None:
    process = Process(served=Served(broken={1}))
    await process.keeper.start(4)
    assert process.served.done == ["restore 0", "restore 1", "release 1"]
    assert process.cluster.owned_shards == [0]
    assert process.keeper.problem == "The disk is slow."
    process.served.broken.clear()
    assert await process.look() == ["restore 2", "restore 3", "restore 1"]


async def test_a_shard_whose_claim_got_no_response_is_left_to_others() -> None:
    process = Process(Cluster(free=[0, 1], share=2))
    await process.keeper.start(4)
    process.cluster.unknown = [3]
    assert await process.look() == []
    assert process.cluster.free == [3]


async def test_a_connection_that_ignores_its_cancellation_is_ended_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python 3.11's `wait_for` does where its work is done at the instant at which it is cancelled."""
    ends, begun = 0, asyncio.Event()

    async def connect(_keeper: ShardKeeper, _connection: ShardConnection, _shard: int) -> None:
        nonlocal ends
        begun.set()
        while ends < 2:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ends += 1

    monkeypatch.setattr(ShardKeeper, "_connect", connect)
    process = Process(Cluster(free=[0], share=1))
    await process.keeper.start(4)
    running = asyncio.create_task(process.keeper.run())
    await begun.wait()
    process.cluster.share = 0
    async with asyncio.timeout(3 * LOOK_S):
        assert await process.look() == ["release 0", "save"]
    assert ends == 2
    running.cancel()


async def test_a_shard_reconnects_soon_after_an_outage_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def connect(*_arguments: Any, **_options: Any) -> None:
        raise ConnectionRefusedError if len(slept) < 50 else asyncio.CancelledError

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    process = Process()
    connection = ShardConnection(process.keeper.client, 0, 4)
    connection.ws = AsyncMock()  # it has been connected before
    monkeypatch.setattr(DiscordWebSocket, "from_client", connect)
    monkeypatch.setattr("asyncio.sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await connection.connect()
    assert len(slept) == 50
    assert max(slept) <= 32


@pytest.mark.parametrize("was_connected", [True, False])
async def test_an_outage_is_one_line_of_the_log_however_often_the_bot_reconnects(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, was_connected: bool
) -> None:
    """Of two outages each has its line, and discord.py's tracebacks are none."""
    ends = asyncio.CancelledError
    attempts = [ConnectionRefusedError(), TimeoutError(), None, OSError("Gone."), ConnectionRefusedError(), ends()]
    attempts = [*(None,) * was_connected, *attempts]

    async def connect(*_arguments: Any, **_options: Any) -> object:
        if (attempt := attempts.pop(0)) is not None:
            raise attempt
        return AsyncMock(poll_event=AsyncMock(side_effect=ReconnectWebSocket(0)))

    connection = ShardConnection(Process().keeper.client, 3, 4)
    monkeypatch.setattr(DiscordWebSocket, "from_client", connect)
    monkeypatch.setattr("asyncio.sleep", AsyncMock())
    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        await connection.connect()
    assert [(line["event"], line["shard"], line["problem"]) for line in lines] == [
        ("discord.out_of_reach", 3, "ConnectionRefusedError"),
        ("discord.out_of_reach", 3, "Gone."),
    ]
    assert not [record for record in caplog.records if record.name == "discord.client"]


async def test_one_process_leads_at_a_time() -> None:
    process, other = Process(Cluster(may_lead=True)), Process()
    for one in (process, other):
        await one.keeper.start(4)
        await one.look()
    assert (process.job.runs, other.job.runs) == (True, False)


async def test_the_last_identifies_of_a_day_are_kept_in_reserve() -> None:
    process, slept = Process(), []
    left: list[dict[str, int] | Exception] = [
        {"remaining": 49, "reset_after": 3_600_000}, aiohttp.ClientConnectionError(), {"remaining": 50}, refused(401)
    ]  # fmt: skip

    async def gateway(*_: object, **__: object) -> dict[str, Any]:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"session_start_limit": answer}

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    http = process.keeper.client.http
    with patch.object(http, "request", gateway), patch("asyncio.sleep", sleep), capture_logs() as logs:
        await process.keeper.identify(0)
        with pytest.raises(discord.LoginFailure):  # and is not asked again
            await process.keeper.identify(0)
    assert slept == [LONGEST_WAIT_S, ASK_AGAIN_S]
    assert "Connections that Discord still allows: 49. The bot connects again at " in logs[0]["reason"]


async def test_a_shard_identifies_once_the_database_answers_again(monkeypatch: pytest.MonkeyPatch) -> None:
    process, slept = Process(Cluster(answers=[StoreError("It is gone."), 0.0, 0.0, 3.0])), []
    cluster = process.cluster

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        cluster.acts_until = 0.0 if len(slept) == 1 else math.inf

    async def gateway(*_: object, **__: object) -> dict[str, Any]:
        assert cluster.acts_until, "nothing can be sent"
        return {"session_start_limit": {"remaining": 1000}}

    monkeypatch.setattr(process.keeper.client.http, "request", gateway)
    monkeypatch.setattr("asyncio.sleep", sleep)
    await process.keeper.identify(0)
    assert slept == [LOOK_S, LOOK_S]
    assert len(cluster.turns) == 1, "a turn whose answer was lost is its own"
    await process.keeper.identify(0)
    assert slept[2:] == [3.0], "another process had its turn"
    assert len(cluster.turns) == 2


def test_an_impossible_latency_is_not_reported_and_its_shard_counts_as_connected() -> None:
    no: Any = None
    keeper = ShardKeeper(no, no, no, (), no, no, no, no)
    for shard, seconds in enumerate((0.1, 41.3, float("inf"))):
        keeper._connections[shard] = cast(Any, (SimpleNamespace(latency=seconds), None))
        keeper._up.add(shard)
    assert keeper.latencies == {0: 0.1}
    assert keeper.unconnected == (2,)
