"""Robots in teams that play more than one sign, and with sign cards: what people propose, they go along with."""

from dataclasses import replace

import pytest

from bot.game import actions as a
from bot.game.cards import parse_card
from bot.game.events import MatchStarted
from bot.game.evolve import evolve_all
from bot.game.rules.presets import BELL, CLASSIC
from bot.game.signs import GestureKind, PlanKind, Sign, SignCard, SignPlan, Strategy, emoji_sign, fits_card, spoken_sign
from bot.game.state import Proposal, State, Team
from tests.robots.scenes import NOW, gesture, intentions, robot, scene, thought, with_team

HANDS = "7S 7H 7C 7D / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D"
POOL = "AS AH TH KD"
DOUBLE = SignPlan(PlanKind.DOUBLE, (emoji_sign("👀"), emoji_sign("🎲")))
SEVERAL = SignPlan(PlanKind.INTERMEDIATE, tuple(map(emoji_sign, ("👀", "🎲", "☕"))))
TOTAL = SignPlan(PlanKind.TOTAL)


def _playing(plan: SignPlan | None, hands: str = HANDS, pool: str = POOL, **team: object) -> State:
    return with_team(scene(CLASSIC, hands, pool, strategies=frozenset(Strategy)), plan=plan, **team)


def _made(actions: list[a.Action]) -> set[str]:
    return {move.text for move in actions if isinstance(move, a.MakeGesture)}


@pytest.mark.parametrize("plan", [DOUBLE, SEVERAL, TOTAL, SignPlan(PlanKind.SINGLE, (emoji_sign("👀"),), presign=True)])
def test_a_robot_accepts_any_agreement_its_partner_proposes(plan: SignPlan) -> None:
    started = MatchStarted(NOW, CLASSIC, 4, 2, dealer=0, strategies=tuple(Strategy))
    state = replace(evolve_all(None, [started]), teams=(Team(proposal=Proposal(2, plan, (2,))), Team()))
    assert thought(state, 0).action == a.AcceptSign(0, plan)


def test_a_robot_makes_its_own_sign_of_a_double_and_reads_its_partners() -> None:
    state = _playing(DOUBLE)
    assert thought(state, 0).action == a.MakeGesture(0, GestureKind.REACT, "👀")
    assert a.CallKems(2) in intentions(gesture(state, 0, "👀"), 2)
    assert a.CallKems(2) not in intentions(gesture(state, 0, "🎲"), 2), "that one is its own"


def test_a_robot_replaces_the_sign_that_was_found_and_keeps_the_other() -> None:
    state = _playing(DOUBLE, spent=frozenset({emoji_sign("👀")}), may_change=True)
    (proposed,) = {move.plan for move in intentions(state, 2) if isinstance(move, a.ProposeSign)}
    assert (proposed.kind, proposed.signs[1]) == (PlanKind.DOUBLE, emoji_sign("🎲"))
    assert proposed.signs[0] not in DOUBLE.signs


def test_a_robot_agrees_on_a_single_sign_once_its_teams_strategy_was_found_out() -> None:
    spent = frozenset(SEVERAL.signs)
    state = _playing(None, spent=spent, may_change=True)
    proposed = [move.plan for move in intentions(state, 0) if isinstance(move, a.ProposeSign)]
    assert proposed
    assert all(plan.kind is PlanKind.SINGLE and spent.isdisjoint(plan.signs) for plan in proposed)


def test_a_robot_reads_any_sign_of_several() -> None:
    for text in ("👀", "🎲", "☕"):
        assert a.CallKems(2) in intentions(gesture(_playing(SEVERAL), 0, text), 2)
    assert a.CallKems(2) not in intentions(gesture(_playing(SEVERAL), 0, "🎩"), 2)


def test_a_robot_plays_every_gesture_as_the_sign_in_total() -> None:
    state = _playing(TOTAL)
    assert _made(intentions(state, 0))
    assert a.CallKems(2) in intentions(gesture(state, 0, "🎩"), 2)
    assert _made(intentions(state, 2, steps=60)) == set(), "it holds nothing"


def test_a_robot_says_a_spoken_sign() -> None:
    state = _playing(SignPlan(PlanKind.SINGLE, (spoken_sign("what weather"),)))
    assert thought(state, 0).action == a.MakeGesture(0, GestureKind.SAY, "what weather")


def test_a_robot_calls_a_pre_sign_when_its_partner_has_taken_the_next_card() -> None:
    plan = SignPlan(PlanKind.SINGLE, (emoji_sign("👀"),), presign=True)
    state = gesture(_playing(plan, HANDS.replace("7D", "JH"), "7D AH TH KD"), 0, "👀")
    mind = robot()
    assert a.CallKems(2) not in intentions(state, 2, mind, steps=1)
    put, took = (  # JH down, 7D up
        replace(state, seats=(replace(state.seats[0], hand=hand), *state.seats[1:]), pool=pool)
        for hand, pool in (
            ((*state.seats[0].hand[:3], None), (*state.pool, parse_card("JH"))),
            ((*state.seats[0].hand[:3], parse_card("7D")), (*state.pool[1:], parse_card("JH"))),
        )
    )
    assert a.CallKems(2) not in intentions(put, 2, mind, NOW + 3_000, steps=1), "nothing is taken yet"
    assert a.CallKems(2) in intentions(took, 2, mind, NOW + 6_000)
    twice = gesture(state, 0, "👀", at=NOW + 1_000)
    assert a.CallKems(2) in intentions(twice, 2, robot(), NOW + 2_000), "it was repeated"


@pytest.mark.parametrize("card", SignCard)
def test_a_robot_proposes_a_sign_that_fits_its_card(card: SignCard) -> None:
    other = next(one for one in SignCard if one is not card)
    state = evolve_all(None, [MatchStarted(NOW, BELL, 4, 2, dealer=0, sign_cards=(card, other))])
    for seed in range(5):
        move = thought(state, 0, robot(seed=seed)).action
        assert all(isinstance(sign, Sign) and fits_card(sign, card) for sign in move.plan.signs)


def test_a_robot_bluffs_with_what_its_card_offers() -> None:
    state = scene(BELL, "2S 3H 4C 5D / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D", POOL)
    made = _made(intentions(with_team(state, card=SignCard.EYES), 0, steps=60))
    assert made
    assert all(fits_card(emoji_sign(text), SignCard.EYES) for text in made)
