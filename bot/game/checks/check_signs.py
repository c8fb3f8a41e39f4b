"""Judges actions about signs: gestures, proposals, acceptance, guesses and accusations; part of `check`.

Equal gestures in quick succession count once, and the log of a round is bounded. Neither rule depends on whether a
gesture is a sign, so nothing that is dropped, or recorded, gives one away. A sign has a new meaning with each new hand,
so every gesture counts again once the seat has taken a card.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from bot.game import actions as a
from bot.game import signs as s
from bot.game.actions import MakeGesture
from bot.game.checks.refusals import Code, phase_refusal
from bot.game.events import Phase
from bot.game.rules.rules import Guess, SignChange
from bot.game.state import Gesture, State, Team

ACCUSABLE: Final = (s.Strategy.PRESIGN, s.Strategy.TOTAL)
"""The strategies of which a team may be accused."""


def proposal(state: State, seat: int, plan: s.SignPlan) -> Code | None:
    """Return why a seat may not propose a plan to its team, or None. Proposing the pending plan accepts it."""
    pending = state.teams[state.team_of(seat)].proposal
    if pending is not None and pending.plan == plan and seat in pending.accepted:
        return Code.ALREADY_ANSWERED
    return _change_closed(state, seat) or _plan(state, state.team_of(seat), plan)


def acceptance(state: State, seat: int, plan: s.SignPlan) -> Code | None:
    """Return why a seat may not accept a plan, or None. A proposal may have become impossible since it was made."""
    team = state.team_of(seat)
    pending = state.teams[team].proposal
    if pending is None or pending.plan != plan:
        return _change_closed(state, seat) or Code.NOT_PENDING
    if seat in pending.accepted:
        return Code.ALREADY_ANSWERED
    return _change_closed(state, seat) or _plan(state, team, plan)


def keeping(state: State, seat: int) -> Code | None:
    """Return why a team may not keep its sign, or None."""
    team = state.teams[state.team_of(seat)]
    return None if team.may_change and team.plan is not None else Code.NOT_PENDING


def guessing(state: State, seat: int) -> Code | None:
    """Return why a seat may not guess a sign now, or None."""
    signs, own = state.rules.signs, state.team_of(seat)
    if signs.guess is Guess.NOT_PLAYED:
        return Code.NOT_ALLOWED
    if state.phase not in (Phase.HUNT, Phase.SWEEP):
        return phase_refusal(state.phase)
    guesses = (report for report in state.reports if report.signs and not report.is_right)
    wrong = sum(state.team_of(report.seat) == own for report in guesses)
    is_spent = signs.guess is Guess.REPORT and 0 < signs.guess_limit <= wrong
    return Code.GUESS_SPENT if is_spent else None


def guess(state: State, action: a.GuessSign) -> Code | None:
    """Return why these signs cannot be guessed now, or None."""
    code = guessing(state, action.seat) or _opponent(state, action.seat, action.team)
    if code is not None:
        return code
    if not 1 <= len(set(action.signs)) == len(action.signs) <= len(state.members(action.team)):
        return Code.SIGN_FORBIDDEN
    team = state.teams[action.team]
    # A sign that was found once is no news: it cannot be reported, or paid, twice. To refuse a report tells nothing of
    # the present sign; where a price keeps teams from trying, a found one that came back may be found again.
    known = team.found
    if state.rules.signs.guess is Guess.POINTS:
        known = known.intersection(() if team.plan is None else team.plan.signs)
    return Code.ALREADY_ANSWERED if known.issuperset(action.signs) else None


def accusation(state: State, action: a.AccuseTeam) -> Code | None:
    """Return why the team cannot be accused of this now, or None."""
    if action.strategy not in ACCUSABLE or action.strategy not in state.strategies:
        return Code.NOT_ALLOWED
    between_rounds = (Phase.OVER,) if action.strategy is s.Strategy.PRESIGN else ()
    if state.phase not in (Phase.READY, Phase.HUNT, Phase.SWEEP, *between_rounds):
        return phase_refusal(state.phase)
    code = _opponent(state, action.seat, action.team)
    if code is not None:
        return code
    team = state.teams[action.team]
    is_over = team.is_known_single if action.strategy is s.Strategy.TOTAL else s.Strategy.PRESIGN in team.lost
    return Code.ALREADY_ANSWERED if is_over else None


def may_speak(state: State, seat: int) -> bool:
    """Return whether a seat may make gestures with words."""
    return bool(_granted(state, state.teams[state.team_of(seat)])) or s.Strategy.SPOKEN in state.strategies


def options(state: State, seat: int) -> s.PlanOptions:
    """Return what this seat may propose, whenever it may make a proposal."""
    team = state.teams[state.team_of(seat)]
    allowed = state.strategies - team.lost | _granted(state, team)
    members = len(state.seats) // len(state.teams)
    return _options(allowed, team.card, members, is_half=team.is_half_found, is_oral=state.rules.signs.oral_signs)


@cache  # asked with each view, and there are few
def _options(
    allowed: frozenset[s.Strategy], card: s.SignCard | None, members: int, *, is_half: bool, is_oral: bool
) -> s.PlanOptions:
    kinds = [kind for kind in s.PlanKind if kind is s.PlanKind.SINGLE or s.Strategy(kind.value) in allowed]
    if is_half:
        kinds = [s.PlanKind.DOUBLE]
    return s.PlanOptions(
        kinds=tuple(kind for kind in kinds if _may_play(kind, members, card)),
        presign=s.Strategy.PRESIGN in allowed,
        spoken=s.Strategy.SPOKEN in allowed and card in (None, s.SignCard.IDEA, s.SignCard.WORD),
        combined=is_oral and card in (None, s.SignCard.IDEA),
    )


def may_change(state: State, number: int) -> bool:
    """Return whether a team may agree on a new sign: at first, after its sign was found, or when the rules allow it."""
    team = state.teams[number]
    if state.phase is Phase.SIGNS or team.may_change:
        return True
    change = state.rules.signs.sign_change
    if state.phase is not Phase.OVER:
        return change is SignChange.ALWAYS and state.phase in (Phase.READY, Phase.HUNT, Phase.SWEEP)
    return change is not SignChange.NEVER


def _change_closed(state: State, seat: int) -> Code | None:
    return None if may_change(state, state.team_of(seat)) else Code.NOT_ALLOWED


def _plan(state: State, number: int, plan: s.SignPlan) -> Code | None:
    team = state.teams[number]
    if plan == team.plan or (len(plan.signs) > 1 and len(set(plan.signs)) < len(plan.signs)):
        return Code.SIGN_TAKEN
    members = len(state.members(number))
    is_allowed = (
        plan.has_shape(members)
        and _may_play(plan.kind, members, team.card)
        and plan.strategies - _granted(state, team) <= state.strategies - team.lost
        and (state.rules.signs.oral_signs or not any(sign.words for sign in plan.signs))
        and _fits(plan, team)
        and not (team.spent and team.spent.intersection(plan.signs))
    )
    return None if is_allowed and _replaces_found(plan, team) else Code.SIGN_FORBIDDEN


def _granted(state: State, team: Team) -> frozenset[s.Strategy]:
    return frozenset({s.Strategy.SPOKEN} if state.rules.signs.oral_signs or team.card is s.SignCard.WORD else ())


def _may_play(kind: s.PlanKind, members: int, card: s.SignCard | None) -> bool:
    """Return whether a team of so many members, with this card, may have a plan of this kind."""
    match kind:
        case s.PlanKind.DOUBLE:
            return members > 1
        case s.PlanKind.TOTAL:
            return card in (None, s.SignCard.IDEA)
        case s.PlanKind.SINGLE | s.PlanKind.INTERMEDIATE:  # pragma: no branch  # mypy proves the match complete
            return True


def _fits(plan: s.SignPlan, team: Team) -> bool:
    return all(sign.is_good and s.fits_card(sign, team.card) for sign in plan.signs)


def _replaces_found(plan: s.SignPlan, team: Team) -> bool:
    """Return whether a plan replaces found signs only ("en aucun cas ... avec deux nouveaux signes")."""
    if team.plan is None or not team.is_half_found:
        return True
    pairs = zip(team.plan.signs, plan.signs, strict=False)
    return plan.kind is s.PlanKind.DOUBLE and all(old == new or old in team.spent for old, new in pairs)


def _opponent(state: State, seat: int, team: int) -> Code | None:
    """Return why a seat may not name this team, or None."""
    if not 0 <= team < len(state.teams):
        return Code.UNKNOWN_TEAM
    return Code.OWN_TEAM if team == state.team_of(seat) else None


AGAIN_MS: Final = 1000
"""Equal gestures of a seat within so much time of play count once, unless it took a card in between."""
MOST_ALIKE: Final = 100
"""After so many gestures of a seat in a round, each different one counts once until the seat takes a card ..."""
MOST_DIFFERENT: Final = 20
"""... and at most so many of them, as many as a Discord message takes reactions."""


def is_repeat(state: State, action: MakeGesture, now: int) -> bool:
    """Return whether the seat made this gesture a moment ago, and has taken no card since."""
    sign = s.sign_of(action.kind, action.text)
    made = (gesture for gesture in _with_hand(state, action.seat) if now - gesture.at < AGAIN_MS)
    return any(s.sign_of(gesture.kind, gesture.text) == sign for gesture in made)


def is_too_much(state: State, action: MakeGesture) -> bool:
    """Return whether the seat has made so many gestures in this round that it must take a card before this one."""
    if sum(made.seat == action.seat for made in state.gestures) < MOST_ALIKE:
        return False
    made = {s.sign_of(gesture.kind, gesture.text) for gesture in _with_hand(state, action.seat)}
    return s.sign_of(action.kind, action.text) in made or len(made) >= MOST_DIFFERENT


def _with_hand(state: State, seat: int) -> Iterator[Gesture]:
    """Yield the gestures that a seat has made since it took a card, and since its team changed how it signals."""
    take_count, plan = state.seats[seat].taken, state.teams[state.team_of(seat)].plan
    return (made for made in state.gestures if made.seat == seat and (made.taken, made.plan) == (take_count, plan))
