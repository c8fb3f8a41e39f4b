"""What a robot believes of gestures, asked directly: odds without any evidence, what one result teaches, what pays."""

from dataclasses import replace
from random import Random

import pytest

from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.events import Outcome, Phase, RoundEnded
from bot.game.rules.presets import CLASSIC, YOKAI
from bot.game.rules.rules import Rules, ShownTo
from bot.game.signs import emoji_sign
from bot.game.state import State
from bot.robots.beliefs import GestureBeliefs, Memory, break_even
from bot.robots.collect import HELD, Collector
from bot.robots.reasons import Motive
from tests.robots.scenes import NOW, gesture, robot, scene

HANDS = "7S 7H 8S 9S / 9C 9H 9D TH / KD KC JC QC / AS AC KH TD"
KEMS_1 = "7S 7H 8C 8D / 9S 9H 9C 9D / KD KC JC QC / AS AC KH TD"
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


@pytest.mark.parametrize(("pool", "why"), [("7D JS QS KS", Motive.COLLECTS), ("JS QS KS AD", Motive.MAKES_ROOM)])
def test_a_robot_that_keeps_to_its_groups_only_makes_room_with_any_other(pool: str, why: Motive) -> None:
    """It owes a card and has to take one, of whatever group."""
    view = player_view(scene(CLASSIC, HANDS.replace("9S", "_"), pool), 0, NOW)
    step = Collector(view, Memory(Random(1), (0, 0), 6), target=HELD).next_step()
    assert step is not None
    assert step.reason.why is why
