"""One conversation with Discord: requests that nothing repeats, the presses of a person, and what is to be removed."""

import asyncio
import base64
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import aiohttp
import discord
import orjson

from bot.base.settings import Settings
from bot.discord.api.components import PRIMARY, Row, button, row, text
from bot.discord.api.discord_internals import api_address, headers_of
from bot.discord.api.interactions import field_of
from bot.discord.api.requests import UNREACHED
from bot.operating.first_contact.diary import Diary
from bot.operating.first_contact.listener import Listener
from bot.operating.first_contact.requests import ApiAnswer, Json, Request, UnclearError, shape_of

PREFIX: Final = "first-contact:"
"""Custom ids begin so: no other bot answers them."""
OLD: Final = f"{PREFIX}old"
NAME: Final = "first contact"
"""Threads and events are called so, with a random part behind it; a pause is written as _ in the name of an emoji."""
MOST: Final = ((60, 1.0), (300, 10.0))
"""So many requests in so many seconds: sixty a second for five seconds."""
MOST_REFUSALS: Final = 200
FRESH_S: Final = 600.0
"""How long a panel's token is used here; it lives for fifteen minutes."""
DOT: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGOwydvyHwAEpgJeLhW5nQAAAABJRU5ErkJggg=="
)
"""A picture of one point, as PNG."""
NEW_PARTS: Final = 1 << 15
PRIVATE: Final = 1 << 6
_TRIES: Final = 5
_LONGEST_S: Final = 30.0
_TELLS_S: Final = 10.0
"""How often a long check says that it runs."""
_NO_RIGHT: Final = 403
_WITHOUT_BOT_TOKEN: Final = ("/webhooks/", "/interactions/")


class EnoughError(Exception):
    """Discord has refused so much that the run ends."""


class Person(Protocol):
    """The person who presses buttons in Discord and looks at it."""

    async def tell(self, words: str, control: str = "", times: int = 1) -> None:
        """Say what is to be done. `control` is how the custom id begins of what is to be pressed so many times."""

    async def agrees(self, question: str) -> bool: ...

    async def counts(self, question: str) -> int:
        """Return the number that answers a question."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long and how much a run tries."""

    quiet_s: float = 2.0
    """After so long without a further server, all are known."""
    press_s: float = 180.0
    minute_s: float = 60.0
    burst_s: float = 2.0
    rest_s: float = 5.0
    edits: int = 200
    presses: int = 20
    full: int = 50
    """So many requests in a second show whether there is a limit of so many."""


@dataclass(frozen=True, slots=True)
class TestPanel:
    """A private message, as the token of a press reaches it; `answered` is the path of the answer to the press."""

    path: str
    answered: str
    at: float

    def edit(self, *parts: Any) -> Request:
        return "PATCH", self.path, said(*parts)


