"""A whole evening at phones, in each language: nothing sticks out, and every step of the host works in a browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.evening import Evening, at_phones, night, nothing
from tests.browser.pages import viewing

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("locale", ["en-US", "fr"])
async def test_an_evening_from_its_plan_to_its_ceremony(browser: Browser, tmp_path: Path, locale: str) -> None:
    async with viewing(browser) as pages, at_phones(pages, tmp_path, locale) as viewers:
        await Evening(viewers, nothing).play()
        # Bruno and Dora have changed places: each pair has the mean of one who won and one who lost.
        await expect(night(viewers[1])).to_contain_text("1 Chloé & Dora · 1 pt")
