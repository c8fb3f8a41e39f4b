"""Takes pictures of the bot from the sandbox: `make pictures` renews those of docs/, `make pictures PICTURES=folder`
takes all of them.

Four people play a ranked match of arranged deals over the page's own socket, and a browser looks on from one of their
places: ten moments, in each language, on a phone and on a desktop. The game under the pictures is the real one.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any, Final

from PIL import Image
from playwright.async_api import Browser, Locator, expect

from bot.discord.text.texts import LANGUAGES
from bot.sandbox.server import SandboxInfo, Setting
from bot.store.schema.ladder import SeasonRow
from tests.browser.pages import PHONE, WIDE, ViewerPage, launched, viewing
from tests.browser.stacked import StackedDeck
from tests.databases import migrated
from tests.sandbox.serving import Tab, serving_kems, tab
from tests.store.conftest import opened
from tests.store.counted_matches import SURE, Match, play_all

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN: Final = ("lobby", "sign", "hunt", "result", "board", "podium")
"""The moments that docs/ show, on a phone in English."""
PEOPLE: Final = ("Léa", "Ana", "Bruno", "Dora")
"""In the order of joining, which makes Léa and Ana partners. A browser looks on from Léa's place."""
ABSENT: Final = ("Chloé", "Enzo", "Farid", "Gaspard")  # they have played before
DAY_MS: Final = 24 * 3600 * 1000
QUIET_S: Final = 5.5  # until a sweep may be asked for
CROSSING_S: Final = 2.5  # in which a press may have been meant for the round before
TRIES: Final = 5
SCALE: Final = 2  # device pixels of a CSS pixel
TALL: Final = 2400  # CSS pixels of a page on which all messages are in sight
WHOLE: Final = """([from, to]) => {
    const shown = [...document.querySelectorAll("#messages .message")].slice(from, to ?? undefined);
    const [first, last] = [shown.at(0), shown.at(-1)].map((message) => message.getBoundingClientRect());
    return {x: 0, y: first.top, width: innerWidth, height: last.bottom - first.top};
}"""
COLOURS: Final = 200  # of a kept picture

# The hands of Léa, Bruno, Ana and Dora, then the middle and the top of the stock.
SWEPT: Final = ("8S TH JD KC", "8H 9D TC QS", "7S 7H KD AC", "8D 9S TS KH", "QD 9H QH JC 7D 7C AS JS")
COUNTERED: Final = ("8S 9H JD KC", "8H 9D TC QS", "7S 7H KD AC", "8D 9S TS KH", "7D 7C QH JC")
DOUBLE: Final = ("8S 8H JD KC", "9D 9H TC QS", "7S 7H KD AC", "TH 9S TS KH", "7D 8C 8D 7C")
DOUBLES: Final = 3  # two points each: six, of the five that end a match


class Friend:
    """A player at the table, who presses what the page would offer."""

    def __init__(self, seat: Tab) -> None:
        self.tab = seat

    async def press(self, verb: str) -> str:
        """Presses the newest enabled button of this verb once there is one; returns its custom id."""
        while True:
            await self.tab.until(lambda: self.may(verb))
            message, custom_id = self._offered(verb)[0]
            outcome = await self.tab.do(do="press", message=message, custom_id=custom_id)
            if outcome["is"] == "answered":  # else what this tab had read was old
                return custom_id

    def may(self, verb: str) -> bool:
        """Whether such a button is enabled now."""
        return bool(self._offered(verb))

    async def exchange(self, *cards: str) -> None:
        """Exchanges cards, each written as the one to put down and the one to take: `KD 7D`."""
        for put, take in map(str.split, cards):
            await self.press(f"put:{put}")
            await self.press(f"take:{take}")

    def _offered(self, verb: str) -> list[tuple[str, str]]:
        return [
            (message["id"], part["custom_id"])
            for message in reversed(self.tab.messages)
            for part in _parts(message)
            if not part.get("disabled") and f"{part.get('custom_id')}:".split(":", 2)[2].startswith(f"{verb}:")
        ]


