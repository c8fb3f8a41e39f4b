"""A sign that has won twice is known: robots counter it, each level as often as its skill says, a beginner never."""

from dataclasses import replace
from functools import partial
from random import Random
from statistics import fmean

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view, table_view
from bot.game.events import Outcome, Phase, RoundEnded
from bot.game.rules.house_rules import override
from bot.game.rules.presets import BELL, CLASSIC, YOKAI
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, emoji_sign, spoken_sign
from bot.game.state import Gesture, State
from bot.game.views import SeatView, TableView
from bot.robots import LEVELS, Intent, Level, Robot, RobotLevel, Skill, Timing
from bot.robots.beliefs import GestureBeliefs, Memory
from bot.robots.kept_signs import KEPT_WINS, countered_sign, winning_gestures
from bot.simulation.match import play_robots
from tests.robots.scenes import NOW, gesture, scene

HANDS = "7S 7H 7C 7D / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D"
NOTHING = "7S 7H 7C AD / 8S 9H JD QD / 8D TD JC QC / TS KC KH 9D"
POOL = "AS AH TH KD"
ROUND_MS = 100_000
SEEDS = 60


def in_round(number: int, text: str | None, rules: Rules = CLASSIC, hands: str = HANDS) -> tuple[State, int]:
    """The first seat has made this gesture in a round, and the instant."""
    at = NOW + number * ROUND_MS
    state = scene(
        rules, hands, POOL, round=number, dealt_at=at - 70_000, phase_at=at - 60_000, last_exchange=at - 10_000
    )
    return (state if text is None else gesture(state, 0, text, at=at)), at


def ended(state: State, at: int, outcome: Outcome = Outcome.KEMS, caller: int = 2) -> State:
    """The round, ended a second later by a call."""
    points = (1, 0) if caller % 2 == 0 else (0, 1)
    target, team = (0, 0) if outcome is Outcome.COUNTER else (None, None)
    result = RoundEnded(at + 1000, outcome, points, caller=caller, target=target, team=team)
    return replace(state, phase=Phase.OVER, phase_at=at + 1000, result=result)


def won(mind: Robot, number: int, text: str, seat: int = 1, rules: Rules = CLASSIC) -> None:
    """The robot in `seat` sees a round that the first team wins by this gesture."""
    state, at = in_round(number, text, rules)
    mind.think(player_view(state, seat, at), at)
    over = ended(state, at)
    mind.think(player_view(over, seat, at + 1000), at + 1000)


def counters(mind: Robot, number: int, text: str, seat: int = 1, rules: Rules = CLASSIC) -> bool:
    """Whether the robot means to counter this gesture, all that it does before left aside."""
    state, at = in_round(number, None, rules)
    mind.think(player_view(state, seat, at - 20_000), at - 20_000)
    made = gesture(state, 0, text, at=at)
    intent = None
    for step in range(6):
        now = at + step * 4000
        intent = mind.think(player_view(made, seat, now), now)
        if intent is not None and isinstance(intent.action, a.CounterPlayer | a.CounterTeam):
            return True
    return False


def share(level: RobotLevel, wins: int, then: str = "👀", skill: Skill | None = None) -> float:
    """How many of `SEEDS` robots counter a gesture that has won so many rounds."""
    found = []
    for seed in range(SEEDS):
        mind = Robot(Random(seed), replace(LEVELS[level], skill=skill or LEVELS[level].skill))
        for number in range(1, wins + 1):
            won(mind, number, "👀")
        found.append(counters(mind, wins + 1, then))
    return fmean(found)


def test_each_level_spots_a_sign_that_won_twice_as_often_as_its_skill_says() -> None:
    shares = {level: share(level, 2) for level in RobotLevel}
    assert shares[RobotLevel.BEGINNER] == 0
    for level, found in shares.items():
        assert found == pytest.approx(LEVELS[level].skill.spots, abs=0.12), level
    assert list(shares.values()) == sorted(shares.values())
    assert shares[RobotLevel.REGULAR] < shares[RobotLevel.STRONG] < shares[RobotLevel.MASTER]


@pytest.mark.parametrize("level", [RobotLevel.REGULAR, RobotLevel.STRONG])
def test_one_win_with_a_sign_is_no_habit(level: RobotLevel) -> None:
    deaf = replace(LEVELS[level].skill, daring=0)
    assert share(level, 1, skill=deaf) == 0
    assert share(level, 2, skill=deaf) > 0
    assert share(level, 2, "🎈", skill=deaf) == 0, "another gesture has never won"


def watchful(seed: int = 1) -> Robot:
    """It counters nothing but a sign that is kept, and that always."""
    return Robot(Random(seed), Level(skill=Skill(overlooks=0, daring=0, spots=1)))


def test_a_sign_that_failed_is_a_bluff_until_it_has_won_twice_again() -> None:
    mind = watchful()
    for number in (1, 2):
        won(mind, number, "👀")
    state, at = in_round(3, "👀", hands=NOTHING)
    mind.think(player_view(state, 1, at), at)
    mind.think(player_view(ended(state, at, Outcome.FALSE_KEMS), 1, at + 1000), at + 1000)
    assert not counters(mind, 4, "👀")
    for number in (5, 6):
        won(mind, number, "👀")
    assert counters(mind, 7, "👀")


