"""While a match is paused its clock stands still: what was to come is as far away afterwards as it was before."""

import pytest

from bot.game.actions import AskSweep
from bot.game.build_view import player_view, seat_view, table_view
from bot.game.decide import next_deadline
from bot.game.events import MatchPaused, MatchResumed, Phase
from bot.game.evolve import evolve, evolve_all
from bot.game.notation.writer import write_match
from bot.game.views import Offers
from bot.ladder.tally import tally
from tests.rules.table import Table

LONG = 3_600_000


def pause(table: Table) -> None:
    """The match is paused now, and goes on after an hour."""
    for event in (MatchPaused(table.now), MatchResumed(table.now + LONG)):
        table.log.append(event)
        table.state = evolve(table.state, event)
    table.now += LONG


def test_no_move_is_legal_and_no_deadline_falls_due_during_a_pause() -> None:
    table = Table(auto_open=5, opened=False)
    assert next_deadline(table.state) == 5000
    paused = evolve(table.state, MatchPaused(1000))
    assert next_deadline(paused) is None
    view = player_view(paused, 3, 1000)
    assert view.legal == ()
    assert (view.table.ends_at, view.table.pause) == (None, MatchPaused(1000))
    resumed = evolve(paused, MatchResumed(1000 + LONG))
    assert next_deadline(resumed) == 5000 + LONG
    assert table_view(resumed).pause is None


def test_no_seat_is_offered_anything_during_a_pause() -> None:
    table = Table("yokai", hands={"A": "7S 8S 9S TS"})
    table.do("A put 7S")
    views = [[seat_view(state, 0) for state in (table.state, evolve(table.state, MatchPaused(table.now)))]]
    table = Table("yokai")
    views.append([seat_view(state, 0) for state in (table.state, evolve(table.state, MatchPaused(table.now)))])
    for running, paused in views:
        assert (running.may_guess, running.offers != Offers()) == (True, True)
        assert not (paused.may_put_down)
        assert not (paused.may_take)
        assert not (paused.may_swap)
        assert not (paused.may_guess)
        assert (paused.offers, paused.special_moves) == (Offers(), ())
    moves = [(running.may_put_down, running.may_take, running.may_swap) for running, _ in views]
    assert moves == [(False, True, False), (True, False, True)]


def test_the_quiet_time_before_a_sweep_goes_on_after_a_pause() -> None:
    table = Table(quiet=5)
    table.wait(3)
    pause(table)
    table.wait(1)
    table.refuses("too_early", AskSweep(0))
    assert table_view(table.state).sweep_from == table.now + 1000
    table.wait(1)
    table.do(AskSweep(0))


def test_votes_duties_and_shows_keep_their_remaining_time_in_a_pause() -> None:
    table = Table(pool="7H 8H 9H TH", stock="7D 8D 9D TD", quiet=0, sweep_vote=10, refusal_grace=20, show_delay=30)
    table.do("B counter A", "A sweep")
    table.wait(4)
    pause(table)
    view = table_view(table.state)
    assert view.ends_at == table.now + 6000
    table.do("C no")
    pause(table)
    paused = evolve(table.state, MatchPaused(table.now))
    assert table_view(paused).duty_ends_at is None
    assert table_view(table.state).duty_ends_at == table.now + 20_000
    table.wait(20)
    assert table.state.duty is None, "the overdue sweep was carried out"
    table.wait(5.999)
    assert not table.shown("B")
    table.wait(0.001)
    assert table.shown("B"), "and the cards were shown by chance"


def test_recorded_times_leave_the_pause_out() -> None:
    table = Table("yokai", hands={"A": "7S 7H 7D 7C"})
    table.wait(2)
    table.do("A react 👀", "B guess #1 🎲")
    pause(table)
    table.wait(3)
    table.do("C kems")
    pause(table)
    view = table_view(table.state)
    assert [item.at for item in view.gestures] == [item.at for item in view.reports] == [2000]
    assert [item.at - view.dealt_at for item in view.penalties] == [2000]
    assert view.result.at == 5000


def test_a_pause_does_not_count_into_the_time_since_a_take_by_chance() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="JH QD KS AC")
    table.do("A put 7S")
    table.wait(46)
    pause(table)
    assert seat_view(table.state, 0).by_chance_at == table.now - 1000


def test_the_time_since_a_sign_leaves_out_pauses() -> None:
    table = Table(players=2, hands={"A": "7S 7H 7D 7C"}, duel_delay=3)
    table.do("A react 👀")
    table.wait(1)
    pause(table)
    table.refuses("too_early", "A kems")
    table.wait(2)
    table.do("A kems")
    assert table.outcome == "kems"


@pytest.mark.parametrize("pauses", [False, True])
def test_neither_the_file_nor_the_tally_of_a_match_mentions_a_pause(pauses: bool) -> None:
    table = Table(hands={"A": "KS KH KD KC"})
    table.wait(5)
    if pauses:
        pause(table)
    table.wait(2)
    table.do("C kems")
    log = (*table.opening, *table.log)
    assert "7 C kems" in write_match(log, "ABCD").splitlines()
    assert tally(log)[0].kems_ms == 7000
    assert evolve_all(None, log) == table.state


def test_a_show_that_falls_due_does_not_end_its_phase() -> None:
    table = Table(quiet=0, sweep_vote=30, show_delay=20)
    table.do("B counter A")
    view = table_view(table.state)
    assert (view.phase, view.ends_at) == (Phase.HUNT, None)
    assert next_deadline(table.state) == table.now + 20_000
    table.do("A sweep")
    assert table_view(table.state).ends_at == table.now + 30_000, "silence agrees then, whatever falls due before"
