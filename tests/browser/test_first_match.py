"""The first match on a phone: what the coach says leads a newcomer through it, in both languages."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser

from bot.lessons import stage_robot
from bot.lessons.lesson import Lesson
from bot.robots import RobotLevel, Timing
from bot.sandbox import Setting
from bot.tables.match.table import Table
from bot.ui.client import KemsClient
from bot.ui.kit.interactions import PreparedView
from bot.ui.kit.texts import LANGUAGES, Texts
from bot.ui.lobby.public_screen import welcome_board
from bot.ui.table.press_to_action import CROSSING_MS
from bot.ui.words import coach_text
from tests.browser.newcomer import Newcomer, taps
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TAP_S = 3.0
ROUND_TAPS = 40
LANGUAGES_PLAYED = ("fr", "en")
QUICK = Timing.quick(5)


def played(bot: KemsClient) -> Table:
    (table,) = bot.parts.directory.tables()
    return table


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("tap_s", "most", "timing"),
    [
        pytest.param(TAP_S, ROUND_TAPS, None, id="slow", marks=pytest.mark.long),
        pytest.param(0.1, 300, QUICK, id="quick"),
    ],
)
async def test_a_newcomer_wins_a_round_of_the_first_three(
    browser: Browser, tmp_path: Path, tap_s: float, most: int, timing: Timing | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow one against beginners at their own pace, which `tests/tables/test_first_match.py` does without waiting."""
    if timing is not None:
        monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=timing))
    async with begun(browser, tmp_path, "fr", timing) as (lea, newcomer, bot):
        began = time.monotonic()
        await taps(newcomer, every=tap_s, most=most, shown="KEM'S !")
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
@pytest.mark.parametrize("language", LANGUAGES_PLAYED)
async def test_the_whole_first_match_wrong_buttons_included(
    browser: Browser, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=QUICK))
    async with begun(browser, tmp_path, language, QUICK) as (lea, newcomer, _):
        await taps(newcomer, every=0.1, most=300, until=Lesson.PUT)
        height = await tall(newcomer)
        await keep(newcomer, tmp_path, f"{language}-put")
        await newcomer.of("put:").first.click()
        await taps(newcomer, every=0.1, most=300, until=Lesson.SWEEP)
        await asyncio.sleep(CROSSING_MS / 1000)  # until then the press may have been meant for what stood there before
        await newcomer.of("sweep").click()  # the learner need not wait
        await keep(newcomer, tmp_path, f"{language}-sweep")
        assert await tall(newcomer) == height
        await taps(newcomer, every=0.1, most=300, until=Lesson.SIGN)
        await keep(newcomer, tmp_path, f"{language}-sign")
        await newcomer.of("kems").click()  # one's own Kem's: false
        await taps(newcomer, every=0.1, most=500, until=Lesson.KEMS)
        await keep(newcomer, tmp_path, f"{language}-kems")
        await taps(newcomer, every=0.1, most=500, until=Lesson.COUNTER)
        await keep(newcomer, tmp_path, f"{language}-counter")
        assert await tall(newcomer) == height
        await taps(newcomer, every=0.1, most=300, until=Lesson.END)
        await keep(newcomer, tmp_path, f"{language}-end")
        quick = {Lesson.BLUFF, Lesson.THREE_ALIKE}  # what a robot or a card taken may end before it is read
        assert set(newcomer.met) >= set(Lesson) - quick
        assert not await lea.overflows()


@asynccontextmanager
async def begun(
    browser: Browser, folder: Path, language: str, timing: Timing | None = None
) -> AsyncIterator[tuple[ViewerPage, Newcomer, KemsClient]]:
    """Léa's page with the first message, as `kems play` posts it, and a first match in which the coach has spoken."""
    locale, texts = LANGUAGES[language].discord, Texts(language)
    setting = Setting(viewers=("Léa",), locale=locale, guild_locale=locale, locales=(locale,))
    async with (
        viewing(browser) as pages,
        serving_kems(folder, setting, rng=Random(5), timing=timing, auto_open=1, auto_next=0) as (info, bot),
    ):
        channel = bot.get_partial_messageable(info.channel_id)
        await channel.send(view=PreparedView(welcome_board(texts)))
        lea = await pages.open(info.addresses["Léa"], PHONE)
        spoken = texts.t(coach_text._SENTENCES[Lesson.AGREE])[:30]
        start = lea.button(texts.t("Play now with three robots"))
        await lea.press_until(start, lea.page.locator("#messages"), spoken)  # a second press finds the same match
        yield lea, Newcomer(lea.page, texts), bot


async def tall(newcomer: Newcomer) -> float:
    """The height of the panel, in pixels."""
    box = await newcomer.panel.bounding_box()
    assert box is not None
    return box["height"]


async def keep(newcomer: Newcomer, folder: Path, name: str) -> None:
    """A picture to be looked at, kept where KEMS_SCREENSHOTS says."""
    await newcomer.panel.screenshot(path=Path(os.environ.get("KEMS_SCREENSHOTS", folder)) / f"first-{name}.png")
