"""An evening from its plan to its first deal, at two phones: what a host and a player press is there, and fits."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.evening import NAMES, at_phones, choose, night, panel, pick, say, tap
from tests.browser.pages import ViewerPage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def fits(viewer: ViewerPage) -> None:
    assert not await viewer.overflows()


async def test_a_night_is_planned_joined_and_played_on_phones(browser: Browser, tmp_path: Path) -> None:
    async with at_phones(browser, tmp_path, "fr", NAMES[:2], scale=1) as phones:
        lea, bruno = phones.viewers
        await say(lea, "/kems-admin night create")
        await tap(lea, ":robots:on")
        await tap(lea, "night_more")  # what is rarely changed
        await choose(lea, ":matches", "1")
        await expect(panel(lea)).to_contain_text("1 partie jouée")
        await fits(lea)
        await tap(lea, "night_publish")
        await expect(night(bruno)).to_contain_text("1 partie jouée")
        await fits(bruno)
        await tap(bruno, "night_join")
        await expect(panel(bruno)).to_contain_text("Il vous manque 1 partie sur 1.")
        await fits(bruno)
        await tap(lea, "night_host")
        await pick(lea, "night_add", "Léa", "Bruno")
        await expect(panel(lea)).to_contain_text("2 inscrits")
        await fits(lea)
        await tap(lea, "start.")
        await tap(lea, "night_step")
        await fits(lea)
        await expect(night(bruno).locator("button[data-press*='night_standings']")).to_be_visible()
        await fits(bruno)
        await tap(bruno, "night_mine")
        await expect(panel(bruno)).to_contain_text("🤖")
        await fits(bruno)
        await bruno.open_channel(re.compile("🧵"))
        await expect(bruno.page.locator("#messages button[data-press*='sign_panel']")).to_be_visible()
        await fits(bruno)
