"""A match as read from its log: its state, the views of that state, and what else a table keeps of its events.

A move that is requested a few seconds too early is made when its time comes, without another press: a sweep before the
quiet time is over, and the next round while a team has a new sign to answer.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.base.clock import Clock
from bot.game.actions import AskSweep, NextRound
from bot.game.build_view import player_view, seat_view, table_view
from bot.game.cards import HAND_SIZE, Card
from bot.game.checks.check import sweep_from
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import next_deadline
from bot.game.events import (
    CardPutDown,
    CardsDealt,
    CardTaken,
    CounterFailed,
    Event,
    MatchPaused,
    MatchResumed,
    Phase,
    PoolSwept,
    SignGuessed,
    SignProposed,
    TeamAccused,
)
from bot.game.evolve import evolve, evolve_all
from bot.game.signs import Strategy
from bot.game.state import State, with_changes
from bot.game.views import PlayerView, SeatView, TableView
from bot.tables.match.table_actions import next_pause_at
from bot.tables.table_store import LogEntry

ANSWER_MS: Final = 5_000
"""How many milliseconds the next round waits for the answer to a sign that was proposed since the last one."""

Due = tuple[int, AskSweep | NextRound | None]
"""A time (Unix milliseconds) and the move that is made then; None for a deadline of the match."""


@dataclass(slots=True)
class EarlyMoves:
    """The moves of one match that were requested too early.

    A sweep is dropped at an exchange, which restarts the quiet time, and the next round once the present one is not the
    same any more.
    """

    proposed_at: int = 0
    _sweep: tuple[int, AskSweep] | None = None
    _next: tuple[int, int, NextRound] | None = None

    def ask_for_next(self, action: NextRound, state: State, now: int) -> int | None:
        """Keep a request for the next round while an answer is awaited; return until when it is, else None."""
        until = self._answer_until(state)
        if until <= now:
            return None
        if self._next is None or self._next[0] != state.round:
            self._next = (state.round, until, action)
        return min(until, self._next[1])

    def ask_for_sweep(self, action: AskSweep, refusal: Refusal, state: State) -> int | None:
        """Keep a sweep that was refused as too early, and return when it will be made; None for other refusals."""
        if refusal.code is not Code.TOO_EARLY:
            return None
        self._sweep = (sweep_from(state), action)
        return self._sweep[0]

    def due(self, state: State) -> Due | None:
        """Return the next deadline or early move; None if there is none, or while the match is paused."""
        if state.pause is not None:
            return None
        if self._sweep is not None and (state.phase is not Phase.HUNT or sweep_from(state) != self._sweep[0]):
            self._sweep = None
        if self._next is not None and (state.phase is not Phase.OVER or state.round != self._next[0]):
            self._next = None
        deadline, answered = next_deadline(state), self._answer_until(state)
        moves: list[Due] = [] if self._sweep is None else [self._sweep]
        if self._next is not None:
            moves.append((min(answered, self._next[1]), self._next[2]))
        if deadline is not None:
            moves.append((max(deadline, min(answered, deadline + ANSWER_MS)), None))
        return min(moves, key=lambda move: move[0], default=None)

    def drop(self, move: AskSweep | NextRound) -> None:
        """Forget an early move that is made now."""
        if isinstance(move, AskSweep):
            self._sweep = None
        else:
            self._next = None

    def _answer_until(self, state: State) -> int:
        waits = state.phase is Phase.OVER and any(team.plan and team.proposal for team in state.teams)
        return self.proposed_at + ANSWER_MS if waits else 0


REPEAT_MS: Final = 3000
"""The same move within so many milliseconds is a repeated press: so long Discord waits for an answer."""
_COSTLY: Final = (CounterFailed, SignGuessed, TeamAccused)


def pool_slots(seats: int, strategies: Collection[Strategy], *, has_wide_cards: bool) -> int:
    """Return the number of slots in the pool: four, and one for each player as far as the panel has room.

    A panel has less room if players may have many signs, and if cards have long names.
    """
    has_many_signs = Strategy.INTERMEDIATE in strategies
    return min(HAND_SIZE + seats, 12 - 4 * has_many_signs - 2 * has_wide_cards)


class LoggedMatch:
    """The state of a match and its views. Times are in Unix milliseconds.

    - `seq`: the number of the last event.
    - `pressed_at`: the time of the last event that a person's press has caused; before any press, of the first event.
    - `next_pause_at`: from when on a player may pause the match.
    - `former_rounds`: the views of the rounds before the present one, as they ended.
    - `unanswered`: the teams with a proposed sign from before the present round that was not answered.
    """

    def __init__(self, entries: Sequence[LogEntry], clock: Clock, *, has_wide_cards: bool = False) -> None:
        """Replay a log; with `has_wide_cards` the pool has fewer slots.

        Raises:
            ValueError: The entries are not the log of a match.
        """
        self._clock = clock
        self.seq = self._last_at = self.next_pause_at = 0
        self.former_rounds: tuple[TableView, ...] = ()
        self.unanswered: tuple[int, ...] = ()
        self._early = EarlyMoves()
        self._presses: set[int] = set()
        self._costly: dict[Event, int] = {}
        self._takers: dict[Card, int] = {}
        self._last_pause: MatchPaused | None = None
        start = evolve_all(None, (entry.event for entry in entries[:1]))
        slots = pool_slots(len(start.seats), start.strategies, has_wide_cards=has_wide_cards)
        self._state = with_changes(start, slots=slots)
        self.pressed_at = entries[0].event.at
        self._add(entries[:1], self._state)
        self._add(entries[1:])

    def _add(self, entries: Sequence[LogEntry], state: State | None = None) -> None:
        """Add durable entries; `state` is the state after them, if it is known."""
        if not entries:
            return
        for entry in entries:
            if isinstance(entry.event, CardsDealt) and self._state.result is not None:
                self.former_rounds = (*self.former_rounds, table_view(self._state))
                teams = enumerate(self._state.teams)
                self.unanswered = tuple(number for number, team in teams if team.plan and team.proposal)
            if state is None:
                self._state = evolve(self._state, entry.event)
        self._state = state or self._state
        self.seq = entries[-1].seq
        self._last_at = entries[-1].event.at
        for entry in entries:
            self._note(entry)
        self._table_view: TableView | None = None
        self._seat_views: dict[int, SeatView] = {}
        self._player_views: dict[int, PlayerView] = {}

    def _note(self, entry: LogEntry) -> None:
        """Keep what the state does not have: the press, the end of a pause, costly events, and who took which card."""
        if entry.press_id is not None:
            self._presses.add(entry.press_id)
            self.pressed_at = entry.event.at
        match entry.event:
            case MatchPaused() as event:
                self._last_pause = event
            case MatchResumed() as event if self._last_pause is not None and not self._last_pause.by_itself:
                self.next_pause_at = next_pause_at(self._last_pause, event)
            case CardTaken(seat=seat, card=card):
                self._takers[card] = seat
            case CardPutDown(card=card):
                self._takers.pop(card, None)
            case PoolSwept():
                self._takers.clear()
            case CardsDealt():
                self._costly.clear()
                self._takers.clear()
            case SignProposed(at=at):
                self._early.proposed_at = at
            case CounterFailed() | SignGuessed() | TeamAccused() as event:
                self._costly[replace(event, at=0)] = event.at

    def table_view(self) -> TableView:
        """Return what everybody sees."""
        if self._table_view is None:
            self._table_view = table_view(self._state)
        return self._table_view

    def seat_view(self, seat: int) -> SeatView:
        """Return what a seat sees."""
        view = self._seat_views.get(seat)
        if view is None:
            view = self._seat_views[seat] = seat_view(self._state, seat, self.table_view())
        return view

    def player_view(self, seat: int) -> PlayerView:
        """Return what a seat sees and may do now."""
        now, view = self._clock.now(), self._player_views.get(seat)
        if view is None or (view.legal_until is not None and view.legal_until <= now):
            view = self._player_views[seat] = player_view(self._state, seat, now, self.table_view())
        return view

    def taker(self, card: Card) -> int | None:
        """Return the seat that took a card from the pool and has not put it down since; None if there is none."""
        return self._takers.get(card)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._state.phase is Phase.MATCH_OVER

    @property
    def pause(self) -> MatchPaused | None:
        """The present pause; None if the match is not paused."""
        return self._state.pause

    def _is_repeat(self, events: Iterable[Event]) -> bool:
        """Return whether events cost points and repeat others of the last seconds, as a second press would.

        A player who sees no answer presses again, and that press has another id. The core refuses most repeated moves;
        the others are recognised here by their events.
        """
        return any(
            event.at - self._costly.get(replace(event, at=0), event.at - REPEAT_MS) < REPEAT_MS
            for event in events
            if isinstance(event, _COSTLY)
        )
