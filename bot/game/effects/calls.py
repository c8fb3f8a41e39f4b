"""Judges calls and counters, and adds the events that follow; part of `decide`."""

from bot.game.actions import CallDouble, CallKems, CounterPlayer, CounterTeam
from bot.game.effects.scoring import end_round, judge_score, points_by_team
from bot.game.events import ChainBroken, ChainOpened, CounterFailed, CounterHadNoEffect, Outcome
from bot.game.evolve import Draft
from bot.game.rules.rules import CounterTwo, DoubleCall, Holder, plays_four_kems
from bot.game.state import CallChain, State


def counting_holders(state: State, caller: int) -> tuple[int, ...]:
    """Returns the seats whose four alike make this caller's Kem's true."""
    members = state.members(state.team_of(caller))
    if len(members) == 1:
        # A duellist calls for their own hand; `check` has seen that the sign was open long enough to be countered.
        return (caller,) if state.seats[caller].holds_kems else ()
    candidates = members if state.rules.calls.holder is Holder.TEAM else state.partners(caller)
    return tuple(seat for seat in candidates if _counts(state, seat))


def call_kems(draft: Draft, action: CallKems) -> None:
    state = draft.state
    if counting_holders(state, action.seat):
        _stand(draft, CallChain(action.seat, Outcome.KEMS))
        return
    scoring = state.rules.scoring
    points = points_by_team(state, {state.team_of(action.seat): scoring.false_kems_own}, scoring.false_kems)
    end_round(draft, Outcome.FALSE_KEMS, points, caller=action.seat)


def call_double(draft: Draft, action: CallDouble) -> None:
    """Judges a double called at once, the second voice of one, or the word that is added to a double counter."""
    state, chain = draft.state, draft.state.chain
    scoring = state.rules.scoring
    is_true = _is_double(state, action.seat)
    cost = points_by_team(state, {state.team_of(action.seat): scoring.false_double_own}, scoring.false_double)
    if chain is not None and chain.outcome is Outcome.DOUBLE_COUNTER:
        _add(draft, chain, action.seat, chain.team, is_true=is_true)
    elif is_true:
        _stand(draft, CallChain(action.seat, Outcome.DOUBLE))
    elif chain is not None:
        draft.add(ChainBroken(draft.now, action.seat))
        close_chain(draft, chain, cost)
    else:
        end_round(draft, Outcome.FALSE_DOUBLE, cost, caller=action.seat)


def close_chain(draft: Draft, chain: CallChain, cost: tuple[int, ...] | None = None) -> None:
    """Ends the round by the first call alone. `cost`, by team, is what a false word costs besides."""
    state = draft.state
    scoring = state.rules.scoring
    doubles = {Outcome.DOUBLE: scoring.double_kems, Outcome.DOUBLE_COUNTER: scoring.double_counter}
    points = points_by_team(state, {state.team_of(chain.caller): doubles.get(chain.outcome, scoring.kems)})
    if cost is not None:
        points = tuple(a + b for a, b in zip(points, cost, strict=True))
    end_round(draft, chain.outcome, points, caller=chain.caller, team=chain.team)


def counter(draft: Draft, action: CounterPlayer | CounterTeam) -> None:
    state = draft.state
    accused = action.target if isinstance(action, CounterPlayer) else None
    team = action.team if isinstance(action, CounterTeam) else state.team_of(action.target)
    holders = state.kems_holders(team)
    is_true = bool(holders) if accused is None else accused in holders
    scoring = state.rules.scoring
    own = state.team_of(action.seat)
    is_of_two = len(holders) > 1
    if is_true and is_of_two and state.rules.calls.counter_two is CounterTwo.NO_EFFECT:
        draft.add(CounterHadNoEffect(draft.now, action.seat, team, accused))
    elif is_true:
        worth = scoring.counter_of_two if is_of_two else scoring.counter
        points = points_by_team(state, {own: worth, team: scoring.counter_accused})
        end_round(draft, Outcome.COUNTER, points, caller=action.seat, target=accused, team=team)
    else:
        to_all = scoring.false_counter_all
        cost = points_by_team(state, {own: scoring.false_counter_own, team: to_all + scoring.false_counter}, to_all)
        if state.rules.calls.false_counter_ends:
            end_round(draft, Outcome.FALSE_COUNTER, cost, caller=action.seat, target=accused, team=team)
        else:
            draft.add(CounterFailed(draft.now, action.seat, team, accused, cost))
            judge_score(draft)


def double_counter(draft: Draft, action: CounterTeam) -> None:
    """Judges a double counter, true where the team holds two Kem's. After a double it is the word that is added."""
    state, chain = draft.state, draft.state.chain
    is_true = len(state.kems_holders(action.team)) > 1
    scoring = state.rules.scoring
    own = state.team_of(action.seat)
    points = points_by_team(state, {own: scoring.false_double_counter_own, action.team: scoring.false_double_counter})
    if chain is not None:
        _add(draft, chain, action.seat, action.team, is_true=is_true)
    elif is_true:
        _stand(draft, CallChain(action.seat, Outcome.DOUBLE_COUNTER, action.team))
    elif state.rules.calls.false_counter_ends:
        end_round(draft, Outcome.FALSE_DOUBLE_COUNTER, points, caller=action.seat, team=action.team)
    else:
        draft.add(CounterFailed(draft.now, action.seat, action.team, None, points, is_double=True))
        judge_score(draft)


def _stand(draft: Draft, call: CallChain) -> None:
    """Ends the round by a true call; where its team may add a word, after a while, so that the wait betrays no hand."""
    rules = draft.state.rules
    if call.outcome is Outcome.KEMS:
        may_grow = rules.calls.double is DoubleCall.TWO_VOICES and bool(draft.state.partners(call.caller))
    else:
        may_grow = plays_four_kems(rules)
    if may_grow:
        draft.add(ChainOpened(draft.now, call.caller, call.outcome, call.team))
    else:
        close_chain(draft, call)


def _add(draft: Draft, chain: CallChain, seat: int, team: int | None, *, is_true: bool) -> None:
    """Adds the other word of "double Kem's" and "double counter". A false one leaves the first call alone."""
    if is_true:
        points = points_by_team(draft.state, {draft.state.team_of(seat): draft.state.rules.scoring.four_kems})
        end_round(draft, Outcome.FOUR_KEMS, points, caller=seat, team=team)
    else:
        draft.add(ChainBroken(draft.now, seat, team))
        close_chain(draft, chain)


def _is_double(state: State, caller: int) -> bool:
    """Returns whether the team holds two Kem's and one counts; called at once, the caller holds the other."""
    if state.rules.calls.double is DoubleCall.AT_ONCE:
        return state.seats[caller].holds_kems and any(_counts(state, seat) for seat in state.partners(caller))
    holders = state.kems_holders(state.team_of(caller))
    return len(holders) > 1 and any(_counts(state, seat) for seat in holders)


def _counts(state: State, seat: int) -> bool:
    held = state.seats[seat]
    return held.holds_kems and (held.signed_at is not None or not state.rules.signs.sign_required)
