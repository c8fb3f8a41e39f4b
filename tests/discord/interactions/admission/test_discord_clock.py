"""The bot tells Discord's time, whatever this machine's clock says."""

from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from yarl import URL

from bot.discord.interactions.admission.admission import Admission, PressRate
from bot.discord.interactions.admission.discord_clock import DELAY_MS, DiscordClock
from tests.discord.interactions.admission.test_lateness import NOON, press

HOUR = 3_600_000
WRONG_BY = [-HOUR, -600_000, 600_000, HOUR]


class Instant:
    """Discord's instant `at`, and this machine's clock, which is wrong by so much."""

    def __init__(self, wrong_by: int) -> None:
        self.at = NOON + 123
        self.wrong_by = wrong_by
        self.clock = DiscordClock(self)

    def now(self) -> int:
        return self.at + self.wrong_by

    def answers(self, *, delay: int = 0, path: str = "/api/v10/gateway", **headers: str) -> None:
        """An answer from Discord arrives after a delay, with its date unless there are other headers."""
        sent: dict[str, str] = headers or {"Date": formatdate(self.at // 1000, usegmt=True)}
        self.at += delay
        answer: Any = SimpleNamespace(headers=sent, url=URL(path))  # no more of it is read
        self.clock.on_answer(answer)

    @property
    def error(self) -> int:
        return self.clock.now() - self.at


@pytest.mark.parametrize("wrong_by", WRONG_BY)
async def test_the_first_answer_sets_a_wrong_clock_and_the_log_says_so(wrong_by: int) -> None:
    here = Instant(wrong_by)
    assert here.error == wrong_by
    with capture_logs() as logs:
        for _ in range(5):
            here.answers()
            here.at += 777
    assert abs(here.error) <= 1000
    (entry,) = logs
    assert entry["event"] == "clock.wrong"
    assert abs(entry["seconds_ahead"] - wrong_by / 1000) <= 1


@pytest.mark.parametrize(("path", "headers"), [("/avatars/1/2.png", {}), ("/api/v10/gateway", {"Age": "7"})])
async def test_caches_and_servers_of_pictures_set_no_clock(path: str, headers: dict[str, str]) -> None:
    here = Instant(0)
    told = formatdate(here.at // 1000 + 3600, usegmt=True)
    here.answers(path=path, Date=told, **headers)
    assert here.error == 0


@pytest.mark.parametrize("wrong_by", [0, 100, 900])
async def test_a_clock_that_is_right_is_followed_to_the_millisecond(wrong_by: int) -> None:
    here = Instant(wrong_by)
    for delay in (0, 50, DELAY_MS - 900, 700):
        here.answers(delay=delay)
        assert here.error == wrong_by
        here.at += 12_345


@pytest.mark.parametrize("wrong_by", WRONG_BY)
async def test_an_object_from_the_future_sets_the_clock(wrong_by: int) -> None:
    here = Instant(wrong_by)
    here.at += 800  # the header's second is nearly over
    here.answers()
    here.clock.is_after(here.at - 90)
    assert -90 <= here.error <= 1000
    here.clock.is_after(here.at - HOUR)
    assert -90 <= here.error <= 1000, "an old instant says nothing"


async def test_a_clock_that_is_put_right_or_drifts_is_noticed() -> None:
    here = Instant(HOUR)
    here.answers()
    for here.wrong_by in (0, -7000, HOUR):
        here.answers()
        assert abs(here.error) <= 1000


@pytest.mark.parametrize("headers", [{"Via": "1.1 rig"}, {"Date": "yesterday"}, {"Date": ""}])
async def test_a_response_without_a_date_does_not_set_the_clock(headers: dict[str, str]) -> None:
    here = Instant(HOUR)
    here.answers(**headers)
    assert here.error == HOUR


async def test_presses_tell_the_time() -> None:
    """So that a robot's call, which has no press, is not taken for one that was made before a player's."""
    here = Instant(-600_000)
    admission = Admission(here.clock, PressRate())
    made: Any = press(here.at - NOON)
    made.user = SimpleNamespace(id=1)
    assert await admission.admits(made)
    assert here.error == 0
