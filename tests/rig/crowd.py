"""A Discord with many tables of four, in this process; what its members do costs next to nothing.

The bot runs in a process of its own. Members press what is enabled on the messages as Discord holds them; nothing is
copied, examined or sent over HTTP on their side, so that it is the bot that is measured.
"""

import asyncio
import gc
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.discord.api.custom_ids import parse_id, verb_of
from bot.game.cards import HAND_SIZE
from bot.sandbox.discord.components import walk
from bot.sandbox.discord.objects import Interaction, Message
from bot.sandbox.discord.people import Refused
from bot.sandbox.discord.routes.routing import Call
from bot.sandbox.discord.serving import served
from bot.sandbox.discord.world import World
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.verbs import TableVerb
from tests.rig import bot_process
from tests.rig.air import Air, Weather
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.processes import Running
from tests.rig.recorder import Recorder
from tests.rig.remote import built
from tests.rig.rig_discord import RigDiscord
from tests.seen import pool_in

SEATS: Final = 4
ANSWER_S: Final = 3.0
_LOOKS_S: Final = 0.02
_SHOWN_S: Final = 0.5
_PATIENCE_S: Final = 300.0
_AT_ONCE: Final = 16
_IN_A_CHANNEL: Final = 10
"""Tables of one channel: Discord takes five messages in five seconds there, and each table needs two or three."""
SETTINGS: Final = {"auto_open": 1, "auto_next": 0, "sign_deadline": 10, "afk_seconds": 0}


@contextmanager
def uncollected() -> Iterator[None]:
    """The garbage of this process waits meanwhile: a pause of a fifth of a second would be taken for the bot's."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Tape(Recorder):
    """Keeps what the bot sends instead of examining it. ``calls`` holds them while ``is_running``, oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self.is_running = False
        self.calls: list[Call] = []

    def examine(self, world: World | None, call: Call, *, is_known: bool = True) -> list[Any]:
        if self.is_running:
            self.calls.append(call)
        return []


@dataclass(eq=False)
class Place:
    """A table with its four people. ``panels`` are their hand panels, as Discord holds them."""

    number: int
    users: Sequence[int]
    table_id: int = 0
    board: Message | None = None
    panels: dict[int, Message] = field(default_factory=dict)
    busy: set[int] = field(default_factory=set)


