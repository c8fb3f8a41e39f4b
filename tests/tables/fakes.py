"""Stand-ins for the Protocols: a journal that dawdles, fails or lies, a store in memory, a recorder."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from bot.base.errors import StoreError
from bot.game.actions import OpenHunt, ProposeSign
from bot.game.cards import HAND_SIZE
from bot.game.decide import start_match
from bot.game.events import CardsDealt, Event, HuntOpened, MatchEnded, PoolTurnedUp, SignSettled
from bot.game.rules import house_rules
from bot.game.rules.rules import Rules
from bot.game.signs import emoji_sign, one_sign
from bot.game.views import SeatView
from bot.ladder.seasons import RankedRules
from bot.records.player import HelpLevel, HelpSetting, Player
from bot.robots.level import Intent, RobotLevel
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, SeatsCalled, SeatsChanged, TableClosed
from bot.tables.lobby.lobby import Lobby, Status, new_lobby
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.robot_seats import RobotFactory
from bot.tables.match.table import Table, TableChanged
from bot.tables.match.table_actions import Refused, TableAction
from bot.tables.servers.bans import Ban, BanStore
from bot.tables.table_store import (
    DamagedTable,
    FormerSeat,
    LogEntry,
    SavedTable,
    SeatChanges,
    ServerFilter,
    all_servers,
)
from tests.rules.table import Table as Scene
from tests.tables.virtual import LoopClock

HERE = TableChannel(guild_id=1, channel_id=2, message_id=3)
PEOPLE = tuple(Player(name, 100 + seat) for seat, name in enumerate(("Ana", "Bruno", "Chloé", "Dora")))


@dataclass
class MemoryStore:
    """Store and journal over dicts. `delay` in seconds; `failing`: no use works; `lying`: it writes, then fails.

    `fails_at`: the number of the one use, as `uses` counts them, that does not work.
    """

    delay: float = 0.001
    failing: bool = False
    fails_at: int | None = None
    lying: bool = False
    lobbies: dict[int, Lobby] = field(default_factory=dict)
    logs: dict[int, list[LogEntry]] = field(default_factory=dict)
    problems: dict[int, StoreError] = field(default_factory=dict)
    departures: dict[tuple[int, int | None], FormerSeat] = field(default_factory=dict)
    uses: int = 0
    asked: RankedRules | None = None
    levels: dict[int, HelpLevel] = field(default_factory=dict)

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        await self._work()
        entries = self.logs.setdefault(match_id, [])
        assert first_seq == len(entries) + 1, "the log would get a gap or a fork"
        presses = [press_id, *(None for _ in events[1:])]
        for index, (event, press) in enumerate(zip(events, presses, strict=True)):
            entries.append(LogEntry(first_seq + index, event, press))
        if any(isinstance(event, MatchEnded) for event in events):
            self.lobbies[match_id] = replace(self.lobbies[match_id], status=Status.OVER)
        self._lie()

    async def read(self, match_id: int, first_seq: int) -> tuple[LogEntry, ...]:
        await self._work()
        return tuple(self.logs[match_id][first_seq - 1 :])

    async def ranked_rules(self, guild_id: int, at: int) -> RankedRules | None:
        return self.asked

    async def save_help_level(self, guild_id: int, user_id: int, name: str, level: HelpLevel) -> None:
        await self._work()
        self.levels[user_id] = level

    async def create(self, lobby: Lobby) -> int:
        await self._work()
        table_id = len(self.lobbies) + 1
        self.lobbies[table_id] = replace(lobby, id=table_id)
        return table_id

    async def save(self, lobby: Lobby) -> None:
        await self._work()
        self.lobbies[lobby.id] = lobby
        self._lie()

    async def move(self, table_id: int, place: TableChannel) -> None:
        await self._work()
        self.lobbies[table_id] = replace(self.lobbies[table_id], place=place)

    async def cancel_damaged(self, table_id: int) -> None:
        await self._work()
        self.lobbies[table_id] = replace(self.lobbies[table_id], status=Status.CANCELLED)

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        await self._work()
        self.lobbies[lobby.id] = lobby
        self.logs[lobby.id] = [LogEntry(seq, event) for seq, event in enumerate(events, 1)]
        self._lie()

    async def reseat(self, lobby: Lobby, changes: SeatChanges) -> None:
        await self._work()
        kept = self.lobbies[lobby.id]
        people = {
            "players": lobby.players,
            "host_id": lobby.host_id,
            "absence": lobby.absence,
            "is_ranked": lobby.is_ranked,
        }
        self.lobbies[lobby.id] = replace(kept, **people)  # type: ignore[arg-type]
        for user_id in changes.back:
            self.departures.pop((lobby.id, user_id), None)
        for seat, player in changes.gone:
            self.departures[lobby.id, player.user_id] = FormerSeat(seat, player.user_id == changes.sent_away)

    async def break_off(self, lobby: Lobby, changes: SeatChanges) -> None:
        await self.save(lobby)
        self.departures |= {
            (lobby.id, player.user_id): FormerSeat(seat, player.user_id == changes.sent_away)
            for seat, player in changes.gone
        }

    async def ask_for_rematch(self, table_id: int, user_id: int) -> None:
        await self._work()
        asked = self.lobbies[table_id].wants_rematch | {user_id}
        self.lobbies[table_id] = replace(self.lobbies[table_id], wants_rematch=asked)

    async def former(self, table_id: int, user_id: int) -> FormerSeat | None:
        await self._work()
        return self.departures.get((table_id, user_id))

    async def load(self, table_id: int) -> Lobby | None:
        await self._work()
        return self.lobbies.get(table_id)

    async def read_table(self, table_id: int) -> SavedTable | DamagedTable | None:
        await self._work()
        lobby = self.lobbies.get(table_id)
        return None if lobby is None else SavedTable(lobby, tuple(self.logs.get(table_id, ())))

    async def load_live(self, servers: ServerFilter = all_servers) -> AsyncIterator[SavedTable | DamagedTable]:
        await self._work()
        for lobby in tuple(self.lobbies.values()):
            if lobby.status in (Status.OPEN, Status.PLAYING) and servers(lobby.place.guild_id):
                problem = self.problems.get(lobby.id)
                entries = tuple(self.logs.get(lobby.id, ()))
                yield SavedTable(lobby, entries) if problem is None else _damaged(lobby, problem)

    async def _work(self) -> None:
        self.uses += 1
        await asyncio.sleep(self.delay)
        if self.failing or self.uses == self.fails_at:
            raise StoreError("The disk is full.")

    def _lie(self) -> None:
        if self.lying:
            raise StoreError("The connection was lost.")


def _damaged(lobby: Lobby, problem: StoreError) -> DamagedTable:
    return DamagedTable(lobby.id, lobby.place, lobby.host_id, lobby.locale, lobby.opened_at, lobby.status, problem)


class NoBans(BanStore):
    """The bans of servers that have none, until some people are `banned`."""

    def __init__(self) -> None:
        self.banned = set[int]()
        self.levels: Mapping[int, HelpLevel] = {}

    async def find(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, Ban]:
        return {one: Ban(one, at + 1) for one in user_ids if one in self.banned}

    async def newcomers(
        self, guild_id: int, user_ids: Collection[int], at: int
    ) -> tuple[Mapping[int, Ban], Mapping[int, HelpSetting]]:
        levels = {one: HelpSetting(level) for one, level in self.levels.items() if one in user_ids}
        return await self.find(guild_id, user_ids, at), levels


@dataclass
class Recorder:
    """Notes what the hub says, in order."""

    events: list[Event] = field(default_factory=list)
    broken: bool = False
    gone: list[Lobby] = field(default_factory=list)
    called: list[tuple[Sequence[int], int]] = field(default_factory=list)
    looks: int = 0

    def subscribe(self, hub: Hub) -> None:
        hub.subscribe(TableChanged, lambda changed: self.changed(changed.events))
        hub.subscribe(SeatsChanged, lambda _: self.changed(()))
        hub.subscribe(SeatsCalled, lambda called: self.called.append((called.seats, called.until - LoopClock().now())))
        hub.subscribe(TableClosed, lambda closed: self.gone.append(closed.lobby))

    def changed(self, events: Sequence[Event]) -> None:
        self.events.extend(events)
        self.looks += 1
        if self.broken:
            raise RuntimeError("the watcher is broken")


@dataclass
class ScriptedRobot:
    """Does what `script` says of its view; remembers when it was asked."""

    script: Callable[[SeatView], Intent | None]
    asked: list[int] = field(default_factory=list)

    def think(self, view: SeatView, now: int) -> Intent | None:
        self.asked.append(now)
        return self.script(view)


def idle_robot(_seat: int, _level: RobotLevel) -> ScriptedRobot:
    return ScriptedRobot(lambda _view: None)


@dataclass
class World:
    """A directory and all its parts; `restarted` is another one over the same store."""

    store: MemoryStore = field(default_factory=MemoryStore)
    watcher: Recorder = field(default_factory=Recorder)
    robots: RobotFactory = idle_robot
    seed: int = 7
    lobby_minutes: int = 0
    paused_days: int = 0
    photo_finish_ms: int = 0
    afk_seconds: int = 0
    bans: NoBans = field(default_factory=NoBans)
    newcomers: set[int] = field(default_factory=set)
    """User ids of people who lack whatever ranked matches ask for."""

    def __post_init__(self) -> None:
        self.directory = self.new_directory()

    def new_directory(self) -> TableDirectory:
        """One that is empty yet, with a hub of its own."""
        self.hub, self.bans.levels = Hub(), self.store.levels
        self.watcher.subscribe(self.hub)
        return TableDirectory(
            clock=LoopClock(),
            store=self.store,
            journal=self.store,
            bans=self.bans,
            rng=Random(self.seed),
            hub=self.hub,
            robots=self.robots,
            lobby_minutes=self.lobby_minutes,
            paused_days=self.paused_days,
            photo_finish_ms=self.photo_finish_ms,
            afk_seconds=self.afk_seconds,
            lacking=self._lacking,
        )

    async def _lacking(self, _guild_id: int, _entry: object, user_ids: Collection[int]) -> frozenset[int]:
        return frozenset(self.newcomers.intersection(user_ids))

    async def restarted(self) -> "World":
        await self.directory.close()
        again = replace(self, watcher=Recorder(), seed=self.seed + 1)
        await again.directory.restore()
        await again.directory.resume()
        return again

    async def lobby(self, *, robots: int = 0, people: Sequence[Player] = PEOPLE, **rules: object) -> Lobby:
        """A full lobby whose seats are kept; the last seats are robots'."""
        new = replace(a_lobby(people[0], rules=classic(**rules)), has_random_teams=False)
        lobby = ok(await self.directory.lobbies.open(new))
        for player in (*people[1 : 4 - robots], *(Player(f"Robot {n}") for n in range(robots))):
            lobby = ok(await self.directory.lobbies.update(lobby.id, lambda now, player=player: now.join(player)))
        return lobby

    async def table(self, *, robots: int = 0, **rules: object) -> Table:
        table = await self.directory.start((await self.lobby(robots=robots, **rules)).id)
        assert not isinstance(table, LobbyRefusal)
        return table

    async def hunting(self, *, robots: int = 0, **rules: object) -> Table:
        """A match whose first hunt is open."""
        table = await self.table(robots=robots, **rules)
        for team in range(2):
            await done(table, ProposeSign(team, one_sign(emoji_sign("👀" if team else "🍀"))))
            partner = table.player_view(team + 2)
            await done(table, next(action for action in partner.legal if type(action).__name__ == "AcceptSign"))
        await done(table, OpenHunt(table.table_view().dealer))
        return table


