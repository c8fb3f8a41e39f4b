"""Time zones as people write them."""

import pytest

from bot.ladder.zones import find_zone, near_zones, zones


@pytest.mark.parametrize(
    ("name", "known"), [("Europe/Paris", True), ("Mars/Olympus", False), ("", False), ("../etc", False)]
)
def test_zones_are_known_by_name(name: str, known: bool) -> None:
    assert (name in zones()) is known


@pytest.mark.parametrize(
    ("written", "zone"),
    [
        ("Europe/Paris", "Europe/Paris"),
        (" europe/PARIS ", "Europe/Paris"),
        ("paris", "Europe/Paris"),
        ("Montréal", "America/Montreal"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Europe", None),
        ("", None),
        ("../etc", None),
        ("Louisville", None),  # there are two of that name
    ],
)
def test_a_zone_is_found_in_any_spelling(written: str, zone: str | None) -> None:
    assert find_zone(written) == zone


@pytest.mark.parametrize(
    ("written", "zone"),
    [("Pariss", "Europe/Paris"), ("Bruxelles", "Europe/Brussels"), ("guadel", "America/Guadeloupe")],
)
def test_what_was_meant_is_offered(written: str, zone: str) -> None:
    assert zone in near_zones(written)


@pytest.mark.parametrize("written", ["", "   ", "xyzzyq", "9" * 64])
def test_nothing_is_offered_for_what_is_like_nothing(written: str) -> None:
    assert near_zones(written) == ()
