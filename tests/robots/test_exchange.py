"""How a robot collects, puts down, takes and sweeps."""

from dataclasses import replace
from math import inf
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.rules.house_rules import override
from bot.game.rules.presets import BELL, CLASSIC, LINTERNAUTE, PRESETS, YOKAI
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind
from bot.game.state import ExchangeDuty, Phase, SeenExchange, State, SweepVote
from bot.robots import LEVELS, Level, Robot, RobotLevel, Skill, Timing
from bot.robots.beliefs import Memory
from bot.robots.collect import Collector
from bot.robots.reasons import Motive, MoveReason
from tests.robots.scenes import CALM, NOW, intentions, robot, scene, thought
from tests.rules.table import cards

REST = "/ 8H 9H JD QD / 8D 9D JC QC / TH TD KH KD"
HANDS = "7S 7H 8S 9S" + REST


def test_a_robot_puts_down_what_fits_least_then_takes_what_fits() -> None:
    state = scene(CLASSIC, HANDS, "7D JS QS KS")
    assert thought(state, 0).action in (a.PutDown(0, parse_card("8S")), a.PutDown(0, parse_card("9S")))
    state = scene(CLASSIC, "7S 7H _ 9S" + REST, "7D JS QS KS 8S")
    assert thought(state, 0).action == a.Take(0, parse_card("7D"))


def test_a_robot_exchanges_two_cards_at_once_when_the_rules_allow_it() -> None:
    state = scene(CLASSIC, "7S 7H _ 9S" + REST, "7D 7C QS KS 8S")
    assert thought(state, 0).action == a.PutDown(0, parse_card("9S"))
    one_at_a_time = scene(LINTERNAUTE, "7S 7H _ 9S" + REST, "7D 7C QS KS 8S")
    assert isinstance(thought(one_at_a_time, 0).action, a.Take)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_robot_takes_what_it_owes_even_when_nothing_fits(rules: Rules) -> None:
    state = scene(rules, "7S 7H _ 9S" + REST, "TS JS QS KS 8S", last_exchange=NOW)
    action = thought(state, 0).action
    assert isinstance(action, a.Take)
    assert action.card in state.pool_cards


def test_a_robot_acts_within_seconds_like_a_person() -> None:
    state = scene(CLASSIC, HANDS, "7D JS QS KS")
    delays = {thought(state, 0, robot(seed=seed)).delay_ms for seed in range(30)}
    assert min(delays) >= 1000
    assert max(delays) <= 6000
    assert len(delays) > 10


def test_a_robot_keeps_the_time_of_its_planned_move_while_others_move() -> None:
    mind = robot()
    first = thought(scene(CLASSIC, HANDS, "7D JS QS KS"), 0, mind)
    changed = scene(CLASSIC, "7S 7H 8S 9S / 8H 9H JD KS / 8D 9D JC QC / TH TD KH KD", "7D JS QS QD")
    second = thought(changed, 0, mind, NOW + 900)
    assert isinstance(second.action, a.PutDown)
    assert second.delay_ms == first.delay_ms - 900


def test_a_robot_does_not_put_down_the_third_alike_when_that_ends_the_round() -> None:
    hands = "7S 7H 7C 8S / 9H 9D JD QD / 9C TD JC QC / TH TC KH KD"
    moves = intentions(scene(CLASSIC, hands, "8D 8H 7D KS"), 0)
    assert moves
    assert a.PutDown(0, parse_card("8S")) not in moves
    assert thought(scene(LINTERNAUTE, hands, "8D 8H 7D KS"), 0).action == a.PutDown(0, parse_card("8S"))


def test_a_robot_never_breaks_a_kems() -> None:
    state = scene(CLASSIC, "7S 7H 7C 7D" + REST, "8S 9S TS TC")
    assert not any(isinstance(move, a.PutDown | a.AskSweep) for move in intentions(state, 0))