async def dealt(world: World, scene: Scene) -> Table:
    """A match that stands as a scene of the rules' tests does: `Scene(hands={"A": "7S 7H 7D 7C"})`, the hunt open."""
    lobby = await world.lobby()
    now, state = LoopClock().now(), scene.state
    seats = [(scene.dealer + 1 + turn) % len(state.seats) for turn in range(len(state.seats))]
    hands = [state.seats[seat].cards[turn] for turn in range(HAND_SIZE) for seat in seats]
    events: list[Event] = [
        *start_match(
            scene.rules,
            seats=len(state.seats),
            teams=len(state.teams),
            dealer=scene.dealer,
            now=now,
            strategies=state.strategies,
        ),
        *(SignSettled(now, number, team.plan) for number, team in enumerate(state.teams) if team.plan is not None),
        CardsDealt(now, 1, scene.dealer, (*hands, *state.pool_cards, *state.stock)),
        PoolTurnedUp(now, state.pool_cards),
        HuntOpened(now),
    ]
    world.store.lobbies[lobby.id] = replace(lobby, rules=scene.rules, status=Status.PLAYING)
    world.store.logs[lobby.id] = [LogEntry(seq, event) for seq, event in enumerate(events, 1)]
    world.directory = world.new_directory()
    await world.directory.restore()
    await world.directory.resume()
    table = world.directory.table(lobby.id)
    assert table is not None
    return table


def a_lobby(
    host: Player = PEOPLE[0],
    *,
    place: TableChannel = HERE,
    rules: Rules | None = None,
    size: int = 4,
    robots: Sequence[Player] = (),
) -> Lobby:
    """One of classic Kems that is not opened yet."""
    lobby = new_lobby(place=place, host=host, rules=rules or classic(), size=size, locale="fr")
    return replace(lobby, players=(host, *robots, *lobby.players[1 + len(robots) :]))


def classic(**rules: object) -> Rules:
    return house_rules.override(house_rules.preset("classic"), {name: str(value) for name, value in rules.items()})


def ok(changed: object) -> Lobby:
    """The lobby after a change or an opening, which was not refused."""
    assert isinstance(changed, Lobby), changed
    return changed


async def done(table: Table, action: TableAction, press_id: int | None = None) -> tuple[Event, ...]:
    answer = await table.submit(action, press_id=press_id)
    assert not isinstance(answer, Refused), answer
    return answer
