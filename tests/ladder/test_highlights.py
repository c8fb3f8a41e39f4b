"""The best player, the longest bluff and the quickest Kem's, read from the log of a round played by the core."""

from dataclasses import replace

from bot.game.events import MatchPaused, MatchResumed
from bot.ladder.tally import Feat, Highlights, highlights
from tests.rules.table import Table

KINGS, ACES = "KS KH KD KC", "AS AH AD AC"


def told(table: Table) -> Highlights:
    return highlights((*table.opening, *table.log))


def test_a_match_without_feats_has_none() -> None:
    table = Table()
    table.do("A kems")
    assert told(table) == Highlights()


def test_partners_share_a_kems_and_a_counter_makes_the_difference() -> None:
    table = Table(hands={"A": KINGS})
    table.do("C kems")
    assert told(table).best == (0, 2)
    table = Table(hands={"A": KINGS, "B": ACES})
    table.do("C counter B")
    assert told(table).best == (2,)
    found = told(table).tally
    assert found is not None
    assert found.counters == 1


def test_a_false_counter_costs_the_lead_and_a_bait_gains_it() -> None:
    table = Table(hands={"A": KINGS})
    table.do("C react 🍩", "B counter C", "C kems")
    assert told(table).best == (2,), "whose bluff provoked a false counter"
    table = Table(hands={"A": KINGS})
    table.do("C counter B", "C kems")
    assert told(table).best == (0,), "who made no mistake"


def test_the_longest_bluff_runs_from_the_first_to_the_last_gesture_without_a_sign_between() -> None:
    table = Table(hands={"A": KINGS})
    table.wait(5)
    table.do("A react 🍩")
    table.wait(4)
    table.do("A react 🎈")
    table.wait(20)
    table.do("A react 👀")
    table.wait(1)
    table.do("B react 🎲")
    table.wait(3)
    table.do("B react 🎲", "A react 🍩", "C kems")
    assert told(table).bluff == Feat(0, 4_000, 2)
    table.wait(60)
    table.do("B react 🎲")
    assert told(table).bluff == Feat(0, 4_000, 2), "between rounds nobody bluffs"


def test_the_quickest_kems_counts_from_the_opening_of_its_hunt_without_pauses() -> None:
    table = Table(hands={"A": KINGS})
    table.wait(9)
    table.do("C kems")
    assert told(table).quickest == Feat(2, 9_000)
    *before, end = table.log
    paused = (MatchPaused(1_000), MatchResumed(7_000), replace(end, at=9_000))
    assert highlights((*table.opening, *before, *paused)).quickest == Feat(2, 3_000)


def test_a_round_without_a_kems_is_no_quickest_one() -> None:
    table = Table(hands={"B": KINGS})
    table.do("A counter B")
    assert told(table).quickest is None
    table.do("- next")
    assert told(table).quickest is None


def test_a_double_counts_twice() -> None:
    table = Table(hands={"B": KINGS, "D": ACES})
    table.wait(2)
    table.do("D double")
    assert told(table).best == (1, 3)
    assert told(table).quickest == Feat(3, 2_000)