def test_a_team_is_not_recognised_by_a_sign_that_it_has_changed() -> None:
    mind = watchful()
    for number in (1, 2):
        won(mind, number, "👀")
    won(mind, 3, "🎈")
    assert not counters(mind, 4, "👀")


def test_a_robot_never_counters_its_partner_for_a_kept_sign() -> None:
    mind = watchful()
    for number in (1, 2):
        won(mind, number, "👀", seat=2)
    assert not counters(mind, 3, "👀", seat=2)


def test_a_robot_counters_the_team_when_counters_name_teams() -> None:
    rules = override(BELL, {"sign_cards": "no"})
    mind = watchful()
    for number in (1, 2):
        won(mind, number, "👀", rules=rules)
    assert counters(mind, 3, "👀", rules=rules)


def test_a_watchful_robot_counters_sooner() -> None:
    mind = watchful()
    for number in (1, 2):
        won(mind, number, "👀")
    state, at = in_round(3, "👀")
    intent = mind.think(player_view(state, 1, at), at)
    assert intent is not None
    assert isinstance(intent.action, a.CounterPlayer)
    low, high = Timing().spot
    assert low <= intent.delay_ms <= high


def test_the_result_names_the_sign_that_the_rounds_before_have_shown() -> None:
    """What everybody saw is enough for it: the hands that were laid open, and what their holders did last."""
    former = [table_view(ended(*in_round(number, "👀"))) for number in (1, 2)]
    assert winning_gestures(former[0]) == {(0, emoji_sign("👀"))}
    third, at = in_round(3, "👀")
    countered = table_view(ended(third, at, Outcome.COUNTER, caller=1))
    assert countered_sign(countered, former) == emoji_sign("👀")
    assert countered_sign(countered, former[:1]) is None
    other, at = in_round(3, "🎈")
    assert countered_sign(table_view(ended(other, at, Outcome.COUNTER, caller=1)), former) is None
    assert countered_sign(table_view(ended(third, at)), former) is None, "a Kem's is no counter"
    late = gesture(third, 0, "🎈", at=at + 500)
    assert countered_sign(table_view(ended(late, at, Outcome.COUNTER, caller=1)), former) is None, "it did that last"


def test_robots_treat_words_that_sound_alike_as_one_sign() -> None:
    beliefs, memory = GestureBeliefs(), Memory(Random(1), (0, 0), 5)
    rules = override(YOKAI, {"signs_told": "round"})
    for number, (text, is_sign) in enumerate([("Quel temps !", True), ("quel  temps", True), ("QUEL TEMPS", False)], 1):
        state, at = in_round(number, None, rules)
        said = Gesture(at, 1, GestureKind.SAY, text, spoken_sign("quel temps") if is_sign else None)
        view = player_view(ended(replace(state, gestures=(said,)), at), 0, at + 1000)
        memory.observe(view, at + 1000)
        beliefs.observe(view, memory)
    likely, odds = beliefs.likeliest(1) or (None, 0.0)
    assert likely == spoken_sign("quel temps")
    assert odds < 0.9, "it was made in vain, too"


PERSON = Level(Timing(put=(1400, 2600), take=(600, 1200)), Skill(overlooks=0, misses=0, misreads=0, daring=0, spots=0))
"""Somebody who is quick with cards, keeps a sign for ever, counters nothing, and calls as fast as `regular`."""
A_FEW = [(RobotLevel.BEGINNER, 2), (RobotLevel.STRONG, 3)]
MANY = [pytest.param(level, 16, marks=pytest.mark.long) for level in (RobotLevel.REGULAR, RobotLevel.STRONG)]


class Watcher(Robot):
    """Notes in `ends` of each round in which the first team had a Kem's, and a sign that it kept: was it countered?"""

    def __init__(self, ends: list[bool], rng: Random, level: Level) -> None:
        super().__init__(rng, level)
        self.ends = ends
        self.former: list[TableView] = []

    def think(self, view: SeatView, now: int) -> Intent | None:
        table, result = view.table, view.table.result
        if view.seat == 0 and result is not None and len(self.former) < table.round:
            called = replace(table, result=replace(result, outcome=Outcome.KEMS, caller=0))
            won = [made for each in self.former for made in winning_gestures(each)]
            if any(won.count(made) >= KEPT_WINS for made in winning_gestures(called)):
                self.ends.append(countered_sign(table, self.former) is not None)
            self.former.append(table)
        return super().think(view, now)


@pytest.mark.parametrize(("level", "matches"), [*A_FEW, *MANY])
def test_a_kept_sign_is_countered_as_often_as_the_level_says(level: RobotLevel, matches: int) -> None:
    """In a race with a partner who calls as fast as `regular`."""
    ends: list[bool] = []
    rules = override(CLASSIC, {"target": "15"})
    for seed in range(matches):
        play_robots(rules, [PERSON, LEVELS[level]] * 2, seed, make=partial(Watcher, ends))
    assert len(ends) >= 1.5 * matches
    countered = fmean(ends)
    if level is RobotLevel.BEGINNER:
        assert countered == 0
    elif level is RobotLevel.REGULAR:
        assert 0.35 <= countered <= 0.65
    else:
        assert countered > 0.6
