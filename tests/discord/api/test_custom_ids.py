"""Custom ids: strict, total, and what is made can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.api.custom_ids import (
    MAX_ARG,
    MOST,
    Press,
    RoundCustomIds,
    make_id,
    number_of,
    parse_id,
    read_page_key,
    verb_of,
    write_page_key,
)
from bot.ladder.columns import Board
from bot.records.history import AfterKey, BeforeKey, PageKey, PageNumber
from bot.ui.ladder.leaderboard import LadderVerb
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.table.verbs import TableVerb
from tests.together import together
from tests.verbs import VERBS

ROUNDS = st.none() | st.integers(0, 9999)


@given(st.integers(0, 2**63 - 1), st.sampled_from(VERBS), st.text(max_size=MAX_ARG), ROUNDS)
def test_a_custom_id_that_was_made_can_be_read_back(table_id: int, verb: str, arg: str, number: int | None) -> None:
    made = make_id(table_id, verb, arg, number)
    assert len(made) <= 100
    assert (parse_id(made), verb_of(made)) == (Press(table_id, verb, arg, number), verb)


@given(st.text(max_size=120) | st.from_regex(r"k1:[0-9]{0,20}(\.[0-9]{0,5})?:[a-z_0-9]*(:.*)?", fullmatch=True))
def test_any_text_is_parsed_without_an_error_and_only_the_bots_ids_are_known(text: str) -> None:
    press = parse_id(text)
    assert press is None or make_id(press.table_id, press.verb, press.arg, press.round) == text


def test_an_id_says_in_which_round_its_message_was_made() -> None:
    assert RoundCustomIds(7, 3)(TableVerb.PUT, "7S") == "k1:7.3:put:7S"
    assert parse_id("k1:7.3:put:7S") == Press(7, TableVerb.PUT, "7S", 3)


@together(
    "text",
    ["", "k1", "k1:1", "k1:1:", "k2:1:join", "k1:01:join", "k1:-1:join", "k1:1:join:", "k1:1:JOIN",
     "k1:١:join", " k1:1:join", "k1:1:join\n", "k1:1:take:" + "x" * 100,
     "k1:1.:join", "k1:1.01:join", "k1:1.10000:join", "k1:1.-1:join", "k1:.1:join",
     "k1:9223372036854775808:join", "k1:9999999999999999999:join"],
)  # fmt: skip
def test_a_custom_id_that_the_bot_never_makes_is_unknown(text: str) -> None:
    assert parse_id(text) is None


def test_an_argument_too_long_for_discord_is_an_error() -> None:
    with pytest.raises(ValueError, match="no custom id"):
        make_id(1, TableVerb.GESTURE, "🍀" * 100)


def test_numbers_are_small_and_plain() -> None:
    assert [number_of(text) for text in ("0", "11", "", "01", "-1", "100", "²", "1 ")] == [0, 11] + [None] * 6


NUMBERS = st.integers(0, MOST)


@given(
    st.builds(PageNumber, st.integers(1, 10_000))
    | st.tuples(NUMBERS, NUMBERS).flatmap(lambda k: st.sampled_from([AfterKey(k), BeforeKey(k)]))
)
def test_an_argument_that_was_written_can_be_read_back(page_key: PageKey) -> None:
    assert read_page_key(write_page_key(page_key), 2) == page_key


@given(st.text(max_size=60) | st.from_regex(r"[nabc][0-9.\-]{0,50}", fullmatch=True), st.sampled_from([2, 3]))
def test_any_text_is_read_without_an_error_and_fits_a_database(text: str, keys: int) -> None:
    match read_page_key(text, keys):
        case AfterKey(key) | BeforeKey(key):
            assert len(key) == keys
            assert all(0 <= number <= MOST for number in key)
        case PageNumber(page):
            assert 1 <= page <= 10_000


@together("word", ["", "n0", "n10001", "n1.2", "a1", "a1.2.3", f"a1.{2**63}", "a-1.2", "x1.2", "a1.2 ", "a١.2"])
def test_an_argument_that_the_bot_never_writes_is_parsed_as_none(word: str) -> None:
    assert read_page_key(word, 2) is None


def test_the_longest_arguments_fit_a_custom_id() -> None:
    ids = AfterKey((999_999, MOST, MOST))
    make_id(0, LadderVerb.BOARD, f"{max(Board, key=len)}:9999:{write_page_key(ids)}")
    make_id(0, RecordsVerb.HISTORY, f"{MOST}:{write_page_key(AfterKey((9_999_999_999_999, 2**53)))}")
