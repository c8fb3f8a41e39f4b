"""Robots that do not keep a test waiting."""

from dataclasses import asdict

from bot.robots.level import Timing


def quick_timing(factor: int) -> Timing:
    """A timing so many times faster than a person's."""
    return Timing(**{name: (low // factor, high // factor) for name, (low, high) in asdict(Timing()).items()})
