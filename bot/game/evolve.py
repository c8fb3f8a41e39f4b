"""Applies events to states: total, and without judging them, which `decide` has done."""

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch

from bot.game import events as e
from bot.game.cards import HAND_SIZE, Card
from bot.game.evolve_signs import accused, gesture_made, guessed, is_still_signed, kept, unsigned
from bot.game.evolve_time import shifted
from bot.game.phase import Phase
from bot.game.rules import Shows, SweptTo
from bot.game.state import (
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
    with_seat,
    with_team,
)


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
    """
    if isinstance(event, e.MatchStarted):
        return State(
            rules=event.rules,
            seats=(Seat(),) * event.seats,
            teams=tuple(Team(card=card) for card in event.sign_cards) or (Team(),) * event.teams,
            dealer=event.dealer,
            strategies=frozenset(event.strategies),
            phase_at=event.at,
            scores=(0,) * event.teams,
            games=(0,) * event.teams,
        )
    if state is None:
        raise ValueError(f"a match begins with the event MatchStarted, not with {type(event).__name__}")
    return _apply(event, state)


@singledispatch
def _apply(event: object, state: State) -> State:
    raise TypeError(f"unknown event {event!r}")


@_apply.register
def _(event: e.SignProposed, state: State) -> State:
    proposal = Proposal(event.seat, event.plan, (event.seat,))
    return with_team(state, state.team_of(event.seat), proposal=proposal)


@_apply.register
def _(event: e.SignAccepted, state: State) -> State:
    team = state.team_of(event.seat)
    proposal = state.teams[team].proposal
    if proposal is None:
        return state
    return with_team(state, team, proposal=replace(proposal, accepted=(*proposal.accepted, event.seat)))


@_apply.register
def _(event: e.SignSettled, state: State) -> State:
    changed = with_team(state, event.team, plan=event.plan, proposal=None, may_change=False)
    for seat in state.members(event.team):
        changed = unsigned(changed, seat)
    return changed


@_apply.register
def _(event: e.SignKept, state: State) -> State:
    return kept(state, event)


@_apply.register
def _(event: e.CardsDealt, state: State) -> State:
    count = len(state.seats)
    first = (event.dealer + 1) % count
    seats = tuple(
        Seat(hand=tuple(event.order[(seat - first) % count + count * turn] for turn in range(HAND_SIZE)))
        for seat in range(count)
    )
    fresh = state.game_won
    return replace(
        state,
        seats=seats,
        teams=tuple(replace(team, proposal=None, may_change=False) for team in state.teams),
        dealer=event.dealer,
        phase=Phase.DEAL,
        phase_at=event.at,
        dealt_at=event.at,
        round=event.round,
        pool=(),
        stock=event.order[count * HAND_SIZE :],
        discard=(),
        vote=None,
        duty=None,
        sweeps=0,
        pending_shows=(),
        chain=None,
        broken=None,
        gestures=(),
        reports=(),
        excess=(),
        margin=None,
        result=None,
        scores=(0,) * len(state.teams) if fresh else state.scores,
        game_won=False,
    )


@_apply.register
def _(event: e.ExcessRedrawn, state: State) -> State:
    drawn = iter(event.stock[: len(event.cards)])
    hand = tuple(next(drawn) if card in event.cards else card for card in state.seats[event.seat].hand)
    changed = with_seat(state, event.seat, hand=hand)
    return replace(changed, stock=event.stock[len(event.cards) :], excess=(*state.excess, event))


@_apply.register
def _(event: e.PoolTurnedUp, state: State) -> State:
    phase = Phase.READY if state.phase is Phase.DEAL else state.phase
    pool = (*state.pool_cards, *event.cards)
    return replace(state, pool=pool, stock=state.stock[len(event.cards) :], phase=phase, last_exchange=event.at)


@_apply.register
def _(event: e.StockRebuilt, state: State) -> State:
    return replace(state, stock=event.order, discard=())


@_apply.register
def _(event: e.HuntOpened, state: State) -> State:
    return replace(state, phase=Phase.HUNT, phase_at=event.at, last_exchange=event.at, vote=None)


@_apply.register
def _(event: e.CardPutDown, state: State) -> State:
    seat = state.seats[event.seat]
    before = frozenset(seat.cards) if seat.before is None else seat.before
    since = event.at if seat.owes_since is None else seat.owes_since
    changed = with_seat(state, event.seat, hand=_swap(seat.hand, event.card, None), before=before, owes_since=since)
    pool = _swap(state.pool, None, event.card) if None in state.pool else (*state.pool, event.card)
    return replace(changed, pool=pool)


@_apply.register
def _(event: e.CardTaken, state: State) -> State:
    seat = state.seats[event.seat]
    hand = _swap(seat.hand, None, event.card)
    pool = _trimmed(_swap(state.pool, event.card, None))
    if None in hand:
        return replace(with_seat(state, event.seat, hand=hand), pool=pool)
    is_changed = frozenset(hand) != seat.before
    changed = with_seat(state, event.seat, hand=hand, before=None, owes_since=None)
    if not is_changed:
        return replace(changed, pool=pool)
    if not is_still_signed(changed, event.seat):
        changed = unsigned(changed, event.seat)
    duty = None if state.duty is not None and state.duty.seat == event.seat else state.duty
    return replace(changed, pool=pool, last_exchange=event.at, duty=duty, sweeps=0)


@_apply.register
def _(event: e.SweepAsked, state: State) -> State:
    vote = SweepVote(event.seat, (event.seat,), event.at + milliseconds(state.rules.sweep.sweep_vote))
    return replace(state, phase=Phase.SWEEP, phase_at=event.at, vote=vote)


@_apply.register
def _(event: e.SweepAgreed, state: State) -> State:
    if state.vote is None:
        return state
    return replace(state, vote=replace(state.vote, agreed=(*state.vote.agreed, event.seat)))


@_apply.register
def _(event: e.SweepRefused, state: State) -> State:
    sweep = state.rules.sweep
    duty = ExchangeDuty(event.seat, event.at + milliseconds(sweep.refusal_grace)) if sweep.must_exchange else None
    return replace(state, phase=Phase.HUNT, phase_at=event.at, vote=None, duty=duty)


@_apply.register
def _(event: e.PoolSwept, state: State) -> State:
    swept = state.pool_cards
    sweeps = state.sweeps if state.phase is Phase.READY else state.sweeps + 1  # before the hunt nobody could exchange
    changed = replace(state, pool=(), vote=None, duty=None, sweeps=sweeps)
    if state.rules.sweep.swept is SweptTo.UNDER_STOCK:
        return replace(changed, stock=(*state.stock, *swept))
    return replace(changed, discard=(*state.discard, *swept))


@_apply.register
def _(event: e.GestureMade, state: State) -> State:
    return gesture_made(state, event)


@_apply.register
def _(event: e.MatchPaused, state: State) -> State:
    return replace(state, pause=event)


@_apply.register
def _(event: e.MatchResumed, state: State) -> State:
    if state.pause is None:
        return state
    return replace(shifted(state, event.at - state.pause.at), pause=None)


@_apply.register
def _(event: e.CallMargin, state: State) -> State:
    return replace(state, margin=event)


@_apply.register
def _(event: e.ChainOpened, state: State) -> State:
    chain = CallChain(event.seat, event.outcome, event.team)
    return replace(state, phase=Phase.CHAIN, phase_at=event.at, chain=chain)


@_apply.register
def _(event: e.ChainBroken, state: State) -> State:
    return replace(state, chain=None, broken=event)


@_apply.register
def _(event: e.CounterHadNoEffect, state: State) -> State:
    return state


@_apply.register
def _(event: e.CounterFailed, state: State) -> State:
    penalty = state.rules.penalty
    changed = replace(state, scores=_sum(state.scores, event.points))
    if penalty.counter_lost:
        changed = with_seat(changed, event.seat, can_counter=False)
    if penalty.shows is Shows.NOBODY or event.target is None:
        return changed
    shower, viewer = (event.target, event.seat) if penalty.shows is Shows.ACCUSED else (event.seat, event.target)
    pending = PendingShow(shower, viewer, event.at + milliseconds(penalty.show_delay))
    return replace(changed, pending_shows=(*state.pending_shows, pending))


@_apply.register
def _(event: e.CardsShown, state: State) -> State:
    pending = list(state.pending_shows)
    match = next((item for item in pending if (item.seat, item.viewer) == (event.seat, event.viewer)), None)
    if match is not None:
        pending.remove(match)
    shown = (*state.seats[event.viewer].shown, ShownCards(event.seat, event.cards))
    return replace(with_seat(state, event.viewer, shown=shown), pending_shows=tuple(pending))


@_apply.register
def _(event: e.SignGuessed, state: State) -> State:
    return replace(guessed(state, event), scores=_sum(state.scores, event.points))


@_apply.register
def _(event: e.TeamAccused, state: State) -> State:
    return accused(state, event)


@_apply.register
def _(event: e.RoundEnded, state: State) -> State:
    return replace(
        state,
        phase=Phase.OVER,
        phase_at=event.at,
        result=event,
        scores=_sum(state.scores, event.points),
        vote=None,
        duty=None,
        pending_shows=(),
        chain=None,
    )


@_apply.register
def _(event: e.GameWon, state: State) -> State:
    games = tuple(won + (team == event.team) for team, won in enumerate(state.games))
    return replace(state, games=games, game_won=True)


@_apply.register
def _(event: e.MatchEnded, state: State) -> State:
    return replace(
        state,
        phase=Phase.MATCH_OVER,
        phase_at=event.at,
        winner=event.winner,
        vote=None,
        duty=None,
        pending_shows=(),
    )


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _swap(slots: Slots, old: Card | None, new: Card | None) -> Slots:
    where = slots.index(old)
    return (*slots[:where], new, *slots[where + 1 :])


def _trimmed(pool: Slots) -> Slots:
    """Returns the slots without the empty ones at the right end. The others keep their place."""
    end = len(pool)
    while end > HAND_SIZE and pool[end - 1] is None:
        end -= 1
    return pool[:end]


def _sum(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + point for score, point in zip(scores, points, strict=True))
