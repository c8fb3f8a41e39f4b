"""Applies events to states: total, and without judging them, which `decide` has done."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, Final

from bot.game import events as e
from bot.game.cards import ALIKE, HAND_SIZE, Card, alike, dealt_hands, most_alike
from bot.game.evolve_signs import accused, gesture_made, guessed, is_still_signed, kept, unsigned
from bot.game.phase import HUNT, MATCH_OVER, OVER, READY, SWEEP, Phase
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

_NEW_SEAT: Final = Seat()


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
        return _start(event)
    if state is None:
        raise ValueError(f"a match begins with the event MatchStarted, not with {type(event).__name__}")
    match event:  # the frequent ones first: the cases are tried in turn
        case e.CardPutDown():
            return _put_down(state, event)
        case e.CardTaken():
            return _take(state, event)
        case e.HuntOpened(at=at):
            return with_changes(state, phase=HUNT, phase_at=at, last_exchange=at, vote=None)
        case e.RoundEnded(at=at, points=points):
            scores = _sum(state.scores, points)
            return _close(state, phase=OVER, phase_at=at, result=event, scores=scores, chain=None)
        case e.CardsDealt():
            return _deal(state, event)
        case e.PoolTurnedUp(at=at, cards=cards):
            phase = READY if state.phase is Phase.DEAL else state.phase
            stock = state.stock[len(cards) :]
            pool = (*state.pool_cards, *cards)
            return with_changes(state, pool=pool, third=None, stock=stock, phase=phase, last_exchange=at)
        case e.CounterFailed():
            return _fail_counter(state, event)
        case e.CardsShown():
            return _show(state, event)
        case e.GestureMade():
            return gesture_made(state, event)
        case e.SweepAsked(at=at, seat=seat):
            vote = SweepVote(seat, (seat,), at + milliseconds(state.rules.sweep.sweep_vote))
            return with_changes(state, phase=SWEEP, phase_at=at, vote=vote)
        case e.SweepAgreed(seat=seat):
            if state.vote is None:
                return state
            return with_changes(state, vote=replace(state.vote, agreed=(*state.vote.agreed, seat)))
        case e.SweepRefused(at=at, seat=seat):
            sweep = state.rules.sweep
            duty = ExchangeDuty(seat, at + milliseconds(sweep.refusal_grace)) if sweep.must_exchange else None
            return with_changes(state, phase=HUNT, phase_at=at, vote=None, duty=duty)
        case e.PoolSwept(asker=asker):
            is_hunt = state.phase is not READY  # before it nobody could exchange
            third = state.third if asker is None and len(most_alike(state.pool_cards)) >= ALIKE else None
            changed = with_changes(
                state, pool=(), swept_third=third, vote=None, duty=None, sweeps=state.sweeps + is_hunt
            )
            if state.rules.sweep.swept is SweptTo.UNDER_STOCK:
                return with_changes(changed, stock=(*state.stock, *state.pool_cards))
            return with_changes(changed, discard=(*state.discard, *state.pool_cards))
        case e.SignProposed(seat=seat, plan=plan):
            return with_team(state, state.team_of(seat), proposal=Proposal(seat, plan, (seat,)))
        case e.SignAccepted(seat=seat):
            team = state.team_of(seat)
            proposal = state.teams[team].proposal
            if proposal is None:
                return state
            return with_team(state, team, proposal=replace(proposal, accepted=(*proposal.accepted, seat)))
        case e.SignSettled(team=team, plan=plan):
            changed = with_team(state, team, plan=plan, proposal=None, may_change=False)
            for seat in state.members(team):
                changed = unsigned(changed, seat)
            return changed
        case e.SignKept():
            return kept(state, event)
        case e.ExcessRedrawn(seat=seat, cards=cards, stock=stock):
            drawn = iter(stock[: len(cards)])
            hand = tuple(next(drawn) if card in cards else card for card in state.seats[seat].hand)
            changed = with_seat(state, seat, hand=hand)
            return with_changes(changed, stock=stock[len(cards) :], excess=(*state.excess, event))
        case e.StockRebuilt(order=order):
            return with_changes(state, stock=order, discard=())
        case e.MatchPaused():
            return with_changes(state, pause=event)
        case e.MatchResumed(at=at):
            return state if state.pause is None else with_changes(_shifted(state, at - state.pause.at), pause=None)
        case e.CallMargin():
            return with_changes(state, margin=event)
        case e.ChainOpened(at=at, seat=seat, outcome=outcome, team=team):
            return with_changes(state, phase=Phase.CHAIN, phase_at=at, chain=CallChain(seat, outcome, team))
        case e.ChainBroken():
            return with_changes(state, chain=None, broken=event)
        case e.CounterHadNoEffect():
            return state
        case e.SignGuessed(points=points):
            changed = _penalised(guessed(state, event), event)
            return with_changes(changed, scores=_sum(state.scores, points))
        case e.TeamAccused():
            return accused(state, event)
        case e.GameWon(team=winner):
            games = tuple(won + (team == winner) for team, won in enumerate(state.games))
            return with_changes(state, games=games, game_won=True)
        case e.TimeCalled():
            return with_changes(state, is_time_called=True)
        case e.MatchEnded(at=at, winner=winner):
            return _close(state, phase=MATCH_OVER, phase_at=at, winner=winner)
        case unknown:
            raise TypeError(f"unknown event {unknown!r}")


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
    count = len(state.seats)
    hands = dealt_hands(event.order, count, event.dealer)
    fresh = state.game_won
    return with_changes(
        state,
        seats=tuple([with_changes(_NEW_SEAT, hand=hand) for hand in hands]),
        teams=tuple(
            [
                with_changes(team, proposal=None, may_change=False) if team.proposal or team.may_change else team
                for team in state.teams
            ]
        ),
        dealer=event.dealer,
        phase=Phase.DEAL,
        phase_at=event.at,
        dealt_at=event.at,
        round=event.round,
        pool=(),
        third=None,
        swept_third=None,
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
        penalties=(),
        result=None,
        scores=(0,) * len(state.teams) if fresh else state.scores,
        game_won=False,
    )


def _put_down(state: State, event: e.CardPutDown) -> State:
    seat = state.seats[event.seat]
    is_first = seat.owes_since is None
    held = with_changes(
        seat,
        hand=_swap(seat.hand, event.card, None),
        before=frozenset(seat.cards) if is_first else seat.before,
        owes_since=event.at if is_first else seat.owes_since,
    )
    if is_first and seat.by_chance:
        held = with_changes(held, by_chance=())
    pool = _swap(state.pool, None, event.card) if None in state.pool else (*state.pool, event.card)
    is_third = not event.card.is_joker and len(alike(pool, event.card)) >= ALIKE
    third = event.seat if is_third else state.third
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
    if frozenset(hand) == seat.before:
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


def _close(state: State, **changes: Any) -> State:
    """Returns the state with these changes and nothing pending."""
    return with_changes(state, vote=None, duty=None, pending_shows=(), **changes)


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
    where = slots.index(old)
    return (*slots[:where], new, *slots[where + 1 :])


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
    return tuple([score + point for score, point in zip(scores, points, strict=True)])
