"""The rig's gateway: identify with a shard; each session hears of the guilds of its shard.

Source: https://discord.com/developers/docs/events/gateway
Several bots, or several shards of one, may be connected.
"""

from __future__ import annotations

import time
from typing import Final

from bot.sandbox.gateway_session import Session, SessionGateway, Socket, encode
from tests.rig.discord import payloads
from tests.rig.discord.objects import Guild, Json
from tests.rig.discord.world import (
    GUILD_EXPRESSIONS,
    GUILD_MEMBERS,
    MESSAGE_CONTENT,
    Event,
    World,
)

RECONNECT: Final = 4000
"""A close code after which a client resumes."""
_INVALID_SHARD, _DISALLOWED_INTENTS = 4010, 4014
_KEPT_SESSIONS: Final = 4  # that wait for a resume
_STARTS_A_DAY: Final = 1000


def shard_of(guild_id: int, shards: int) -> int:
    """Source: https://discord.com/developers/docs/events/gateway#sharding"""
    return (guild_id >> 22) % shards


class ShardSession(Session):
    """What a client that identified with a shard is told."""

    def __init__(self, key: str, intents: int, shard: tuple[int, int]) -> None:
        super().__init__(key, intents)
        self.shard = shard

    def hears(self, event: Event) -> bool:
        """Whether an event is for this shard and within its intents."""
        if event.intent and not self.intents & event.intent:
            return False
        number, count = self.shard
        return number == (0 if event.guild_id is None else shard_of(event.guild_id, count))


class Gateway(SessionGateway):
    """All sessions. ``shards`` is what a bot is told to take, of which ``at_once`` may identify at the same time."""

    def __init__(self, world: World, shards: int = 1, at_once: int = 1) -> None:
        super().__init__()
        self.shards = shards
        self.at_once = at_once
        self.identified: list[tuple[float, tuple[int, int]]] = []
        self.sessions: dict[str, ShardSession] = {}
        self._world = world
        world.listeners.append(self.hear)

    @property
    def connections(self) -> int:
        """How many sessions are on the line, of all bots and shards."""
        return sum(session.socket is not None for session in self.sessions.values())

    @property
    def is_connected(self) -> bool:
        """Whether a client is on the line for every shard that the last one to identify has named."""
        if not self.sessions:
            return False
        count = next(reversed(self.sessions.values())).shard[1]
        present = {one.shard[0] for one in self.sessions.values() if one.socket is not None and one.shard[1] == count}
        return present == set(range(count))

    def address_json(self, host: str) -> Json:
        """What ``GET /gateway/bot`` answers."""
        left = max(0, _STARTS_A_DAY - len(self.identified))
        limit = {"total": _STARTS_A_DAY, "remaining": left, "reset_after": 86_400_000, "max_concurrency": self.at_once}
        return {"url": f"ws://{host}/gateway", "shards": self.shards, "session_start_limit": limit}

    def hear(self, event: Event) -> None:
        """Pass an event of the world on to the sessions that hear it."""
        full: bytes | None = None
        bare: bytes | None = None
        for session in self.sessions.values():
            if not session.hears(event):
                continue
            if event.bare is not None and not session.intents & MESSAGE_CONTENT:
                bare = bare or encode(event.bare)
                session.dispatch(event.name, bare)
            else:
                full = full or encode(event.data)
                session.dispatch(event.name, full)

    async def drop(self, *, forget: bool = False, shard: int | None = None) -> None:
        """Cut every connection, or those of a shard; with ``forget`` none can be resumed."""
        meant = [session for session in self.sessions.values() if shard in (None, session.shard[0])]
        sockets = [session.socket for session in meant if session.socket is not None]
        if forget:
            self.sessions.clear()
        for socket in sockets:
            await socket.response.close(code=RECONNECT)

    async def _identify(self, key: str, data: Json, socket: Socket, host: str) -> Session | None:
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            await socket.response.close(code=_INVALID_SHARD)
            return None
        intents = int(data["intents"])
        if intents & MESSAGE_CONTENT and not self._world.may_read_content:
            await socket.response.close(code=_DISALLOWED_INTENTS)
            return None
        self._forget_oldest()
        self.identified.append((time.monotonic(), (number, count)))
        session = ShardSession(key, intents, (number, count))
        session.socket = socket
        guilds = [guild for guild in self._world.guilds.values() if shard_of(guild.id, count) == number]
        ready = {
            "v": 10,
            "user": payloads.user_json(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.key,
            "resume_gateway_url": f"ws://{host}/gateway",
            "shard": [number, count],
            "application": {"id": str(self._world.application_id), "flags": 0},
        }
        session.dispatch("READY", encode(ready))
        for guild in guilds:
            if not guild.is_unavailable:
                session.dispatch("GUILD_CREATE", encode(self._described(guild, intents)))
        self.sessions[session.key] = session
        return session

    def _described(self, guild: Guild, intents: int) -> Json:
        with_emojis, with_members = bool(intents & GUILD_EXPRESSIONS), bool(intents & GUILD_MEMBERS)
        return payloads.guild_create_json(self._world, guild, with_emojis=with_emojis, with_members=with_members)

    def _find(self, key: str) -> Session | None:
        return self.sessions.get(key)

    async def _send_members(self, session: Session, data: Json) -> None:
        guild = self._world.guilds[int(data["guild_id"])]
        wanted = data.get("user_ids")
        ids = None if wanted is None else {int(one) for one in (wanted if isinstance(wanted, list) else [wanted])}
        members = [payloads.member_json(m) for key, m in guild.members.items() if ids is None or key in ids]
        chunk = {"guild_id": str(guild.id), "members": members, "chunk_index": 0, "chunk_count": 1,
                 "nonce": data.get("nonce"), "not_found": []}  # fmt: skip
        session.dispatch("GUILD_MEMBERS_CHUNK", encode(chunk))

    def _forget_oldest(self) -> None:
        waiting = [key for key, session in self.sessions.items() if session.socket is None]
        for key in waiting[:-_KEPT_SESSIONS]:
            del self.sessions[key]
