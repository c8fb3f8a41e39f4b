"""Nothing moves under the thumb, measured: hand panels of random hunts on the sandbox's own page at a phone's width."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page, Route

import bot
from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces, picture_name
from bot.game.cards import DECKS
from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import Eligibility
from bot.nights.formats import FORMATS
from bot.records.pictures import Theme
from bot.robots.level import COACH
from bot.robots.robot import Robot
from bot.ui.night.plan.settings import plan_panel
from tests.browser.pages import PHONE, keep
from tests.ui.night.samples import plan_of
from tests.ui.night.test_plan_settings import NEW
from tests.ui.table.pages.hunts import drawn, hunts
from tests.ui.walk import ALL, EN, FR

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LIKE_DISCORDS: Final = "Narrowed"  # in bot/sandbox/static/page.css
FONTS: Final = (LIKE_DISCORDS, "Liberation Sans")  # French cards stay in their rows in other letters, too
WITHIN: Final = 5  # pixels by which the width of a button may change
HEIGHT: Final = 680  # pixels that the classic hand, or a plan, may take
LINES: Final = 4  # at most above the first card
HUNTS: Final = 8  # of each preset: every kind of cards in two languages; the gate has one kind of each, in both
STEPS: Final = 72
EVERY: Final = 4  # of the moments of a hunt is measured
STATIC: Final = Path(bot.__file__).parent / "sandbox" / "static"
TYPES: Final = {".css": "text/css", ".js": "text/javascript"}
EMOJI: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>'
PAGE: Final = """<!doctype html><html lang="fr"><meta charset="utf-8"><link rel="stylesheet" href="/static/page.css">
<style>body { font-family: "FONT", "Narrowed", "Noto Color Emoji" }</style>
<body><main id="messages"></main><script>Date.now = () => 59_000;</script><script type="module">
import { message } from "/static/messages.js";
const place = { me: "1", mine: [], names: { 1: "Ana", 2: "Kem's" }, roles: {}, channels: [], locale: "fr" };
const texts = { only_you: "Vous seul pouvez voir ceci", hide: "Masquer", used: "", edited: "modifié", choose: "" };
const list = document.getElementById("messages");
const drawn = (components) => message({ id: "9", author: "2", bot: true, time: 0, edited: true, ephemeral: true,
  pings: [], components, attachments: [], reactions: [], content: "", loading: false },
  { place, texts, waiting: new Set() });
