"""What Discord may leave out of an object, or add to it, stops nothing that reads one.

`tests/ui/smallest.py` makes the objects from Discord's published schema.
"""

import copy
import inspect
import logging
import re
import traceback
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from discord.http import HTTPClient
from discord.webhook.async_ import Webhook
from structlog.testing import capture_logs

import bot
from bot.base.settings import Settings
from bot.discord.api import requests, responses
from bot.discord.api.components import layout, text
from bot.discord.api.modals import Modal
from bot.discord.pictures.custom_emojis import due
from bot.discord.places.channel_access import ChannelAccess
from bot.discord.places.events import create_event, edit_event
from bot.discord.places.members import change_role
from bot.discord.places.outage import check_is_added
from bot.discord.places.threads import unarchive_thread
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.operating import doctor
from bot.operating.first_contact.listener import Listener
from tests.integration import simcord_patches
from tests.integration.fuzzing import no_error_logged
from tests.integration.harness import Harness
from tests.integration.mishaps import read_event
from tests.integration.table import HarnessClock, Table, hunting
from tests.ui.smallest import ANSWERS, smallest

MESSAGE = "POST /channels/{channel_id}/messages"
THREAD = "POST /channels/{channel_id}/threads"
MEMBER = "GET /guilds/{guild_id}/members/{user_id}"
EVENT = "POST /guilds/{guild_id}/scheduled-events"
USER = "GET /users/{user_id}"
CHANNEL, ROLE, SERVER = "GuildChannelResponse", "GuildRoleResponse", "GuildResponse"
EMOJI = "POST /applications/{application_id}/emojis"
SHOWN: Final = layout(text("x"))
DOT: Final = b"\x89PNG\r\n\x1a\n" + bytes(16)
ELSEWHERE: Final = 99
PRESS, COMMAND = 3, 2
LATELY: Final = "2026-01-01T00:00:00+00:00"


def asked_for(method: str, path: str) -> str:
    """The request of the schema that this is; of channels the bot edits threads alone."""
    if method == "PATCH" and re.fullmatch(r"/channels/\d+", path):
        return THREAD
    same = (one for one in ANSWERS if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one), f"{method} {path}"))
    return min(same, key=lambda one: one.count("{"))


class Answering:
    """A Discord that answers each request with one of the smallest objects: `number` says which."""

    def __init__(self, harness: Harness, patch: pytest.MonkeyPatch) -> None:
        self.number, self.most = 0, 1
        self.harness, self.client = harness, harness.bot
        self.guild = next(iter(harness.bot.guilds))
        self.channel = self.guild.text_channels[0]
        patch.setattr(simcord_patches.router, "dispatch", self._answer)

    def _answer(self, _served: object, method: str, path: str, **_sent: Any) -> Any:
        if method == "DELETE":
            return None
        answers = smallest(asked_for(method, path))
        self.most = max(self.most, len(answers))
        return answers[self.number % len(answers)]

    def interaction(self, kind: int = PRESS) -> Any:
        """A new one, of somebody in the server, in another channel."""
        data = {"component_type": 2, "custom_id": "x"} if kind == PRESS else {"id": "1", "name": "kems", "type": 1}
        payload = {
            "id": "1", "application_id": "1", "type": kind, "data": data, "token": "x", "version": 1, "locale": "fr",
            "guild_id": str(self.guild.id), "member": smallest(MEMBER)[0] | {"permissions": "0"},
            "attachment_size_limit": 1, "channel": smallest(CHANNEL)[0] | {"id": str(self.channel.id)},
        }  # fmt: skip
        return discord.Interaction(data=payload, state=self.client._connection)  # type: ignore[arg-type]  # as sent

    @property
    def requests(self) -> BotRequests:
        """That no former reader has used up: no time passes here."""
        return BotRequests(HarnessClock(self.harness))

    @property
    def thread(self) -> discord.Thread:
        data = smallest(THREAD)[1] | {"parent_id": "1"}
        return discord.Thread(guild=self.guild, state=self.client._connection, data=data)

    async def deferred(self) -> Any:
        interaction = self.interaction()
        await interaction.response.defer()
        return interaction


Reader = Callable[[Answering], Awaitable[Any]]


async def application(at: Answering) -> None:
    settings = Settings(_env_file=None)
    assert [finding async for finding in doctor.application(settings, at.client)]


async def servers(at: Answering) -> None:
    assert [finding async for finding in doctor.servers(at.client)]


async def history(at: Answering) -> None:
    assert all([message.id async for message in at.channel.history(limit=2)])


async def reopened(at: Answering) -> None:
    async with at.requests.permit() as permit:
        await unarchive_thread(at.client, ELSEWHERE, permit)


async def seen(at: Answering) -> None:
    await ChannelAccess(at.requests)._may_view(at.interaction(), ELSEWHERE, turns=False)


async def edited(at: Answering) -> None:
    await at.channel.get_partial_message(1).edit(content="x")
    await at.thread.edit(archived=True)
    await (await at.deferred()).edit_original_response(content="x")


async def threads(at: Answering) -> None:
    assert (await at.channel.create_thread(name="x")).id
    assert (await at.channel.get_partial_message(1).create_thread(name="x")).id


