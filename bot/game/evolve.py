"""Applies events to states. It is total and judges nothing: `decide` has done that."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Final, assert_never

from bot.game import events as e
from bot.game import state as s
from bot.game.cards import HAND_SIZE, Card, alike_groups, dealt_hands, third_alikes, three_alike
from bot.game.events import Event, Phase
from bot.game.rules.rules import Guess, ShownTo, SignChange, SweptTo
from bot.game.signs import SEVERAL, PlanKind, Sign, SignReport, Strategy, gesture_makes, one_sign

_NOTHING_PENDING: Final[dict[str, Any]] = {"vote": None, "duty": None, "pending_shows": ()}
_THREE_ALIKE: Final = HAND_SIZE - 1


def evolve_all(state: s.State | None, events: Iterable[e.Event]) -> s.State:
    """Return the state after these events, which begin at `state` or with the first event of a match.

    Raises:
        ValueError: There is neither a state nor an event, or the first event is no `MatchStarted`.
    """
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a match begins with the event MatchStarted: the log is empty")
    return state


def evolve(state: s.State | None, event: e.Event) -> s.State:
    """Return the state after an event; `state` is None before the first one.

    Raises:
        ValueError: The first event is no `MatchStarted`.
    """
    if state is not None:
        return _apply(state, event)
    if isinstance(event, e.MatchStarted):
        return _start(event)
    raise ValueError(f"a match begins with the event MatchStarted, not with {type(event).__name__}")


def _apply(state: s.State, event: e.Event) -> s.State:
    at = event.at
    match event:  # the frequent ones first: the cases are tried in turn
        case e.CardPutDown():
            return _put_down(state, event)
        case e.CardTaken():
            return _take(state, event)
        case e.HuntOpened():
            return s.with_changes(state, phase=Phase.HUNT, phase_at=at, last_exchange=at, vote=None)
        case e.RoundEnded():
            scores = _sum(state.scores, event.points)
            ended = s.with_changes(
                state, phase=Phase.OVER, phase_at=at, result=event, scores=scores, chain=None, **_NOTHING_PENDING
            )
            return _spend_signs(ended, event)
        case e.CardsDealt():
            return _deal(state, event)
        case e.PoolTurnedUp():
            phase = Phase.READY if state.phase is Phase.DEAL else state.phase
            pool, stock = (*state.pool_cards, *event.cards), state.stock[len(event.cards) :]
            return s.with_changes(state, pool=pool, third=None, stock=stock, phase=phase, last_exchange=at)
        case e.GestureMade():
            return _make_gesture(state, event)
        case e.CounterFailed():
            return _fail_counter(state, event)
        case e.CardsShown():
            return _show(state, event)
        case e.SweepAsked():
            ends_at = at + milliseconds(state.rules.sweep.sweep_vote)
            return s.with_changes(
                state, phase=Phase.SWEEP, phase_at=at, vote=s.SweepVote(event.seat, (event.seat,), ends_at)
            )
        case e.SweepAgreed():
            vote = state.vote
            return s.with_changes(state, vote=vote and replace(vote, agreed=(*vote.agreed, event.seat)))
        case e.SweepRefused():
            sweep = state.rules.sweep
            duty = s.ExchangeDuty(event.seat, at + milliseconds(sweep.refusal_grace)) if sweep.must_exchange else None
            return s.with_changes(state, phase=Phase.HUNT, phase_at=at, last_exchange=at, vote=None, duty=duty)
        case e.PoolSwept():
            return _sweep(state, event)
        case e.StockRebuilt():
            return s.with_changes(state, stock=event.order, discard=())
        case e.ExcessRedrawn():
            return _redraw(state, event)
        case e.ChainOpened():
            return s.with_changes(
                state, phase=Phase.CHAIN, phase_at=at, chain=s.CallChain(event.seat, event.outcome, event.team)
            )
        case e.ChainBroken():
            return s.with_changes(state, chain=None, broken=event)
        case e.CounterHadNoEffect():
            return _allow_sign_change(state, event)
        case e.CallMargin():
            return s.with_changes(state, margin=event)
        case e.SignProposed():
            return s.with_team(
                state, state.team_of(event.seat), proposal=s.Proposal(event.seat, event.plan, (event.seat,), event.at)
            )
        case e.SignAccepted():
            team = state.team_of(event.seat)
            made = state.teams[team].proposal
            return s.with_team(state, team, proposal=made and replace(made, accepted=(*made.accepted, event.seat)))
        case e.SignSettled():
            changed = s.with_team(state, event.team, plan=event.plan, proposal=None, may_change=False)
            return reduce(_without_signature, state.members(event.team), changed)
        case e.SignKept():
            return _keep_sign(state, event)
        case e.SignGuessed():
            changed = _with_penalty(_guess_sign(state, event), event)
            return s.with_changes(changed, scores=_sum(state.scores, event.points))
        case e.TeamAccused():
            return _accuse(state, event)
        case e.MatchPaused():
            return s.with_changes(state, pause=event)
        case e.MatchResumed():
            return (
                state
                if state.pause is None
                else s.with_changes(_with_instants_moved(state, at - state.pause.at), pause=None)
            )
        case e.GameWon():
            games = tuple(won + (team == event.team) for team, won in enumerate(state.games))
            return s.with_changes(state, games=games, game_won=True)
        case e.TimeCalled():
            return s.with_changes(state, is_time_called=True)
        case e.MatchEnded():
            ended = s.with_changes(state, phase=Phase.MATCH_OVER, phase_at=at, winner=event.winner, **_NOTHING_PENDING)
            return s.with_changes(ended, teams=tuple(map(_closed_to_changes, state.teams)))
        case e.MatchStarted():
            raise ValueError("a match has started once already")
    assert_never(event)


def _start(event: e.MatchStarted) -> s.State:
    return s.State(
        rules=event.rules,
        seats=(s.Seat(),) * event.seats,
        teams=tuple(s.Team(card=card) for card in event.sign_cards) or (s.Team(),) * event.teams,
        dealer=event.dealer,
        strategies=frozenset(event.strategies),
        slots=HAND_SIZE + event.seats,
        phase_at=event.at,
        scores=(0,) * event.teams,
        games=(0,) * event.teams,
    )


def _deal(state: s.State, event: e.CardsDealt) -> s.State:
    """Return the state of a new round: what it does not take over from the match is as at first."""
    count = len(state.seats)
    return s.State(
        rules=state.rules,
        seats=tuple(s.Seat(tuple(sorted(hand))) for hand in dealt_hands(event.order, count, event.dealer)),
        teams=tuple(_closed_to_changes(team) for team in state.teams),
        dealer=event.dealer,
        strategies=state.strategies,
        phase=Phase.DEAL,
        round=event.round,
        phase_at=event.at,
        dealt_at=event.at,
        slots=state.slots,
        stock=event.order[count * HAND_SIZE :],
        scores=(0,) * len(state.teams) if state.game_won else state.scores,
        games=state.games,
    )


def _closed_to_changes(team: s.Team) -> s.Team:
    is_open = team.may_change or team.proposal is not None
    return s.with_changes(team, proposal=None, may_change=False) if is_open else team


def _put_down(state: s.State, event: e.CardPutDown) -> s.State:
    seat = state.seats[event.seat]
    is_first = seat.owes_since is None
    seat_after = s.with_changes(
        seat,
        hand=_swap(seat.hand, event.card, None),
        before=seat.cards if is_first else seat.before,
        owes_since=event.at if is_first else seat.owes_since,
    )
    if is_first and seat.by_chance:
        seat_after = s.with_changes(seat_after, by_chance=())
    pool = _swap(state.pool, None, event.card) if None in state.pool else (*state.pool, event.card)
    third = event.seat if third_alikes(state.pool, [event.card]) else state.third
    return s.with_changes(state, seats=s.seats_with(state, event.seat, seat_after), pool=pool, third=third)


def _take(state: s.State, event: e.CardTaken) -> s.State:
    seat = state.seats[event.seat]
    hand = _swap(seat.hand, None, event.card)
    pool = _without(state.pool, event.card, state.slots)
    taken_cards = seat.taken + 1
    if event.by_chance:
        seat = s.with_changes(seat, by_chance=(*seat.by_chance, event.card), by_chance_at=event.at)
    if None in hand:
        seat_after = s.with_changes(seat, hand=hand, taken=taken_cards)
        return s.with_changes(state, seats=s.seats_with(state, event.seat, seat_after), pool=pool)
    seat_after = s.with_changes(seat, hand=hand, taken=taken_cards, before=None, owes_since=None)
    after = s.with_changes(state, seats=s.seats_with(state, event.seat, seat_after), pool=pool)
    if seat.before is not None and _faces(seat_after.cards) == _faces(seat.before):
        return after
    seen = _seen_exchange(event.seat, seat.before or (), seat_after)
    if seat.signed_for and not _is_still_signed(after, event.seat):
        after = _without_signature(after, event.seat)
    duty = None if state.duty is not None and state.duty.seat == event.seat else state.duty
    exchanges = (*state.exchanges, seen)
    return s.with_changes(after, last_exchange=event.at, duty=duty, sweeps=0, swept_third=None, exchanges=exchanges)


def _faces(cards: Iterable[Card]) -> list[Card]:
    return sorted([card.face for card in cards])


def _seen_exchange(seat: int, before: tuple[Card, ...], seat_after: s.Seat) -> s.SeenExchange:
    put = tuple([card for card in before if card not in seat_after.hand])
    taken_cards = tuple([card for card in seat_after.cards if card not in before])
    return s.SeenExchange(seat, put, taken_cards, bool(seat_after.by_chance))


def _fail_counter(state: s.State, event: e.CounterFailed) -> s.State:
    penalty = state.rules.penalty
    seats, pending = state.seats, state.pending_shows
    if penalty.counter_lost:
        seats = s.seats_with(state, event.seat, s.with_changes(seats[event.seat], can_counter=False))
    if penalty.shows is not ShownTo.NOBODY and event.target is not None:
        shower, viewer = (event.target, event.seat) if penalty.shows is ShownTo.ACCUSED else (event.seat, event.target)
        pending = (*pending, s.PendingShow(shower, viewer, event.at + milliseconds(penalty.show_delay)))
    scores = _sum(state.scores, event.points)
    changed = s.with_changes(state, scores=scores, seats=seats, pending_shows=pending)
    return _allow_sign_change(_with_penalty(changed, event), event)


def _with_penalty(state: s.State, event: e.Penalty) -> s.State:
    """Return the state with what gave points in this round."""
    return s.with_changes(state, penalties=(*state.penalties, event)) if any(event.points) else state


def _show(state: s.State, event: e.CardsShown) -> s.State:
    pending = list(state.pending_shows)
    match = next((item for item in pending if (item.seat, item.viewer) == (event.seat, event.viewer)), None)
    if match is not None:
        pending.remove(match)
    cards_shown = (*state.seats[event.viewer].shown, s.ShownCards(event.seat, event.cards))
    return s.with_changes(s.with_seat(state, event.viewer, shown=cards_shown), pending_shows=tuple(pending))


def _sweep(state: s.State, event: e.PoolSwept) -> s.State:
    is_hunt = state.phase is not Phase.READY  # before it nobody could exchange
    third = state.third if event.asker is None and three_alike(state.pool_cards) else None
    changed = s.with_changes(state, pool=(), swept_third=third, vote=None, duty=None, sweeps=state.sweeps + is_hunt)
    if state.rules.sweep.swept is SweptTo.UNDER_STOCK:
        return s.with_changes(changed, stock=(*state.stock, *state.pool_cards))
    return s.with_changes(changed, discard=(*state.discard, *state.pool_cards))


def _redraw(state: s.State, event: e.ExcessRedrawn) -> s.State:
    drawn = iter(event.stock[: len(event.cards)])
    hand = tuple(sorted(next(drawn) if card in event.cards else card for card in state.seats[event.seat].cards))
    changed = s.with_seat(state, event.seat, hand=hand)
    return s.with_changes(changed, stock=event.stock[len(event.cards) :], excess=(*state.excess, event))


def milliseconds(seconds: float) -> int:
    """Convert a rule's seconds to milliseconds."""
    return round(seconds * 1000)


