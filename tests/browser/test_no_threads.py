"""A night whose threads Discord refuses, at a phone in French: its host is called, and reads what to do."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never
from unittest.mock import patch

import discord
import pytest
from playwright.async_api import Browser, expect

from tests.browser.evening import Evening, _in_days, at_phones, choose, night, nothing, tap

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]
SAID = "Maximum number of active threads reached (1000)"


async def refused(*_: object, **_named: object) -> Never:
    answer: Any = SimpleNamespace(status=400, reason="Bad Request")
    raise discord.HTTPException(answer, {"code": 160006, "message": SAID})


async def test_the_host_is_mentioned_and_told_what_to_do(browser: Browser, tmp_path: Path) -> None:
    async with at_phones(browser, tmp_path, "fr") as phones:
        host = Evening(phones, nothing).host
        await host.say("/kems-admin night create")
        await tap(host, "night_text")
        await host.page.locator("#form input").first.wait_for()
        await host.fill_form("Samedi", _in_days(2))
        await choose(host, ":format", "swiss")
        await choose(host, ":rounds", "3")
        await tap(host, "night_publish")
        await expect(night(host)).to_be_visible()
        for viewer in phones.viewers:
            await tap(viewer, "night_join")
        await expect(night(host)).to_contain_text("4 inscrits")
        with patch.object(discord.TextChannel, "create_thread", refused):
            await phones.leap(phones.night.plan.starts_at)
            why = host.page.locator("button", has_text="Pourquoi")
            await expect(why).to_be_visible(timeout=30_000)
            await why.click()
            panel = host.page.locator("#messages > *").last
            await expect(panel).to_contain_text("autant de fils ouverts que Discord en permet")
            await expect(panel.get_by_text("Un autre salon pour les tables…")).to_be_visible()
            assert not await host.overflows()
