"""The pool's slots: no card changes its slot during a hunt, and those beyond reach enter the first slot that frees."""

from dataclasses import replace
from random import Random

from bot.game import actions as a
from bot.game.build_view import legal_moves, seat_view, table_view
from bot.game.state import State, with_changes
from tests.rules.table import Table, cards
from tests.together import together


@together("slots", [6, 8, 10, 12])
@together("seed", range(5))
def test_no_card_changes_its_slot_and_the_first_waiting_card_enters_the_first_free_slot(slots: int, seed: int) -> None:
    table, chance = Table(players=8, deck="52", three_alike="allowed"), Random(seed)
    table.state = with_changes(table.state, slots=slots)
    beyond = entered = 0
    for _ in range(300):
        before = table.state
        seat = chance.randrange(8)
        moves = [
            act
            for act in sorted(legal_moves(before, seat, table.now), key=repr)
            if isinstance(act, a.PutDown if chance.random() < 0.55 else a.Take)
        ]
        if not moves:
            continue
        table.do(chance.choice(moves))
        entered += _check(before, table.state, slots)
        beyond += len(table.state.pool) > slots
    assert entered > 3 or slots == 12
    assert beyond > 10 or slots == 12


def _check(before: State, after: State, slots: int) -> int:
    """Returns how many cards came into reach."""
    waiting = before.pool[slots:]
    assert None not in after.pool[slots:]
    entered = 0
    for slot, card in enumerate(before.pool[:slots]):
        now = after.pool[slot] if slot < len(after.pool) else None
        if card is None or now == card:
            continue
        assert card not in after.pool, "a card that still lies there keeps its slot"
        assert now == (waiting[0] if waiting else None)
        entered += now is not None
    return entered


def test_a_card_that_would_make_three_alike_is_known_before_it_is_put_down() -> None:
    table = Table(hands={"A": "7S 8H 9D TC"}, pool="7C 7D KS AH")
    assert seat_view(table.state, 0).third_alike == set(cards("7S"))
    allowed = Table(hands={"A": "7S 8H 9D TC"}, pool="7C 7D KS AH", three_alike="allowed")
    assert not seat_view(allowed.state, 0).third_alike


def test_the_card_that_had_the_pool_swept_is_known_until_the_next_exchange() -> None:
    table = Table("yokai", hands={"A": "7S 8H 9D TC", "B": "KC KD QS QC"}, pool="7C 7D KS AH", stock="8S 9S TS QD")
    table.do("A put 7S")
    assert table_view(table.state).swept_third is None
    table.do("A take KS")
    assert table_view(table.state).swept_third == 0
    table.do("B put KC", "B take 8S")
    assert table_view(table.state).swept_third is None


def test_a_card_beyond_the_visible_slots_is_not_lost() -> None:
    """A table whose panel has room for five slots: cards put down beyond them wait in a row, and all can be taken."""
    table = Table(hands={"A": "7S 8S 9S TS", "B": "JS QS KS AS"}, pool="7H 8H 9H TH")
    table.state, everything = replace(table.state, slots=5), sorted(table.all_cards())
    moves = [*(f"A put {card}" for card in ("7S", "8S", "9S", "TS")), *(f"B put {card}" for card in ("JS", "QS"))]
    for move in (*moves, "A take 9S", "B take 7H", "A take QS", "A take 8H", "B take TS", "A take JS"):
        table.do(move)
        assert sorted(table.all_cards()) == everything, move
    assert table.pool == {"7S", "8S", "9H", "TH"}


def test_a_card_that_chance_took_is_known_to_its_player_until_the_next_put_down() -> None:
    table = Table(hands={"A": "7S 8H 9D TC"}, pool="JC 7D KS AH")
    table.do("A put 7S")
    table.wait(46)
    view = seat_view(table.state, 0)
    assert len(view.by_chance) == 1
    assert set(view.by_chance) <= set(view.hand)
    table.do("A put 8H")
    assert not seat_view(table.state, 0).by_chance
