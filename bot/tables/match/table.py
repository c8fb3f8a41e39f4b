"""A running match and its only writer: under one lock it decides, makes durable and evolves; then it notifies."""

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
"""An outage that is shorter leaves no pause in the log."""
RETRY_S: Final = 1.0
"""After how many seconds a deadline that was not saved is tried again."""
_MOST_DUE: Final = 16
"""How many deadlines may fall due in a row before a move; more means that a rule runs in circles."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Events became durable at a match; without events its log cannot be written to, or can be again.

    Published outside the table's lock, and before the next move: events stay in order.
    """

    table: "Table"
    events: Sequence[Event] = ()


class Away(Enum):
    """Why a player of a finished match takes no part in its rematch: plays in another one, or has left the server."""

    ELSEWHERE = auto()
    GONE = auto()


class Table(LoggedMatch):
    """One match; `lobby` has its seats and its place. Every change goes through `submit`.

    Since `held_since` (milliseconds) the clock stands still because Discord is out of reach. The table `is_stuck` while
    a move was perhaps not saved: it takes no other one until its log was read again. `away` are the players, by user
    id, who could take no part in a rematch when it was last asked for.
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
        """`photo_finish_ms`: how long a call waits for calls that were made before it; 0: not at all.

        Raises:
            ValueError: the entries are not the log of a match.
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
        return self.lobby.id

    @property
    def coaching(self) -> Coaching:
        """The lobby's, but that a coach who has taught all its lessons is away."""
        asked = self.lobby.coaching
        return Coaching.AWAY if asked is Coaching.LESSONS and not self._first_match.is_taught else asked

    def advice(self, seat: int) -> Advice | None:
        """Return what the coach advises the player of a seat; None without a coach, and while the match is paused."""
        return None if self.coaching_of(seat) in (Coaching.NONE, Coaching.AWAY) else self._coach.advice(seat)

    def advised_at(self, seat: int) -> int:
        """Since when the coach has given its present advice (milliseconds); 0 without a coach."""
        return self._coach.advised_at(seat)

    def coaching_of(self, seat: int) -> Coaching:
        """Return what the player of a seat has of the coach: nothing, unless they want to be guided."""
        return self.coaching if self.lobby.help.of(seat) is HelpLevel.GUIDED else Coaching.NONE

    def lesson(self, seat: int) -> Lesson | None:
        return self._first_match.lesson(self.seat_view(seat))

    @property
    def round_players(self) -> tuple[Player | None, ...]:
        """The players by seat; after a round those who played it, whoever sits there now (until a restart)."""
        number, players = self._sat
        is_over = self._state.phase is Phase.OVER
        return players if is_over and number == self._state.round else self.lobby.players

    def seat(self, lobby: Lobby) -> None:
        """Take over who plays, the host, `absence`, `is_ranked` and `coaching` of a lobby, not its place or status.

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
        """Make a move. Returns the durable events that it causes, or why it is refused.

        Deadlines that are due take effect first. A `press_id` that has acted already causes no events. Calls are judged
        in the order of `made_at`; a move with `of_round` is refused in any other round.

        Raises:
            StoreError: the move was not saved, and did not happen.
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
        """Return the durable events until now.

        Raises:
            StoreError: they could not be read.
        """
        return tuple(entry.event for entry in await self._journal.read(self.id, 1))

    def wake(self, events: Sequence[Event] = ()) -> None:
        """Start the timer and the robots. `events`: the first of a match that has just begun, to be published."""
        self._notify(events)
        if not events and self.held_since is None and not self._is_closed:
            self._robots.rethink()

    def hold(self, since: int | None = None) -> None:
        """Stop the clock and the robots from `since` (default: now) until `release`: players cannot act."""
        if self.held_since is None:
            self.held_since = self._clock.now() if since is None else since
            self._arm()
            self._robots.stop()

    async def release(self) -> None:
        """Let the clock and the robots go on. What cannot be saved is tried again."""
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
        """Stop the timer and the robots. Gathered calls and moves under the lock are finished, later moves refused."""
        await self._judge_calls()  # at once, not at the end of the window
        self._is_closed = True
        self._arm()
        await self._robots.close()
        async with self._lock:
            pass
        if self._ticking is not None:
            await self._ticking

    async def catch_up(self) -> None:
        """Read and publish, after `close`, what a move of unknown outcome left in the log.

        Raises:
            StoreError: the log could not be read.
        """
        done: list[Event] = []
        async with self._lock:
            if self.is_stuck:
                await self._catch_up(done)
        self._notify(done)
        if done:
            self._publish(TableChanged(self, done))

    def reopen(self) -> None:
        """Go on after `close`: the match was not broken off."""
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
        """Return the answer to a move that the core does not decide now; None for all other moves."""
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
        """Decide the gathered calls, and then the deadlines that fell due meanwhile."""
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
        """Write the outage into the log as a pause, so that all deadlines are as far away as before it."""
        if self.is_stuck:
            await self._catch_up(done)
        since, now = self._still_since(), self._clock.now()
        if now - since >= OUTAGE_MS and self._state.pause is None and not self.is_over:
            await self._save(
                actions.after(self._state, (MatchPaused(since, by_itself=True), MatchResumed(now))), None, done
            )
        self.held_since = None

    def _still_since(self) -> int:
        """Return when the clock stopped that stands still, or when the last event after that was made."""
        return max(self.held_since or 0, self._last_at)

    async def _let_deadlines_fall(self, done: list[Event]) -> bool:
        """Submit the deadlines that are due. Returns whether all of them took effect."""
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
        """Read what an append of unknown outcome left in the log."""
        entries = await self._journal.read(self.id, self.seq + 1)
        self._add(entries)
        self._first_match.add(entry.event for entry in entries)
        self.is_stuck = False
        done.extend(entry.event for entry in entries)

    def _notify(self, events: Sequence[Event]) -> None:
        """Publish the events, after the lock was released and before the next move: so events stay in order."""
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
