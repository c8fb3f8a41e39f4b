"""An evening of two pairs at phones: planned, moved, signed up for, led with every step of the host, and ended.

Buttons are found by what they ask for, so that the same evening is played in each language. Between its phases the
clocks leap: those of the bot, of its Discord and of the pages.
"""

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Final
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Browser, Locator, expect

from bot.base.clock import WallClock
from bot.base.times import HOUR_MS, MINUTE_MS, WEEK_MS
from bot.discord.gateway.client import KemsClient
from bot.discord.text.texts import Texts, texts_for
from bot.nights.changes import NightCode
from bot.nights.night import Night
from bot.nights.timetable import next_at
from bot.sandbox.discord import state
from bot.sandbox.server import Setting
from bot.tables.hub import NightChanged
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.sandbox.serving import serving_kems
from tests.seen import typed

NAMES: Final = ("Léa", "Bruno", "Chloé", "Dora")
SEED: Final = 11
_FIRST, _SECOND = re.compile(r"\b\w1 \w1\b"), re.compile(r"\b\w2 \w1\b")
"""The first table of the first round and of the second, in each language."""
_CHECK_IN: Final = "Without an answer you are seated last and called sooner."
Keep = Callable[[str, Locator], Awaitable[None]]
"""Looks at what a person sees at a moment of the evening."""


async def nothing(_moment: str, _shown: Locator) -> None:
    """Looks at nothing."""


@dataclass
class Phones:
    """People at phones, and the bot; `ahead` is by how much all clocks are ahead (milliseconds)."""

    viewers: list[ViewerPage]
    client: KemsClient
    texts: Texts
    ahead: int = 0

    @property
    def night(self) -> Night:
        """The latest night."""
        return max((one.night for one in self.client.rooms.nights.all_running()), key=lambda night: night.id)

    async def leap(self, to: int) -> None:
        """Let the clocks leap to an instant (milliseconds), and the bot look at them."""
        by = to - time.time_ns() // 1_000_000 - self.ahead
        self.ahead += by
        for viewer in self.viewers:
            await viewer.page.evaluate("by => { const now = Date.now; Date.now = () => now() + by; }", by)
        self.client.rooms.hub.publish(NightChanged(self.night))


@asynccontextmanager
async def at_phones(
    browser: Browser, folder: Path, locale: str, names: tuple[str, ...] = NAMES, *, scale: int = 2
) -> AsyncIterator[Phones]:
    """People at phones, in a server of that language; `scale` is device pixels per CSS pixel."""
    setting = Setting(viewers=names, locale=locale, locales=(locale,))
    on_wall = WallClock.now
    async with (
        serving_kems(folder, setting, rng=Random(SEED), auto_open=1, auto_next=1) as (info, client),
        viewing(browser, info.addresses) as pages,
    ):
        viewers = [await pages.open(name, PHONE, scale=scale) for name in names]
        phones = Phones(viewers, client, texts_for(locale))
        ahead = SimpleNamespace(time_ns=lambda: time.time_ns() + phones.ahead * 1_000_000)
        with (
            patch.object(state, "time", ahead),
            patch.object(WallClock, "now", lambda one: on_wall(one) + phones.ahead),
        ):
            yield phones