function measure(shown) {
  const { top, height } = shown.getBoundingClientRect();
  return {
    height,
    lines: [...shown.querySelectorAll(".text")].map((text) => text.getBoundingClientRect().height),
    above: shown.querySelector(".text").innerText.split("\\n").filter((line) => line.trim()).length,
    text: shown.innerText,
    overflow: shown.scrollWidth > shown.clientWidth || list.scrollWidth > list.clientWidth,
    rows: [...shown.querySelectorAll(".row")].map((row) => [...row.children].map((it) => {
      const box = it.getBoundingClientRect();
      return { top: box.top - top, height: box.height, width: box.width, label: it.textContent };
    })),
  };
}
window.measured = async (layouts) => {
  list.replaceChildren(...layouts.map(drawn));
  await Promise.all([...list.querySelectorAll("img")].map((picture) => picture.decode()));
  return [...list.children].map(measure);
};
</script>"""


@asynccontextmanager
async def panel_page(browser: Browser, font: str) -> AsyncIterator[Page]:
    """A page that shows panels below each other as the sandbox would, in this font; nothing is served."""

    async def answer(route: Route) -> None:
        path = route.request.url.split("//sandbox", 1)[1]
        if path == "/":
            await route.fulfill(body=PAGE.replace("FONT", font), content_type="text/html")
        elif path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            await route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            await route.fulfill(body=EMOJI, content_type="image/svg+xml")

    context = await browser.new_context(viewport={"width": PHONE, "height": 844})
    try:
        page = await context.new_page()
        await page.route("**/*", answer)
        await page.goto("http://sandbox/")
        await page.wait_for_function("!!window.measured")
        yield page
    finally:
        await context.close()


def panels(preset: str, faces: Faces, seed: int) -> list[Layout]:
    """Panels of one seat in one hunt; other seeds play at tables of other sizes, every second one with a coach."""
    sizes = PRESETS[preset].seating.players
    players = sizes[seed % len(sizes)]
    hunt, dice = hunts(preset, players, faces.theme, seed), Random(seed)
    coach = Robot(Random(seed), COACH) if seed % 2 else None
    return [drawn(hunt, view, faces, dice, coach) for view in islice(hunt.moments(STEPS), 0, None, EVERY)]


def pictured(theme: Theme, language: str) -> dict[str, int]:
    cards = {card for deck in DECKS.values() for card in deck}
    return {picture_name(card, theme, language): number for number, card in enumerate(sorted(cards), 1)}


async def measured(page: Page, layouts: Sequence[Layout]) -> list[dict[str, Any]]:
    found = await page.evaluate("(layouts) => window.measured(JSON.parse(layouts))", json.dumps(layouts))
    assert isinstance(found, list)
    return found


def check_rows(name: str, shown: Sequence[dict[str, Any]]) -> None:
    """No row and no button goes, comes, or changes its line; only the last row may be a vote."""
    first = shown[0]
    for one in shown:
        assert not one["overflow"], name
        assert len(one["rows"]) == len(first["rows"]), name
        for row, before in zip(one["rows"], first["rows"], strict=True):
            for button in row:
                assert button["top"] == pytest.approx(row[0]["top"], abs=0.1), (name, button, row[0])
                assert button["height"] == pytest.approx(before[0]["height"], abs=0.1), (name, button, before[0])
            assert len(row) == len(before) or row is one["rows"][-1], name


def check_places(name: str, shown: Sequence[dict[str, Any]]) -> None:
    """No line wraps, so no row changes its place, and no button its width."""
    first = shown[0]
    for one in shown:
        assert one["above"] <= LINES, (name, one["text"])
        assert one["height"] == pytest.approx(first["height"], abs=0.5), name
        assert one["lines"] == first["lines"], (name, one["text"])
        assert [row[0]["top"] for row in one["rows"]] == pytest.approx(
            [row[0]["top"] for row in first["rows"]], abs=0.1
        )


def some(number: int) -> Sequence[int]:
    """Seeds for a preset of that number: one kind of cards in two languages, another kind for the next preset."""
    return range(number % len(Theme), HUNTS, len(Theme))


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("seeds", [some, pytest.param(lambda _: range(HUNTS), id="all", marks=pytest.mark.long)])
async def test_no_button_moves_between_any_two_states_of_a_hunt(
    browser: Browser, font: str, seeds: Callable[[int], Sequence[int]]
) -> None:
    async with panel_page(browser, font) as page:
        for number, preset in enumerate(PRESETS):
            hunts_shown = states = 0
            for seed in seeds(number):
                texts, theme = ALL[(number + seed // len(Theme)) % len(ALL)], list(Theme)[seed % len(Theme)]
                if font != LIKE_DISCORDS and theme is not Theme.FRENCH:
                    continue
                faces = Faces(texts, theme, pictured(theme, texts.locale) if seed % 3 == 0 else {})
                shown = await measured(page, panels(preset, faces, seed))
                name = f"{preset} {texts.locale} {theme} {seed}"
                check_rows(name, shown)
                if font == LIKE_DISCORDS:
                    check_places(name, shown)
                hunts_shown, states = hunts_shown + 1, states + len(shown)
            assert states >= 10 * hunts_shown, preset


async def test_the_classic_hand_fits_a_phones_screen(browser: Browser) -> None:
    async with panel_page(browser, LIKE_DISCORDS) as page:
        for texts, coached in product((FR, EN), (False, True)):
            hunt, dice = hunts("classic", 4, Theme.FRENCH, 3), Random(3)
            coach = Robot(Random(3), COACH) if coached else None
            layouts = [drawn(hunt, view, Faces(texts), dice, coach) for view in hunt.moments(20)]
            shown = await measured(page, layouts)
            print(f"\nthe classic hand is {shown[0]['height']} px high")
            assert max(one["height"] for one in shown) <= HEIGHT
            await measured(page, layouts[-1:])
            await keep(page, f"hand-{texts.locale}{'-coached' * coached}")


async def test_the_first_page_of_a_plan_fits_a_phones_screen(browser: Browser) -> None:
    async with panel_page(browser, LIKE_DISCORDS) as page:
        for texts, form in product((FR, EN), FORMATS.values()):
            state = replace(NEW, draft=replace(NEW.draft, plan=plan_of(form)))
            (shown,) = await measured(page, [plan_panel(state, Eligibility.RANKED, texts)])
            print(f"\nthe plan of {form} is {shown['height']} px high")
            assert shown["height"] <= HEIGHT, form