def _with_instants_moved(state: s.State, by: int) -> s.State:
    """Return the state with all its instants `by` milliseconds later, as after a pause."""
    vote, duty, result = state.vote, state.duty, state.result
    return s.with_changes(
        state,
        seats=tuple(
            s.with_changes(
                seat,
                signed_at=_later(seat.signed_at, by),
                owes_since=_later(seat.owes_since, by),
                by_chance_at=seat.by_chance_at + by,
            )
            for seat in state.seats
        ),
        phase_at=state.phase_at + by,
        dealt_at=state.dealt_at + by,
        last_exchange=state.last_exchange + by,
        vote=None if vote is None else replace(vote, ends_at=vote.ends_at + by),
        duty=None if duty is None else replace(duty, ends_at=duty.ends_at + by),
        pending_shows=tuple(replace(show, ends_at=show.ends_at + by) for show in state.pending_shows),
        gestures=tuple(replace(gesture, at=gesture.at + by) for gesture in state.gestures),
        penalties=tuple(replace(penalty, at=penalty.at + by) for penalty in state.penalties),
        reports=tuple(replace(report, at=report.at + by) for report in state.reports),
        result=None if result is None else replace(result, at=result.at + by),
    )


def _later(at: int | None, by: int) -> int | None:
    return None if at is None else at + by


