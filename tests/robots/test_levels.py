"""The levels: their pace on a phone, what each notices, and why it acts."""

from dataclasses import asdict, replace
from itertools import pairwise, product
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.events import Outcome, RoundEnded
from bot.game.rules.presets import CLASSIC, ESCALE, EXPERT, PRESETS, YOKAI
from bot.game.signs import GestureKind, PlanKind, SignPlan, SignReport, Strategy, emoji_sign, one_sign
from bot.game.state import Gesture, Phase, SeenExchange, State, SweepVote
from bot.robots import LEVELS, Motive, Robot, RobotLevel, Skill
from bot.robots.beliefs import break_even
from bot.robots.level import FASTEST, Agenda, CandidateAction
from bot.simulation.match import play_robots
from tests.bench.counters import keeping
from tests.bench.tricks import make_robot
from tests.examples import mostly_long, seeds
from tests.robots.scenes import NOW, gesture, intentions, robot, scene, thought, with_team
from tests.rules.table import cards

ALERT = Skill(overlooks=0, misses=0, misreads=0, watches=True, spots=1, guesses_at=0.7, is_subtle=True)
A_TAP_MS = 3000
OPEN = a.OpenHunt(0)


@pytest.mark.parametrize("level", RobotLevel)
def test_no_level_is_faster_than_a_practised_person(level: RobotLevel) -> None:
    fastest = asdict(FASTEST)
    for name, (low, high) in asdict(LEVELS[level].timing).items():
        assert fastest[name][0] <= low <= high, name
    assert FASTEST.put[0] + FASTEST.take[0] >= 1500
    assert FASTEST.call == (600, 1500)


def test_delays_are_mostly_short_and_now_and_then_long() -> None:
    delays = [
        Agenda(Random(seed)).next([CandidateAction(OPEN, (1000, 2000))], lambda _: True, 0) for seed in range(400)
    ]
    drawn = sorted(intent.delay_ms for intent in delays if intent is not None)
    assert drawn[0] >= 1000
    assert drawn[-1] <= 2000
    assert drawn[200] - drawn[20] < drawn[380] - drawn[200], "the tail is on the right"


@pytest.mark.parametrize("level", mostly_long(RobotLevel, RobotLevel.STRONG))
@pytest.mark.parametrize("seeds", seeds(2, 5))
def test_every_level_counters_sometimes_and_is_seldom_wrong(level: RobotLevel, seeds: range) -> None:
    """Against a team that keeps its sign, which beginners do not notice: they may counter in no round of a few."""
    matches = [play_robots(CLASSIC, [keeping(LEVELS[level])] * 4, seed, make=make_robot) for seed in seeds]
    rounds = [played for match in matches for played in match.rounds]
    true = sum(played.outcome is Outcome.COUNTER for played in rounds)
    false = sum(played.false_counters for played in rounds)
    assert (0 if level is RobotLevel.BEGINNER else 0.04) <= true / len(rounds) < 0.6
    assert true >= 4 * false


@pytest.mark.parametrize(("level", "preset", "matches"), [
    (RobotLevel.BEGINNER, "bell", 9),  # 72 rounds: beginners are right in one of 24, so that few rounds have none
    *(pytest.param(*each, 8, marks=pytest.mark.long) for each in product(RobotLevel, ["bell", "american"])),
])  # fmt: skip
def test_few_rounds_end_by_a_false_counter(level: RobotLevel, preset: str, matches: int) -> None:
    played = [play_robots(PRESETS[preset], [LEVELS[level]] * 4, seed) for seed in range(matches)]
    outcomes = [one.outcome for match in played for one in match.rounds]
    assert outcomes.count(Outcome.FALSE_COUNTER) < 0.12 * len(outcomes)
    assert outcomes.count(Outcome.COUNTER) > 0


def test_a_level_gets_faster_only_down_to_its_bound_and_never_slower() -> None:
    for level in LEVELS.values():
        shortest = max(FASTEST.swap[0], int(level.least_wait * level.timing.swap[0]))
        assert level.timing.at_pace(exchange=0, call=0, least=level.least_wait).swap[0] >= shortest
        usual = asdict(level.timing)
        hurry_longest_table = asdict(level.timing.at_pace(exchange=0, call=0, least=level.least_wait))
        for kind, wait in hurry_longest_table.items():
            bounds = zip(asdict(FASTEST)[kind], wait, usual[kind], strict=True)
            assert all(least <= now <= long for least, now, long in bounds)
        assert level.timing.at_pace(exchange=20_000, call=20_000, least=level.least_wait) == level.timing


def test_a_newcomer_exchanges_twice_as_often_as_a_beginner() -> None:
    timing = LEVELS[RobotLevel.BEGINNER].timing
    assert timing.put[0] + timing.take[0] >= 2 * 2 * A_TAP_MS
    assert timing.call[0] > A_TAP_MS
    assert timing.counter[0] > A_TAP_MS


