"""Lobbies: they are opened, changed, and closed if they are not started. Every change is durable before it is visible.

`Rematches` opens what follows a former table: a rematch, new teams, or a lobby like one that expired.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.worker import Workers
from bot.conditions import EntryRules
from bot.game.rules.house_rules import check_table
from bot.ladder.seasons import RankedRules
from bot.records.player import Player
from bot.tables.hub import Hub, LobbyChanged, TableClosed
from bot.tables.live_tables import LiveTables
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Away, Table
from bot.tables.servers.bans import BannedError, Bans
from bot.tables.table_store import TableStore

MOST_HOSTED: Final = 5
"""The most open lobbies of a host in a server: enough for an evening with several tables."""
MOST_PLAYED: Final = 5
"""The most running matches of their own at which the host of a new table may sit, paused ones included."""

CLOSING_RETRY_MS: Final = 60_000
"""Milliseconds until a closing that was not saved is retried."""
RETRY_MS: Final = 1_000
"""Milliseconds until a lobby of unknown outcome is reloaded, and until a failed reload is retried."""
PATIENCE_MS: Final = 60_000
RETURN_MS: Final = 20_000
"""Shortest time that the host has after a restart, during which no press has reached the bot."""

Lacking = Callable[[int, EntryRules, Collection[int]], Coroutine[Any, Any, frozenset[int]]]
"""Looks up which people do not meet entry rules: `(guild_id, entry, user_ids)`."""
LobbyChange = Callable[[Lobby], Lobby | LobbyRefusal]

UNKNOWN: Final = LobbyRefusal(LobbyCode.UNKNOWN_TABLE)

_Other = TypeVar("_Other")

_log = structlog.get_logger(__name__)


async def nobody_lacks(_guild_id: int, _entry: EntryRules, _user_ids: Collection[int]) -> frozenset[int]:
    """Return an empty set: the default if members are not looked up."""
    return frozenset()


@dataclass(eq=False)
class Lobbies:
    """The lobbies of all servers.

    A method raises StoreError if its change was not saved, and did not happen; BannedError if it would seat a banned
    person.

    - `_open_ms`: how long a lobby stays open that is neither changed nor started; 0 for ever.
    - `_read_again`: reloads a table from the store, under its lock.
    - `_lacking`: looks up who does not meet entry rules.
    """

    _live: LiveTables
    _clock: Clock
    _store: TableStore
    _bans: Bans
    _hub: Hub
    _open_ms: int
    _read_again: Callable[[int], Awaitable[None]]
    _lacking: Lacking
    _unsure: set[int] = field(default_factory=set, init=False)
    _being_opened: Counter[tuple[int, int | None]] = field(default_factory=Counter, init=False)
    """How many lobbies are just being opened, by server and host."""

    def __post_init__(self) -> None:
        clock = self._clock
        self._closing = Workers(clock, "closing", self._expire, retry_ms=CLOSING_RETRY_MS, label="table")
        self._settling = Workers(clock, "lobby", self._settle, retry_ms=RETRY_MS, label="table")
        self.silence = HostSilence(clock)

    async def close(self) -> None:
        """Stop all timers."""
        await self._closing.stop()
        await self._settling.stop()

    async def open(self, lobby: Lobby) -> Lobby | LobbyRefusal:
        """Open a lobby, unless its host has too many, and return it with its id. The caller publishes or starts it.

        Raises:
            RulesError: The rules do not allow so many players.
        """
        check_table(lobby.rules, lobby.size)
        await self._bans.check(lobby.place.guild_id, lobby.people)
        return self.too_many(lobby.place.guild_id, lobby.host_id) or await self.open_seated(lobby)

    async def open_seated(self, lobby: Lobby) -> Lobby:
        """Open a lobby, even if its host has too many, and return it with its id. Its people are not checked for bans.

        Raises:
            RulesError: The rules do not allow so many players.
        """
        check_table(lobby.rules, lobby.size)
        opened = replace(lobby, opened_at=self._clock.now(), closes_at=self._closes_at())
        hosted_by = (lobby.place.guild_id, lobby.host_id)
        self._being_opened[hosted_by] += 1
        try:
            opened = await self._with_levels(await self.with_ranked_rules(opened))
            opened = replace(opened, id=await self._store.create(opened))
        finally:
            self._being_opened -= Counter([hosted_by])  # keeps no zeros
        self.keep(opened)
        _log.info("table.opened", table=opened.id, server=opened.place.guild_id, seats=opened.size)
        return opened

    async def update(
        self, table_id: int, change: LobbyChange, agreed: Callable[[Lobby], bool] | None = None
    ) -> Lobby | LobbyRefusal:
        """Change an open lobby, as by `update(7, lambda lobby: lobby.join(player))`, and return it.

        Args:
            table_id: The lobby's id.
            change: Returns the changed lobby, or why it is refused.
            agreed: Whether the user has agreed to the change of this state of the lobby; if not, the change is refused
                with CHANGED_MEANWHILE. None if no agreement is needed.
        """
        async with self._live.lock(table_id):
            lobby = await self.current(table_id)
            if lobby is None:
                return self.not_open(table_id)
            if agreed is not None and not agreed(lobby):
                return LobbyRefusal(LobbyCode.CHANGED_MEANWHILE)
            changed = change(lobby)
            if isinstance(changed, LobbyRefusal) or changed == lobby:
                return changed
            changed = replace(changed, closes_at=self._closes_at())
            new = changed.people.keys() - lobby.people.keys()
            changed = await self._with_levels(changed, new)
            if new and changed.ranked_rules is not None and changed.ranked_rules.entry.requirements:
                changed = await self.with_ranked_rules(changed)
            with self.saving(table_id):
                await self._store.save(changed)
            self.keep_or_drop(changed)
        self.show(changed)
        return changed

    async def current(self, table_id: int) -> Lobby | None:
        """Return an open lobby as it is stored; None if there is none. The caller must hold the table's lock."""
        if table_id in self._unsure:
            await self._read_again(table_id)
            self._unsure.discard(table_id)
        return self._live.open_lobby(table_id)

    @contextmanager
    def saving(self, table_id: int) -> Iterator[None]:
        """Save a lobby in the `with` block. After an error, the outcome is unknown and the lobby is soon reloaded."""
        try:
            yield
        except BaseException:
            self._unsure.add(table_id)
            self._settling.wake_at(table_id, self._clock.now() + RETRY_MS)
            raise

    def show(self, lobby: Lobby) -> None:
        """Publish that a lobby was changed."""
        self._hub.publish(LobbyChanged(lobby))

    def record_press(self, table_id: int, user_id: int) -> None:
        """Record a press at an open lobby."""
        lobby = self._live.open_lobby(table_id)
        if lobby is not None:
            self.silence.record_press(lobby, user_id)

    async def with_ranked_rules(self, lobby: Lobby) -> Lobby:
        """Return the lobby with its server's present rules for ranked matches, and the people who do not meet them."""
        ranked_rules, lacking = await self.ranked_rules(lobby.place.guild_id, lobby.people)
        return replace(lobby, ranked_rules=ranked_rules, lacking=lacking)

    async def ranked_rules(self, guild_id: int, user_ids: Collection[int]) -> tuple[RankedRules | None, frozenset[int]]:
        """Return a server's present rules for ranked matches, and which of these people do not meet them.

        Discord's answers are cached for a minute, so that a night can look up all its players at once.
        """
        ranked_rules = await self._store.ranked_rules(guild_id, self._clock.now())
        if ranked_rules is None or not ranked_rules.entry.requirements:
            return ranked_rules, frozenset()
        return ranked_rules, await self._lacking(guild_id, ranked_rules.entry, user_ids)

    async def _with_levels(self, lobby: Lobby, new: Collection[int] = ()) -> Lobby:
        """Return the lobby with the levels of help that it lacks.

        Raises:
            BannedError: One of the `new` people is banned.
        """
        levels = await self._bans.admit(lobby.place.guild_id, new, lobby.help.unread)
        return replace(lobby, players=lobby.help.with_levels(levels)) if levels else lobby

    def not_open(self, table_id: int) -> LobbyRefusal:
        """Return why a table that is no open lobby cannot be changed."""
        return UNKNOWN if self._live.table(table_id) is None else LobbyRefusal(LobbyCode.NOT_OPEN)

    def keep(self, lobby: Lobby) -> None:
        """Keep an open lobby in memory until its `closes_at`."""
        self._live.keep(lobby)
        self._closing.wake_at(lobby.id, lobby.closes_at)
        self.silence.changed(lobby)

    def keep_or_drop(self, lobby: Lobby) -> None:
        """Keep a stored lobby in memory, or drop it if it is closed."""
        if lobby.status is Status.OPEN:
            self.keep(lobby)
        else:
            self.drop(lobby.id)

    def restore(self, lobby: Lobby) -> None:
        """Keep an open lobby of a former run in memory."""
        self.silence.restored(lobby, None if lobby.closes_at is None else lobby.closes_at - self._open_ms)
        self.keep(lobby)

    def drop(self, table_id: int) -> None:
        """Remove a lobby from memory, since it is closed or becomes a match."""
        self._live.drop(table_id)
        self._closing.wake_at(table_id, None)
        self._unsure.discard(table_id)
        self.silence.forget(table_id)

    def too_many(self, guild_id: int, host_id: int | None) -> LobbyRefusal | None:
        """Return why a person may not open another table in a server; None if they may."""
        if host_id is None:
            return None
        alive = reversed(self._live.alive_of(host_id))
        own = [lobby for lobby in alive if lobby.host_id == host_id and lobby.place.guild_id == guild_id]
        being_opened = self._being_opened[guild_id, host_id]
        waiting = tuple(lobby.place for lobby in own if lobby.status is Status.OPEN)
        if len(waiting) + being_opened >= MOST_HOSTED:
            return LobbyRefusal(LobbyCode.TOO_MANY, places=waiting)
        played = (lobby for lobby in own if lobby.status is Status.PLAYING and lobby.seat_of(host_id) is not None)
        playing = tuple(lobby.place for lobby in played)
        is_full = len(playing) + being_opened >= MOST_PLAYED
        return LobbyRefusal(LobbyCode.TOO_MANY_MATCHES, places=playing) if is_full else None

    async def _expire(self, table_id: int) -> None:
        async with self._live.lock(table_id):
            lobby = await self.current(table_id)
            if lobby is None or lobby.closes_at is None or lobby.closes_at > self._clock.now():
                return
            expired = lobby.closed(Status.EXPIRED)
            with self.saving(table_id):
                await self._store.save(expired)
            self.drop(table_id)
        self._hub.publish(TableClosed(expired))

    async def _settle(self, table_id: int) -> None:
        async with self._live.lock(table_id):
            await self.current(table_id)
        self._settling.drop(table_id)

    def _closes_at(self) -> int | None:
        return self._clock.now() + self._open_ms if self._open_ms else None


