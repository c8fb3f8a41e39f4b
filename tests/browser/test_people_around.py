"""A friends' server at a phone in French: two people of one name, a host who leaves, an event deleted by hand."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from playwright.async_api import Browser, expect

from bot.sandbox import server
from bot.sandbox.discord.serving import LoopbackDiscord
from tests.browser.evening import Evening, _in_days, at_phones, night, nothing, tap
from tests.browser.pages import ViewerPage
from tests.rig.moderator import Moderator

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@contextmanager
def held() -> Iterator[list[LoopbackDiscord]]:
    """The Discord that the sandbox makes meanwhile."""
    made: list[LoopbackDiscord] = []

    def make(*given: Any, **named: Any) -> LoopbackDiscord:
        made.append(LoopbackDiscord(*given, **named))
        return made[-1]

    with patch.object(server, "LoopbackDiscord", make):
        yield made


async def looked_at(viewer: ViewerPage, folder: Path, name: str) -> None:
    await viewer.page.screenshot(path=folder / f"{name}.png")
    assert not await viewer.overflows()


async def test_a_table_with_two_players_called_alex_goes_on_when_its_host_leaves(
    browser: Browser, tmp_path: Path
) -> None:
    with held() as made:
        async with at_phones(browser, tmp_path, "fr") as phones:
            (discord,) = made
            guild, users = discord.guilds[0].id, {user.name: user.id for user in discord.users}
            lea, bruno, _, dora = phones.viewers
            for name in ("Bruno", "Dora"):
                Moderator(discord.world).rename(guild, users[name], "Alex")
            await lea.say("/kems start")
            for viewer in (bruno, dora):
                await tap(viewer, ":join")
            await lea.wait_text("Alex (2)")
            await looked_at(bruno, tmp_path, "two-alex")
            Moderator(discord.world).remove_member(guild, users["Léa"])
            await tap(bruno, ":start")
            await expect(bruno.page.locator("#messages")).to_contain_text("signe", timeout=30_000)
            await looked_at(bruno, tmp_path, "host-gone")


async def test_a_deleted_event_is_created_again(browser: Browser, tmp_path: Path) -> None:
    with held() as made:
        async with at_phones(browser, tmp_path, "fr") as phones:
            (discord,) = made
            host, guild = Evening(phones, nothing).host, discord.guilds[0]
            await host.say("/kems-admin night create")
            await tap(host, "night_text")
            await host.page.locator("#form input").first.wait_for()
            await host.fill_form("Samedi", _in_days(2))
            panel = host.page.locator("#messages > *").last
            await expect(panel).to_contain_text(re.compile("après-demain|dans [23] jours"))  # by the hour of the test
            await tap(host, "night_more")
            await tap(host, ":event")
            await expect(panel).to_contain_text("à tout le serveur")
            await looked_at(host, tmp_path, "event-is-public")
            await tap(host, "night_publish")
            await expect(night(host)).to_be_visible()
            async with asyncio.timeout(20):
                while not guild.events:
                    await asyncio.sleep(0.1)
            (event,) = guild.events
            Moderator(discord.world).delete_event(guild.id, event)
            await tap(host, "night_host")
            await expect(panel).to_contain_text("Quelqu'un a supprimé l'événement")
            await looked_at(host, tmp_path, "event-deleted")
            await tap(host, "night_event")
            await expect(panel).to_contain_text("L'événement est en place")