def test_each_level_makes_fewer_mistakes_than_the_one_before() -> None:
    for lower, higher in pairwise(LEVELS[level].skill for level in RobotLevel):
        assert lower.overlooks > higher.overlooks
        assert lower.misses > higher.misses


HANDS = "7S 7H 8S 9S / 8H 9H JD QD / 8D TD JC QC / TH 9D KH KD"


def test_advice_says_why() -> None:
    view = player_view(scene(CLASSIC, HANDS, "7D JS QS KS"), 0, NOW)
    action, reason = robot().advise(view, NOW)
    assert isinstance(action, a.PutDown)
    assert (reason.why, reason.group) == (Motive.COLLECTS, parse_card("7S").group)
    kems = scene(CLASSIC, HANDS.replace("8S 9S", "7C 7D"), "AD JS QS KS")
    assert robot().advise(player_view(kems, 0, NOW), NOW)[1].why is Motive.HAS_KEMS
    called, why = robot().advise(player_view(gesture(kems, 0, "👀"), 2, NOW), NOW)
    assert called == a.CallKems(2)
    assert (why.why, why.seat) == (Motive.ANSWERS_SIGN, 0)
    nothing = player_view(scene(CLASSIC, HANDS, "AD JS QS KS"), 0, NOW)
    asked, because = robot().advise(nothing, NOW)
    assert (asked, because.why) == (a.AskSweep(0), Motive.NOTHING_FITS)


def test_advice_and_moves_come_from_the_same_reasoning() -> None:
    state = scene(CLASSIC, HANDS, "7D JS QS KS")
    intent = thought(state, 0)
    assert (intent.action, intent.reason) == robot().advise(player_view(state, 0, NOW), NOW)


def test_advice_to_refuse_a_sweep_names_the_card_that_still_fits() -> None:
    vote = SweepVote(asker=1, agreed=(1,), ends_at=NOW + 15_000)
    state = scene(CLASSIC, HANDS, "7D JS QS KS", phase=Phase.SWEEP, vote=vote)
    action, reason = robot().advise(player_view(state, 0, NOW), NOW)
    assert action == a.AnswerSweep(0, agrees=False)
    assert (reason.why, reason.group) == (Motive.STILL_FITS, parse_card("7S").group)


def _after_a_take(taken: str, seat: int, mind: Robot, viewer: int) -> None:
    """Lets `mind` see how `seat` puts a card down and takes another one."""
    hands = [hand.split() for hand in ("7S 9S JH QH", "TS TD KC 9C", "8S 8H AH TC", "KS KH QC 9H")]
    pool = [taken, "JS", "QS", "AS"]

    def show(*exchanges: SeenExchange, at: int = NOW - 4000) -> None:
        text = " / ".join(" ".join(hand) for hand in hands)
        mind.think(player_view(scene(CLASSIC, text, " ".join(pool), exchanges=exchanges), viewer, at), at)

    show()
    put = hands[seat][-1]
    pool.append(put)
    hands[seat][-1] = "_"
    show()
    hands[seat][-1] = taken
    pool.remove(taken)
    exchange = SeenExchange(seat, cards(put), cards(taken))
    show(exchange)
    show(exchange, at=NOW - 2000)


def test_a_watchful_robot_denies_an_opponent_the_cards_that_they_collect() -> None:
    mind = robot(ALERT)
    _after_a_take("8D", 1, mind, 0)
    state = scene(CLASSIC, "7S 9S JH QH / TS TD KC 8D / 8S 8H AH TC / KS KH QC 9H", "8C JS QS 9C")
    action, reason = mind.advise(player_view(state, 0, NOW), NOW)
    assert isinstance(action, a.PutDown)
    plain = robot()
    _after_a_take("8D", 1, plain, 0)
    assert (reason.why, reason.seat) == (Motive.BLOCKS, 1) or action.card != parse_card("8C")
    assert plain.advise(player_view(state, 0, NOW), NOW)[1].why is not Motive.BLOCKS


def test_a_watchful_robot_leaves_its_partner_the_cards_that_they_collect() -> None:
    hands = "8S 9S JH JC / TS TD KC AC / 8D 8H AH TC / KS KH QC 9H"
    alone = scene(CLASSIC, hands, "8C JS QS 9C")
    mind, plain = robot(ALERT), robot()
    for one in (mind, plain):
        _after_a_take("8D", 2, one, 0)
    first = [move.card for move in intentions(alone, 0, mind) if isinstance(move, a.PutDown)]
    assert first[0] == parse_card("8S"), "its partner takes eights"


def test_counters_depend_on_the_points_that_the_rules_give() -> None:
    assert break_even(ESCALE) < break_even(EXPERT) < 0.5
    assert all(0.05 < break_even(rules) < 0.6 for rules in PRESETS.values())