def _swap(slots: s.Slots, old: Card | None, new: Card | None) -> s.Slots:
    swapped = list(slots)
    swapped[swapped.index(old)] = new
    return tuple(swapped)


def _without(pool: s.Slots, card: Card, slots: int) -> s.Slots:
    """Return the pool without a card; the first card beyond reach takes its slot, all others keep their place."""
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


def _make_gesture(state: s.State, event: e.GestureMade) -> s.State:
    """Return the state with a gesture recorded. A sign for what the seat holds is recorded with the seat.

    A combined sign is made once both halves were made in the round, and recorded once both were made with what the seat
    holds. Between rounds a gesture is nobody's sign.
    """
    team = state.teams[state.team_of(event.seat)]
    member = event.seat // len(state.teams)
    made = None
    if team.plan is not None and state.phase is not Phase.OVER:
        made = team.plan.sign_made(member, event.kind, event.text, team.spent)
    is_whole = made is not None and all(
        gesture_makes(event.kind, event.text, half) or _has_made(state, event.seat, half) for half in made.halves
    )
    seat, signable = state.seats[event.seat], _signable(state, event.seat)
    sign = made if is_whole else None
    gesture = s.Gesture(event.at, event.seat, event.kind, event.text, sign, seat.taken, team.plan)
    changed = s.with_changes(state, gestures=(*state.gestures, gesture))
    if made is None or not signable or seat.signed_at is not None:
        return changed
    halves = seat.halves.union(half for half in made.halves if gesture_makes(event.kind, event.text, half))
    return s.with_seat(
        changed,
        event.seat,
        signed_at=event.at if halves.issuperset(made.halves) else None,
        signed_for=seat.signed_for or signable,
        halves=halves,
    )


