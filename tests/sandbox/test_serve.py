"""The sandbox over its sockets: a real discord.py client on one side, tabs on the other."""

import asyncio
import gc
import io
import time
from functools import partial

import aiohttp
import discord
import pytest

from bot.discord.api.discord_internals import client_at
from bot.sandbox.server import SandboxError, serve
from tests.browser.demo import DemoBot
from tests.sandbox.serving import serving, tab

pytestmark = pytest.mark.asyncio


async def test_presses_from_several_tabs_queue_and_none_is_lost() -> None:
    async with (
        serving(DemoBot) as (info, bot),
        tab(info.addresses["Léa"]) as lea,
        tab(info.addresses["Bruno"]) as bruno,
    ):
        await lea.do(do="slash", name="table", options={})
        await bruno.until(lambda: bruno.reads("count 0"))
        pressed, gone = [], []
        for label in ("8♣", "D♥", "R♠", "A♦") * 5:
            for page in (lea, bruno):
                message, custom_id = page.control(label)
                pressed.append((page, await page.send(do="press", message=message, custom_id=custom_id)))
                gone.append((page, await page.send(do="press", message=message, custom_id="gone")))
        for page, number in (*pressed, *gone):
            await page.until(partial(page.outcomes.__contains__, number))
        assert {page.outcomes[number]["is"] for page, number in pressed} == {"answered"}
        assert {page.outcomes[number]["why"] for page, number in gone} == {"this button is no longer there"}
        assert len(bot.pressed_at) == 1 + len(pressed)


async def test_interaction_ids_are_snowflakes_of_this_moment() -> None:
    async with serving(DemoBot) as (info, bot), tab(info.addresses["Léa"]) as lea:
        await lea.do(do="slash", name="table", options={})
        await asyncio.sleep(0.3)
        await lea.press("Hand")
        times = [discord.utils.snowflake_time(i).timestamp() for i in bot.pressed_at]
        assert abs(times[1] - time.time()) < 60
        assert 0.3 <= times[1] - times[0] < 60


async def test_ephemeral_messages_are_never_sent_to_another_viewers_tab() -> None:
    async with serving(DemoBot) as (info, _), tab(info.addresses["Léa"]) as lea, tab(info.addresses["Bruno"]) as bruno:
        await lea.do(do="slash", name="table", options={})
        await lea.press("Hand")
        await lea.until(lambda: lea.reads("Hand of Léa"))
        secret = next(m["id"] for m in lea.messages if m["ephemeral"])
        await lea.do(do="say", content="done")
        await bruno.until(lambda: bruno.reads("done"))
        assert secret not in bruno.known
        outcome = await bruno.do(do="press", message=secret, custom_id=lea.control("Put 9♦")[1])
        assert outcome["why"] == "this message is no longer there"


async def test_two_tabs_of_one_viewer_share_ephemeral_messages_but_not_modals() -> None:
    async with serving(DemoBot) as (info, _), tab(info.addresses["Léa"]) as one, tab(info.addresses["Léa"]) as two:
        await one.do(do="slash", name="table", options={})
        await one.press("Hand")
        await two.until(lambda: two.reads("Hand of Léa"))
        form = (await one.press("Sign…"))["form"]
        field = form["components"][0]["components"][0]["custom_id"]
        sent = {"do": "submit", "interaction": form["interaction"], "values": {field: "🍀"}}
        assert (await one.do(**sent))["is"] == "answered"
        await two.until(lambda: two.reads("sign 🍀"))
        assert (await two.do(**sent))["why"] == "this form is closed"


async def test_the_bot_hears_reactions_replies_and_mentions_but_not_ordinary_chat() -> None:
    async with serving(DemoBot) as (info, bot), tab(info.addresses["Bruno"]) as bruno:
        await bruno.do(do="slash", name="table", options={})
        table = bruno.order[-1]
        await bruno.do(do="react", message=table, emoji="👀", present=True)
        await bruno.do(do="say", content="only us")
        await bruno.do(do="say", content=f"<@{bruno.place['bot']}> 🍀🍀")
        channel = await bot.fetch_channel(info.channel_id)
        posted = await channel.send("a regular message, not an answer to an interaction")
        await bruno.do(do="say", content="👀", reply_to=str(posted.id))
        async with asyncio.timeout(60):
            while len(bot.heard) < 4:
                await asyncio.sleep(0.01)
        # without the message-content intent Discord blanks what is not addressed to the bot
        told = [line.replace(f"<@{bruno.place['bot']}> ", "") for line in bot.heard]
        assert told == [f"{info.users['Bruno']} 👀", "Bruno: ", "Bruno: 🍀🍀", "Bruno: 👀"]


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"do": "slash", "name": "nothing", "options": {}}, "there is no command /nothing"),
        ({"do": "slash", "name": "table", "options": {"count": "many"}}, "count"),
        ({"do": "slash", "name": "table", "options": {"colour": "red"}}, "no option 'colour'"),
        ({"do": "press", "message": "1", "custom_id": "x"}, "no longer there"),
        ({"do": "react", "message": "1", "emoji": "👀", "present": True}, "no longer there"),
        ({"do": "open", "channel": "1"}, "cannot see this channel"),
        ({"do": "locale", "locale": "tlh"}, "choose one of fr, en-US"),
        ({"do": "fly"}, "reload"),
        ({"do": "say", "content": ""}, "empty message"),
    ],
)
async def test_an_impossible_order_is_refused_in_a_sentence(order: dict[str, object], why: str) -> None:
    async with serving(DemoBot) as (info, _), tab(info.addresses["Léa"]) as lea:
        outcome = await lea.do(**order)
        assert outcome["is"] == "failed"
        assert why in outcome["why"]


