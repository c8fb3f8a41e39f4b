"""Takes the pictures of docs/nights.md from the sandbox: `python -m tests.browser.night_pictures`."""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import Locator

from tests.browser.evening import Evening, at_phones
from tests.browser.pages import HEIGHTS, PHONE, launched
from tests.browser.pictures import FOLDER

SHOWN: Final = {"plan chosen": "plan", "sign-up": "sign-up", "board": "board", "mine": "mine", "thread": "thread",
                "host": "host", "end": "end"}  # fmt: skip
"""The moments of an evening that are shown, and what their pictures are called."""
_TALL: Final = 1200
"""CSS pixels of a page on which one that is higher than a phone is in sight as a whole."""


async def take(folder: Path) -> None:
    """Plays an evening in English, and writes a picture of each of these moments."""

    async def keep(moment: str, shown: Locator) -> None:
        if moment in SHOWN:
            await asyncio.sleep(0.4)  # so that the picture has what the last press brought
            box = await shown.bounding_box()
            is_tall = box is not None and box["height"] > HEIGHTS[PHONE]
            await shown.page.set_viewport_size({"width": PHONE, "height": _TALL if is_tall else HEIGHTS[PHONE]})
            await shown.screenshot(path=folder / f"night-{SHOWN[moment]}.png")

    with tempfile.TemporaryDirectory(prefix="kems-nights-") as data:
        async with asyncio.timeout(400), launched() as browser, at_phones(browser, Path(data), "en-US") as phones:
            await Evening(phones, keep).play()


if __name__ == "__main__":
    asyncio.run(take(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
