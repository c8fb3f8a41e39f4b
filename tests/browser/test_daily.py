"""The deal of the day at two phones, in each language: a restart in mid-scene, a post, and another day."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, expect

from bot.base.settings import Settings
from bot.base.times import DAY_MS
from bot.compose import build_client
from bot.daily.day import day_of, scene_of
from bot.daily.practice_round import PracticeRound, read_moves
from bot.daily.scene import ME
from bot.discord.api.discord_internals import discord_at
from bot.discord.gateway.client import KemsClient
from bot.game import actions as a
from bot.robots import Robot
from bot.robots.level import COACH
from bot.sandbox.discord.serving import LoopbackDiscord, served
from bot.sandbox.discord.state import wall_clock
from bot.sandbox.discord.world import World
from bot.sandbox.page import Page, slug_of
from tests.browser.pages import PHONE, ViewerPage, viewing
from tests.daily.solver import solution
from tests.databases import migrated

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

NAMES = ("Léa", "Bruno")
SECRET = "bG9vcGJhY2s.tests.the-token-of-a-bot"
WORDS = {
    "fr": ("/kems jour", "Scène", "📣 Publier", "▶ Jouer la mienne", "🏆 Classement", "jours"),
    "en-US": ("/kems daily", "Scene", "📣 Post", "▶ Play mine", "🏆 Board", "days"),
}


@dataclass
class Scenes:
    """What the database of a bot knows of people's scenes."""

    folder: Path
    users: dict[str, int] = field(default_factory=dict)
    ahead_ms: int = 0

    def now(self) -> int:
        return wall_clock() + self.ahead_ms

    def secret(self) -> bytes:
        with closing(sqlite3.connect(self.folder / "kems.db")) as database:
            return bytes.fromhex(database.execute("SELECT secret FROM daily_secrets").fetchone()[0])

    def run(self, name: str, number: int) -> PracticeRound | None:
        """The scene of a person as it stands now; None once it is over."""
        with closing(sqlite3.connect(self.folder / "kems.db")) as database:
            began, moves, is_over = database.execute(
                "SELECT started_at, moves, is_over"
                " FROM scene_attempts WHERE user_id = ? AND scene LIKE ? ORDER BY day DESC",
                (self.users[name], f"%.{number}"),
            ).fetchone()
        if is_over:
            return None
        scene = scene_of(self.secret(), day_of(began), self.users[name], number)
        run = PracticeRound(scene, began, read_moves(moves))
        run.advance(self.now())
        return run


@dataclass
class Install(Scenes):
    """A bot at a simulated Discord, whose clock can be moved; the bot can be replaced."""

    addresses: dict[str, str] = field(default_factory=dict)
    client: KemsClient | None = None
    _task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        url = f"sqlite:///{self.folder / 'kems.db'}"
        settings = Settings(_env_file=None, database_url=url, discord_token=SECRET)
        self.client = client = build_client(settings, clock=self)
        self._task = asyncio.create_task(client.start("sandbox"))
        async with asyncio.timeout(30):
            while not client.is_ready():
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        assert self.client is not None
        assert self._task is not None
        await self.client.close()
        await asyncio.wait({self._task})


@asynccontextmanager
async def installed(folder: Path, locale: str) -> AsyncIterator[Install]:
    migrated(folder)
    install = Install(folder)
    world = World("Kem's", install.now)
    users = [world.add_user(name) for name in NAMES]
    guild = world.add_guild("Kem's", users)
    discord = LoopbackDiscord(world, users, [guild], [world.add_channel(guild, "kems")])
    page = Page(discord, {slug_of(name): name for name in NAMES}, locales=(locale,))
    async with served(discord, around_rest=page.around_rest, routes=page.routes()):
        with discord_at(discord.address):
            install.addresses = {name: f"http://{discord.address}/{slug_of(name)}" for name in NAMES}
            install.users = {user.name: user.id for user in users}
            await install.start()
            try:
                yield install
            finally:
                await install.stop()
                await page.close()


