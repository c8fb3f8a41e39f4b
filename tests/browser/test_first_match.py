"""The first match on a phone: what the coach says leads a newcomer through it, in both languages."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, expect

from bot import compose
from bot.game.checks.refusals import Code
from bot.lessons import stage_robot
from bot.lessons.lesson import Lesson
from bot.robots import RobotLevel, Timing
from bot.sandbox import SandboxInfo, Setting
from bot.settings import Settings
from bot.tables.match.table import Table
from bot.ui.client import KemsClient
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts
from bot.ui.lobby.lobby_board import welcome_board
from bot.ui.words import lesson_text
from bot.ui.words.lesson_text import explained
from tests.browser.newcomer import Newcomer, taps
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.databases import migrated
from tests.sandbox.serving import serving

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TAP_S = 3.0
ROUND_TAPS = 40
QUIET_S = 5.5  # before a sweep may be asked for
LANGUAGES_PLAYED = ("fr", "en")


def settings(folder: Path) -> Settings:
    return Settings(_env_file=None, database_url=migrated(folder), auto_open=1, auto_next=0)


def played(bot: KemsClient) -> Table:
    (table,) = bot.rooms.directory.tables()
    return table


@pytest.mark.timeout(240)
async def test_a_slow_newcomer_wins_a_round_of_the_first_three(browser: Browser, tmp_path: Path) -> None:
    """One tap in three seconds, against beginners at their own pace."""

    def make_bot() -> KemsClient:
        return compose.build_client(settings(tmp_path), rng=Random(5))

    async with viewing(browser) as pages, serving(make_bot, Setting(viewers=("Léa",))) as (info, bot):
        await welcome(bot, info, Texts("fr"))
        lea = await pages.open(info.addresses["Léa"], PHONE)
        await begin(lea, Texts("fr"))
        newcomer, began = Newcomer(lea.page, Texts("fr")), time.monotonic()
        await taps(newcomer, every=TAP_S, most=ROUND_TAPS, shown="KEM'S !")
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
    monkeypatch.setattr(stage_robot, "STAGE", replace(stage_robot.STAGE, timing=Timing.quick(5)))
    locale, texts = LANGUAGES[language].discord, Texts(language)

    def make_bot() -> KemsClient:
        return compose.build_client(settings(tmp_path), rng=Random(5), timing=Timing.quick(5))

    setting = Setting(viewers=("Léa",), locale=locale, guild_locale=locale)
    async with viewing(browser) as pages, serving(make_bot, setting) as (info, bot):
        await welcome(bot, info, texts)
        lea = await pages.open(info.addresses["Léa"], PHONE)
        await begin(lea, texts)
        newcomer = Newcomer(lea.page, texts)
        await taps(newcomer, every=0.1, most=300, until=Lesson.PUT)
        height = await tall(newcomer)
        await keep(newcomer, tmp_path, f"{language}-put")
        await newcomer.of("put:").first.click()
        await taps(newcomer, every=0.1, most=300, until=Lesson.SWEEP)
        await newcomer.of("sweep").click()
        said = explained(Code.TOO_EARLY, texts)
        assert said is not None
        await expect(newcomer.panel).to_contain_text(said[:20])
        await keep(newcomer, tmp_path, f"{language}-sweep")
        await asyncio.sleep(QUIET_S)
        await newcomer.of("sweep").click()
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


async def welcome(bot: KemsClient, info: SandboxInfo, texts: Texts) -> None:
    """The first message, as `kems play` posts it."""
    channel = bot.get_partial_messageable(info.channel_id)
    await channel.send(view=PreparedView(welcome_board(texts)))


async def begin(page: ViewerPage, texts: Texts) -> None:
    """Press the quick start until the coach speaks: a second press finds the same match."""
    spoken = texts.t(lesson_text._SENTENCES[Lesson.AGREE])[:30]
    await page.press_until(page.button(texts.t("Play now with three robots")), page.page.locator("#messages"), spoken)


async def tall(newcomer: Newcomer) -> float:
    """The height of the panel, in pixels."""
    box = await newcomer.panel.bounding_box()
    assert box is not None
    return box["height"]


async def keep(newcomer: Newcomer, folder: Path, name: str) -> None:
    """A picture to be looked at, kept where KEMS_SCREENSHOTS says."""
    await newcomer.panel.screenshot(path=Path(os.environ.get("KEMS_SCREENSHOTS", folder)) / f"first-{name}.png")
