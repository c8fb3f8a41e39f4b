"""What several sheets say alike, each in a clause of its own."""

from typing import Final

import pytest

from bot.game.build_view import player_view, seat_view, table_view
from bot.game.cards import DECKS
from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from tests.rules.table import Table, codes

KINGS: Final = "KS KH KD KC"
ALIKE: Final = {
    "opposite": {"001_01": "escale", "002_03": "linternaute", "003_01": "bell", "004_01": "yokai"},
    "pairs": {"002_01": "linternaute", "american_01": "american"},
    "secret": {"001_03": "escale", "002_05": "linternaute", "004_02": "yokai"},
    "one by one": {"000_10": "classic", "001_04": "escale", "002_04": "linternaute", "003_07": "bell"},
    "kept": {"004_03": "yokai", "american_02": "american"},
    "hidden": {"000_32": "classic", "001_27": "escale"},
    "reshuffled": {"000_33": "classic", "001_13": "escale", "004_10": "yokai"},
    "laid open": {"000_61": "classic", "003_20": "bell", "004_14": "yokai"},
}
"""The clauses that say so, and their presets."""


def each(said: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("preset", ALIKE[said].values(), ids=ALIKE[said])


@each("opposite")
def test_partners_sit_opposite(preset: str) -> None:
    state = Table(preset).state
    assert [state.partners(seat) for seat in range(4)] == [(2,), (3,), (0,), (1,)]


@each("pairs")
@pytest.mark.parametrize(("players", "deck"), [(4, "32"), (6, "32"), (8, "52")])
def test_four_to_eight_play_in_pairs(preset: str, players: int, deck: str) -> None:
    table = Table(preset, players=players, deck=deck)
    assert (len(table.state.teams), len(table.all_cards())) == (players // 2, int(deck))


@pytest.mark.parametrize("preset", [*ALIKE["opposite"].values(), "american"])
def test_no_other_number_of_players_is_allowed(preset: str) -> None:
    for players in (2, 9, 12) if preset in ALIKE["pairs"].values() else (2, 6, 8):
        with pytest.raises(house_rules.RulesError, match=r"for 4(, 6, 8)? players"):
            house_rules.check_table(house_rules.preset(preset), players)


@each("secret")
def test_each_team_agrees_in_secret_on_a_sign(preset: str) -> None:
    table = Table.starting(preset)
    table.do("A sign 👀")
    assert [seat_view(table.state, seat).proposal is None for seat in range(4)] == [False, True, False, True]
    assert table.phase == "signs"


@each("one by one")
def test_cards_are_dealt_one_by_one_and_the_dealer_is_last(preset: str) -> None:
    table, events = Table.dealt(preset, [])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    assert table.state.dealer == 3
    assert [table.state.seats[seat].cards for seat in range(4)] == [order[seat:16:4] for seat in range(4)]
    assert len(table.state.stock) == len(order) - 20


@each("kept")
@pytest.mark.parametrize("hand", ["KS KH KD 7S", KINGS])
def test_the_dealt_hand_is_kept(preset: str, hand: str) -> None:
    table, events = Table.dealt(preset, [hand])
    assert table.hand("A") == set(hand.split())
    assert not any(isinstance(event, ExcessRedrawn) for event in events)
    assert sum(isinstance(event, CardsDealt) for event in events) == 1


@each("hidden")
def test_the_stock_is_hidden_even_its_bottom_card(preset: str) -> None:
    table = Table(preset)
    for seat in range(4):
        seen = repr(player_view(table.state, seat, table.now))
        assert not any(repr(card) in seen for card in table.state.stock)


@each("reshuffled")
def test_the_shuffled_discard_pile_becomes_the_stock(preset: str) -> None:
    table = Table(preset, pool="7H 8H 9H TH", stock="JS QS", seed=3)
    before = table.state.discard
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    state = table.state
    assert table.pool >= {"JS", "QS"}
    assert (len(state.pool_cards), state.discard) == (4, ())
    rebuilt = (*state.pool_cards[2:], *state.stock)
    assert {card.code for card in rebuilt} == codes(before) | {"7H", "8H", "9H", "TH"}
    assert rebuilt != (*before, *state.pool_cards)
    assert sorted(table.all_cards()) == sorted(DECKS[table.rules.deal.deck])


@each("laid open")
def test_hands_are_laid_open_when_the_round_is_over(preset: str) -> None:
    table = Table(preset, hands={"A": KINGS})
    assert table_view(table.state).result is None
    table.do("C kems")
    result = table_view(table.state).result
    assert result.hands == tuple(seat.hand for seat in table.state.seats)
    assert result.kems_holders == (0,)