@dataclass(eq=False)
class Contact:
    """What checks work with, in one channel of one server. `begun` is a message and a panel of the beginning.

    `tell_that` tells what goes on.
    """

    settings: Settings
    client: Listener
    session: aiohttp.ClientSession
    channel_id: int
    _person: Person | None
    bounds: Bounds
    _wait: Callable[[float], Awaitable[object]]
    diary: Diary
    tell_that: Callable[[str], None]
    answers_s: list[float] = field(default_factory=list, init=False)
    begun: tuple[Json, TestPanel] | None = field(default=None, init=False)
    limits: dict[str, dict[str, str]] = field(default_factory=dict, init=False)
    presser: int = field(default=0, init=False)
    refusals: int = field(default=0, init=False)
    lacks: str | None = field(default=None, init=False)
    """A request of the present check for which the bot lacks a right."""
    _waited: float = field(default=0.0, init=False)
    _panels: list[TestPanel] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.channel, self.name = f"/channels/{self.channel_id}", f"{NAME} {secrets.token_hex(4)}"
        self._sent = deque[float](maxlen=max(most for most, _ in MOST))

    @property
    def app(self) -> str:
        return f"/applications/{self.client.application_id}"

    @property
    def guild(self) -> discord.Guild:
        channel = self.client.get_channel(self.channel_id)
        if not isinstance(channel, discord.abc.GuildChannel):
            raise UnclearError("Discord has not told of this channel.")
        return channel.guild

    def begins_check(self) -> None:
        """What is noted from now on is of another check."""
        self.limits, self.lacks = {}, None

    # ------------------------------------------------------------------ requests

    async def ask(
        self, method: str, path: str, body: Any = None, *, file: tuple[str, bytes] | None = None
    ) -> ApiAnswer:
        """Make one request, once.

        Raises:
            EnoughError: this run has made as many requests as it may.
        """
        if method == "POST":
            self.diary.goes_on()
        now = time.monotonic()
        began = max([now, *(self._sent[-most] + seconds for most, seconds in MOST if len(self._sent) >= most)])
        self._sent.append(began)
        await asyncio.sleep(began - now)
        headers = headers_of(self.client, has_token=not path.startswith(_WITHOUT_BOT_TOKEN))
        content: Any = None if body is None else orjson.dumps(body)
        if file is not None:
            form = aiohttp.FormData()
            form.add_field("payload_json", content.decode(), content_type="application/json")
            form.add_field("files[0]", file[1], filename=file[0], content_type="image/png")
            content = form
        elif content is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with self.session.request(method, api_address() + path, data=content, headers=headers) as response:
                told = await response.json(loads=orjson.loads) if response.content_type == "application/json" else None
        except UNREACHED as error:
            raise UnclearError(f"Discord was not reached ({type(error).__name__}).") from error
        answer = ApiAnswer(response.status, response.headers, told, time.monotonic() - began, began)
        self._note(f"{method} {shape_of(path)} {answer}", answer)
        if answer.status == _NO_RIGHT:
            self.lacks = self.lacks or f"{method} {shape_of(path)} is answered with {answer}"
        return answer

    def _note(self, name: str, answer: ApiAnswer) -> None:
        told = {key: value for key, value in answer.headers.items() if "ratelimit" in key.lower()}
        if "Retry-After" in answer.headers:
            told["Retry-After"] = answer.headers["Retry-After"]
        self.limits.setdefault(name, told)
        if answer.limit.is_refused:
            self.refusals += 1
        if self.refusals >= MOST_REFUSALS:
            raise EnoughError

    async def tried(
        self, method: str, path: str, body: Any = None, *, file: tuple[str, bytes] | None = None
    ) -> ApiAnswer:
        """Make a request when Discord takes it, and leave time for the next one."""
        tries = _TRIES
        while (answer := await self.ask(method, path, body, file=file)).limit.wait_s and (tries := tries - 1):
            await asyncio.sleep(min(answer.limit.wait_s, _LONGEST_S))
            if not answer.limit.is_refused:
                break
        return answer

    async def done(self, method: str, path: str, body: Any = None) -> Any:
        """Return the body of what has to succeed.

        Raises:
            UnclearError: Discord refuses it.
        """
        return (await self.tried(method, path, body)).require(f"{method} {shape_of(path)}")

    async def load(
        self, rate: float, requests: Iterable[Request], most_refused: int = MOST_REFUSALS
    ) -> list[ApiAnswer]:
        """Begin at most so many requests a second, until the first `global` refusal, or so many other refusals.

        What a busy machine delays is not made up for: a burst is another load.
        """
        due, answers = time.monotonic(), list[ApiAnswer]()

        async def carry_out(request: Request) -> None:
            answers.append(await self.ask(*request))

        tasks, told_at = [], due
        for request in requests:
            if time.monotonic() - told_at > _TELLS_S:
                told_at = time.monotonic()
                self.tell_that(
                    f"requests: {len(answers)}, refused: {sum(answer.limit.is_refused for answer in answers)} ..."
                )
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = max(due + 1 / rate, time.monotonic())
            refusals = [answer.limit for answer in answers if answer.limit.is_refused]
            if any(answer.is_global for answer in refusals) or len(refusals) >= most_refused:
                break
            tasks.append(asyncio.create_task(carry_out(request)))
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(self.bounds.rest_s)
        for failure in filter(None, ends):
            raise failure
        return answers

    # ------------------------------------------------------------------ messages

    async def post(self, *parts: Any, thread: str = "", file: tuple[str, bytes] | None = None, **more: Any) -> Json:
        """Post in the channel, or in a thread, with which it is deleted.

        Raises:
            UnclearError: Discord refuses it.
        """
        body: Json = (await self.posted(said(*parts) | more, file=file, path=thread)).require("a message")
        return body

    async def posted(self, body: Json, *, file: tuple[str, bytes] | None = None, path: str = "") -> ApiAnswer:
        """Return what Discord says to a message, which is deleted at the end."""
        answer = await self.tried("POST", f"{path or self.channel}/messages", body, file=file)
        if answer.is_good and not path:
            self.later("DELETE", f"{self.channel}/messages/{answer.body['id']}")
        return answer

    def later(self, method: str, path: str, body: Any = None) -> None:
        """Carry something out at the end, or at the beginning of the next run; what was added last goes first."""
        self.diary.add((method, path, body))

    def never_mind(self) -> None:
        """What was to be carried out last is not needed."""
        self.diary.undo.pop()

    async def clean(self) -> int:
        """Remove what was made, also by a run that was cut off. Returns how many things are left."""
        left, self.refusals, undo = 0, 0, self.diary.undo[::-1]
        if undo:
            self.tell_that(f"removing what was made: {len(undo)} steps ...")
        for request in undo:
            try:
                is_gone = (await self.tried(*request)).status in (200, 204, 404)
            except (EnoughError, UnclearError):
                is_gone = False
            left += not is_gone
        self.diary.done()
        return left

    # ------------------------------------------------------------------ the person

    @property
    def person(self) -> Person:
        """Raises UnclearError where nobody is there."""
        if self._person is None:
            raise UnclearError("It needs a person at a terminal.")
        return self._person

    async def ask_for(self, deed: str) -> None:
        """Ask the person to do something.

        Raises:
            UnclearError: it was not done.
        """
        if not await self.person.agrees(f"{deed} Have you?"):
            raise UnclearError("Nobody did it.")

    async def pressed(self, control: str) -> discord.Interaction:
        """Return the next press or form whose custom id begins so.

        Raises:
            TimeoutError: none comes in time.
        """
        async with asyncio.timeout(self.bounds.press_s):
            while True:
                heard = await self.client.presses.get()
                if str(field_of(heard, "custom_id")).startswith(control):
                    self.presser = heard.user.id
                    return heard

    async def arrives(self, words: str, control: str) -> discord.Interaction | None:
        """Return a press that a person is asked for; None for one that does not arrive.

        Raises:
            UnclearError: none was made.
        """
        await self.person.tell(words, control)
        try:
            return await self.pressed(control)
        except TimeoutError:
            if not await self.person.agrees("Nothing has arrived. Have you done it?"):
                raise UnclearError("Nobody did it.") from None
            return None

    async def press(self, words: str, control: str) -> discord.Interaction:
        """Return a press that a person is asked for.

        Raises:
            UnclearError: none comes.
        """
        press = await self.arrives(words, control)
        if press is None:
            raise UnclearError("The press did not arrive.")
        return press

    async def comes(self, kind: str, seconds: float = 0.0) -> str:
        """Return the text of the next event of a kind.

        Raises:
            UnclearError: none comes.
        """
        try:
            async with asyncio.timeout(seconds or self.bounds.press_s):
                while (heard := await self.client.heard.get())[0] != kind:
                    pass
        except TimeoutError:
            raise UnclearError(f"No {kind} has come.") from None
        return heard[1]

    async def answer(self, press: discord.Interaction, kind: int, data: Json | None = None) -> ApiAnswer:
        """Answer a press; 4 posts, 6 does nothing, 7 changes its message, 9 shows a form."""
        body = {"type": kind, "data": data} if data else {"type": kind}
        answer = await self.ask("POST", self.panel_of(press).answered, body)
        self.answers_s.append(answer.took_s)
        return answer

    def panel_of(self, press: discord.Interaction) -> TestPanel:
        """Return the panel that answers a press."""
        path = f"/webhooks/{self.client.application_id}/{press.token}/messages/@original"
        answered = f"/interactions/{press.id}/{press.token}/callback"
        return TestPanel(path, answered, time.monotonic() + self._waited)

    async def panels(self, count: int) -> list[TestPanel]:
        """So many panels whose tokens are young: the person presses for those that are missing."""
        now, control = time.monotonic() + self._waited, f"{PREFIX}open"
        self._panels = [panel for panel in self._panels if now - panel.at < FRESH_S]
        if (lacking := count - len(self._panels)) > 0:
            await self.post("Panels", blue("Panel", control))
            await self.person.tell(f"Press the blue button Panel, times: {lacking}.", control, lacking)
        for number in range(lacking):
            try:
                press = await self.pressed(control)
            except TimeoutError:
                raise UnclearError(f"Panels are missing: {lacking - number}.") from None
            data = said(f"Panel {number + 1}", blue("Go", f"{PREFIX}go")) | {"flags": NEW_PARTS | PRIVATE}
            (await self.answer(press, 4, data)).require("a panel")
            self._panels.append(self.panel_of(press))
        return self._panels[:count]

    async def own_panel(self) -> TestPanel:
        """Return a panel that no other check uses."""
        panel = (await self.panels(1))[0]
        self._panels.remove(panel)
        return panel

    # ------------------------------------------------------------------ time

    async def start(self) -> None:
        """Make what the long checks wait for."""
        self.begun = await self.post("This message grows old."), (panel := await self.own_panel())
        await self.tried(*panel.edit("This panel grows old", blue("Old", OLD)))

    async def grow_old(self, seconds: float) -> tuple[Json, TestPanel]:
        """Wait until what was made at the beginning is so old."""
        if self.begun is None:
            raise UnclearError("What was to grow old could not be made at the beginning.")
        message, panel = self.begun
        if (wait := panel.at + seconds - time.monotonic() - self._waited) > 0:
            now = time.monotonic()
            self.tell_that(f"waiting for {wait / 60:.0f} min ...")
            await self._wait(wait)
            self._waited += max(0.0, wait - (time.monotonic() - now))
        return message, panel


def said(*parts: Any) -> Json:
    """Return the body of a message: texts and other components."""
    shown = [text(part) if isinstance(part, str) else part for part in parts]
    return {"flags": NEW_PARTS, "components": shown, "allowed_mentions": {"parse": []}}


def blue(label: str, control: str) -> Row:
    """Return a row with one blue button."""
    return row(button(label, control, style=PRIMARY))
