"""How far a learner has come, and what the coach says last."""

from random import Random

from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.cards import parse_card
from bot.game.signs import GestureKind
from bot.lessons.lesson import LESSONS, MOST_TRIES, SCENES, Course, Lesson, PreparedDeck, Role, hand_of, holds_kems
from bot.lessons.stage_robot import STAGE, _is_in_role
from tests.rules.table import Table

DONE = Course(tries=(MOST_TRIES,) * len(SCENES))


def test_the_coach_says_goodbye_under_the_last_taught_round_and_then_is_silent() -> None:
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


def roles(table: Table, action: a.Action) -> set[Role]:
    """The roles in which the robot on seat 0 may do that."""
    return {role for role in Role if _is_in_role(role, seat_view(table.state, 0), action)}


def test_robots_keep_to_their_roles() -> None:
    react = a.MakeGesture(0, GestureKind.REACT, "👀")
    table = Table(hands={"A": "KS KH KD KC", "B": "7S 8S 9S TS"}, pool="7H 8H 9D TD")
    assert roles(table, a.OpenHunt(0)) == roles(table, a.KeepSign(0)) == set(Role)
    assert (
        roles(table, a.PutDown(0, parse_card("KS"))) == roles(table, a.AnswerSweep(0, agrees=True)) == {Role.COLLECTS}
    )
    assert roles(table, a.AskSweep(0)) == roles(table, a.CounterPlayer(0, 1)) == set()
    assert roles(table, a.CallKems(0)) == roles(table, a.CallDouble(0)) == {Role.CALLS}
    assert roles(table, react) == {Role.COLLECTS, Role.BLUFFS}
    table.do("B counter C")
    assert roles(table, a.CallKems(0)) == {Role.CALLS, Role.LURKS}, "nobody can save that round any more"
    table.do(react)
    assert roles(table, react) == {Role.COLLECTS}, "one bluff is enough"
    assert roles(Table(hands={"A": "7S 8S 9S TS"}), react) == {Role.BLUFFS}


def test_the_coach_warns_of_a_third_alike_only_when_it_could_be_put_down() -> None:
    applies = LESSONS[Lesson.THREE_ALIKE].applies
    hand = {"A": "7S 8S 9S TS"}
    pools = ("7H 7D QH AD", "7H JD QH AD")
    assert [applies(seat_view(Table(hands=hand, pool=pool).state, 0)) for pool in pools] == [True, False]


def test_only_a_shuffle_of_the_whole_deck_is_prepared() -> None:
    order = tuple(map(parse_card, ("KS", "7H", "8D")))
    deck = PreparedDeck(order, Random(3))
    whole, part = sorted(order), list(range(20))
    deck.shuffle(whole)
    deck.shuffle(part)
    assert tuple(whole) == order
    assert (part != sorted(part), sorted(part)) == (True, list(range(20)))


def test_nobody_may_be_countered_before_an_opponent_has_made_a_gesture() -> None:
    assert not Course().may_counter


def test_each_lesson_applies_in_its_own_situation() -> None:
    starting, table = Table.starting(), Table(hands={"C": "KS KH KD KC"})
    before, running = seat_view(starting.state, 0), seat_view(table.state, 0)
    agree, read, kems = (LESSONS[lesson].applies for lesson in (Lesson.AGREE, Lesson.READ, Lesson.KEMS))
    assert (before.plan, agree(before), agree(running), read(running)) == (None, True, False, False)
    table.do("C react 👀")
    assert kems(seat_view(table.state, 0))
    table.do("B put " + str(table.state.seats[1].hand[0]), "B take " + str(table.state.pool[0]))
    assert read(seat_view(table.state, 0))
    table.do("A kems")
    assert not kems(seat_view(table.state, 0))
