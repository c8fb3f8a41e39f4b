"""A thumb on a phone: it presses what is in sight, reads what is in sight, and never scrolls."""

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Locator, expect

from tests.browser.pages import ViewerPage

_LINES = "p, h1, h2, h3, .small"


class Thumb:
    """What one viewer does on the page, tap by tap. The page follows the newest message by itself, as Discord does."""

    def __init__(self, viewer: ViewerPage) -> None:
        self.viewer = viewer
        self.taps = 0

    @property
    def panel(self) -> Locator:
        """The viewer's newest private message: the hand, once it is open."""
        return self.viewer.page.locator("#messages .ephemeral").last

    def button(self, label: str) -> Locator:
        """The button of the panel whose label has these words."""
        return self.panel.get_by_role("button", name=re.compile(re.escape(label)))

    def card(self, verb: str, code: str) -> Locator:
        """The card of that code (`KD`) which the panel lets its owner put down (`put`) or take (`take`)."""
        return self.panel.locator(f'button[data-press$=":{verb}:{code}"]')

    async def tap(self, button: Locator) -> None:
        """Taps where the button is on the screen; one that would have to be scrolled to is an error."""
        await expect(button).to_be_enabled()
        await expect(button).to_be_in_viewport(ratio=1)
        box = await button.bounding_box()
        assert box is not None
        self.taps += 1
        await self.viewer.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    async def exchange(self, put: str, take: str) -> None:
        """Puts a card down and takes another, as soon as each can be pressed."""
        await self.tap(self.card("put", put))
        await self.tap(self.card("take", take))
        await expect(self.card("put", take)).to_be_visible()

    async def reads(self, text: str | re.Pattern[str]) -> float:
        """Waits for a line of the panel with this text, all of it in sight; returns the seconds that it took."""
        since = time.perf_counter()
        await expect(self.panel.locator(_LINES).filter(has_text=text).first).to_be_in_viewport(ratio=1)
        return time.perf_counter() - since

    @asynccontextmanager
    async def taps_are(self, count: int) -> AsyncIterator[None]:
        """What happens inside takes so many taps."""
        before = self.taps
        yield
        assert self.taps - before == count

    async def sees_the_whole_panel(self) -> None:
        """The panel is the last message, and none of it is out of sight."""
        await expect(self.panel).to_be_in_viewport(ratio=1)
        await expect(self.viewer.page.locator("#messages .message").last).to_have_class(re.compile("ephemeral"))