def test_a_joker_completes_a_group_and_is_never_put_down() -> None:
    state = scene(BELL, "7S X1 8S 9S" + REST, "7D JS QS KS")
    action = thought(state, 0).action
    assert isinstance(action, a.PutDown)
    assert action.card in cards("8S 9S")
    wants = scene(BELL, "7S 7H 8S _" + REST, "X1 JS QS KS 9S")
    assert thought(wants, 0).action == a.Take(0, parse_card("X1"))
    complete = scene(BELL, "7S 7H X1 X2" + REST, "7C JS QS KS")
    assert thought(complete, 0).action == a.MakeGesture(0, GestureKind.REACT, "👀")


def test_a_robot_prefers_a_group_whose_cards_it_has_not_seen_others_take() -> None:
    hands = "7S 8S TS JS / 9H 9D JD QD / 9C TD JC QC / TH TC KH KD"
    first = player_view(scene(CLASSIC, hands, "7D 7C QS KS"), 0, NOW)
    swept = player_view(scene(CLASSIC, hands, "7H 8H AS AD", discard=cards("7D 7C QS KS")), 0, NOW)
    seven, eight = (card.group for card in cards("7S 8S"))
    memory = Memory(Random(1), (0, 0), 6)
    memory.observe(first, NOW)
    assert Collector(first, memory).worths(seven) == Collector(first, memory).worths(eight)
    memory.observe(swept, NOW)
    assert Collector(swept, memory).worths(seven) < Collector(swept, memory).worths(eight)
    rebuilt = player_view(scene(CLASSIC, hands, "9S KC AH AC", discard=()), 0, NOW)
    memory.observe(rebuilt, NOW)
    assert not memory.gone


@pytest.mark.parametrize(("hand", "why"), [("7S 8S QH KS", Motive.COLLECTS), ("7S 8S TS KS", Motive.STARTS)])
def test_a_robot_collects_only_groups_of_which_it_has_a_card(hand: str, why: Motive) -> None:
    view = player_view(scene(CLASSIC, hand + " / 8H 9H JD 7D / 8D 9D JC 7C / TH TD KH KD", "QS QC QD AS"), 0, NOW)
    step = Collector(view, Memory(Random(1), (0, 0), 6)).next_step()
    assert step is not None
    assert step.reason == MoveReason(why, group=parse_card("QS").group)


FIRST, SECOND = SeenExchange(1, cards("JD"), cards("QS")), SeenExchange(2, cards("QC"), cards("KS"))
QUEEN, KING = cards("QS KS")


def _watching(reaction: int = 0, recalls: int = 6, rules: Rules = CLASSIC, *, later: int = 0) -> Memory:
    """The memory of seat 0: seat 1 has put JD down and taken QS, seat 2 has swapped QC for KS. It looks once more."""
    memory = Memory(Random(1), (reaction, reaction), recalls)
    for at, second, third, pool, exchanges in (
        (NOW, "JD", "QC", "7D 7C QS KS", ()),
        (NOW, "_", "QC", "7D 7C QS KS JD", ()),
        (NOW, "QS", "QC", "7D 7C KS JD", (FIRST,)),
        (NOW, "QS", "KS", "7D 7C JD QC", (FIRST, SECOND)),
        (NOW + later, "QS", "KS", "7D 7C JD QC", (FIRST, SECOND)),
    ):
        hands = f"7S 8S TS JS / 9H 9D {second} QD / 9C TD JC {third} / TH TC KH KD"
        memory.observe(player_view(scene(rules, hands, pool, exchanges=exchanges), 0, at), at)
    return memory


def test_a_robot_notices_who_took_a_card_after_its_reaction_time() -> None:
    memory = _watching(700, later=699)
    assert memory.known_holders == {QUEEN: None, KING: None}
    assert memory.exchanged_at == {1: NOW, 2: NOW}, "that a hand has changed is seen at once"
    assert not memory.collects
    memory = _watching(700, later=700)
    assert memory.known_holders == {QUEEN: 1, KING: 2}
    assert memory.collects == {1: {QUEEN.group: 1}, 2: {KING.group: 1}}


def test_a_robot_forgets_takes_that_are_older_than_its_memory() -> None:
    memory = _watching(recalls=1)
    assert memory.known_holders == {QUEEN: None, KING: 2}
    assert memory.collects == {2: {KING.group: 1}}