async def sent(at: Answering) -> None:
    assert (await at.channel.send("x", nonce="1")).id
    assert (await (await at.deferred()).followup.send("x", ephemeral=True, wait=True)).id
    assert await requests.post_by_token(at.client, "x", SHOWN)


async def answers(at: Answering) -> None:
    interaction = at.interaction(COMMAND)
    assert await responses.reply_new_panel(interaction, SHOWN)
    await responses.reply_panel(at.interaction(), SHOWN)
    await responses.update_message(at.interaction(), SHOWN, [discord.File(BytesIO(DOT), "x.png")])
    await responses.reply(await at.deferred(), "x")


async def emojis(at: Answering) -> None:
    await at.client.rooms.emojis.load()
    await due(at.client, lambda *_: DOT)


async def starts(at: Answering) -> None:
    await at.client.keeper._wait_for_starts()
    await at.client.keeper.start(None)


async def event(at: Answering) -> None:
    assert isinstance(await create_event(at.client, 1, {"name": "x"}, lambda _: None), int)
    assert await edit_event(at.client, 1, 1, {"name": "x"}) is None


async def members(at: Answering) -> None:
    assert await change_role(at.client, 1, 1, 2, None, is_given=False) is None


async def table_message(at: Answering) -> None:
    (message,) = at.client.rooms.live
    await message._found()
    await requests.edit_message(at.client, 1, 1, SHOWN)


READERS: Final[dict[str, tuple[Reader, ...]]] = {
    "application_info": (application,),
    "create_application_emoji": (lambda at: at.client.create_application_emoji(name="x", image=DOT),),
    "create_thread": (threads,),
    "defer": (lambda at: at.interaction(COMMAND).response.defer(thinking=True),),
    "edit": (edited,),
    "edit_message": (answers, table_message),
    "edit_original_response": (edited,),
    "fetch_application_emojis": (emojis,),
    "fetch_channel": (reopened, seen, lambda at: check_is_added(at.interaction(), ELSEWHERE, at.requests)),
    "fetch_member": (lambda at: at.thread.fetch_member(1),),
    "fetch_user": (lambda at: at.client.fetch_user(1),),
    "history": (history,),
    "original_response": (answers,),
    "send": (sent,),
    "send_message": (answers,),
    "send_modal": (lambda at: at.interaction().response.send_modal(Modal("x", "x").add_text_input("x")),),
}
"""By the name of discord.py's call that reads an answer: what the bot does with it."""
OWN: Final[dict[str, tuple[Reader, ...]]] = {
    "discord/gateway/command_tree.py": (lambda at: at.client.registration._register(),),
    "discord/gateway/shard_keeper.py": (starts,),
    "discord/api/requests.py": (table_message,),
    "discord/places/events.py": (event,),
    "discord/places/members.py": (members,),
    "operating/doctor.py": (servers,),
}
"""By the file that makes requests as no promised call does: what the bot does with their answers."""
UNTRIED: Final = {
    "discord/api/discord_internals.py": "it makes them",
    "operating/first_contact/runner.py": "it runs before a person, and reads the fields that the shards' keeper reads",
    "operating/setup.py": "whether a list is empty is all that it reads",
}
NO_ANSWER: Final = {"query_members": "GUILD_MEMBERS_CHUNK, an event"}
NAMESAKES: Final = {
    "bans", "cancel", "connect", "delete", "end", "fetch", "follow", "get_channel", "get_guild", "get_role",
    "get_scheduled_event", "read", "request", "save", "start", "sync", "templates", "translate", "users",
}  # fmt: skip
"""Names of such calls that in the bot are other things: caches, stores, tasks."""
NOT_OURS: Final = ("sandbox", "store", "tables", "setup", "art")
"""Rooms that ask Discord nothing."""


def calls_with_answers() -> set[str]:
    """The calls of discord.py that read what Discord answers, by their names."""
    owners = {one for module in (discord, discord.abc) for one in vars(module).values() if inspect.isclass(one)}
    found = set()
    for owner in (*owners, HTTPClient, Webhook):
        for name, call in inspect.getmembers(owner, inspect.isfunction):
            answer = str(call.__annotations__.get("return"))
            asks = (
                inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call) or answer.startswith("Response")
            )
            if asks and answer not in ("None", "Response[None]") and not name.startswith("_"):
                found.add(name)
    return found


def test_every_reader_of_an_answer_is_tested() -> None:
    (room,) = bot.__path__
    files = (file for file in Path(room).rglob("*.py") if not {*file.relative_to(room).parts} & {*NOT_OURS})
    texts = {str(file.relative_to(room)): file.read_text() for file in files}
    called = {name for written in texts.values() for name in re.findall(r"\.(\w+)\b", written)}
    assert called & calls_with_answers() - NAMESAKES - NO_ANSWER.keys() == {*READERS}
    asking = {file for file, written in texts.items() if re.search(r"\brequest\(\s*[a-z.]*client\b", written)}
    assert asking | UNTRIED.keys() == {*OWN, *UNTRIED}


