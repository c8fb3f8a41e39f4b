"""Kemps as it is commonly played in America: no sheet, but the same axes; a preset made of data alone."""

import pytest

from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import AMERICAN
from tests.rules.table import Table

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


@pytest.mark.parametrize("players", [4, 6, 8])
def test_american_01_four_to_eight_players_in_pairs_with_fifty_two_cards(players: int) -> None:
    table = Table("american", players=players)
    assert (len(table.all_cards()), len(table.state.teams)) == (52, players // 2)
    for others in (2, 9, 12):
        with pytest.raises(house_rules.RulesError, match="for 4, 6, 8 players"):
            house_rules.check_table(AMERICAN, others)


@pytest.mark.parametrize("hand", ["KS KH KD 7S", KINGS])
def test_american_02_what_is_dealt_is_kept(hand: str) -> None:
    table, events = Table.dealt("american", [hand])
    assert table.hand("A") == set(hand.split())
    assert not any(isinstance(event, ExcessRedrawn) for event in events)
    assert sum(isinstance(event, CardsDealt) for event in events) == 1


def test_american_14_the_deal_goes_round() -> None:
    table = Table("american")
    table.do("B kems", "- next", "A open")
    assert table.state.dealer == 0
