"""Whole nights in virtual time: people who play by a script, a store in memory, a face that writes down."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from random import Random

from bot.base.errors import StoreError
from bot.game.actions import CallKems, NextRound, OpenHunt, ProposeSign
from bot.game.events import Phase
from bot.game.signs import HOUSE_SIGNS, emoji_sign, one_sign
from bot.game.views import PlayerView
from bot.nights.formats import ROTATION, format_of
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.plan import Format, NightPlan
from bot.nights.posts import Honour
from bot.nights.rounds import NightTable, Pairing
from bot.robots.level import Intent
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, NightChanged, PersonBanned, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.lobby.lobby import Status
from bot.tables.match.robot_seats import RobotSeats
from bot.tables.match.table import Table, TableChanged
from bot.tables.nights.live_nights import LiveNights
from bot.tables.nights.night_runner import NightRunner
from bot.tables.nights.round_tables import NoPlaceError, RoundTables
from bot.tables.nights.running_night import MatchScore
from bot.tables.table_store import ServerFilter, all_servers
from tests.nights.evenings import PLAN
from tests.tables.fakes import MemoryStore, NoBans, ScriptedRobot, classic
from tests.tables.virtual import EPOCH, LoopClock

GUILD, CHANNEL, HOST = 1, 2, 900
MINUTE = 60_000


@dataclass
class MemoryNights:
    """`failing`: no use works. With the save `dies_at` the process is killed, right before it if it `is_lost`."""

    tables: MemoryStore
    nights: dict[int, Night] = field(default_factory=dict)
    failing: bool = False
    saves: int = 0
    dies_at: int | None = None
    is_lost: bool = False
    is_dead: bool = False

    async def create(self, night: Night, former: Night | None = None) -> Night:
        await self._work()
        created = replace(night, id=len(self.nights) + 1, number=len(self.nights) + 1)
        if former is not None:
            self._put(former)
        self.nights[created.id] = created
        return created

    async def save(self, night: Night) -> None:
        await self._work()
        is_last = self.saves + 1 == self.dies_at
        if not (is_last and self.is_lost):
            self._put(night)
        if is_last:
            self.dies_at, self.is_dead = None, True
            await asyncio.get_running_loop().create_future()

    async def load(self, night_id: int) -> Night | None:
        await self._work()
        return self.nights.get(night_id)

    async def load_live(self, servers: ServerFilter = all_servers) -> tuple[Night, ...]:
        await self._work()
        return tuple(night for night in self.nights.values() if servers(night.guild_id) and not night.is_wound_up)

    async def score(self, table_id: int) -> MatchScore | None:
        await self._work()
        lobby = self.tables.lobbies[table_id]
        return MatchScore((1, 0), (1, 0)) if lobby.status is Status.OVER else None

    def _put(self, night: Night) -> None:
        stored = self.nights[night.id]
        if stored.version + 1 != night.version:
            raise StoreError(f"The night is at version {stored.version}, not before {night.version}.")
        self.nights[night.id] = night
        self.saves += 1

    async def _work(self) -> None:
        await asyncio.sleep(0.001)
        if self.failing:
            raise StoreError("The disk is full.")


@dataclass
class Face:
    """Discord, which outlives the process: `threads` by night, round, table."""

    threads: dict[tuple[int, int, int], int] = field(default_factory=dict)
    refuses: int = 0
    left: set[int] = field(default_factory=set)
    has_no_place: bool = False
    has_posted: bool = True
    places: int | None = None
    hangs: int = 0
    most: int | None = None
    limited_until: int | None = None
    asked: list[tuple[int, int]] = field(default_factory=list)
    questions: list[tuple[int, ...]] = field(default_factory=list)
    told: list[int] = field(default_factory=list)

    async def gone(self, night: Night) -> Collection[int]:
        return self.left

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        await asyncio.sleep(0.2)
        if self.refuses:
            self.refuses -= 1
            return None
        if self.has_no_place or len(self.threads) == self.places:
            raise NoPlaceError
        if self.threads_from(night) is not None:
            return None
        if self.most is not None and len(self.threads) == self.most:
            self.limited_until = LoopClock().now() + 20 * MINUTE
            return None
        if self.hangs:  # as discord.py does where a bucket is empty: the thread is made, the call goes on for minutes
            self.hangs -= 1
            self._made(night, table)
            await asyncio.sleep(300)
        return self._made(night, table)

    def threads_from(self, night: Night) -> int | None:
        at = self.limited_until
        if at is not None and at <= LoopClock().now():
            self.most = self.limited_until = None
        return self.limited_until

    def _made(self, night: Night, table: NightTable) -> int:
        return self.threads.setdefault((night.id, len(night.rounds), table.number), 10_000 + len(self.threads))

    def is_posted(self, night: Night) -> bool:
        return self.has_posted

    async def is_notified(self, night: Night) -> bool:
        self.told.append(night.id)
        return True

    def night_changed(self, changed: NightChanged) -> None:
        night = changed.night
        question = tuple(table.number for table in night.tables_awaiting_host)
        if question != (self.questions[-1] if self.questions else ()):
            self.questions.append(question)
        self.asked += [one for one in ((len(night.rounds), number) for number in question) if one not in self.asked]


class People:
    """Everybody who came: they sign, play a while, call too early, go on.

    `idle` are user ids that do nothing; `deaf` ones play, but do not answer when they are called.
    """

    def __init__(self, directory: TableDirectory, hub: Hub, seed: int) -> None:
        self.directory = directory
        self.rng = Random(seed)
        self.idle: set[int] = set()
        self.deaf: set[int] = set()
        self._seats: dict[int, RobotSeats] = {}
        hub.subscribe(TableChanged, self.changed)
        hub.subscribe(TableClosed, self.closed)
        hub.subscribe(SeatsCalled, self.called)

    def changed(self, changed: TableChanged) -> None:
        table = changed.table
        if table.is_over:
            return
        seats = self._seats.get(table.id)
        if seats is None:
            seats = self._seats[table.id] = RobotSeats(
                table.id,
                lambda seat, _level: ScriptedRobot(lambda view: played(view, self.rng)),
                LoopClock(),
                table.player_view,
                lambda action: self._submit(table, action),
            )
        people = table.lobby.people
        seats.seat({seat: table.lobby.robot_level for user_id, seat in people.items() if user_id not in self.idle})
        seats.rethink()

    def closed(self, closed: TableClosed) -> None:
        if closed.lobby.id in self._seats:
            self._seats.pop(closed.lobby.id).stop()

    def called(self, called: SeatsCalled) -> None:
        table = called.table
        for user_id, seat in table.lobby.people.items():
            if seat in called.seats and user_id not in self.idle | self.deaf:
                asyncio.get_running_loop().call_later(5, self._answer, table, user_id)

    def _answer(self, table: Table, user_id: int) -> None:
        self._answers = asyncio.ensure_future(self.directory.seating.seen(table, user_id))

    async def _submit(self, table: Table, action: object) -> object:
        answer = await table.submit(action)  # type: ignore[arg-type]
        user_id = None if (player := table.lobby.players[getattr(action, "seat", 0) or 0]) is None else player.user_id
        if user_id is not None:
            await self.directory.seating.seen(table, user_id)
        return answer


def played(view: PlayerView, rng: Random) -> Intent | None:
    table = view.table
    match table.phase:
        case Phase.SIGNS:
            accept = next((move for move in view.legal if type(move).__name__ == "AcceptSign"), None)
            if accept is not None:
                return Intent(accept, 2_000)
            if view.plan is None and view.proposal is None:
                return Intent(ProposeSign(view.seat, one_sign(emoji_sign(HOUSE_SIGNS[view.team]))), 3_000)
        case Phase.READY if table.dealer == view.seat:
            return Intent(OpenHunt(view.seat), 2_000)
        case Phase.HUNT if (table.round + table.dealer) % len(table.seats) == view.seat:
            return Intent(CallKems(view.seat), rng.randrange(15_000, 55_000))
        case Phase.OVER if table.dealer == view.seat:
            return Intent(NextRound(view.seat), 5_000)
    return None


async def at_once(night: Night) -> Pairing:
    """Pairs in the loop itself: no thread, whose time a virtual loop does not know."""
    return format_of(night).pair(night, Random(f"{night.seed} {len(night.rounds)} {night.version}"))


def planned(kind: Format = ROTATION, **changes: object) -> NightPlan:
    plan = replace(PLAN.moved_to(EPOCH + 60 * MINUTE), format=kind, rules=classic(), channel_id=CHANNEL)
    return replace(plan, **changes)  # type: ignore[arg-type]


class Evening:
    """A bot with its tables and nights. `restarted` is another one over the same stores and the same Discord."""

    def __init__(
        self,
        *,
        seed: int = 7,
        tables: MemoryStore | None = None,
        nights: MemoryNights | None = None,
        face: Face | None = None,
    ) -> None:
        self.seed = seed
        self.tables = tables or MemoryStore()
        self.store = nights or MemoryNights(self.tables)
        self.face = face or Face()
        self.bans, rng, hub = NoBans(), Random(seed), Hub()
        self.hub = hub
        self.directory = TableDirectory(
            clock=LoopClock(),
            store=self.tables,
            journal=self.tables,
            bans=self.bans,
            rng=rng,
            hub=hub,
            robots=lambda _seat, _level: ScriptedRobot(lambda view: played(view, rng)),
            afk_seconds=60,
        )
        self.people = People(self.directory, hub, seed)
        self.live = LiveNights(clock=LoopClock(), store=self.store, directory=self.directory, hub=hub, rng=rng)
        tables = RoundTables(LoopClock(), self.store, self.directory, self.face, rng)
        self.runner = NightRunner(self.live, tables, LoopClock(), hub, self.face, no_role, nothing_special, at_once)
        hub.subscribe(TableChanged, self.runner.table_changed)
        hub.subscribe(SeatsCalled, self.runner.seats_changed)
        hub.subscribe(SeatsChanged, self.runner.seats_changed)
        hub.subscribe(TableClosed, self.runner.table_closed)
        hub.subscribe(NightChanged, self.runner.night_changed, self.face.night_changed)
        hub.subscribe(PersonBanned, self.live.banned)

    async def restarted(self, *, away_s: float = 5.0) -> "Evening":
        """The process dies: what it has in memory is lost, and nothing that it was about to do happens."""
        self.die()
        await asyncio.sleep(away_s)
        again = Evening(seed=self.seed + 1, tables=self.tables, nights=self.store, face=self.face)
        again.people.idle = self.people.idle
        await again.directory.restore()
        await again.live.restore()
        await again.directory.resume([GUILD])
        again.runner.servers_reached(ServersReached([GUILD]))
        return again

    def die(self) -> None:
        """End every task but the one that calls, and every timer of this process."""
        current = asyncio.current_task()
        for task in asyncio.all_tasks():
            if task is not current:
                task.cancel()
        loop = asyncio.get_running_loop()
        for timer in [timer for timer in loop._scheduled if not timer.cancel()]:  # type: ignore[attr-defined]
            timer.cancel()

    async def night(self, plan: NightPlan, people: int, *, paired: bool = False) -> Night:
        """A planned night for which so many people have signed up, in pairs if `paired`."""
        night = await self.live.plan(guild_id=GUILD, host_id=HOST, locale="fr", plan=plan)
        for number in range(people):
            await self.join(night.id, 100 + number)
        if paired:
            for number in range(0, people - 1, 2):
                await self.live.update(night.id, lambda night, n=number: night.pair(n, n + 1))
        return self.now(night.id)

    async def join(self, night_id: int, user_id: int) -> Night:
        changed = await self.live.update(night_id, lambda n: sign_up.join(n, user_id, f"P{user_id}", LoopClock().now()))
        assert isinstance(changed, Night), changed
        return changed

    def now(self, night_id: int) -> Night:
        """The night as it is, also once it has left memory."""
        return self.live.night(night_id) or self.store.nights[night_id]

    async def until(self, night_id: int, holds: Callable[[Night], bool]) -> Night:
        """Wait for it, ten hours at the most."""
        for _ in range(10 * 3600):
            if holds(self.now(night_id)):
                return self.now(night_id)
            await asyncio.sleep(1)
        raise AssertionError(f"it did not come: {self.now(night_id)}")

    async def over(self, night_id: int) -> Night:
        return await self.until(night_id, lambda night: night.status is NightStatus.OVER)

    async def reviewed(self, night_id: int) -> Night:
        """Wait until the morning after it is over."""
        over = await self.over(night_id)
        await asyncio.sleep(24 * 3600)
        return over

    def matches(self) -> Counter[Status]:
        return Counter(lobby.status for lobby in self.tables.lobbies.values())


async def no_role(_night: Night) -> bool:
    return True


async def nothing_special(_night: Night) -> tuple[Honour, ...]:
    return ()


def partners(night: Night) -> list[frozenset[int]]:
    return [
        frozenset(seat for seat in table.members(team) if seat is not None)
        for turn in night.rounds
        for table in turn.tables
        for team in range(table.teams)
    ]


def seated(night: Night, round_number: int) -> Collection[int]:
    turn = night.rounds[round_number - 1]
    return [seat for table in turn.tables for seat in table.seats if seat is not None]