@pytest.mark.parametrize("frame", ["7", "[]", "null", '"do"', "{", '{"do": "say", "ask": []}'])
async def test_a_malformed_frame_closes_its_socket_with_a_sentence(frame: str) -> None:
    async with (
        serving(DemoBot) as (info, _),
        tab(info.addresses["Léa"]) as lea,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{info.addresses['Bruno']}/socket") as socket,
    ):
        await socket.send_str(frame)
        async for _told in socket:
            pass
        assert socket.close_code == aiohttp.WSCloseCode.UNSUPPORTED_DATA
        assert (await lea.do(do="say", content="still here"))["is"] == "answered"


@pytest.mark.parametrize("frame", ["7", "[]", "{"])
async def test_the_gateway_closes_on_a_frame_that_it_cannot_read(frame: str) -> None:
    """Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes"""
    async with serving(DemoBot) as (info, _), aiohttp.ClientSession() as session:
        host = info.addresses["Léa"].split("/")[2]
        async with session.ws_connect(f"ws://{host}/gateway") as socket:
            await socket.send_str(frame)
            async for _told in socket:
                pass
            assert socket.close_code == 4002


async def test_pages_of_other_sites_are_kept_out() -> None:
    async with serving(DemoBot) as (info, _), aiohttp.ClientSession() as session:
        address = info.addresses["Léa"]
        foreign = ({"Origin": "http://example.org"}, {"Host": "example.org"})
        for headers in foreign:
            async with session.get(address, headers=headers) as answer:
                assert answer.status == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(f"{address}/socket", headers=headers)
        async with session.get(address) as answer:
            assert answer.status == 200
        async with session.get(address.replace("lea", "nobody")) as answer:
            assert answer.status == 404


@pytest.mark.parametrize(("language", "said"), [("fr-FR,fr;q=0.9", "Choisissez qui vous êtes"), ("en", "who you are")])
async def test_the_first_page_names_its_viewer_and_what_to_press(language: str, said: str) -> None:
    async with serving(DemoBot) as (info, _), aiohttp.ClientSession() as session:
        origin = info.addresses["Léa"].rpartition("/")[0]
        async with session.get(f"{origin}/", headers={"Accept-Language": language}) as answer:
            assert said in await answer.text()


async def test_custom_emojis_and_files_can_be_looked_at() -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(8)
    async with serving(DemoBot) as (info, bot), aiohttp.ClientSession() as session:
        emoji = await bot.create_application_emoji(name="ace", image=png)
        origin = info.addresses["Léa"].rpartition("/")[0]
        async with session.get(f"{origin}/emojis/{emoji.id}") as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", png)
        async with tab(info.addresses["Léa"]) as lea:
            channel = await bot.fetch_channel(info.channel_id)
            await channel.send(file=discord.File(io.BytesIO(png), "table.png"))
            await lea.until(lambda: bool(lea.order))
            (posted,) = lea.messages[-1]["attachments"]
            path = posted["url"]
            assert posted["content_type"] == "image/png", "the page shows it in its place, and offers no download"
            async with session.get(origin + path) as answer:
                assert (answer.content_type, await answer.read()) == ("image/png", png)


async def test_requests_go_to_discord_again_after_the_sandbox_has_stopped() -> None:
    before = discord.http.Route.BASE
    async with serving(DemoBot):
        assert discord.http.Route.BASE.startswith("http://127.0.0.1:")
    assert before == discord.http.Route.BASE == "https://discord.com/api/v10"


async def test_a_taken_port_is_reported() -> None:
    async with serving(DemoBot) as (info, _):
        port = int(info.addresses["Léa"].split(":")[2].split("/")[0])
        with pytest.raises(SandboxError, match=f"cannot listen on 127.0.0.1:{port} .* choose another port"):
            await serve(DemoBot, client_at, port=port)


async def test_an_error_of_the_bot_at_its_start_is_passed_on() -> None:
    class Broken(DemoBot):
        async def setup_hook(self) -> None:
            raise RuntimeError("no database")

    with pytest.raises(RuntimeError, match="no database"):
        await serve(Broken, client_at, port=0)


async def test_a_sandbox_stopped_while_its_bot_starts_logs_no_error() -> None:
    class Closing(DemoBot):
        """Its login fails once it is closed, as over a closed connection; the sandbox is left as it begins."""

        async def start(self, token: str, *, reconnect: bool = True) -> None:
            self.is_cut = asyncio.Event()
            running.cancel()
            await self.is_cut.wait()
            raise aiohttp.ClientConnectionError("Connector is closed.")

        async def close(self) -> None:
            self.is_cut.set()
            await super().close()

    said: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: said.append(context["message"]))
    running = asyncio.create_task(serve(Closing, client_at, port=0))
    with pytest.raises(asyncio.CancelledError):
        await running
    await asyncio.sleep(0)
    gc.collect()  # an error that nobody has asked for is logged when its task is deleted
    assert said == []


async def test_a_bot_that_stops_by_itself_ends_the_sandbox() -> None:
    class Leaving(DemoBot):
        async def on_ready(self) -> None:
            await self.close()

    with pytest.raises(SandboxError, match="stopped by itself"):
        await asyncio.wait_for(serve(Leaving, client_at, port=0), 60)
