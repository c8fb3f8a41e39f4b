"""Drives the sandbox's pages in a headless Chromium, one `ViewerPage` per viewer.

It must not know the game: it presses what has a label and waits for what can be read.
"""

import asyncio
import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from playwright.async_api import Browser, Error, Locator, Page, ViewportSize, async_playwright, expect

from tests.seen import typed

WIDE, PHONE = 1280, 390  # pixels: a desktop window and a phone
HEIGHTS = {WIDE: 900, PHONE: 844}
_PATIENCE_MS = 30_000  # how long anything may take on a busy machine before a test fails
_TRY_MS = 1_500  # a press that a redrawn message has swallowed is made again after this
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell, which Debian packages too, keeps no windows, and takes half of the others' time."""
_OFF = ("gpu", "background-networking", "component-update", "sync")
_HINTING = "--font-render-hinting=none"  # the shell would make letters wider, and lines wrap that do not on a phone
_ARGUMENTS = ["--headless", "--no-sandbox", "--no-first-run", _HINTING, *(f"--disable-{part}" for part in _OFF)]


def chromium() -> str:
    """The browser's path; without one the test is skipped, but fails where ``CI`` is set."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        reason = f"no browser: install one of {', '.join(_NAMES)}, or set CHROMIUM to its path"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


class ViewerPage:
    """One viewer's tab."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda m: self.problems.append(m.text) if m.type == "error" else None)

    def button(self, label: str) -> Locator:
        """The newest button of exactly this label; the kind of its spaces and the room around it do not count."""
        shown = re.compile(rf"^[\s\u200b]*{re.escape(typed(label))}[\s\u200b]*$")
        return self.page.get_by_role("button", name=shown).last

    async def press(self, label: str) -> None:
        """Press the newest button of that label, once it is there and enabled."""
        await self.button(label).click(timeout=_PATIENCE_MS)

    async def press_until(self, button: Locator, shown: Locator, text: str | re.Pattern[str]) -> None:
        """Press until ``text`` can be read there: a message that is drawn anew may swallow a press.

        For what may be pressed twice.
        """
        async with asyncio.timeout(2 * _PATIENCE_MS / 1000):
            while True:
                with suppress(Error):  # gone, or disabled, meanwhile
                    await button.click(timeout=_TRY_MS)
                with suppress(AssertionError):
                    await expect(shown).to_contain_text(text, timeout=_TRY_MS)
                    return

    async def wait_text(self, text: str) -> float:
        """Wait until ``text`` can be read among the messages; gives the seconds it took."""
        since = time.perf_counter()
        await expect(self.page.locator("#messages")).to_contain_text(text, timeout=_PATIENCE_MS)
        return time.perf_counter() - since

    async def wait_gone(self, text: str) -> None:
        """Wait until ``text`` is nowhere among the messages."""
        await expect(self.page.locator("#messages")).not_to_contain_text(text, timeout=_PATIENCE_MS)

    async def reads(self, text: str) -> bool:
        """Whether ``text`` can be read among the messages now."""
        return text in typed(await self.page.locator("#messages").inner_text())

    async def settled(self) -> None:
        """Wait until the bot has answered all that the viewer has asked for, and the page shows it."""
        await expect(self.page.locator("#messages")).to_have_attribute("aria-busy", "false", timeout=_PATIENCE_MS)

    async def say(self, line: str) -> None:
        """Type a line of chat, or a command such as ``/kems start players:4``, and send it."""
        await self.page.fill("#say", line)
        await self.page.press("#say", "Enter")

    async def choose(self, label: str) -> None:
        """Choose the option of that label in the newest select menu that has it."""
        menus = self.page.locator("#messages select", has=self.page.locator("option", has_text=label))
        await menus.last.select_option(label=label, timeout=_PATIENCE_MS)

    async def fill_form(self, *values: str, **chosen: str) -> None:
        """Fill the fields of the open form in order, choose in its menus by their custom ids, and send it."""
        fields = self.page.locator("#form input, #form textarea")
        await fields.first.wait_for(timeout=_PATIENCE_MS)
        for index, value in enumerate(values):
            await fields.nth(index).fill(value)
        for name, value in chosen.items():
            await self.page.locator(f"#form select[data-id='{name}']").select_option(value)
        await self.page.locator("#form button.primary").click()

    async def tick(self, *values: str, label: str | None = None) -> None:
        """Tick these, by value or by label, in the newest menu that takes several, and send it."""
        menu = self.page.locator("#messages details.many").last
        boxes = [menu.locator(f"input[value='{value}']") for value in values]
        if label is not None:
            boxes.append(menu.get_by_label(label))
        async with asyncio.timeout(2 * _PATIENCE_MS / 1000):
            while True:
                with suppress(Error):  # a message that is drawn again closes its menu, and forgets what was ticked
                    if await menu.get_attribute("open", timeout=_TRY_MS) is None:
                        await menu.locator("summary").click(timeout=_TRY_MS)
                    for box in boxes:
                        await box.check(timeout=_TRY_MS)
                    if all([await box.is_checked() for box in boxes]):
                        await menu.locator("button[data-many]").click(timeout=_TRY_MS)
                        return

    async def react(self, emoji: str) -> None:
        """Add a reaction to the newest message that takes one."""
        await self.page.locator("[data-pick]").last.click(timeout=_PATIENCE_MS)
        await self.page.fill("#panel .other", emoji)
        await self.page.press("#panel .other", "Enter")

    async def wait_notice(self, text: str) -> None:
        """Wait until the line above the composer, which says why something was refused, contains ``text``."""
        await expect(self.page.locator("#notice")).to_contain_text(text, timeout=_PATIENCE_MS)

    async def open_channel(self, name: str | re.Pattern[str]) -> None:
        """Go to the channel or thread of that name."""
        await self.page.locator("#channels button", has_text=name).click(timeout=_PATIENCE_MS)

    async def go_to_end(self) -> None:
        """Go to the newest message and stay there, as the bar at the end does that leads to it."""
        await self.page.evaluate("jump.click()")

    async def overflows(self) -> bool:
        """Whether anything sticks out to the side of the page."""
        script = "document.documentElement.scrollWidth > innerWidth || messages.scrollWidth > messages.clientWidth"
        return bool(await self.page.evaluate(script))


