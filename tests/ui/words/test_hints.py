"""Which rule somebody means who writes a name that no rule has."""

import pytest

from bot.game.rules.rules import AXES
from bot.ui.words.refusals import MOST, likely_axes
from tests.together import together


@together(
    ("written", "meant"),
    [
        ("doubel_kems", ["double_kems"]),
        ("taget", ["target"]),
        ("sweepvote", ["sweep_vote"]),
        ("points", ["target"]),
        ("manches", ["rounds"]),
        ("joueurs", ["players"]),
        ("players_count", ["players"]),
        ("kemps", ["kems"]),
        ("lead", ["win_by"]),
        ("partners", ["team_size"]),
        ("decks", ["deck"]),
        ("freeze", ["take_limit"]),
        ("speech", ["oral_signs"]),
        ("reshuffle", ["stock_out"]),
        ("sonnette", ["bell"]),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_a_hint_names_the_nearest_word_and_nothing_far_away(written: str, meant: list[str]) -> None:
    assert likely_axes(written) == meant


@pytest.mark.parametrize(
    ("written", "among"),
    [
        ("sweeps", "max_sweeps"), ("max_points", "target"), ("wrong_guess", "guess_wrong"), ("redeal", "excess"),
        ("false_cut", "false_counter"), ("counter_value", "counter"), ("penalty", "false_counter_own"),
    ],
)  # fmt: skip
def test_a_hint_names_several_words_when_several_are_near(written: str, among: str) -> None:
    assert among in likely_axes(written)
    assert len(likely_axes(written)) <= MOST


def test_every_axis_is_found_by_its_own_name_when_it_is_misspelt() -> None:
    for axis in AXES:
        slip = axis[0] + axis[2] + axis[1] + axis[3:] if len(axis) > 5 else axis + "s"
        assert likely_axes(slip)[:1] == [axis], slip