def _parts(component: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in component.get("components", []):
        if "custom_id" in part:
            yield part
        yield from _parts(part)


class Camera:
    """Takes whole messages, on a phone and on a desktop."""

    def __init__(self, viewer: ViewerPage, folder: Path, language: str) -> None:
        self._viewer, self._folder, self._language = viewer, folder, language

    async def take(self, moment: str, first: int = -1, end: int | None = None) -> None:
        """Take the messages from one number to another, counted as those of a list; the last one by default."""
        await asyncio.sleep(1)  # what has just happened is drawn meanwhile
        page = self._viewer.page
        for width in (WIDE, PHONE):
            await page.set_viewport_size({"width": width, "height": TALL})
            await asyncio.sleep(0.3)
            path = self._folder / f"{moment}-{self._language}-{width}.png"
            await page.screenshot(path=path, clip=await page.evaluate(WHOLE, [first, end]))
            with Image.open(path) as picture:  # of few colours it is a third of the size, and looks the same
                picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


async def take_all(folder: Path, languages: tuple[str, ...]) -> None:
    """Plays a match in each of the languages, and writes `moment-language-width.png` into the folder."""
    async with launched() as browser:
        for language in languages:
            async with asyncio.timeout(400):
                await _match(browser, folder, language)


async def _match(browser: Browser, folder: Path, language: str) -> None:
    deals = (SWEPT, COUNTERED, *[DOUBLE] * DOUBLES)
    with tempfile.TemporaryDirectory(prefix="kems-pictures-") as data:
        settings = {"default_locale": language, "auto_open": 1, "auto_next": 0, "sure_matches": 0, "sure_partners": 0}
        locale = LANGUAGES[language].discord
        setting = Setting(viewers=PEOPLE, locale=locale, locales=(locale,))
        async with AsyncExitStack() as stack:
            kems = serving_kems(Path(data), setting, rng=StackedDeck(deals), **settings)
            info, _ = await stack.enter_async_context(kems)
            await _season(migrated(Path(data)), info)
            friends = [Friend(await stack.enter_async_context(tab(info.addresses[name]))) for name in PEOPLE]
            pages = await stack.enter_async_context(viewing(browser, info.addresses))
            viewer = await pages.open(PEOPLE[0], PHONE, scale=SCALE)
            camera = Camera(viewer, folder, language)
            await seated(viewer, friends, camera)
            sign = await sign_agreed(friends, camera)
            await _rounds(viewer, friends, sign, camera)
            await _records(viewer, friends[0], camera)


async def _season(database_url: str, info: SandboxInfo) -> None:
    """A season of the server in which these people and others have played for some weeks."""
    now, chance = int(time.time() * 1000), Random(7)
    ids = {name: info.users.get(name, 900 + number) for number, name in enumerate((*PEOPLE, *ABSENT))}
    matches = []
    for ago in range(16, 1, -1):
        seats = chance.sample([*ids], 4)
        score = (10, chance.randrange(1, 10)) if chance.random() < 0.6 else (chance.randrange(1, 10), 10)
        here: dict[str, Any] = {"guild": info.guild_id, "channel": info.channel_id, "names": tuple(seats)}
        matches.append(Match(tuple(ids[name] for name in seats), score, at=now - ago * DAY_MS, **here))
    async with opened(database_url) as database:
        async with database.transaction() as session:
            session.add(SeasonRow(guild_id=info.guild_id, number=1, starts_at=now - 20 * DAY_MS, ends_at=None))
        await play_all(database, matches, formula=SURE)


async def seated(viewer: ViewerPage, friends: list[Friend], camera: Camera | None = None) -> None:
    """Open a table, sit down and go to its thread; `viewer` looks on."""
    await viewer.say("/kems start")
    for friend in friends[1:3]:
        await friend.press("join")
    if camera is not None:
        await camera.take("lobby")
    await friends[3].press("join")
    await friends[0].press("start")
    await viewer.page.locator(".thread").click()
    for friend in friends:
        await friend.tab.until(lambda seat=friend.tab: any(place["thread"] for place in seat.place["channels"]))
        (thread,) = (place["id"] for place in friend.tab.place["channels"] if place["thread"])
        await friend.tab.do(do="open", channel=thread)


async def sign_agreed(friends: list[Friend], camera: Camera | None = None) -> str:
    """Ana proposes a sign to Léa, Bruno one to Dora; returns the sign of Ana and Léa."""
    lea, ana, bruno, dora = friends
    signs = []
    for proposer, partner in ((ana, lea), (bruno, dora)):
        await proposer.press("sign_panel")
        signs.append((await proposer.press("propose")).rsplit(":", 1)[1])
        await partner.press("sign_panel")
        if partner is lea and camera is not None:
            await camera.take("sign", -2)
        await partner.press("accept")
    return signs[0]


async def _rounds(viewer: ViewerPage, friends: list[Friend], sign: str, camera: Camera) -> None:
    lea, ana, bruno, dora = friends
    for friend in friends:
        await friend.press("hand")
    await dora.exchange("8D 9H")
    await lea.exchange("TH JC")
    for friend in (dora, bruno, ana, bruno):
        await friend.press("gesture")
    await bruno.press("put:8H")
    await _picture(viewer)
    await camera.take("hunt", -2)
    await bruno.press("take:QH")
    await asyncio.sleep(QUIET_S)
    await bruno.press("sweep")
    await camera.take("sweep")
    for friend in (lea, ana, dora):
        await friend.press("yes")
    await ana.exchange("KD 7D", "AC 7C")
    await lea.press("counter_at:3")
    await camera.take("penalty")
    await ana.press(f"gesture:{sign}")
    await lea.press("kems")
    await camera.take("result", -2)
    await _next(bruno)
    await ana.exchange("KD 7D", "AC 7C")
    await ana.press(f"gesture:{sign}")
    await dora.press("counter_at:2")
    for _ in range(DOUBLES):
        await _next(bruno)
        await lea.exchange("JD 8C", "KC 8D")
        await ana.exchange("KD 7D", "AC 7C")
        await ana.press(f"gesture:{sign}")
        await lea.press("double")
    await _picture(viewer)
    await camera.take("end", 0, 1)


async def _picture(viewer: ViewerPage) -> None:
    """Wait until the message of the table has its picture."""
    await expect(viewer.page.locator("#messages img")).to_have_count(1)


async def _next(friend: Friend) -> None:
    await asyncio.sleep(CROSSING_S)
    await friend.press("next")


async def _records(viewer: ViewerPage, lea: Friend, camera: Camera) -> None:
    await viewer.open_channel("kems")
    await lea.tab.do(do="open", channel=lea.tab.place["channels"][0]["id"])
    messages = viewer.page.locator("#messages .message")
    await _ask(viewer, "/kems records history", messages.filter(has_text="#16"))
    await camera.take("history")
    await _ask(viewer, "/kems leaderboard", viewer.page.locator("#messages img"))
    await camera.take("board")
    await _ask(viewer, "/kems-admin season end", messages.locator('button[data-press*=":season_end:"]'))
    await lea.press("season_end")
    await expect(viewer.page.locator("#messages img")).to_have_count(2)
    await camera.take("podium")


async def _ask(viewer: ViewerPage, command: str, answer: Locator) -> None:
    """Types a command until its answer is there: a busy machine's database may ask for patience."""
    for _ in range(TRIES):
        await viewer.say(command)
        with suppress(AssertionError):
            await expect(answer.last).to_be_visible(timeout=10_000)
            return


async def renew() -> None:
    """Takes all moments in English, and keeps those that are shown."""
    with tempfile.TemporaryDirectory(prefix="kems-pictures-") as folder:
        await take_all(Path(folder), ("en",))
        for moment in SHOWN:
            copy(Path(folder, f"{moment}-en-{PHONE}.png"), FOLDER / f"{moment}.png")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        wanted = Path(sys.argv[1])
        wanted.mkdir(parents=True, exist_ok=True)
        asyncio.run(take_all(wanted, tuple(sys.argv[2:]) or tuple(LANGUAGES)))
    else:
        asyncio.run(renew())
