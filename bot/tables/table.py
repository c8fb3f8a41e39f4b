"""A running match and its only writer: one lock; decide, make durable, evolve; then tell the others.

It must not know how anything looks or where it is stored.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final, Protocol

import structlog

from bot.errors import StoreError
from bot.game.actions import Tick
from bot.game.build_view import table_view
from bot.game.deadlines import next_deadline
from bot.game.decide import decide
from bot.game.events import CardsDealt, Event, MatchEnded, MatchPaused, MatchResumed
from bot.game.evolve import evolve, evolve_all
from bot.game.phase import Phase
from bot.game.refusals import Code, Refusal
from bot.game.state import State
from bot.game.views import SeatView, TableView
from bot.tables.clock import Clock
from bot.tables.double_presses import DoublePresses
from bot.tables.journal import Entry, Journal
from bot.tables.lobby import Lobby, Status
from bot.tables.pausing import stopped_or_started
from bot.tables.photo_finish import Call, GatheredCall, PhotoFinish, margin_of
from bot.tables.robot_seats import RobotFactory, RobotSeats
from bot.tables.state_views import StateViews
from bot.tables.table_actions import Answer, LiveCode, LiveRefusal, Pause, Pressed, Resume, TableAction

OUTAGE_MS: Final = 1000
"""While nobody could act, the clock stands still; so short an outage is not worth a word."""
RETRY_S: Final = 1.0
"""How long a deadline waits after it could not be saved."""
_MOST_DUE: Final = 16
"""So many deadlines may fall due one after the other before a move; more would be a rule that runs in circles."""

log = structlog.get_logger()


class Observer(Protocol):
    def changed(self, table: "Table", events: Sequence[Event]) -> None:
        """Something became durable at a table, or other people sit at it, and then there are no events.

        Called outside the table's lock; must return at once.
        """


class Table:
    """One match. `lobby` says who sits where and where it is shown; `seq` is the number of its last event.

    Everything that changes goes through `submit`. Call `wake` once to start its timer and its robots.
    """

    def __init__(
        self,
        lobby: Lobby,
        entries: Iterable[Entry],
        *,
        clock: Clock,
        journal: Journal,
        rng: Random,
        watcher: Observer,
        robots: RobotFactory,
        photo_finish_ms: int = 0,
    ) -> None:
        """`photo_finish_ms`: for how long a call waits for others that were made before it; 0 for not at all.

        Raises ValueError when the entries are no match's log.
        """
        log_so_far = tuple(entries)
        self.lobby = lobby
        self.seq = len(log_so_far)
        self._last_at = log_so_far[-1].event.at if log_so_far else 0
        self._held_since: int | None = None
        self._state, self._ended = _replayed(None, (entry.event for entry in log_so_far))
        self._views = StateViews(self._state)
        self._presses = {entry.press_id for entry in log_so_far if entry.press_id is not None}
        self._repeats = DoublePresses()
        self._repeats.note(entry.event for entry in log_so_far)
        self._clock = clock
        self._journal = journal
        self._rng = rng
        self._watcher = watcher
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._finish = PhotoFinish(photo_finish_ms)
        self._judging: asyncio.Task[None] | None = None
        self._pause = 0.0
        self._is_unsure = False
        self._is_known_unsure = False
        self._is_closed = False
        self._robots = RobotSeats(lobby.id, robots, clock=clock, view=self.seat_view, submit=self.submit)
        self.seat(lobby)
        self._log = log.bind(table=lobby.id)

    @property
    def id(self) -> int:
        return self.lobby.id

    @property
    def is_stuck(self) -> bool:
        """Whether a move could not be saved: until the log has been read again, nothing happens at this table."""
        return self._is_unsure

    @property
    def is_over(self) -> bool:
        return self._state.phase is Phase.MATCH_OVER

    @property
    def pause(self) -> MatchPaused | None:
        """Since when and why nothing can be done; None while it can."""
        return self._state.pause

    @property
    def is_held(self) -> bool:
        """Whether nobody can act, and the clock stands still."""
        return self._held_since is not None

    def table_view(self) -> TableView:
        return self._present_views().table()

    def ended_round(self, number: int) -> TableView | None:
        """How a former round looked when it was over; None for any other round."""
        return self._ended.get(number)

    def seat_view(self, seat: int) -> SeatView:
        return self._present_views().seat(seat, self._clock.now())

    def seat_of(self, user_id: int) -> int | None:
        """Where a person sits, or None."""
        return self.lobby.seat_of(user_id)

    def seat(self, lobby: Lobby) -> None:
        """Other people or robots sit at the table now; its place and status are its own. Call `wake` afterwards."""
        self.lobby = replace(self.lobby, players=lobby.players, host_id=lobby.host_id, absence=lobby.absence)
        seats = enumerate(lobby.players)
        self._robots.staff(seat for seat, player in seats if player is not None and player.is_played_by_robot)

    async def submit(
        self,
        action: TableAction,
        *,
        press_id: int | None = None,
        made_at: int | None = None,
        of_round: int | None = None,
    ) -> Answer:
        """Make a move: the durable events that came of it, or why it was refused.

        Deadlines that are due take effect first. A `press_id` that has acted already gives no events. `made_at` and
        `of_round` as in `Pressed`: calls are put in order by the one, what was meant for another round is refused.

        Raises:
            StoreError: the move was not saved, and did not happen.
        """
        done: list[Event] = []
        self._pause = RETRY_S
        try:
            async with self._lock:
                answer = await self._act(action, Pressed(press_id, made_at, of_round), done)
        finally:
            self._tell(done)
        return await asyncio.shield(answer) if isinstance(answer, asyncio.Future) else answer

    def wake(self, events: Sequence[Event] = ()) -> None:
        """Start the timer and the robots; `events` are the match's first, if it has just begun."""
        self._tell(events)
        if not events and self._held_since is None and not self._is_closed:
            self._robots.rethink()

    def hold(self, since: int | None = None) -> None:
        """Nobody can act: from `since` (now) on the clock stands still and the robots rest, until `release`."""
        if self._held_since is None:
            self._held_since = self._clock.now() if since is None else since
            self._arm()
            self._robots.rest()

    async def release(self) -> None:
        """People can act again. What cannot be saved now is tried again."""
        while self._held_since is not None and not self._is_closed:
            done: list[Event] = []
            try:
                async with self._lock:
                    await self._end_hold(done)
            except StoreError as error:
                self._log.warning("outage.not_saved", problem=str(error))
                await asyncio.sleep(RETRY_S)
            finally:
                self._tell(done)
        self.wake()

    async def close(self) -> None:
        """Stop the timer and the robots; what was called or holds the lock is finished, later moves are refused."""
        await self._judge_calls()  # not when the moment is over
        self._is_closed = True
        self._arm()
        await self._robots.close()
        async with self._lock:
            pass
        if self._ticking is not None:
            await self._ticking

    def reopen(self) -> None:
        """Go on after all: what `close` was for did not come about."""
        self._is_closed = False
        self.wake()

    def _present_views(self) -> StateViews:
        if self._views.state is not self._state:
            self._views = StateViews(self._state)
        return self._views

    async def _act(self, action: TableAction, press: Pressed, done: list[Event]) -> Answer | asyncio.Future[Answer]:
        if self._is_closed:
            return Refusal(Code.MATCH_OVER)
        is_settled = False
        if self._held_since is not None and (press.made_at or 0) > self._held_since:
            await self._end_hold(done)  # whoever acts is there
        if not self._finish.is_open:
            if self._is_unsure:
                await self._catch_up(done)
            is_settled = await self._let_deadlines_fall(done)
        answer = self._turned_away(action, press)
        if answer is None:
            answer = await self._do(action, press, done)
        self._pause = 0.0 if is_settled else RETRY_S
        return answer

    def _turned_away(self, action: TableAction, press: Pressed) -> Answer | asyncio.Future[Answer] | None:
        """The answer to a move with which the core is not troubled, or not yet; None for all others."""
        if press.round not in (None, self._state.round):
            return LiveRefusal(LiveCode.FORMER_ROUND)
        if self._state.pause is not None and not isinstance(action, Pause | Resume | Tick):
            return LiveRefusal(LiveCode.PAUSED)
        is_open = self._finish.is_open
        if is_open and not isinstance(action, Call):
            return LiveRefusal(LiveCode.CALL_PENDING)
        if press.id is not None and press.id in self._presses:
            return ()
        if isinstance(action, Call) and (is_open or self._finish.would_open(action, self._state, self._clock.now())):
            return self._finish.gather(action, press.made_at or self._clock.now(), press.id, self._moment_is_over)
        return None

    def _moment_is_over(self) -> None:
        self._judging = asyncio.get_running_loop().create_task(self._judge_calls())

    async def _judge_calls(self) -> None:
        """Decide the gathered calls; deadlines that fell due meanwhile come after them."""
        done: list[Event] = []
        self._pause = RETRY_S
        try:
            async with self._lock:
                if not self._finish.is_open:
                    return
                await self._finish.judge(lambda gathered, later: self._judge(gathered, later, done))
                if await self._let_deadlines_fall(done):
                    self._pause = 0.0
        except StoreError as error:
            self._log.warning("call.not_saved", problem=str(error))
        except Exception:  # noqa: BLE001 - nobody awaits a timer: the log is the only place where its bug can show
            self._log.exception("call.failed")
        finally:
            self._tell(done)
            self._finish.reply()

    async def _judge(self, gathered: GatheredCall, later: Sequence[GatheredCall], done: list[Event]) -> Answer:
        now = self._clock.now()
        decided = decide(self._state, gathered.call, now, self._rng)
        if not isinstance(decided, Refusal) and evolve_all(self._state, decided).phase is not Phase.HUNT:
            margin = margin_of(gathered, later, self._state, now)
            decided = decided if margin is None else (margin, *decided)
        return await self._save(decided, gathered.press_id, done)

    async def _end_hold(self, done: list[Event]) -> None:
        """Write the outage into the log as a pause, so that all deadlines are as far away as before it."""
        if self._is_unsure:
            await self._catch_up(done)
        since, now = self._still_since(), self._clock.now()
        if now - since >= OUTAGE_MS and self._state.pause is None and not self.is_over:
            await self._save((MatchPaused(since, by_itself=True), MatchResumed(now)), None, done)
        self._held_since = None

    def _still_since(self) -> int:
        """When the clock that stands still stopped, or the last event after that was written."""
        return max(self._held_since or 0, self._last_at)

    async def _let_deadlines_fall(self, done: list[Event]) -> bool:
        """Whether none is due any more; while the clock stands still none falls."""
        if self._held_since is not None:
            return True
        for _ in range(_MOST_DUE):
            due = next_deadline(self._state)
            if due is None or due > self._clock.now():
                return True
            if not await self._do(Tick(), Pressed(), done):
                break
        self._log.error("deadline.without_effect", due=next_deadline(self._state), phase=self._state.phase.value)
        return False

    async def _do(self, action: TableAction, press: Pressed, done: list[Event]) -> Answer:
        now = self._clock.now()
        match action:
            case Pause() if self._held_since is not None:
                decided = stopped_or_started(self._state, action, self._still_since())
            case Pause() | Resume():
                decided = stopped_or_started(self._state, action, now)
            case _:
                decided = decide(self._state, action, now, self._rng)
        return await self._save(decided, press.id, done)

    async def _save(
        self, decided: tuple[Event, ...] | Refusal, press_id: int | None, done: list[Event]
    ) -> tuple[Event, ...] | Refusal:
        if isinstance(decided, Refusal) or not decided:
            return decided
        if self._repeats.has_said(decided):
            return ()
        after, ended = _replayed(self._state, decided)
        try:
            await self._journal.append(self.id, self.seq + 1, decided, press_id)
        except BaseException:
            self._is_unsure = True  # it may have been written before it failed or was cancelled, or still be
            raise
        self._state = after
        self._ended |= ended
        self.seq += len(decided)
        self._last_at = decided[-1].at
        if press_id is not None:
            self._presses.add(press_id)
        self._repeats.note(decided)
        done.extend(decided)
        return decided

    async def _catch_up(self, done: list[Event]) -> None:
        """Read what an append of unknown outcome left in the log."""
        entries = await self._journal.read(self.id, self.seq + 1)
        self._state, ended = _replayed(self._state, (entry.event for entry in entries))
        self._ended |= ended
        self.seq += len(entries)
        self._last_at = entries[-1].event.at if entries else self._last_at
        self._presses.update(entry.press_id for entry in entries if entry.press_id is not None)
        self._repeats.note(entry.event for entry in entries)
        self._is_unsure = False
        done.extend(entry.event for entry in entries)

    def _tell(self, events: Sequence[Event]) -> None:
        """After the lock was released, and before anybody else can take it: the order of events is kept."""
        if any(isinstance(event, MatchEnded) for event in events):
            self.lobby = replace(self.lobby, status=Status.OVER)
        self._arm()
        if self._is_closed or not (events or self._has_news_of_storage()):
            return
        try:
            self._watcher.changed(self, events)
        except Exception:  # noqa: BLE001 - what happened is durable: whoever acted must not be told that it failed
            self._log.exception("watcher.failed")
        if self._held_since is None:
            self._robots.rethink()

    def _has_news_of_storage(self) -> bool:
        if self._is_unsure == self._is_known_unsure:
            return False
        self._is_known_unsure = self._is_unsure
        self._log.warning("table.stuck" if self._is_unsure else "table.goes_on", seq=self.seq)
        return True

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._clock.now() if self._is_unsure else next_deadline(self._state)
        if due is None or self._is_closed or self._finish.is_open or self._held_since is not None:
            return
        delay = max((due - self._clock.now()) / 1000, self._pause, 0.0)
        self._timer = asyncio.get_running_loop().call_later(delay, self._fall_due)

    def _fall_due(self) -> None:
        self._timer = None
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        was_stuck = self._is_unsure
        try:
            await self.submit(Tick())
        except StoreError as error:
            (self._log.debug if was_stuck else self._log.warning)("deadline.not_saved", problem=str(error))
        except Exception:  # noqa: BLE001 - nobody awaits a timer: the log is the only place where its bug can show
            self._log.exception("deadline.failed")


def _replayed(state: State | None, events: Iterable[Event]) -> tuple[State, dict[int, TableView]]:
    """The state after the events, and the view of each round that was over when the next one was dealt.

    Raises:
        ValueError: there is no event to start from, or the first is not a match's.
    """
    ended: dict[int, TableView] = {}
    for event in events:
        if state is not None and isinstance(event, CardsDealt) and state.result is not None:
            ended[state.round] = table_view(state)
        state = evolve(state, event)
    if state is None:
        raise ValueError("a match begins with the event MatchStarted: the log is empty")
    return state, ended
