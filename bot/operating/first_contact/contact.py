"""What checks talk to Discord with: requests, messages, a person's presses, and the removal of what they make."""

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
"""All custom ids of a run begin so. The bot itself has none like them."""
OLD: Final = f"{PREFIX}old"
NAME: Final = "first contact"
"""How the names of threads, events and emojis begin, which end with a random part; emojis have _ for each space."""
MOST: Final = ((60, 1.0), (300, 10.0))
"""The most requests of a run per so many seconds: sixty a second, for five seconds."""
MOST_REFUSALS: Final = 200
FRESH_S: Final = 600.0
"""How long a panel's token is used, in seconds; it expires after fifteen minutes."""
DOT: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGOwydvyHwAEpgJeLhW5nQAAAABJRU5ErkJggg=="
)
"""A PNG of a single pixel."""
NEW_PARTS: Final = 1 << 15
PRIVATE: Final = 1 << 6
_TRIES: Final = 5
_LONGEST_S: Final = 30.0
_TELLS_S: Final = 10.0
"""Seconds between two reports on a load."""
_NO_RIGHT: Final = 403
_WITHOUT_BOT_TOKEN: Final = ("/webhooks/", "/interactions/")


class EnoughError(Exception):
    """Discord has refused `MOST_REFUSALS` requests, after which the run ends."""


class Person(Protocol):
    """The person at the terminal, with the channel open in Discord."""

    async def instruct(self, words: str, control: str = "", times: int = 1) -> None:
        """Say what the person shall do.

        Args:
            words: The sentence for the person.
            control: How the custom id of what they shall press begins.
            times: How often they shall press it.
        """

    async def agrees(self, question: str) -> bool:
        """Return whether the person says yes to a question."""

    async def counts(self, question: str) -> int:
        """Ask a question that is answered with a number, and return the number."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a run waits and how many requests it makes.

    - `quiet_s`: after so many seconds without news of another server, the list of servers is complete.
    - `press_s`: longest wait for a press or an event.
    - `minute_s`, `burst_s`: how long a steady load and a burst last.
    - `rest_s`: pause after a load.
    - `edits`: edits in the check of emojis.
    - `presses`: presses that a person is asked for.
    - `full`: requests in one second that show whether there is a limit of so many.
    """

    quiet_s: float = 2.0
    press_s: float = 180.0
    minute_s: float = 60.0
    burst_s: float = 2.0
    rest_s: float = 5.0
    edits: int = 200
    presses: int = 20
    full: int = 50


@dataclass(frozen=True, slots=True)
class TestPanel:
    """An ephemeral message that the token of a press edits.

    - `path`: of the message.
    - `answered`: the path to which the answer to the press is posted.
    - `at`: when the press came, in seconds of the run's clock.
    """

    path: str
    answered: str
    at: float

    def edit(self, *parts: Any) -> Request:
        """Return the request that replaces the message's components."""
        return "PATCH", self.path, message_body(*parts)


