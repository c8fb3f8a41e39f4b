"""The rig's gateway: shards, resumes with replay, cut connections, and what Discord refuses.

Source: https://discord.com/developers/docs/events/gateway
Several bots, or several shards of one, may be connected; each session hears of the guilds of its shard.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from aiohttp import web

from bot.sandbox.discord.gateway import Gateway, Session, Socket
from bot.sandbox.discord.objects import Json
from bot.sandbox.discord.world import MESSAGE_CONTENT
from tests.rig.rig_world import RigWorld

RECONNECT: Final = 4000
"""A close code after which a client resumes."""
_REFUSED_TOKEN, _INVALID_SHARD, _DISALLOWED_INTENTS = 4004, 4010, 4014
_IDENTIFY, _RESUME = 2, 6  # opcodes
_KEPT_EVENTS: Final = 5_000
_KEPT_SESSIONS: Final = 4  # that wait for a resume
_STARTS_A_DAY: Final = 1000


class RigSocket(Socket):
    """Each frame leaves at the earliest after ``delay`` seconds."""

    def __init__(self, response: web.WebSocketResponse, delay: Callable[[], float], *, is_compressed: bool) -> None:
        super().__init__(response, is_compressed=is_compressed)
        self._delay = delay
        self._due = deque[float]()

    def push(self, frame: bytes) -> None:
        self._due.append(asyncio.get_running_loop().time() + self._delay())
        super().push(frame)

    async def _send(self, frame: bytes) -> None:
        if (wait := self._due.popleft() - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(wait)
        await super()._send(frame)


class RigSession(Session):
    """It outlives its socket, so that a resume misses nothing."""

    is_connected = True
    presence: Json | None = None

    def __init__(self, key: str, intents: int, shard: tuple[int, int], socket: Socket) -> None:
        super().__init__(key, intents, shard, socket)
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=_KEPT_EVENTS)

    def send(self, frame: bytes) -> None:
        self._kept.append((self._number, frame))
        if self.is_connected:
            super().send(frame)

    def resume(self, socket: Socket, after: int) -> bool:
        """Go on with another socket, first with what followed event ``after``; False if that is no longer kept."""
        if after < self._number and all(kept != after + 1 for kept, _ in self._kept):
            return False
        self.socket, self.is_connected = socket, True
        for kept, frame in self._kept:
            if kept > after:
                socket.push(frame)
        self.dispatch("RESUMED", b"{}")
        return True


class RigGateway(Gateway):
    """`shards` is what a bot is told to take, of which `at_once` may identify at the same time.

    `delay` gives the seconds that a frame is under way.
    """

    sessions: dict[str, RigSession]  # type: ignore[assignment]  # no other ones are made
    _world: RigWorld

    def __init__(self, world: RigWorld) -> None:
        super().__init__(world)
        self.delay: Callable[[], float] = lambda: 0.0
        self.resumes = 0
        self.starts = _STARTS_A_DAY
        self.shards = self.at_once = 1
        self.identified: list[tuple[float, tuple[int, int]]] = []

    def address_json(self, host: str) -> Json:
        told = super().address_json(host)
        left = max(0, self.starts - len(self.identified))
        told["session_start_limit"] |= {"total": self.starts, "remaining": left, "max_concurrency": self.at_once}
        return told | {"shards": self.shards}

    async def drop(self, *, forget: bool = False, shard: int | None = None, code: int = RECONNECT) -> None:
        """Cut every connection, or those of a shard; with ``forget`` none can be resumed."""
        meant = [session for session in self.sessions.values() if shard in (None, session.shard[0])]
        sockets = [session.socket for session in meant if session.is_connected]
        if forget:
            self.sessions.clear()
        for socket in sockets:
            await socket.response.close(code=code)

    def _new_socket(self, response: web.WebSocketResponse, *, is_compressed: bool) -> Socket:
        return RigSocket(response, self.delay, is_compressed=is_compressed)

    def _new_session(self, data: Json, socket: Socket) -> Session:
        usual = super()._new_session(data, socket)
        session = RigSession(usual.key, usual.intents, usual.shard, socket)
        session.presence = data.get("presence")
        self.identified.append((time.monotonic(), session.shard))
        return session

    def _leave(self, session: Session) -> None:
        assert isinstance(session, RigSession), "no other ones are made"
        session.is_connected = False

    async def _receive(self, message: Json, socket: Socket, session: Session | None, host: str) -> Session | None:
        data: Any = message.get("d")
        if message.get("op") == _RESUME:
            known = self.sessions.get(data["session_id"])
            if known is not None and known.resume(socket, data["seq"]):
                self.resumes += 1
                return known
        if message.get("op") == _IDENTIFY and (code := await self._refusal(data)) is not None:
            await socket.response.close(code=code)
            return None
        return await super()._receive(message, socket, session, host)

    async def _refusal(self, data: Json) -> int | None:
        """The code with which Discord closes the connection of a client that it does not let identify.

        One identify too many ends all sessions, and resets the token.
        Source: https://discord.com/developers/docs/events/gateway#identifying
        """
        if self._world.is_token_reset or len(self.identified) >= self.starts:
            self._world.is_token_reset = True
            await self.drop(forget=True, code=_REFUSED_TOKEN)
            return _REFUSED_TOKEN
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            return _INVALID_SHARD
        if int(data["intents"]) & MESSAGE_CONTENT and not self._world.may_read_content:
            return _DISALLOWED_INTENTS
        waiting = [key for key, session in self.sessions.items() if not session.is_connected]
        for key in waiting[:-_KEPT_SESSIONS]:
            del self.sessions[key]
        return None
