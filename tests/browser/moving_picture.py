"""Takes the moving picture of README.md from the sandbox: `python -m tests.browser.moving_picture`.

Four people play a round of an arranged deal, from the deal to *Kem's!*. A browser looks on from Léa's phone, in
English: a line above says what happens, and a spot shows where Léa taps.
"""

import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import expect

from bot.sandbox.server import Setting
from tests.browser.pages import PHONE, ViewerPage, launched, viewing
from tests.browser.pictures import FOLDER, PEOPLE, SCALE, Friend, seated, sign_agreed
from tests.browser.stacked import StackedDeck
from tests.sandbox.serving import serving_kems, tab

MOST_BYTES: Final = 2_000_000
HEIGHT: Final = 640  # CSS pixels, of which the line above takes those of the page's header
COLOURS: Final = 255
DEAL: Final = ("8S 9H JD KC", "8H 9D TC QS", "7S 7H KD AC", "8D 9S TS KH", "7D 7C QH JC")
"""The hands of Léa, Bruno, Ana and Dora, then the middle."""
LINE: Final = """(words) => {
    const line = document.getElementById("line") ?? document.body.appendChild(document.createElement("p"));
    line.id = "line";
    line.textContent = words;
    line.style.cssText = `position: fixed; inset: 0 0 auto; height: 52px; margin: 0; display: grid; place-items: center;
        background: #1e1f22; font-weight: 600`;
    document.querySelector("footer").hidden = true;
    jump.style.visibility = "hidden";
    messages.scrollTop = messages.scrollHeight;
}"""
HAND_ALONE: Final = "#messages .message:not(.ephemeral) { display: none; }"
SPOT: Final = """(button) => {
    const {left, top, width, height} = button.getBoundingClientRect();
    const spot = document.body.appendChild(document.createElement("i"));
    spot.id = "spot";
    spot.style.cssText = `position: fixed; width: 44px; height: 44px; border-radius: 50%; background: #fff7;
        border: 3px solid #fff; left: ${left + width / 2 - 22}px; top: ${top + height / 2 - 22}px`;
}"""


class Film:
    """The frames of a viewer's page; `line` says what happens in the next ones."""

    def __init__(self, viewer: ViewerPage) -> None:
        self._viewer = viewer
        self._frames: list[tuple[Image.Image, int]] = []  # with how long each is shown (milliseconds)
        self.line = ""

    async def take(self, shown_ms: int) -> None:
        await asyncio.sleep(0.7)  # what has just happened is drawn meanwhile
        await self._viewer.settled()
        await self._viewer.page.evaluate(LINE, self.line)
        picture = Image.open(BytesIO(await self._viewer.page.screenshot())).convert("RGB")
        self._frames.append((picture, shown_ms))

    async def tap(self, verb: str) -> None:
        """Take the newest button of this verb with a spot on it, then press it."""
        button = self._viewer.page.locator(f'#messages button[data-press*=":{verb}"]:not([disabled])').last
        await expect(button).to_be_visible()
        await button.evaluate(SPOT)
        await self.take(900)
        await self._viewer.page.evaluate("spot.remove()")
        await button.click()

    def save(self, path: Path) -> None:
        """Write a GIF of few colours, the same ones in all frames, so that a frame holds only what has changed."""
        size = self._frames[0][0].size
        strip = Image.new("RGB", (size[0], size[1] * len(self._frames)))
        for number, (frame, _) in enumerate(self._frames):
            strip.paste(frame, (0, size[1] * number))
        palette = strip.quantize(COLOURS, dither=Image.Dither.NONE)
        first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in self._frames)
        first.save(path, save_all=True, append_images=others, duration=[ms for _, ms in self._frames], loop=0)
        assert path.stat().st_size <= MOST_BYTES, f"{path} has {path.stat().st_size} bytes"


async def _round(viewer: ViewerPage, film: Film, friends: list[Friend], sign: str) -> None:
    _, ana, bruno, dora = friends
    style = await viewer.page.add_style_tag(content=HAND_ALONE)
    for friend in friends:
        await friend.press("hand")
    film.line = "The deal: four cards each, four in the middle"
    await film.take(2000)
    film.line = "Your hand is blue, the middle above it"
    await film.take(2200)
    film.line = "No turns: put a card down, take another one"
    await film.tap("put:9H")
    await film.tap("take:QH")
    await film.take(1200)
    film.line = "All play at once, and all may bluff"
    await bruno.press("gesture")
    await film.take(1200)
    await dora.exchange("8D 9H")
    await film.take(1200)
    film.line = "Ana, your partner, collects sevens"
    await ana.exchange("KD 7D")
    await film.take(1200)
    await ana.exchange("AC 7C")
    await film.take(1200)
    film.line = f"Ana makes your secret sign {sign}: she has four!"
    await ana.press(f"gesture:{sign}")
    await film.take(2600)
    film.line = "Call it before they notice"
    await film.tap("kems")
    await style.evaluate("style => style.remove()")
    film.line = "Kem's! A point for your team"
    await film.take(4000)


async def take(path: Path) -> None:
    """Play the round, and write its picture."""
    locale, settings = "en-US", {"auto_open": 1, "auto_next": 0, "default_locale": "en"}
    setting = Setting(viewers=PEOPLE, locale=locale, locales=(locale,))
    async with AsyncExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="kems-pictures-"))
        browser = await stack.enter_async_context(launched())
        kems = serving_kems(Path(data), setting, rng=StackedDeck([DEAL]), **settings)
        info, _ = await stack.enter_async_context(kems)
        friends = [Friend(await stack.enter_async_context(tab(info.addresses[name]))) for name in PEOPLE]
        pages = await stack.enter_async_context(viewing(browser, info.addresses))
        viewer = await pages.open(PEOPLE[0], PHONE, scale=SCALE)
        await viewer.page.set_viewport_size({"width": PHONE, "height": HEIGHT})
        film = Film(viewer)
        await seated(viewer, friends)
        sign = await sign_agreed(friends)
        await _round(viewer, film, friends, sign)
        film.save(path)


if __name__ == "__main__":
    asyncio.run(take((Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER) / "round.gif"))