class Evening:
    """The host and three players."""

    series_at: int
    """When the series begins, before a date of it is moved (milliseconds)."""

    def __init__(self, phones: Phones, keep: Keep) -> None:
        self.phones = phones
        self.host, self.bruno, self.chloe, self.dora = phones.viewers
        self._keep = keep

    async def play(self) -> None:
        await self.plan()
        await self.sign_up()
        await self.move()
        await self.check_in()
        await self.open()
        await self.lead()
        await self.end()
        await self.cancel()

    async def play_with_a_no_show(self) -> None:
        """Dora signs up and never comes; the host moves one date, removes her, and corrects a result after the end."""
        await self.plan()
        await self.sign_up()
        await self.move()
        await self.check_in(silent=("Dora",))
        await self.open()
        await tap(self.host, "night_host")
        await self.remove("Dora")
        leads = self.phones.night.rounds[0].tables[0].team_of(0) == 0  # whether Léa's side is the form's first
        won, lost = ("10 7", "7 10") if leads else ("7 10", "10 7")
        await self.result(won, "result")
        await self.step("end_early")
        await expect(podium(self.bruno)).to_contain_text("Léa & Bruno")
        await self.look("podium", self.bruno, podium(self.bruno))
        await tap(self.host, "night_host")
        await self.result(lost, "corrected")
        await expect(podium(self.bruno)).to_contain_text("Chloé")
        await expect(podium(self.bruno)).not_to_contain_text("Dora")
        await self.look("corrected podium", self.bruno, podium(self.bruno))
        await expect(night(self.bruno)).to_contain_text("1 Chloé")
        await self.look("corrected board", self.bruno, night(self.bruno))
        await self.next_week()

    async def plan(self) -> None:
        host = self.host
        await say(host, "/kems-admin night create")
        await self.look("plan", host)
        await tap(host, "night_text")
        await host.page.locator("#form input").first.wait_for()
        await self.look("plan form", host)
        await fill(host, "Saturday" if self.phones.texts.locale == "en" else "Samedi", _in_days(2))
        await expect(panel(host)).to_contain_text("Saturday" if self.phones.texts.locale == "en" else "Samedi")
        for field, value in ((":format", "swiss"), (":rounds", "3")):
            await choose(host, field, value)
            await expect(panel(host).locator(f"option[value='{value}'][selected]").first).to_be_attached()
        await tap(host, ":weekly:on")
        await expect(panel(host).locator("button[data-press*=':weekly:off']")).to_be_visible()
        await self.look("plan chosen", host)
        await tap(host, "night_publish")
        await expect(night(host)).to_be_visible()
        self.series_at = self.phones.night.plan.starts_at
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

    async def move(self) -> None:
        """The host moves the night by a day, and not the series: everybody is asked once."""
        await say(self.host, "/kems-admin night edit")
        await tap(self.host, "night_text")
        await self.host.page.locator("#form input").first.wait_for()
        title = await self.host.page.locator("#form input").first.input_value()
        await fill(self.host, title, _in_days(3))
        await expect(panel(self.host).locator("button[data-press*='night_save_series']")).to_be_visible()
        await self.look("moving", self.host)
        await tap(self.host, "night_publish")
        await expect(question(self.bruno)).to_contain_text("@Dora")
        await self.look("moved", self.bruno, question(self.bruno))
        await tap(self.bruno, "night_ready")
        await self.look("stays", self.bruno)

    async def check_in(self, silent: Collection[str] = ()) -> None:
        """Everybody answers but the `silent`. The question about the move goes once the check-in stands."""
        await self.phones.leap(self.phones.night.plan.starts_at - 14 * MINUTE_MS)
        asked = question(self.bruno).filter(has_text=self.phones.texts.t(_CHECK_IN))
        await expect(asked).to_contain_text("0 ")
        await expect(question(self.bruno)).to_have_count(1)
        await self.look("check-in", self.bruno, asked)
        coming = [viewer for name, viewer in zip(NAMES, self.phones.viewers, strict=True) if name not in silent]
        for viewer in coming:
            await tap(viewer, "night_ready")
        await expect(asked).to_contain_text(f"{len(coming)} ")
        await self.look("all ready", self.bruno, asked)
        await self.phones.leap(self.phones.night.plan.starts_at)

    async def ask(self, one: ViewerPage, other: ViewerPage, moment: str) -> None:
        await tap(one, "night_mine")
        await one.choose("@" + NAMES[[self.host, self.bruno, self.chloe, self.dora].index(other)])
        await one.settled()
        await self.look(moment, one)
        await tap(other, "night_mine")
        await self.look(f"{moment}, other", other)
        await tap(other, "night_accept")
        await self.look(f"{moment}, accepted", other)

    async def open(self) -> None:
        await expect(night(self.host).locator("button[data-press*='night_standings']")).to_be_visible()
        await expect(night(self.host)).to_contain_text(re.compile("[0-9] — [0-9]"))
        await expect(question(self.host)).to_have_count(0)
        await self.look("board", self.host, night(self.host))
        await tap(self.bruno, "night_mine")
        await self.look("mine", self.bruno)
        await tap(self.bruno, "night_standings")
        await self.look("standings", self.bruno)
        await self.bruno.open_channel(_FIRST)
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
        await self.choose_people(one, other)
        await self.look("swap asked", self.host)
        await tap(self.host, "night_step")
        await self.look("swap done", self.host)

    async def correct(self, points: str) -> None:
        """Correct a result of the first round while the second is played."""
        await tap(self.host, "night_host")
        await choose(self.host, "night_round", "1.0")
        await self.look("past round", self.host)
        await self.result(points, "past result")
        await expect(panel(self.host)).to_contain_text("10 — 8")

    async def choose_people(self, *names: str) -> None:
        """Choose people in the menu of the host's panel, which opens the question about them."""
        await pick(self.host, "night_people", *names)
        await expect(panel(self.host).locator("button[data-press*='night_step']").first).to_be_visible()

    async def remove(self, name: str) -> None:
        """Remove Dora from the night, who cannot come back then."""
        await self.choose_people(name)
        await self.look("removal asked", self.host)
        await panel(self.host).locator("button[data-press*='night_step']").first.click()
        await self.host.settled()
        await expect(panel(self.host)).to_contain_text("✅")
        await self.look("removed", self.host)
        await tap(self.dora, "night_join")
        await expect(panel(self.dora)).to_contain_text(typed(self.phones.texts.t(NightCode.REMOVED)))
        await self.look("kept out", self.dora)

    async def ban(self, name: str) -> None:
        await self.choose_people(name)
        await self.look("ban asked", self.host)
        await tap(self.host, "night_ban:")
        await fill(self.host, "Triche")
        await expect(panel(self.host)).to_contain_text(name)
        await self.look("banned", self.host)
        await tap(self.dora, "night_join")
        await expect(panel(self.dora)).to_contain_text("Triche")
        await self.look("kept out", self.dora)

    async def result(self, points: str, moment: str) -> None:
        await choose(self.host, "night_table", "1")
        await self.look(f"{moment}: table", self.host)
        await tap(self.host, "night_result")
        await self.host.page.locator("#form input").first.wait_for()
        await self.look(f"{moment}: form", self.host)
        await fill(self.host, points)
        await self.look(f"{moment} asked", self.host)
        await tap(self.host, "night_step")
        await self.look(f"{moment} done", self.host)

    async def end(self) -> None:
        await self.result("7 10", "corrected")
        await tap(self.host, "night_undo")
        await self.look("correction taken back", self.host)
        await self.phones.leap(self.phones.night.next_at or 0)
        await expect(night(self.host)).to_contain_text(_SECOND)
        await self.correct("10-8")
        await tap(self.host, "night_host")  # the present round again
        lines = (await night(self.host).inner_text()).splitlines()
        drawn = next(line for line in lines if _SECOND.search(line))
        await self.result("10 3" if drawn.index("Léa") < drawn.index("Chloé") else "3 10", "second round")
        await self.ban("Dora")
        await self.step("end_early")
        await expect(podium(self.bruno)).to_be_visible()
        await self.look("end", self.bruno, night(self.bruno))
        await tap(self.host, "night_host")
        await self.look("host after the end", self.host)
        await say(self.bruno, "/kems night")
        await self.look("mine at the end", self.bruno)

    async def next_week(self) -> None:
        """The next morning the night of the following week is announced, on the day of the series."""
        moved = self.phones.night
        await self.phones.leap(next_at(moved) or 0)
        await expect(posts(self.host).last.locator("button[data-press*='night_join']")).to_be_visible()
        await self.look("next morning", self.bruno, posts(self.bruno).nth(-2))
        assert moved.plan.starts_at != self.series_at
        assert self.phones.night.plan.starts_at - self.series_at == pytest.approx(
            WEEK_MS, abs=HOUR_MS
        )  # clocks are set

    async def cancel(self) -> None:
        """The host cancels the series."""
        await self.next_week()
        await say(self.host, "/kems-admin night cancel")
        await tap(self.host, ":series")
        await fill(self.host, "Plus de salle.")
        await expect(posts(self.bruno).last).to_contain_text("Plus de salle.")
        await self.look("cancelled", self.bruno, posts(self.bruno).last)

    async def look(self, moment: str, viewer: ViewerPage, shown: Locator | None = None) -> None:
        shown = panel(viewer) if shown is None else shown
        await shown.evaluate("message => message.scrollIntoView()")
        assert not await viewer.overflows(), f"something sticks out: {moment}"
        await self._keep(moment, shown)


