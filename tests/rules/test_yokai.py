"""Sheet 004."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import HuntOpened, PoolSwept
from bot.game.signs import emoji_sign
from tests.rules.table import Stacked, Table, swap

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


@pytest.mark.parametrize("guessed", ["👀", "🎲"], ids=["right", "wrong"])
def test_004_21_after_any_guess_the_team_may_agree_on_a_new_sign(guessed: str) -> None:
    table = Table("yokai")
    table.refuses("not_allowed", "A sign 🦊")
    table.do(f"B guess #1 {guessed}")
    table.refuses("not_allowed", "B sign 🦊")
    table.do("A sign 🦊", "C accept 🦊")
    assert table.state.teams[0].plan.signs == (emoji_sign("🦊"),)
    table.do(f"B guess #1 {guessed}", "A keep")
    assert table.state.teams[0].plan.signs == (emoji_sign("🦊"),)


def test_004_23_a_game_that_is_won_by_a_guess_counts_once() -> None:
    table = Table("yokai", scores=(8, 8), best_of=3)
    table.do("B guess #1 👀", "A guess #2 🎲", "A kems")
    assert (table.phase, table.state.games) == ("over", (0, 1))


@pytest.mark.parametrize("strategies", ["", "spoken"])
def test_004_24_a_team_may_take_an_oral_sign_without_a_vote(strategies: str) -> None:
    table = Table.starting("yokai", strategies=strategies, sign_required=True)
    options = seat_view(table.state, 0).options
    assert (options.spoken, options.combined) == (True, True)
    table.do("A sign say:what_weather", "C accept say:what_weather")
    table = Table("yokai", strategies=strategies, plans={"#1": "say:what_weather"}, hands={"A": KINGS})
    assert seat_view(table.state, 1).may_speak, "a bluff may be said, too"
    table.do('A say "Oh, what weather!"', "C kems")
    assert table.outcome == "kems"


def test_004_24_other_presets_need_a_vote_for_an_oral_sign() -> None:
    for preset in ("classic", "escale", "bell", "american"):
        table = Table.starting(preset)
        assert not seat_view(table.state, 0).may_speak
        table.refuses("sign_forbidden", "A sign say:what_weather", "A sign 👀+say:what_weather")
        voted = Table.starting(preset, strategies="spoken")
        voted.do("A sign say:what_weather")
        assert not seat_view(voted.state, 0).options.combined
        voted.refuses("sign_forbidden", "A sign 👀+say:what_weather")


BOTH = "👀+say:what_weather"


def with_both(**rules: bool) -> Table:
    return Table("yokai", plans={"#1": BOTH}, hands={"A": KINGS, "B": NOTHING}, sign_required=True, **rules)


@pytest.mark.parametrize("halves", [("A react 👀",), ('A say "what weather"',), ("C react 👀", 'A say "what weather"')])
def test_004_25_half_of_a_combined_sign_is_no_sign(halves: tuple[str, ...]) -> None:
    table = with_both()
    table.do(*halves)
    table.wait(1)
    table.do(*halves)
    assert table.state.seats[0].signed_at is None
    assert [gesture.sign for gesture in table.state.gestures] == [None] * 2 * len(halves)
    table.do("C kems")
    assert table.outcome == "false_kems"


@pytest.mark.parametrize("is_said_first", [False, True])
def test_004_25_both_halves_make_it_in_any_order(is_said_first: bool) -> None:
    table = with_both()
    halves = ["A react 👀", 'A say "Well, what weather"']
    first, second = reversed(halves) if is_said_first else halves
    table.do(first)
    table.wait(2)
    table.do(second)
    assert table.state.seats[0].signed_at == 2000
    assert [gesture.sign is not None for gesture in table.state.gestures] == [False, True]
    table.do("C kems")
    assert table.outcome == "kems"


def test_004_25_both_halves_count_from_when_the_four_are_together() -> None:
    table = Table("yokai", plans={"#1": BOTH}, hands={"A": "KS KH KD 7C"}, pool="KC 8S 9H TD", sign_required=True)
    table.do("A react 👀", *swap("A", "7C", "KC"), 'A say "what weather"')
    assert table.state.seats[0].signed_at is None
    table.do(*swap("A", "KC", "8S"), *swap("A", "8S", "KC"))
    assert table.state.seats[0].halves == frozenset()
    table.do("A react 👀", 'A say "what weather"', "C kems")
    assert table.outcome == "kems"


def test_004_25_a_sign_of_two_halves_is_guessed_as_a_whole() -> None:
    for named, right in ((BOTH, True), ("👀", False), ("say:what_weather", False)):
        table = with_both()
        table.do(f"B guess #1 {named}")
        assert table.state.reports[-1].is_right is right
    table = Table.starting("yokai")
    table.refuses("sign_forbidden", "A sign 👀+say:i_have_kem's", "A sign +say:weather")


def test_004_26_cards_that_come_back_in_the_same_instant_are_swept_once() -> None:
    """Twelve players hold all other cards, so the four in the middle come back whatever is shuffled."""
    table = Table("yokai", players=12, deck="52", hands={"A": "7S"}, pool="7H 7D 7C 8S", max_sweeps=2)
    table.do("A put 7S", "A take 8S")
    assert ([type(event) for event in table.log].count(PoolSwept), table.state.sweeps) == (1, 1)
    assert (table.phase, table.pool) == ("hunt", {"7S", "7H", "7D", "7C"})
    table.wait(5)
    table.do("A sweep")
    table.wait(15)
    assert (table.phase, table.outcome) == ("over", "too_many_sweeps")


def test_004_26_cards_that_come_back_at_the_deal_are_swept_once() -> None:
    laid = Table("yokai", players=12, deck="52", pool="7H 7D 7C 8S", opened=False).state
    table = Table.starting("yokai", players=12, deck="52")
    table.rng = Stacked([*(laid.seats[seat].cards[turn] for turn in range(4) for seat in range(12)), *laid.pool_cards])
    for sign, one, other in zip("👀🎲🎩🦊☕🎈", "ABCDEF", "GHIJKL", strict=True):
        table.do(f"{one} sign {sign}", f"{other} sign {sign}")
    assert (table.phase, table.pool) == ("ready", {"7H", "7D", "7C", "8S"})
    assert [type(event) for event in table.log].count(PoolSwept) == 1


@pytest.mark.parametrize("seed", range(12))
def test_004_09_taking_back_one_card_does_not_undo_three_alike(seed: int) -> None:
    """The stock has three kings, and the fourth card comes from the discard pile, where the swept ones lie."""
    table = Table("yokai", pool="7S 8S 9S TS", stock="KS KH KD", seed=seed)
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert not table.pool >= {"KS", "KH", "KD"}
    events = [type(event) for event in table.log]
    assert events.count(HuntOpened) == events.count(PoolSwept) > 1


def test_004_08_the_player_who_laid_the_third_alike_is_known_whatever_follows() -> None:
    table = Table("yokai", hands={"A": "KS 7S 8S 9S", "B": "JS QS AS TS"}, pool="KH KD 7H 8H")
    table.do("A put KS", "B put JS", "A take 7H", "B take 8H")
    assert table_view(table.state).swept_third == 0
