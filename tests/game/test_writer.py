"""A match written down and replayed is the same match."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from bot.game.events import CallKind, CallMargin, CardTaken, Event, HuntOpened, MatchStarted, Outcome, RoundEnded
from bot.game.evolve import evolve_all
from bot.game.notation.replay import replay_match
from bot.game.notation.writer import write_match
from bot.game.rules.house_rules import override, preset, without_idle_changes
from bot.game.rules.presets import PRESETS
from bot.game.signs import Strategy
from tests.examples import mostly_long
from tests.game.matches import play_at_random, what_happened, where_all_lies
from tests.rules.table import Table

QUICK = {"quiet": "1", "sweep_vote": "2", "refusal_grace": "3", "target": "4"}
CLOCKS = {"auto_open": "2", "auto_next": "3", "show_delay": "1", **QUICK}


def check(
    name: str,
    players: int,
    seed: int,
    rules: dict[str, str],
    *,
    late: int = 0,
    strategies: Collection[Strategy] = (),
) -> None:
    log = play_at_random(
        without_idle_changes(override(preset(name), rules)), players, seed, moves=250, late=late, strategies=strategies
    )
    text = write_match(log, [f"P{seat}" for seat in range(players)])
    replay, again = replay_match(text)
    happened, wanted = what_happened(again), what_happened(log)
    if late:  # a replay's clock is on time
        happened, wanted = _timeless(happened), _timeless(wanted)
    assert happened == wanted, text
    assert where_all_lies(replay.state) == where_all_lies(evolve_all(None, log)), text


def _timeless(log: list[Event]) -> list[Event]:
    return [replace(event, at=0) for event in log]


@pytest.mark.parametrize("seed", mostly_long(range(6), 0))
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("rules", [QUICK, CLOCKS], ids=["people", "clocks"])
def test_a_random_match_of_each_preset_is_written_and_read(name: str, seed: int, rules: dict[str, str]) -> None:
    check(name, 4, seed, rules)


@pytest.mark.parametrize("seed", mostly_long(range(4), 0, 1))
@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, QUICK),
        (6, {**QUICK, "three_alike": "sweeps", "swept": "under"}),
        (9, {**QUICK, "deck": "52", "team_size": "3", "best_of": "3"}),
        (12, {**QUICK, "deck": "54", "double": "two_voices", "shows": "accuser"}),
    ],
)
def test_a_random_match_of_any_size_is_written_and_read(players: int, rules: dict[str, str], seed: int) -> None:
    check("classic", players, seed, rules)


@pytest.mark.parametrize("seed", mostly_long(range(12), *range(6)))
@pytest.mark.parametrize("strategies", [set(Strategy), {Strategy.DOUBLE, Strategy.PRESIGN}], ids=["all", "double"])
def test_a_random_match_with_sign_strategies_is_written_and_read(strategies: set[Strategy], seed: int) -> None:
    rules = {**QUICK, "target": "6", "shows": "nobody", "sign_required": "yes" if seed % 2 else "no"}
    name, players = ("yokai", 4) if seed % 3 else ("classic", 6)
    check(name, players, seed, rules, strategies=strategies)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("late", [70, 900])
def test_timers_that_are_late_do_not_change_the_match(seed: int, late: int) -> None:
    check("linternaute", 4, seed, CLOCKS, late=late)
    check("classic", 12, seed, {**CLOCKS, "deck": "54", "shows": "accuser"}, late=late)


def test_a_margin_is_written_as_a_comment_that_a_replay_ignores() -> None:
    log = play_at_random(without_idle_changes(override(preset("classic"), QUICK)), 4, 2, moves=250)
    ended = next(place for place, event in enumerate(log) if isinstance(event, RoundEnded) and event.caller is not None)
    caller, at = log[ended].caller, log[ended].at
    margin = CallMargin(at, caller, (caller + 1) % 4, CallKind.COUNTER, 84)
    names = ["P0", "P1", "P2", "P3"]
    told = write_match([*log[:ended], margin, *log[ended:]], names)
    assert f"# P{caller} 84 ms before P{(caller + 1) % 4}: counter" in told.splitlines()
    assert replay_match(told)[1] == replay_match(write_match(log, names))[1]


def test_a_log_begins_with_the_match() -> None:
    with pytest.raises(ValueError, match="not with HuntOpened"):
        write_match([HuntOpened(0)], "ABCD")


def test_a_match_without_a_deal_is_written_as_a_head_without_moves() -> None:
    text = write_match([MatchStarted(0, preset("bell"), 4, 2, 1)], ["Léa", "Bruno", "Chloé", "Denis"])
    assert text.splitlines() == [
        '[Kgn "1"]',
        '[Preset "bell"]',
        '[Seats "Léa Bruno Chloé Denis"]',
        '[Teams "2"]',
        '[Dealer "Bruno"]',
        "",
    ]
    assert replay_match(text)[0].state.dealer == 1


def owing_three_alike(stock: str | None, stock_out: str) -> Table:
    """B has refused a sweep and owes an exchange, before it is due; A's exchange leaves three kings in the middle."""
    hands = {"A": "KS 7H 8D 9C"}
    table = Table(hands=hands, pool="KH KD TH JH", stock=stock, quiet=0, three_alike="sweeps", stock_out=stock_out)
    table.do("A sweep", "B no")
    assert table.state.duty is not None
    table.do("A put KS", "A take TH")
    return table


def test_two_deadlines_at_the_end_of_the_log_are_written_as_two_ticks() -> None:
    """No later line tells the replay that the second has passed."""
    table = Table(hands={"A": "KS 7H 8D 9C", "B": "QS 7D 8C 9H"})
    table.do("A put KS")
    table.wait(1)
    table.do("B put QS")
    table.wait(45)
    log = [*table.opening, *table.log]
    assert [event.seat for event in log if isinstance(event, CardTaken) and event.by_chance] == [0, 1]
    text = write_match(log, table.names)
    assert text.count(" - tick") == 2
    assert what_happened(replay_match(text)[1]) == what_happened(log)


def test_a_sweep_of_three_alike_during_an_exchange_is_not_written_as_a_deadline() -> None:
    table = owing_three_alike(None, "reshuffle")
    log = [*table.opening, *table.log]
    text = write_match(log, table.names)
    assert table.state.sweeps > 0
    assert " - tick" not in text
    assert what_happened(replay_match(text)[1]) == what_happened(log)


def test_a_stock_that_is_out_while_a_player_owes_an_exchange_is_no_deadline() -> None:
    table = owing_three_alike("8S", "ends")
    assert table.state.result is not None
    assert table.state.result.outcome is Outcome.STOCK_OUT
    assert " - tick" not in write_match([*table.opening, *table.log], table.names)