def panel(viewer: ViewerPage) -> Locator:
    return viewer.page.locator("#messages .ephemeral").last


def posts(viewer: ViewerPage) -> Locator:
    """All that stands in the channel."""
    return viewer.page.locator("#messages .message:not(.ephemeral)")


def night(viewer: ViewerPage) -> Locator:
    """The sign-up message, then the board."""
    return posts(viewer).filter(has=viewer.page.locator("button[data-press*='night_']")).first


def podium(viewer: ViewerPage) -> Locator:
    """The post that tells how the night ended."""
    return posts(viewer).filter(has_text="🏆").last


def question(viewer: ViewerPage) -> Locator:
    """The message that asks who comes."""
    return posts(viewer).filter(has=viewer.page.locator("button[data-press*='night_ready']"))


async def tap(viewer: ViewerPage, asks: str) -> None:
    """Press the newest button whose custom id has these words in it, and wait for the answer."""
    await viewer.page.locator(f"#messages button[data-press*='{asks}']").last.click()
    await viewer.settled()


async def choose(viewer: ViewerPage, asks: str, value: str) -> None:
    """Choose in the newest menu whose custom id has these words in it, and wait for the answer."""
    await viewer.page.locator(f"#messages select[data-choose*='{asks}']").last.select_option(value=value)
    await viewer.settled()


async def pick(viewer: ViewerPage, asks: str, *labels: str) -> None:
    """Tick these in the newest menu of several whose custom id has these words in it, and wait for the answer."""
    menus = viewer.page.locator("#messages details.many", has=viewer.page.locator(f"[data-choose*='{asks}']"))
    await menus.last.locator("summary").click()
    for label in labels:
        await menus.last.get_by_label(label).check()
    await menus.last.locator("button[data-many]").click()
    await viewer.settled()


async def say(viewer: ViewerPage, command: str) -> None:
    """Send a command, and wait for the answer."""
    await viewer.say(command)
    await viewer.settled()


async def fill(viewer: ViewerPage, *values: str) -> None:
    """Send the open form, and wait for the answer."""
    await viewer.fill_form(*values)
    await viewer.settled()


def _in_days(days: int) -> str:
    return f"{datetime.now(ZoneInfo('Europe/Paris')) + timedelta(days):%Y-%m-%d} 21:00"