class HostSilence:
    """Decides who may start a lobby: its host and, once it is full and the host idle for a minute, every player.

    A quick start, which starts by itself, may be started by every player at once.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[int, int] = {}

    def changed(self, lobby: Lobby) -> None:
        """Start the host's idle time when a lobby becomes full; end it when it no longer is."""
        if lobby.is_full:
            self._since.setdefault(lobby.id, self._clock.now())
        else:
            self.forget(lobby.id)

    def restored(self, lobby: Lobby, changed_at: int | None) -> None:
        """Restore the host's idle time after a restart; `changed_at`: the lobby's last change, None if unknown."""
        if lobby.is_full:
            now = self._clock.now()
            earliest = now - PATIENCE_MS + RETURN_MS
            self._since[lobby.id] = now if changed_at is None else min(now, max(changed_at, earliest))

    def record_press(self, lobby: Lobby, user_id: int) -> None:
        """Restart the idle time if the host has pressed."""
        if user_id == lobby.host_id and lobby.id in self._since:
            self._since[lobby.id] = self._clock.now()

    def forget(self, table_id: int) -> None:
        """Stop watching a lobby's host."""
        self._since.pop(table_id, None)

    def refusal(self, lobby: Lobby, user_id: int) -> LobbyRefusal | None:
        """Return why a user may not start the lobby; None if they may. Other obstacles are not checked."""
        if lobby.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        if user_id == lobby.host_id or lobby.is_quick_start:
            return None
        since = self._since.get(lobby.id)
        if since is None:
            return LobbyRefusal(LobbyCode.HOST_STARTS)
        until = since + PATIENCE_MS
        return LobbyRefusal(LobbyCode.HOST_STARTS, until=until) if self._clock.now() < until else None


