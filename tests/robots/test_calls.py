"""How a robot calls, counters, guesses and shows."""

from dataclasses import replace
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.events import Outcome, RoundEnded
from bot.game.rules.house_rules import override
from bot.game.rules.presets import BELL, CLASSIC, ESCALE, EXPERT, LINTERNAUTE, YOKAI
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind
from bot.game.state import CallChain, PendingShow, Phase, SeenExchange, ShownCards, State
from bot.robots import Robot, Skill
from bot.robots.beliefs import Memory
from bot.robots.signals import GestureReader
from tests.robots.scenes import NOW, gesture, intentions, robot, scene, shown_to, thought
from tests.rules.table import cards

KEMS_0 = "7S 7H 7C 7D"
REST = " / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D"
POOL = "AS AH TH KD"


def _calls(actions: list[a.Action]) -> list[a.Action]:
    return [move for move in actions if isinstance(move, a.CallKems | a.CallDouble | a.CounterPlayer | a.CounterTeam)]


def test_a_robot_calls_when_its_partner_has_made_the_sign() -> None:
    state = gesture(scene(CLASSIC, KEMS_0 + REST, POOL), 0, "👀", is_sign=True)
    intent = thought(state, 2)
    assert intent.action == a.CallKems(2)
    assert 1000 <= intent.delay_ms <= 3500


@pytest.mark.parametrize(("seat", "text"), [(0, "🍩"), (1, "👀"), (2, "👀")])
def test_a_robot_does_not_call_on_another_gesture_or_another_seat(seat: int, text: str) -> None:
    state = gesture(scene(CLASSIC, KEMS_0 + REST, POOL), seat, text)
    assert not _calls(intentions(state, 2))


def test_a_robot_does_not_call_when_its_partner_has_exchanged_since() -> None:
    mind = robot()
    signed = gesture(scene(CLASSIC, "7S 7H 7C 8D" + REST.replace("8D", "7D"), POOL), 0, "👀", is_sign=True)
    assert thought(signed, 2, mind).action == a.CallKems(2)
    owing = gesture(scene(CLASSIC, "7S 7H 7C _" + REST.replace("8D", "7D"), POOL + " 8D"), 0, "👀", is_sign=True)
    mind.think(player_view(owing, 2, NOW + 500), NOW + 500)
    taken = gesture(scene(CLASSIC, "7S 7H 7C AS" + REST.replace("8D", "7D"), "AH TH KD 8D"), 0, "👀", is_sign=True)
    assert not _calls(intentions(taken, 2, mind, NOW + 1000))


def test_a_robot_does_not_call_when_no_kems_is_possible() -> None:
    hands = "7S 8H 9S TS / 7H 8S 9H TH / 7D 8D 9D TD / JS QS KS AS"
    state = gesture(scene(CLASSIC, hands, "JH QH KH AH"), 0, "👀", is_sign=True)
    assert not _calls(intentions(state, 2))
    seen = shown_to(gesture(scene(CLASSIC, KEMS_0 + REST, POOL), 0, "👀"), 2, ShownCards(0, cards("8S 9H")))
    assert not _calls(intentions(seen, 2))


def test_a_robot_may_miss_a_sign_and_reads_the_next() -> None:
    blind = Skill(overlooks=0, misses=1, misreads=0, daring=0)
    state = gesture(scene(CLASSIC, KEMS_0 + REST, POOL), 0, "👀", is_sign=True)
    assert not _calls(intentions(state, 2, robot(blind)))
    half = robot(Skill(overlooks=0, misses=0.5, misreads=0, daring=0))
    for repeat in range(20):
        state = gesture(state, 0, "👀", at=NOW + repeat, is_sign=True)
    assert thought(state, 2, half).action == a.CallKems(2)


def test_a_robot_calls_a_double_when_it_holds_a_kems_too() -> None:
    hands = KEMS_0 + " / 8S 9H JD QD / AS AH AC AD / TS KC KH 9D"
    state = gesture(scene(CLASSIC, hands, "TH TC KD 8D"), 0, "👀", is_sign=True)
    assert a.CallDouble(2) in intentions(state, 2)
    assert a.CallKems(2) not in intentions(state, 2)


def test_a_robot_adds_the_second_call_of_a_double() -> None:
    hands = KEMS_0 + " / 8S 9H JD QD / AS AH AC AD / TS KC KH 9D"
    hunt = gesture(scene(LINTERNAUTE, hands, "TH TC KD 8D"), 0, "👀", is_sign=True)
    assert a.CallKems(2) in intentions(hunt, 2)
    chain = replace(hunt, phase=Phase.CHAIN, phase_at=NOW, chain=CallChain(0, Outcome.KEMS))
    assert a.CallDouble(2) in intentions(chain, 2)
    unsigned = replace(chain, gestures=())
    assert not _calls(intentions(unsigned, 2))


ALL_FOUR = KEMS_0 + " / 8S 8H 8C 8D / AS AH AC AD / TS TH TC TD"
FOUR_KEMS = override(EXPERT, {"four_kems": "4"})