def _has_made(state: s.State, seat: int, half: Sign) -> bool:
    return any(made.seat == seat and gesture_makes(made.kind, made.text, half) for made in state.gestures)


def _without_signature(state: s.State, seat: int) -> s.State:
    if not state.seats[seat].signed_for:
        return state
    return s.with_seat(state, seat, signed_at=None, signed_for=frozenset(), halves=frozenset())


def _is_still_signed(state: s.State, seat: int) -> bool:
    """Return whether a sign made before an exchange still holds for the hand after it: only a pre-sign can."""
    plan = state.teams[state.team_of(seat)].plan
    has_presign = plan is not None and plan.presign
    return has_presign and not state.seats[seat].signed_for.isdisjoint(_signable(state, seat))


def _guess_sign(state: s.State, event: e.SignGuessed) -> s.State:
    """Return the state with a guess recorded; after a right one the team may change its sign."""
    report = SignReport(event.at, event.seat, event.team, event.signs, None, event.is_right)
    changed = s.with_changes(state, reports=(*state.reports, report))
    if event.is_right:
        return _find_sign(changed, event)
    # Points make a guess cost something whichever way it falls, so the team may change either way (sheet 004).
    signs = state.rules.signs
    is_free = signs.guess is Guess.POINTS and signs.sign_change is not SignChange.NEVER
    return s.with_team(changed, event.team, may_change=True) if is_free else changed