@dataclass(frozen=True, slots=True)
class PendingRematch:
    """A rematch of the finished match `past` that some players have requested; `awaited` are the others' user ids.

    It does not begin as long as one of these could still request it.
    """

    past: Lobby
    awaited: tuple[int, ...]


@dataclass(eq=False)
class Rematches:
    """Opens a table in place of a former one: one table, however often it is requested.

    Requests for a rematch are saved with the seats. A request of a banned person raises BannedError; the others play
    without them.
    """

    _live: LiveTables
    _lobbies: Lobbies
    _store: TableStore
    _bans: Bans
    _start: Callable[[int], Awaitable[Table | LobbyRefusal]]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while a table is opened with the people of a former one; acquired before the lock of a table."""

    async def ask(
        self, guild_id: int, table_id: int, user_id: int, gone: Collection[int] = ()
    ) -> Table | Lobby | PendingRematch | LobbyRefusal:
        """Request a rematch of a finished match; it starts with the same teams once all players have requested it.

        It does not wait for players that are `gone` from the server or play elsewhere: it is then a lobby with their
        seats free.

        Returns:
            - the match, if the rematch has started;
            - a lobby, if seats are free or the start was not saved, or the table that was opened after this match
                before;
            - the pending rematch, while players are awaited;
            - why it is refused.

        Raises:
            StoreError: Nothing was saved.
        """
        is_new = False

        async def request_rematch(past: Lobby) -> Lobby | PendingRematch | LobbyRefusal:
            nonlocal is_new
            is_new = True
            return await self._agreed(past, user_id, gone)

        opened = await self._open(guild_id, table_id, request_rematch)
        if is_new and isinstance(opened, Lobby) and opened.is_full:
            try:
                return await self._start(opened.id)
            except StoreError as error:
                _log.warning("rematch.not_started", table=opened.id, problem=str(error))
        return self._shown(opened)

    async def shuffle(self, guild_id: int, table_id: int, user_id: int) -> Lobby | LobbyRefusal:
        """Open a lobby with the people of a finished match and random teams, at the request of one of them.

        A second request returns the same lobby. The limit of open lobbies does not apply.
        """

        async def shuffled(past: Lobby) -> Lobby | LobbyRefusal:
            if past.seat_of(user_id) is None:
                return LobbyRefusal(LobbyCode.NOT_SEATED)
            again = await self._allowed(past.rematch(), user_id)
            return again if isinstance(again, LobbyRefusal) else replace(again, has_random_teams=True)

        return self._shown(await self._open(guild_id, table_id, shuffled))

    async def reopen(self, guild_id: int, table_id: int, host: Player, channel_id: int | None) -> Lobby | LobbyRefusal:
        """Open a lobby like the one that expired in this channel; a second request returns the same lobby."""

        async def reopened(past: Lobby) -> Lobby | LobbyRefusal:
            if past.place.channel_id != channel_id:
                return UNKNOWN
            refusal = self._lobbies.too_many(past.place.guild_id, host.user_id)
            return refusal or await self._allowed(past.reopen(host), host.user_id)

        return self._shown(await self._open(guild_id, table_id, reopened))

    async def _agreed(self, past: Lobby, user_id: int, gone: Collection[int]) -> Lobby | PendingRematch | LobbyRefusal:
        """Return the rematch's lobby, with those on their seats who can take part, once all of these requested it."""
        if past.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        again = await self._allowed(past.rematch(), user_id)
        if isinstance(again, LobbyRefusal):
            return again
        past = await self._noted(past, user_id)
        user_ids = [player.user_id for player in past.players if player is not None and player.user_id]
        away = {user_id: why for user_id in user_ids if (why := self._away(user_id, past, again, gone)) is not None}
        if (table := self._live.table(past.id)) is not None:
            table.away = away
        awaited = [user_id for user_id in user_ids if user_id not in past.wants_rematch or user_id in away]
        if again.people.keys() <= away.keys() or not {*awaited} <= away.keys():
            return PendingRematch(past, tuple(awaited))
        for absent_id in again.people.keys() & away.keys():
            left = again.leave(absent_id)
            assert isinstance(left, Lobby), "they sit there"
            again = left
        return replace(again, has_random_teams=False)

    def _away(self, user_id: int, past: Lobby, again: Lobby, gone: Collection[int]) -> Away | None:
        """Return why a player cannot take part in a rematch now; None if they can."""
        if user_id in gone or (past.seat_of(user_id) is not None and again.seat_of(user_id) is None):
            return Away.GONE
        tables = self._live.alive_of(user_id)
        plays = any(lobby.status is Status.PLAYING and lobby.seat_of(user_id) is not None for lobby in tables)
        return Away.ELSEWHERE if plays else None

    async def _allowed(self, again: Lobby | LobbyRefusal, user_id: int | None) -> Lobby | LobbyRefusal:
        """Return the lobby without its banned people.

        Raises:
            BannedError: The user is banned.
        """
        if isinstance(again, LobbyRefusal):
            return again
        banned = await self._bans.find_many(again.place.guild_id, again.people)
        if user_id is not None and user_id in banned:
            raise BannedError(user_id, banned[user_id])
        for other in banned:
            left = again.leave(other)
            assert isinstance(left, Lobby), "they sit there"
            again = left
        return again

    async def _noted(self, past: Lobby, user_id: int) -> Lobby:
        """Save a player's request for a rematch, and return the finished match's lobby with it."""
        if user_id in past.wants_rematch:
            return past
        await self._store.ask_for_rematch(past.id, user_id)
        past = replace(past, wants_rematch=past.wants_rematch | {user_id})
        table = self._live.table(past.id)
        if table is not None:
            table.lobby = past
        return past

    def _shown(self, outcome: _Other) -> _Other:
        if isinstance(outcome, Lobby):
            self._lobbies.show(outcome)
        return outcome

    async def _open(
        self, guild_id: int, table_id: int, change: Callable[[Lobby], Awaitable[Lobby | LobbyRefusal | _Other]]
    ) -> Lobby | LobbyRefusal | _Other:
        """Return the table that was opened in place of a former one, else open the lobby that `change` returns.

        A table of another server is refused as unknown.
        """
        async with self.lock, self._live.lock(table_id):
            again = self._live.opened_after(table_id)
            known = again or self._live.lobby(table_id) or await self._store.load(table_id)
            if known is None or known.place.guild_id != guild_id:
                return UNKNOWN
            if again is not None:
                return again
            made = await change(known)
            return await self._lobbies.open_seated(made) if isinstance(made, Lobby) else made
