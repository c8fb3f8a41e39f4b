"""A scene is the same again wherever it is played: after a restart, at another hour, in another process."""

import os
import subprocess
import sys
from datetime import date
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from bot.daily import day
from bot.daily.day import POOL, scene_of
from bot.daily.practice_round import PracticeRound, read_moves, write_moves
from bot.daily.scene import ME, TASKS, Scene, SceneTask
from bot.game import actions as a
from bot.game import events as e
from bot.game.checks.refusals import Code, Refusal
from bot.game.match import Match
from bot.lessons.stage_robot import Brain
from bot.records.pictures import Theme
from tests.daily.fill_pool import SIZE, written
from tests.daily.solver import TRIES, begins_in_hunt, reference, solution, solved
from tests.examples import mostly_long

SCENES = [scene for kind in TASKS for scene in POOL[kind][:4]]
FEW = mostly_long(SCENES, *SCENES[::4])
LATER = 1_800_000_000_000


@pytest.mark.parametrize("stride", [12, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", TASKS)
def test_all_scenes_of_the_pool_are_equally_difficult(kind: SceneTask, stride: int) -> None:
    """If this fails, robots play otherwise than they did: run `python -m tests.daily.fill_pool`."""
    scenes = POOL[kind]
    assert len({scene.seed for scene in scenes}) == len(scenes) == SIZE >= 24
    assert all(14_000 <= scene.reference <= 26_000 for scene in scenes), "as docs/daily.md says"
    scenes = scenes[::stride]
    assert all(map(begins_in_hunt, scenes))
    assert {scene: reference(kind, scene.seed) for scene in scenes} == {one: one.reference for one in scenes}
    # A robot with another whim takes about as long.
    near = 0
    for scene in scenes:
        run = solved(scene, TRIES)
        run.advance(2 * scene.reference)
        near += run.result is not None and scene.reference < 2 * run.result
    assert near > 0.85 * len(scenes)


def test_the_pool_script_writes_the_present_pool() -> None:
    assert Path(day.__file__).read_text(encoding="utf-8").endswith(f"\n{written(POOL)}")


@pytest.mark.parametrize("scene", FEW, ids=str)
def test_the_same_moves_solve_a_scene_again(scene: Scene) -> None:
    """At another hour of the day, and after a restart in mid-scene."""
    moves, first = solution(scene), solved(scene)
    assert first.result is not None
    again = PracticeRound(scene)
    for number, move in enumerate(solution(scene, LATER)):
        assert move.at - LATER == moves[number].at
        again = (
            PracticeRound(scene, LATER, read_moves(write_moves(again.moves))) if number else PracticeRound(scene, LATER)
        )
        assert again.play(move.action, move.at) is None
    assert again.result == first.result, "name each kind of move in `solution` of tests/daily/solver.py"
    assert [type(event) for event in again.match.events] == [type(event) for event in first.match.events]


@pytest.mark.parametrize("scene", FEW, ids=str)
def test_a_press_counts_from_when_it_was_made(scene: Scene) -> None:
    """The robots have gone on, and have even ended the scene, before it arrives."""
    *before, last = solution(scene)
    run = PracticeRound(scene, moves=before)
    run.advance(last.at + 60_000)
    run = run.at_press(last.at)
    assert run.play(last.action, last.at) is None
    assert (run.is_over, run.result) == (True, last.at)
    assert run.play(last.action, last.at) == Refusal(Code.ROUND_OVER)


@pytest.mark.parametrize("scene", FEW, ids=str)
def test_an_overtaken_press_counts_after_the_one_that_overtook_it(scene: Scene) -> None:
    run = PracticeRound(scene)
    down = run.view.hand[0]
    assert down is not None
    assert run.play(a.PutDown(ME, down), 900) is None
    up = run.view.table.pool[0]
    assert up is not None
    assert run.play(a.Take(ME, up), 600) is None
    assert [move.at for move in run.moves] == [900, 900]
    assert run.match.events == run.again(run.moves).match.events


def test_the_partner_signs_only_in_scenes_that_are_about_the_sign() -> None:
    signing: dict[SceneTask, set[bool]] = {}
    for scene in SCENES:
        run = PracticeRound(scene)
        run.advance(60_000)
        makers = {event.seat for event in run.match.events if isinstance(event, e.GestureMade)}
        signing.setdefault(scene.kind, set()).add(any(run.match.view(seat).team == run.view.team for seat in makers))
    assert signing[SceneTask.COUNTER] == signing[SceneTask.COLLECT] == {False}
    assert True in signing[SceneTask.SIGN]


@pytest.mark.parametrize("scene", FEW, ids=str)
def test_a_refused_press_changes_nothing(scene: Scene) -> None:
    (first, *_), refused = (
        solution(scene),
        a.Take(ME, scene.random("none").choice(PracticeRound(scene).match.view(ME).hand)),
    )
    run = PracticeRound(scene)
    assert isinstance(run.play(refused, first.at // 2), Refusal)
    assert run.moves == []
    run.advance(first.at)
    undisturbed = PracticeRound(scene)
    undisturbed.advance(first.at)
    assert run.match.events == undisturbed.match.events


def test_an_early_sweep_is_asked_for_when_it_is_due_unless_a_card_is_exchanged() -> None:
    asked = []
    for scene, at in product(POOL[SceneTask.COLLECT][:4], (100, 6600, 11_800)):
        run = PracticeRound(scene)
        run.advance(at)
        if run.play(a.AskSweep(ME), at) != Refusal(Code.TOO_EARLY):
            continue
        due = run.sweep_at
        assert due is not None
        run.advance(due)
        votes = [event.at for event in run.match.events if isinstance(event, e.SweepAsked) and event.seat == ME]
        moved = [event for event in run.match.events if isinstance(event, e.CardPutDown) and at < event.at <= due]
        assert votes == ([] if moved else [due])
        again = PracticeRound(scene, moves=read_moves(write_moves(run.moves)))
        again.advance(due)
        assert again.match.events == run.match.events, "a restart keeps it"
        asked.append(bool(votes))
    assert set(asked) == {True, False}


def test_a_round_among_players_who_do_nothing_waits_for_the_person() -> None:
    class Alone(Scene):
        def deal(self, at: int) -> tuple[Match, dict[int, Brain]]:
            return super().deal(at)[0], {}

    run = PracticeRound(Alone(*SCENES[0]))
    assert run.next_at is None
    run.advance(60_000)
    assert run.match.now == 0
    card = run.view.hand[0]
    assert card is not None
    assert run.play(a.PutDown(ME, card), 60_000) is None
    assert run.next_at == run.match.deadline


def test_the_persons_partner_is_no_opponent_in_any_scene() -> None:
    for scene in SCENES:
        view = PracticeRound(scene).view
        assert [view.team == seat.team for seat in view.table.seats] == [True, False, True, False]
        assert scene.theme is Theme.FRENCH


@pytest.mark.parametrize("scene", mostly_long(SCENES[:8], *SCENES[:8:4]), ids=str)
@pytest.mark.parametrize("wrong", [a.CallKems(ME), a.CounterPlayer(ME, 1)], ids=["kems", "counter"])
def test_a_scene_is_missed_after_one_wrong_call(scene: Scene, wrong: a.Action) -> None:
    run = PracticeRound(scene)
    assert run.play(wrong, 1000) is None
    assert (run.is_over, run.result, run.next_at) == (True, None, None)


def test_robots_end_an_unplayed_scene_always_at_the_same_instant() -> None:
    """If this fails, robots play otherwise than they did: run `python -m tests.daily.fill_pool`."""
    ends = [PracticeRound(scene) for scene in SCENES]
    for run in ends:
        run.advance(600_000)
    assert all(run.is_over and run.result is None for run in ends)
    assert all(isinstance(run.match.events[-1], e.RoundEnded) for run in ends)
    assert [run.match.now for run in ends] == [
        *(59237, 59371, 64998, 59972),
        *(30756, 36816, 35044, 33885),
        *(47335, 36797, 26915, 40240),
    ]


def digest() -> str:
    """Draws and scenes of one day, as text."""
    drawn = [scene_of(b"secret", date(2026, 11, 23), user, number) for user in range(20) for number in range(3)]
    told = "\n".join(f"{scene} {PracticeRound(scene, moves=solution(scene)).match.to_kgn()}" for scene in drawn[:2])
    return sha256(f"{drawn}\n{told}".encode()).hexdigest()


def test_two_processes_draw_and_play_the_same_scenes() -> None:
    command = [sys.executable, "-c", "from tests.daily.test_scenes import digest; print(digest())"]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    other = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert other.stdout.strip() == digest()
