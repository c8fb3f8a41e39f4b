"""A person's try: its word, how long it runs, what it came to, and the day's score."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bot.daily.attempt import (
    MOST_BETTER,
    MOST_CHALLENGES,
    Attempt,
    Challenge,
    DayKey,
    Key,
    MomentKey,
    read_key,
    write_key,
)
from bot.daily.day import FORGIVEN_DAYS, POOL, SAME_MS, Score, score_of
from bot.daily.practice_round import SILENCE_MS, PracticeRound
from bot.daily.scene import ME, SceneTask
from bot.daily.store import PanelReach
from bot.game import actions as a
from tests.together import together

DAY = date(2026, 11, 23)
BEGUN = Attempt(user_id=5, key=DayKey(DAY, 0), guild_id=7, started_at=1000, pressed_at=2000)


@pytest.mark.parametrize("key", [DayKey(DAY, 0), DayKey(date.max, 2), MomentKey(12, 3, 0, 11), MomentKey(1, 1, 40, 0)])
def test_a_key_as_text_names_a_scene(key: Key) -> None:
    assert read_key(write_key(key)) == key


@together(
    ("word", "key"),
    [
        (f"{DAY.toordinal()}.1", DayKey(DAY, 1)),
        ("12.3.4", MomentKey(12, 3, 4, -1)),
        ("12.3.4h", MomentKey(12, 3, 4, -1)),
        ("12.3.0", MomentKey(12, 3, 0, -1)),
        (f"{DAY.toordinal()}.3", None),
        (f"{date.max.toordinal() + 1}.0", None),
        ("0.1", None),
        ("12.0.4", None),
        ("12.3.04", None),
        ("12.3.4.h", None),
        ("12.3.4hh", None),
        ("12", None),
        ("", None),
    ],
)
def test_an_unknown_text_is_no_key_of_an_attempt(word: str, key: Key | None) -> None:
    assert read_key(word) == key


def test_a_new_attempt_has_no_move_and_no_result_and_the_sign_of_the_match() -> None:
    assert replace(BEGUN, reference=0, result=None, is_over=False, moves="", is_posted=False, sign="") == BEGUN


def test_the_token_of_a_panel_is_not_written_to_the_log() -> None:
    assert "secret" not in repr(PanelReach("secret", "fr"))


def test_a_result_has_room_for_four_challenges_and_six_better_players() -> None:
    assert (MOST_CHALLENGES, MOST_BETTER) == (4, 6)
    offered = Challenge(MomentKey(12, 3, 0, 1))
    assert (offered.tried, offered.better) == (0, ())


def test_the_page_states_the_limits_of_an_attempt() -> None:
    page = (Path(__file__).parents[2] / "docs/daily.md").read_text(encoding="utf-8")
    assert f"by {SILENCE_MS / 1000:g} seconds without a press" in page.replace("\n", " ")
    assert f"Times within {SAME_MS} ms share a place" in page.replace("\n", " ")
    assert f"It survives one missed day in {'seven' if FORGIVEN_DAYS == 7 else FORGIVEN_DAYS}." in page


def test_an_attempt_ends_after_a_long_time_without_a_press() -> None:
    assert BEGUN.is_running(2000 + SILENCE_MS - 1)
    assert not BEGUN.is_running(2000 + SILENCE_MS)
    assert not replace(BEGUN, is_over=True).is_running(2000)


def test_an_attempt_keeps_its_moves_until_it_is_over() -> None:
    run = PracticeRound(POOL[SceneTask.SIGN][0])
    card = run.view.hand[0]
    assert card is not None
    assert run.play(a.PutDown(ME, card), 3000) is None
    going = BEGUN.after(run, 3000, is_over=False)
    assert (going.pressed_at, going.is_over, going.result, going.moves != "") == (3000, False, None, True)
    over = going.after(run, 4000, is_over=True)
    assert (over.pressed_at, over.is_over, over.result, over.moves) == (4000, True, None, "")
    assert going.as_missed() == replace(going, is_over=True, moves="")


def test_the_score_of_a_day_is_its_number_of_solved_scenes() -> None:
    tries = [
        replace(BEGUN, reference=15_000, result=12_000),
        replace(BEGUN, key=DayKey(DAY, 1), reference=20_000),
        replace(BEGUN, key=DayKey(DAY, 2), reference=10_000, result=14_000),
    ]
    assert score_of(tries) == Score(user_id=5, right=2, time_ms=26_000, over_ms=1_000)
