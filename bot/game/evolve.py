"""Applies events to states: total, and without judging them, which `decide` has done."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Final, assert_never

from bot.game import events as e
from bot.game.cards import HAND_SIZE, Card, dealt_hands, is_third_alike, three_alike
from bot.game.events import Event, Phase
from bot.game.evolve_signs import accused, gesture_made, guessed, is_still_signed, kept, unsigned
from bot.game.rules.rules import Shows, SweptTo
from bot.game.state import (
    CallChain,
    ExchangeDuty,
    PendingShow,
    Proposal,
    Seat,
    SeenExchange,
    ShownCards,
    Slots,
    State,
    SweepVote,
    Team,
    seats_with,
    with_changes,
    with_seat,
    with_team,
)

_NOTHING_PENDING: Final[dict[str, Any]] = {"vote": None, "duty": None, "pending_shows": ()}


def evolve_all(state: State | None, events: Iterable[e.Event]) -> State:
    """Returns the state after all events, from `state` or the first event. Raises ValueError without either."""
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a match begins with the event MatchStarted: the log is empty")
    return state


def evolve(state: State | None, event: e.Event) -> State:
    """Returns the state after one event, None before the first. Raises ValueError where that is no `MatchStarted`."""
    if state is not None:
        return _after(state, event)
    if isinstance(event, e.MatchStarted):
        return _start(event)
    raise ValueError(f"a match begins with the event MatchStarted, not with {type(event).__name__}")


def _after(state: State, event: e.Event) -> State:
    at = event.at
    match event:  # the frequent ones first: the cases are tried in turn
        case e.CardPutDown():
            return _put_down(state, event)
        case e.CardTaken():
            return _take(state, event)
        case e.HuntOpened():
            return with_changes(state, phase=Phase.HUNT, phase_at=at, last_exchange=at, vote=None)
        case e.RoundEnded():
            scores = _sum(state.scores, event.points)
            return with_changes(
                state, phase=Phase.OVER, phase_at=at, result=event, scores=scores, chain=None, **_NOTHING_PENDING
            )
        case e.CardsDealt():
            return _deal(state, event)
        case e.PoolTurnedUp():
            phase = Phase.READY if state.phase is Phase.DEAL else state.phase
            pool, stock = (*state.pool_cards, *event.cards), state.stock[len(event.cards) :]
            return with_changes(state, pool=pool, third=None, stock=stock, phase=phase, last_exchange=at)
        case e.GestureMade():
            return gesture_made(state, event)
        case e.CounterFailed():
            return _fail_counter(state, event)
        case e.CardsShown():
            return _show(state, event)
        case e.SweepAsked():
            ends_at = at + milliseconds(state.rules.sweep.sweep_vote)
            return with_changes(
                state, phase=Phase.SWEEP, phase_at=at, vote=SweepVote(event.seat, (event.seat,), ends_at)
            )
        case e.SweepAgreed():
            vote = state.vote
            return with_changes(state, vote=vote and replace(vote, agreed=(*vote.agreed, event.seat)))
        case e.SweepRefused():
            sweep = state.rules.sweep
            duty = ExchangeDuty(event.seat, at + milliseconds(sweep.refusal_grace)) if sweep.must_exchange else None
            return with_changes(state, phase=Phase.HUNT, phase_at=at, vote=None, duty=duty)
        case e.PoolSwept():
            return _sweep(state, event)
        case e.StockRebuilt():
            return with_changes(state, stock=event.order, discard=())
        case e.ExcessRedrawn():
            return _redraw(state, event)
        case e.ChainOpened():
            return with_changes(
                state, phase=Phase.CHAIN, phase_at=at, chain=CallChain(event.seat, event.outcome, event.team)
            )
        case e.ChainBroken():
            return with_changes(state, chain=None, broken=event)
        case e.CounterHadNoEffect():
            return state
        case e.CallMargin():
            return with_changes(state, margin=event)
        case e.SignProposed():
            return with_team(state, state.team_of(event.seat), proposal=Proposal(event.seat, event.plan, (event.seat,)))
        case e.SignAccepted():
            team = state.team_of(event.seat)
            asked = state.teams[team].proposal
            return with_team(state, team, proposal=asked and replace(asked, accepted=(*asked.accepted, event.seat)))
        case e.SignSettled():
            changed = with_team(state, event.team, plan=event.plan, proposal=None, may_change=False)
            return reduce(unsigned, state.members(event.team), changed)
        case e.SignKept():
            return kept(state, event)
        case e.SignGuessed():
            changed = _penalised(guessed(state, event), event)
            return with_changes(changed, scores=_sum(state.scores, event.points))
        case e.TeamAccused():
            return accused(state, event)
        case e.MatchPaused():
            return with_changes(state, pause=event)
        case e.MatchResumed():
            return state if state.pause is None else with_changes(_shifted(state, at - state.pause.at), pause=None)
        case e.GameWon():
            games = tuple(won + (team == event.team) for team, won in enumerate(state.games))
            return with_changes(state, games=games, game_won=True)
        case e.TimeCalled():
            return with_changes(state, is_time_called=True)
        case e.MatchEnded():
            return with_changes(state, phase=Phase.MATCH_OVER, phase_at=at, winner=event.winner, **_NOTHING_PENDING)
        case e.MatchStarted():
            raise ValueError("a match has started once already")
    assert_never(event)


def _start(event: e.MatchStarted) -> State:
    return State(
        rules=event.rules,
        seats=(Seat(),) * event.seats,
        teams=tuple(Team(card=card) for card in event.sign_cards) or (Team(),) * event.teams,
        dealer=event.dealer,
        strategies=frozenset(event.strategies),
        slots=HAND_SIZE + event.seats,
        phase_at=event.at,
        scores=(0,) * event.teams,
        games=(0,) * event.teams,
    )


def _deal(state: State, event: e.CardsDealt) -> State:
    """Returns the state of a new round: what it does not take over from the match is as at first."""
    count = len(state.seats)
    return State(
        rules=state.rules,
        seats=tuple(Seat(tuple(sorted(hand))) for hand in dealt_hands(event.order, count, event.dealer)),
        teams=tuple(_closed_to_changes(team) for team in state.teams),
        dealer=event.dealer,
        strategies=state.strategies,
        phase=Phase.DEAL,
        round=event.round,
        phase_at=event.at,
        dealt_at=event.at,
        last_exchange=state.last_exchange,
        slots=state.slots,
        stock=event.order[count * HAND_SIZE :],
        pause=state.pause,
        scores=(0,) * len(state.teams) if state.game_won else state.scores,
        games=state.games,
        is_time_called=state.is_time_called,
        winner=state.winner,
    )


def _closed_to_changes(team: Team) -> Team:
    is_open = team.may_change or team.proposal is not None
    return with_changes(team, proposal=None, may_change=False) if is_open else team


def _put_down(state: State, event: e.CardPutDown) -> State:
    seat = state.seats[event.seat]
    is_first = seat.owes_since is None
    held = with_changes(
        seat,
        hand=_swap(seat.hand, event.card, None),
        before=seat.cards if is_first else seat.before,
        owes_since=event.at if is_first else seat.owes_since,
    )
    if is_first and seat.by_chance:
        held = with_changes(held, by_chance=())
    pool = _swap(state.pool, None, event.card) if None in state.pool else (*state.pool, event.card)
    third = event.seat if is_third_alike(state.pool, event.card) else state.third
    return with_changes(state, seats=seats_with(state, event.seat, held), pool=pool, third=third)


def _take(state: State, event: e.CardTaken) -> State:
    seat = state.seats[event.seat]
    hand = _swap(seat.hand, None, event.card)
    pool = _without(state.pool, event.card, state.slots)
    taken = seat.taken + 1
    if event.by_chance:
        seat = with_changes(seat, by_chance=(*seat.by_chance, event.card))
    if None in hand:
        held = with_changes(seat, hand=hand, taken=taken)
        return with_changes(state, seats=seats_with(state, event.seat, held), pool=pool)
    held = with_changes(seat, hand=hand, taken=taken, before=None, owes_since=None)
    after = with_changes(state, seats=seats_with(state, event.seat, held), pool=pool)
    if seat.before is not None and set(hand) == set(seat.before):
        return after
    seen = _seen_exchange(event.seat, seat.before or (), held)
    if seat.signed_for and not is_still_signed(after, event.seat):
        after = unsigned(after, event.seat)
    duty = None if state.duty is not None and state.duty.seat == event.seat else state.duty
    exchanges = (*state.exchanges, seen)
    return with_changes(after, last_exchange=event.at, duty=duty, sweeps=0, swept_third=None, exchanges=exchanges)


def _seen_exchange(seat: int, before: tuple[Card, ...], held: Seat) -> SeenExchange:
    put = tuple([card for card in before if card not in held.hand])
    taken = tuple([card for card in held.cards if card not in before])
    return SeenExchange(seat, put, taken, bool(held.by_chance))


def _fail_counter(state: State, event: e.CounterFailed) -> State:
    penalty = state.rules.penalty
    seats, pending = state.seats, state.pending_shows
    if penalty.counter_lost:
        seats = seats_with(state, event.seat, with_changes(seats[event.seat], can_counter=False))
    if penalty.shows is not Shows.NOBODY and event.target is not None:
        shower, viewer = (event.target, event.seat) if penalty.shows is Shows.ACCUSED else (event.seat, event.target)
        pending = (*pending, PendingShow(shower, viewer, event.at + milliseconds(penalty.show_delay)))
    scores = _sum(state.scores, event.points)
    return _penalised(with_changes(state, scores=scores, seats=seats, pending_shows=pending), event)


def _penalised(state: State, event: e.Penalty) -> State:
    """Returns the state that remembers what gave points in this round."""
    return with_changes(state, penalties=(*state.penalties, event)) if any(event.points) else state


def _show(state: State, event: e.CardsShown) -> State:
    pending = list(state.pending_shows)
    match = next((item for item in pending if (item.seat, item.viewer) == (event.seat, event.viewer)), None)
    if match is not None:
        pending.remove(match)
    shown = (*state.seats[event.viewer].shown, ShownCards(event.seat, event.cards))
    return with_changes(with_seat(state, event.viewer, shown=shown), pending_shows=tuple(pending))


def _sweep(state: State, event: e.PoolSwept) -> State:
    is_hunt = state.phase is not Phase.READY  # before it nobody could exchange
    third = state.third if event.asker is None and three_alike(state.pool_cards) else None
    changed = with_changes(state, pool=(), swept_third=third, vote=None, duty=None, sweeps=state.sweeps + is_hunt)
    if state.rules.sweep.swept is SweptTo.UNDER_STOCK:
        return with_changes(changed, stock=(*state.stock, *state.pool_cards))
    return with_changes(changed, discard=(*state.discard, *state.pool_cards))


def _redraw(state: State, event: e.ExcessRedrawn) -> State:
    drawn = iter(event.stock[: len(event.cards)])
    hand = tuple(sorted(next(drawn) if card in event.cards else card for card in state.seats[event.seat].cards))
    changed = with_seat(state, event.seat, hand=hand)
    return with_changes(changed, stock=event.stock[len(event.cards) :], excess=(*state.excess, event))


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _shifted(state: State, by: int) -> State:
    """Returns the state with all its instants `by` milliseconds later, as after a pause."""
    vote, duty, result = state.vote, state.duty, state.result
    return with_changes(
        state,
        seats=tuple(
            with_changes(seat, signed_at=_later(seat.signed_at, by), owes_since=_later(seat.owes_since, by))
            for seat in state.seats
        ),
        phase_at=state.phase_at + by,
        dealt_at=state.dealt_at + by,
        last_exchange=state.last_exchange + by,
        vote=None if vote is None else replace(vote, ends_at=vote.ends_at + by),
        duty=None if duty is None else replace(duty, ends_at=duty.ends_at + by),
        pending_shows=tuple(replace(show, ends_at=show.ends_at + by) for show in state.pending_shows),
        gestures=tuple(replace(gesture, at=gesture.at + by) for gesture in state.gestures),
        reports=tuple(replace(report, at=report.at + by) for report in state.reports),
        result=None if result is None else replace(result, at=result.at + by),
    )


def _later(at: int | None, by: int) -> int | None:
    return None if at is None else at + by


def _swap(slots: Slots, old: Card | None, new: Card | None) -> Slots:
    swapped = list(slots)
    swapped[swapped.index(old)] = new
    return tuple(swapped)


def _without(pool: Slots, card: Card, slots: int) -> Slots:
    """Returns the pool without a card, whose slot the first card beyond reach enters; all others keep their place."""
    where = pool.index(card)
    if len(pool) > slots:
        within, beyond = pool[:slots], pool[slots:]
        if where >= slots:
            return (*within, *(other for other in beyond if other != card))
        return (*within[:where], beyond[0], *within[where + 1 :], *beyond[1:])
    pool = (*pool[:where], None, *pool[where + 1 :])
    end = len(pool)
    while end > HAND_SIZE and pool[end - 1] is None:
        end -= 1
    return pool[:end]


def _sum(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, scores, points))


class Draft:
    """Gathers the `events` of a decision at `now`; `state` is the state after them."""

    __slots__ = ("events", "now", "state")

    def __init__(self, state: State, now: int) -> None:
        self.state = state
        self.now = now
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.state = _after(self.state, event)
