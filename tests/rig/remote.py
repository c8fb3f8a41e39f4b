"""A test's hold on the rig's Discord: what every member sees, always up to date, and what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import aiohttp
import msgspec

from tests.rig.wire import Change, Changes, Counts, Event, Order, Outcome, Served, Weather
from tests.seen import Seen

Answer = TypeVar("Answer")
_PATIENCE_S = 20.0


class NotThere(Exception):
    """Discord would not let a member do that: mostly a button that has just gone."""


class Remote:
    """Follows the Discord at ``served`` from `start` until `close`. ``keep``: remember every change, for measuring."""

    def __init__(self, served: Served, *, keep: bool = False) -> None:
        self.served = served
        self.messages: dict[int, Seen] = {}
        self.history: list[Change] = []
        self._keep = keep
        self._last = 0
        self._moved = asyncio.Event()

    async def start(self) -> None:
        """Connect, and follow every change from now on."""
        connector = aiohttp.TCPConnector(limit=0)
        self._session = aiohttp.ClientSession(f"http://{self.served.address}", connector=connector)
        self._following = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Let go."""
        self._following.cancel()
        with suppress(asyncio.CancelledError):
            await self._following
        await self._session.close()

    # ------------------------------------------------------------------ seeing

    def seen_by(self, user: int) -> list[Seen]:
        """The messages a member sees, oldest first."""
        return [m for m in self.messages.values() if m.viewer_id in (None, user)]

    async def until(self, reached: Callable[[], bool], what: str, patience: float = _PATIENCE_S) -> None:
        """Wait for a change that makes ``reached`` true.

        Raises:
            AssertionError: it did not come; the sentence says what was awaited.
        """
        try:
            async with asyncio.timeout(patience):
                while not reached():
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise AssertionError(f"waited {patience:g} s in vain for {what}") from None

    # ------------------------------------------------------------------ acting

    async def press(self, user: int, message: Seen, custom_id: str, values: Sequence[str] = ()) -> Outcome:
        """Press a button or choose in a menu; what came of it within three seconds, which the presser sees by then."""
        shown = message.control(custom_id)  # which also says in which round it was drawn
        pressed = custom_id if shown is None else shown.custom_id
        order = Order(user, message.channel_id, message.id, pressed, tuple(values))
        outcome = await self._post("press", order, Outcome)
        while self._last < outcome.changes:
            self._moved.clear()
            await self._moved.wait()
        return outcome

    async def slash(self, user: int, name: str, channel: int = 0, **options: str) -> Outcome:
        """Run a command, in the first channel if none is named."""
        return await self._post("slash", Order(user, channel, name=name, options=options), Outcome)

    async def submit(self, user: int, form: Outcome, *values: str) -> Outcome:
        """Fill in the form that answered a press."""
        fields = dict(zip(form.fields, values, strict=True))
        return await self._post("submit", Order(user, interaction=form.id, options=fields), Outcome)

    async def react(self, user: int, message: Seen, emoji: str, *, present: bool = True) -> None:
        """Add a reaction or take it back."""
        order = Order(user, message.channel_id, message.id, text=emoji, present=present)
        await self._post("react", order, type(None))

    async def say(self, user: int, text: str, channel: int = 0, reply_to: int = 0, *, with_ping: bool = True) -> None:
        """Post a message, perhaps as a reply."""
        order = Order(user, channel or self.served.channel_id, reply_to, text=text, with_ping=with_ping)
        await self._post("say", order, type(None))

    async def delete(self, message: Seen) -> None:
        """A moderator deletes a message."""
        await self.happen("delete_message", channel=message.channel_id, message=message.id)

    async def happen(self, name: str, /, **values: Any) -> Any:
        """Let something happen that no ordinary member does: a method of `Moderator`, and what it returns."""
        return await self._post("happen", Event(name, values), Any)

    async def weather(self, weather: Weather) -> None:
        """Change what goes wrong."""
        await self._post("weather", weather, type(None))

    async def drop(self, *, forget: bool = False) -> None:
        """Cut the gateway; with ``forget`` the session cannot be resumed."""
        await self._post("drop?forget=1" if forget else "drop", None, type(None))

    async def drop_shard(self, shard: int) -> None:
        """Cut the connections of one shard."""
        await self._post(f"drop?shard={shard}", None, type(None))

    async def expire(self) -> None:
        """Let the tokens of all interactions so far grow older than fifteen minutes."""
        await self.happen("expire_tokens")

    # ------------------------------------------------------------------ asking

    async def counts(self) -> Counts:
        return await self._get("counts", Counts)

    async def outcomes(self, after: int = 0) -> list[Outcome]:
        """The ledger of all presses, commands and forms, without its first ``after``."""
        return await self._get(f"outcomes?after={after}", list[Outcome])

    async def connected(self, sessions: int = 1) -> bool:
        """Whether a bot is connected, with so many sessions of all bots; waits up to five seconds for it."""
        return await self._get(f"connected?sessions={sessions}", bool)

    async def commands(self) -> list[str]:
        """The names of the commands that the bot has registered."""
        return await self._get("commands", list[str])

    # ------------------------------------------------------------------ inside

    async def _follow(self) -> None:
        while True:
            told = await self._get(f"changes?after={self._last}", Changes)
            for change in told.changes:
                if change.gone:
                    self.messages.pop(change.seen.id, None)
                else:
                    self.messages[change.seen.id] = change.seen
            if self._keep:
                self.history.extend(told.changes)
            self._last = told.last
            self._moved.set()

    async def _post(self, what: str, body: Any, kind: type[Answer]) -> Answer:
        async with self._session.post(f"/control/{what}", data=msgspec.json.encode(body)) as answer:
            return await self._read(answer, kind)

    async def _get(self, what: str, kind: type[Answer]) -> Answer:
        async with self._session.get(f"/control/{what}") as answer:
            return await self._read(answer, kind)

    async def _read(self, answer: aiohttp.ClientResponse, kind: type[Answer]) -> Answer:
        content = await answer.read()
        if answer.status == 409:
            raise NotThere(msgspec.json.decode(content, type=str))
        assert answer.status == 200, f"the rig's Discord answered {answer.status}: {content[:200]!r}"
        return msgspec.json.decode(content, type=kind)
