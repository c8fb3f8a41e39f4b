"""`kems play` shows the pictures of the cards: drawn while people already play, uploaded, and found by the page."""

import asyncio
import io
import re
from contextlib import suppress

import aiohttp
import pytest
from PIL import Image

from bot import operations
from bot.settings import Settings
from tests.sandbox.serving import Tab, tab

PATIENCE = 120.0  # seconds: every card is drawn, on a busy machine


async def address(capsys: pytest.CaptureFixture[str]) -> str:
    written = ""
    while not (found := re.search(r"Léa: (\S+)", written)):
        await asyncio.sleep(0.05)
        written += capsys.readouterr().out
    return found[1]


def pictures(lea: Tab) -> list[str]:
    """The ids of the pictures of cards in the texts of the messages, as the page gets them."""
    found, waiting = [], [part for message in lea.messages for part in message["components"]]
    while waiting:
        part = waiting.pop()
        waiting += part.get("components", [])
        found += re.findall(r"<:\w+:(\d+)>", part.get("content", ""))
    return found


def threads(lea: Tab) -> list[str]:
    return [place["id"] for place in lea.place["channels"] if place["thread"]]


def waits_for_lea(lea: Tab) -> str:
    """The button that the table waits for: a robot proposes a sign, or has ended the round before all is drawn."""
    return lea.label("Accepter") or lea.label("Manche suivante")


@pytest.mark.slow
async def test_the_page_shows_cards_as_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(_env_file=None, auto_open=1)
    playing = asyncio.create_task(operations.play_sandbox(settings, port=0, viewers=1, locale="fr"))
    try:
        async with asyncio.timeout(PATIENCE):
            home = await address(capsys)
            async with tab(home) as lea, aiohttp.ClientSession() as session:
                await lea.until(lambda: bool(lea.order))
                await lea.press("Jouer tout de suite avec trois robots")
                await lea.until(lambda: bool(threads(lea) and waits_for_lea(lea)))
                await lea.press(waits_for_lea(lea))
                await lea.do(do="open", channel=threads(lea)[0])
                while not pictures(lea):
                    with suppress(TimeoutError):
                        await lea.until(lambda: bool(pictures(lea) or waits_for_lea(lea)))
                    if label := waits_for_lea(lea):
                        await lea.press(label)
                for emoji_id in pictures(lea):
                    async with session.get(f"{home.rpartition('/')[0]}/emojis/{emoji_id}") as answer:
                        assert answer.content_type == "image/png"
                        with Image.open(io.BytesIO(await answer.read())) as picture:
                            assert picture.size == (128, 128)
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
