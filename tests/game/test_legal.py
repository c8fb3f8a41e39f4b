"""What is listed as legal where no offer shows it, what falls due, and what a round or a game leaves behind."""

from itertools import islice
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import legal_moves, seat_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, next_deadline, possible_shows
from bot.game.events import GameWon
from bot.game.signs import Strategy
from tests.game.offered import random_moments
from tests.rules.table import Table

KINGS, NOTHING = "KS KH KD KC", "7S 8S 9S TS"


def listed(table: Table, kind: type) -> set[a.Action]:
    """The legal moves of that kind, of all seats."""
    seats = range(len(table.state.seats))
    return {move for seat in seats for move in legal_moves(table.state, seat, table.now) if isinstance(move, kind)}


def taken(table: Table, moves: set[a.Action]) -> set[a.Action]:
    return {move for move in moves if not isinstance(decide(table.state, move, table.now, Random(1)), Refusal)}


@pytest.mark.parametrize("preset", ["classic", "expert", "yokai"])
def test_a_counter_never_lists_the_players_own_team(preset: str) -> None:
    table = Table(preset, players=6, deck="52")
    players = {move for move in listed(table, a.CounterPlayer) if isinstance(move, a.CounterPlayer)}
    teams = {move for move in listed(table, a.CounterTeam) if isinstance(move, a.CounterTeam)}
    assert players or teams
    assert not any(move.seat % 3 == move.target % 3 for move in players)
    assert not any(move.seat % 3 == move.team for move in teams)


def test_a_sign_may_be_kept_by_the_team_that_was_guessed_at() -> None:
    table = Table()
    assert listed(table, a.KeepSign) == set()
    table.do("B guess #1 👀")
    assert listed(table, a.KeepSign) == {a.KeepSign(0), a.KeepSign(2)}
    table.do("A keep")
    assert listed(table, a.KeepSign) == set()


def test_after_a_match_no_sign_can_be_accepted_kept_or_changed() -> None:
    table = Table(hands={"A": KINGS}, target=1)
    table.do("B guess #1 👀", "A sign 🎲", "C kems")
    assert table.phase == "match_over"
    for seat in range(4):
        assert legal_moves(table.state, seat, table.now) == ()
        view = seat_view(table.state, seat)
        assert (view.proposal, view.may_change_sign) == (None, False)


@pytest.mark.parametrize("strategies", ["", "total", "presign", "double presign total"])
@pytest.mark.parametrize("is_over", [False, True])
def test_every_accusation_that_may_be_made_is_listed(strategies: str, is_over: bool) -> None:
    table = Table(players=6, strategies=strategies, hands={"A": KINGS})
    if is_over:
        table.do("D kems")
    every = {a.AccuseTeam(seat, team, strategy) for seat in range(6) for team in range(3) for strategy in Strategy}
    assert listed(table, a.AccuseTeam) == taken(table, set(every))
    count = len({"presign"} & set(strategies.split()) if is_over else set(strategies.split()) - {"double"})
    assert len(listed(table, a.AccuseTeam)) == count * 6 * 2


def test_no_cards_have_to_be_shown_while_the_hand_has_too_few_cards() -> None:
    table = Table(hands={"A": NOTHING}, pool="JH QD KS AC", take_limit=0)
    table.do("B counter A", *(f"A put {card}" for card in NOTHING.split()[:3]))
    assert (possible_shows(table.state), next_deadline(table.state)) == ((), None)
    table.do("A take JH")
    assert next_deadline(table.state) == 20_000


def test_no_cards_are_owed_to_anybody_after_the_round() -> None:
    table = Table(hands={"A": KINGS, "D": NOTHING})
    table.do("C counter D", "C kems")
    assert (table.state.pending_shows, next_deadline(table.state)) == ((), None)
    table.wait(60)
    assert table.shown("C") == []
    table.do("- next")
    assert table.shown("C") == []


def test_a_won_game_is_recorded_and_the_next_begins_at_zero_points() -> None:
    table = Table("expert", hands={"A": KINGS}, best_of=3, target=2, scores=(1, 0))
    table.do("C kems")
    assert [event.team for event in table.log if isinstance(event, GameWon)] == [0]
    assert (table.state.game_won, table.state.games, table.scores) == (True, (1, 0), (2, 0))
    table.do("- next")
    assert (table.state.game_won, table.state.games, table.scores) == (False, (1, 0), (0, 0))


def test_a_player_who_cannot_put_down_in_a_vote_cannot_sweep_twice() -> None:
    table = Table()
    table.wait(5)
    table.do("A sweep")
    assert listed(table, a.PutDown) == listed(table, a.AskSweep) == set()


def test_moves_are_listed_once() -> None:
    for state, now in islice(random_moments(), 0, None, 37):
        for seat in range(len(state.seats)):
            moves = legal_moves(state, seat, now)
            assert len(set(moves)) == len(moves)
