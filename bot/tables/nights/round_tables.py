"""The tables of a running round: they are opened, timed, and their results recorded, also of tables that stop.

Desired and actual state are reconciled, so that the work may be repeated after a crash and does nothing twice.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Protocol

import structlog

from bot.base.clock import Clock
from bot.game.actions import CallTime
from bot.game.rules.house_rules import for_players
from bot.game.value import stamp
from bot.game.views import TableView
from bot.nights.changes import NightCode, NightRefusedError, StepKind, if_unchanged
from bot.nights.night import Night
from bot.nights.rounds import NightTable, Presence, ResultKind, TableResult
from bot.nights.steps import pause_without_channel, resume_with_channel
from bot.records.player import Player
from bot.robots.level import unused_name
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Resume, TableRefusal
from bot.tables.nights.running_night import ANNULLED, MatchScore, NightChange, NightStore, RunningNight


class NoPlaceError(Exception):
    """A table has no place in the night's channel, and people have to do something about that."""


class NightFace(Protocol):
    """Does on Discord what a night needs. Every method is idempotent, since it is called again after a crash.

    If an awaited method fails for a temporary reason, it returns False or None, and is called again later.
    """

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        """Open the thread of a table, mention its people there once, and return its id; None if not possible now.

        If a thread was opened for this table before a crash, that one is found again.

        Raises:
            NoPlaceError: It is not possible until people have done something; the host is told what.
        """

    async def gone(self, night: Night) -> Collection[int]:
        """Return the user ids of the entrants who have left the server, as far as Discord answers."""

    def threads_from(self, night: Night) -> int | None:
        """Return when Discord's rate limit allows threads again (Unix milliseconds); None if it does now."""

    def is_posted(self, night: Night) -> bool:
        """Return whether all posts of a night are up to date, as far as Discord accepts them."""

    async def is_notified(self, night: Night) -> bool:
        """Return whether all messages about a finished night have been sent."""


AFK_SECONDS: Final = 60
"""Seconds without a move until a player is called; half a minute later a robot plays for them."""
OVERTIME_MS: Final = 5 * 60_000
"""Milliseconds after the end of a round's time in which tables may finish their running matches."""
DESERTED_MS: Final = 3 * 60_000
"""Milliseconds to wait for the people or the host of a table whose match was broken off, or that everybody left."""
PLACE_MS: Final = 30_000
"""Milliseconds until a night without a channel for its tables tries again."""
REST_MS: Final = 10 * 60_000
"""Milliseconds for which people may pause their table."""
RETRY_MS: Final = 5_000
"""Milliseconds until a failed attempt to open a thread is repeated."""
CALLS_MS: Final = 1_000
"""Milliseconds until time is called again; during a photo finish, calling it fails."""
THREAD_S: Final = 10.0
"""Longest wait, in seconds, for a new thread.

Discord accepts 50 in five minutes, and for the last of them discord.py only returns when the five minutes are over.
That thread exists all the same, and is found by the next attempt.
"""
PATIENCE_MS: Final = 60_000
"""Milliseconds of attempts to open a thread, after which the night is paused."""
AT_ONCE: Final = 4
"""How many tables are opened at a time, so that other work goes on."""

