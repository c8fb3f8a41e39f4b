"""Spots in custom ids: strict, and what is written can be read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ladder.boards import Board
from bot.records.history import After, Before, Nth, Spot
from bot.ui.kit.custom_ids import MOST, make_id, read_spot, write_spot
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.records.verbs import RecordsVerb

NUMBERS = st.integers(0, MOST)


@given(
    st.builds(Nth, st.integers(1, 10_000))
    | st.tuples(NUMBERS, NUMBERS).flatmap(lambda k: st.sampled_from([After(k), Before(k)]))
)
def test_what_is_written_can_be_read_back(spot: Spot) -> None:
    assert read_spot(write_spot(spot), 2) == spot


@given(st.text(max_size=60) | st.from_regex(r"[nabc][0-9.\-]{0,50}", fullmatch=True), st.sampled_from([2, 3]))
def test_any_text_is_read_without_an_error_and_fits_a_database(text: str, keys: int) -> None:
    match read_spot(text, keys):
        case After(key) | Before(key):
            assert len(key) == keys
            assert all(0 <= number <= MOST for number in key)
        case Nth(page):
            assert 1 <= page <= 10_000


@pytest.mark.parametrize(
    "word", ["", "n0", "n10001", "n1.2", "a1", "a1.2.3", f"a1.{2**63}", "a-1.2", "x1.2", "a1.2 ", "a١.2"]
)
def test_what_we_never_write_is_nothing(word: str) -> None:
    assert read_spot(word, 2) is None


def test_the_longest_fit_an_id() -> None:
    ids = After((999_999, MOST, MOST))
    make_id(0, LadderVerb.BOARD, f"{max(Board, key=len)}:9999:{write_spot(ids)}")
    make_id(0, RecordsVerb.HISTORY, f"{MOST}:{write_spot(After((9_999_999_999_999, 2**53)))}")
