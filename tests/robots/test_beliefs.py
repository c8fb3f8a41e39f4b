"""What a robot believes and wants, asked directly: odds without evidence, what one result teaches, what pays."""

from dataclasses import replace
from random import Random

import pytest

from bot.game.build_view import player_view, table_view
from bot.game.cards import parse_card
from bot.game.events import Outcome, Phase, RoundEnded
from bot.game.rules.presets import CLASSIC, YOKAI
from bot.game.rules.rules import Rules, ShownTo
from bot.game.signs import emoji_sign
from bot.game.state import State
from bot.robots import Level, Robot
from bot.robots.beliefs import GestureBeliefs, Memory, break_even
from bot.robots.collect import HELD, Collector, TargetHand
from bot.robots.kept_signs import countered_sign
from bot.robots.reasons import Motive
from tests.robots.scenes import CALM, NOW, gesture, robot, scene
from tests.rules.table import cards

KEMS_1 = "7S 7H 8C 8D / 9S 9H 9C 9D / KD KC JC QC / AS AC KH TD"
OTHERS = " / 9C 9H 9D TH / KD KC JC QC / AS AC KH TD"
POOL = "7D 8H JS QS"
SIGN = emoji_sign("🍀")


def called(number: int, text: str | None) -> State:
    """Seat 1 held a Kem's and made `text`; its partner called."""
    state = scene(CLASSIC, KEMS_1, POOL, round=number)
    made = state if text is None else gesture(state, 1, text)
    return replace(made, phase=Phase.OVER, result=RoundEnded(NOW, Outcome.KEMS, (0, 1), caller=3))


def taught(*rounds: str | None) -> tuple[GestureBeliefs, Memory]:
    """What seat 0 believes after rounds that seat 1 won by these gestures."""
    beliefs, memory = GestureBeliefs(), Memory(Random(1), (0, 0), 5)
    for number, text in enumerate(rounds, 1):
        view = player_view(called(number, text), 0, NOW)
        memory.observe(view, NOW)
        beliefs.observe(view, memory)
    return beliefs, memory


def test_a_text_that_nobody_has_made_may_be_the_sign_like_any_other() -> None:
    beliefs, _ = taught()
    assert 0 < beliefs.sign_odds(1, SIGN) < 0.1
    assert beliefs.likeliest(1) is None


def test_the_first_result_teaches_as_much_as_a_later_one() -> None:
    beliefs, _ = taught("🍀")
    assert beliefs.likeliest(1) == (SIGN, beliefs.sign_odds(1, SIGN))
    assert beliefs.sign_odds(1, SIGN) > 0.5 > beliefs.sign_odds(1, emoji_sign("🎲"))


def test_true_calls_without_a_gesture_are_counted_by_team() -> None:
    assert taught(None)[0].unsigned == {1: 1}
    assert taught(None, "🍀", None)[0].unsigned == {1: 2}


def test_a_robot_counts_the_rounds_that_its_own_team_has_won_from_the_first() -> None:
    memory = Memory(Random(1), (0, 0), 5)
    for number in (1, 2):
        memory.observe(player_view(called(number, "🍀"), 3, NOW), NOW)
    assert memory.signed_wins == 2


@pytest.mark.parametrize("rules", [CLASSIC, YOKAI])
def test_a_counter_has_to_be_surer_if_a_false_one_shows_cards(rules: Rules) -> None:
    hidden, shown = (
        replace(rules, penalty=replace(rules.penalty, shows=to)) for to in (ShownTo.NOBODY, ShownTo.ACCUSED)
    )
    assert break_even(hidden) < break_even(shown)


def test_a_pool_that_was_never_watched_can_be_taken_from_at_once() -> None:
    assert robot()._seen_at(parse_card("7D")) == 0


@pytest.mark.parametrize(
    ("hand", "pool", "why"),
    [("7S 7H 8S _", "7D JS QS KS", Motive.COLLECTS), ("7S 7H _ _", "JS JH QS KS", Motive.MAKES_ROOM)],
)
def test_a_robot_that_keeps_to_its_groups_only_makes_room_with_any_other(hand: str, pool: str, why: Motive) -> None:
    view = player_view(scene(CLASSIC, hand + OTHERS, pool), 0, NOW)
    step = Collector(view, Memory(Random(1), (0, 0), 6), target=HELD).next_step()
    assert step is not None
    assert step.reason.why is why


@pytest.mark.parametrize(("hand", "why"), [("8S 9S JH QH", Motive.FEEDS), ("8S 8H JH QH", Motive.MAKES_ROOM)])
def test_a_partner_gets_a_group_only_if_its_last_card_goes_down(hand: str, why: Motive) -> None:
    eight, ten = (card.group for card in cards("8S TS"))
    view = player_view(scene(CLASSIC, hand + OTHERS, "TS 9S 7D KS"), 0, NOW)
    collector = Collector(view, Memory(Random(1), (0, 0), 6))
    collector._friends[eight] = (2, 2)
    assert collector._reason(TargetHand(1.0, ten, 1, (eight,))).why is why


def test_advice_keeps_to_one_group_until_the_hand_has_none_of_it() -> None:
    mind = Robot(Random(1), Level(skill=CALM), keeps_target=True)
    for hand, group in (("7S 7H 8S 9S", "7S"), ("7S 8S 8H 9S", "7S"), ("8S 8H 9S TS", "8S")):
        view = player_view(scene(CLASSIC, hand + OTHERS, "7D 8D QS KS"), 0, NOW)
        _, reason = mind.advise(view, NOW)
        assert (reason.why, reason.group) == (Motive.COLLECTS, parse_card(group).group)


def test_a_round_that_runs_and_a_player_without_a_gesture_show_no_kept_sign() -> None:
    former = [table_view(called(number, "🍀")) for number in (1, 2)]
    assert countered_sign(table_view(scene(CLASSIC, KEMS_1, POOL, round=3)), former) is None
    counter = RoundEnded(NOW, Outcome.COUNTER, (1, 0), caller=0, target=1, team=1)
    countered = replace(scene(CLASSIC, KEMS_1, POOL, round=3), phase=Phase.OVER, result=counter)
    assert countered_sign(table_view(countered), former) is None
    assert countered_sign(table_view(gesture(countered, 1, "🍀")), former) == SIGN
