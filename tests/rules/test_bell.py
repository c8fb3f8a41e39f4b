"""Sheet 003, but for the sign cards, which are in `test_strategies`."""

import pytest

from bot.game.build_view import table_view
from bot.game.cards import DECKS, DeckKind
from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import BELL
from bot.ui.kit.texts import Texts
from bot.ui.words.rules_text import explain
from tests.rules.table import Table, codes, swap

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


def test_003_01_four_players_facing_their_partners() -> None:
    state = Table("bell").state
    assert [state.partners(seat) for seat in range(4)] == [(2,), (3,), (0,), (1,)]
    with pytest.raises(house_rules.RulesError, match="for 4 players"):
        house_rules.check_table(BELL, 6)


def test_003_02_thirteen_characters_of_four_cards_and_two_jokers() -> None:
    deck = DECKS[BELL.deal.deck]
    assert (BELL.deal.deck, len(deck)) == (DeckKind.D54, 54)
    groups = [card.group for card in deck if not card.is_joker]
    assert {groups.count(group) for group in groups} == {4}
    assert len(set(groups)) == 13


@pytest.mark.parametrize("hand", ["KS KH KD X1", "KS KH X1 X2"], ids=["one", "two"])
def test_003_03_a_joker_stands_for_any_card(hand: str) -> None:
    table = Table("bell", hands={"A": hand})
    table.do("C kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


@pytest.mark.parametrize("hand", ["KS KH QD X1", "KS QH X1 X2"], ids=["one", "two"])
def test_003_04_jokers_alone_make_no_kems(hand: str) -> None:
    table = Table("bell", hands={"A": hand})
    table.do("C kems")
    assert table.outcome == "false_kems"


@pytest.mark.parametrize(
    ("hand", "excess"),
    [("KS KH KD 7S", "KS KH KD"), (KINGS, KINGS), ("X1 7S X2 8S", "X1 X2"), ("KS KH KD X1", "KS KH KD")],
    ids=["three", "four", "jokers", "joker-and-three"],
)
def test_003_05_three_or_four_alike_or_both_jokers_are_given_back(hand: str, excess: str) -> None:
    table, events = Table.dealt("bell", [hand])
    first = next(event for event in events if isinstance(event, ExcessRedrawn))
    assert (first.seat, codes(first.cards)) == (0, set(excess.split()))
    assert codes(first.stock) >= set(excess.split())
    assert sorted(table.all_cards()) == sorted(DECKS[DeckKind.D54])


def test_003_06_two_alike_and_a_joker_are_no_excess() -> None:
    _, events = Table.dealt("bell", ["KS KH X1 7S", "X2 8H 8D 9S"])
    assert not any(isinstance(event, ExcessRedrawn) for event in events)


def test_003_07_four_cards_each_one_by_one_the_rest_is_the_stock() -> None:
    table, events = Table.dealt("bell", [])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    assert [table.state.seats[seat].cards for seat in range(4)] == [order[seat:16:4] for seat in range(4)]
    assert len(table.state.stock) == 54 - 20


def test_003_08_one_or_several_cards_are_exchanged_also_for_what_others_laid() -> None:
    table = Table("bell", hands={"A": NOTHING, "B": "JS QS KS AS"}, pool="7H 8H 9H TH")
    table.do("B put JS", *swap("A", "7S 8S", "JS 7H"))
    assert table.hand("A") == {"JS", "7H", "9S", "TS"}


def test_003_09_when_nobody_exchanges_four_new_cards_are_turned_up() -> None:
    table = Table("bell", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do("A sweep", "B no", "C sweep", "A yes", "B yes", "D yes")
    assert table.pool == {"7S", "8S", "9S", "TS"}
    assert codes(table.state.discard) >= {"7H", "8H", "9H", "TH"}


def test_003_10_three_alike_in_the_pool_change_nothing() -> None:
    table = Table("bell", hands={"A": "KS 7H 8H 9H"}, pool="KH KD 7S 8S")
    table.do("A put KS")
    assert table.phase == "hunt"


def test_003_11_the_partners_kems_is_worth_one_point() -> None:
    table = Table("bell", hands={"A": KINGS})
    table.do("C kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


def test_003_12_a_super_kems_is_worth_two_points() -> None:
    table = Table("bell", hands={"A": KINGS, "C": ACES})
    table.do("C double")
    assert (table.outcome, table.scores) == ("double", (2, 0))


def test_003_13_a_counter_before_it_is_worth_one_point() -> None:
    table = Table("bell", hands={"A": KINGS})
    table.refuses("not_allowed", "B counter A", "B counter2 #1")
    table.do("B counter #1")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_003_14_a_counter_against_two_kems_is_worth_two_points() -> None:
    table = Table("bell", hands={"A": KINGS, "C": ACES})
    table.do("B counter #1")
    assert (table.outcome, table.scores) == ("counter", (0, 2))


def test_003_15_a_false_counter_gives_the_other_team_a_point() -> None:
    table = Table("bell")
    table.do("B counter #1")
    assert (table.phase, table.outcome, table.scores) == ("over", "false_counter", (1, 0))


def test_003_16_false_calls_give_the_other_team_a_point() -> None:
    for call in ("A kems", "A double"):
        table = Table("bell")
        table.do(call)
        assert table.scores == (0, 1)


def test_003_17_the_dealer_changes_every_round() -> None:
    table = Table("bell")
    for dealer in (0, 1, 2, 3):
        table.do("A kems", "- next")
        assert table.state.dealer == dealer
        table.do(f"{'ABCD'[dealer]} open")


@pytest.mark.parametrize("rounds", [1, 3, 8])
def test_003_18_the_team_with_most_points_after_the_agreed_rounds_wins(rounds: int) -> None:
    assert BELL.end.rounds == 8
    table = Table("bell", rounds=rounds)
    for number in range(1, rounds):
        table.do("A kems", "- next")
        assert table.state.round == number + 1
        table.do(f"{'ABCD'[table.state.dealer]} open")
    table.do("A kems")
    assert (table.phase, table.state.winner, table.scores) == ("match_over", 1, (0, rounds))


@pytest.mark.parametrize("texts", [Texts("fr"), Texts("en")], ids=["fr", "en"])
def test_003_19_the_caller_hits_the_bell(texts: Texts) -> None:
    told = "\n".join(explain(BELL, texts))
    assert "🛎️" in told
    assert "Super Kem's" in told
    assert "🛎️" not in "\n".join(explain(house_rules.override(BELL, {"bell": "no"}), texts))


def test_003_20_the_four_alike_are_laid_open() -> None:
    table = Table("bell", hands={"A": KINGS})
    table.do("C kems")
    result = table_view(table.state).result
    assert result is not None
    assert (result.kems_holders, codes(card for card in result.hands[0] if card)) == ((0,), set(KINGS.split()))