@dataclass
class Answers:
    """How long presses waited for their answers, in seconds; ``missed`` got none in time, ``gone`` were not there."""

    seconds: list[float] = field(default_factory=list)
    missed: int = 0
    gone: int = 0

    def percentile(self, share: float) -> float:
        """In milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Crowd:
    """All members of a served Discord."""

    def __init__(self, discord: RigDiscord, air: Air) -> None:
        self.discord = discord
        self.air = air
        self.places: list[Place] = []
        self.answers = Answers()
        self.rng = random.Random(1)
        self._waiting: dict[int, asyncio.Future[Interaction]] = {}
        self._boards: dict[int, Message] = {}
        self._unclaimed: dict[int, Message] = {}
        discord.world.answered.append(self._answered)
        discord.world.followers.append(self._followed)

    # ------------------------------------------------------------------ acting

    async def press(self, user: int, message: Message, custom_id: str) -> Interaction | None:
        """Press a button; None where it has gone, or where no answer came within three seconds."""
        await self.air.press()
        try:
            asked = self.discord.people.press(user, message.channel_id, message.id, custom_id, ())
        except Refused:
            self.answers.gone += 1
            return None
        return await self.answer_to(asked)

    async def answer_to(self, asked: Interaction) -> Interaction | None:
        """Wait for the answer, and count how long it took."""
        began = time.perf_counter()
        self._waiting[asked.id] = waiting = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_S):
                await waiting
        except TimeoutError:
            self.answers.missed += 1
            del self._waiting[asked.id]
            return None
        self.answers.seconds.append(time.perf_counter() - began)
        return asked

    async def press_verb(self, user: int, message: Message, verb: str) -> Interaction | None:
        custom_id = next(enabled(message, verb), None)
        return None if custom_id is None else await self.press(user, message, custom_id)

    # ------------------------------------------------------------------ tables

    async def open_tables(self, count: int) -> None:
        """Until so many more tables are in the middle of a hunt and everybody has a hand in front of them."""
        first, users = len(self.places), self.discord.users
        made = [
            Place(number, [user.id for user in users[SEATS * number : SEATS * (number + 1)]])
            for number in range(first, first + count)
        ]
        gate = asyncio.Semaphore(_AT_ONCE)

        async def open_one(place: Place) -> None:
            async with gate:
                await self._sit_down(place)
            await self.revive(place)

        await asyncio.gather(*(open_one(place) for place in made))
        await self.take_up(made)
        self.places += made

    async def join_in(self, places: Sequence[Place]) -> None:
        """Until everybody has a hand in front of them at tables that others have opened for them."""
        await self.until(lambda: all(place.table_id in self._boards for place in places))
        await self.take_up(places)
        self.places += places

    async def take_up(self, places: Sequence[Place]) -> None:
        """Until everybody at these tables has a hand in front of them."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def at(place: Place) -> None:
            async with gate:
                for user in place.users:
                    await self._take_up(place, user)

        await asyncio.gather(*map(at, places))

    def shown(self) -> int:
        return len(self._boards)

    def board(self, place: Place) -> Message:
        """The table's public message, which may have been posted again."""
        place.board = self._boards[place.table_id]
        return place.board

    async def _sit_down(self, place: Place) -> None:
        host, *others = place.users
        channel = self.discord.channels[place.number % len(self.discord.channels)]
        mention, name = f"<@{host}>", self.discord.world.users[host].name
        await self.answer_to(self.discord.people.slash(host, channel.id, "kems start", {"players": str(SEATS)}))

        def found() -> bool:
            for table_id, message in self._unclaimed.items():
                if LobbyVerb.JOIN in verbs(message) and (name in (text := _text(message)) or mention in text):
                    del self._unclaimed[table_id]
                    place.table_id = table_id
                    return True
            return False

        await self.until(found)
        for user in others:
            name = self.discord.world.users[user].name
            while name not in _text(self.board(place)):  # a busy bot may ask to press again
                await self.press_verb(user, self.board(place), LobbyVerb.JOIN)
                await asyncio.sleep(_SHOWN_S)
        await self.until(lambda: LobbyVerb.START in verbs(self.board(place)))
        while LobbyVerb.START in verbs(self.board(place)):
            await self.press_verb(host, self.board(place), LobbyVerb.START)
            await asyncio.sleep(_LOOKS_S)

    async def _take_up(self, place: Place, user: int) -> None:
        while True:
            asked = await self.press_verb(user, self.board(place), TableVerb.HAND)
            if asked is not None and asked.original is not None and asked.original.viewer_id == user:
                place.panels[user] = asked.original
                return
            await self.revive(place)
            await asyncio.sleep(_LOOKS_S)

    def offers(self, place: Place, verb: str) -> bool:
        return verb in verbs(self.board(place))

    def is_hunting(self, place: Place) -> bool:
        """Whether the hunt is open: a Kem's can be called, by somebody at least."""
        return self.offers(place, TableVerb.KEMS)

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while not reached():
                await asyncio.sleep(_LOOKS_S)

    async def revive(self, place: Place) -> None:
        """Until the hunt is open; a round that has ended, at its very start perhaps, is followed by the next."""
        async with asyncio.timeout(_PATIENCE_S):
            while not self.is_hunting(place):
                await self.press_verb(place.users[1], self.board(place), TableVerb.NEXT)
                await asyncio.sleep(5 * _LOOKS_S)

    # ------------------------------------------------------------------ exchanges

    def choose(self, place: Place, user: int) -> str | None:
        """The custom id of what somebody does next: put a card down, or take one up if one was put down."""
        panel = place.panels[user]
        return self.owed(panel) or self.harmless(panel)

    def owed(self, panel: Message) -> str | None:
        """A card to take where one was put down; else a press on the middle would only choose it."""
        is_full = len(list(enabled(panel, TableVerb.PUT))) == HAND_SIZE
        return None if is_full else self.any_enabled(panel, TableVerb.TAKE)

    def any_enabled(self, message: Message, verb: str) -> str | None:
        found = list(enabled(message, verb))
        return self.rng.choice(found) if found else None

    def harmless(self, panel: Message) -> str | None:
        """A card that makes no three alike in the pool, if there is one."""
        pool = Counter(_card(c["custom_id"])[:1] for c in _buttons(panel) if verb_of(c["custom_id"]) == TableVerb.TAKE)
        puts = list(enabled(panel, TableVerb.PUT))
        return min(puts, key=lambda put: (pool[_card(put)[:1]], self.rng.random()), default=None)

    # ------------------------------------------------------------------ hearing

    def _answered(self, interaction: Interaction) -> None:
        waiting = self._waiting.pop(interaction.id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(interaction)

    def _followed(self, message: Message, gone: bool) -> None:
        if message.is_ephemeral or gone:
            return
        for button in _buttons(message):
            press = parse_id(button["custom_id"])
            if press is not None and press.table_id:
                if press.table_id not in self._boards or press.table_id in self._unclaimed:
                    self._unclaimed[press.table_id] = message
                self._boards[press.table_id] = message
                return


def enabled(message: Message, verb: str) -> Iterator[str]:
    return (c["custom_id"] for c in _buttons(message) if not c.get("disabled") and verb_of(c["custom_id"]) == verb)


def pool_on_panel(components: Sequence[Any]) -> Iterator[str | None]:
    """The cards to take on a hand panel by slot, None for an empty one; see `bot.ui.table.pages.hand_panel`."""
    for _, component in walk(components):
        press = parse_id(component.get("custom_id") or "")
        if press is not None and press.verb == TableVerb.TAKE:
            yield press.arg
        elif press is not None and press.verb == TableVerb.EMPTY and press.arg.startswith("pool"):
            yield None


def pool_on_board(components: Sequence[Any]) -> tuple[str | None, ...]:
    """The open cards by slot, as the message of a table writes them, or as its picture tells them."""
    for _, component in walk(components):
        for item in component.get("items") or ():
            middle = str(item.get("description")).partition(": ")[2].partition(".")[0]
            return pool_in("# " + middle.replace(" ", "\u2003"))
    return pool_in("\n".join(str(c["content"]) for _, c in walk(components) if "content" in c))


def verbs(message: Message) -> set[str]:
    return {verb_of(c["custom_id"]) for c in _buttons(message) if not c.get("disabled")}


def _buttons(message: Message) -> Iterator[Any]:
    return (c for _, c in walk(message.components) if c.get("custom_id", "").startswith("k1:"))


def _card(custom_id: str) -> str:
    press = parse_id(custom_id)
    return "" if press is None else press.arg


def _text(message: Message) -> str:
    return message.content + " ".join(str(c.get("content", "")) for _, c in walk(message.components))


@asynccontextmanager
async def crowd(tables: int, assumptions: Assumptions = PLAIN) -> AsyncIterator[Crowd]:
    """A Discord on loopback with four people for each table and nobody's bot yet; limits are on once it is asked."""
    discord = built([f"P{number:05}" for number in range(SEATS * tables)], assumptions=assumptions)
    discord.recorder = Tape()
    guild = discord.guilds[0]
    more = range(1, -(-tables // _IN_A_CHANNEL))
    discord.channels += [discord.world.add_channel(guild, f"kems-{number}") for number in more]
    air = Air(discord)
    discord.gateway.delay = air.gateway_delay
    air.change(Weather(limits=False))
    async with served(discord, around_rest=air.around_rest, around_gateway=air.around_gateway):
        yield Crowd(discord, air)


@asynccontextmanager
async def bot_at(crowd: Crowd, folder: Path, **settings: Any) -> AsyncIterator[Running]:
    fields = {"database_url": f"sqlite:///{folder / 'kems.db'}", **SETTINGS, **settings}
    process = await Running.start(bot_process.main, crowd.discord.address, fields, errors=folder / "bot.log")
    try:
        async with asyncio.timeout(60):
            while not (crowd.discord.is_connected and crowd.discord.world.commands.get(0)):
                assert not process.has_ended, (folder / "bot.log").read_text()[-3000:]
                await asyncio.sleep(_LOOKS_S)
        yield process
    finally:
        await process.kill()
