"""Nobody holds up a table, and no pool circles for ever; gestures between rounds; tables of any size. Sheet 000."""

import pytest

from bot.game.build_view import player_view, table_view
from bot.game.events import MatchPaused, MatchResumed
from bot.game.evolve import evolve
from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, Rules
from tests.rules.table import Table, swap

NOTHING, KINGS = "7S 8S 9S TS", "KS KH KD KC"
POOL = "JH QD KS AC"


@pytest.mark.parametrize("preset", PRESETS)
def test_000_72_a_player_who_owes_a_card_too_long_is_given_a_random_one(preset: str) -> None:
    table = Table(preset, hands={"A": NOTHING}, pool=POOL)
    table.do("A put 7S")
    assert table_view(table.state).seats[0].take_ends_at == 45_000
    table.wait(44.999)
    assert table.state.seats[0].owes == 1
    table.wait(0.001)
    taken = table.log[-1]
    assert (taken.at, taken.seat, taken.by_chance) == (45_000, 0, True)
    assert table.hand("A") == {"8S", "9S", "TS", taken.card.code}
    assert table.state.seats[0].by_chance_at == 45_000, "of the take, not of the hunt"
    assert table_view(table.state).seats[0].take_ends_at is None


def test_000_72_any_open_cards_may_be_given_for_all_that_is_owed() -> None:
    taken = set()
    for seed in range(30):
        table = Table(hands={"A": NOTHING}, pool=POOL, seed=seed)
        table.do(*(f"A put {card}" for card in ["7S", "8S", "9S"]))
        table.wait(45)
        assert (table.state.seats[0].owes, len(table.state.pool_cards)) == (0, 4)
        taken |= table.hand("A") - {"TS"}
    assert taken == {*POOL.split(), "7S", "8S", "9S"}


def test_000_72_without_a_limit_three_alike_are_judged_at_the_put_down() -> None:
    table = Table(hands={"A": NOTHING}, pool=POOL, take_limit=0)
    table.do("A put 7S")
    table.wait(999)
    assert table.state.seats[0].owes == 1
    outcomes = set()
    for seed in range(12):
        hands = {"A": "7S 8S 9S JC", "B": "TS TH QS QH"}
        table = Table("yokai", hands=hands, pool="7H 7D 8H KD", seed=seed)
        table.do("A put 7S")
        table.wait(45)
        outcomes.add(len(table.state.discard))
    assert outcomes == {0, 4}, "what chance leaves is swept where it is three alike"


def test_000_72_each_player_who_owes_a_card_has_their_own_time() -> None:
    table = Table(hands={"A": NOTHING}, pool=POOL)
    table.do("A put 7S")
    table.wait(10)
    other = min(table.hand("B"))
    table.do(f"B put {other}")
    table.wait(35)
    assert [seat.owes for seat in table.state.seats] == [0, 1, 0, 0]
    table.wait(10)
    assert [seat.owes for seat in table.state.seats] == [0, 0, 0, 0]


def test_000_73_put_downs_and_gestures_gain_no_time() -> None:
    table = Table(hands={"A": NOTHING}, pool=POOL)
    table.do("A put 7S")
    for card in ("8S", "9S"):
        table.wait(14)
        table.do("A react 👀", f"A put {card}")
    table.wait(16)
    table.do("A take JH", "A react 👀")
    assert table.state.seats[0].owes == 2
    table.wait(1)
    assert table.state.seats[0].owes == 0


def test_000_74_a_pause_does_not_count_against_a_player_who_owes() -> None:
    table = Table(hands={"A": NOTHING}, pool=POOL)
    table.do("A put 7S")
    table.wait(30)
    state = evolve(table.state, MatchPaused(30_000))
    assert table_view(state).seats[0].take_ends_at is None
    table.state, table.now = evolve(state, MatchResumed(100_000)), 100_000
    assert table_view(table.state).seats[0].take_ends_at == 115_000
    table.wait(14)
    assert table.state.seats[0].owes == 1
    table.wait(1)
    assert table.state.seats[0].owes == 0


def swept(table: Table) -> None:
    """One sweep more, by silence."""
    table.wait(table.state.rules.sweep.quiet)
    table.do("A sweep")
    table.wait(table.state.rules.sweep.sweep_vote)


def circling(preset: str, **rules: float | str) -> Table:
    """Three alike would end the round before the sweeps do, so they may lie."""
    return Table(preset, pool=POOL, three_alike="allowed", **rules)


@pytest.mark.parametrize("preset", PRESETS)
def test_000_75_twenty_sweeps_in_a_row_end_the_round(preset: str) -> None:
    table = circling(preset)
    for _ in range(19):
        swept(table)
    assert table.phase == "hunt"
    swept(table)
    assert (table.phase, table.outcome, table.scores) == ("over", "too_many_sweeps", (0, 0))