_Key = tuple[int, int, int, int, int | None]

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class RoundTables:
    """The tables of all running nights.

    - `_asked`: until when the host may decide about a table, by table.
    - `_unplaced`: since when a table has had no thread, by table.
    - `_absent`: the entrants who were absent when a match was last looked at, by match.
    """

    _clock: Clock
    _store: NightStore
    _directory: TableDirectory
    _face: NightFace
    _rng: Random
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE), init=False)
    _asked: dict[_Key, int] = field(default_factory=dict, init=False)
    _unplaced: dict[_Key, int] = field(default_factory=dict, init=False)
    _absent: dict[int, frozenset[int]] = field(default_factory=dict, init=False)

    async def tend(self, running: RunningNight) -> int | None:
        """Do what the tables of the current round need.

        Returns:
            When to call it again (Unix milliseconds); None if not before another event.

        Raises:
            StoreError: Something was not saved; the next call does what is missing.
        """
        last = running.night.round
        if last is None:
            return None
        tries_at = await self._try_place(running) if running.night.is_unplaced else None
        await self._look_up_players(running.night, last.tables)
        turns = (self._tend(running, table.number) for table in last.tables)
        done = await asyncio.gather(*turns, return_exceptions=True)
        await self._ask_host(running)
        for problem in done:
            if isinstance(problem, BaseException):
                raise problem
        return min((at for at in (tries_at, *done) if isinstance(at, int)), default=None)

    async def _look_up_players(self, night: Night, tables: Sequence[NightTable]) -> None:
        """Look up the players of all tables that are to begin at once, so that later look-ups are cached."""
        seated = [seat for table in tables if table.result is None and table.table_id is None for seat in table.seats]
        found = (night.entrants[number].user_id for number in seated if number is not None)
        if user_ids := {user_id for user_id in found if user_id is not None}:
            await self._directory.lobbies.ranked_rules(night.guild_id, user_ids)

    def broken_off(self, night: Night, table_id: int) -> None:
        """Record who was absent when a match was broken off, since that is not known later."""
        table = night.table_at(table_id)
        if table is not None:
            late = frozenset(number for seat in self._late(table_id) if (number := table.seats[seat]) is not None)
            self._absent[table_id] = self._absent.get(table_id, frozenset()) | late

    async def _ask_host(self, running: RunningNight) -> None:
        """Save about which tables the host has to decide, for all tables at once."""
        await running.update(
            lambda night: night.ask_host({
                table.number: until
                for table in night.latest_tables
                if table.result is None and (until := self._asked.get(_key(night, table))) is not None
            })
        )  # fmt: skip

    def forget(self, night_id: int) -> None:
        """Forget a night's tables."""
        self._asked = {key: at for key, at in self._asked.items() if key[0] != night_id}
        self._unplaced = {key: at for key, at in self._unplaced.items() if key[0] != night_id}

    async def _tend(self, running: RunningNight, number: int) -> int | None:
        night, table = running.night, running.night.table(number)
        assert table is not None, "tables are added to a round, never taken from it"
        live = None if table.table_id is None else self._directory.table(table.table_id)
        if table.result is not None:
            absent = self._absent.get(table.table_id or 0, frozenset()).difference(table.no_shows)
            saved: Night | NightCode = night
            if absent:  # the host entered the result
                saved = await running.update(_at(night, table, lambda night: night.mark_no_shows(number, absent)))
            if isinstance(saved, Night):
                self._absent.pop(table.table_id or 0, None)
            if live is not None and not live.is_over:
                await self._directory.remove_match(live.id, ANNULLED)
            return None
        if table.table_id is None:
            return await self._begin(running, table)
        if live is None:
            return await self._go_on_with_absent(running, table)
        if live.is_over:
            await self._end(running, night, table, self._result(night, table, live.table_view()), live)
            return None
        await self._send_away(night, table, live)
        self._absent[live.id] = self._missing(night, table, live)
        return await self._keep_time(running, night, table, live)

    async def _send_away(self, night: Night, table: NightTable, live: Table) -> None:
        """Replace people whom the host has removed from this match by robots; they lose a ranked match."""
        for done in night.steps:
            is_from_here = done.step.kind is StepKind.DROP and done.step.table == table.number
            is_now = done.step.round == len(night.rounds) and done.at >= live.lobby.opened_at
            person = night.entrant(done.step.entrant)
            if not (is_from_here and is_now) or done.undone_at is not None or person is None:
                continue
            if person.user_id is not None and live.lobby.seat_of(person.user_id) is not None:
                await self._directory.seating.kick(
                    live, person.user_id, by_id=done.by or 0, is_moderator=True, is_charged=True
                )

    # ------------------------------------------------------------------ opening

    async def _begin(self, running: RunningNight, table: NightTable) -> int | None:
        night = running.night
        if night.paused_at is not None or table.paused_at is not None:
            return None
        if night.called_at(table, self._clock.now()) is not None:
            await self._end(running, night, table, TableResult((0,) * table.teams, ResultKind.FORFEIT))
            return None
        async with self._slots:
            try:
                thread_id = table.thread_id or await self._thread_for(night, table)
            except NoPlaceError:
                return await self._stand_still(running, night, table)
            if thread_id is None:
                return await self._wait_for_place(running, night, table)
            self._unplaced.pop(_key(night, table), None)
            if table.thread_id is None:
                opened = _at(night, table, lambda night: night.open_table(table.number, thread_id=thread_id))
                if isinstance(await running.update(opened), NightCode):
                    return self._clock.now()  # the thread is found again, where it is asked for again
            seated = self._seated(night, table, thread_id)
            lobby = self._directory.lobby_in(thread_id)
            if lobby is None or not _are_same(lobby.players, seated.players):
                lobby = await self._directory.lobbies.open_seated(seated)
            if lobby.status is Status.OPEN:
                begun = await self._directory.start(lobby.id, is_friendly=not night.plan.is_ranked)
                if isinstance(begun, LobbyRefusal):
                    _log.warning("night.table_not_begun", night=night.id, table=lobby.id, code=begun.code.name)
                    return self._clock.now() + RETRY_MS
            seats, people = table.seats, night.entrants
            silent = {at for at, number in enumerate(seats) if number is not None and people[number].is_silent}
            self._directory.attendance.call_early(lobby.id, silent)
            noted = await running.update(lambda night: _begun(night, table, lobby.id))
            if isinstance(noted, NightCode):  # the host has changed the table meanwhile
                await self._directory.remove_match(lobby.id, ANNULLED)
                return self._clock.now()
        self._asked.pop(_key(night, table), None)
        return None

    async def _thread_for(self, night: Night, table: NightTable) -> int | None:
        try:
            async with asyncio.timeout(THREAD_S):
                return await self._face.thread_for(night, table)
        except TimeoutError:
            _log.warning("night.thread_not_in_time", night=night.id, number=table.number)
            return None

    async def _wait_for_place(self, running: RunningNight, night: Night, table: NightTable) -> int | None:
        now, threads_from = self._clock.now(), self._face.threads_from(night)
        if threads_from is not None:  # many tables: this one opens as soon as Discord lets it
            self._unplaced.pop(_key(night, table), None)
            return max(min(threads_from, now + RETRY_MS), now + CALLS_MS)
        since = self._unplaced.setdefault(_key(night, table), now)
        return now + RETRY_MS if now < since + PATIENCE_MS else await self._stand_still(running, night, table)

    async def _stand_still(self, running: RunningNight, night: Night, table: NightTable) -> int:
        """Pause the whole night for want of a channel, so that nobody counts as a no-show."""
        now = self._clock.now()
        self._unplaced.pop(_key(night, table), None)
        await running.update(_at(night, table, lambda night: pause_without_channel(night, now)))
        return now + PLACE_MS

    async def _try_place(self, running: RunningNight) -> int | None:
        """Let a night go on that was paused for want of a channel, once its first table has a thread."""
        night, now = running.night, self._clock.now()
        waiting = (table for table in night.latest_tables if table.thread_id is None and table.result is None)
        table = next(waiting, None)
        thread_id = None
        if table is not None:
            try:
                thread_id = await self._thread_for(night, table)
            except NoPlaceError:
                return now + PLACE_MS
            if thread_id is None:
                return now + PLACE_MS

        def found(night: Night) -> Night:
            if table is not None:
                night = night.open_table(table.number, thread_id=thread_id)
            return resume_with_channel(night, now)

        await running.update(_at(night, table, found))
        return None

    def _seated(self, night: Night, table: NightTable, thread_id: int) -> Lobby:
        """Return the lobby of a table, with its people and robots on their seats."""
        people = [None if number is None else night.entrants[number] for number in table.seats]
        names = [entrant.name for entrant in people if entrant is not None]
        players: list[Player] = []
        for entrant in people:
            if entrant is None or entrant.user_id is None:
                players.append(Player(unused_name([*names, *(player.name for player in players)], self._rng)))
            else:
                players.append(Player(entrant.name, entrant.user_id))
        host_id = next((player.user_id for player in players if player.user_id is not None), night.host_id or 0)
        return Lobby(
            id=0,
            place=TableChannel(night.guild_id, thread_id),
            host_id=host_id,
            rules=for_players(night.plan.rules, len(players)),
            size=len(players),
            players=tuple(players),
            has_random_teams=False,
            locale=night.locale,
            opened_at=0,
            rule_set=night.plan.rule_set,
            afk_seconds=AFK_SECONDS,
            robots_stay=True,
        )

    # ------------------------------------------------------------------ time

    async def _keep_time(self, running: RunningNight, night: Night, table: NightTable, live: Table) -> int | None:
        now = self._clock.now()
        called_at, ends_at = night.called_at(table, now), table.ends_at
        if live.id in night.paused_table_ids:
            self._asked.pop(_key(night, table), None)
            if live.pause is None and not running.is_resuming:
                await live.submit(Pause(at_any_time=True))
            return None
        if called_at is not None:
            if not live.table_view().is_time_called and not await self._call_time(live):
                return now + CALLS_MS
            until = called_at + OVERTIME_MS
        elif live.pause is not None:
            until = live.pause.at + (DESERTED_MS if live.pause.by_itself else REST_MS)
            self._ask(night, table, until)
        else:
            self._asked.pop(_key(night, table), None)
            return ends_at
        if now < until:
            return until if ends_at is None or called_at is not None else min(until, ends_at)
        stands = replace(self._result(night, table, live.table_view()), kind=ResultKind.TIMED)
        if called_at is None and live.pause is not None and live.pause.by_itself:
            kind = ResultKind.INTERRUPTED if _has_begun(table, live.table_view()) else ResultKind.DESERTED
            stands = _deserted(night, table, stands, self._missing(night, table, live), kind)
        await self._end(running, night, table, stands, live)
        return None

    async def _call_time(self, live: Table) -> bool:
        """Resume a table if it is paused, and call time; return whether that was possible now."""
        if live.pause is not None:
            await live.submit(Resume())
        return not isinstance(await live.submit(CallTime()), TableRefusal)

    # ------------------------------------------------------------------ ends

    async def _go_on_with_absent(self, running: RunningNight, table: NightTable) -> int | None:
        """End a table whose match is no longer in memory; if it was broken off, wait for the host's decision first.

        Returns when to look at it again; None if it has ended.
        """
        assert table.table_id is not None, "it was dealt"
        night, now = running.night, self._clock.now()
        score = await self._store.score(table.table_id)
        if score is not None:
            await self._end(running, night, table, self._result(night, table, score))
            return None
        absent = self._absent.get(table.table_id, frozenset())
        await running.update(
            lambda night: night if night.table_at(table.table_id or 0) is None else _with_absent(night, absent)
        )
        self._absent.pop(table.table_id, None)
        night = running.night
        if night.table(table.number) != table:  # the host has just had the table dealt again
            return now
        until = self._ask(night, table, now + DESERTED_MS)
        if now < until:
            return until
        forfeit = TableResult((0,) * table.teams, ResultKind.FORFEIT)
        await self._end(running, night, table, _deserted(night, table, forfeit))
        return None

    def _ask(self, night: Night, table: NightTable, until: int) -> int:
        """Record that the host has to decide about a table, and return until when."""
        return self._asked.setdefault(_key(night, table), table.asked_until or until)

    async def _end(
        self, running: RunningNight, night: Night, table: NightTable, result: TableResult, live: Table | None = None
    ) -> None:
        """Save the result and the absent entrants of a table, unless the table or its clock has changed since."""
        now = self._clock.now()
        absent = frozenset[int]() if live is None else self._missing(night, table, live)

        def end(night: Night) -> Night:
            return _with_absent(night.record_result(table.number, result, now, absent), absent)

        saved = await running.update(_at(night, table, end))
        self._asked.pop(_key(night, table), None)
        if isinstance(saved, Night):  # else the table is looked at once more
            self._absent.pop(table.table_id or 0, None)

    def _result(self, night: Night, table: NightTable, ended: MatchScore | TableView) -> TableResult:
        """Return the result of a match: the games won if there are several and they decide, else the points."""
        is_decided = night.plan.rules.end.best_of > 1 and ended.games.count(max(ended.games)) == 1
        is_called = night.called_at(table, self._clock.now()) is not None
        kind = ResultKind.TIMED if is_called else ResultKind.PLAYED
        return TableResult(ended.games if is_decided else ended.scores, kind)

    def _missing(self, night: Night, table: NightTable, live: Table) -> frozenset[int]:
        """Return the entrants who are absent from their table: replaced, or called and late."""
        late = self._late(live.id)
        return frozenset(
            number
            for number, player, seat in zip(table.seats, live.lobby.players, range(live.lobby.size), strict=True)
            if number is not None
            and (player is None or player.user_id != night.entrants[number].user_id or player.is_away or seat in late)
        )

    def _late(self, table_id: int) -> frozenset[int]:
        """Return the seats of a match that were called and have not acted in time."""
        now = self._clock.now()
        return frozenset(seat for seat, until in self._directory.attendance.called(table_id).items() if until <= now)


