"""Matches in virtual time, and what they tell."""

import pytest

from bot.game.events import Outcome
from bot.game.rules.house_rules import RulesError, override
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.signs import SignPlan
from bot.game.views import PlayerView
from bot.robots import LEVELS, REGULAR, Intent, Robot, RobotLevel
from bot.simulation.command import Share, as_data, figures
from bot.simulation.match import MatchPlan, PlayedMatch, PlayedRound, match_plans, play_all, play_random, play_robots

SHORT = override(CLASSIC, {"target": "2", "false_counter_own": "0"})
BEGINNER, STRONG = LEVELS[RobotLevel.BEGINNER], LEVELS[RobotLevel.STRONG]


def test_the_same_seed_plays_the_same_match_and_another_seed_another() -> None:
    first, again, other = (play_robots(SHORT, [REGULAR] * 4, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first.winner is not None
    assert max(first.scores) >= 2
    assert [sum(points) for points in zip(*(played.points for played in first.rounds), strict=True)] == [*first.scores]


def test_partners_agree_on_a_sign_that_one_of_them_proposes() -> None:
    plans: set[SignPlan | None] = set()

    class Watched(Robot):
        def think(self, view: PlayerView, now: int) -> Intent | None:
            plans.add(view.plan)
            return super().think(view, now)

    play_robots(override(CLASSIC, {"target": "6"}), [STRONG] * 4, 1, make=Watched)
    assert len(plans) > 4, "each team has changed its sign"


def test_sides_with_different_robots_play_each_deal_from_all_seats() -> None:
    plan = list(match_plans(SHORT, [STRONG, REGULAR], matches=4, seed=9))
    assert [(item.seed, item.rotation) for item in plan] == [(9, 0), (9, 1), (10, 0), (10, 1)]
    alike = list(match_plans(SHORT, [REGULAR], matches=3, seed=9))
    assert [(item.seed, item.rotation) for item in alike] == [(9, 0), (10, 0), (11, 0)]


def test_a_table_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(RulesError):
        list(match_plans(SHORT, [REGULAR], matches=1, players=7))
    with pytest.raises(ValueError, match="one for each of the 2 teams"):
        list(match_plans(SHORT, [REGULAR] * 3, matches=1))


@pytest.mark.slow
def test_several_processes_play_what_one_plays() -> None:
    plan = list(match_plans(SHORT, [], matches=12))
    assert list(play_all(plan, 2)) == list(play_all(plan, 1))


@pytest.mark.parametrize("preset", PRESETS)
def test_random_play_repeats_and_ends(preset: str) -> None:
    played, again = (play_random(PRESETS[preset], 4, 3) for _ in range(2))
    assert played == again
    assert played.winner is not None or len(played.rounds) in (PRESETS[preset].end.rounds, 100)
    assert played.moves > len(played.rounds) > 0


def _match(winner: int | None, *rounds: PlayedRound) -> PlayedMatch:
    scores = tuple(sum(points) for points in zip(*(item.points for item in rounds), strict=True))
    return PlayedMatch(winner, scores, 3, rounds, moves=10, milliseconds=60_000)


KEMS = PlayedRound(Outcome.KEMS, (1, 0), 30_000, dealer=0, sweeps=2)
WRONG = PlayedRound(Outcome.FALSE_KEMS, (0, 1), 10_000, dealer=1, false_counters=1)


def test_figures_are_counted_by_side_and_by_dealer() -> None:
    found = figures([(_match(0, KEMS, KEMS), 0), (_match(0, KEMS, WRONG, KEMS), 1), (_match(None, KEMS, WRONG), 0)])
    assert [share.count for share in found.wins] == [1, 1], "in the second match the sides sat the other way round"
    assert found.draws.count == 1
    assert (found.dealer_wins.count, found.dealer_wins.total) == (0, 2)
    assert found.outcomes[Outcome.KEMS].count == 5
    assert found.means["points_of_dealer"].mean == pytest.approx(1.0)
    assert found.means["false_calls_a_round"].mean == pytest.approx(2 * 2 / 7)
    assert found.means["sweeps_a_round"].mean == pytest.approx(10 / 7)
    assert found.lengths.median == 30
    assert found.means["minutes_a_match"].mean == 1
    data = as_data(found, ["a", "b"])
    assert data["outcomes"]["kems"]["count"] == 5
    with pytest.raises(ValueError, match="No round"):
        figures([(PlayedMatch(None, (0, 0), 0, (), 0, 0), 0)])


def test_an_interval_contains_the_share() -> None:
    low, high = Share(60, 100).interval
    assert (low, high) == (pytest.approx(0.502, abs=0.001), pytest.approx(0.691, abs=0.001))
    assert Share(0, 0).interval == (0.0, 1.0)


def test_each_setting_is_also_played_with_sides_exchanged() -> None:
    straight = MatchPlan(SHORT, 4, (STRONG, BEGINNER), 5, 0, 3).play()
    rotation = MatchPlan(SHORT, 4, (STRONG, BEGINNER), 5, 1, 3).play()
    assert (straight[0].winner, straight[1]) == (0, 0)
    assert (rotation[0].winner, rotation[1]) == (1, 1)