def _accuse(state: s.State, event: e.TeamAccused) -> s.State:
    """Return the state with an accusation recorded; a right one ends the strategy for the match."""
    report = SignReport(event.at, event.seat, event.team, (), event.strategy, event.is_right)
    changed = s.with_changes(state, reports=(*state.reports, report))
    team = state.teams[event.team]
    if not event.is_right or team.plan is None:
        return changed
    if event.strategy is Strategy.TOTAL:
        return _unmask(changed, event.team, in_the_open=True)
    for seat in state.members(event.team):  # what was made at three alike is no sign of a Kem's any more
        changed = _without_signature(changed, seat)
    plan = replace(team.plan, presign=False)
    return s.with_team(changed, event.team, plan=plan, proposal=None, lost=team.lost | {Strategy.PRESIGN})


def _keep_sign(state: s.State, event: e.SignKept) -> s.State:
    """Return the state with the sign kept; of a double sign the one that was not found, known to all as single."""
    team = state.teams[event.team]
    changed = s.with_team(state, event.team, proposal=None, may_change=False)
    if team.plan is None or not team.is_half_found:
        return changed
    left = next(sign for sign in team.plan.signs if sign not in team.spent)
    plan = one_sign(left, presign=team.plan.presign)
    return s.with_team(changed, event.team, plan=plan, lost=team.lost | SEVERAL, is_known_single=True)


def _allow_sign_change(state: s.State, event: e.CounterFailed | e.CounterHadNoEffect) -> s.State:
    """Return the state in which both teams of a counter may change their signs at once, if the rules say so."""
    if state.rules.signs.sign_change is not SignChange.AFTER_COUNTER:
        return state
    changed = s.with_team(state, state.team_of(event.seat), may_change=True)
    return s.with_team(changed, event.team, may_change=True)


def _spend_signs(state: s.State, event: e.RoundEnded) -> s.State:
    """Return the state in which a team that has won by a Kem's has spent its signs, if they are for one use."""
    if state.rules.signs.sign_change is not SignChange.ONCE or event.outcome not in e.TRUE_KEMS or event.caller is None:
        return state
    number = state.team_of(event.caller)
    team = state.teams[number]
    if team.plan is None or team.plan.kind is PlanKind.TOTAL:
        return state
    return s.with_team(state, number, plan=None, proposal=None, spent=team.spent.union(team.plan.signs))


def _find_sign(state: s.State, event: e.SignGuessed) -> s.State:
    team = state.teams[event.team]
    changed = s.with_team(state, event.team, found=team.found.union(event.signs), may_change=True)
    if team.plan is None or team.plan.kind is PlanKind.SINGLE:
        return changed
    changed = s.with_team(changed, event.team, spent=team.spent.union(event.signs), proposal=None)
    if team.plan.kind is PlanKind.DOUBLE and not changed.teams[event.team].spent.issuperset(team.plan.signs):
        return changed
    # An intermediate team may deny that it had several; both signs of a double were named in the open.
    return _unmask(changed, event.team, in_the_open=team.plan.kind is PlanKind.DOUBLE)


def _unmask(state: s.State, team: int, *, in_the_open: bool) -> s.State:
    """Return the state in which the team needs a new sign, a single one for the rest of the match."""
    lost = state.teams[team].lost | SEVERAL
    return s.with_team(state, team, plan=None, proposal=None, lost=lost, may_change=True, is_known_single=in_the_open)


def _signable(state: s.State, seat: int) -> frozenset[int]:
    """Return the groups that the sign is about: those with four cards in the hand, or with pre-sign three."""
    plan = state.teams[state.team_of(seat)].plan
    alike = _THREE_ALIKE if plan is not None and plan.presign else HAND_SIZE
    return alike_groups(state.seats[seat].cards, alike)


class Draft:
    """Collects the `events` of a decision at `now`; `state` is the state after them."""

    __slots__ = ("events", "now", "state")

    def __init__(self, state: s.State, now: int) -> None:
        self.state = state
        self.now = now
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.state = _apply(self.state, event)
