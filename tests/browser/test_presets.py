"""A round of every preset on a phone, in French and in English: one person, robots in the other seats."""

import asyncio
import os
import re
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, Error, Locator, expect

from bot.game.rules.presets import PRESETS
from bot.robots import Timing
from bot.sandbox import Setting
from bot.ui.kit.texts import LANGUAGES, Texts
from bot.ui.live import requests
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROUND_S = 120  # on a busy machine
FREE = "—"  # a free seat
IN_ENGLISH = ("bell", "yokai")
"""Their buttons say most; the others have the words of these."""


@pytest.mark.timeout(900)  # seven rounds, each with the time that a busy machine may need
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_round_of_every_preset_on_a_phone(
    browser: Browser, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "EDIT_INTERVAL", 0.1)  # this Discord sets no limits, and nobody plays for time
    monkeypatch.setattr(requests, "IN_CHANNEL", (0, 0.0))
    settings = {"table_threads": False, "auto_open": 1, "auto_next": 0}
    locale = LANGUAGES[language].discord
    setting = Setting(viewers=("Léa",), locale=locale, guild_locale=locale)
    async with (
        viewing(browser) as pages,
        serving_kems(tmp_path, setting, rng=Random(11), timing=Timing.quick(10), **settings) as (info, _),
    ):
        lea = await pages.open(info.addresses["Léa"], PHONE)
        for preset in PRESETS if language == "fr" else IN_ENGLISH:
            await _play_a_round(lea, preset, Texts(language))


async def _play_a_round(lea: ViewerPage, preset: str, texts: Texts) -> None:
    t, language = texts.t, texts.locale
    sign, mine, next_round = t("🤫 My team's sign"), t("🂠 My hand"), t("Next round")
    your_sign = re.compile(t("Choose a sign: everybody will see it, only you know it.")[:12] + "|propos")
    your_hand = t("Your sign: {sign}", sign="")
    newest = lea.page.locator("#messages .message:not(.ephemeral)").last
    await lea.say(f"/kems start rules:{preset}")
    await lea.press(t("Settings…"))
    for free in (2, 1, 0):
        await lea.press_until(lea.button(t("🤖 Add")), newest, _at_most(FREE, free))
    await lea.press_until(lea.button(t("Start")), newest, sign)
    panel = lea.page.locator("#messages .ephemeral").last  # once that of the table before is not the last any more
    await lea.press_until(newest.get_by_role("button", name=sign), panel, your_sign)
    # The first sign that is offered, which the robot accepts; or what a faster robot has proposed.
    await lea.press_until(panel.locator("button").first, newest, mine)
    await lea.press_until(newest.get_by_role("button", name=mine), panel, your_hand)
    await expect(newest).to_contain_text(t("The hunt is open.").rstrip("."), timeout=1000 * ROUND_S)
    for what, shown in (("hand", panel), ("hunt", newest)):
        await _keep(shown, f"{preset}-{language}-{what}")
    assert not await lea.overflows()
    await panel.locator('button[data-press*=":put:"]').first.click()  # down with the first card
    take = panel.locator('button[data-press*=":take:"]:not([disabled])')
    kems = panel.get_by_role("button", name=re.compile("Kem's"))
    async with asyncio.timeout(ROUND_S):
        while not await newest.get_by_role("button", name=next_round).is_visible():
            with suppress(Error):  # the robots change what is on the page, and may be faster
                if await take.count():
                    await take.first.click(timeout=1000)
                else:
                    await kems.first.click(timeout=1000)  # a false one ends the round by all rules
            await asyncio.sleep(0.1)
    await _keep(newest, f"{preset}-{language}-result")
    assert not await lea.overflows()
    await lea.say("/kems end")
    await lea.press(t("Close the table"))
    await expect(newest.get_by_role("button", name=next_round)).to_have_count(0)


def _at_most(word: str, times: int) -> re.Pattern[str]:
    """A text with the word that often and no more."""
    other = f"(?:(?!{re.escape(word)})[\\s\\S])*"
    return re.compile(f"^{other}(?:{re.escape(word)}{other}){{0,{times}}}$")


async def _keep(shown: Locator, name: str) -> None:
    """A picture to be looked at, taken where KEMS_SCREENSHOTS names a folder; a message drawn anew is tried again."""
    if folder := os.environ.get("KEMS_SCREENSHOTS"):
        for _ in range(5):
            with suppress(Error):
                await shown.screenshot(path=Path(folder, f"{name}.png"))
                return
