"""`kems play` shows the pictures of the cards: drawn while people already play, uploaded, and found by the page."""

import asyncio
import io
import re
from contextlib import suppress
from typing import Any

import aiohttp
import pytest
from PIL import Image

from bot.base.settings import Settings
from bot.discord.pictures import custom_emojis
from bot.discord.pictures.custom_emojis import SyncResult, sync
from bot.operating import operations
from bot.records.pictures import Theme
from tests.sandbox.serving import Tab, tab

PATIENCE = 120.0  # seconds: many cards are drawn, on a busy machine


async def address(capsys: pytest.CaptureFixture[str]) -> str:
    written = ""
    while not (found := re.search(r"Léa: (\S+)", written)):
        await asyncio.sleep(0.05)
        written += capsys.readouterr().out
    return found[1]


def found(lea: Tab, pattern: str) -> list[str]:
    """What the texts of the messages have of a pattern, as the page gets them."""
    texts, waiting = [], [part for message in lea.messages for part in message["components"]]
    while waiting:
        part = waiting.pop()
        waiting += part.get("components", [])
        texts += re.findall(pattern, part.get("content", ""))
    return texts


def pictures(lea: Tab) -> list[str]:
    """The ids of the pictures of cards."""
    return found(lea, r"<:\w+:(\d+)>")


def threads(lea: Tab) -> list[str]:
    return [place["id"] for place in lea.place["channels"] if place["thread"]]


@pytest.mark.slow
async def test_cards_that_were_dealt_as_text_become_pictures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = asyncio.Event()

    async def late(*arguments: Any, **options: Any) -> SyncResult:
        await dealt.wait()
        return await sync(*arguments, **options)

    french = [face for face in custom_emojis.every_face() if face[1] is Theme.FRENCH]
    monkeypatch.setattr(custom_emojis, "every_face", lambda: iter(french))
    monkeypatch.setattr(operations, "sync", late)
    settings = Settings(_env_file=None, auto_open=1, table_pictures=0)  # the table in words
    playing = asyncio.create_task(operations.play_sandbox(settings, port=0, viewers=1, locale="fr"))
    try:
        async with asyncio.timeout(PATIENCE):
            home = await address(capsys)
            async with tab(home) as lea, aiohttp.ClientSession() as session:
                await lea.until(lambda: bool(lea.order))
                await lea.press("♠ Jouer")
                await lea.until(lambda: bool(threads(lea) and lea.label("Accepter")))  # a robot proposes a sign
                await lea.press(lea.label("Accepter"))
                await lea.do(do="open", channel=threads(lea)[0])
                await lea.until(lambda: bool(found(lea, "[♠♥♦♣]")))
                dealt.set()
                while not pictures(lea):
                    with suppress(TimeoutError):  # all are drawn first
                        await lea.until(lambda: bool(pictures(lea)))
                for emoji_id in pictures(lea):
                    async with session.get(f"{home.rpartition('/')[0]}/emojis/{emoji_id}") as answer:
                        assert answer.content_type == "image/png"
                        with Image.open(io.BytesIO(await answer.read())) as picture:
                            assert picture.size == (128, 128)
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
