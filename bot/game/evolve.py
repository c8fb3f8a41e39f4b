"""Applies events to states: total, and without judging them, which `decide` has done."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from operator import add
from typing import Any, Final

from bot.game import events as e
from bot.game.cards import ALIKE, HAND_SIZE, JOKER_GROUP, Card, dealt_hands, three_alike
from bot.game.evolve_signs import accused, gesture_made, guessed, is_still_signed, kept, unsigned
from bot.game.phase import DEAL, HUNT, MATCH_OVER, OVER, READY, SWEEP, Phase
from bot.game.rules.parts import Shows, SweptTo
from bot.game.signs.sign import Strategy
from bot.game.state import (
    MOST_SLOTS,
    CallChain,
    ExchangeDuty,
    PendingShow,
    Proposal,
    Seat,
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

_NOTHING_PENDING: Final = {"vote": None, "duty": None, "pending_shows": ()}


def evolve_all(state: State | None, events: Iterable[e.Event]) -> State:
    """Returns the state after all events, from `state` or from the match's first event.

    Raises:
        ValueError: there is no event to start from.
    """
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a match begins with the event MatchStarted: the log is empty")
    return state


def evolve(state: State | None, event: e.Event) -> State:
    """Returns the state after one event; None stands before the first.

    Raises:
        ValueError: the log of a match does not begin with `MatchStarted`.
        TypeError: the event is of no class of `bot.game.events`.
    """
    follow = AFTER.get(type(event))
    if follow is not None and state is not None:
        return follow(state, event)
    if isinstance(event, e.MatchStarted):
        return _start(event)
    if follow is not None:
        raise ValueError(f"a match begins with the event MatchStarted, not with {type(event).__name__}")
    raise TypeError(f"unknown event {event!r}")


def _start(event: e.MatchStarted) -> State:
    return State(
        rules=event.rules,
        seats=(Seat(),) * event.seats,
        teams=tuple(Team(card=card) for card in event.sign_cards) or (Team(),) * event.teams,
        dealer=event.dealer,
        strategies=frozenset(event.strategies),
        slots=pool_slots(event.seats, event.strategies),
        phase_at=event.at,
        scores=(0,) * event.teams,
        games=(0,) * event.teams,
    )


def pool_slots(seats: int, strategies: Collection[Strategy], *, has_wide_cards: bool = False) -> int:
    """Returns how many slots of the pool lie within reach: four and one for each player, as far as there is room.

    There is less where a player may have many signs, and where cards are shown by long names.
    """
    has_many_signs = Strategy.INTERMEDIATE in strategies
    return min(HAND_SIZE + seats, MOST_SLOTS - 4 * has_many_signs - 2 * has_wide_cards)


def _deal(state: State, event: e.CardsDealt) -> State:
    """Returns the state of a new round: what it does not take over from the match is as at first."""
    count = len(state.seats)
    return State(
        rules=state.rules,
        seats=tuple([Seat(hand) for hand in dealt_hands(event.order, count, event.dealer)]),
        teams=tuple([_closed_to_changes(team) for team in state.teams]),
        dealer=event.dealer,
        strategies=state.strategies,
        phase=DEAL,
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
    third = event.seat if _is_third(event.card, pool) else state.third
    return with_changes(state, seats=seats_with(state, event.seat, held), pool=pool, third=third)


def _is_third(card: Card, pool: Slots) -> bool:
    """Returns whether the pool holds three alike by the card that was just put down."""
    group = card.group
    return group != JOKER_GROUP and len([1 for other in pool if other is not None and other.group == group]) >= ALIKE


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
    if seat.signed_for and not is_still_signed(after, event.seat):
        after = unsigned(after, event.seat)
    duty = None if state.duty is not None and state.duty.seat == event.seat else state.duty
    return with_changes(after, last_exchange=event.at, duty=duty, sweeps=0, swept_third=None)


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


def _hunt_opened(state: State, event: e.HuntOpened) -> State:
    return with_changes(state, phase=HUNT, phase_at=event.at, last_exchange=event.at, vote=None)


def _round_ended(state: State, event: e.RoundEnded) -> State:
    scores = _sum(state.scores, event.points)
    return with_changes(
        state, phase=OVER, phase_at=event.at, result=event, scores=scores, chain=None, **_NOTHING_PENDING
    )


def _pool_turned_up(state: State, event: e.PoolTurnedUp) -> State:
    phase = READY if state.phase is DEAL else state.phase
    stock = state.stock[len(event.cards) :]
    pool = (*state.pool_cards, *event.cards)
    return with_changes(state, pool=pool, third=None, stock=stock, phase=phase, last_exchange=event.at)


def _sweep_asked(state: State, event: e.SweepAsked) -> State:
    vote = SweepVote(event.seat, (event.seat,), event.at + milliseconds(state.rules.sweep.sweep_vote))
    return with_changes(state, phase=SWEEP, phase_at=event.at, vote=vote)


def _sweep_agreed(state: State, event: e.SweepAgreed) -> State:
    if state.vote is None:
        return state
    return with_changes(state, vote=replace(state.vote, agreed=(*state.vote.agreed, event.seat)))


def _sweep_refused(state: State, event: e.SweepRefused) -> State:
    sweep = state.rules.sweep
    duty = ExchangeDuty(event.seat, event.at + milliseconds(sweep.refusal_grace)) if sweep.must_exchange else None
    return with_changes(state, phase=HUNT, phase_at=event.at, vote=None, duty=duty)


def _pool_swept(state: State, event: e.PoolSwept) -> State:
    is_hunt = state.phase is not READY  # before it nobody could exchange
    third = state.third if event.asker is None and three_alike(state.pool_cards) else None
    changed = with_changes(state, pool=(), swept_third=third, vote=None, duty=None, sweeps=state.sweeps + is_hunt)
    if state.rules.sweep.swept is SweptTo.UNDER_STOCK:
        return with_changes(changed, stock=(*state.stock, *state.pool_cards))
    return with_changes(changed, discard=(*state.discard, *state.pool_cards))


def _sign_proposed(state: State, event: e.SignProposed) -> State:
    return with_team(state, state.team_of(event.seat), proposal=Proposal(event.seat, event.plan, (event.seat,)))


def _sign_accepted(state: State, event: e.SignAccepted) -> State:
    team = state.team_of(event.seat)
    proposal = state.teams[team].proposal
    if proposal is None:
        return state
    return with_team(state, team, proposal=replace(proposal, accepted=(*proposal.accepted, event.seat)))


def _sign_settled(state: State, event: e.SignSettled) -> State:
    changed = with_team(state, event.team, plan=event.plan, proposal=None, may_change=False)
    for seat in state.members(event.team):
        changed = unsigned(changed, seat)
    return changed


def _excess_redrawn(state: State, event: e.ExcessRedrawn) -> State:
    drawn = iter(event.stock[: len(event.cards)])
    hand = tuple(next(drawn) if card in event.cards else card for card in state.seats[event.seat].hand)
    changed = with_seat(state, event.seat, hand=hand)
    return with_changes(changed, stock=event.stock[len(event.cards) :], excess=(*state.excess, event))


def _stock_rebuilt(state: State, event: e.StockRebuilt) -> State:
    return with_changes(state, stock=event.order, discard=())


def _match_paused(state: State, event: e.MatchPaused) -> State:
    return with_changes(state, pause=event)


def _match_resumed(state: State, event: e.MatchResumed) -> State:
    return state if state.pause is None else with_changes(_shifted(state, event.at - state.pause.at), pause=None)


def _call_margin(state: State, event: e.CallMargin) -> State:
    return with_changes(state, margin=event)


def _chain_opened(state: State, event: e.ChainOpened) -> State:
    return with_changes(
        state, phase=Phase.CHAIN, phase_at=event.at, chain=CallChain(event.seat, event.outcome, event.team)
    )


def _chain_broken(state: State, event: e.ChainBroken) -> State:
    return with_changes(state, chain=None, broken=event)


def _counter_had_no_effect(state: State, event: e.CounterHadNoEffect) -> State:
    return state


def _sign_guessed(state: State, event: e.SignGuessed) -> State:
    changed = _penalised(guessed(state, event), event)
    return with_changes(changed, scores=_sum(state.scores, event.points))


def _game_won(state: State, event: e.GameWon) -> State:
    games = tuple(won + (team == event.team) for team, won in enumerate(state.games))
    return with_changes(state, games=games, game_won=True)


def _time_called(state: State, event: e.TimeCalled) -> State:
    return with_changes(state, is_time_called=True)


def _match_ended(state: State, event: e.MatchEnded) -> State:
    return with_changes(state, phase=MATCH_OVER, phase_at=event.at, winner=event.winner, **_NOTHING_PENDING)


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


AFTER: Final[dict[type[e.Event], Callable[[State, Any], State]]] = {
    e.CardPutDown: _put_down,
    e.CardTaken: _take,
    e.HuntOpened: _hunt_opened,
    e.RoundEnded: _round_ended,
    e.CardsDealt: _deal,
    e.PoolTurnedUp: _pool_turned_up,
    e.CounterFailed: _fail_counter,
    e.CardsShown: _show,
    e.GestureMade: gesture_made,
    e.SweepAsked: _sweep_asked,
    e.SweepAgreed: _sweep_agreed,
    e.SweepRefused: _sweep_refused,
    e.PoolSwept: _pool_swept,
    e.SignProposed: _sign_proposed,
    e.SignAccepted: _sign_accepted,
    e.SignSettled: _sign_settled,
    e.SignKept: kept,
    e.ExcessRedrawn: _excess_redrawn,
    e.StockRebuilt: _stock_rebuilt,
    e.MatchPaused: _match_paused,
    e.MatchResumed: _match_resumed,
    e.CallMargin: _call_margin,
    e.ChainOpened: _chain_opened,
    e.ChainBroken: _chain_broken,
    e.CounterHadNoEffect: _counter_had_no_effect,
    e.SignGuessed: _sign_guessed,
    e.TeamAccused: accused,
    e.GameWon: _game_won,
    e.TimeCalled: _time_called,
    e.MatchEnded: _match_ended,
}
"""What gives the state after an event, by its class; `MatchStarted` has no state before it.

It is a table, for the cases of a `match` are tried in turn. A test holds it to all events.
"""
