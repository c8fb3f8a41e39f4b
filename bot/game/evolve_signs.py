"""Applies gestures, guesses and accusations to states; part of `evolve`."""

from dataclasses import replace
from typing import Final

from bot.game.cards import HAND_SIZE, alike_groups
from bot.game.events import (
    TRUE_KEMS,
    CounterFailed,
    CounterHadNoEffect,
    GestureMade,
    Phase,
    RoundEnded,
    SignGuessed,
    SignKept,
    TeamAccused,
)
from bot.game.rules.rules import Guess, SignChange
from bot.game.signs import SEVERAL, PlanKind, Sign, SignReport, Strategy, gesture_makes, one_sign
from bot.game.state import Gesture, State, with_changes, with_seat, with_team

_THREE_ALIKE: Final = HAND_SIZE - 1


def gesture_made(state: State, event: GestureMade) -> State:
    """Returns the state with the gesture recorded. A sign for what the seat holds is noted with the seat.

    A combined sign is made once both its halves were made in the round, and noted once both were with what the seat
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
    gesture = Gesture(event.at, event.seat, event.kind, event.text, sign, seat.taken, team.plan)
    changed = with_changes(state, gestures=(*state.gestures, gesture))
    if made is None or not signable or seat.signed_at is not None:
        return changed
    halves = seat.halves.union(half for half in made.halves if gesture_makes(event.kind, event.text, half))
    return with_seat(
        changed,
        event.seat,
        signed_at=event.at if halves.issuperset(made.halves) else None,
        signed_for=seat.signed_for or signable,
        halves=halves,
    )


def _has_made(state: State, seat: int, half: Sign) -> bool:
    return any(made.seat == seat and gesture_makes(made.kind, made.text, half) for made in state.gestures)


def unsigned(state: State, seat: int) -> State:
    if not state.seats[seat].signed_for:
        return state
    return with_seat(state, seat, signed_at=None, signed_for=frozenset(), halves=frozenset())


def is_still_signed(state: State, seat: int) -> bool:
    """Returns whether a sign made before an exchange still tells of the hand after it: only a pre-sign can."""
    plan = state.teams[state.team_of(seat)].plan
    has_presign = plan is not None and plan.presign
    return has_presign and not state.seats[seat].signed_for.isdisjoint(_signable(state, seat))


def guessed(state: State, event: SignGuessed) -> State:
    """Returns the state with the guess recorded; after a right one the team may change its sign."""
    report = SignReport(event.at, event.seat, event.team, event.signs, None, event.is_right)
    changed = with_changes(state, reports=(*state.reports, report))
    if event.is_right:
        return _found(changed, event)
    # Points make a guess cost something whichever way it falls, so the team may change either way (sheet 004).
    signs = state.rules.signs
    is_free = signs.guess is Guess.POINTS and signs.sign_change is not SignChange.NEVER
    return with_team(changed, event.team, may_change=True) if is_free else changed


def accused(state: State, event: TeamAccused) -> State:
    """Returns the state with the accusation recorded; a right one ends the strategy for the match."""
    report = SignReport(event.at, event.seat, event.team, (), event.strategy, event.is_right)
    changed = with_changes(state, reports=(*state.reports, report))
    team = state.teams[event.team]
    if not event.is_right or team.plan is None:
        return changed
    if event.strategy is Strategy.TOTAL:
        return _unmask(changed, event.team, in_the_open=True)
    for seat in state.members(event.team):  # what was made at three alike is no sign of a Kem's any more
        changed = unsigned(changed, seat)
    plan = replace(team.plan, presign=False)
    return with_team(changed, event.team, plan=plan, proposal=None, lost=team.lost | {Strategy.PRESIGN})


def kept(state: State, event: SignKept) -> State:
    """Returns the state with the sign kept; of a double sign the one that was not found, known to all as single."""
    team = state.teams[event.team]
    changed = with_team(state, event.team, proposal=None, may_change=False)
    if team.plan is None or not team.is_half_found:
        return changed
    left = next(sign for sign in team.plan.signs if sign not in team.spent)
    plan = one_sign(left, presign=team.plan.presign)
    return with_team(changed, event.team, plan=plan, lost=team.lost | SEVERAL, is_known_single=True)


def free_after_counter(state: State, event: CounterFailed | CounterHadNoEffect) -> State:
    """Returns the state in which both teams of a counter may change their signs at once, where the rules say so."""
    if state.rules.signs.sign_change is not SignChange.AFTER_COUNTER:
        return state
    changed = with_team(state, state.team_of(event.seat), may_change=True)
    return with_team(changed, event.team, may_change=True)


def used_up(state: State, event: RoundEnded) -> State:
    """Returns the state in which the signs of a team that has won by a Kem's are spent, where they are of one use."""
    if state.rules.signs.sign_change is not SignChange.ONCE or event.outcome not in TRUE_KEMS or event.caller is None:
        return state
    number = state.team_of(event.caller)
    team = state.teams[number]
    if team.plan is None or team.plan.kind is PlanKind.TOTAL:
        return state
    return with_team(state, number, plan=None, proposal=None, spent=team.spent.union(team.plan.signs))


def _found(state: State, event: SignGuessed) -> State:
    team = state.teams[event.team]
    changed = with_team(state, event.team, found=team.found.union(event.signs), may_change=True)
    if team.plan is None or team.plan.kind is PlanKind.SINGLE:
        return changed
    changed = with_team(changed, event.team, spent=team.spent.union(event.signs), proposal=None)
    if team.plan.kind is PlanKind.DOUBLE and not changed.teams[event.team].spent.issuperset(team.plan.signs):
        return changed
    # An intermediate team may deny that it had several; both signs of a double were named in the open.
    return _unmask(changed, event.team, in_the_open=team.plan.kind is PlanKind.DOUBLE)


def _unmask(state: State, team: int, *, in_the_open: bool) -> State:
    """Returns the state in which the team needs a new sign, a single one for the rest of the match."""
    lost = state.teams[team].lost | SEVERAL
    return with_team(state, team, plan=None, proposal=None, lost=lost, may_change=True, is_known_single=in_the_open)


def _signable(state: State, seat: int) -> frozenset[int]:
    """Returns the groups that have four cards, or with pre-sign three, in the hand: the sign tells of them."""
    plan = state.teams[state.team_of(seat)].plan
    alike = _THREE_ALIKE if plan is not None and plan.presign else HAND_SIZE
    return alike_groups(state.seats[seat].cards, alike)
