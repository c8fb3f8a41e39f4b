"""A running table on a phone: a picture as wide as the message, drawn again at an exchange, with two lines round it."""

import os
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.art.drawing_queue import DrawingQueue
from bot.records.card_theme import Theme
from bot.records.pictures import RunningSeat, RunningTable
from tests.browser.test_round import partners

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WIDE = 594  # pixels of the picture
LEGIBLE = 0.47  # pixels of the screen for one of the picture, at least


async def test_onlookers_see_the_middle_the_people_and_the_score(browser: Browser, tmp_path: Path) -> None:
    folder = Path(os.environ.get("KEMS_SCREENSHOTS", tmp_path))
    first = RunningTable(Theme.FRENCH, (), (RunningSeat("Léa", 0),), (), ("0",))
    await DrawingQueue().draw(first)  # the process that draws is ready
    async with partners(browser, tmp_path) as (lea, bruno):
        page = lea.viewer.page
        picture = page.locator("#messages .gallery img").last
        table = page.locator("#messages article", has=page.locator(".gallery img")).last
        await expect(picture).to_have_attribute("alt", re.compile(r"Au milieu : .*Équipe 1 · 0 — 0 · Équipe 2.*① Léa"))
        assert await picture.evaluate("one => one.decode().then(() => one.naturalWidth)") == WIDE
        box = await picture.bounding_box()
        assert box is not None
        assert box["width"] > LEGIBLE * WIDE
        before = await picture.get_attribute("src")
        await expect(table).not_to_contain_text("Gestes")
        await bruno.exchange("KD", "7D")
        await expect(table).to_contain_text("Bruno R♦")
        await expect(picture).to_have_attribute("alt", re.compile("Au milieu : [^.]*R♦"))
        assert await picture.get_attribute("src") != before
        await table.screenshot(path=folder / "table-picture.png")
        assert not await lea.viewer.overflows()
        await lea.button("Kem's !").click()
        await expect(page.locator("#messages .gallery img")).to_have_count(0)
