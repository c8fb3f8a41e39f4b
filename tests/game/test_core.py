"""The corners of the core that no clause of a sheet names: logs, clocks, impossible luck, what a view leaves out."""

from collections import Counter
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import legal_moves, seat_view, table_view
from bot.game.cards import DECKS, Card, DeckKind
from bot.game.decide import Decision, decide, next_deadline
from bot.game.events import CardsShown, GameWon, HuntOpened, MatchStarted, Phase, PoolSwept, SignAccepted, SweepAgreed
from bot.game.evolve import evolve, evolve_all
from bot.game.rules.presets import CLASSIC
from tests.rules.table import Stacked, Table, cards


class Unlucky(Random):
    """Every shuffle deals four alike to each of four players, and draws what was given back."""

    def shuffle(self, x: list[Card]) -> None:
        lowest = min(card.group for card in x)
        x.sort(key=lambda card: ((card.group - lowest) // 4, card.member, card.group))


def test_a_log_begins_with_the_match() -> None:
    with pytest.raises(ValueError, match="the log is empty"):
        evolve_all(None, [])
    with pytest.raises(ValueError, match="begins with the event MatchStarted, not with HuntOpened"):
        evolve(None, HuntOpened(0))


def test_a_log_continues_from_any_state() -> None:
    state = Table(opened=False).state
    assert evolve_all(state, []) is state
    assert evolve_all(state, [HuntOpened(7)]).phase_at == 7


@pytest.mark.parametrize("event", [SignAccepted(0, 0), SweepAgreed(0, 1)])
def test_an_answer_to_no_sweep_changes_nothing(event: SignAccepted | SweepAgreed) -> None:
    state = Table().state
    assert evolve(state, event) == state


def test_cards_may_be_shown_without_a_pending_show() -> None:
    state = evolve(Table().state, CardsShown(0, 0, 1, cards("7S 8S")))
    assert [len(seat.shown) for seat in state.seats] == [0, 1, 0, 0]


def test_a_tick_with_nothing_due_is_no_event() -> None:
    table = Table()
    assert decide(table.state, a.Tick(), 10**9, table.rng) == Decision((), table.state)
    table.do("B counter A")
    assert decide(table.state, a.Tick(), 19_999, table.rng) == Decision((), table.state)
    shown = decide(table.state, a.Tick(), 20_000, table.rng)
    assert [type(event) for event in shown.events] == [CardsShown]


def test_the_nearest_of_several_deadlines_comes_first() -> None:
    table = Table(stock="7S 8H 9D TC JS")
    table.wait(5)
    table.do("B counter A", "C sweep", "D no")
    assert next_deadline(table.state) == 25_000
    table.wait(3)
    table.do("D counter C")
    assert next_deadline(table.state) == 25_000
    table.wait(17)
    assert [item.seat for item in table.state.pending_shows] == [2]
    assert any(isinstance(event, PoolSwept) for event in table.log)


def test_a_clock_of_zero_seconds_never_runs() -> None:
    table = Table.starting(sign_deadline=0)
    assert next_deadline(table.state) is None
    table = Table(opened=False)
    assert next_deadline(table.state) is None
    table.do("D open", "A kems")
    assert next_deadline(table.state) is None


def test_house_rules_may_open_the_hunt_and_deal_the_next_round_automatically() -> None:
    table = Table(opened=False, auto_open=4, auto_next=6)
    table.wait(3.999)
    assert table.phase == "ready"
    table.wait(0.001)
    assert table.phase == "hunt"
    table.do("A kems")
    table.wait(6)
    assert (table.state.round, table.state.phase_at) == (2, 10_000)


@pytest.mark.parametrize(("preset", "tries"), [("classic", 50), ("linternaute", 0), ("bell", 50), ("yokai", 0)])
def test_redrawing_ends_after_a_number_of_tries_without_luck(preset: str, tries: int) -> None:
    """Our ruling: after fifty tries the cards stay as they lie."""
    table = Table.starting(preset)
    table.rng = Unlucky()
    table.wait(90)
    assert table.state.round == 1
    redraws = Counter(item.seat for item in table.state.excess)
    assert (redraws[0], table.state.seats[0].holds_kems) == (tries, True)
    assert sorted(table.all_cards()) == sorted(DECKS[table.rules.deal.deck])


def test_three_alike_turned_up_at_the_deal_are_swept_before_the_hunt() -> None:
    order = (*cards("7S JS 7H JH 8S QS 8H QH 9S KS 9H 7C TS AS TH 8C"), *cards("KH KD KC 7D"))
    left = [card for card in DECKS[DeckKind.D32] if card not in order]
    left.sort(key=lambda card: (card.member, card.group))
    table = Table.starting("yokai")
    table.rng = Stacked([*order, *left])
    table.wait(90)
    assert (table.phase, len(table.state.discard)) == ("ready", 4)
    assert table.pool == {card.code for card in left[:4]}


def test_a_match_won_by_a_guess_has_no_round_result() -> None:
    table = Table("yokai", scores=(8, 8))
    table.do("B guess #1 👀")
    view = table_view(table.state)
    assert (view.phase, view.result, view.winner, view.ends_at) == (Phase.MATCH_OVER, None, 1, None)


def test_a_refused_sweep_restarts_the_quiet_time_of_the_hunt() -> None:
    table = Table()
    table.wait(5)
    table.do("A sweep")
    table.wait(2)
    table.do("B no")
    assert (table.phase, table.state.phase_at) == ("hunt", 7_000)


def test_the_view_says_when_a_sweep_may_be_asked_for() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"})
    assert table_view(table.state).sweep_from == 5_000
    table.do(a.PutDown(0, cards("7S")[0]))
    assert table_view(table.state).sweep_from is None


def test_a_move_for_a_missing_seat_is_refused() -> None:
    table = Table()
    for action in (a.CallKems(4), a.CallKems(-1), a.OpenHunt(9), a.ProposeSign(-5, table.state.teams[0].plan)):
        table.refuses("unknown_player", action)


def test_the_next_round_is_refused_before_the_end_of_this_one() -> None:
    table = Table.starting()
    table.refuses("hunt_closed", "- next")
    table = Table()
    table.refuses("not_allowed", "- next", "D open")
    table.wait(5)
    table.do("A sweep")
    table.refuses("sweep_running", "- next")


def test_an_empty_text_and_words_are_refused_as_a_sign() -> None:
    table = Table.starting()
    table.refuses("sign_forbidden", "A sign \ufe0f ", "A sign say:what_weather")


def test_a_repeated_acceptance_is_refused_as_repeated() -> None:
    table = Table.starting(players=9, deck="52")
    table.do("A sign 🎲", "D accept 🎲")
    table.refuses("already_answered", "D accept 🎲", "A accept 🎲")
    assert seat_view(table.state, 6).proposal is not None


def test_every_move_of_a_seat_is_listed() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, opened=False)
    assert set(legal_moves(table.state, 3, 0)) == {a.OpenHunt(3)}
    assert not legal_moves(table.state, 0, 0)
    table.do("D open")
    calls = {a.CallKems(0), a.CallDouble(0), a.CounterPlayer(0, 1), a.CounterPlayer(0, 3)}
    assert set(legal_moves(table.state, 0, 0)) == calls | {a.PutDown(0, card) for card in cards("7S 8S 9S TS")}
    table.do(a.PutDown(0, cards("7S")[0]))
    assert {a.Take(0, card) for card in table.state.pool_cards} <= set(legal_moves(table.state, 0, 0))
    table.do("A take 7S", "B counter A")
    assert sum(isinstance(action, a.ShowCards) for action in legal_moves(table.state, 0, 0)) == 6
    table.do("A show 7S 8S", "B guess #1 👀", "C sign 🎲")
    assert {a.KeepSign(0), table.read("A accept 🎲")} <= set(legal_moves(table.state, 0, 0))
    table.do("A keep")
    assert table.state.teams[0].proposal is None


def test_a_game_is_won_before_the_match() -> None:
    state = evolve_all(None, [MatchStarted(0, CLASSIC, 4, 2, 3), GameWon(0, 1)])
    assert (state.games, state.game_won, state.phase) == ((0, 1), True, Phase.SIGNS)


def test_a_refused_move_uses_no_random_numbers() -> None:
    table = Table()
    before = table.rng.getstate()
    table.refuses("hand_full", "A take 7S")
    table.refuses("not_allowed", "- next")
    assert table.rng.getstate() == before


def test_a_view_names_the_players_of_each_team() -> None:
    table = Table(players=9, deck="52")
    view = table_view(table.state)
    assert [list(view.members(team)) for team in range(view.teams)] == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
