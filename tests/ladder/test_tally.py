"""What each seat did, read from the log of a round played by the core."""

from dataclasses import replace

import pytest

from bot.game.events import MatchPaused, MatchResumed
from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.ladder.tally import BAIT_MS, SeatTally, tally
from tests.game.matches import play_at_random
from tests.rules.table import Table

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"
NONE = SeatTally()


def told(table: Table) -> tuple[SeatTally, ...]:
    return tally((*table.opening, *table.log))


def test_a_kems_counts_for_who_called_and_who_held_it() -> None:
    table = Table(hands={"A": KINGS}, pool="7H 8H 9H TH", stock="7D 8D 9D TD")
    table.wait(7)
    table.do("B sweep", "A yes", "C yes", "D yes")
    table.wait(5)
    table.do("C kems")
    mine = SeatTally(kems=1, kems_ms=12_000)  # the sweep opened no new hunt
    assert told(table) == (mine, NONE, mine, NONE)


def test_a_pause_takes_no_time() -> None:
    table = Table(hands={"A": KINGS})
    table.do("C kems")
    *before, end = table.log
    paused = (MatchPaused(1_000), MatchResumed(61_000), replace(end, at=64_000))
    assert tally((*table.opening, *before, *paused))[0].kems_ms == 4_000


def test_a_double_is_a_kems_of_both() -> None:
    table = Table(hands={"B": KINGS, "D": ACES})
    table.wait(2)
    table.do("D double")
    mine = SeatTally(kems=1, doubles=1, kems_ms=2_000)
    assert told(table) == (NONE, mine, NONE, mine)


def test_in_a_team_of_three_the_idle_partner_has_no_part() -> None:
    table = Table(players=9, deck=52, team_size=3, hands={"A": KINGS})
    table.do("D kems")
    assert [seat.kems for seat in told(table)] == [1, 0, 0, 1, 0, 0, 0, 0, 0]


def test_in_two_voices_the_first_caller_has_the_part() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.do("C kems")
    table.wait(4)
    assert table.outcome == "kems"
    assert [seat.kems for seat in told(table)] == [1, 0, 1, 0]


def test_false_calls_are_the_callers() -> None:
    for call, outcome in (("A kems", "false_kems"), ("A double", "false_double")):
        table = Table(hands={"A": NOTHING})
        table.do(call)
        assert table.outcome == outcome
        assert told(table) == (SeatTally(false_calls=1), NONE, NONE, NONE)


def test_a_counter_catches_who_was_named() -> None:
    table = Table(hands={"A": KINGS})
    table.do("B counter A")
    assert told(table) == (SeatTally(caught=1), SeatTally(counters=1), NONE, NONE)


def test_a_team_counter_catches_all_who_held_one() -> None:
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do("D counter2 #1")
    assert told(table) == (SeatTally(caught=1), NONE, SeatTally(caught=1), SeatTally(counters=1))


def test_a_counter_without_effect_counts_for_nobody() -> None:
    table = Table(hands={"A": KINGS, "C": ACES})
    table.do("B counter A")
    assert told(table) == (NONE,) * 4


@pytest.mark.parametrize("waited", [BAIT_MS, BAIT_MS + 1])
def test_a_bluff_provokes_the_false_counters_that_follow_soon(waited: int) -> None:
    table = Table(hands={"A": NOTHING})
    table.do("A react 🎲", "A react 🎈", "C react 🎈")
    table.now += waited
    table.do("B counter A")
    baited = SeatTally(bluffs=2, baits=int(waited <= BAIT_MS))
    assert told(table) == (baited, SeatTally(false_counters=1), SeatTally(bluffs=1), NONE)


def test_the_sign_itself_is_no_bluff() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("A react 👀", "B counter A")
    assert told(table) == (NONE, SeatTally(false_counters=1), NONE, NONE)


@pytest.mark.parametrize("preset", ["expert", "yokai"])
def test_false_counters_that_end_the_round_count_once(preset: str) -> None:
    table = Table(preset, hands={"A": NOTHING, "C": "9H TH JH QH"}, pool="7H 8H 9D TD")
    table.do("A react 🎈", f"B counter {'#1' if preset == 'expert' else 'A'}")
    assert told(table) == (SeatTally(bluffs=1, baits=1), SeatTally(false_counters=1), NONE, NONE)


def test_guesses_change_nothing() -> None:
    table = Table()
    table.do("A guess #2 🍀")
    assert told(table) == (NONE,) * 4


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_matches_of_every_preset_are_told(preset: str) -> None:
    rules = house_rules.preset(preset)
    for seed in range(3):
        log = play_at_random(rules, 4, seed, moves=600)
        seats = tally(log)
        assert len(seats) == 4
        ends = [type(event).__name__ for event in log].count("RoundEnded")
        assert sum(seat.counters for seat in seats) <= ends
        assert all(seat.doubles <= seat.kems <= ends and seat.baits <= seat.bluffs * ends for seat in seats)
