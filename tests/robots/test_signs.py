"""How a robot settles signs, makes gestures, and moves the match along."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view, seat_view
from bot.game.events import CardTaken, GestureMade, MatchStarted, Outcome, RoundEnded, SignProposed, SignSettled
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import override
from bot.game.rules.presets import CLASSIC, YOKAI
from bot.game.signs import GestureKind, PlanKind, SignReport, combined_sign, emoji_sign, one_sign
from bot.game.state import Gesture, Phase, Proposal, State, Team
from bot.robots import LEVELS, Intent, Level, Motive, Robot, RobotLevel
from bot.robots.beliefs import Memory
from bot.robots.reasons import MoveReason
from bot.robots.signals import choose_plan, make_sign, own_signs
from tests.robots.driver import play_match
from tests.robots.scenes import CALM, NOW, gesture, intentions, robot, scene, thought, with_team
from tests.rules.table import Table

HANDS = "7S 7H 7C 7D / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D"
POOL = "AS AH TH KD"


def _settling() -> State:
    return evolve_all(None, [MatchStarted(NOW, CLASSIC, 4, 2, dealer=0)])


def _over(*, is_told: bool) -> State:
    result = RoundEnded(NOW, Outcome.KEMS, (1, 0), caller=2)
    state = scene(
        override(CLASSIC, {"signs_told": "round"}), HANDS, POOL, phase=Phase.OVER, phase_at=NOW, result=result
    )
    return gesture(state, 0, "👀", is_sign=True) if is_told else state


def _think(state: State, seat: int) -> Intent | None:
    return robot().think(player_view(state, seat, NOW), NOW)


def test_a_robot_accepts_what_its_partner_proposes() -> None:
    state = _settling()
    proposal = Proposal(2, one_sign(emoji_sign("🦊🦊")), (2,))
    proposed = replace(state, teams=(Team(proposal=proposal), Team()))
    accepted = thought(proposed, 0)
    assert accepted.action == a.AcceptSign(0, one_sign(emoji_sign("🦊🦊")))
    assert accepted.reason == MoveReason(Motive.PARTNER_ASKS, seat=2)
    assert isinstance(thought(proposed, 1).action, a.ProposeSign)


def test_a_robot_proposes_a_sign_one_partner_after_the_other() -> None:
    for seed in range(20):
        first, second = (thought(_settling(), seat, robot(seed=seed)) for seat in (0, 2))
        assert {type(intent.action) for intent in (first, second)} == {a.ProposeSign}
        assert 4000 <= first.delay_ms <= 7000
        assert second.delay_ms >= 11_000


def test_a_robot_waits_for_the_other_team_once_its_sign_is_settled() -> None:
    settled = replace(_settling(), teams=(Team(plan=one_sign(emoji_sign("👀"))), Team()))
    assert _think(settled, 0) is None


def test_a_robot_changes_a_sign_that_the_result_revealed_and_keeps_any_other() -> None:
    told = [move for move in intentions(_over(is_told=True), 0) if isinstance(move, a.ProposeSign)]
    assert told
    assert all(move.plan != one_sign(emoji_sign("👀")) for move in told)
    assert not any(isinstance(move, a.ProposeSign) for move in intentions(_over(is_told=False), 0))


@pytest.mark.parametrize(("level", "wins"), [(RobotLevel.MASTER, 1), (RobotLevel.STRONG, 1), (RobotLevel.REGULAR, 9)])
def test_a_robot_changes_a_sign_with_which_its_team_has_won_often(level: RobotLevel, wins: int) -> None:
    mind = robot(LEVELS[level].skill)
    proposes = [
        isinstance(thought(replace(_over(is_told=False), round=number), 0, mind).action, a.ProposeSign)
        for number in range(1, 4)
    ]
    assert proposes == [number >= wins for number in range(1, 4)]


def test_a_robot_changes_a_countered_sign_once_before_the_next_deal() -> None:
    countered = replace(_over(is_told=False), result=RoundEnded(NOW, Outcome.COUNTER, (0, 1), caller=1, target=0))
    found = gesture(countered, 0, "👀")
    intent = thought(found, 0)
    assert isinstance(intent.action, a.ProposeSign)
    assert intent.delay_ms <= 2500
    changed = with_team(found, plan=one_sign(emoji_sign("🎩")))
    other = replace(found, result=RoundEnded(NOW, Outcome.COUNTER, (1, 0), caller=0, target=1))
    for state in (countered, changed, other):
        assert not any(isinstance(move, a.ProposeSign) for move in intentions(state, 0))


def test_a_robot_proposes_a_new_sign_to_a_partner_who_may_keep_the_old_one() -> None:
    """The first seat is somebody who never answers."""
    log = play_match(override(CLASSIC, {"target": "6", "auto_open": "5"}), seed=2, silent=frozenset({0})).events
    proposed = [event for event in log if isinstance(event, SignProposed) and event.seat == 2]
    assert len(proposed) > 1
    assert [event.by_chance for event in log if isinstance(event, SignSettled) and event.team == 0] == [True]


def test_a_beginner_bluffs_mostly_long_after_it_took_a_card() -> None:
    taken: dict[int, int] = {}
    prompt: Counter[bool] = Counter()
    for event in play_match(CLASSIC, seed=2, level=LEVELS[RobotLevel.BEGINNER]).events:
        if isinstance(event, CardTaken):
            taken[event.seat] = event.at
        elif isinstance(event, GestureMade):
            prompt[event.at - taken.get(event.seat, 0) <= 4000] += 1
    assert prompt[False] > 2 * prompt[True] > 0


def test_a_robot_changes_a_guessed_sign_in_mid_round_but_not_after_a_counter() -> None:
    freed = with_team(scene(CLASSIC, HANDS, POOL), may_change=True)
    guessed = replace(freed, reports=(SignReport(NOW, 1, 0, (emoji_sign("👀"),), None, True),))
    assert any(isinstance(move, a.ProposeSign) for move in intentions(guessed, 2))
    assert not any(isinstance(move, a.ProposeSign) for move in intentions(freed, 2))


def test_a_robot_makes_the_sign_and_makes_it_again_later() -> None:
    mind = robot()
    sign = a.MakeGesture(0, GestureKind.REACT, "👀")
    first = thought(scene(CLASSIC, HANDS, POOL), 0, mind)
    assert first.action == sign
    assert 1000 <= first.delay_ms <= 3000
    made_at = NOW + first.delay_ms
    signed = gesture(scene(CLASSIC, HANDS, POOL), 0, "👀", at=made_at, is_sign=True)
    again = thought(signed, 0, mind, made_at)
    assert again.action == sign
    assert again.delay_ms >= 5000


def test_a_robot_posts_a_phrase() -> None:
    phrase = with_team(scene(CLASSIC, HANDS, POOL), plan=one_sign(emoji_sign("🦊🦊")))
    assert thought(phrase, 0).action == a.MakeGesture(0, GestureKind.POST, "🦊🦊")


def test_a_robot_bluffs_now_and_then_but_never_with_its_own_sign() -> None:
    state = scene(CLASSIC, HANDS, POOL)
    for seed in range(5):
        moves = intentions(state, 1, robot(seed=seed), steps=60)
        bluffs = {move.text for move in moves if isinstance(move, a.MakeGesture)}
        assert len(bluffs) > 1
        assert "🍀" not in bluffs


def test_a_robot_opens_the_hunt_only_as_the_dealer() -> None:
    state = scene(CLASSIC, HANDS, POOL, phase=Phase.READY, dealer=3)
    assert thought(state, 3).action == a.OpenHunt(3)
    assert not any(isinstance(move, a.OpenHunt) for seat in range(3) for move in intentions(state, seat))


def test_a_robot_does_not_plan_its_first_exchange_before_the_hunt_is_open() -> None:
    mind = robot()
    hands = "7S 7H 8C 9D / 8S 9H JD QD / 8D TD JC QC / TS KC KH TH"
    mind.think(player_view(scene(CLASSIC, hands, "7D AH AC KD", phase=Phase.READY), 0, NOW), NOW)
    intent = thought(scene(CLASSIC, hands, "7D AH AC KD"), 0, mind, NOW + 30_000)
    assert isinstance(intent.action, a.PutDown)
    assert intent.delay_ms >= 1000


def test_a_robot_deals_the_next_round_when_nobody_else_does_for_a_while() -> None:
    intent = thought(_over(is_told=False), 0)
    assert intent.action == a.NextRound(0)
    assert intent.delay_ms >= 10_000


def test_a_robot_does_nothing_when_the_match_is_over() -> None:
    assert _think(replace(_over(is_told=True), phase=Phase.MATCH_OVER, winner=1), 0) is None
    level = replace(_over(is_told=False), phase=Phase.MATCH_OVER, winner=None)
    assert _think(level, 0) is None


def test_both_halves_of_a_sign_are_made_and_read() -> None:
    both = one_sign(combined_sign("👀", "what weather"))
    state = with_team(scene(YOKAI, HANDS, POOL), plan=both)
    seen = make_sign(player_view(state, 0, NOW), NOW)
    assert (seen.kind, seen.text) == (GestureKind.REACT, "👀")
    half = replace(state, gestures=(Gesture(NOW, 0, seen.kind, seen.text, None),))
    said = make_sign(player_view(half, 0, NOW), NOW)
    assert (said.kind, said.text) == (GestureKind.SAY, "what weather")
    assert own_signs(player_view(half, 0, NOW), NOW) == []
    whole = replace(half, gestures=(*half.gestures, Gesture(NOW + 5, 0, said.kind, said.text, None)))
    assert own_signs(player_view(whole, 0, NOW), NOW) == [NOW, NOW + 5]


def test_a_robot_does_only_what_it_is_permitted() -> None:
    hands = "KS KH KD KC / 7S 8S 9S TS / JS QS AS 7H / 8H 9H TH JH"
    state = gesture(scene(CLASSIC, hands, "QH AH 7D 8D"), 0, "👀", is_sign=True)

    def only(kind: type[a.Action]) -> Robot:
        return Robot(Random(1), Level(skill=CALM), permits=lambda _view, action: isinstance(action, kind))

    assert isinstance(thought(state, 2, by=only(a.CallKems)).action, a.CallKems)
    assert isinstance(thought(state, 2, by=only(a.PutDown)).action, a.PutDown)


@pytest.mark.parametrize(
    ("strategies", "kind", "signs", "has_presign"),
    [
        ("", PlanKind.SINGLE, 1, False),
        ("presign", PlanKind.SINGLE, 1, True),
        ("double", PlanKind.DOUBLE, 2, False),
        ("double intermediate", PlanKind.INTERMEDIATE, 3, False),
        ("double total presign", PlanKind.TOTAL, 0, False),
    ],
)
def test_a_subtle_plan_has_as_many_signs_as_the_vote_allows(
    strategies: str, kind: PlanKind, signs: int, *, has_presign: bool
) -> None:
    table = Table.starting(strategies=strategies)
    plan = choose_plan(seat_view(table.state, 0), Memory(table.rng, (0, 0), 6), Random(1), is_subtle=True)
    assert (plan.kind, len(set(plan.signs)), plan.presign) == (kind, signs, has_presign)
    plain = choose_plan(seat_view(table.state, 0), Memory(table.rng, (0, 0), 6), Random(1))
    assert (plain.kind, len(plain.signs)) == (PlanKind.SINGLE, 1)
