"""Kem's itself in two browser windows: a duel, in which nobody waits for a robot."""

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, Locator, expect

from bot.sandbox.server import Setting
from tests.browser.pages import PHONE, WIDE, ViewerPage, keep, viewing
from tests.sandbox.serving import serving_kems

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOLLOWS_WITHIN = 0.5  # seconds, by the issue; the test prints what it took, for a busy machine takes longer
EDIT_PACE = 1.25  # seconds: the bot holds back a second edit of the same public message
SEED = 5  # a deal whose first put-down leaves no three alike in the pool
PADDING = re.compile("[\u2000-\u200b\ufe0e]")  # keeps the slots of a panel equally wide


@asynccontextmanager
async def two(browser: Browser, folder: Path, width: int) -> AsyncIterator[tuple[ViewerPage, ViewerPage]]:
    """Léa's page of that width, and Bruno's at a phone."""
    setting, settings = Setting(viewers=("Léa", "Bruno")), {"table_threads": False, "auto_open": 0, "auto_next": 0}
    settings["table_pictures"] = 0  # the table is read as text
    async with (
        serving_kems(folder, setting, rng=Random(SEED), **settings) as (info, _),
        viewing(browser, info.addresses) as pages,
    ):
        yield await pages.open("Léa", width), await pages.open("Bruno", PHONE)


@asynccontextmanager
async def duel(browser: Browser, folder: Path) -> AsyncIterator[tuple[ViewerPage, ViewerPage]]:
    """Léa at a desktop, Bruno at a phone, each with an open hand; the hunt is open."""
    async with two(browser, folder, WIDE) as (lea, bruno):
        await lea.say("/kems start players:2")
        await bruno.press("Rejoindre")
        await lea.wait_text("Bruno")
        await lea.press("Commencer")
        await lea.wait_text("ouvre la chasse")
        for page in (lea, bruno):
            await page.press("🂠 Ma main")
            await page.wait_text("Nous 0 · Eux 0")
        dealer = lea if await lea.reads("À vous d'ouvrir la chasse") else bruno
        await dealer.press("📣 Ouvrir la chasse")
        for page in (lea, bruno):
            await page.wait_text("Posez une carte")
        yield lea, bruno


def slots(page: ViewerPage, verb: str) -> Locator:
    """The buttons of the newest panel that put a card down, or that take one."""
    return page.page.locator(".ephemeral").last.locator(f'button[data-press*=":{verb}:"]')


async def faces(page: ViewerPage, verb: str) -> list[str]:
    """What these buttons read: `8♣`, `D♥`."""
    return [plain(label) for label in await slots(page, verb).all_inner_texts()]


def plain(text: str) -> str:
    return PADDING.sub("", text).strip()


async def test_two_viewers_play_and_neither_sees_the_others_hand(browser: Browser, tmp_path: Path) -> None:
    async with duel(browser, tmp_path) as (lea, bruno):
        mine, theirs = await faces(lea, "put"), await faces(bruno, "put")
        assert len(mine) == len(theirs) == 4
        assert not set(mine) & set(theirs)
        read_by_lea, read_by_bruno = [plain(await page.page.inner_text("#messages")) for page in (lea, bruno)]
        assert all(card in read_by_lea and card not in read_by_bruno for card in mine)
        assert all(card in read_by_bruno and card not in read_by_lea for card in theirs)

        began = time.perf_counter()
        await slots(lea, "put").first.click()
        await expect(slots(bruno, "take")).to_have_count(5)
        seconds = time.perf_counter() - began
        print(f"\nput down: the other panel followed after {seconds:.3f} s (aim {FOLLOWS_WITHIN} s)")
        assert mine[0] in await faces(bruno, "take")
        await bruno.wait_text("Léa (doit 1 carte)")

        taken = (await faces(lea, "take"))[0]
        began = time.perf_counter()
        await slots(lea, "take").first.click()
        await expect(slots(bruno, "take")).to_have_count(4)
        seconds = time.perf_counter() - began
        print(f"take: the other panel followed after {seconds:.3f} s (edits are {EDIT_PACE} s apart)")
        await bruno.wait_gone("doit 1 carte")
        assert taken in await faces(lea, "put")
        assert not await lea.overflows()
        assert not await bruno.overflows()
        for page, name in ((lea, "table-1280"), (bruno, "table-390")):
            await keep(page.page, name)
        await refused_where_it_is_made(lea, bruno)


async def refused_where_it_is_made(lea: ViewerPage, bruno: ViewerPage) -> None:
    await lea.press("🔔 Kem's !")  # a duellist shows the sign first
    panel = lea.page.locator(".ephemeral").last
    await expect(panel).to_contain_text("Trop tôt")
    assert not await bruno.reads("Trop tôt")


async def test_a_plan_of_many_signs_is_voted_for_and_typed_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    async with two(browser, tmp_path, PHONE) as (lea, bruno):
        await lea.say("/kems ouvrir joueurs:2")
        await lea.press("Réglages…")
        await lea.choose("🪑 Équipes : selon les places")
        await lea.press("🗳️ Signes avancés : au vote")
        await bruno.press("Rejoindre")
        for page in (lea, bruno):
            await page.press("🗳️ Voter")
            await page.wait_text("Vous n'avez pas encore voté")
            await page.tick("intermediate", "total", "presign")
        await lea.wait_text("Signes avancés : 3 à 6 signes, multisigne total, pré-signe")
        await lea.press("Commencer")
        await lea.press("🤫 Le signe")
        await lea.press("Autre…")
        await lea.fill_form("🦉, 🐳, 🪁", kind="intermediate", presign="yes")
        await lea.wait_text("Vos signes : 🦉 🐳 🪁 + pré-signe")
        await bruno.press("🤫 Le signe")
        await bruno.press("Autre…")
        await bruno.fill_form("", kind="total")
        await lea.wait_text("ouvre la chasse")
        await bruno.press("🂠 Ma main")
        await bruno.wait_text("tout geste")
        await lea.press("🂠 Ma main")
        await lea.press_until(lea.button("🤫 Signe…"), lea.page.locator("#messages"), "Équipe 2 : total !")
        await lea.press("Équipe 2 : total !")
        await bruno.wait_text("📣 Léa : « Équipe 2, vous jouez le total » — juste")
        await bruno.wait_text("Votre signe : touchez 🤫 Signe…")
        assert not await lea.overflows()
        assert not await bruno.overflows()
