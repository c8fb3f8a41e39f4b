"""What a column of a season shows of a player's sums."""

import pytest

from bot.ladder.columns import COLUMNS, MATCH_BOARDS, PAIR_BOARDS, Board, SeatTally

BY_KEY = {column.key: column for column in COLUMNS}
TALLY = SeatTally(kems=2, kems_ms=9_200, false_calls=1)


@pytest.mark.parametrize(("key", "name", "number"), [
    ("kems", "kems", 2),
    ("false_calls", "false_calls", 1),
    ("kems_ms", "seconds_to_kems", 5),
])  # fmt: skip
def test_a_sum_is_shown_as_it_is_and_a_mean_in_seconds(key: str, name: str, number: int) -> None:
    assert (BY_KEY[key].name, BY_KEY[key].value(TALLY)) == (name, number)


def test_a_mean_of_no_values_is_none() -> None:
    assert BY_KEY["kems_ms"].value(SeatTally()) is None
    assert BY_KEY["kems"].value(SeatTally()) == 0


def test_false_and_countered_calls_are_shown_even_if_there_were_none_and_doubles_are_not() -> None:
    shown = {key for key, column in BY_KEY.items() if column.shown_when_zero}
    assert shown >= {"false_counters", "caught", "baits"}
    assert not shown & {"doubles", "kems_ms", "false_calls"}


def test_each_number_has_a_singular_and_a_plural() -> None:
    counted = [column.words for column in COLUMNS if column.parent and not column.mean]
    assert {len(words) for words in (*counted, *(column.feat for column in COLUMNS if column.feat))} == {2}


def test_the_best_player_of_a_match_is_named_for_kems_counters_and_provoked_counters() -> None:
    assert {key for key, column in BY_KEY.items() if column.feat} >= {"kems", "counters", "baits"}


def test_each_line_has_its_sign_and_each_note_a_line() -> None:
    lines = {key for key, column in BY_KEY.items() if not column.parent}
    assert {key for key, column in BY_KEY.items() if column.sign} == lines >= {"kems", "counters", "bluffs"}
    assert {column.parent for column in COLUMNS} <= {"", *lines}


def test_the_duo_board_lists_pairs_and_the_league_nights() -> None:
    assert Board.DUOS in PAIR_BOARDS
    assert set(Board) - set(MATCH_BOARDS) == {Board.LEAGUE}
    assert {board for board in Board if board.counts_wins} == {Board.WINS, Board.DUOS}
