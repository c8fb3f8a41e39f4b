"""Judges actions about signs: proposals, acceptance, guesses and accusations; part of `check`."""

from functools import cache
from typing import Final

from bot.game import actions as a
from bot.game.checks.refusals import Code, closed
from bot.game.phase import OVER, SIGNS, Phase
from bot.game.rules.parts import Guess, SignChange
from bot.game.signs.sign import Strategy
from bot.game.signs.sign_cards import SignCard, fits_card
from bot.game.signs.sign_plans import PlanKind, PlanOptions, SignPlan
from bot.game.state import State, Team

ACCUSABLE: Final = (Strategy.PRESIGN, Strategy.TOTAL)
"""The strategies of which a team may be accused."""
# Read with each view, like the phases of `bot.game.phase`.
_SPOKEN: Final = Strategy.SPOKEN
_SPOKEN_ALONE: Final = frozenset({_SPOKEN})
_NONE: Final[frozenset[Strategy]] = frozenset()
_WORD: Final = SignCard.WORD


def proposal(state: State, seat: int, plan: SignPlan) -> Code | None:
    """Returns why a seat may not propose this to its team, or None. Proposing the pending plan accepts it."""
    pending = state.teams[state.team_of(seat)].proposal
    if pending is not None and pending.plan == plan and seat in pending.accepted:
        return Code.ALREADY_ANSWERED
    return _change_closed(state, seat) or _plan(state, state.team_of(seat), plan)


def acceptance(state: State, seat: int, plan: SignPlan) -> Code | None:
    """Returns why a seat may not accept this, or None. A proposal may have become impossible since it was made."""
    team = state.team_of(seat)
    pending = state.teams[team].proposal
    if pending is None or pending.plan != plan:
        return _change_closed(state, seat) or Code.NOT_PENDING
    if seat in pending.accepted:
        return Code.ALREADY_ANSWERED
    return _change_closed(state, seat) or _plan(state, team, plan)


def keeping(state: State, seat: int) -> Code | None:
    """Returns why a team has nothing to keep, or None."""
    team = state.teams[state.team_of(seat)]
    is_open = team.may_change or (team.spent and team.is_half_found)
    return None if is_open and team.plan is not None else Code.NOT_PENDING


def guess(state: State, action: a.GuessSign) -> Code | None:
    """Returns why these signs cannot be named now, or None."""
    if state.rules.signs.guess is Guess.NOT_PLAYED:
        return Code.NOT_ALLOWED
    code = _opponents(state, action.seat, action.team)
    if code is not None:
        return code
    if not 1 <= len(set(action.signs)) == len(action.signs) <= len(state.members(action.team)):
        return Code.SIGN_FORBIDDEN
    team = state.teams[action.team]
    # A sign that was found once is no news: it cannot be reported, or paid, twice.
    signs = () if team.plan is None else team.plan.signs
    is_known = team.found.issuperset(action.signs) and set(signs).issuperset(action.signs)
    return Code.ALREADY_ANSWERED if is_known else None


def accusation(state: State, action: a.AccuseTeam) -> Code | None:
    """Returns why the team cannot be accused of this now, or None."""
    if action.strategy not in ACCUSABLE or action.strategy not in state.strategies:
        return Code.NOT_ALLOWED
    between_rounds = (Phase.OVER,) if action.strategy is Strategy.PRESIGN else ()
    code = _opponents(state, action.seat, action.team, besides=between_rounds)
    if code is not None:
        return code
    team = state.teams[action.team]
    is_over = team.is_known_single if action.strategy is Strategy.TOTAL else Strategy.PRESIGN in team.lost
    return Code.ALREADY_ANSWERED if is_over else None


def says(state: State, seat: int) -> bool:
    """Returns whether words may be a gesture of this seat."""
    return bool(_granted(state, state.teams[state.team_of(seat)])) or _SPOKEN in state.strategies


def options(state: State, seat: int) -> PlanOptions:
    """Returns what a proposal of this seat may be, at any time at which it may make one."""
    number = state.team_of(seat)
    team = state.teams[number]
    allowed, granted = state.strategies, _granted(state, team)
    if team.lost or granted:
        allowed = allowed - team.lost | granted
    return _options(
        allowed, team.card, len(state.seats) // len(state.teams), team.is_half_found, state.rules.signs.oral_signs
    )


@cache
def _options(
    allowed: frozenset[Strategy],
    card: SignCard | None,
    members: int,
    is_half_found: bool,
    oral_signs: bool,
) -> PlanOptions:
    kinds = [kind for kind in PlanKind if kind is PlanKind.SINGLE or Strategy(kind.value) in allowed]
    if is_half_found:
        kinds = [PlanKind.DOUBLE]
    return PlanOptions(
        kinds=tuple(kind for kind in kinds if _may_play(kind, members, card)),
        presign=Strategy.PRESIGN in allowed,
        spoken=Strategy.SPOKEN in allowed and card in (None, SignCard.IDEA, SignCard.WORD),
        combined=oral_signs and card in (None, SignCard.IDEA),
    )


def may_change(state: State, number: int) -> bool:
    """Returns whether a team may settle how it signals: at first, between rounds, and where its sign was found."""
    team = state.teams[number]
    if state.phase is SIGNS or team.may_change:
        return True
    if state.phase is not OVER:
        return False
    return team.plan is None or team.is_half_found or state.rules.signs.sign_change is SignChange.BETWEEN


def _change_closed(state: State, seat: int) -> Code | None:
    return None if may_change(state, state.team_of(seat)) else Code.NOT_ALLOWED


def _plan(state: State, number: int, plan: SignPlan) -> Code | None:
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


def _granted(state: State, team: Team) -> frozenset[Strategy]:
    """Returns the strategies that the rules, or a team's sign card, allow without a vote."""
    return _SPOKEN_ALONE if state.rules.signs.oral_signs or team.card is _WORD else _NONE


def _may_play(kind: PlanKind, members: int, card: SignCard | None) -> bool:
    """Returns whether a team of so many members, with this card, may have a plan of this kind."""
    match kind:
        case PlanKind.DOUBLE:
            return members > 1
        case PlanKind.TOTAL:
            return card in (None, SignCard.IDEA)
        case PlanKind.SINGLE | PlanKind.INTERMEDIATE:  # pragma: no branch  # mypy proves the match complete
            return True


def _fits(plan: SignPlan, team: Team) -> bool:
    return all(sign.is_good and fits_card(sign, team.card) for sign in plan.signs)


def _replaces_found(plan: SignPlan, team: Team) -> bool:
    """Returns whether a plan replaces found signs only ("en aucun cas ... avec deux nouveaux signes")."""
    if team.plan is None or not team.is_half_found:
        return True
    pairs = zip(team.plan.signs, plan.signs, strict=False)
    return plan.kind is PlanKind.DOUBLE and all(old == new or old in team.spent for old, new in pairs)


def _opponents(state: State, seat: int, team: int, besides: tuple[Phase, ...] = ()) -> Code | None:
    """Returns why nothing may be said about the signs of a team: the round is not under way, or it is no opponent.

    `besides` are further phases in which it may be said.
    """
    if state.phase not in (Phase.READY, Phase.HUNT, Phase.SWEEP, *besides):
        return closed(state.phase)
    if not 0 <= team < len(state.teams):
        return Code.UNKNOWN_TEAM
    return Code.OWN_TEAM if team == state.team_of(seat) else None
