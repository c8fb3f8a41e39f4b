"""A moment of a match goes on where it was, and is the same again wherever it is played."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from bot.daily.attempt import MomentKey
from bot.daily.moment import BEFORE_MS, OFFERED_SIGNS, known_sign, prepare_moment
from bot.daily.practice_round import SILENCE_MS, PracticeRound, read_moves, write_moves
from bot.game import actions as a
from bot.game import events as e
from bot.game.checks.refusals import Code, Refusal
from bot.game.evolve import evolve
from bot.game.replay_steps import replay_round
from bot.game.signs import emoji_sign, one_sign
from bot.game.views import PlayerView
from bot.records.review import Lapse, review
from bot.robots import Robot
from tests.records.test_review import CHLOE, planted
from tests.rules.table import Table

NOW = 1_800_000_000_000
MATCH = replace(planted(), table_id=7)
MOMENTS = review(MATCH, CHLOE)


def started(lapse: Lapse = Lapse.SIGN) -> PracticeRound:
    moment = next(one for one in MOMENTS if one.lapse is lapse)
    return PracticeRound(prepare_moment(MATCH, MomentKey(7, moment.round, moment.step, CHLOE), NOW), NOW)


@pytest.mark.parametrize("lapse", [one.lapse for one in MOMENTS])
def test_a_moment_begins_with_the_hands_of_that_time(lapse: Lapse) -> None:
    moment = next(one for one in MOMENTS if one.lapse is lapse)
    run = started(lapse)
    steps = replay_round(MATCH.events, moment.round).steps
    before = [step for step in steps if step.at <= moment.at - BEFORE_MS]
    opened = next(step for step in steps if isinstance(step.event, e.HuntOpened))
    then = before[-1] if before and before[-1].at >= opened.at else opened
    assert tuple(seat.hand for seat in run.match.state.seats) == then.hands
    assert run.view.table.round == moment.round
    assert run.match.now == NOW
    assert all(event.at <= NOW for event in run.match.events)


def test_the_ten_seconds_before_a_moment_are_shown() -> None:
    table = Table("classic", excess="keep")
    for second in range(1, 8):
        table.wait(5)
        table.do(f"A react {'👀🍀'[second % 2]}")
    table.do("C kems")
    match = replace(MATCH, events=(*table.opening, *table.log, e.MatchEnded(table.log[-1].at, 1)))
    replay = replay_round(match.events, 1)
    run = PracticeRound(prepare_moment(match, MomentKey(7, 1, len(replay.steps) - 1, CHLOE), NOW), NOW)
    made = [gesture.at for gesture in run.view.table.gestures]
    ended = replay.steps[-1].event.at
    assert [run.view.table.dealt_at + at - NOW for at in made] == [
        step.event.at - (ended - BEFORE_MS)
        for step in replay.steps
        if isinstance(step.event, e.GestureMade) and step.event.at <= ended - BEFORE_MS
    ]


def test_the_same_moves_give_the_same_round_again() -> None:
    first = started()
    card = first.view.hand[0]
    assert card is not None
    assert first.play(a.PutDown(CHLOE, card), NOW + 1500) is None
    first.advance(NOW + 4000)
    again = PracticeRound(first.start, NOW, read_moves(write_moves(first.moves)))
    again.advance(NOW + 4000)
    assert again.match.events == first.match.events
    first.advance(NOW + SILENCE_MS)
    again.advance(NOW + SILENCE_MS)
    assert again.match.events == first.match.events
    assert (again.result, again.is_over) == (first.result, first.is_over)


def test_a_moment_that_is_prepared_twice_is_the_same() -> None:
    """In another process, or for another person who tries it."""
    first, second = started(), started()
    for run in (first, second):
        run.advance(NOW + SILENCE_MS)
    assert first.start is not second.start
    assert first.match.events == second.match.events


def test_a_moment_during_a_pause_begins_before_the_pause() -> None:
    """At the last instant at which the hunt was open."""
    table = Table("classic")
    table.wait(4)
    table.do("A react 👀")
    table.wait(1)
    for seconds, what in ((60, e.MatchPaused), (2, e.MatchResumed)):
        table.log.append(what(table.now))
        table.state = evolve(table.state, table.log[-1])
        table.now += seconds * 1000
    table.do("C kems")
    match = replace(MATCH, events=(*table.opening, *table.log, e.MatchEnded(table.log[-1].at, 1)))
    step = len(replay_round(match.events, 1).steps) - 1
    run = PracticeRound(prepare_moment(match, MomentKey(7, 1, step, CHLOE), NOW), NOW)
    assert run.view.table.pause is None
    view = run.view.table
    assert [NOW - view.dealt_at - gesture.at for gesture in view.gestures] == [999]


def test_a_moment_ends_with_the_round_and_shows_both_leads() -> None:
    run = started()
    assert run.start.reference == -1
    assert run.play(a.CallKems(CHLOE), NOW + 500) is None
    assert run.is_over
    assert run.result == -1
    assert run.play(a.CallKems(CHLOE), NOW + 600) == Refusal(Code.ROUND_OVER)
    assert run.next_at is None


def test_a_known_sign_is_revealed_and_the_partner_makes_the_chosen_one() -> None:
    moment = next(one for one in MOMENTS if one.lapse is Lapse.BURNT)
    key = MomentKey(7, moment.round, moment.step, CHLOE)
    known = known_sign(MATCH, key)
    assert known is not None
    assert (known.sign, known.since, len(known.others)) == ("👀", moment.since, OFFERED_SIGNS)
    assert known.sign not in known.others
    sign = known.others[0]
    run = PracticeRound(prepare_moment(MATCH, key, NOW, sign), NOW)
    before = PracticeRound(prepare_moment(MATCH, key, NOW), NOW)
    assert run.view.plan == one_sign(emoji_sign(sign))
    assert (run.view.hand, run.view.table.pool) == (before.view.hand, before.view.table.pool)
    assert run.start.reference == before.start.reference < 0
    while run.next_at is not None and all(one.text != sign for one in run.view.table.gestures):
        run.advance(run.next_at)
    assert not run.is_over, "the partner makes it in time"
    assert run.play(a.CallKems(CHLOE), run.match.now + 1) is None
    assert run.result == 1
    with pytest.raises(ValueError, match="no team is offered"):
        prepare_moment(MATCH, key, NOW, "a word")


@pytest.mark.parametrize(("sign", "is_offered"), [("👄", True), ("👀", False)])
def test_the_chosen_sign_is_one_of_the_teams_card(sign: str, *, is_offered: bool) -> None:
    table = Table("bell", sign_cards="mouth eyes", plans={"#1": "👅", "#2": "👀"})
    table.wait(4)
    table.do("A react 🎩")
    table.do("C kems")
    match = replace(MATCH, events=(*table.opening, *table.log, e.MatchEnded(table.log[-1].at, 1)))
    with nullcontext() if is_offered else pytest.raises(ValueError, match="no team is offered"):
        prepare_moment(match, MomentKey(7, 1, 2, CHLOE), NOW, sign)


@pytest.mark.parametrize("lapse", [one.lapse for one in MOMENTS if one.lapse is not Lapse.BURNT])
def test_other_kinds_of_mistakes_have_no_known_sign(lapse: Lapse) -> None:
    moment = next(one for one in MOMENTS if one.lapse is lapse)
    assert known_sign(MATCH, MomentKey(7, moment.round, moment.step, CHLOE)) is None


def test_no_moment_is_made_of_a_round_without_a_hunt() -> None:
    events = [event for event in MATCH.events if not isinstance(event, e.HuntOpened)]
    first = next(number for number, event in enumerate(events) if isinstance(event, e.CardsDealt))
    cut = (*events[: first + 1], e.RoundEnded(1, e.Outcome.THREE_ALIKE, (0, 0)), e.MatchEnded(1, None))
    with pytest.raises(ValueError, match="no hunt"):
        prepare_moment(replace(MATCH, events=cut), MomentKey(7, 1, 0, CHLOE), NOW)


def test_robots_know_what_their_seats_saw_before_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, int]] = []

    def advise(_robot: Robot, view: PlayerView, now: int) -> None:
        seen.append((view.seat, view.table.round, now))

    monkeypatch.setattr(Robot, "advise", advise)
    moment = next(one for one in MOMENTS if one.lapse is Lapse.SIGN)
    prepare_moment(MATCH, MomentKey(7, moment.round, moment.step, CHLOE), NOW)
    assert {(seat, number) for seat, number, _ in seen} == {(seat, moment.round) for seat in range(4) if seat != CHLOE}
    steps = replay_round(MATCH.events, moment.round).steps
    before = [step.at for step in steps if step.at <= moment.at - BEFORE_MS]
    assert len(seen) >= 3 * len(before)
    assert [at for _, _, at in seen] == sorted(at for _, _, at in seen)
    assert max(at for _, _, at in seen) <= NOW


def test_a_step_beyond_the_round_means_its_last_step() -> None:
    last = len(replay_round(MATCH.events, 2).steps) - 1
    kept, beyond = (prepare_moment(MATCH, MomentKey(7, 2, step, CHLOE), NOW).deal(NOW)[0] for step in (last, last + 99))
    assert beyond.events == kept.events
