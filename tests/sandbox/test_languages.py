"""Each viewer reads the sandbox in the language of their browser, or in the one that they choose; what is public, all
read in the server's.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.resources import files

import aiohttp
import pytest

from bot.base.settings import Settings
from bot.operating import operations
from bot.sandbox.server import Setting
from tests.browser.demo import DemoBot
from tests.sandbox.serving import Tab, serving, tab

pytestmark = pytest.mark.asyncio

FRENCH, ENGLISH, GERMAN = "fr,fr-FR;q=0.8,en-US;q=0.5", "en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.5"
PATIENCE_S = 60  # on a busy machine


@pytest.mark.parametrize(
    ("accepted", "address", "locale"),
    [
        (FRENCH, "", "fr"),
        (ENGLISH, "", "en-US"),
        ("en-GB", "", "en-US"),
        ("ja,de;q=0.4,es-419;q=0.7", "", "es-ES"),
        ("ja", "", "fr"),
        ("", "", "fr"),
        (ENGLISH, "?locale=de", "de"),
        (ENGLISH, "?locale=es-ES", "es-ES"),
        (ENGLISH, "?locale=tlh", "en-US"),
    ],
)
async def test_all_pages_are_in_the_language_that_the_address_or_the_browser_asks_for(
    accepted: str, address: str, locale: str
) -> None:
    setting = Setting(locales=("fr", "en-US", "de", "es-ES"))
    headers = {"Accept-Language": accepted}
    async with serving(DemoBot, setting) as (info, _), aiohttp.ClientSession(headers=headers) as session:
        origin, viewer = info.addresses["Léa"].rpartition("/")[0], info.addresses["Léa"]
        for page in (f"{origin}/", viewer, f"{origin}/beside/lea/bruno"):
            async with session.get(page + address) as answer:
                assert f'<html lang="{locale[:2]}">' in await answer.text()
        async with session.ws_connect(f"{viewer}/socket{address}") as socket:
            opened = Tab(socket)
            await opened.until(lambda: bool(opened.place))
            assert opened.place["locale"] == locale


async def test_the_first_page_links_to_pages_in_the_language_of_its_address() -> None:
    async with serving(DemoBot) as (info, _), aiohttp.ClientSession() as session:
        origin = info.addresses["Léa"].rpartition("/")[0]
        async with session.get(f"{origin}/?locale=en", headers={"Accept-Language": FRENCH}) as answer:
            assert 'href="/bruno?locale=en-US"' in await answer.text()
        async with session.get(f"{origin}/", headers={"Accept-Language": ENGLISH}) as answer:
            assert 'href="/bruno"' in await answer.text()


async def test_the_people_have_a_role_named_in_the_language_of_the_first_browser() -> None:
    setting = Setting(locale=None, locales=("fr", "en-US", "de"))
    async with serving(DemoBot, setting) as (info, bot):
        async with tab(info.addresses["Léa"], GERMAN) as lea, tab(info.addresses["Bruno"], ENGLISH) as bruno:
            assert (lea.place["locale"], bruno.place["locale"]) == ("de", "en-US")
            assert "Spieler" in bruno.place["roles"].values()
            assert "Players" not in bruno.place["roles"].values()
        guild = bot.get_guild(info.guild_id)
        assert guild is not None
        assert guild.preferred_locale.value == "de"


@asynccontextmanager
async def played(locale: str | None, capsys: pytest.CaptureFixture[str]) -> AsyncIterator[dict[str, str]]:
    """`kems play`, and the addresses that it prints, by the viewers' names."""
    settings = Settings(_env_file=None, auto_open=1, table_threads=False)
    playing = asyncio.create_task(operations.play_sandbox(settings, port=0, viewers=2, locale=locale))
    written, addresses = "", {}
    try:
        async with asyncio.timeout(PATIENCE_S):
            while "Bruno" not in addresses:
                await asyncio.sleep(0.05)
                written += capsys.readouterr().out
                addresses = dict(re.findall(r"^  (\w+): (http\S+)$", written, re.MULTILINE))
        yield addresses
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


async def test_private_messages_are_in_each_viewers_language_and_public_ones_in_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with (
        played(None, capsys) as addresses,
        tab(addresses["Bruno"], ENGLISH) as bruno,
        tab(addresses["Léa"], GERMAN) as lea,
    ):
        await bruno.until(lambda: bruno.reads("♠ Play"))
        await lea.until(lambda: lea.reads("♠ Spielen"))
        await lea.press("❔ Hilfe")
        await lea.until(lambda: any(message["ephemeral"] for message in lea.messages))
        (own,) = (message for message in lea.messages if message["ephemeral"])
        assert "So spielt man Kem's" in own["components"][0]["components"][0]["content"], "private, so in German"
        await lea.until(lambda: bool(lea.place["commands"]))
        await lea.do(do="slash", name="kems start", options={})
        await bruno.until(lambda: bool(bruno.label("Join")))
        await lea.until(lambda: bool(lea.label("Join")))  # public, so in the language of the first browser
        await lea.do(do="locale", locale="es-ES")
        await lea.until(lambda: lea.reads("♠ Jugar"))
        assert lea.place["locale"] == "es-ES"
        assert not lea.reads("♠ Spielen")
        assert not bruno.reads("♠ Jugar")


async def test_a_refused_press_is_answered_in_every_language() -> None:
    told = {}
    async with serving(DemoBot) as (info, _), tab(info.addresses["Léa"]) as lea:
        await lea.until(lambda: bool(lea.place["commands"]))
        await lea.do(do="slash", name="invite", options={})
        message, custom_id = next(
            (message["id"], row["components"][0]["custom_id"])
            for message in lea.messages
            for row in message["components"]
        )
        told["gone"] = await lea.do(do="press", message=message, custom_id="gone")
        told["count"] = await lea.do(do="press", message=message, custom_id=custom_id, values=["1", "2", "3", "4"])
    texts = json.loads((files("bot.sandbox") / "static" / "texts.json").read_bytes())
    assert {word: outcome["word"] for word, outcome in told.items()} == {word: word for word in told}
    assert told["count"]["told"] == {"low": "1", "high": "3"}
    assert all(word in words for word in told for words in texts.values())


async def test_public_messages_are_in_the_chosen_language_whatever_the_browsers_prefer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with played("de", capsys) as addresses, tab(addresses["Bruno"], ENGLISH) as bruno:
        await bruno.until(lambda: bruno.reads("♠ Play"))
        await bruno.until(lambda: bool(bruno.place["commands"]))
        await bruno.do(do="slash", name="kems start", options={})
        await bruno.until(lambda: bool(bruno.label("Mitspielen")))
