"""Settles signs, and judges guesses and accusations. Part of `decide`."""

from random import Random

from bot.game.actions import AccuseTeam, GuessSign
from bot.game.effects.calls import judge_score, points_by_team
from bot.game.events import SignGuessed, SignSettled, TeamAccused
from bot.game.evolve import Draft
from bot.game.rules.rules import Guess
from bot.game.signs import PlanKind, Sign, Strategy, one_sign, unused_signs
from bot.game.state import Team


def settle_if_agreed(draft: Draft, team: int) -> None:
    """Make a team's proposal its agreement once all members have accepted it."""
    proposal = draft.state.teams[team].proposal
    if proposal is not None and set(proposal.accepted) >= set(draft.state.members(team)):
        draft.add(SignSettled(draft.now, team, proposal.plan))


def settle_by_chance(draft: Draft, rng: Random) -> None:
    """Draw a random sign for each team that has none, and a new one for the found sign of each double sign."""
    for number in range(len(draft.state.teams)):
        team = draft.state.teams[number]
        if team.plan is None:
            plan = one_sign(*_drawn(team, rng, 1))
        elif team.is_half_found:
            plan = team.plan.with_successors(
                team.spent, _drawn(team, rng, len(team.spent.intersection(team.plan.signs)))
            )
        else:
            continue
        draft.add(SignSettled(draft.now, number, plan, by_chance=True))


def guess(draft: Draft, action: GuessSign) -> None:
    """Judge a guess of a team's signs."""
    state = draft.state
    rules = state.rules.signs
    plan = state.teams[action.team].plan
    is_right = plan is not None and set(action.signs) <= set(plan.signs)
    own, to_all = state.team_of(action.seat), rules.guess_wrong_all
    points = points_by_team(state, {})
    if rules.guess is Guess.POINTS and is_right:
        points = points_by_team(state, {own: rules.guess_right})
    elif rules.guess is Guess.POINTS:
        points = points_by_team(state, {own: rules.guess_wrong_own, action.team: to_all + rules.guess_wrong}, to_all)
    draft.add(SignGuessed(draft.now, action.seat, action.team, action.signs, is_right, points))
    judge_score(draft)


def accuse(draft: Draft, action: AccuseTeam) -> None:
    """Judge a declaration that a team plays "total", or a demand to stop pre-sign."""
    plan = draft.state.teams[action.team].plan
    is_right = plan is not None and (plan.kind is PlanKind.TOTAL if action.strategy is Strategy.TOTAL else plan.presign)
    draft.add(TeamAccused(draft.now, action.seat, action.team, action.strategy, is_right))


def _drawn(team: Team, rng: Random, count: int) -> list[Sign]:
    """Return `count` signs of the team's card that it does not have and that may come back."""
    drawn: list[Sign] = []
    for _ in range(count):
        known = team.spent.union(drawn, () if team.plan is None else team.plan.signs)
        drawn.append(rng.choice(unused_signs(team.card, known)))
    return drawn
