"""Sheet 000, main rules: seats, deal, exchanges and sweeps. A test's name carries the sheet, the clause, its gist."""

import pytest

from bot.game.build_view import player_view, seat_view, table_view
from bot.game.cards import DECKS, Card, DeckKind
from bot.game.events import CardsDealt, Event, ExcessRedrawn, PoolSwept
from bot.game.rules import house_rules
from bot.game.rules.presets import CLASSIC
from tests.rules.table import Table, codes, swap


def redrawn(events: tuple[Event, ...]) -> list[tuple[int, set[str]]]:
    return [(event.seat, codes(event.cards)) for event in events if isinstance(event, ExcessRedrawn)]


@pytest.mark.parametrize(
    ("players", "teams", "deck"),
    [(2, 2, "32"), (4, 2, "32"), (6, 3, "32"), (8, 4, "52"), (9, 3, "52"), (12, 6, "52")],
)
def test_000_04_two_to_twelve_players_in_teams_of_two_or_three(players: int, teams: int, deck: str) -> None:
    table = Table(players=players, deck=deck)
    assert len(table.state.teams) == teams
    assert {len(table.state.members(team)) for team in range(teams)} == {players // teams}


@pytest.mark.parametrize("players", [6, 12])
def test_000_05_teams_of_three_when_chosen(players: int) -> None:
    rules = house_rules.override(CLASSIC, {"team_size": "3"})
    assert house_rules.teams_for(rules, players) == players // 3


def test_000_06_thirty_two_or_fifty_two_cards() -> None:
    assert CLASSIC.deal.deck is DeckKind.D32
    assert [len(Table(deck=deck).all_cards()) for deck in ("32", "52")] == [32, 52]
    assert {card.group for card in DECKS[DeckKind.D32]} == {card.group for card in DECKS[DeckKind.D52]} - set(range(5))


@pytest.mark.parametrize(("players", "deck"), [(4, "32"), (6, "32"), (9, "52"), (12, "52")])
def test_000_07_everyone_sits_beside_opponents(players: int, deck: str) -> None:
    state = Table(players=players, deck=deck).state
    assert all(state.team_of(seat) != state.team_of((seat + 1) % players) for seat in range(players))


def test_000_08_partners_agree_on_a_secret_sign_first() -> None:
    table = Table.starting()
    table.do("A sign 👀")
    table.refuses("not_pending", "B accept 👀", "C accept 🍀")
    assert [seat_view(table.state, seat).proposal is not None for seat in range(4)] == [True, False, True, False]
    table.do("C accept 👀", "D sign 🍀")
    assert (table.phase, table.state.round) == ("signs", 0)
    table.do("B accept 🍀")
    assert table.phase == "ready"
    assert [bool(seat_view(table.state, seat).signs) for seat in range(4)] == [True] * 4
    assert seat_view(table.state, 0).signs != seat_view(table.state, 1).signs


def test_000_09_each_team_has_one_sign_without_words_unless_voted() -> None:
    table = Table()
    assert [len(team.plan.signs) for team in table.state.teams] == [1, 1]
    table.refuses("not_allowed", 'A say "what weather"')


def test_000_02_the_player_who_laid_the_third_alike_is_known() -> None:
    table = Table(hands={"B": "KS KH KD KC"}, pool="7H 8H 9H TH")
    table.do("B put KS", "B put KH", "B put KD")
    assert table.state.result.laid_by == 1


@pytest.mark.parametrize(("hand", "excess"), [("KS KH KD 7S", "KS KH KD"), ("KS KH KD KC", "KS KH KD KC")])
def test_000_11_three_or_four_alike_are_shown_given_back_and_redrawn(hand: str, excess: str) -> None:
    table, events = Table.dealt("classic", ["8H 9H TH JH", hand])
    assert redrawn(events)[0] == (1, set(excess.split()))
    assert table_view(table.state).excess[0].seat == 1
    assert len(table.hand("B")) == 4
    assert table.hand("B") >= set(hand.split()) - set(excess.split())
    assert sorted(table.all_cards()) == sorted(DECKS[DeckKind.D32])


def test_000_12_cards_given_back_are_shuffled_into_the_stock() -> None:
    _, events = Table.dealt("classic", ["KS KH KD 7S"])
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    shuffled = next(event.stock for event in events if isinstance(event, ExcessRedrawn))
    assert sorted(shuffled) == sorted((*dealt.order[16:], Card(11, 0), Card(11, 1), Card(11, 2)))
    assert shuffled[:13] != dealt.order[16:29]


def test_000_13_a_pair_is_no_excess() -> None:
    _, events = Table.dealt("classic", ["KS KH QS QH"])
    assert redrawn(events) == []


def test_000_14_four_cards_are_turned_up_and_nobody_exchanges_before_the_hunt_is_open() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="7H 8H 9H TH", opened=False)
    assert (table.phase, len(table.pool)) == ("ready", 4)
    table.refuses("hunt_closed", "A put 7S", "A take 7H", "A sweep", "A kems", "B double")
    table.refuses("not_dealer", "A open", "C open")
    table.do("D open")
    table.do("A put 7S")


def test_000_16_the_whole_hand_may_be_exchanged_at_once() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="7H 8H 9H TH")
    table.do(*swap("A", "7S 8S 9S TS", "7H 8H 9H TH"))
    assert (table.hand("A"), table.pool) == ({"7H", "8H", "9H", "TH"}, {"7S", "8S", "9S", "TS"})


def test_000_21_a_sweep_may_be_asked_for_by_anyone_after_some_quiet_seconds() -> None:
    for asker in "ABCD":
        table = Table(hands={"A": "7S 8S 9S TS"}, pool="7H 8H 9H TH")
        table.wait(1)
        table.do(*swap("A", "7S", "8H"))
        table.wait(4.999)
        table.refuses("too_early", f"{asker} sweep")
        table.wait(0.001)
        table.do(f"{asker} sweep")
        assert table.phase == "sweep"


def test_000_23_when_all_agree_four_cards_leave_and_four_are_turned_up() -> None:
    table = Table(pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    discarded = len(table.state.discard)
    table.wait(5)
    table.refuses("no_sweep", "A yes", "B no")
    table.do("B sweep")
    table.refuses("already_answered", "B yes")
    table.refuses("sweep_running", "A sweep", f"A put {sorted(table.hand('A'))[0]}")
    table.do("A yes", "C yes")
    assert table.phase == "sweep"
    table.do("D yes")
    assert (table.phase, table.pool) == ("hunt", {"7S", "8S", "9S", "TS"})
    assert [event.asker for event in table.log if isinstance(event, PoolSwept)] == [1]
    assert (len(table.state.stock), len(table.state.discard)) == (1, discarded + 4)


def test_000_25_a_refuser_has_to_exchange_before_anybody_asks_again() -> None:
    table = Table(hands={"B": "JS QS KS AS", "C": "JH QH KH AH"}, pool="7H 8H 9H TH")
    table.wait(5)
    table.do("A sweep", "B no")
    assert (table.phase, table_view(table.state).seats[1].must_exchange) == ("hunt", True)
    table.refuses("must_exchange", "A sweep")
    table.do(*swap("C", "JH", "7H"))
    table.wait(6)
    table.refuses("must_exchange", "A sweep")
    table.do(*swap("B", "JS", "JH"))
    table.wait(5)
    table.do("A sweep")


def test_000_31_swept_cards_lie_face_down() -> None:
    table = Table(pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    for seat in range(4):
        seen = repr(player_view(table.state, seat, table.now))
        assert not any(repr(card) in seen for card in table.state.discard)
    assert table_view(table.state).discard == len(table.state.discard)
