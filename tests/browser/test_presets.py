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
from bot.ui.kit.texts import LANGUAGES
from bot.ui.live import requests
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROUND_S = 120  # on a busy machine
WORDS: dict[str, dict[str, str]] = {
    "fr": {
        "settings": "Réglages…",
        "robot": "🤖 Ajouter",
        "free": "—",
        "start": "Commencer",
        "sign": "🤫 Le signe",
        "your sign": "Choisissez un signe|propose",
        "hand": "🂠 Ma main",
        "your hand": "une carte de votre main",
        "open": "La chasse est ouverte",
        "next": "Manche suivante",
        "close": "Fermer la table",
    },
    "en": {
        "settings": "Settings…",
        "robot": "🤖 Add",
        "free": "—",
        "start": "Start",
        "sign": "🤫 My team's sign",
        "your sign": "Choose a sign|proposes",
        "hand": "🂠 My hand",
        "your hand": "a card from your hand",
        "open": "The hunt is open",
        "next": "Next round",
        "close": "Close the table",
    },
}


IN_ENGLISH = ("bell", "yokai")
"""Their buttons say most; the others have the words of these."""


@pytest.mark.timeout(900)  # seven rounds, each with the time that a busy machine may need
@pytest.mark.parametrize("language", WORDS)
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
            await _play_a_round(lea, preset, WORDS[language], language)


async def _play_a_round(lea: ViewerPage, preset: str, words: dict[str, str], language: str) -> None:
    newest = lea.page.locator("#messages .message:not(.ephemeral)").last
    await lea.say(f"/kems start rules:{preset}")
    await lea.press(words["settings"])
    for free in (2, 1, 0):
        await lea.press_until(lea.button(words["robot"]), newest, _at_most(words["free"], free))
    await lea.press_until(lea.button(words["start"]), newest, words["sign"])
    panel = lea.page.locator("#messages .ephemeral").last  # once that of the table before is not the last any more
    await lea.press_until(newest.get_by_role("button", name=words["sign"]), panel, re.compile(words["your sign"]))
    # The first sign that is offered, which the robot accepts; or what a faster robot has proposed.
    await lea.press_until(panel.locator("button").first, newest, words["hand"])
    await lea.press_until(newest.get_by_role("button", name=words["hand"]), panel, words["your hand"])
    await expect(newest).to_contain_text(words["open"], timeout=1000 * ROUND_S)
    for what, shown in (("hand", panel), ("hunt", newest)):
        await _keep(shown, f"{preset}-{language}-{what}")
    assert not await lea.overflows()
    await panel.locator('button[data-press*=":put:"]').first.click()  # down with the first card
    take = panel.locator('button[data-press*=":take:"]:not([disabled])')
    kems = panel.get_by_role("button", name=re.compile("Kem's"))
    async with asyncio.timeout(ROUND_S):
        while not await newest.get_by_role("button", name=words["next"]).is_visible():
            with suppress(Error):  # the robots change what is on the page, and may be faster
                if await take.count():
                    await take.first.click(timeout=1000)
                else:
                    await kems.first.click(timeout=1000)  # a false one ends the round by all rules
            await asyncio.sleep(0.1)
    await _keep(newest, f"{preset}-{language}-result")
    assert not await lea.overflows()
    await lea.say("/kems end")
    await lea.press(words["close"])
    await expect(newest.get_by_role("button", name=words["next"])).to_have_count(0)


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
