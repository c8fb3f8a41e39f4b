"""An evening of two pairs at phones: planned, signed up for, led with every step of the host, and ended.

Buttons are found by what they ask for, so that the same evening is played in each language.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from playwright.async_api import Locator, expect

from bot.sandbox import Setting
from tests.browser.pages import PHONE, Pages, ViewerPage
from tests.sandbox.serving import serving_kems

NAMES: Final = ("Léa", "Bruno", "Chloé", "Dora")
SEED: Final = 11
_SIGN_UP_S: Final = 35
Keep = Callable[[str, Locator], Awaitable[None]]
"""Looks at what a person sees at a moment of the evening."""


async def nothing(_moment: str, _shown: Locator) -> None:
    """Looks at nothing."""


@asynccontextmanager
async def at_phones(pages: Pages, folder: Path, locale: str) -> AsyncIterator[list[ViewerPage]]:
    """Four people at phones, in a server of that language."""
    setting = Setting(viewers=NAMES, locale=locale, guild_locale=locale)
    async with serving_kems(folder, setting, rng=Random(SEED), auto_open=1, auto_next=1) as (info, _):
        yield [await pages.open(info.addresses[name], PHONE, scale=2) for name in NAMES]


class Evening:
    """The host and three players."""

    def __init__(self, viewers: list[ViewerPage], keep: Keep) -> None:
        self.host, self.bruno, self.chloe, self.dora = viewers
        self._keep = keep

    async def play(self) -> None:
        await self.plan()
        await self.sign_up()
        await self.open()
        await self.lead()
        await self.end()

    async def plan(self) -> None:
        host = self.host
        await host.say("/kems-admin night create")
        await self.look("plan", host)
        await tap(host, "night_text")
        await host.page.locator("#form input").first.wait_for()
        await self.look("plan form", host)
        await host.fill_form("Saturday" if await self.is_english() else "Samedi", _soon())
        await choose(host, ":format", "swiss")
        await choose(host, ":rounds", "2")
        await expect(panel(host).locator("select").nth(0)).to_have_value("swiss")
        await expect(panel(host).locator("select").nth(2)).to_have_value("2")
        await self.look("plan chosen", host)
        await tap(host, "night_publish")
        await expect(night(host)).to_be_visible()
        await self.look("published", host, night(host))

    async def sign_up(self) -> None:
        for viewer in (self.host, self.bruno, self.chloe, self.dora):
            await tap(viewer, "night_join")
        await expect(night(self.host)).to_contain_text("4 ")
        await self.look("joined", self.bruno)
        await tap(self.chloe, "night_seek")
        await self.ask(self.host, self.bruno, "asked")
        await self.ask(self.chloe, self.dora, "asked too")
        await expect(night(self.host)).to_contain_text("Léa & Bruno")
        await self.look("sign-up", self.bruno, night(self.bruno))

    async def ask(self, one: ViewerPage, other: ViewerPage, moment: str) -> None:
        await tap(one, "night_mine")
        await one.choose("@" + NAMES[[self.host, self.bruno, self.chloe, self.dora].index(other)])
        await self.look(moment, one)
        await tap(other, "night_mine")
        await self.look(f"{moment}, other", other)
        await tap(other, "night_accept")
        await self.look(f"{moment}, accepted", other)

    async def open(self) -> None:
        await expect(night(self.host).locator("button[data-press*='night_standings']")).to_be_visible(timeout=120_000)
        await expect(night(self.host)).to_contain_text(re.compile("[0-9] — [0-9]"), timeout=60_000)
        await self.look("board", self.host, night(self.host))
        await tap(self.bruno, "night_mine")
        await self.look("mine", self.bruno)
        await tap(self.bruno, "night_standings")
        await self.look("standings", self.bruno)
        await self.bruno.open_channel("T1")
        await expect(self.bruno.page.locator("#messages button[data-press*='sign_panel']")).to_be_visible()
        await self.look("thread", self.bruno, self.bruno.page.locator("body"))
        await self.bruno.open_channel("kems")

    async def lead(self) -> None:
        host = self.host
        await tap(host, "night_host")
        await self.look("host", host)
        for step in ("pause_all", "resume_all", "add_time"):
            await self.step(step)
        await tap(host, "night_undo")
        await self.look("taken back", host)
        await self.swap("Bruno", "Dora")
        await self.result("10 7", "result")
        await self.look("board with a result", host, night(host))

    async def step(self, step: str) -> None:
        await tap(self.host, f"{step}.")
        await self.look(f"{step} asked", self.host)
        await tap(self.host, "night_step")
        await self.look(f"{step} done", self.host)

    async def swap(self, one: str, other: str) -> None:
        menu = panel(self.host).locator("details.many")
        await menu.locator("summary").click()
        for name in (one, other):
            await menu.get_by_label(name).check()
        await self.look("swap chosen", self.host)
        await menu.locator("button[data-many]").click()
        await self.look("swap asked", self.host)
        await tap(self.host, "night_step")
        await self.look("swap done", self.host)

    async def result(self, points: str, moment: str) -> None:
        await choose(self.host, "night_table", "1")
        await self.look(f"{moment}: table", self.host)
        await tap(self.host, "night_result")
        await self.host.page.locator("#form input").first.wait_for()
        await self.look(f"{moment}: form", self.host)
        await self.host.fill_form(points)
        await self.look(f"{moment} asked", self.host)
        await tap(self.host, "night_step")
        await self.look(f"{moment} done", self.host)

    async def end(self) -> None:
        await self.result("7 10", "corrected")
        await tap(self.host, "night_undo")
        await self.look("correction taken back", self.host)
        await self.step("end_early")
        await expect(self.host.page.locator("#messages .message:not(.ephemeral) img").last).to_be_visible()
        await self.look("end", self.bruno, night(self.bruno))
        await tap(self.host, "night_host")
        await self.look("host after the end", self.host)
        await self.bruno.say("/kems night")
        await self.look("mine at the end", self.bruno)

    async def look(self, moment: str, viewer: ViewerPage, shown: Locator | None = None) -> None:
        shown = panel(viewer) if shown is None else shown
        await shown.evaluate("message => message.scrollIntoView()")
        await asyncio.sleep(0.4)  # so that a picture has what the last press brought
        assert not await viewer.overflows(), f"something sticks out: {moment}"
        await self._keep(moment, shown)

    async def is_english(self) -> bool:
        return (await self.host.page.locator("html").get_attribute("lang") or "").startswith("en")


def panel(viewer: ViewerPage) -> Locator:
    return viewer.page.locator("#messages .ephemeral").last


def night(viewer: ViewerPage) -> Locator:
    """The sign-up message, then the board."""
    shown = viewer.page.locator("#messages .message:not(.ephemeral)")
    return shown.filter(has=viewer.page.locator("button[data-press*='night_']")).first


async def tap(viewer: ViewerPage, asks: str) -> None:
    """Press the newest button whose custom id has these words in it."""
    await viewer.page.locator(f"#messages button[data-press*='{asks}']").last.click()


async def choose(viewer: ViewerPage, asks: str, value: str) -> None:
    """Choose in the newest menu that has this value."""
    await viewer.page.locator(f"#messages select:has(option[value='{value}'])").last.select_option(value=value)


def _soon() -> str:
    begins = datetime.now(ZoneInfo("Europe/Paris")) + timedelta(seconds=_SIGN_UP_S + 60)
    return begins.strftime("%Y-%m-%d %H:%M")
