"""What a server does to a bot: takes permissions from it, deletes and archives channels, shows it the door."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.gateway import FakeGateway

from tests.integration import simcord_patches
from tests.integration.harness import Harness, Seen


def posted(harness: Harness, channel_id: int) -> list[Seen]:
    """The bot's public messages in a channel."""
    assert harness.bot.user is not None
    seen = harness["Léa"].messages(channel_id)
    return [m for m in seen if m.author_id == harness.bot.user.id and not m.ephemeral]


async def forbid(harness: Harness, channel_id: int, *permissions: str) -> None:
    """Take these permissions from the bot in a channel, and give back all others."""
    assert harness.bot.user is not None
    deny(harness, harness.bot.user.id, *permissions, channel_id=channel_id)
    await harness.settle()


def deny(harness: Harness, user_id: int, *permissions: str, channel_id: int | None = None) -> None:
    """Take these permissions from a member in a channel, here by default, and give back all others."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    overwrite = Overwrite(user_id, OverwriteType.MEMBER, deny=denied)
    harness.env.backend.set_overwrite(channel_id or harness.channel.id, overwrite)


def hide(harness: Harness, channel_id: int, *, is_hidden: bool = True) -> None:
    """@everyone does not see a channel any more, or sees it again; Léa and the bot see it."""
    denied = discord.Permissions(view_channel=is_hidden).value
    overwrite = Overwrite(harness.guild.id, OverwriteType.ROLE, deny=denied)
    harness.env.backend.set_overwrite(channel_id, overwrite)
    assert harness.bot.user is not None
    granted = discord.Permissions(view_channel=True).value
    for user_id in (harness["Léa"].id, harness.bot.user.id):
        harness.env.backend.set_overwrite(channel_id, Overwrite(user_id, OverwriteType.MEMBER, allow=granted))


async def demote(harness: Harness, **permissions: bool) -> None:
    """No role is an administrator's any more, nor has these permissions."""
    taken = discord.Permissions(administrator=True, **permissions).value
    for role in harness.env.backend.get_guild(harness.guild.id).roles.values():
        role.permissions = discord.Permissions.all().value & ~taken
    await harness.restart()


async def time_bot_out(harness: Harness, lasting: timedelta | None) -> None:
    """A moderator gives the bot a timeout, or takes it back."""
    assert harness.bot.user is not None
    until = None if lasting is None else (harness.now() + lasting).isoformat()
    harness.env.backend.edit_member(harness.guild.id, harness.bot.user.id, {"timed_out_until": until})
    await harness.settle()


async def delete_channel(harness: Harness, channel_id: int) -> None:
    """Somebody deletes a channel or a thread."""
    harness.env.backend.delete_channel(channel_id)
    await harness.settle()


async def archive(harness: Harness, monkeypatch: pytest.MonkeyPatch, thread_id: int, *, locked: bool = False) -> None:
    """A thread goes to the archive, where no message can be edited; if it is locked the bot cannot open it again.

    simcord lets everything happen there, Discord does not.
    """
    backend, dispatch = harness.env.backend, simcord_patches.router.dispatch

    def strict(served: simcord_patches.Backend, method: str, path: str, **sent: Any) -> Any:
        thread = backend.channels.get(thread_id)
        state = None if thread is None else thread.thread_metadata
        if state is not None and state.archived and f"/{thread_id}" in path:
            if "/messages" in path and (method == "PATCH" or state.locked):
                raise BackendError(400, 50083, "Thread is archived")
            if method == "PATCH" and state.locked:
                raise BackendError(403, 50013, "Missing Permissions")
        return dispatch(served, method, path, **sent)

    monkeypatch.setattr(simcord_patches.router, "dispatch", strict)
    await _tag(harness, thread_id, archived=True, locked=locked)


@contextmanager
def refuse(monkeypatch: pytest.MonkeyPatch, method: str, part: str, answer: BackendError) -> Iterator[None]:
    """Discord refuses meanwhile each request of that method whose path holds this part."""
    dispatch = simcord_patches.router.dispatch

    def strict(served: simcord_patches.Backend, asked: str, path: str, **sent: Any) -> Any:
        if asked == method and part in path:
            raise answer
        return dispatch(served, asked, path, **sent)

    with monkeypatch.context() as patched:
        patched.setattr(simcord_patches.router, "dispatch", strict)
        yield


async def unlock(harness: Harness, thread_id: int) -> None:
    """A moderator takes a thread out of the archive."""
    await _tag(harness, thread_id, archived=False, locked=False)


async def _tag(harness: Harness, thread_id: int, **state: bool) -> None:
    harness.env.backend.edit_channel(thread_id, {}, thread_metadata=state)
    await harness.settle()


def requests(harness: Harness, channel_id: int) -> int:
    """How often the bot has asked for something in a channel."""
    return sum(f"/channels/{channel_id}" in request.path for request in harness.env.http_requests)


