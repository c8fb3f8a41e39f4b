"""How far a learner has come, and what the coach says last."""

from bot.game.build_view import seat_view
from bot.lessons.lesson import MOST_TRIES, SCENES, Course, Lesson, hand_of, holds_kems
from bot.lessons.stage_robot import STAGE
from tests.rules.table import Table

DONE = Course(tries=(MOST_TRIES,) * len(SCENES))


def test_the_coach_takes_leave_under_the_result_of_the_last_round_that_it_taught_and_then_is_silent() -> None:
    table = Table(hands={"A": "KS KH KD KC"})
    running = seat_view(table.state, 0)
    assert (holds_kems(running), len(hand_of(running))) == (True, 4)
    table.do("C kems")
    ended = seat_view(table.state, 0)
    last, earlier = (Course(tries=DONE.tries, taught_round=number) for number in (1, 0))
    assert (last.lesson(running), last.lesson(ended)) == (None, Lesson.END)
    assert earlier.lesson(ended) is None


def test_a_course_is_over_once_each_scene_was_learnt_or_tried_twice() -> None:
    assert DONE.is_over
    learnt = Course(learnt=frozenset(scene.goal for scene in SCENES))
    assert learnt.is_over
    once = Course(tries=(1,) * len(SCENES))
    assert (once.is_over, once.coming) == (False, SCENES[0])
    assert Course(tries=(2, 1, 0)).coming == SCENES[1]
    assert not Course(tries=DONE.tries, scene=SCENES[0]).is_over, "it is still played"


def test_robots_of_a_first_match_make_no_mistake_and_risk_nothing() -> None:
    skill = STAGE.skill
    assert (skill.overlooks, skill.misses, skill.misreads, skill.daring) == (0, 0, 0, 0)
