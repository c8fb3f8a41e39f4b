"""The first match on a phone: what the coach says leads a newcomer through it, in every language."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.async_api import Browser

from bot.discord.api.requests import PreparedView
from bot.discord.gateway.client import KemsClient
from bot.discord.text.texts import LANGUAGES, Texts
from bot.lessons import stage_robot
from bot.lessons.lesson import Lesson
from bot.robots import RobotLevel, Timing
from bot.sandbox.server import Setting
from bot.tables.match.table import Table
from bot.ui.lobby.lobby_board import welcome_board
from bot.ui.table.press_to_action import CROSSING_MS
from tests.browser.newcomer import Newcomer, plain, plays_on, taps
from tests.browser.pages import PHONE, ViewerPage, keep, viewing
from tests.browser.test_daily import Phone, Scenes
from tests.robots.quick import quick_timing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TAP_S = 3.0
ROUND_TAPS = 40
PACE = 4
"""So many times faster than people plays the one who walks the whole path, and so do the robots."""
WORDS_A_MINUTE: Final = {"fr": 195, "en": 228, "de": 179, "es": 218}
"""How quickly adults read a text in their own language (Trauzettel-Klosinski and Dietz, 2012)."""
MOST_MINUTES = 20
QUICK = quick_timing(5)


def played(bot: KemsClient) -> Table:
    (table,) = bot.rooms.directory.tables()
    return table


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("tap_s", "most", "timing"),
    [
        pytest.param(TAP_S, ROUND_TAPS, None, id="slow", marks=pytest.mark.long),
        pytest.param(0.1, 600, QUICK, id="quick"),
    ],
)
async def test_a_newcomer_wins_a_round_of_the_first_three(
    browser: Browser, tmp_path: Path, tap_s: float, most: int, timing: Timing | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow one against beginners at their own pace, as `tests/lessons/test_first_match.py` without waiting."""
    if timing is not None:
        monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=timing))
    async with begun(browser, tmp_path, "fr", timing) as (lea, newcomer, bot):
        began = time.monotonic()
        await taps(newcomer, every=tap_s, most=most, shown="+1 NOUS")
        table = played(bot)
        seat = next(iter(table.lobby.people.values()))
        print(f"\na round in {time.monotonic() - began:.0f} s")
        assert {table.lobby.level_of(other) for other in table.lobby.robot_seats()} == {RobotLevel.BEGINNER}
        view = table.table_view()
        assert view.round <= 3
        assert view.scores[seat % 2] > 0 == view.scores[1 - seat % 2]
        assert not await lea.overflows()


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_newcomer_finishes_the_first_match_although_they_press_wrong_buttons(
    browser: Browser, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=QUICK))
    async with begun(browser, tmp_path, language, QUICK) as (lea, newcomer, _):
        await taps(newcomer, every=0.1, most=300, until=Lesson.PUT)
        height = await tall(newcomer)
        await keep(newcomer.panel, f"first-{language}-put")
        await newcomer.of("put:").first.click()
        await taps(newcomer, every=0.1, most=300, until=Lesson.SWEEP)
        await asyncio.sleep(CROSSING_MS / 1000)  # until then the press may have been meant for what stood there before
        await newcomer.of("sweep").click()  # the learner need not wait
        await keep(newcomer.panel, f"first-{language}-sweep")
        assert await tall(newcomer) == height
        await taps(newcomer, every=0.1, most=300, until=Lesson.SIGN)
        await keep(newcomer.panel, f"first-{language}-sign")
        await newcomer.of("kems").click()  # one's own Kem's: false
        await taps(newcomer, every=0.1, most=500, until=Lesson.KEMS)
        await keep(newcomer.panel, f"first-{language}-kems")
        await taps(newcomer, every=0.1, most=500, until=Lesson.COUNTER)
        await keep(newcomer.panel, f"first-{language}-counter")
        assert await tall(newcomer) == height
        await taps(newcomer, every=0.1, most=300, until=Lesson.END)
        await keep(newcomer.panel, f"first-{language}-end")
        # What a robot or a card taken may end before it is read.
        quick = {Lesson.BLUFF, Lesson.READ, Lesson.THREE_ALIKE}
        assert set(newcomer.met) >= set(Lesson) - quick
        assert not await lea.overflows()


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_newcomer_comes_to_the_first_review_within_twenty_minutes(
    browser: Browser, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first match to its end, a short match, the deal of the day, the review; one tap in three seconds.

    What is no line of the coach is read at an adult's pace. What a busy machine loses counts as the newcomer's time.
    """
    quick, texts = quick_timing(PACE), Texts(language)
    monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=quick))
    async with begun(browser, tmp_path, language, quick) as (lea, newcomer, bot):
        spent = Spent(lea, WORDS_A_MINUTE[language], language)
        await taps(newcomer, every=TAP_S / PACE, most=300, until=Lesson.END)
        first = played(bot)
        await spent.step("first match", pace=PACE)
        await lea.press(texts.t("▶ Short match to 5"))
        await lea.press(texts.t("Don't wait"))
        async with asyncio.timeout(30):
            while not (later := [one for one in bot.rooms.directory.tables() if one.id != first.id]):
                await asyncio.sleep(0.1)
        (table,) = later
        await lea.wait_text(texts.t("▶ Go to the table"))
        await lea.open_channel(re.compile(" – "))
        await lea.press(texts.t("🤫 My team's sign"))
        await plays_on(newcomer, table, every=TAP_S / PACE)
        await lea.wait_text(texts.t("🔎 My mistakes"))
        await spent.step("short match", pace=PACE)
        await lea.press(texts.t("🔎 My mistakes"))
        await lea.wait_text(texts.t("Your review of match {number}", number=table.id))
        await spent.step("review")
        await lea.say(f"/kems {texts.t('daily')}")
        phone = Phone(Scenes(tmp_path, {"Léa": next(iter(table.lobby.people))}), lea, "Léa")
        for number, play in enumerate((phone.call, phone.call, phone.collect)):
            await phone.sees(texts.t("▶ Scene {number}", number=number + 1))
            await spent.step(f"before scene {number + 1}")
            await play(number)
            await phone.sees(texts.t("🏆 Board"))
            await spent.step(f"scene {number + 1}", pace=1)
        print(f"\n{language}: {sum(spent.seconds.values()) / 60:.1f} minutes", spent.seconds)
        assert not await lea.overflows()
        assert sum(spent.seconds.values()) < MOST_MINUTES * 60


@dataclass
class Spent:
    """The seconds that a newcomer has spent, by what on. Each step leaves a picture to be looked at."""

    viewer: ViewerPage
    words_a_minute: int
    language: str
    seconds: dict[str, float] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)
    _since: float = field(default_factory=time.monotonic)

    async def step(self, what: str, *, pace: float = 0) -> None:
        """What was played since the step before, `pace` times as fast as people do, and the lines that are new."""
        self.seconds[what] = (time.monotonic() - self._since) * pace
        text = await self.viewer.page.locator("#messages").inner_text()
        lines = {plain(line) for line in text.splitlines()} - self._read
        self._read |= lines
        self.seconds[f"{what}, read"] = 60 * sum(len(line.split()) for line in lines) / self.words_a_minute
        await keep(self.viewer.page, f"path-{self.language}-{len(self.seconds) // 2}-{what.replace(' ', '-')}")
        self._since = time.monotonic()


@asynccontextmanager
async def begun(
    browser: Browser, folder: Path, language: str, timing: Timing | None = None
) -> AsyncIterator[tuple[ViewerPage, Newcomer, KemsClient]]:
    """Léa's page with the first message, as `kems play` posts it, and a first match in which the coach has spoken."""
    locale, texts = LANGUAGES[language].discord, Texts(language)
    setting = Setting(viewers=("Léa",), locale=locale, locales=(locale,))
    async with (
        serving_kems(folder, setting, rng=Random(5), timing=timing, auto_open=1, auto_next=0) as (info, bot),
        viewing(browser, info.addresses) as pages,
    ):
        channel = bot.get_partial_messageable(info.channel_id)
        await channel.send(view=PreparedView(welcome_board(texts)))
        lea = await pages.open("Léa", PHONE)
        spoken = texts.t(Lesson.AGREE)[:30]
        start = lea.button(texts.t("♠ Play"))
        await lea.press_until(start, lea.page.locator("#messages"), spoken)  # a second press finds the same match
        yield lea, Newcomer(lea.page, texts), bot


async def tall(newcomer: Newcomer) -> float:
    """The height of the panel, in pixels."""
    box = await newcomer.panel.bounding_box()
    assert box is not None
    return box["height"]