def test_a_robot_adds_a_double_counter_to_its_teams_double_when_it_believes_both_opponents_hold_four() -> None:
    state = gesture(gesture(scene(FOUR_KEMS, ALL_FOUR, "9S JH QD KC", round=4), 1, "🍀"), 3, "🍀")
    two = a.CounterTeam(0, 1, is_double=True)
    ours = replace(state, phase=Phase.CHAIN, phase_at=NOW, chain=CallChain(2, Outcome.DOUBLE))
    assert _calls(intentions(ours, 0, _taught(FOUR_KEMS, 3))) == [two]
    theirs = replace(ours, chain=CallChain(1, Outcome.DOUBLE))
    assert not _calls(intentions(theirs, 0, _taught(FOUR_KEMS, 3)))
    quiet = replace(ours, gestures=())
    assert not _calls(intentions(quiet, 0, _taught(FOUR_KEMS, 3)))


def test_a_robot_adds_a_double_to_its_teams_double_counter_when_it_holds_a_kems_too() -> None:
    state = gesture(scene(FOUR_KEMS, ALL_FOUR, "9S JH QD KC"), 0, "👀", is_sign=True)
    ours = replace(state, phase=Phase.CHAIN, phase_at=NOW, chain=CallChain(0, Outcome.DOUBLE_COUNTER, 1))
    assert a.CallDouble(2) in intentions(ours, 2)
    theirs = replace(ours, chain=CallChain(1, Outcome.DOUBLE_COUNTER, 0))
    assert not _calls(intentions(theirs, 2))


def test_a_duellist_signs_and_calls_for_itself_after_the_delay() -> None:
    state = scene(CLASSIC, KEMS_0 + " / 8S 9H JD QD", POOL)
    mind = robot()
    assert thought(state, 0, mind).action == a.MakeGesture(0, GestureKind.REACT, "👀")
    duellist = replace(state.seats[0], signed_at=NOW + 2500)
    signed = replace(gesture(state, 0, "👀", at=NOW + 2500, is_sign=True), seats=(duellist, state.seats[1]))
    assert thought(signed, 0, mind, NOW + 2500).delay_ms >= CLASSIC.calls.duel_delay * 1000
    assert a.CallKems(0) in intentions(signed, 0, mind, NOW + 2500)


def test_a_robot_calls_for_itself_in_the_end_when_the_rules_allow_it() -> None:
    for rules, is_allowed in ((ESCALE, True), (CLASSIC, False)):
        mind = robot()
        state = scene(rules, KEMS_0 + REST, POOL)
        mind.think(player_view(state, 0, NOW), NOW)
        signed = gesture(state, 0, "👀", at=NOW + 2000, is_sign=True)
        assert (a.CallKems(0) in intentions(signed, 0, mind, NOW + 60_000, steps=8)) == is_allowed


def _round_over(rules: Rules, number: int, text: str) -> State:
    """Seat 1 held a Kem's, had made `text`, and its partner called."""
    opened = "8S 9H JD QD / 7S 7H 7C 7D / 8D TD JC QC / TS KC KH 9D"
    result = RoundEnded(NOW, Outcome.KEMS, (0, 1), caller=3)
    return gesture(scene(rules, opened, POOL, round=number, phase=Phase.OVER, result=result), 1, text, is_sign=True)


def _taught(rules: Rules, rounds: int) -> Robot:
    """A robot in seat 0 that has seen rounds end, and dares to act on what it is sure of."""
    mind = robot(SURE, 1)
    for number in range(1, rounds + 1):
        mind.think(player_view(_round_over(rules, number, "🍀"), 0, NOW), NOW)
    return mind


SURE = Skill(overlooks=0, misses=0, misreads=0, daring=1, spots=1)
MANY = "7S 7H 8C 8D / 9S 9H 9C 9D / KD KC JC QC / AS AC KH TD"
MANY_POOL = "7D 8S JH JS"


@pytest.mark.parametrize(
    ("rules", "action"),
    [(CLASSIC, a.CounterPlayer(0, 1)), (EXPERT, a.CounterTeam(0, 1)), (BELL, a.CounterTeam(0, 1))],
)
def test_a_robot_counters_a_gesture_that_preceded_a_kems_in_revealed_hands(rules: Rules, action: a.Action) -> None:
    for text, is_countered in (("🍀", True), ("🍩", False)):
        state = gesture(scene(rules, MANY, MANY_POOL, round=4), 1, text)
        assert (action in intentions(state, 0, _taught(rules, 3))) is is_countered


@pytest.mark.parametrize(("told", "is_countered"), [("round", True), ("match", False)])
def test_a_robot_counters_the_sign_that_a_result_revealed(told: str, is_countered: bool) -> None:
    """Seat 1 has bluffed with its sign until the round's end, without a Kem's."""
    rules = override(CLASSIC, {"signs_told": told})
    ended = {"phase": Phase.OVER, "result": RoundEnded(NOW, Outcome.FALSE_KEMS, (1, 0), caller=3)}
    bluffed = gesture(scene(rules, KEMS_0 + REST, POOL, **ended), 1, "🍀", is_sign=True)
    mind = robot(SURE)
    mind.think(player_view(bluffed, 0, NOW), NOW)
    state = gesture(scene(rules, MANY, MANY_POOL, round=2), 1, "🍀")
    assert (a.CounterPlayer(0, 1) in intentions(state, 0, mind)) is is_countered


