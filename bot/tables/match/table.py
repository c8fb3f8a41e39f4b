"""A running match and its only writer: under one lock it decides, saves and evolves; then it publishes."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from random import Random
from typing import Final

import structlog

from bot.base.background import retry_until_saved
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.game.actions import AskSweep, NextRound, Tick
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import Decision, decide
from bot.game.events import Event, MatchEnded, MatchPaused, MatchResumed, Phase
from bot.game.evolve import evolve
from bot.lessons.lesson import Lesson
from bot.records.pictures import Theme
from bot.records.player import HelpLevel, Player
from bot.robots.reasons import Advice
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match import table_actions as actions
from bot.tables.match.logged_match import LoggedMatch
from bot.tables.match.photo_finish import Call, GatheredCall, PhotoFinish, margin_of
from bot.tables.match.robot_seats import Coach, FirstMatch, RobotFactory, RobotSeats
from bot.tables.table_store import Journal, LogEntry

OUTAGE_MS: Final = 1000
"""A shorter outage, in milliseconds, leaves no pause in the log."""
RETRY_S: Final = 1.0
"""Seconds until a deadline that was not saved is retried."""
_MOST_DUE: Final = 16
"""The most deadlines in a row before a move; more mean that a rule loops."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Events of a match became durable.

    Without events, its log has become unwritable, or writable again. It is published outside the table's lock and
    before the next move, so that events stay in order.
    """

    table: "Table"
    events: Sequence[Event] = ()


class Away(Enum):
    """Why a player takes no part in a rematch: they play in another match, or have left the server or are banned."""

    ELSEWHERE = auto()
    GONE = auto()


class Table(LoggedMatch):
    """One match. Every change goes through `submit`.

    - `lobby`: its seats and its place.
    - `held_since`: since when the clock has stood still because Discord cannot be reached (Unix milliseconds).
    - `is_stuck`: the outcome of the last write is unknown; no move is accepted until the log has been reloaded.
    - `away`: the players, by user id, who could not take part in a rematch when it was last requested.
    """

    def __init__(
        self,
        lobby: Lobby,
        entries: Iterable[LogEntry],
        *,
        clock: Clock,
        journal: Journal,
        rng: Random,
        publish: Callable[[TableChanged], None],
        robots: RobotFactory,
        photo_finish_ms: int = 0,
    ) -> None:
        """Continue a match from its log; `wake` starts its timer.

        Args:
            lobby: Its seats and its place.
            entries: Its log.
            clock: That of Discord.
            journal: Where its events are saved.
            rng: Shuffles the cards.
            publish: Called with each change.
            robots: Makes its robots.
            photo_finish_ms: How long a call waits for calls that were made before it; 0 for not at all.

        Raises:
            ValueError: The entries are not the log of a match.
        """
        self.lobby = lobby
        log = tuple(entries)
        super().__init__(log, clock, has_wide_cards=lobby.theme is not Theme.FRENCH)
        self.held_since: int | None = None
        self.away: Mapping[int, Away] = {}
        self._journal = journal
        self._rng = rng
        self._publish = publish
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._photo_finish = PhotoFinish(photo_finish_ms)
        self._judging: asyncio.Task[None] | None = None
        self._retry_s = 0.0
        self.is_stuck = False
        self._was_unsure = False
        self._is_closed = False
        self._sat: tuple[int, tuple[Player | None, ...]] = (0, ())
        self._first_match = FirstMatch(lobby, (entry.event for entry in log))
        make = self._first_match.robots(robots, rng)
        self._robots = RobotSeats(lobby.id, make, clock, self.player_view, self.submit)
        self._coach = Coach(clock, rng, self.player_view)
        self.seat(lobby)
        self._log = _log.bind(table=lobby.id)

    @property
    def id(self) -> int:
        """The table's id, which is also the lobby's."""
        return self.lobby.id

    @property
    def coaching(self) -> Coaching:
        """The lobby's coaching mode; `AWAY` once every lesson has been taught."""
        chosen = self.lobby.coaching
        return Coaching.AWAY if chosen is Coaching.LESSONS and not self._first_match.is_taught else chosen

    def advice(self, seat: int) -> Advice | None:
        """Return the coach's advice for a seat; None without a coach, or while the match is paused."""
        return None if self.coaching_of(seat) in (Coaching.NONE, Coaching.AWAY) else self._coach.advice(seat)

    def advised_at(self, seat: int) -> int:
        """Return since when the coach has given its present advice (Unix milliseconds); 0 without a coach."""
        return self._coach.advised_at(seat)

    def coaching_of(self, seat: int) -> Coaching:
        """Return the coaching mode for the player of a seat: `NONE` unless they want guidance."""
        return self.coaching if self.lobby.help.of(seat) is HelpLevel.GUIDED else Coaching.NONE

    def lesson(self, seat: int) -> Lesson | None:
        """Return the lesson for a seat; None if it has none."""
        return self._first_match.lesson(self.seat_view(seat))

    @property
    def round_players(self) -> tuple[Player | None, ...]:
        """The players by seat; between rounds, the players of the last round (until a restart)."""
        number, players = self._sat
        is_over = self._state.phase is Phase.OVER
        return players if is_over and number == self._state.round else self.lobby.players

    def seat(self, lobby: Lobby) -> None:
        """Update the players, the host, `absence`, `is_ranked` and `coaching` from a lobby, not its place or status.

        Call `wake` afterwards.
        """
        if self._state.phase is Phase.OVER:
            self._sat = self._state.round, self.round_players
        self.lobby = replace(
            self.lobby,
            players=lobby.players,
            host_id=lobby.host_id,
            absence=lobby.absence,
            is_ranked=lobby.is_ranked,
            coaching=lobby.coaching,
        )
        seats = (seat for seat, player in enumerate(lobby.players) if player is not None and player.is_played_by_robot)
        robots = {seat: lobby.level_of(seat) for seat in seats}
        self._robots.seat(robots)
        self._has_robots = bool(robots)
        self._first_match.seat(self.lobby)
        is_coached = lobby.coaching in (Coaching.ON, Coaching.LESSONS)
        self._coach.seat([*lobby.people.values()] if is_coached else ())

    async def submit(
        self,
        action: actions.TableAction,
        *,
        press_id: int | None = None,
        made_at: int | None = None,
        of_round: int | None = None,
    ) -> actions.MoveOutcome:
        """Make a move, after the deadlines that are due.

        Args:
            action: The move.
            press_id: The id of the interaction; one that has acted already causes no events.
            made_at: When it was made (Unix milliseconds): calls are judged in that order.
            of_round: The only round in which the move is not refused; None for any.

        Returns:
            The durable events that it has caused, or why it is refused.

        Raises:
            StoreError: The move was not saved, and did not happen.
        """
        done: list[Event] = []
        self._retry_s = RETRY_S
        try:
            async with self._lock:
                answer = await self._act(action, actions.PressOrigin(press_id, made_at, of_round), done)
        finally:
            self._notify(done)
        return await asyncio.shield(answer) if isinstance(answer, asyncio.Future) else answer

    async def log(self) -> tuple[Event, ...]:
        """Return all durable events of the match.

        Raises:
            StoreError: They could not be read.
        """
        return tuple(entry.event for entry in await self._journal.read(self.id, 1))

    def wake(self, events: Sequence[Event] = ()) -> None:
        """Start the timer and the robots; publish `events`, the first ones of a match that has just begun."""
        self._notify(events)
        if not events and self.held_since is None and not self._is_closed:
            self._robots.rethink()

    def hold(self, since: int | None = None) -> None:
        """Stop the clock and the robots until `release`, since players cannot act. `since`: by default now."""
        if self.held_since is None:
            self.held_since = self._clock.now() if since is None else since
            self._arm()
            self._robots.stop()

    async def release(self) -> None:
        """Let the clock and the robots go on; retry until that is saved."""
        await retry_until_saved(self._release, "outage.not_saved", retry_s=RETRY_S, table=self.id)
        self.wake()

    async def _release(self) -> None:
        done: list[Event] = []
        try:
            async with self._lock:
                if self.held_since is not None and not self._is_closed:
                    await self._end_hold(done)
        finally:
            self._notify(done)

    async def close(self) -> None:
        """Stop the timer and the robots, finish running moves and calls, and refuse later ones."""
        await self._judge_calls()  # at once, not at the end of the window
        self._is_closed = True
        self._arm()
        await self._robots.close()
        async with self._lock:
            pass
        if self._ticking is not None:
            await self._ticking

    async def catch_up(self) -> None:
        """Read and publish the events of a move whose outcome is unknown; call it after `close`.

        Raises:
            StoreError: The log could not be read.
        """
        done: list[Event] = []
        async with self._lock:
            if self.is_stuck:
                await self._catch_up(done)
        self._notify(done)
        if done:
            self._publish(TableChanged(self, done))

    def reopen(self) -> None:
        """Continue after `close`, if the match was not broken off."""
        self._is_closed = False
        self.wake()

    async def _act(
        self, action: actions.TableAction, press: actions.PressOrigin, done: list[Event]
    ) -> actions.MoveOutcome | asyncio.Future[actions.MoveOutcome]:
        if self._is_closed:
            return Refusal(Code.MATCH_OVER)
        is_settled = False
        if self.held_since is not None and (press.made_at or 0) > self.held_since:
            await self._end_hold(done)  # a press that was made since shows that players can act
        if not self._photo_finish.is_open:
            if self.is_stuck:
                await self._catch_up(done)
            is_settled = await self._let_deadlines_fall(done)
        answer = self._answer_here(action, press)
        if answer is None:
            answer = await self._do(action, press, done)
            if isinstance(answer, Refusal) and isinstance(action, AskSweep) and press.id is not None:
                at = self._early.ask_for_sweep(action, answer, self._state)
                answer = answer if at is None else actions.TableRefusal(actions.TableRefusalCode.SWEEP_SOON, at)
        self._retry_s = 0.0 if is_settled else RETRY_S
        return answer

    def _answer_here(
        self, action: actions.TableAction, press: actions.PressOrigin
    ) -> actions.MoveOutcome | asyncio.Future[actions.MoveOutcome] | None:
        """Return the answer to a move if the table decides about it or it has to wait; None if the core decides now."""
        if press.round not in (None, self._state.round):
            return actions.TableRefusal(actions.TableRefusalCode.FORMER_ROUND)
        if self._state.pause is not None and not isinstance(action, actions.Pause | actions.Resume | Tick):
            return actions.TableRefusal(actions.TableRefusalCode.PAUSED)
        is_open = self._photo_finish.is_open
        if is_open and not isinstance(action, Call):
            return actions.TableRefusal(actions.TableRefusalCode.CALL_PENDING)
        if press.id in self._presses:
            return ()
        now = self._clock.now()
        if isinstance(action, NextRound) and (until := self._early.ask_for_next(action, self._state, now)) is not None:
            return actions.TableRefusal(actions.TableRefusalCode.ANSWER_AWAITED, until)
        if isinstance(action, actions.Pause) and not actions.may_pause(action, self._state, self.next_pause_at, now):
            return actions.TableRefusal(actions.TableRefusalCode.PAUSED_LATELY)
        if isinstance(action, Call) and (is_open or self._photo_finish.would_open(action, self._state, now)):
            return self._photo_finish.gather(action, press.made_at or now, press.id, self._window_is_over)
        return None

    def _window_is_over(self) -> None:
        self._judging = asyncio.get_running_loop().create_task(self._judge_calls())

    async def _judge_calls(self) -> None:
        """Decide the gathered calls, then the deadlines that have fallen due."""
        done: list[Event] = []
        self._retry_s = RETRY_S
        try:
            async with self._lock:
                if not self._photo_finish.is_open:
                    return
                await self._photo_finish.judge(lambda gathered, later: self._judge(gathered, later, done))
                if await self._let_deadlines_fall(done):
                    self._retry_s = 0.0
        except StoreError as error:
            self._log.warning("call.not_saved", problem=str(error))
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            self._log.exception("call.failed")
        finally:
            self._notify(done)
            self._photo_finish.reply()

    async def _judge(
        self, gathered: GatheredCall, later: Sequence[GatheredCall], done: list[Event]
    ) -> actions.MoveOutcome:
        now = self._clock.now()
        decided = decide(self._state, gathered.call, now, self._rng)
        if not isinstance(decided, Refusal) and decided.state.phase is not Phase.HUNT:
            margin = margin_of(gathered, later, self._state, now)
            if margin is not None:  # nothing follows from it, so it may be folded last
                decided = Decision((margin, *decided.events), evolve(decided.state, margin))
        return await self._save(decided, gathered.press_id, done)

    async def _end_hold(self, done: list[Event]) -> None:
        """Add an outage to the log as a pause, which moves all deadlines by its length."""
        if self.is_stuck:
            await self._catch_up(done)
        since, now = self._still_since(), self._clock.now()
        if now - since >= OUTAGE_MS and self._state.pause is None and not self.is_over:
            await self._save(
                actions.after(self._state, (MatchPaused(since, by_itself=True), MatchResumed(now))), None, done
            )
        self.held_since = None

    def _still_since(self) -> int:
        """Return when the clock was stopped, or the time of the last event after that."""
        return max(self.held_since or 0, self._last_at)

    async def _let_deadlines_fall(self, done: list[Event]) -> bool:
        """Submit the deadlines that are due, and return whether all of them took effect."""
        if self.held_since is not None:
            return True
        due = None
        for _ in range(_MOST_DUE):
            due = self._early.due(self._state)
            if due is None or due[0] > self._clock.now():
                return True
            move = due[1]
            if move is not None:
                self._early.drop(move)
            if not await self._do(move or Tick(), actions.PressOrigin(), done):
                break
        self._log.error("deadline.without_effect", due=due, phase=self._state.phase.value)
        return False

    async def _do(
        self, action: actions.TableAction, press: actions.PressOrigin, done: list[Event]
    ) -> actions.MoveOutcome:
        now = self._clock.now()
        match action:
            case actions.Pause() if self.held_since is not None:
                decided = actions.stopped_or_started(self._state, action, self._still_since())
            case actions.Pause() | actions.Resume():
                decided = actions.stopped_or_started(self._state, action, now)
            case _:
                decided = decide(self._state, action, now, self._first_match.chance(self._state, self._rng))
        return await self._save(decided, press.id, done)

    async def _save(
        self, decided: Decision | Refusal, press_id: int | None, done: list[Event]
    ) -> tuple[Event, ...] | Refusal:
        if isinstance(decided, Refusal):
            return decided
        decided = self._first_match.ended(decided, self._rng)
        events = decided.events
        if not events or self._is_repeat(events):
            return ()
        try:
            await self._journal.append(self.id, self.seq + 1, events, press_id)
        except BaseException:
            self.is_stuck = True  # the events may have been written all the same, or still be written
            raise
        others = (LogEntry(self.seq + place, event) for place, event in enumerate(events[1:], 2))
        self._add((LogEntry(self.seq + 1, events[0], press_id), *others), decided.state)
        self._first_match.add(events)
        done.extend(events)
        return events

    async def _catch_up(self, done: list[Event]) -> None:
        """Add the events of an append of unknown outcome from the log."""
        entries = await self._journal.read(self.id, self.seq + 1)
        self._add(entries)
        self._first_match.add(entry.event for entry in entries)
        self.is_stuck = False
        done.extend(entry.event for entry in entries)

    def _notify(self, events: Sequence[Event]) -> None:
        """Publish events after the release of the lock and before the next move, so that they stay in order."""
        if any(isinstance(event, MatchEnded) for event in events):
            self.lobby = replace(self.lobby, status=Status.OVER)
        self._arm()
        if self._is_closed or not (events or self._storage_changed()):
            return
        self._coach.changed()
        self._publish(TableChanged(self, events))
        if self.held_since is None and self._has_robots:
            self._robots.rethink()

    def _storage_changed(self) -> bool:
        if self.is_stuck == self._was_unsure:
            return False
        self._was_unsure = self.is_stuck
        self._log.warning("table.stuck" if self.is_stuck else "table.goes_on", seq=self.seq)
        return True

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._early.due(self._state)
        if self.is_stuck:
            due = self._clock.now(), None
        if due is None or self._is_closed or self._photo_finish.is_open or self.held_since is not None:
            return
        delay = max((due[0] - self._clock.now()) / 1000, self._retry_s, 0.0)
        self._timer = asyncio.get_running_loop().call_later(delay, self._fall_due)

    def _fall_due(self) -> None:
        self._timer = None
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        was_stuck = self.is_stuck
        try:
            await self.submit(Tick())
        except StoreError as error:
            (self._log.debug if was_stuck else self._log.warning)("deadline.not_saved", problem=str(error))
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            self._log.exception("deadline.failed")
        finally:
            self._ticking = None
