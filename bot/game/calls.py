"""Calls and counters: is it true, and what follows."""

from bot.game.actions import CallDouble, CallKems, CounterPlayer, CounterTeam
from bot.game.draft import Draft
from bot.game.events import CounterFailed, CounterHadNoEffect, KemsCalled, Outcome
from bot.game.phase import Phase
from bot.game.rules import CounterTwo, DoubleCall, Holder
from bot.game.scoring import end_round, judge_score, points_to, points_to_opponents
from bot.game.state import State


def counting_holders(state: State, caller: int) -> tuple[int, ...]:
    """The seats whose four alike make this caller's Kem's true."""
    members = state.members(state.team_of(caller))
    if len(members) == 1:
        # A duellist calls for oneself; `check` has seen that the sign was open long enough to be countered.
        return (caller,) if state.seats[caller].holds_kems else ()
    candidates = members if state.rules.calls.holder is Holder.TEAM else state.partners(caller)
    return tuple(seat for seat in candidates if _counts(state, seat))


def call_kems(draft: Draft, action: CallKems) -> None:
    state = draft.state
    team = state.team_of(action.seat)
    scoring = state.rules.scoring
    if not counting_holders(state, action.seat):
        points = points_to_opponents(state, team, scoring.false_kems)
        end_round(draft, Outcome.FALSE_KEMS, points, caller=action.seat)
    elif state.rules.calls.double is DoubleCall.TWO_VOICES and len(state.members(team)) > 1:
        draft.add(KemsCalled(draft.now, action.seat))
    else:
        end_round(draft, Outcome.KEMS, points_to(state, team, scoring.kems), caller=action.seat)


def close_chain(draft: Draft) -> None:
    """Nobody made the Kem's a double in time: it stands."""
    caller = draft.state.chain_caller
    assert caller is not None, "a chain always has its caller"
    points = points_to(draft.state, draft.state.team_of(caller), draft.state.rules.scoring.kems)
    end_round(draft, Outcome.KEMS, points, caller=caller)


def call_double(draft: Draft, action: CallDouble) -> None:
    state = draft.state
    team = state.team_of(action.seat)
    scoring = state.rules.scoring
    if state.phase is Phase.CHAIN:
        if len(state.kems_holders(team)) > 1:
            points = points_to(state, team, scoring.double_kems)
            end_round(draft, Outcome.DOUBLE, points, caller=action.seat)
        else:
            stands = points_to(state, team, scoring.kems)
            costs = points_to_opponents(state, team, scoring.false_double)
            points = tuple(a + b for a, b in zip(stands, costs, strict=True))
            end_round(draft, Outcome.KEMS, points, caller=state.chain_caller)
    elif state.seats[action.seat].holds_kems and any(_counts(state, seat) for seat in state.partners(action.seat)):
        end_round(draft, Outcome.DOUBLE, points_to(state, team, scoring.double_kems), caller=action.seat)
    else:
        points = points_to_opponents(state, team, scoring.false_double)
        end_round(draft, Outcome.FALSE_DOUBLE, points, caller=action.seat)


def counter(draft: Draft, action: CounterPlayer | CounterTeam) -> None:
    """A single counter, of a player or of a whole team."""
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
        points = points_to(state, own, scoring.counter_of_two if is_of_two else scoring.counter)
        end_round(draft, Outcome.COUNTER, points, caller=action.seat, target=accused, team=team)
    else:
        cost = tuple(
            scoring.false_counter_own if other == own else scoring.false_counter if other == team else 0
            for other in range(len(state.teams))
        )
        if state.rules.calls.false_counter_ends:
            end_round(draft, Outcome.FALSE_COUNTER, cost, caller=action.seat, target=accused, team=team)
        else:
            draft.add(CounterFailed(draft.now, action.seat, team, accused, cost))
            judge_score(draft)


def double_counter(draft: Draft, action: CounterTeam) -> None:
    """A double counter: true when the team holds two Kem's."""
    state = draft.state
    scoring = state.rules.scoring
    if len(state.kems_holders(action.team)) > 1:
        points = points_to(state, state.team_of(action.seat), scoring.double_counter)
        end_round(draft, Outcome.DOUBLE_COUNTER, points, caller=action.seat, team=action.team)
    elif state.rules.calls.false_counter_ends:
        points = points_to(state, action.team, scoring.false_double_counter)
        end_round(draft, Outcome.FALSE_DOUBLE_COUNTER, points, caller=action.seat, team=action.team)
    else:
        points = points_to(state, action.team, scoring.false_double_counter)
        draft.add(CounterFailed(draft.now, action.seat, action.team, None, points, is_double=True))
        judge_score(draft)


def _counts(state: State, seat: int) -> bool:
    held = state.seats[seat]
    return held.holds_kems and (held.signed_at is not None or not state.rules.signs.sign_required)
