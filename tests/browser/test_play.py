"""*Play* at a phone, in French and English: two people sit at one table, and a watcher takes a robot's place."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, expect

from bot.discord.text.texts import LANGUAGES, Texts
from bot.sandbox.server import Setting
from tests.browser.pages import PHONE, ViewerPage, keep, viewing
from tests.robots.quick import quick_timing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.long)])
async def test_two_people_play_and_a_watcher_joins_them(browser: Browser, tmp_path: Path, language: str) -> None:
    texts, locale = Texts(language), LANGUAGES[language]
    setting = Setting(viewers=("Léa", "Bruno", "Chloé"), locale=locale.discord, locales=(locale.discord,))

    async def fits(viewer: ViewerPage, name: str) -> None:
        await keep(viewer.page, f"play-{language}-{name}")
        assert not await viewer.overflows()

    async with (
        serving_kems(tmp_path, setting, rng=Random(5), timing=quick_timing(5)) as (info, bot),
        viewing(browser, info.addresses) as pages,
    ):
        lea, bruno, chloe = [await pages.open(name, PHONE) for name in setting.viewers]
        await lea.say(f"/kems {texts.t('play')}")
        await bruno.press(texts.t("I'm in"))
        await bruno.wait_text(texts.t("{first} and {last}", first="Léa", last="Bruno"))
        await fits(bruno, "call")
        await lea.press(texts.t("Don't wait"))
        await lea.wait_text(texts.t("▶ Go to the table"))
        await fits(lea, "way")
        for viewer in (lea, chloe):
            await viewer.open_channel(re.compile(" – "))
        await lea.press(texts.t("🤫 My team's sign"))
        await fits(lea, "sign")
        place = chloe.page.locator("button[data-press*=':claim:']").last
        await expect(place).to_be_visible()
        await fits(chloe, "place")
        await place.click()
        await expect(chloe.page.locator("#messages button[data-press*=':propose:']").first).to_be_visible()
        (table,) = bot.rooms.directory.tables()
        assert len(table.lobby.people) == 3
        await fits(chloe, "seated")
