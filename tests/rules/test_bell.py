"""Sheet 003, but for the sign cards, which are in `test_strategies`."""

import pytest

from bot.discord.text.texts import Texts
from bot.game.cards import DECKS, DeckKind
from bot.game.events import ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import BELL
from bot.ui.words.rules_text import explain
from tests.rules.table import Table, codes

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


def test_003_02_thirteen_characters_of_four_cards_and_two_jokers() -> None:
    deck = DECKS[BELL.deal.deck]
    assert (BELL.deal.deck, len(deck)) == (DeckKind.D54, 54)
    groups = [card.group for card in deck if not card.is_joker]
    assert {groups.count(group) for group in groups} == {4}
    assert len(set(groups)) == 13


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
