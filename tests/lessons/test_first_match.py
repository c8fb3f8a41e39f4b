"""The first match: its lessons come up by themselves, doing nothing costs nothing, and a restart forgets none."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
import structlog

from bot.game import actions as a
from bot.game.events import Outcome, Phase
from bot.game.signs import HOUSE_SIGNS, GestureKind
from bot.game.views import SeatView
from bot.lessons.lesson import MOST_TRIES, SCENES, Lesson, gestures_of_opponents
from bot.tables.lobby.help import Coaching
from tests.lessons.first_match import TAP_S, FirstMatch, idle, learner, obedient

FIVE_MINUTES = 300
SEEDS = pytest.mark.parametrize("seed", range(6))


@SEEDS
async def test_a_learner_who_follows_the_coach_meets_every_lesson_and_wins_three_rounds(seed: int) -> None:
    match = FirstMatch(seed)
    table = await match.start()
    began = asyncio.get_running_loop().time()
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.END)
    assert asyncio.get_running_loop().time() - began < FIVE_MINUTES
    assert set(match.seen) == set(Lesson)
    assert match.seen[:2] == [Lesson.AGREE, Lesson.DEAL]
    assert [end.outcome for end in match.ends()] == [Outcome.KEMS, Outcome.KEMS, Outcome.COUNTER]
    team = learner(table) % 2
    assert [end.points[team] for end in match.ends()] == [1, 1, 1]
    assert table.is_over
    assert (table.table_view().winner, table.table_view().scores[team]) == (team, 3)
    await match.open.close()


@pytest.mark.parametrize(("seed", "instants"), [(0, 2660749), (1, 2717764), (2, 2841969)])
async def test_robots_keep_the_pace_of_a_first_match(seed: int, instants: int) -> None:
    """The sum of the instants of all that happens: it changes with every wait of a robot, and with every card."""
    match = FirstMatch(seed)
    table = await match.start()
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.END)
    events = match.watcher.events
    assert sum(event.at - events[0].at for event in events) == instants
    await match.open.close()


@pytest.mark.parametrize("until", [None, Lesson.DEAL, Lesson.SIGN, Lesson.BLUFF, Lesson.KEMS, Lesson.COUNTER])
async def test_a_learner_loses_nothing_by_doing_nothing(until: Lesson | None) -> None:
    match = FirstMatch()
    table = await match.start()
    if until is not None:
        await match.play(table, obedient(table), taps=FIVE_MINUTES, until=until)
        assert match.seen[-1] is until
    before = table.table_view()
    await match.play(table, idle, taps=600)
    after = table.table_view()
    assert (after.scores, after.round) == (before.scores, max(before.round, 1))
    assert after.result is None
    assert match.watcher.called == []
    assert not table.lobby.players[learner(table)].is_away  # type: ignore[union-attr]
    await match.open.close()


async def test_a_restart_forgets_no_lesson() -> None:
    match = FirstMatch()
    table = await match.start()
    for until in (Lesson.TAKE, Lesson.SWEEP, Lesson.KEMS, Lesson.COUNTER):
        await match.play(table, obedient(table), taps=FIVE_MINUTES, until=until)
        table = await match.restart(table)
        assert table.lesson(learner(table)) is until
        assert table.coaching is Coaching.LESSONS
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.END)
    assert len(match.ends()) == len(SCENES)
    await match.open.close()


async def test_a_failed_round_is_dealt_again_once() -> None:
    match = FirstMatch()
    table = await match.start()
    hands = []

    def rash(view: SeatView, lesson: Lesson | None) -> a.Action | None:
        is_last = view.table.round > MOST_TRIES * (len(SCENES) - 1)
        if view.table.phase is Phase.HUNT and (not is_last or lesson is Lesson.COUNTER):
            hands.append({card for card in view.hand if card is not None})
            return a.CallKems(view.seat)
        return obedient(table)(view, lesson)

    await match.play(table, rash, taps=FIVE_MINUTES, until=Lesson.END)
    dealt = MOST_TRIES * len(SCENES)
    assert [end.outcome for end in match.ends()] == [Outcome.FALSE_KEMS] * dealt
    assert hands[0] == hands[1] != hands[2] == hands[3]
    assert match.seen[-1] is Lesson.END
    await match.open.close()


async def test_hasty_presses_do_not_end_the_match_before_the_counter_is_taught() -> None:
    """Rounds that end before anybody has made a gesture are dealt again, however many they are."""
    match = FirstMatch()
    table = await match.start()
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.KEMS)
    hasty = 5
    began = table.table_view().round

    def tap(view: SeatView, lesson: Lesson | None) -> a.Action | None:
        if began < view.table.round <= began + hasty and view.table.phase is Phase.HUNT:
            return a.CallKems(view.seat)
        return obedient(table)(view, lesson)

    await match.play(table, tap, taps=FIVE_MINUTES, until=Lesson.COUNTER)
    assert table.table_view().round == began + hasty + 1
    await match.play(table, tap, taps=FIVE_MINUTES, until=Lesson.END)
    assert match.ends()[-1].outcome is Outcome.COUNTER
    await match.open.close()


async def test_a_counter_of_the_wrong_player_ends_the_round_and_it_is_dealt_again() -> None:
    match = FirstMatch()
    table = await match.start()
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.COUNTER)
    made = next(gestures_of_opponents(table.seat_view(learner(table))))
    await table.submit(a.CounterPlayer(learner(table), (made.seat + 2) % 4))
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.END)
    assert [end.outcome for end in match.ends()[2:]] == [Outcome.KEMS, Outcome.COUNTER]
    await match.open.close()


async def test_the_coach_can_be_sent_away_and_the_robots_play() -> None:
    match = FirstMatch()
    table = await match.start()
    await match.play(table, obedient(table), taps=FIVE_MINUTES, until=Lesson.PUT)
    await match.open.seating.change(table, lambda lobby: replace(lobby, coaching=Coaching.AWAY))
    assert table.lesson(learner(table)) is None
    seq = table.seq
    await match.play(table, idle, taps=20)
    assert table.seq > seq, "nobody waits for a learner any more"
    await match.open.close()


@pytest.mark.parametrize(
    ("seed", "instants"), [(0, 2295086), (1, 5124360), (2, 17829695), (3, 7985160), (4, 4642858), (5, 22290268)]
)
async def test_wrong_buttons_never_leave_a_learner_stuck(seed: int, instants: int) -> None:
    """Any legal move, and gestures: whatever happens, the lessons come to their end, each time at the same pace."""
    match = FirstMatch(seed)
    table = await match.start()
    dice = Random(seed)

    def clumsy(view: SeatView, lesson: Lesson | None) -> a.Action | None:
        if dice.random() < 0.5:
            return obedient(table)(view, lesson)
        gesture = a.MakeGesture(view.seat, GestureKind.REACT, dice.choice(HOUSE_SIGNS))
        return dice.choice([*table.player_view(view.seat).legal, gesture])

    with structlog.testing.capture_logs() as logs:
        await match.play(table, clumsy, taps=round(3600 / TAP_S), until=Lesson.END)
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []
    assert match.seen[-1] is Lesson.END or table.is_over
    events = match.watcher.events
    assert sum(event.at - events[0].at for event in events) == instants
    await match.open.close()
