"""discord.py reads only what concerns a table; an event that it cannot read costs that event alone."""

from pathlib import Path
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api.error_codes import OutageReason
from bot.discord.gateway.client import KemsClient
from bot.discord.gateway.gateway_events import Parser, filter_events, filters, skip_unreadable
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.posted_message import MessageAddress
from bot.discord.text.texts import texts_for


def parsers(read: list[Any]) -> dict[str, Parser]:
    def parse(payload: Any) -> None:
        read.append(payload["id"])

    made: dict[str, Parser] = {"READY": parse, "MESSAGE_CREATE": parse}
    skip_unreadable(made)
    return made


def test_an_event_that_cannot_be_read_is_skipped_and_logged_without_its_content() -> None:
    read: list[Any] = []
    with capture_logs() as logs:
        parsers(read)["MESSAGE_CREATE"]({"token": "secret"})
        parsers(read)["MESSAGE_CREATE"]({"id": 7})
    assert read == [7]
    assert [(line["event"], line["event_name"], line["problem"]) for line in logs] == [
        ("event.unreadable", "MESSAGE_CREATE", "KeyError")
    ]
    assert "secret" not in str(logs)


def test_the_bot_exits_when_discord_does_not_send_its_identity() -> None:
    with pytest.raises(KeyError):
        parsers([])["READY"]({})


MESSAGE, NIGHT, CHANNEL, ELSEWHERE, NIGHT_CHANNEL = 50, 60, 7, 8, 9
THREAD_CREATED = 18
AT_THE_TABLE: list[tuple[str, dict[str, Any]]] = [
    ("MESSAGE_CREATE", {"id": "99", "channel_id": str(CHANNEL)}),
    ("MESSAGE_CREATE", {"id": "99", "channel_id": str(ELSEWHERE), "type": THREAD_CREATED}),
    ("MESSAGE_REACTION_ADD", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE), "emoji": {"name": "🍀"}}),
    ("MESSAGE_REACTION_ADD", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE), "emoji": {"id": "9"}}),
    ("MESSAGE_DELETE", {"id": str(MESSAGE), "channel_id": str(CHANNEL)}),
    ("MESSAGE_DELETE_BULK", {"ids": ["1", str(MESSAGE)], "channel_id": str(CHANNEL)}),
]
ELSE: list[tuple[str, dict[str, Any]]] = [
    ("MESSAGE_CREATE", {"id": "99", "channel_id": str(NIGHT_CHANNEL), "type": 0}),
    ("MESSAGE_CREATE", {"id": str(MESSAGE), "channel_id": str(ELSEWHERE)}),
    ("MESSAGE_UPDATE", {"id": str(MESSAGE), "channel_id": str(CHANNEL)}),
    ("MESSAGE_REACTION_ADD", {"channel_id": str(CHANNEL), "message_id": "1"}),
    ("MESSAGE_REACTION_ADD", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE), "emoji": {"name": {"": "x"}}}),
    ("MESSAGE_REACTION_REMOVE", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE)}),
    ("MESSAGE_REACTION_REMOVE_ALL", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE)}),
    ("MESSAGE_REACTION_REMOVE_EMOJI", {"channel_id": str(CHANNEL), "message_id": str(MESSAGE)}),
    ("MESSAGE_REACTION_ADD", {"channel_id": str(CHANNEL), "message_id": str(NIGHT)}),
    ("MESSAGE_DELETE", {"id": "1", "channel_id": str(CHANNEL)}),
    ("GUILD_SCHEDULED_EVENT_USER_ADD", {"guild_scheduled_event_id": "1", "user_id": "2", "guild_id": "1"}),
    ("GUILD_SCHEDULED_EVENT_USER_REMOVE", {"guild_scheduled_event_id": "1", "user_id": "2", "guild_id": "1"}),
    ("MESSAGE_DELETE_BULK", {"ids": ["1", "2"], "channel_id": str(CHANNEL)}),
]


class At(LiveMessage):
    """A message that stands somewhere."""

    address = MessageAddress(1, CHANNEL, MESSAGE)
    nonce = ""
    sees_chat = True

    def look(self) -> None:
        return None

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        pass


class AtNight(At):
    """A message of a night."""

    address = MessageAddress(1, NIGHT_CHANNEL, NIGHT)
    sees_chat = False


def messages_with_one() -> tuple[LiveMessages, At]:
    no: Any = None
    messages = LiveMessages(no, no, no, no, no)
    messages.add(one := At(messages.context, {}, no))
    return messages, one


@pytest.fixture
def client(tmp_path: Path) -> KemsClient:
    """A bot that is not connected, with one table."""
    built = build_client(Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/kems.db"))
    built.rooms.live.add(At(built.rooms.live.context, {}, texts_for("en")))
    return built


def test_only_events_that_concern_a_table_are_read() -> None:
    names = {event for event, _ in (*AT_THE_TABLE, *ELSE)}
    read: list[tuple[str, Any]] = []

    def reading(event: str) -> Parser:
        return lambda payload: read.append((event, payload))

    found = {event: reading(event) for event in names}
    messages, one = messages_with_one()
    messages.add(AtNight(messages.context, {}, one.texts))
    wanted = filters(messages, lambda _payload: None)
    filter_events(found, wanted)
    for event, payload in (*AT_THE_TABLE, *ELSE):
        found[event](payload)
    assert read == AT_THE_TABLE


async def test_messages_of_channels_without_a_table_are_dropped(
    client: KemsClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    monkeypatch.setattr(discord.state, "Message", lambda data, **_: built.append(data["id"]))
    monkeypatch.setattr(client._connection, "dispatch", lambda *_: None)
    monkeypatch.setattr(client._connection, "_get_guild_channel", lambda _: (None, None))
    parse = client._connection.parsers["MESSAGE_CREATE"]
    with capture_logs() as logs:
        parse({"id": "1", "channel_id": str(ELSEWHERE)})
        parse({"id": "2"})
        assert built == []
        parse({"id": "3", "channel_id": str(CHANNEL)})
    assert built == ["3"]
    assert [line["problem"] for line in logs if line["event"] == "event.unreadable"] == ["KeyError"]


async def test_no_table_is_lost_when_a_shard_becomes_ready_late(client: KemsClient) -> None:
    """It was cut within two seconds, and taken up again: its servers are not known before its next READY."""
    (one,) = client.rooms.live
    client._connection.shard_count = 1
    await client._serve_shard(0)
    assert one.outage is None
    client._read_ready(lambda _: None, {"guilds": [{"id": str(one.address.guild_id)}], "shard": [0, 1]})
    assert one.outage is None
    client._read_ready(lambda _: None, {"guilds": [], "shard": [0, 1]})
    assert one.outage is not None
    assert one.outage.reason is OutageReason.REMOVED


def test_a_message_is_found_in_the_channel_where_it_is_now() -> None:
    messages, one = messages_with_one()
    one.address = MessageAddress(2, ELSEWHERE)
    messages.context.placed(one)
    assert not messages.is_at(MESSAGE)
    assert not messages.in_channel(CHANNEL)
    assert messages.in_channel(ELSEWHERE) == [one]
    assert messages.in_server(2) == messages.in_channel(ELSEWHERE) == [one]
    messages.drop(one)
    messages.context.placed(one)  # its last edit comes after that
    assert not messages.in_channel(ELSEWHERE)
    assert [*messages] == []
