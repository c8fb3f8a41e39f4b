"""Opens lobbies, starts and ends matches, and brings them back after a restart."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from random import Random
from typing import Final
from weakref import WeakValueDictionary

import structlog

from bot.errors import StoreError
from bot.game.decide import draw_sign_cards, start_match
from bot.game.events import Event
from bot.game.house_rules import check_table
from bot.game.rules import Rules
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.tables.absence import Absence
from bot.tables.breaking_off import BreakOff, break_off
from bot.tables.clock import Clock
from bot.tables.jobs.closing_timers import ClosingTimers
from bot.tables.journal import Entry, Journal
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.place import Place
from bot.tables.register import Register
from bot.tables.robot_seats import RobotFactory
from bot.tables.seating import Seating
from bot.tables.table import Table
from bot.tables.table_store import Damaged, SavedTable, TableStore
from bot.tables.watcher import Watcher

KEPT_OVER: Final = 32
"""So many finished matches stay in memory, to be looked at and played again."""

REPAIR: Final = "restore the last backup, or close the table with /kems end ({table})"
"""What can be done about a table that cannot be read."""

LobbyChange = Callable[[Lobby], Lobby | LobbyRefusal]

_log = structlog.get_logger(__name__)

_ALIVE: Final = (Status.OPEN, Status.PLAYING)
_BROKEN_OFF: Final = BreakOff()
_UNKNOWN: Final = LobbyRefusal(LobbyCode.UNKNOWN_TABLE)


class TableDirectory(Register):
    """Changes of a lobby are durable before they are seen."""

    def __init__(
        self,
        *,
        clock: Clock,
        store: TableStore,
        journal: Journal,
        rng: Random,
        watcher: Watcher,
        robots: RobotFactory,
        lobby_minutes: int = 0,
        paused_days: int = 0,
        photo_finish_ms: int = 0,
        afk_seconds: int = 0,
    ) -> None:
        """A lobby that nobody changes or starts for so many minutes is closed, and a match that is paused for so many
        days; 0: never.

        `photo_finish_ms`: for how long a call waits for others that were made before it (`bot.tables.table`);
        `afk_seconds`: for how long somebody at a match may do nothing before they are missed (`bot.tables.seating`),
        where a table does not say otherwise.
        """
        super().__init__()
        self._clock = clock
        self._lobby_ms = lobby_minutes * 60_000
        self._timers = ClosingTimers(clock, self._expire)
        self._store = store
        self._journal = journal
        self._rng = rng
        self._watcher = watcher
        self._make_robot = robots
        self._photo_finish_ms = photo_finish_ms
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.reopening: Final = asyncio.Lock()
        """Held while a table is opened with the people of a former one; taken before the lock of any table."""
        self.seating = Seating(
            clock=clock,
            store=store,
            rng=rng,
            watcher=watcher,
            afk_seconds=afk_seconds,
            paused_days=paused_days,
            lock=self._lock,
            finish=self.finish,
        )

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Something became durable at a match."""
        self.seating.changed(table, events)
        self._watcher.changed(table, events)

    async def open_lobby(
        self,
        *,
        place: Place,
        host: Player,
        rules: Rules,
        size: int,
        locale: str,
        random_teams: bool = True,
        rule_set: str | None = None,
        theme: Theme = Theme.FRENCH,
        absence: Absence = Absence.ROBOT,
        afk_seconds: int | None = None,
    ) -> Lobby:
        """A new lobby in which the host has the first seat.

        Raises:
            RulesError: so many cannot play by these rules.
            StoreError: it was not saved.
        """
        if host.user_id is None:
            raise ValueError("a robot cannot be the host of a table")
        check_table(rules, size)
        players = (host, *(None for _ in range(size - 1)))
        return await self._open(
            Lobby(
                id=0,
                place=place,
                host_id=host.user_id,
                rules=rules,
                size=size,
                players=players,
                random_teams=random_teams,
                locale=locale,
                opened_at=0,
                rule_set=rule_set,
                theme=theme,
                absence=absence,
                afk_seconds=afk_seconds,
            )
        )

    async def update(self, table_id: int, change: LobbyChange) -> Lobby | LobbyRefusal:
        """Change an open lobby, such as `update(7, lambda lobby: lobby.join(player))`.

        Raises:
            StoreError: the change was not saved, and did not happen.
        """
        async with self._lock(table_id):
            lobby = self._lobbies.get(table_id)
            if lobby is None:
                return self._not_open(table_id)
            changed = change(lobby)
            if isinstance(changed, LobbyRefusal) or changed == lobby:
                return changed
            changed = replace(changed, closes_at=self._closes_at())
            await self._store.save(changed)
            if changed.status is Status.OPEN:
                self._keep(changed)
            else:
                self._forget(table_id)
            return changed

    async def move(self, table_id: int, place: Place) -> None:
        """Remember where a table is shown now, and what its message says.

        Raises:
            StoreError: it was not saved.
        """
        async with self._lock(table_id):
            lobby = self.lobby(table_id)
            if lobby is not None and lobby.place == place:
                return
            await self._store.move(table_id, place)
            if lobby is not None and table_id in self._lobbies:
                self._lobbies[table_id] = lobby.shown_at(place)
            elif lobby is not None:
                table = self._tables[table_id]
                table.lobby = table.lobby.shown_at(place)  # its status may have changed meanwhile

    async def start(self, table_id: int) -> Table | LobbyRefusal:
        """Seat the players and begin the match; the watcher is told.

        Raises:
            StoreError: it was not saved, and the lobby is still open.
        """
        async with self._lock(table_id):
            lobby = self._lobbies.get(table_id)
            if lobby is None:
                return self._not_open(table_id)
            playing = (await self._gated(lobby)).start()
            if isinstance(playing, LobbyRefusal):
                return playing
            if playing.random_teams:
                playing = playing.seated(self._rng.sample(playing.players, playing.size))
            dealer = self._rng.randrange(playing.size)
            events = start_match(
                playing.rules,
                seats=playing.size,
                teams=playing.teams,
                dealer=dealer,
                now=self._clock.now(),
                strategies=playing.strategies,
                sign_cards=draw_sign_cards(playing.rules, playing.teams, self._rng),
            )
            await self._store.record_start(playing, events)
            self._forget(table_id)
            table = self._seat(playing, tuple(Entry(seq, event) for seq, event in enumerate(events, 1)))
        table.wake(events)
        await self._forget_oldest()
        return table

    async def finish(self, table_id: int, how: BreakOff = _BROKEN_OFF) -> None:
        """Take a match out of memory; one that is still being played is broken off.

        Raises:
            StoreError: the end was not saved, and the match goes on.
        """
        async with self._lock(table_id):
            table = self._tables.get(table_id)
            if table is None:
                return
            await table.close()
            is_broken_off = not table.is_over
            if is_broken_off:
                await break_off(table, how, self._store, self._clock.now())
            self._forget(table_id)
        if is_broken_off:
            self._watcher.closed(table.lobby)

    async def give_up(self, table_id: int) -> None:
        """Close a damaged table for good.

        Raises:
            StoreError: it was not saved.
        """
        async with self._lock(table_id):
            if table_id in self._damaged:
                await self._store.give_up(table_id)
                self._damaged.pop(table_id)

    async def forget(self, user_id: int) -> None:
        """Let go of the finished matches of somebody who is forgotten: soon the store has no name for them any more."""
        for table in self.tables():
            if table.is_over and table.seat_of(user_id) is not None:
                await self.finish(table.id)

    async def rematch(self, table_id: int, user_id: int) -> Lobby | LobbyRefusal:
        """A lobby with the people of a finished match, for one of them; asked for twice, it is the same lobby.

        Raises:
            StoreError: it was not saved.
        """
        return await self._open_after(
            table_id,
            lambda past: past.rematch() if past.seat_of(user_id) is not None else LobbyRefusal(LobbyCode.NOT_SEATED),
        )

    async def reopen(self, table_id: int, host: Player, channel_id: int | None) -> Lobby | LobbyRefusal:
        """A lobby like one that expired in this channel; asked for twice, it is the same lobby.

        Raises:
            StoreError: it was not saved.
        """
        return await self._open_after(
            table_id, lambda past: past.reopen(host) if past.place.channel_id == channel_id else _UNKNOWN
        )

    async def restore(self) -> None:
        """Bring back every open lobby and running match; one that could not be read is `damaged`, the others are back.

        The clocks of the matches stand still since the last sign of life in their logs, until `release`.

        Raises:
            StoreError: the store could not be read at all.
        """
        last_sign = unreadable = 0
        for saved in await self._store.load_live():
            damaged = saved if isinstance(saved, Damaged) else await self._bring_back(saved)
            if damaged is not None:
                unreadable += 1
                if damaged.status is not Status.OVER:
                    self._damaged[damaged.id] = damaged
                _log.error("table.unreadable", problem=str(damaged.problem), advice=REPAIR.format(table=damaged.id))
            elif isinstance(saved, SavedTable):
                last_sign = max((last_sign, *(entry.event.at for entry in saved.entries)))
        for table in self.tables():
            table.hold(last_sign)
        _log.info("house.restored", lobbies=len(self._lobbies), tables=len(self._tables), unreadable=unreadable)

    def hold(self, guild_ids: Collection[int] | None = None) -> None:
        """Discord, or some servers of it, are out of reach: no deadline falls due while nobody can act."""
        for table in self.tables_of(guild_ids):
            table.hold()

    async def release(self, guild_ids: Collection[int] | None = None) -> None:
        """People can act again: the clocks of all matches, or those of these servers, go on where they were."""
        tables = self.tables_of(guild_ids)
        await asyncio.gather(*(table.release() for table in tables))
        self.seating.start_anew(tables)

    async def close(self) -> None:
        """Stop all timers and robots; everything stays in the store for the next start."""
        await self._timers.stop()
        await self.seating.close()
        for table in self.tables():
            await table.close()

    async def _bring_back(self, saved: SavedTable) -> Damaged | None:
        """What is wrong with it, if anything is."""
        lobby = await self._gated(saved.lobby)
        if lobby.status is Status.OPEN:
            self._keep(lobby)
        elif lobby.status in (Status.PLAYING, Status.OVER):
            try:
                self._seat(lobby, saved.entries)
            except (ValueError, TypeError, LookupError) as error:
                problem = StoreError(f"Table {lobby.id} cannot be continued: its log does not replay ({error}).")
                return _damaged(lobby, problem)
        else:
            self._untold = (*self._untold, lobby)
        return None

    def _seat(self, lobby: Lobby, entries: tuple[Entry, ...]) -> Table:
        table = Table(
            lobby,
            entries,
            clock=self._clock,
            journal=self._journal,
            rng=self._rng,
            watcher=self,
            robots=self._make_robot,
            photo_finish_ms=self._photo_finish_ms,
        )
        self._tables[lobby.id] = table
        self.seating.watch(table)
        return table

    async def _open_after(self, table_id: int, change: LobbyChange) -> Lobby | LobbyRefusal:
        """The open lobby or match in a former table's place, else a new one that `change` makes of it."""
        async with self.reopening, self._lock(table_id):
            again = next(
                (lobby for lobby in self._all() if lobby.rematch_of == table_id and lobby.status in _ALIVE), None
            )
            if again is not None:
                return again
            past = self.lobby(table_id) or await self._store.load(table_id)
            made = _UNKNOWN if past is None else change(past)
            return made if isinstance(made, LobbyRefusal) else await self._open(made)

    async def _open(self, lobby: Lobby) -> Lobby:
        opened = replace(lobby, opened_at=self._clock.now(), closes_at=self._closes_at())
        opened = await self._gated(opened)
        opened = replace(opened, id=await self._store.create(opened))
        self._keep(opened)
        return opened

    async def _expire(self, table_id: int) -> None:
        """Raises StoreError when it was not saved, and the lobby is still open."""
        async with self._lock(table_id):
            lobby = self._lobbies.get(table_id)
            if lobby is None or lobby.closes_at is None or lobby.closes_at > self._clock.now():
                return
            expired = lobby.expire()
            await self._store.save(expired)
            self._forget(table_id)
        self._watcher.closed(expired)

    async def _gated(self, lobby: Lobby) -> Lobby:
        """The lobby, knowing what its server asks of a ranked table now."""
        return replace(lobby, gates=await self._store.gates(lobby.place.guild_id, self._clock.now()))

    def _closes_at(self) -> int | None:
        return self._clock.now() + self._lobby_ms if self._lobby_ms else None

    def _keep(self, lobby: Lobby) -> None:
        self._lobbies[lobby.id] = lobby
        self._timers.set(lobby.id, lobby.closes_at)

    def _all(self) -> tuple[Lobby, ...]:
        return (*self._lobbies.values(), *(table.lobby for table in self._tables.values()))

    def _not_open(self, table_id: int) -> LobbyRefusal:
        return LobbyRefusal(LobbyCode.NOT_OPEN) if table_id in self._tables else _UNKNOWN

    def _lock(self, table_id: int) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    def _forget(self, table_id: int) -> None:
        self._timers.set(table_id, None)
        self.seating.forget(table_id)
        self._lobbies.pop(table_id, None)
        self._tables.pop(table_id, None)

    async def _forget_oldest(self) -> None:
        over = [table for table in self._tables.values() if table.is_over]
        for table in over[: max(len(over) - KEPT_OVER, 0)]:
            await self.finish(table.id)


def _damaged(lobby: Lobby, problem: StoreError) -> Damaged:
    return Damaged(lobby.id, lobby.place, lobby.host_id, lobby.locale, lobby.opened_at, lobby.status, problem)
