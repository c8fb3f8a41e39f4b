"""When a night begins, as people write it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.ui.night.plan.when import read_when

PARIS = ZoneInfo("Europe/Paris")
NOW = int(datetime(2026, 11, 22, 11, 0, tzinfo=PARIS).timestamp()) * 1000  # a Sunday


@pytest.mark.parametrize(("written", "meant"), [
    ("samedi 21:00", (2026, 11, 28, 21, 0)),
    ("Saturday 21:00", (2026, 11, 28, 21, 0)),
    ("sat 9:30 pm", (2026, 11, 28, 21, 30)),
    ("2026-12-05 21:00", (2026, 12, 5, 21, 0)),
    ("2026-12-05T21:00", (2026, 12, 5, 21, 0)),
    ("21h", (2026, 11, 22, 21, 0)),
    ("21 h 30", (2026, 11, 22, 21, 30)),
    ("10h", (2026, 11, 23, 10, 0)),  # that time of today is over
    ("demain 20h30", (2026, 11, 23, 20, 30)),
    ("après-demain 18h", (2026, 11, 24, 18, 0)),
    ("tonight 9pm", (2026, 11, 22, 21, 0)),
    ("ce soir à 21h", (2026, 11, 22, 21, 0)),
    ("dimanche 10h", (2026, 11, 29, 10, 0)),
    ("dimanche 12h", (2026, 11, 22, 12, 0)),
    ("samedi 5 décembre à 21 heures", (2026, 12, 5, 21, 0)),
    ("1er janvier 20h", (2027, 1, 1, 20, 0)),
    ("Dec 5 at 9 pm", (2026, 12, 5, 21, 0)),
    ("05/12 21:00", (2026, 12, 5, 21, 0)),
    ("5/12/26 21h", (2026, 12, 5, 21, 0)),
    ("le 5 mai 2027 à 20:00", (2027, 5, 5, 20, 0)),
    ("12 am", (2026, 11, 23, 0, 0)),
    ("minuit 0h", (2026, 11, 23, 0, 0)),
])  # fmt: skip
def test_a_time_is_read_on_the_clocks_of_its_zone(written: str, meant: tuple[int, int, int, int, int]) -> None:
    found = read_when(written, "Europe/Paris", NOW)
    assert found is not None
    assert datetime.fromtimestamp(found / 1000, PARIS) == datetime(*meant, tzinfo=PARIS)


@pytest.mark.parametrize(
    "written", ["", "mardi", "bientôt", "31/02 21h", "25h", "21:75", "<@1>", "5 blurb 21", "9" * 99]
)
def test_what_names_no_time_is_not_guessed(written: str) -> None:
    assert read_when(written, "Europe/Paris", NOW) is None


def test_another_zone_is_another_instant() -> None:
    paris, new_york = (read_when("samedi 21h", zone, NOW) for zone in ("Europe/Paris", "America/New_York"))
    assert paris is not None
    assert new_york == paris + 6 * 3600 * 1000
