"""No rating is for sale on simulated servers, and honest players stand in the order of their strengths."""

from statistics import mean

import pytest

from tests.examples import mostly_long
from tests.ladder.simulated import ATTACKS, ORDER_BEFORE, RINGS, SEEDS, honest, played

ALL = [pytest.param(40, points, SEEDS, marks=pytest.mark.long) for points in (10, 5)]


@pytest.mark.parametrize(("people", "points", "seeds"), [(24, 10, 1), *ALL])
@pytest.mark.parametrize("attack", mostly_long(ATTACKS, "two colluders, 8 accounts", "a throw-away partner"))
def test_colluding_accounts_gain_no_more_than_the_bound(attack: str, people: int, points: int, seeds: int) -> None:
    servers = [played(people, ATTACKS[attack], seed, points) for seed in range(seeds)]
    assert mean(server.bought() - server.bound() for server in servers) < 0


@pytest.mark.parametrize("people", [40, *(pytest.param(people, marks=pytest.mark.long) for people in (6, 200))])
@pytest.mark.parametrize("seeds", [1, pytest.param(SEEDS, marks=pytest.mark.long)])
@pytest.mark.parametrize("ring", mostly_long(RINGS, "4 accounts of one player"))
def test_no_group_of_colluding_accounts_overtakes_the_best_honest_player(ring: str, people: int, seeds: int) -> None:
    servers = [played(people, RINGS[ring], seed) for seed in range(seeds)]
    assert sum(server.bought() > max(server.ratings()) for server in servers) <= seeds / 10


@pytest.mark.long
@pytest.mark.parametrize(("people", "before"), ORDER_BEFORE.items())
def test_honest_players_keep_their_order(people: int, before: float) -> None:
    """On a server of six, too: its few opponents are as many as the median's."""
    assert mean(played(people, honest, seed).order() for seed in range(SEEDS)) > before - 0.02
