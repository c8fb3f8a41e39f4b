"""Two viewers in two browser windows, against a small bot."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise

import pytest
from playwright.async_api import Browser, FloatRect, expect

from bot.sandbox.server import SandboxInfo, Setting
from tests.browser.demo import TIMER_SECONDS, DemoBot
from tests.browser.pages import PHONE, WIDE, Pages, ViewerPage, viewing
from tests.sandbox.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOLLOWS_WITHIN = 0.5  # seconds, by the issue; the tests print what it took, for a busy machine takes longer


@asynccontextmanager
async def two_viewers(
    browser: Browser, **setting: object
) -> AsyncIterator[tuple[SandboxInfo, Pages, ViewerPage, ViewerPage]]:
    """Léa at a desktop, Bruno at a phone."""
    async with (
        serving(DemoBot, Setting(**setting)) as (info, _),  # type: ignore[arg-type]  # the fields of Setting
        viewing(browser, info.addresses) as pages,
    ):
        lea = await pages.open("Léa", WIDE)
        bruno = await pages.open("Bruno", PHONE)
        yield info, pages, lea, bruno


@asynccontextmanager
async def followed(what: str, page: ViewerPage, text: str, *, after: float = 0) -> AsyncIterator[None]:
    """What is done inside can soon be read on another page; it begins after so many seconds."""
    since = time.perf_counter() + after
    yield
    await page.wait_text(text)
    seconds = time.perf_counter() - since
    print(f"\n{what}: the other page followed after {seconds:.3f} s (aim {FOLLOWS_WITHIN} s)")


async def test_a_page_follows_another_viewer_a_timer_and_links_to_a_thread(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        async with followed("slash command", bruno, "count 4"):
            await lea.say("/table count:4")
        async with followed("button", bruno, "count 5"):
            await lea.press("8♣")
        async with followed("button from a phone", lea, "count 6"):
            await bruno.press("D♥")
        async with followed("chat", bruno, "bonjour @Bruno"):
            await lea.say("bonjour @Bruno")
        await lea.react("🍀")  # on the newest message, the chat
        await bruno.page.locator(".reaction", has_text="🍀 1").wait_for()
        async with followed("timer", bruno, "opened by itself", after=TIMER_SECONDS):
            await lea.press("Later")
        assert await lea.reads("opened by itself")
        await _a_thread_is_opened(lea, bruno)


async def _a_thread_is_opened(lea: ViewerPage, bruno: ViewerPage) -> None:
    """From the list, from a mention, from the message that it began at, and from a link to a message in it."""
    await lea.say("/thread")
    await lea.wait_text("see #table-1")
    await bruno.open_channel("table-1")
    await bruno.wait_text("count 50")
    await lea.page.locator(".mention", has_text="#table-1").click()
    await lea.wait_text("count 50")
    await lea.press("8♣")
    await bruno.wait_text("count 51")
    await bruno.page.get_by_role("button", name="Retour au salon").click()
    await bruno.wait_text("a table opens")
    card = bruno.page.locator(".message", has_text="a table opens").locator(".thread")
    await expect(card).to_contain_text("table-1")
    await card.click()
    await bruno.wait_text("count 51")
    await lea.page.get_by_role("button", name="Retour au salon").click()
    await lea.page.get_by_text("To the table").click()
    await lea.wait_text("count 51")
    await expect(lea.page.locator(".message.found", has_text="count 51")).to_be_visible()
    assert len(lea.page.context.pages) == 1, "a link to a message is followed in this page"


async def test_nobody_sees_panels_and_modals_of_another_viewer(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        await lea.say("/table count:4")
        await bruno.wait_text("count 4")
        await lea.press("Hand")
        await bruno.press("Hand")
        await lea.wait_text("Hand of Léa")
        await bruno.wait_text("Hand of Bruno")
        await lea.press("Put 9♦")
        await lea.wait_text("put 1")
        await lea.press("8♣")
        await bruno.wait_text("count 5")
        assert not await lea.reads("Hand of Bruno")
        assert not await bruno.reads("Hand of Léa")
        assert await bruno.reads("put 0")
        await lea.page.get_by_role("button", name="Masquer").click()
        await lea.wait_gone("Hand of Léa")
        await lea.page.reload()
        await lea.wait_text("count 5")
        assert not await lea.reads("Hand of Léa"), "what was dismissed does not come back"
        await bruno.press("Sign…")
        await bruno.fill_form("🍀🍀")
        await bruno.wait_text("sign 🍀🍀")
        assert not await lea.reads("sign")
        await lea.choose("blue")
        await lea.wait_text("blue fr/fr")
        await bruno.page.select_option("#locale", "en-US")
        await bruno.page.get_by_placeholder("Message, or").wait_for()
        await bruno.choose("red")
        await bruno.wait_text("red en-US/fr")


async def test_a_page_is_in_the_language_of_its_browser_until_another_one_is_chosen(browser: Browser) -> None:
    setting = Setting(locale=None, locales=("fr", "en-US", "de"))
    async with serving(DemoBot, setting) as (info, _), viewing(browser, info.addresses) as pages:
        lea = await pages.open("Léa", language="de-DE")
        await lea.page.get_by_placeholder("Nachricht, oder").wait_for()
        await expect(lea.page.locator("html")).to_have_attribute("lang", "de")
        await lea.page.select_option("#locale", "en-US")
        await lea.page.get_by_placeholder("Message, or").wait_for()
        await expect(lea.page.locator("html")).to_have_attribute("lang", "en")
        await lea.page.reload()
        await lea.page.get_by_placeholder("Message, or").wait_for()
        await lea.say("/table")
        await lea.choose("blue")
        await lea.wait_text("blue en-US/de")
        await lea.page.locator("#beside").click()
        right = lea.page.frame_locator("iframe").last
        await right.get_by_placeholder("Message, or").wait_for()


async def test_commands_are_offered_filled_in_and_refused_and_take_a_chosen_person(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        await lea.page.fill("#say", "/ta")
        await lea.page.locator(".suggestion", has_text="/table").click()
        await lea.page.fill("#panel input[name=count]", "42")
        await lea.page.locator("#panel button.primary").click()
        await bruno.wait_text("count 42")
        await lea.say("/table count:1000")
        await lea.wait_notice("« count » va de 0 à 99.")
        await lea.say("/table is_open:True")
        await bruno.wait_text("hunt open")
        await lea.say("/table is_open:oui")
        await lea.wait_notice("« oui » n'est pas un choix de « is_open ».")
        await lea.page.fill("#say", "/ta")
        await lea.page.locator(".suggestion", has_text="/table").click()
        await lea.page.fill("#panel input[name=count]", "43")
        await lea.page.select_option("#panel select[name=is_open]", label="oui")
        await lea.page.locator("#panel button.primary").click()
        await bruno.wait_text("count 43")
        assert await bruno.page.get_by_text("hunt open").count() == 2
        await bruno.say("/silent")
        await bruno.wait_notice("Cette interaction a échoué.")
        await _members_a_role_and_a_channel_are_chosen(lea, bruno)


async def _members_a_role_and_a_channel_are_chosen(lea: ViewerPage, bruno: ViewerPage) -> None:
    """And their mentions are seen."""
    await lea.say("/invite")
    await lea.tick(label="@Bruno")
    await expect(bruno.page.locator(".mention", has_text="@Bruno")).to_have_class("mention mine")
    await expect(lea.page.locator(".mention", has_text="@Bruno")).to_have_class("mention")
    await expect(bruno.page.locator(".message.pinged")).to_have_count(1)
    await expect(lea.page.locator(".message.pinged")).to_have_count(0)
    await lea.page.get_by_label("Role").select_option(label="@Joueurs")
    for viewer in (lea, bruno):
        await expect(viewer.page.locator(".mention.mine", has_text="@Joueurs")).to_be_visible()
        await expect(viewer.page.locator(".message.pinged").last).to_contain_text("invited @Joueurs")
    await lea.page.get_by_label("Channel").select_option(label="#kems")
    await expect(bruno.page.locator(".mention", has_text="#kems")).to_be_visible()


async def test_a_reader_of_older_messages_reaches_new_ones_with_one_press(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        for number in range(30):
            await lea.say(f"line {number}.")
        await bruno.wait_text("line 29.")
        jump = bruno.page.locator("#jump")
        await expect(jump).to_be_hidden()
        await expect(bruno.page.get_by_text("line 29.")).to_be_in_viewport()
        await bruno.page.evaluate("messages.scrollTop = 0")
        await expect(jump).to_have_text("Vous lisez d'anciens messagesAller au plus récent ↓")
        await lea.say("one more")
        await expect(jump).to_have_text("1 nouveau messageAller au plus récent ↓")
        await lea.say("and another")
        await expect(jump).to_have_text("2 nouveaux messagesAller au plus récent ↓")
        await jump.click()
        await expect(bruno.page.get_by_text("and another")).to_be_in_viewport()
        await expect(jump).to_be_hidden()
        await lea.say("the last")
        await expect(bruno.page.get_by_text("the last")).to_be_in_viewport()


async def test_a_second_viewer_is_shown_beside_the_first_after_one_click(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        await expect(bruno.page.locator("#beside")).to_be_hidden()  # a phone has no room for two
        await lea.page.locator("#beside").click()
        left, right = (lea.page.frame_locator("iframe").nth(number) for number in (0, 1))
        for frame, name in ((left, "Léa"), (right, "Bruno")):
            await expect(frame.locator("#who")).to_contain_text(name)
            await expect(frame.locator("#beside")).to_be_hidden()
        await right.locator("#say").fill("/table count:4")
        await right.locator("#say").press("Enter")
        await expect(left.locator("#messages")).to_contain_text("count 4")
        await left.get_by_role("button", name="8♣").click()
        await bruno.wait_text("count 5")


async def test_messages_are_drawn_as_discord_draws_them(browser: Browser) -> None:
    async with two_viewers(browser) as (_, _, lea, bruno):
        await lea.say("/table count:4")
        await bruno.wait_text("count 4")
        await rows_are_a_phones(bruno)
        suits = await lea.page.locator(".suit").all()
        assert len(suits) == 8  # four in the text, four on buttons
        for suit in suits:
            assert await suit.evaluate(CONTRAST) >= 3  # WCAG 2.1, large or bold text

        under = await box(bruno, "R♠")
        await bruno.page.mouse.move(under["x"] + 10, under["y"] + 10)
        await bruno.page.mouse.down()
        await lea.press("8♣")
        await bruno.wait_text("count 5")
        await bruno.page.mouse.up()
        await lea.wait_text("count 6")  # a press survives an edit of the message under the finger

        await bruno.press("Hand")
        await bruno.wait_text("Hand of Bruno")
        for viewer, width in ((lea, WIDE), (bruno, PHONE), (bruno, WIDE), (lea, PHONE)):
            await viewer.page.set_viewport_size({"width": width, "height": 844})
            assert not await viewer.overflows()


async def rows_are_a_phones(viewer: ViewerPage) -> None:
    container = await viewer.page.locator(".container").last.bounding_box()
    assert container is not None
    assert (container["x"], container["width"]) == (72, PHONE - 72 - 16)
    cards = [await box(viewer, label) for label in ("8♣", "D♥", "R♠", "A♦")]
    call = await box(viewer, "Hand")
    assert {each["height"] for each in (*cards, call)} == {32}
    assert len({card["y"] for card in cards}) == 1, "four fit in a row"
    assert call["y"] - cards[0]["y"] == 40
    assert {round(right["x"] - left["x"] - left["width"], 3) for left, right in pairwise(cards)} == {8}


async def box(viewer: ViewerPage, label: str) -> FloatRect:
    found = await viewer.button(label).bounding_box()
    assert found is not None
    return found


CONTRAST = """element => {
    const light = colour => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(light);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
}"""


async def test_a_page_finds_its_way_back_when_the_sandbox_is_started_again(browser: Browser) -> None:
    async with AsyncExitStack() as sandbox:
        info, _ = await sandbox.enter_async_context(serving(DemoBot))
        port = int(info.addresses["Léa"].split(":")[2].split("/")[0])
        async with viewing(browser, info.addresses) as pages:
            lea = await pages.open("Léa")
            await lea.say("before")
            await lea.wait_text("before")
            await sandbox.aclose()
            await lea.wait_notice("Connexion perdue")
            await sandbox.enter_async_context(serving(DemoBot, port=port))
            await lea.wait_gone("before")
            await lea.say("after")
            await lea.wait_text("after")
            lea.problems.clear()  # the browser reports the attempts that failed meanwhile
