"""A running bot is asked for its state as Prometheus and a supervisor ask it."""

import asyncio
import re
from pathlib import Path

import aiohttp

from bot.discord.gateway.shard_keeper import CONTENT_LOST
from tests.rig.rig import Bot, running
from tests.rig.test_interrupted import PACE, PEOPLE, hunting

STATUS = {"status_address": "127.0.0.1:0"}
PRESSED = 'kems_presses_total{outcome="answered",what="hand"}'


async def test_metrics_count_the_tables_the_connection_and_the_requests_of_a_bot(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **STATUS, **PACE) as rig:
        group = await hunting(rig)
        await group.host.open_hand()
        metrics = ""
        async with asyncio.timeout(30):  # a player sees the hand before the bot has read Discord's answer and counts it
            while PRESSED not in metrics:
                await asyncio.sleep(0.05)
                metrics = await asked(rig, "/metrics")
        assert await asked(rig, "/readyz") == "The bot is ready.\n"
        assert re.search(r'^kems_tables\{state="playing"\} 1\.0$', metrics, re.MULTILINE)
        assert re.search(r"^kems_people 4\.0$", metrics, re.MULTILINE)
        assert re.search(r'^kems_gateway_latency_seconds\{shard="0"\} ', metrics, re.MULTILINE)
        assert re.search(r'^kems_gateway_events_total\{event="ready",shard="0"\} 1\.0$', metrics, re.MULTILINE)
        assert float(value(metrics, PRESSED)) >= 1
        assert float(value(metrics, 'kems_discord_requests_total{budget="interactions",status="200"}')) >= 1
        assert float(value(metrics, "kems_commit_moves_sum")) >= 1
        assert float(value(metrics, 'kems_shown_age_seconds_count{message="table"}')) >= 1
        assert not any(name in metrics for name in PEOPLE), "metrics name no people"


async def test_a_bot_is_ready_once_it_is_connected(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **STATUS) as rig:
        await rig.launch()
        told = []
        async with asyncio.timeout(60):
            while not told or told[-1] != "The bot is ready.\n":
                await asyncio.sleep(0.01)
                if rig.log.exists() and rig.logged("status.listening"):
                    told.append(await asked(rig, "/readyz"))
        assert set(told[:-1]) <= {
            "Other processes serve all shards: this one waits for one that is free.\n",
            "Not connected to Discord: shards 0.\n",
        }
        assert await asked(rig, "/healthz") == "The bot runs.\n"


async def test_a_bot_whose_token_was_reset_is_not_ready_and_ends_when_discord_closes_the_connection(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, PEOPLE, **STATUS) as rig:
        await rig.start()
        discord, told = rig.remote.discord, ""
        discord.world.is_token_reset = True
        await rig.remote.slash(rig.remote.users["Léa"], "kems start")  # a table is to be posted
        async with asyncio.timeout(30):
            while "ready" in told or not told:
                await asyncio.sleep(0.05)
                told = await asked(rig, "/readyz")
        assert told.startswith("Discord refused DISCORD_TOKEN: copy the token again")
        assert re.search(r"^kems_ready 0\.0$", await asked(rig, "/metrics"), re.MULTILINE)
        await discord.gateway.drop(forget=True, code=4004)
        await rig.remote.until(lambda: rig.has_ended, "the end of the bot")
        assert rig.logged("refused DISCORD_TOKEN")


async def test_a_bot_that_loses_the_message_content_intent_goes_on_without_it(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **STATUS, message_content=True) as rig:
        await rig.start()
        discord = rig.remote.discord
        discord.world.may_read_content = False
        before = len(discord.gateway.identified)
        await discord.gateway.drop(forget=True, code=4014)
        await rig.remote.until(lambda: len(discord.gateway.identified) > before, "another identify", 60)
        assert await rig.remote.connected()
        assert (await rig.remote.slash(rig.remote.users["Léa"], "kems records history")).is_answered
        told = ""
        async with asyncio.timeout(60):
            while "ready" not in told:
                told = await asked(rig, "/readyz")
                await asyncio.sleep(0.05)
        assert told == f"The bot is ready. {CONTENT_LOST}\n"
        assert len(rig.logged("intent.lost")) == 1


async def asked(rig: Bot, path: str) -> str:
    (line,) = rig.logged("status.listening")
    port = re.search(r"port=(\d+)", line)
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port[1]}{path}") as answer:
        return await answer.text()


def value(metrics: str, name: str) -> str:
    found = re.search(rf"^{re.escape(name)} (\S+)$", metrics, re.MULTILINE)
    assert found is not None, name
    return found[1]
