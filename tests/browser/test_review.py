"""The coach's review on a phone, in each language: a sign that was not answered, and each moment with its replay."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser

from bot.discord.text.texts import LANGUAGES, texts_for
from bot.records.review import REACTION_MS
from bot.sandbox.server import Setting
from tests.browser.pages import PHONE, ViewerPage, keep, viewing
from tests.browser.pictures import COUNTERED, CROSSING_S, PEOPLE, Friend
from tests.browser.stacked import StackedDeck
from tests.sandbox.serving import serving_kems, tab

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_a_sign_that_was_not_answered_is_reviewed(browser: Browser, tmp_path: Path, language: str) -> None:
    texts, locale = texts_for(language), LANGUAGES[language].discord
    setting = Setting(viewers=PEOPLE, locale=locale, locales=(locale,))
    places = {"table_threads": False, "default_locale": language, "auto_open": 1, "auto_next": 0}
    async with (
        AsyncExitStack() as stack,
        serving_kems(tmp_path, setting, rng=StackedDeck([COUNTERED] * 2), **places) as (info, _),
        viewing(browser, info.addresses) as pages,
    ):
        friends = [Friend(await stack.enter_async_context(tab(info.addresses[name]))) for name in PEOPLE]
        lea = await pages.open(PEOPLE[0], PHONE)
        await lea.say("/kems start target:2")
        sign = await _begin(friends)
        await _countered(friends, sign)
        shown = texts.t("⚠️ This round gave your sign away.").split(" ", 1)[1]
        await lea.wait_text(shown)  # and nobody changes it
        await asyncio.sleep(CROSSING_S)
        await friends[2].press("next")
        await _countered(friends, sign)
        await lea.press(texts.t("🔎 My mistakes"))
        await lea.wait_text(texts.t("Your review of match {number}", number=1))
        await lea.wait_text(texts.n("{value} pt", "{value} pts", 2, value=2))
        await keep(lea.page, f"review-{language}")
        await lea.press(texts.t("🎬 Step by step"))
        await lea.wait_text(texts.t("(**the sign**)").replace("*", ""))
        assert not await lea.overflows()


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_a_moment_is_played_again_alone_and_as_a_challenge(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    """Léa's false Kem's of a short match; Bruno tries to do better."""
    texts, locale = texts_for(language), LANGUAGES[language].discord
    setting = Setting(viewers=PEOPLE, locale=locale, locales=(locale,))
    places = {"table_threads": False, "default_locale": language, "auto_open": 1, "auto_next": 0}
    async with (
        AsyncExitStack() as stack,
        serving_kems(tmp_path, setting, rng=StackedDeck([COUNTERED]), **places) as (info, _),
        viewing(browser, info.addresses) as pages,
    ):
        friends = [Friend(await stack.enter_async_context(tab(info.addresses[name]))) for name in PEOPLE]
        lea = await pages.open(PEOPLE[0], PHONE)
        bruno = await pages.open(PEOPLE[2], PHONE)

        async def fits(viewer: ViewerPage, name: str) -> None:
            await asyncio.sleep(0.5)  # what has just come is drawn meanwhile
            await keep(viewer.page, f"moment-{language}-{name}")
            assert not await viewer.overflows()

        await lea.say("/kems start target:1")
        await _begin(friends)
        await friends[0].exchange("8S QH", "9H JC")
        await friends[0].press("kems")
        await lea.press(texts.t("🔎 My mistakes"))
        await lea.wait_text(texts.t("You called Kem's, and no partner had one."))
        await fits(lea, "review")
        await lea.press(texts.t("🔁 Play it again"))
        await lea.wait_text(texts.t("Round {number}, once more", number=1))
        await fits(lea, "alone")
        await lea.press(texts.t("🔔 Kem's!"))
        await lea.wait_text(texts.t("In the match:"))
        await fits(lea, "alone-over")
        await lea.press(texts.t("📣 Challenge"))
        dared = texts.t("▶ Do better than {player}", player=PEOPLE[0])
        await bruno.press(dared)
        await bruno.wait_text(texts.t("Round {number}, once more", number=1))
        await fits(bruno, "challenge")
        await bruno.press(texts.t("🔔 Kem's!"))
        await bruno.wait_text(texts.t("In the match:"))
        await fits(bruno, "challenge-over")
        await fits(lea, "challenge-post")


async def _begin(friends: list[Friend]) -> str:
    """Everybody joins; Ana and Léa, Bruno and Dora agree on a sign. Returns that of Ana."""
    lea, ana, bruno, dora = friends
    for friend in (ana, bruno, dora):
        await friend.press("join")
    await lea.press("start")
    signs = []
    for proposer, partner in ((ana, lea), (bruno, dora)):
        await proposer.press("sign_panel")
        signs.append((await proposer.press("propose")).rsplit(":", 1)[1])
        await partner.press("sign_panel")
        await partner.press("accept")
    for friend in friends:
        await friend.press("hand")
    return signs[0]


async def _countered(friends: list[Friend], sign: str) -> None:
    """Ana makes the sign, Léa does not answer, Dora counters."""
    _, ana, _, dora = friends
    await ana.exchange("KD 7D", "AC 7C")
    await ana.press(f"gesture:{sign}")
    await asyncio.sleep(REACTION_MS / 1000)
    await dora.press("counter_at:2")
