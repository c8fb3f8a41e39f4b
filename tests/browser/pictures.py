"""Takes the pictures of docs/ from the sandbox: `make pictures`.

One person at a phone in French, three robots, a seeded deal. The game under the pictures is the real one.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.async_api import Error, Locator, expect

from bot import compose
from bot.sandbox import Setting
from bot.settings import Settings
from bot.ui.client import KemsClient
from tests.browser.pages import PHONE, ViewerPage, browsing
from tests.databases import migrated
from tests.sandbox.serving import serving

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SEED = 11


async def take() -> None:
    """Plays one round and writes a picture of each of its moments."""
    with tempfile.TemporaryDirectory(prefix="kems-pictures-") as folder:
        settings = Settings(_env_file=None, database_url=migrated(Path(folder)), auto_open=1, auto_next=0)

        def make_bot() -> KemsClient:
            return compose.build_client(settings, rng=Random(SEED))

        async with browsing() as pages, serving(make_bot, Setting(viewers=("Léa",))) as (info, _):
            async with asyncio.timeout(240):
                await _round(await pages.open(info.addresses["Léa"], PHONE, scale=2))


async def _round(lea: ViewerPage) -> None:
    newest = lea.page.locator("#messages .message:not(.ephemeral)").last
    panel = lea.page.locator("#messages .ephemeral").last
    await lea.say("/kems start rules:classic thread:False")
    await lea.press("Réglages…")
    for _ in range(3):
        await lea.press("🤖 Ajouter")
    await expect(newest).to_contain_text("table complète")
    await _keep(newest, "lobby")
    await lea.press("Commencer")
    await lea.press("🤫 Le signe")
    await _keep(panel, "sign")
    await lea.press_until(panel.locator("button").first, newest, "🂠 Ma main")
    await lea.press("🂠 Ma main")
    await expect(newest).to_contain_text("La chasse est ouverte", timeout=60_000)
    await asyncio.sleep(6)  # some exchanges of the robots
    await lea.page.screenshot(path=FOLDER / "hunt.png")
    await _keep(newest, "table")
    take = panel.locator('button[data-press*=":take:"]:not([disabled])')
    put = panel.locator('button[data-press*=":put:"]:not([disabled])')
    while not await newest.get_by_role("button", name="Manche suivante").is_visible():
        with suppress(Error):  # the robots change what is on the page, and may be faster
            await (take if await take.count() else put).first.click(timeout=1000)
        await asyncio.sleep(1.5)
    await _keep(newest, "result")


async def _keep(shown: Locator, name: str) -> None:
    await shown.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(take())