KEMS_1 = "7S 7H 8C 8D / 9S 9H 9C 9D / KD KC JC QC / AS AC KH TD"
POOL_1 = "7D 8S JH JS"


def _ended(rules_of: State, text: str, number: int) -> State:
    """Seat 1 held a Kem's, made `text`, and its partner called."""
    made = Gesture(NOW, 1, GestureKind.REACT, text, None)
    result = RoundEnded(NOW, Outcome.KEMS, (0, 1), caller=3)
    return replace(rules_of, phase=Phase.OVER, round=number, gestures=(made,), result=result)


def _inferring(state: State) -> Robot:
    """A robot in seat 0 that has seen three rounds end after the same gesture."""
    mind = robot(ALERT)
    for number in (1, 2, 3):
        mind.think(player_view(_ended(state, "🍀", number), 0, NOW), NOW)
    return mind


def test_a_sign_that_a_team_has_changed_is_not_countered_any_more() -> None:
    mind, state = robot(ALERT), scene(CLASSIC, KEMS_1, POOL_1)
    for number, text in enumerate("🍀🍀🎈", start=1):
        mind.think(player_view(_ended(state, text, number), 0, NOW), NOW)
    assert a.CounterPlayer(0, 1) not in intentions(gesture(replace(state, round=4), 1, "🍀"), 0, mind)


def test_a_robot_infers_a_sign_from_opened_hands_and_guesses_it_when_that_pays() -> None:
    for rules, guesses in ((YOKAI, True), (CLASSIC, False)):
        state = scene(rules, KEMS_1, POOL_1)
        assert not any(isinstance(move, a.GuessSign) for move in intentions(state, 0, robot(ALERT)))
        moves = intentions(replace(state, round=4), 0, _inferring(state))
        found = [move for move in moves if isinstance(move, a.GuessSign)]
        assert bool(found) is guesses
        assert all(move == a.GuessSign(0, 1, (emoji_sign("🍀"),)) for move in found)
    assert not any(isinstance(move, a.GuessSign) for move in intentions(replace(state, round=4), 0, robot()))


def test_a_robot_counters_the_sign_that_it_has_inferred() -> None:
    state = scene(YOKAI, KEMS_1, POOL_1)
    for made, is_countered in (("🍀", True), ("🎈", False)):
        moves = intentions(gesture(replace(state, round=4), 1, made), 0, _inferring(state))
        assert (a.CounterPlayer(0, 1) in moves) is is_countered


def test_a_subtle_team_signals_as_the_vote_allows_and_signs_three_alike() -> None:
    plan = SignPlan(PlanKind.SINGLE, (emoji_sign("👀"),), presign=True)
    state = scene(CLASSIC, "7S 7H 7C 9S / 8H 9H JD QD / 8D TD JC QC / TH 9D KH KD", "AD JS QS KS")
    state = replace(with_team(state, plan=plan), strategies=frozenset(Strategy))
    action, reason = robot(ALERT).advise(player_view(state, 0, NOW), NOW)
    assert action == a.MakeGesture(0, GestureKind.REACT, "👀")
    assert reason.why is Motive.PRESIGNS
    assert not any(move == action for move in intentions(state, 0, robot(), steps=1))
    unsettled = replace(with_team(state, plan=None), phase=Phase.SIGNS, round=0)
    proposed, _ = robot(ALERT).advise(player_view(unsettled, 0, NOW), NOW)
    assert proposed.plan.kind is PlanKind.TOTAL
    plain, _ = robot().advise(player_view(unsettled, 0, NOW), NOW)
    assert plain.plan == one_sign(plain.plan.signs[0])


def test_a_robot_accuses_a_team_that_called_without_a_sign() -> None:
    mind = robot(ALERT)
    state = replace(scene(CLASSIC, KEMS_1, POOL_1), strategies=frozenset({Strategy.PRESIGN}))
    silent = replace(_ended(state, "🍀", 1), gestures=())
    mind.think(player_view(silent, 0, NOW), NOW)
    moves = intentions(replace(state, round=2), 0, mind)
    accusation = a.AccuseTeam(0, 1, Strategy.PRESIGN)
    assert accusation in moves
    wrong = SignReport(NOW, 2, 1, (), Strategy.PRESIGN, is_right=False)
    assert accusation not in intentions(replace(state, round=2, reports=(wrong,)), 0, mind), "its partner has said it"


def test_a_master_weighs_goals_and_decides_alike_for_the_same_seed() -> None:
    state = scene(CLASSIC, "7S 8H 9S JS / 8S 9H TD QD / 8D TS JC QC / TH 9D KH KD", "7D 9C JH AS")
    master = LEVELS[RobotLevel.MASTER].skill
    first, second = (thought(state, 0, robot(master, seed=3)) for _ in range(2))
    assert first == second
    assert isinstance(first.action, a.PutDown)