def test_a_robot_sees_no_taker_when_the_table_hides_them() -> None:
    memory = _watching(rules=override(CLASSIC, {"takes_seen": "no"}), later=60_000)
    assert memory.known_holders == {QUEEN: None, KING: None}
    assert memory.exchanged_at == {1: NOW}, "an owed card is seen, a swap is not"
    assert not memory.collects


def _seen_every(memory: Memory, gap: int, count: int, now: int, before: tuple[SeenExchange, ...]) -> State:
    """Lets the memory see more exchanges of seat 1, one each `gap` milliseconds; returns the table after them."""
    for number in range(1, count + 1):
        state = scene(CLASSIC, HANDS, "7D JS QS KS", exchanges=(*before, *(FIRST,) * number))
        memory.observe(player_view(state, 0, now + number * gap), now + number * gap)
    return state


def test_a_robot_learns_the_pace_of_its_table_and_forgets_a_former_one() -> None:
    memory = Memory(Random(1), (0, 0), 6)
    assert memory.pace == inf
    quick = _seen_every(memory, 2000, 4, NOW, ())
    assert 2000 < memory.pace < 2600, "a little behind the quickest seat"
    _seen_every(memory, 9000, 8, NOW + 8000, quick.exchanges)
    assert memory.pace > 9000


def test_a_robot_exchanges_faster_at_a_quick_table() -> None:
    strong = LEVELS[RobotLevel.STRONG]
    mind = Robot(Random(1), strong)
    quick = _seen_every(mind._memory, 1600, 6, NOW, ())
    owing = replace(quick, seats=scene(CLASSIC, "7S 7H _ 9S" + REST, "7D").seats)
    now = NOW + 20_000
    intent = thought(owing, 0, mind, now)
    for _ in range(2):  # its take is done, then it plans another exchange
        now += intent.delay_ms
        intent = thought(quick, 0, mind, now)
    assert isinstance(intent.action, a.PutDown)
    assert mind._timing.put[1] < strong.timing.put[1] / 2 + 500


def _has_exchanged(skill: Skill) -> Robot:
    """A robot in seat 0 that has just taken a card."""
    mind = robot(skill)
    owing = player_view(scene(CLASSIC, "7S _ 8S 9S" + REST, "7H JS QS KS AS"), 0, NOW)
    for now in (NOW, NOW + 2000):
        mind.think(owing, now)
    return mind


SWAPS = replace(CALM, swaps=1)


def test_a_robot_swaps_no_faster_than_it_puts_down_and_takes() -> None:
    intent = thought(scene(CLASSIC, HANDS, "7D JS QS KS"), 0, _has_exchanged(SWAPS), NOW + 9000)
    assert isinstance(intent.action, a.Swap)
    assert intent.action.taken == parse_card("7D")
    put, take = Timing().put, Timing().take
    assert put[0] + take[0] <= intent.delay_ms <= put[1] + take[1]


@pytest.mark.parametrize(
    ("rules", "skill"),
    [(override(CLASSIC, {"swap": "no"}), SWAPS), (CLASSIC, CALM)],
    ids=["no swaps", "a skill without swaps"],
)
def test_a_robot_puts_down_by_hand_when_it_may_not_swap(rules: Rules, skill: Skill) -> None:
    moves = intentions(scene(rules, HANDS, "7D JS QS KS"), 0, _has_exchanged(skill), NOW + 9000)
    assert any(isinstance(move, a.PutDown) for move in moves)
    assert not any(isinstance(move, a.Swap) for move in moves)


@pytest.mark.parametrize("agrees", [True, False])
def test_a_robot_overlooks_cards_but_looks_twice_when_asked_about_a_sweep(agrees: bool) -> None:
    pool = "TS JS QS KS" if agrees else "7D JS QS KS"
    vote = SweepVote(asker=1, agreed=(1,), ends_at=NOW + 15_000)
    state = scene(CLASSIC, HANDS, pool, phase=Phase.SWEEP, vote=vote)
    mind = robot(Skill(overlooks=1, misses=0, misreads=0, daring=0))
    assert thought(scene(CLASSIC, HANDS, pool), 0, mind).action == a.AskSweep(0)
    assert thought(state, 0, mind).action == a.AnswerSweep(0, agrees=agrees)