def test_000_75_sweeps_have_no_limit_when_it_is_switched_off() -> None:
    table = circling("linternaute", max_sweeps=0)
    for _ in range(60):
        swept(table)
    assert table.phase == "hunt"


def test_000_75_overdue_sweeps_count_and_a_new_round_starts_at_zero() -> None:
    table = circling("classic", max_sweeps=2)
    table.wait(5)
    table.do("A sweep", "B no")
    table.wait(20)
    assert table.phase == "hunt"
    swept(table)
    assert table.outcome == "too_many_sweeps"
    table.do("- next")
    assert table.state.sweeps == 0


def test_000_76_an_exchange_ends_the_row_of_sweeps_and_taking_ones_own_card_does_not() -> None:
    table = circling("linternaute", max_sweeps=2, down=2)
    swept(table)
    card, another = sorted(table.hand("A"))[:2]
    other = min(table.pool)
    table.do(*swap("A", card, card), *swap("A", f"{card} {another}", f"{another} {card}"))
    assert table.state.sweeps == 1
    table.do(*swap("A", card, other))
    assert table.state.sweeps == 0
    swept(table)
    assert table.phase == "hunt"
    swept(table)
    assert table.outcome == "too_many_sweeps"


def test_000_77_gestures_between_rounds_are_recorded_and_are_no_sign() -> None:
    table = Table(hands={"A": KINGS}, signs_told="round")
    table.do("A react 👀", "C kems")
    table.wait(2)
    table.do("A react 👀", "B react 🍀")
    made = table_view(table.state).gestures
    assert [(item.at, item.seat, item.text, item.is_sign) for item in made] == [
        (0, 0, "👀", True),
        (2000, 0, "👀", False),
        (2000, 1, "🍀", False),
    ]
    table.refuses("round_over", "B guess #1 👀")
    table.do("- next")
    assert table_view(table.state).gestures == ()


def test_000_77_no_gesture_is_recorded_after_the_match() -> None:
    table = Table(hands={"A": KINGS}, target=1)
    table.do("C kems")
    table.refuses("match_over", "A react 👀")


def by(words: str) -> Rules:
    name, *values = words.split()
    return house_rules.override(house_rules.preset(name), dict(value.split("=") for value in values))


def test_000_78_ten_play_in_five_teams() -> None:
    rules = by("classic deck=52 players=10")
    house_rules.check_table(rules, 10)
    assert house_rules.teams_for(rules, 10) == 5
    assert house_rules.changes(rules) == {"deck": "52", "players": "10"}
    with pytest.raises(house_rules.RulesError, match="for 10 players, not 4"):
        house_rules.check_table(rules, 4)
    table = Table(players=10, deck="52", hands={"A": KINGS})
    table.do("F kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0, 0, 0, 0))


@pytest.mark.parametrize("preset", PRESETS)
def test_000_78_every_preset_may_be_played_by_any_number(preset: str) -> None:
    for count in map(int, AXES["players"].values):
        rules = house_rules.with_room(house_rules.for_players(house_rules.preset(preset), count), count)
        house_rules.check_table(rules, count)
        is_own = count in PRESETS[preset].seating.players
        assert house_rules.changes(rules).get("players") == (None if is_own else str(count))
        assert house_rules.for_players(rules, 4).seating.players == (
            PRESETS[preset].seating.players if 4 in PRESETS[preset].seating.players else (4,)
        )


@pytest.mark.parametrize("written", ["3", "5", "14", "4,5", "", "four", "0"])
def test_000_78_numbers_without_teams_are_refused(written: str) -> None:
    with pytest.raises(house_rules.RulesError, match="choose one of 2, 4, 6, 8, 9, 10, 12"):
        by(f"classic players={written}")


def test_000_78_several_numbers_may_be_allowed() -> None:
    rules = by("escale players=6,4,4")
    assert rules.seating.players == (4, 6)
    assert house_rules.changes(rules) == {"players": "4,6"}


def test_000_138_pre_sign_may_be_asked_to_stop_between_rounds() -> None:
    table = Table(hands={"A": KINGS}, strategies="presign total", plans={"#1": "presign 👀"})
    table.do("C kems")
    table.refuses("round_over", "B accuse #1 total")
    legal = player_view(table.state, 1, 0).legal
    assert table.read("B accuse #1 presign") in legal
    table.do("B accuse #1 presign")
    assert table_view(table.state).reports[-1].is_right
    assert not table.state.teams[0].plan.presign
    table.refuses("already_answered", "D accuse #1 presign")
    table.do("- next")
    table.refuses("already_answered", "B accuse #1 presign")