@dataclass(eq=False)
class Contact:
    """What a check gets: requests, messages and a person's presses in one channel, whose results are removed later.

    - `diary`: what is to be removed.
    - `tell_that`: prints a line of progress.
    - `answers_s`: how many seconds each answer to a press has taken.
    - `begun`: the message and the panel that `start` has made; None if it has not.
    - `limits`: headers about rate limits by kind of request, of the present check.
    - `presser`: the id of the user who has pressed last.
    - `refusals`: requests that Discord has refused with 429.
    - `lacks`: the first request of the present check for which the bot lacks a permission, and its answer.
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
    _waited: float = field(default=0.0, init=False)
    _panels: list[TestPanel] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.channel, self.name = f"/channels/{self.channel_id}", f"{NAME} {secrets.token_hex(4)}"
        self._sent = deque[float](maxlen=max(most for most, _ in MOST))

    @property
    def app(self) -> str:
        """The path of the application."""
        return f"/applications/{self.client.application_id}"

    @property
    def guild(self) -> discord.Guild:
        """The channel's server.

        Raises:
            UnclearError: The channel is not known.
        """
        channel = self.client.get_channel(self.channel_id)
        if not isinstance(channel, discord.abc.GuildChannel):
            raise UnclearError("Discord has not told of this channel.")
        return channel.guild

    def begins_check(self) -> None:
        """Clear what is collected for each check: `limits` and `lacks`."""
        self.limits, self.lacks = {}, None

    # ------------------------------------------------------------------ requests

    async def ask(
        self, method: str, path: str, body: Any = None, *, file: tuple[str, bytes] | None = None
    ) -> ApiAnswer:
        """Make a request once, without a retry, as soon as the run's own limits allow it.

        Args:
            method: Of HTTP.
            path: With a leading slash; the host is Discord's API.
            body: What becomes JSON; None for no body.
            file: Name and content of a PNG to upload.

        Raises:
            EnoughError: Discord has refused too many requests of this run.
            UnclearError: Discord was not reached.
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
                body = await response.json(loads=orjson.loads) if response.content_type == "application/json" else None
        except UNREACHED as error:
            raise UnclearError(f"Discord was not reached ({type(error).__name__}).") from error
        answer = ApiAnswer(response.status, response.headers, body, time.monotonic() - began, began)
        self._note(f"{method} {shape_of(path)} {answer}", answer)
        if answer.status == _NO_RIGHT:
            self.lacks = self.lacks or f"{method} {shape_of(path)} is answered with {answer}"
        return answer

    def _note(self, name: str, answer: ApiAnswer) -> None:
        limits = {key: value for key, value in answer.headers.items() if "ratelimit" in key.lower()}
        if "Retry-After" in answer.headers:
            limits["Retry-After"] = answer.headers["Retry-After"]
        self.limits.setdefault(name, limits)
        if answer.limit.is_refused:
            self.refusals += 1
        if self.refusals >= MOST_REFUSALS:
            raise EnoughError

    async def tried(
        self, method: str, path: str, body: Any = None, *, file: tuple[str, bytes] | None = None
    ) -> ApiAnswer:
        """Make a request, up to five times while Discord answers 429; wait if the next one would be refused."""
        tries = _TRIES
        while (answer := await self.ask(method, path, body, file=file)).limit.wait_s and (tries := tries - 1):
            await asyncio.sleep(min(answer.limit.wait_s, _LONGEST_S))
            if not answer.limit.is_refused:
                break
        return answer

    async def done(self, method: str, path: str, body: Any = None) -> Any:
        """Make a request that must succeed, and return the body of the response.

        Raises:
            UnclearError: Discord refuses it.
        """
        return (await self.tried(method, path, body)).require(f"{method} {shape_of(path)}")

    async def load(
        self, rate: float, requests: Iterable[Request], most_refused: int = MOST_REFUSALS
    ) -> list[ApiAnswer]:
        """Begin at most `rate` requests a second, and return their responses.

        It stops early at a refusal of scope `global`, or after `most_refused` refusals. If the machine falls behind,
        lost time is not made up for, since a burst would be another load.

        Raises:
            EnoughError: Discord has refused too many requests of this run.
            UnclearError: Discord was not reached.
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
        """Post a message, and return it as Discord describes it.

        Args:
            parts: Texts and other components.
            thread: The path of a thread; the channel by default.
            file: Name and content of a PNG to upload.
            more: Further fields of the body.

        Raises:
            UnclearError: Discord refuses it.
        """
        body: Json = (await self.posted(message_body(*parts) | more, file=file, path=thread)).require("a message")
        return body

    async def posted(self, body: Json, *, file: tuple[str, bytes] | None = None, path: str = "") -> ApiAnswer:
        """Post a message and return Discord's answer. The message is deleted at the end or with its thread (`path`)."""
        answer = await self.tried("POST", f"{path or self.channel}/messages", body, file=file)
        if answer.is_good and not path:
            self.later("DELETE", f"{self.channel}/messages/{answer.body['id']}")
        return answer

    def later(self, method: str, path: str, body: Any = None) -> None:
        """Add a request to be made at the end of the run, last first; if the run is killed, the next run makes it."""
        self.diary.add((method, path, body))

    def never_mind(self) -> None:
        """Remove the request that `later` added last."""
        self.diary.undo.pop()

    async def clean(self) -> int:
        """Remove what this run has made, and return how many things could not be removed."""
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
        """The person at the terminal.

        Raises:
            UnclearError: There is no terminal.
        """
        if self._person is None:
            raise UnclearError("It needs a person at a terminal.")
        return self._person

    async def ask_for(self, deed: str) -> None:
        """Ask the person to do something, and wait until they have done it.

        Raises:
            UnclearError: They have not.
        """
        if not await self.person.agrees(f"{deed} Have you?"):
            raise UnclearError("Nobody did it.")

    async def pressed(self, control: str) -> discord.Interaction:
        """Wait for a press or a modal submission whose custom id begins with `control`.

        Raises:
            TimeoutError: None comes in time.
        """
        async with asyncio.timeout(self.bounds.press_s):
            while True:
                heard = await self.client.presses.get()
                if str(field_of(heard, "custom_id")).startswith(control):
                    self.presser = heard.user.id
                    return heard

    async def arrives(self, words: str, control: str) -> discord.Interaction | None:
        """Ask the person for a press and return it; None if they have pressed but nothing has arrived.

        Raises:
            UnclearError: They have not pressed.
        """
        await self.person.instruct(words, control)
        try:
            return await self.pressed(control)
        except TimeoutError:
            if not await self.person.agrees("Nothing has arrived. Have you done it?"):
                raise UnclearError("Nobody did it.") from None
            return None

    async def press(self, words: str, control: str) -> discord.Interaction:
        """Ask the person for a press, and return it.

        Raises:
            UnclearError: None comes.
        """
        press = await self.arrives(words, control)
        if press is None:
            raise UnclearError("The press did not arrive.")
        return press

    async def comes(self, kind: str, seconds: float = 0.0) -> str:
        """Wait for the next event of a kind (`Listener.heard`), and return its text.

        Args:
            kind: All other events meanwhile are dropped.
            seconds: Longest wait; that for a press by default.

        Raises:
            UnclearError: None comes in time.
        """
        try:
            async with asyncio.timeout(seconds or self.bounds.press_s):
                while (heard := await self.client.heard.get())[0] != kind:
                    pass
        except TimeoutError:
            raise UnclearError(f"No {kind} has come.") from None
        return heard[1]

    async def answer(self, press: discord.Interaction, kind: int, data: Json | None = None) -> ApiAnswer:
        """Answer a press by type: 4 posts a message, 6 does nothing, 7 edits the pressed message, 9 opens a modal."""
        body = {"type": kind, "data": data} if data else {"type": kind}
        answer = await self.ask("POST", self.panel_of(press).answered, body)
        self.answers_s.append(answer.took_s)
        return answer

    def panel_of(self, press: discord.Interaction) -> TestPanel:
        """Return the panel that a press can edit: the pressed message, or the one that the answer posts."""
        path = f"/webhooks/{self.client.application_id}/{press.token}/messages/@original"
        answered = f"/interactions/{press.id}/{press.token}/callback"
        return TestPanel(path, answered, time.monotonic() + self._waited)

    async def panels(self, count: int) -> list[TestPanel]:
        """Return `count` panels with recent tokens; ask the person to open those that are missing.

        Raises:
            UnclearError: Some are still missing.
        """
        now, control = time.monotonic() + self._waited, f"{PREFIX}open"
        self._panels = [panel for panel in self._panels if now - panel.at < FRESH_S]
        if (lacking := count - len(self._panels)) > 0:
            await self.post("Panels", blue("Panel", control))
            await self.person.instruct(f"Press the blue button Panel, times: {lacking}.", control, lacking)
        for number in range(lacking):
            try:
                press = await self.pressed(control)
            except TimeoutError:
                raise UnclearError(f"Panels are missing: {lacking - number}.") from None
            data = message_body(f"Panel {number + 1}", blue("Go", f"{PREFIX}go")) | {"flags": NEW_PARTS | PRIVATE}
            (await self.answer(press, 4, data)).require("a panel")
            self._panels.append(self.panel_of(press))
        return self._panels[:count]

    async def own_panel(self) -> TestPanel:
        """Return a panel that no later check will use."""
        panel = (await self.panels(1))[0]
        self._panels.remove(panel)
        return panel

    # ------------------------------------------------------------------ time

    async def start(self) -> None:
        """Post the message and open the panel whose age the long checks need."""
        self.begun = await self.post("This message grows old."), (panel := await self.own_panel())
        await self.tried(*panel.edit("This panel grows old", blue("Old", OLD)))

    async def grow_old(self, seconds: float) -> tuple[Json, TestPanel]:
        """Wait until the message and the panel of `start` are so many seconds old, and return them.

        Raises:
            UnclearError: They could not be made.
        """
        if self.begun is None:
            raise UnclearError("What was to grow old could not be made at the beginning.")
        message, panel = self.begun
        if (wait := panel.at + seconds - time.monotonic() - self._waited) > 0:
            now = time.monotonic()
            self.tell_that(f"waiting for {wait / 60:.0f} min ...")
            await self._wait(wait)
            self._waited += max(0.0, wait - (time.monotonic() - now))
        return message, panel


def message_body(*parts: Any) -> Json:
    """Return the body of a message with texts and other components, which mentions nobody."""
    components = [text(part) if isinstance(part, str) else part for part in parts]
    return {"flags": NEW_PARTS, "components": components, "allowed_mentions": {"parse": []}}


def blue(label: str, control: str) -> Row:
    """Return a row with one blue button."""
    return row(button(label, control, style=PRIMARY))