async def keep(shown: Page | Locator, name: str) -> None:
    """Take a picture to be looked at, where `KEMS_SCREENSHOTS` names a folder for them."""
    if folder := os.environ.get("KEMS_SCREENSHOTS"):
        await shown.screenshot(path=Path(folder, f"{name}.png"))


class Pages:
    """One test's part of a browser: a separate context for each viewer."""

    def __init__(self, browser: Browser, addresses: Mapping[str, str]) -> None:
        self._browser, self._addresses = browser, addresses
        self.opened: list[ViewerPage] = []

    async def open(self, name: str, width: int = WIDE, *, scale: int = 1, language: str = "fr") -> ViewerPage:
        """Open a viewer's page in a browser of that language and wait until it is connected.

        `scale` is device pixels per CSS pixel.
        """
        size: ViewportSize = {"width": width, "height": HEIGHTS[width]}
        context = await self._browser.new_context(viewport=size, device_scale_factor=scale, locale=language)
        viewer = ViewerPage(await context.new_page())
        self.opened.append(viewer)
        await viewer.page.goto(self._addresses[name])
        await viewer.page.locator("#channels button").first.wait_for(timeout=_PATIENCE_MS)
        return viewer


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """Run a browser."""
    path = chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def viewing(browser: Browser, addresses: Mapping[str, str]) -> AsyncIterator[Pages]:
    """Pages for one test, closed at its end; none of them may have reported an error.

    It takes the addresses of a running server: pages end before it, for one without its server reports an error.
    """
    expect.set_options(timeout=_PATIENCE_MS)
    pages = Pages(browser, addresses)
    try:
        yield pages
        problems = [problem for page in pages.opened for problem in page.problems]
        assert not problems, problems
    finally:
        for viewer in pages.opened:
            await viewer.page.context.close()