async def test_no_minimal_answer_stops_its_reader(
    harness: Harness, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, failed = Answering(harness, monkeypatch), list[str]()
    for call, readers in (READERS | OWN).items():
        for reader in readers:
            at.number, at.most = 0, 1
            while at.number < at.most:
                try:
                    with simcord_patches.as_bot(harness.env):
                        await reader(at)
                except Exception:  # noqa: BLE001 - whatever it is, it would stop the bot
                    failed.append(f"{call}, answer {at.number}: {traceback.format_exc(limit=-2)}")
                at.number += 1
    assert not failed, "\n".join(failed)


def events(me: int) -> Iterator[tuple[str, Any]]:
    """All that the bot listens to, and a whole server with each kind of channel."""
    for newer in (0, -1):
        role, user = smallest(ROLE)[newer], smallest(USER)[newer]
        member = smallest(MEMBER)[newer] | {"user": user | {"id": str(me)}}
        lists = ("members", "voice_states", "presences", "stage_instances", "soundboard_sounds")
        server = smallest(SERVER)[newer] | {name: [] for name in lists} | {
            "joined_at": LATELY, "large": False, "member_count": 1, "members": [member], "roles": [role],
            "channels": [one | {"id": str(number)} for number, one in enumerate(smallest(CHANNEL), start=1)],
            "threads": smallest(THREAD), "guild_scheduled_events": smallest(EVENT),
        }  # fmt: skip
        yield "GUILD_CREATE", server
        yield "GUILD_UPDATE", smallest(SERVER)[newer] | {"roles": [role]}  # that of everybody is always there
        yield "GUILD_MEMBERS_CHUNK", {"guild_id": "1", "members": [member], "chunk_index": 0, "chunk_count": 1}
        yield "GUILD_MEMBER_UPDATE", member | {"guild_id": "1"}
        yield "GUILD_MEMBER_REMOVE", {"guild_id": "1", "user": user}
        yield "GUILD_ROLE_CREATE", {"guild_id": "1", "role": role | {"id": "2"}}
        yield "GUILD_ROLE_UPDATE", {"guild_id": "1", "role": role | {"id": "2"}}
        yield "GUILD_ROLE_DELETE", {"guild_id": "1", "role_id": "2"}
        yield "GUILD_EMOJIS_UPDATE", {"guild_id": "1", "emojis": smallest(EMOJI)}
        yield "GUILD_STICKERS_UPDATE", {"guild_id": "1", "stickers": smallest(SERVER)[newer]["stickers"]}
        yield "USER_UPDATE", member["user"]
        yield "MESSAGE_CREATE", smallest(MESSAGE)[newer]
        for kind, named in (("CHANNEL", CHANNEL), ("THREAD", THREAD), ("GUILD_SCHEDULED_EVENT", EVENT)):
            for one in smallest(named):
                yield from ((f"{kind}_{what}", one | {"id": "7"}) for what in ("CREATE", "UPDATE", "DELETE"))
        yield "THREAD_LIST_SYNC", {"guild_id": "1", "threads": smallest(THREAD), "members": []}
        yield "GUILD_DELETE", {"id": "1", "unavailable": True}
        yield "GUILD_CREATE", server
        yield "GUILD_DELETE", {"id": "1"}


@pytest.mark.kems(message_content=True)
async def test_no_minimal_event_stops_its_reader(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    read = list(events(harness.bot.user.id))
    for name, payload in read:
        caplog.clear()
        with capture_logs() as logs:
            read_event(harness, name, copy.deepcopy(payload))
            await harness.settle()
        lines = [str(line) for line in logs if line["log_level"] in ("warning", "error", "critical")]
        lines += [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
        assert lines == [], (name, payload)
        if name == "GUILD_CREATE":
            assert harness.bot.get_guild(1) is not None, "or the bot would not serve it"


async def test_the_checks_for_the_real_discord_read_the_same_events() -> None:
    async with Listener(0.0) as listener:
        await listener._async_setup_hook()
        listener._connection.user = discord.ClientUser(state=listener._connection, data=smallest("GET /users/@me")[0])
        with capture_logs() as logs:
            for name, payload in events(1):
                listener._connection.parsers[name](copy.deepcopy(payload))
        assert logs == []


def least(told: Any, needed: Any) -> Any:
    """What of an answer Discord has to tell, null where it may be."""
    if needed is None:
        return None
    if isinstance(needed, dict) and isinstance(told, dict):
        return {name: least(told[name], needed[name]) for name in needed if name in told}
    return told


async def test_a_table_is_played_while_answers_hold_the_least(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dispatch = simcord_patches.router.dispatch

    def barely(served: Any, method: str, path: str, **said: Any) -> Any:
        told = dispatch(served, method, path, **said)
        return least(told, smallest(asked_for(method, path))[0]) if isinstance(told, dict) else told

    monkeypatch.setattr(simcord_patches.router, "dispatch", barely)
    with no_error_logged(caplog, "answers that hold the least"):
        table = await hunting(harness, thread=True)
        await table.press("Bruno", "hand")
        card = table.hand("Bruno")[0]
        await table.act("Bruno", f"put:{card}")
        assert card in table.pool()
