"""Whole matches of robots on the real core: they end, they break no rule, and a person has a fair game with them."""

from collections import Counter
from functools import cache
from statistics import median

import pytest

from bot.game.events import CardsDealt, CardTaken, HuntOpened, Outcome, SweepAsked, SweepRefused
from bot.game.rules.house_rules import override, read_rules
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.state import Phase
from bot.robots import LEVELS, RobotLevel
from tests.robots.driver import Record, play_match
from tests.robots.quick import quick_timing

FALSE = {Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER}


@cache
def _played(preset: str) -> Record:
    return play_match(override(PRESETS[preset], {"target": "5"}), seed=3, max_moves=3000)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_by_every_preset_is_played_to_its_end(preset: str) -> None:
    record = _played(preset)
    assert record.state.phase is Phase.MATCH_OVER
    assert not record.refused


def test_rounds_are_long_enough_for_a_person_and_seldom_end_with_a_mistake() -> None:
    rounds = [item for preset in PRESETS for item in _played(preset).rounds]
    outcomes = Counter(event.outcome for event, _ in rounds)
    assert 30_000 <= median(length for _, length in rounds) <= 120_000
    assert sum(outcomes[outcome] for outcome in FALSE) < len(rounds) / 5
    assert outcomes[Outcome.KEMS] > len(rounds) / 2
    assert outcomes[Outcome.COUNTER] > 0
    assert any(isinstance(event, SweepRefused) for preset in PRESETS for event in _played(preset).events)


@pytest.mark.parametrize(
    ("seats", "changed"), [(2, {}), (6, {}), (9, {"deck": "52", "team_size": "3"}), (12, {"deck": "52", "target": "1"})]
)
def test_robots_play_with_any_number_of_seats_and_teams(seats: int, changed: dict[str, str]) -> None:
    record = play_match(override(CLASSIC, {"target": "2", **changed}), seed=1, seats=seats, max_moves=1500)
    assert record.state.phase is Phase.MATCH_OVER
    assert not record.refused


def test_robots_do_not_wait_for_ever_for_somebody_who_never_moves() -> None:
    rules = override(CLASSIC, {"target": "2", "auto_open": "5"})
    record = play_match(rules, seed=1, silent=frozenset({0}), max_moves=1500)
    assert record.state.phase is Phase.MATCH_OVER


def test_the_same_seeds_play_the_same_match() -> None:
    rules = override(CLASSIC, {"target": "2"})
    first, second = (play_match(rules, seed=7) for _ in range(2))
    assert first.events == second.events


def test_a_quick_tempo_plays_the_same_moves_in_less_time() -> None:
    record = play_match(override(CLASSIC, {"target": "2"}), seed=2, timing=quick_timing(20), max_moves=1500)
    assert record.state.phase is Phase.MATCH_OVER
    assert not record.refused
    assert median(length for _, length in record.rounds) < 20_000


@pytest.mark.parametrize("seed", range(3))
def test_a_beginner_asks_for_one_sweep_in_a_hunt_and_refuses_one(seed: int) -> None:
    """It asks again only where nobody has exchanged a card for a minute."""
    record = play_match(read_rules("classic target=3"), seed=seed, level=LEVELS[RobotLevel.BEGINNER])
    counts: Counter[tuple[str, int]] = Counter()
    exchanged_at = votes = 0
    for event in record.events:
        match event:
            case CardsDealt():
                counts.clear()
            case CardTaken(at=at) | HuntOpened(at=at):
                exchanged_at = at
            case SweepAsked(at=at, seat=seat) if at - exchanged_at < 60_000:
                votes += 1
                counts["asks", seat] += 1
            case SweepRefused(seat=seat):
                counts["refuses", seat] += 1
        assert max(counts.values(), default=0) <= 1
    assert votes
