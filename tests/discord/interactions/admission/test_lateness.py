"""Late presses are known by Discord's clock, whatever ours says."""

from types import SimpleNamespace

import pytest

from bot.discord.interactions.admission.admission import LATE_MS, Lateness

NOON = 1_800_000_000_000


def press(made: int) -> SimpleNamespace:
    """An interaction as Discord numbers it: made so many milliseconds after noon."""
    return SimpleNamespace(id=(NOON + made - 1_420_070_400_000 << 22) + 77)


class Our:
    """Our clock, which may be wrong; `is_late` hears of a press made and delivered at these instants."""

    def __init__(self, wrong_by: int) -> None:
        self.wrong_by = wrong_by
        self.lateness = Lateness()

    def is_late(self, made: int, delivered: int) -> bool:
        """Whoever seems late is told so, and Discord takes that answer within three seconds, as it would any other."""
        lag = delivered + self.wrong_by - made
        is_late = self.lateness.is_late(lag)
        if is_late and delivered - made < LATE_MS:
            self.lateness.was_in_time(lag)
        return is_late


@pytest.mark.parametrize("wrong_by", [0, -60_000, 60_000])
def test_a_press_is_late_after_three_seconds(wrong_by: int) -> None:
    our = Our(wrong_by)
    assert not our.is_late(0, 90)
    assert not our.is_late(1000, 4000)
    assert our.is_late(5000, 8200)
    assert not our.is_late(9000, 9050)


@pytest.mark.parametrize("wrong_by", [0, -60_000, 60_000])
@pytest.mark.parametrize("quiet_for", [0, 3_600_000])
def test_no_late_press_acts_after_a_lost_connection_however_many_there_are(wrong_by: int, quiet_for: int) -> None:
    """Forty presses a second for ten seconds, all delivered when the gateway is back; twice."""
    our = Our(wrong_by)
    assert not our.is_late(0, 50)
    for dropped in (quiet_for + 1000, quiet_for + 60_000):
        back = dropped + 10_000
        acted = [made for made in range(dropped, back, 25) if not our.is_late(made, back + 40)]
        assert acted == [made for made in range(dropped, back, 25) if back + 40 - made <= LATE_MS + 50]


@pytest.mark.parametrize("jump", [4_000, 3_600_000])
def test_correcting_a_clock_costs_at_most_one_press(jump: int) -> None:
    our = Our(0)
    for wrong_by in (0, jump, 0, jump):
        our.wrong_by = wrong_by
        late = [our.is_late(made, made + 50) for made in range(0, 10_000, 100)]
        assert sum(late) <= 1
        assert not our.is_late(20_000, 22_900)
        assert our.is_late(30_000, 33_200)


def test_a_clock_that_runs_too_fast_costs_few_presses() -> None:
    """A second gained each hour, for a day; a press every minute."""
    our = Our(0)
    late = 0
    for made in range(0, 24 * 3_600_000, 60_000):
        our.wrong_by = made // 3600
        late += our.is_late(made, made + 50)
    assert late <= 24 // 3
    assert our.is_late(made + 1000, made + 8000)