def grid(squares: str) -> str:
    return "\u2060".join(squares)  # no line ends between them


class Phone:
    """One person's phone."""

    def __init__(self, install: Scenes, viewer: ViewerPage, name: str) -> None:
        self.install, self.viewer, self.name = install, viewer, name
        self.panel = viewer.page.locator("#messages .ephemeral").last

    async def press(self, custom_id: str) -> None:
        await self.panel.locator(f'button[data-press*="{custom_id}"]').first.click()

    async def sees(self, text: str) -> None:
        await expect(self.panel).to_contain_text(text)
        assert not await self.viewer.overflows()

    async def start(self, number: int) -> None:
        await self.press(f"daily_start:{day_of(self.install.now()).toordinal()}.{number}")
        await self.sees(f"📅 {number + 1}/3")
        await expect(self.panel).to_be_in_viewport(ratio=1)

    async def miss(self, number: int) -> None:
        await self.start(number)
        await self.press(":kems")

    async def call(self, number: int, *, restarts: bool = False) -> None:
        """Wait for what is to be called, and call it."""
        await self.start(number)
        run = self.install.run(self.name, number)
        assert run is not None
        if restarts:
            assert isinstance(self.install, Install)
            await asyncio.sleep(4)
            await self.install.stop()
            await self.install.start()
        last = solution(run.start, run.began)[-1]
        await asyncio.sleep(max(0, last.at - self.install.now()) / 1000)
        if isinstance(last.action, a.CounterPlayer):
            await self.press(f":counter_at:{last.action.target}")
        else:
            await self.press(":kems")

    async def collect(self, number: int) -> None:
        """Do what the coach says until nothing is left to do."""
        await self.start(number)
        coach = Robot(Random(1), COACH)
        while (run := self.install.run(self.name, number)) is not None:
            await asyncio.sleep(0.7)
            action, _ = coach.advise(run.match.view(ME), self.install.now())
            match action:
                case a.PutDown(card=card):
                    wanted = f":put:{card.code}"
                case a.Take(card=card):
                    wanted = f":take:{card.code}"
                case a.AnswerSweep(agrees=agrees):
                    wanted = ":yes" if agrees else ":no"
                case a.AskSweep():
                    wanted = ":sweep"
                case _:
                    continue
            button = self.panel.locator(f'button[data-press*="{wanted}"]').first
            if await button.count() and await button.is_enabled():
                await button.click()


@pytest.mark.parametrize("locale", ["fr", "en-US"])
async def test_two_people_play_the_deal_of_the_day_on_two_phones(browser: Browser, tmp_path: Path, locale: str) -> None:
    command, scene, share, play, board, days = WORDS[locale]
    async with installed(tmp_path, locale) as install, viewing(browser, install.addresses) as pages:
        lea, bruno = [Phone(install, await pages.open(name, PHONE), name) for name in NAMES]
        await lea.viewer.say(command)
        await lea.sees(f"▶ {scene} 1")
        await lea.call(0)
        await lea.sees(grid("🟩⬜⬜"))
        await lea.call(1, restarts=True)
        await lea.sees(grid("🟩🟩⬜"))
        await lea.collect(2)
        await lea.sees(grid("🟩🟩"))
        await lea.viewer.press(share)
        await bruno.viewer.press(play)
        await bruno.sees(f"▶ {scene} 1")
        for number in range(3):
            await bruno.miss(number)
        await bruno.sees("0/3 · 0:00 · " + grid("🟥🟥🟥"))
        await bruno.viewer.press(board)
        await bruno.sees("3/3" if grid("🟩🟩🟩") in await lea.viewer.page.locator("#messages").inner_text() else "2/3")

        install.ahead_ms += DAY_MS
        await install.stop()
        await install.start()
        for phone in (lea, bruno):
            await phone.viewer.say(command)
            await phone.sees(f"▶ {scene} 1")
            for number in range(3):
                await phone.miss(number)
            await phone.sees(f"🔥 2 {days}")