@contextmanager
def shown_the_door(harness: Harness) -> Iterator[None]:
    """The server removes the bot, and invites it again afterwards; what was said there is still there."""
    backend, guild_id = harness.env.backend, harness.guild.id
    guild = backend.get_guild(guild_id)
    inside = [*guild.channel_ids, *guild.thread_ids]
    channels = {number: backend.channels[number] for number in inside}
    messages = {number: backend.messages[number] for number in inside}
    backend.remove_guild(guild_id)
    yield
    backend.guilds[guild_id] = guild
    backend.channels |= channels
    backend.messages |= messages
    payload = dict(serializers.guild_create_payload(backend, guild))
    del payload["unavailable"]  # Discord says so of servers that are there again, not of new ones
    backend.emit("GUILD_CREATE", payload)


@contextmanager
def outage(harness: Harness) -> Iterator[None]:
    """Discord cannot serve the server for a while."""
    backend, guild_id = harness.env.backend, harness.guild.id
    backend.emit("GUILD_DELETE", {"id": str(guild_id), "unavailable": True})
    yield
    backend.emit("GUILD_CREATE", dict(serializers.guild_create_payload(backend, backend.get_guild(guild_id))))


@contextmanager
def missing(harness: Harness, monkeypatch: pytest.MonkeyPatch, *, is_removed: bool) -> Iterator[None]:
    """Whoever connects meanwhile `is_removed` from the server, or Discord cannot serve it; afterwards it is back."""
    backend, guild, feed = harness.env.backend, harness.env.backend.get_guild(harness.guild.id), FakeGateway.feed
    listed = () if is_removed else [{"id": str(guild.id), "unavailable": True}]

    def told(gateway: FakeGateway, event: str, payload: Any) -> None:
        if event != "GUILD_CREATE":
            feed(gateway, event, {**payload, "guilds": listed} if event == "READY" else payload)

    with monkeypatch.context() as patch:
        patch.setattr(FakeGateway, "feed", told)
        yield
    payload = dict(serializers.guild_create_payload(backend, guild))
    if is_removed:
        del payload["unavailable"]
    backend.emit("GUILD_CREATE", payload)


async def cut_off(harness: Harness, seconds: float) -> None:
    """The bot's connection to the gateway is gone for so long, and longer."""
    with simcord_patches.as_bot(harness.env):
        harness.bot.dispatch("shard_disconnect", 0)
    await harness.advance(seconds)


async def connect_anew(harness: Harness) -> None:
    """The bot is connected again, in a new session."""
    backend = harness.env.backend
    gateway = FakeGateway(backend, harness.bot._connection)
    ready = {
        "user": dict(serializers.user_payload(backend.bot_user)),
        "guilds": [],
        "shard": [0, 1],
        "application": {"id": str(backend.application_id), "flags": 0},
    }
    with simcord_patches.as_bot(harness.env):
        gateway.feed("READY", ready)
        for guild in backend.guilds.values():
            gateway.feed("GUILD_CREATE", serializers.guild_create_payload(backend, guild))
    await harness.settle()


def read_event(harness: Harness, event: str, payload: Any) -> None:
    """Let discord.py read an event of any shape as its gateway does."""
    with simcord_patches.as_bot(harness.env):
        harness.bot._connection.parsers[event](payload)


@contextmanager
def breaking(monkeypatch: pytest.MonkeyPatch, method: str, where: str) -> Iterator[None]:
    """No request of that method reaches Discord if its path contains `where`: so far the bot comes, and no further."""
    dispatch = simcord_patches.router.dispatch

    def cut(served: simcord_patches.Backend, asked: str, path: str, **sent: Any) -> Any:
        if asked == method and where in path:
            raise ConnectionResetError(where)
        return dispatch(served, asked, path, **sent)

    with monkeypatch.context() as patch:
        patch.setattr(simcord_patches.router, "dispatch", cut)
        yield


def know_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second message of a nonce is the first one, as in Discord, which forgets nonces after some minutes.

    simcord knows none.
    """
    dispatch = simcord_patches.router.dispatch
    paths: dict[str, str] = {}  # of the message, by nonce

    def knowing(served: simcord_patches.Backend, method: str, path: str, **sent: Any) -> Any:
        body = sent.get("json") if method == "POST" and path.endswith("/messages") else None
        nonce = body.get("nonce") if isinstance(body, dict) and body.get("enforce_nonce") else None
        if nonce in paths:
            return dispatch(served, "GET", paths[nonce], **{**sent, "json": None, "files": None})
        answer = dispatch(served, method, path, **sent)
        if nonce is not None:
            paths[nonce] = f"{path}/{answer['id']}"
        return answer

    monkeypatch.setattr(simcord_patches.router, "dispatch", knowing)