def test_a_robot_exchanges_after_it_refused_a_sweep() -> None:
    state = scene(CLASSIC, HANDS, "TS JS QS KS", duty=ExchangeDuty(0, NOW + 20_000))
    assert isinstance(thought(state, 0).action, a.PutDown)
    free = scene(CLASSIC, HANDS, "TS JS QS KS", duty=ExchangeDuty(1, NOW + 20_000))
    assert not any(isinstance(move, a.PutDown) for move in intentions(free, 0))


def test_a_robot_asks_for_a_sweep_when_nothing_fits_and_the_quiet_time_is_over() -> None:
    state = scene(CLASSIC, HANDS, "TS JS QS KS", last_exchange=NOW - 1000)
    intent = thought(state, 0)
    assert intent.action == a.AskSweep(0)
    assert intent.delay_ms >= 4000
    useful = scene(CLASSIC, HANDS, "7D JS QS KS", last_exchange=NOW - 10_000)
    assert a.AskSweep(0) not in intentions(useful, 0)


def test_a_robot_waits_the_quiet_time_again_after_a_refusal() -> None:
    mind = robot()
    vote = SweepVote(asker=0, agreed=(0,), ends_at=NOW + 15_000)
    mind.think(player_view(scene(YOKAI, HANDS, "TS JS QS KS", phase=Phase.SWEEP, vote=vote), 0, NOW), NOW)
    intent = thought(scene(YOKAI, HANDS, "TS JS QS KS"), 0, mind, NOW + 1000)
    assert intent.action == a.AskSweep(0)
    assert intent.delay_ms >= YOKAI.sweep.quiet * 1000


def test_a_robot_takes_no_card_before_it_can_have_seen_it() -> None:
    mind = Robot(Random(1), Level(Timing(take=(0, 0)), CALM))
    hands = "7S 7H _ 9S" + REST
    first = thought(scene(CLASSIC, hands, "TS JS QS KS"), 0, mind)
    assert isinstance(first.action, a.Take)
    assert first.delay_ms >= 300
    better = thought(scene(CLASSIC, hands, "7D JS QS KS"), 0, mind, NOW + 290)
    assert (better.action, better.delay_ms) == (a.Take(0, parse_card("7D")), 300)


def test_a_robot_leaves_the_sweep_to_the_dealer_when_the_rules_do() -> None:
    rules = override(CLASSIC, {"sweep_by": "dealer"})
    for dealer in range(4):
        state = scene(rules, HANDS, "TS JS QS KS", dealer=dealer, last_exchange=NOW - 1000)
        assert (a.AskSweep(0) in intentions(state, 0)) is (dealer == 0)


def test_a_robot_ends_a_stalemate_in_which_nobody_recognises_its_sign() -> None:
    state = scene(CLASSIC, "7S 7H 7C 7D" + REST, "TS JS QS KS")
    assert a.AskSweep(0) in intentions(state, 0, steps=40)
    assert a.AskSweep(0) not in intentions(state, 0, steps=5)


def test_a_robot_sees_fewer_possible_kems_in_a_hand_when_cards_were_swept() -> None:
    """Of eight groups the watcher holds four; the two whose cards were swept no hand can have four alike of."""
    hands = "7S 8S TS JS / 9H 9D QC QD / 9C TD JC QH / TH TC KH KD"
    before, after = (scene(CLASSIC, hands, pool) for pool in ("7D 7C QS KS", "8D 8C JD JH"))
    swept, forgetful = Memory(Random(1), (0, 0), 6), Memory(Random(1), (0, 0), 6)
    swept.observe(player_view(before, 0, NOW), NOW)
    for memory in (swept, forgetful):
        view = player_view(replace(after, discard=cards("7D 7C QS KS")), 0, NOW)
        memory.observe(view, NOW)
    assert swept.gone == set(cards("7D 7C QS KS"))
    assert swept.kems_possibility(view, 1) < forgetful.kems_possibility(view, 1)