def test_a_sign_is_believed_no_less_when_its_maker_was_seen_taking_a_card() -> None:
    taken = SeenExchange(1, cards("KS"), cards("9S"))
    mind = _taught(CLASSIC, 1)
    before = scene(CLASSIC, MANY.replace("9S", "KS"), "7D 9S JH JS", round=2)
    mind.think(player_view(before, 0, NOW - 9000), NOW - 9000)
    state = scene(CLASSIC, MANY, "7D KS JH JS", round=2, exchanges=(taken,))
    mind.think(player_view(state, 0, NOW - 6000), NOW - 6000)
    assert a.CounterPlayer(0, 1) in intentions(gesture(state, 1, "🍀"), 0, mind)


def test_the_same_bluff_is_believed_half_as_much_the_second_time() -> None:
    memory = Memory(Random(1), (0, 0), 6)
    reader = GestureReader(Random(1), SURE, memory)

    def odds(state: State, at: int) -> float:
        view = player_view(state, 0, at)
        memory.observe(view, at)
        reader.observe(view)
        return reader.odds(view, 1)

    bluff = gesture(scene(CLASSIC, MANY, MANY_POOL), 1, "🍩")
    first = odds(bluff, NOW)
    short = scene(CLASSIC, MANY.replace("9S", "_"), f"{MANY_POOL} 9S")
    owing = replace(bluff, seats=short.seats, pool=short.pool)
    assert odds(owing, NOW + 1000) == 0
    odds(replace(bluff, exchanges=(SeenExchange(1, cards("9S"), cards("JH")),)), NOW + 2000)
    again = gesture(replace(bluff, exchanges=(SeenExchange(1, cards("9S"), cards("JH")),)), 1, "🍩", at=NOW + 9000)
    assert 0 < odds(again, NOW + 9000) <= first / 2


def test_a_robot_does_not_counter_when_no_kems_is_possible() -> None:
    hands = "7S 8H 9S TS / 7H 8S 9H TH / 7D 8D 9D TD / JS QS KS AS"
    state = gesture(scene(CLASSIC, hands, "JH QH KH AH", round=4), 1, "🍀")
    assert not _calls(intentions(state, 0, _taught(CLASSIC, 3)))


def test_a_robot_counters_once_for_each_sign_that_it_saw() -> None:
    state = gesture(scene(LINTERNAUTE, MANY, MANY_POOL, round=4), 1, "🍀")
    moves = intentions(state, 0, _taught(LINTERNAUTE, 3), steps=12)
    assert moves.count(a.CounterPlayer(0, 1)) == 1


def test_a_robot_double_counters_two_signs() -> None:
    state = gesture(gesture(scene(EXPERT, MANY, MANY_POOL, round=4), 1, "🍀"), 3, "🍀")
    assert a.CounterTeam(0, 1, is_double=True) in intentions(state, 0, _taught(EXPERT, 3))


def test_a_robot_ends_the_round_with_three_alike_when_it_may_not_counter_any_more() -> None:
    state = gesture(scene(CLASSIC, MANY.replace("8D", "JD"), MANY_POOL, round=4), 1, "🍀")
    lost = replace(state, seats=(replace(state.seats[0], can_counter=False), *state.seats[1:]))
    assert a.PutDown(0, parse_card("JD")) in intentions(lost, 0, _taught(CLASSIC, 3))
    assert a.PutDown(0, parse_card("JD")) not in intentions(state, 0, _taught(CLASSIC, 3))


def test_a_robot_guesses_no_sign_before_it_has_seen_it_often() -> None:
    for rules in (YOKAI, CLASSIC):
        state = gesture(scene(rules, MANY, MANY_POOL, round=4), 1, "🍀")
        moves = intentions(state, 0, _taught(rules, 1), steps=12)
        assert not any(isinstance(move, a.GuessSign) for move in moves)


def test_a_robot_shows_the_cards_that_reveal_least() -> None:
    state = scene(CLASSIC, "7S 7H 8C 9D" + REST, POOL, pending_shows=(PendingShow(0, 1, NOW + 20_000),))
    shown = [move.cards for move in intentions(state, 0) if isinstance(move, a.ShowCards)]
    assert set(shown[0]) == set(cards("8C 9D"))


@pytest.mark.parametrize("rules", [CLASSIC, EXPERT])
def test_a_robot_tries_no_counter_when_the_rules_have_none(rules: Rules) -> None:
    silent = override(rules, {"counters": "no"})
    countering, quiet = (
        _calls(intentions(gesture(scene(by, MANY, MANY_POOL, round=4), 1, "🍀"), 0, _taught(by, 3)))
        for by in (rules, silent)
    )
    assert countering
    assert not quiet
