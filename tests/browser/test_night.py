"""A whole evening at phones, in each language: nothing sticks out, and every step of the host works in a browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from bot.discord.text.texts import LANGUAGES, texts_for
from tests.browser.evening import Evening, at_phones, nothing, posts
from tests.seen import typed

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("locale", ["fr", "en-US"])
async def test_a_night_goes_on_with_a_no_show_a_moved_date_and_a_late_correction(
    browser: Browser, tmp_path: Path, locale: str
) -> None:
    async with at_phones(browser, tmp_path, locale) as phones:
        await Evening(phones, nothing).play_with_a_no_show()


@pytest.mark.parametrize("locale", [language.discord for language in LANGUAGES.values()])
async def test_a_night_runs_from_its_plan_to_the_next_morning(browser: Browser, tmp_path: Path, locale: str) -> None:
    texts, wins = texts_for(locale), ("🏆 **{names}** wins the night!", "🏆 **{names}** win the night!")
    pair = f"Léa & Bruno · {texts.n('{value} pt', '{value} pts', 3, value=3)}"
    async with at_phones(browser, tmp_path, locale) as phones:
        await Evening(phones, nothing).play()
        standing = [typed(shown) for shown in await posts(phones.viewers[1]).all_inner_texts()]
    # Bruno and Dora have changed places in a round: each pair has the mean of its two.
    expected = (
        texts.t("This night has begun: {link}", link=""),
        f"1 {pair}",
        texts.n(*wins, 2, names="Léa & Bruno").replace("*", ""),
        texts.t("The night in review"),
        texts.t("This night is cancelled."),
    )
    assert [part in shown for part, shown in zip(map(typed, expected), standing, strict=True)] == [True] * 5, standing
