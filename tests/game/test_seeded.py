"""Seeded shuffles: they repeat, lose no card, and put each card into each place equally often."""

from collections import Counter

from bot.game.match import SeededRandom


def test_equal_seeds_give_equal_shuffles() -> None:
    first, second, third = (list(range(32)) for _ in range(3))
    SeededRandom(5).shuffle(first)
    SeededRandom(5).shuffle(second)
    SeededRandom(6).shuffle(third)
    assert first == second != third
    assert sorted(first) == list(range(32))


def test_each_card_reaches_each_place_equally_often() -> None:
    rng, seen = SeededRandom(1), Counter[tuple[int, int]]()
    for _ in range(6000):
        cards = list(range(6))
        rng.shuffle(cards)
        seen.update(enumerate(cards))
    assert len(seen) == 36
    assert all(850 < count < 1150 for count in seen.values())  # 1,000 expected, standard deviation 29