def _key(night: Night, table: NightTable) -> _Key:
    return night.id, len(night.rounds), table.number, table.restarts, table.table_id


def _at(night: Night, table: NightTable | None, change: NightChange) -> NightChange:
    """Return a change that is refused unless this table, its channel and its clock are what they are in this night."""

    def about(night: Night) -> tuple[object, ...]:
        last, found = night.round, None if table is None else night.table(table.number)
        return found, last and (last.number, last.called_at), night.paused_at, night.plan.channel_id

    return if_unchanged(stamp(about(night)), about, change)


def _begun(night: Night, opened: NightTable, table_id: int) -> Night:
    """Return the night with the match of a table that was `opened`.

    Raises:
        NightRefusedError: The table has other people by now, or was dealt again.
    """
    current = night.table(opened.number)
    if current is None or (current.seats, current.restarts) != (opened.seats, opened.restarts):
        raise NightRefusedError(NightCode.CHANGED_MEANWHILE)
    return night.open_table(opened.number, table_id=table_id)


def _with_absent(night: Night, absent: Collection[int]) -> Night:
    """Return the night with these entrants marked as absent, as far as they were in."""
    for number in absent:
        if night.entrants[number].presence is Presence.IN:
            night = night.mark_absent(number)
    return night


def _are_same(found: Sequence[Player | None], wanted: Sequence[Player | None]) -> bool:
    return [player and player.user_id for player in found] == [player and player.user_id for player in wanted]


def _has_begun(table: NightTable, view: TableView) -> bool:
    """Return whether a person has exchanged a card at a table, or its first round is over."""
    return view.round > 1 or any(table.seats[item.seat] is not None for item in view.exchanges)


def _deserted(
    night: Night,
    table: NightTable,
    stands: TableResult,
    missing: Collection[int] = (),
    kind: ResultKind = ResultKind.DESERTED,
) -> TableResult:
    """Return the result of a table whose match is not continued.

    If the scores are level and a single team has people present, that team wins, unless it plays against robots alone.

    Args:
        night: The night.
        table: The table.
        stands: The result as the scores are now.
        missing: Absent entrants.
        kind: The kind of the result if nobody is present.
    """
    there = {entrant.number for entrant in night.present}.difference(missing)
    sides = [team for team in range(table.teams) if table.people(team)]
    came = [team for team in sides if there.intersection(table.people(team))]
    if stands.winner is not None or len(came) > 1:
        return stands
    if not came:
        return replace(stands, kind=kind)
    if len(sides) == 1:
        return replace(stands, kind=ResultKind.INTERRUPTED)
    scores = tuple(score + (team == came[0]) for team, score in enumerate(stands.scores))
    return TableResult(scores, ResultKind.FORFEIT)
