"""Takes the pictures of docs/nights.md from the sandbox: `python -m tests.browser.night_pictures`.

Two people at phones, a host in French and a player in English, robots at the free seats. The night is a real one.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from playwright.async_api import Locator, expect

from bot import compose
from bot.sandbox import Setting
from bot.settings import Settings
from bot.ui.client import KemsClient
from tests.browser.pages import PHONE, ViewerPage, browsing
from tests.browser.pictures import FOLDER
from tests.databases import migrated
from tests.sandbox.serving import serving

SEED: Final = 11
_LEAST_S: Final = 25
"""How long the sign-up is open at least before the night begins."""


async def take(folder: Path) -> None:
    """Plays a night of one round, and writes a picture of each of its moments."""
    with tempfile.TemporaryDirectory(prefix="kems-nights-") as data:
        settings = Settings(_env_file=None, database_url=migrated(Path(data)), auto_open=1, auto_next=1)

        def make_bot() -> KemsClient:
            return compose.build_client(settings, rng=Random(SEED))

        async with browsing() as pages, serving(make_bot, Setting(viewers=("Léa", "Bruno"))) as (info, _):
            async with asyncio.timeout(400):
                lea, bruno = [await pages.open(info.addresses[name], PHONE, scale=2) for name in ("Léa", "Bruno")]
                await _night(lea, bruno, folder)


async def _night(lea: ViewerPage, bruno: ViewerPage, folder: Path) -> None:
    panel = lea.page.locator("#messages .ephemeral").last
    night = lea.page.locator("#messages .message:not(.ephemeral)").first
    await bruno.page.select_option("select:has(option[value='en-US'])", "en-US")
    await lea.say("/kems-admin night create")
    await lea.press("✏️ Titre et heure…")
    await lea.fill_form("Soirée du samedi", _soon())
    await expect(panel).to_contain_text("Soirée du samedi")
    await lea.press("☐ 🤖 Compléter")
    await expect(panel).to_contain_text("☑ 🤖")
    await panel.locator("select").nth(2).select_option(value="1")
    await expect(panel).to_contain_text("1 ronde de")
    await _keep(panel, folder, "night-plan")
    await lea.press("Publier")
    await expect(night).to_contain_text("Personne encore")
    await lea.press_until(lea.button("Rejoindre"), night, "1 inscrit")
    await bruno.press_until(bruno.page.locator('button[data-press*="night_join"]').first, night, "2 inscrits")
    await _keep(night, folder, "night-sign-up")
    await expect(night).to_contain_text("Ronde 1", timeout=90_000)
    await expect(night).to_contain_text(re.compile("[0-9] — [0-9]"), timeout=60_000)
    await asyncio.sleep(3)
    await _keep(night, folder, "night-board")
    await bruno.page.locator('button[data-press*="night_mine"]').first.click()
    await expect(bruno.page.locator("#messages .ephemeral").last).to_contain_text("against")
    await _keep(bruno.page.locator("#messages .ephemeral").last, folder, "night-mine")
    await bruno.open_channel("T1")
    await expect(bruno.page.locator("#messages")).to_contain_text("Équipe 1", timeout=60_000)
    await bruno.page.screenshot(path=folder / "night-thread.png")
    await lea.press("Hôte…")
    await expect(panel).to_contain_text("+10 min")
    await _keep(panel, folder, "night-host")
    await panel.locator("select").last.select_option(value="1")
    await lea.press("Saisir le résultat…")
    await lea.fill_form("10 7")
    await expect(panel).to_contain_text("compte au classement")
    await lea.press("Le faire")
    await expect(night).to_contain_text("Classement final")
    await expect(night.locator("img").last).to_be_visible()
    assert not [viewer for viewer in (lea, bruno) if await viewer.overflows()]
    await _keep(night, folder, "night-end")


def _soon() -> str:
    """The first full minute that leaves time to sign up, as the form takes it."""
    begins = datetime.now(ZoneInfo("Europe/Paris")) + timedelta(seconds=_LEAST_S + 60)
    return begins.strftime("%Y-%m-%d %H:%M")


async def _keep(shown: Locator, folder: Path, name: str) -> None:
    await shown.scroll_into_view_if_needed()
    await shown.screenshot(path=folder / f"{name}.png")


if __name__ == "__main__":
    asyncio.run(take(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
