"""Opens lobbies, changes them and closes those that are not started. Every change is durable before it is seen."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from bot.game.rules.house_rules import check_table
from bot.game.rules.parts import Rules
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.clock import Clock
from bot.tables.jobs.closing_timers import ClosingTimers
from bot.tables.live_tables import LiveTables
from bot.tables.lobby.absence import Absence
from bot.tables.lobby.coaching import Coaching
from bot.tables.lobby.host_silence import HostSilence
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.lobby.place import Place
from bot.tables.match.table import Watcher
from bot.tables.table_store import TableStore

MOST_HOSTED: Final = 5
"""So many lobbies may one person have open in a server: enough for an evening with several tables."""

LobbyChange = Callable[[Lobby], Lobby | LobbyRefusal]

_Other = TypeVar("_Other")
_UNKNOWN: Final = LobbyRefusal(LobbyCode.UNKNOWN_TABLE)


class Lobbies:
    """The lobbies of all servers. A method raises StoreError when its change was not saved, and did not happen."""

    def __init__(self, live: LiveTables, clock: Clock, store: TableStore, watcher: Watcher, minutes: int) -> None:
        """`minutes`: a lobby that is not changed or started for this long is closed; 0: never."""
        self._live = live
        self._clock = clock
        self._store = store
        self._watcher = watcher
        self._open_ms = minutes * 60_000
        self._timers = ClosingTimers(clock, self._expire)
        self._being_opened: Counter[tuple[int, int | None]] = Counter()  # by server and host
        self.silence: Final = HostSilence(clock)
        self.close: Final = self._timers.stop
        self.reopening: Final = asyncio.Lock()
        """Held while a table is opened with the people of a former one; taken before the lock of any table."""

    async def open(
        self,
        *,
        place: Place,
        host: Player,
        rules: Rules,
        size: int,
        locale: str,
        random_teams: bool = True,
        wants_thread: bool = False,
        rule_set: str | None = None,
        theme: Theme = Theme.FRENCH,
        absence: Absence = Absence.ROBOT,
        afk_seconds: int | None = None,
        robots: Sequence[Player] = (),
        robot_level: RobotLevel = RobotLevel.REGULAR,
        coaching: Coaching = Coaching.NONE,
    ) -> Lobby | LobbyRefusal:
        """A lobby in which the host has the first seat, and `robots` the next ones.

        Raises RulesError when `size` players cannot play the rules.
        """
        if host.user_id is None:
            raise ValueError("a robot cannot be the host of a table")
        check_table(rules, size)
        return self._too_many(place.guild_id, host.user_id) or await self._open(
            Lobby(
                id=0,
                place=place,
                host_id=host.user_id,
                rules=rules,
                size=size,
                players=(host, *robots, *(None for _ in range(size - 1 - len(robots)))),
                random_teams=random_teams,
                locale=locale,
                opened_at=0,
                wants_thread=wants_thread,
                rule_set=rule_set,
                theme=theme,
                absence=absence,
                afk_seconds=afk_seconds,
                robot_level=robot_level,
                coaching=coaching,
            )
        )

    async def open_seated(self, lobby: Lobby) -> Lobby:
        """A lobby that the bot itself opens, its people on their seats; `lobby` has no id yet.

        It is opened however many lobbies its host has open. Raises RulesError when so many cannot play the rules.
        """
        check_table(lobby.rules, lobby.size)
        return await self._open(lobby)

    async def shuffle(self, guild_id: int, table_id: int, user_id: int) -> Lobby | LobbyRefusal:
        """A lobby with the people of a server's finished match, in random teams, for one of them.

        A second request returns the same lobby. It is opened however many lobbies its host has open: the match before
        it was played to its end.
        """

        async def shuffled(past: Lobby) -> Lobby | LobbyRefusal:
            if past.seat_of(user_id) is None:
                return LobbyRefusal(LobbyCode.NOT_SEATED)
            again = past.rematch()
            return again if isinstance(again, LobbyRefusal) else replace(again, random_teams=True)

        return await self.open_after(guild_id, table_id, shuffled)

    async def reopen(self, guild_id: int, table_id: int, host: Player, channel_id: int | None) -> Lobby | LobbyRefusal:
        """A lobby like one that expired in this channel; a second request returns the same lobby."""

        async def reopened(past: Lobby) -> Lobby | LobbyRefusal:
            if past.place.channel_id != channel_id:
                return _UNKNOWN
            return self._too_many(past.place.guild_id, host.user_id) or past.reopen(host)

        return await self.open_after(guild_id, table_id, reopened)

    async def update(self, table_id: int, change: LobbyChange) -> Lobby | LobbyRefusal:
        """Change an open lobby, such as `update(7, lambda lobby: lobby.join(player))`."""
        async with self._live.lock(table_id):
            lobby = self._live.open_lobby(table_id)
            if lobby is None:
                return self.not_open(table_id)
            changed = change(lobby)
            if isinstance(changed, LobbyRefusal) or changed == lobby:
                return changed
            changed = replace(changed, closes_at=self._closes_at())
            await self._store.save(changed)
            if changed.status is Status.OPEN:
                self.keep(changed)
            else:
                self.drop(table_id)
            return changed

    def heard(self, table_id: int, user_id: int) -> None:
        """A user pressed something at a table."""
        lobby = self._live.open_lobby(table_id)
        if lobby is not None:
            self.silence.heard(lobby, user_id)

    async def with_gates(self, lobby: Lobby) -> Lobby:
        """The lobby with what its server asks of a ranked table now."""
        return replace(lobby, gates=await self._store.gates(lobby.place.guild_id, self._clock.now()))

    def not_open(self, table_id: int) -> LobbyRefusal:
        """Why a table without an open lobby cannot be changed."""
        return _UNKNOWN if self._live.table(table_id) is None else LobbyRefusal(LobbyCode.NOT_OPEN)

    def keep(self, lobby: Lobby) -> None:
        """Hold an open lobby in memory until its `closes_at`."""
        self._live.keep(lobby)
        self._timers.set(lobby.id, lobby.closes_at)
        self.silence.changed(lobby)

    def bring_back(self, lobby: Lobby) -> None:
        """Hold an open lobby of a former run in memory."""
        self.silence.restored(lobby, None if lobby.closes_at is None else lobby.closes_at - self._open_ms)
        self.keep(lobby)

    def drop(self, table_id: int) -> None:
        """Remove a lobby from memory that is closed or becomes a match."""
        self._live.drop(table_id)
        self._timers.set(table_id, None)
        self.silence.forget(table_id)

    async def open_after(
        self, guild_id: int, table_id: int, change: Callable[[Lobby], Awaitable[Lobby | LobbyRefusal | _Other]]
    ) -> Lobby | LobbyRefusal | _Other:
        """The open lobby or match in a former table's place, else a new lobby that `change` makes of the table.

        A table of another server is unknown.
        """
        async with self.reopening, self._live.lock(table_id):
            again = self._live.opened_after(table_id)
            known = again or self._live.lobby(table_id) or await self._store.load(table_id)
            if known is None or known.place.guild_id != guild_id:
                return _UNKNOWN
            if again is not None:
                return again
            made = await change(known)
            return await self._open(made) if isinstance(made, Lobby) else made

    def _too_many(self, guild_id: int, host_id: int | None) -> LobbyRefusal | None:
        """Why somebody may not open a lobby in a server, or None."""
        own = () if host_id is None else reversed(self._live.alive_of(host_id))
        hosted = [lobby for lobby in own if lobby.host_id == host_id and lobby.status is Status.OPEN]
        places = tuple(lobby.place for lobby in hosted if lobby.place.guild_id == guild_id)
        is_full = len(places) + self._being_opened[guild_id, host_id] >= MOST_HOSTED
        return LobbyRefusal(LobbyCode.TOO_MANY, places=places) if is_full else None

    async def _open(self, lobby: Lobby) -> Lobby:
        opened = replace(lobby, opened_at=self._clock.now(), closes_at=self._closes_at())
        hosted_by = (lobby.place.guild_id, lobby.host_id)
        self._being_opened[hosted_by] += 1
        try:
            opened = await self.with_gates(opened)
            opened = replace(opened, id=await self._store.create(opened))
        finally:
            self._being_opened -= Counter([hosted_by])  # keeps no zeros
        self.keep(opened)
        return opened

    async def _expire(self, table_id: int) -> None:
        async with self._live.lock(table_id):
            lobby = self._live.open_lobby(table_id)
            if lobby is None or lobby.closes_at is None or lobby.closes_at > self._clock.now():
                return
            expired = lobby.expire()
            await self._store.save(expired)
            self.drop(table_id)
        self._watcher.closed(expired)

    def _closes_at(self) -> int | None:
        return self._clock.now() + self._open_ms if self._open_ms else None
