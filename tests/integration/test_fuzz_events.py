"""Reactions, messages and raw events of any shape, as discord.py reads them: nothing is raised, no stranger plays."""

import copy
from typing import Any

import pytest
from discord.state import ConnectionState
from hypothesis import strategies as st

from bot.game.signs import GestureKind
from tests.integration.fuzzing import STRANGER, TIMES, drawn, no_error_logged, odd, table_as_it_is, words
from tests.integration.harness import Harness
from tests.integration.mishaps import read_event
from tests.integration.table import Table

EXAMPLES, AT_ONCE = 40, 20
NOBODY = 4242
PARSED = [name for name in dir(ConnectionState) if name.startswith("parse_") and name != "parse_ready"]
EVENTS = [name.removeprefix("parse_").upper() for name in PARSED]  # all that discord.py knows
GONE = object()
TIME = "2026-01-01T00:00:00+00:00"

emojis = st.fixed_dictionaries(
    {"name": st.none() | st.sampled_from(["👀", "🍀", "👍🏽", "kems", "a" * 32, "⚑️"]) | words},
    optional={"id": st.none() | st.sampled_from(["77", str(2**63)]), "animated": st.booleans()},
)
contents = st.one_of(
    words,
    st.sampled_from(["", " ", "🍀", "🍀" * 6, "<:kems:77>", "<:x:1>🍀", "😀" * 2000, "@everyone", "<@1> 🍀", "||🍀||"]),
)


def reactions(harness: Harness, message_id: int, users: list[int]) -> st.SearchStrategy[Any]:
    """Somebody adds a reaction to some message, or takes it back."""
    return st.tuples(
        st.sampled_from(["MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE"]),
        st.fixed_dictionaries(
            {
                "user_id": st.sampled_from([str(user) for user in users]),
                "channel_id": st.sampled_from([str(harness.channel.id), "99"]),
                "message_id": st.sampled_from([str(message_id)] * 3 + ["98"]),
                "emoji": emojis,
                "type": st.sampled_from([0, 1, 9]),
                "burst": st.booleans(),
            },
            optional={"guild_id": st.sampled_from([str(harness.guild.id), "97"])},
        ),
    )


def posts(harness: Harness, message_ids: list[int], users: list[int]) -> st.SearchStrategy[Any]:
    """Somebody posts a message: to the bot or not, a reply or not, with whatever in it."""
    bot = {"id": str(harness.bot.user.id), "username": "Kem's", "discriminator": "0", "avatar": None, "bot": True}
    replies = st.sampled_from([None, *({"message_id": str(each)} for each in message_ids), {"message_id": "98"}, {}])
    return st.tuples(
        st.just("MESSAGE_CREATE"),
        st.fixed_dictionaries(
            {
                "id": st.integers(2**60, 2**62).map(str),
                "channel_id": st.sampled_from([str(harness.channel.id)] * 3 + ["99"]),
                "author": st.fixed_dictionaries(
                    {
                        "id": st.sampled_from([str(user) for user in users]),
                        "username": words,
                        "discriminator": st.just("0"),
                        "avatar": st.none(),
                    },
                    optional={"bot": st.booleans(), "global_name": words},
                ),
                "content": contents,
                "timestamp": st.just("2026-01-01T00:00:00+00:00"),
                "edited_timestamp": st.none(),
                "tts": st.booleans(),
                "mention_everyone": st.booleans(),
                "mentions": st.sampled_from([[], [bot]]),
                "mention_roles": st.just([]),
                "attachments": st.just([]),
                "embeds": st.just([]),
                "pinned": st.booleans(),
                "type": st.sampled_from([0, 0, 0, 7, 19, 21, 99]),
                "guild_id": st.sampled_from([str(harness.guild.id)] * 3 + ["97", None]),
            },
            optional={
                "webhook_id": st.just("96"),
                "message_reference": replies,
                "nonce": words,
            },
        ),
    )


async def throw(harness: Harness, caplog: pytest.LogCaptureFixture, events: list[Any]) -> None:
    """All of them, some at once."""
    for start in range(0, len(events), AT_ONCE):
        sent = events[start : start + AT_ONCE]
        with no_error_logged(caplog, sent):
            for event, payload in sent:
                read_event(harness, event, copy.deepcopy(payload))
            await harness.settle()


def is_played(harness: Harness, table: Table, before: Any) -> bool:
    """Whether anything was done at the table meanwhile."""
    return table_as_it_is(harness, table) != before


@pytest.mark.kems(message_content=True)
@TIMES
async def test_no_reaction_or_message_of_a_stranger_is_a_gesture(
    harness: Harness, table: Table, caplog: pytest.LogCaptureFixture, times: int
) -> None:
    before, board = table_as_it_is(harness, table), table.message().id
    strangers, seated = [harness[STRANGER].id, NOBODY], [harness[name].id for name in table.people]
    everything = [reactions(harness, board, strangers), posts(harness, [board], strangers)]
    await throw(harness, caplog, drawn(st.one_of(everything), EXAMPLES * times))
    assert not is_played(harness, table, before)

    everything = [reactions(harness, board, seated), posts(harness, [board], seated)]
    await throw(harness, caplog, drawn(st.one_of(everything), EXAMPLES * times))
    assert is_played(harness, table, before)
    await table.settle()
    made = {gesture.kind for gesture in table_as_it_is(harness, table)[2].gestures}
    assert made <= {GestureKind.REACT, GestureKind.POST}


def heard(harness: Harness) -> list[tuple[str, Any]]:
    """One event of each kind that Discord has sent so far, as it was; and some that it sends on other days."""
    place, guild = str(harness.channel.id), str(harness.guild.id)
    log = [(name, payload) for kind, name, payload in harness.env.backend.transcript if kind == "GATEWAY"]
    sent = {(name, payload.get("type")): (name, dict(payload)) for name, payload in log}  # presses, forms and commands
    thread = {"id": "95", "guild_id": guild, "parent_id": place, "type": 11, "name": "x", "owner_id": "1",
              "thread_metadata": {"archived": True, "auto_archive_duration": 60,
                                  "archive_timestamp": TIME}}  # fmt: skip
    role = {"id": "94", "name": "x", "permissions": "0", "position": 1, "color": 0, "hoist": False, "managed": False,
            "mentionable": False, "flags": 0}  # fmt: skip
    gone = {"guild_id": guild, "channel_id": place, "message_id": "98"}
    return [*sent.values(), *{
        "MESSAGE_DELETE_BULK": {"ids": ["98", "99"], "channel_id": place, "guild_id": guild},
        "MESSAGE_REACTION_REMOVE_ALL": gone,
        "MESSAGE_REACTION_REMOVE_EMOJI": {**gone, "emoji": {"id": None, "name": "🍀"}},
        "CHANNEL_PINS_UPDATE": {"guild_id": guild, "channel_id": place, "last_pin_timestamp": None},
        "THREAD_CREATE": {**thread, "newly_created": True},
        "THREAD_UPDATE": thread,
        "THREAD_DELETE": {key: thread[key] for key in ("id", "guild_id", "parent_id", "type")},
        "THREAD_LIST_SYNC": {"guild_id": guild, "threads": [thread], "members": []},
        "THREAD_MEMBERS_UPDATE": {"id": "95", "guild_id": guild, "member_count": 1, "removed_member_ids": ["1"]},
        "GUILD_ROLE_CREATE": {"guild_id": guild, "role": role},
        "GUILD_ROLE_UPDATE": {"guild_id": guild, "role": role},
        "GUILD_ROLE_DELETE": {"guild_id": guild, "role_id": "94"},
        "GUILD_EMOJIS_UPDATE": {"guild_id": guild, "emojis": [{"id": "77", "name": None}]},
        "GUILD_DELETE": {"id": "97", "unavailable": True},
        "CHANNEL_DELETE": {"id": "99", "guild_id": guild, "type": 0, "name": "x", "position": 0},
        "CHANNEL_UPDATE": {"id": "99", "guild_id": guild, "type": 0, "name": "x", "position": 0},
        "GUILD_MEMBER_REMOVE": {"guild_id": guild, "user": {"id": "93", "username": "x", "discriminator": "0"}},
        "GUILD_BAN_ADD": {"guild_id": guild, "user": {"id": "93", "username": "x", "discriminator": "0"}},
    }.items()]  # fmt: skip


def paths(payload: Any) -> list[tuple[Any, ...]]:
    """Where there is something in a payload, nested things too; without the token, of which simcord makes a path."""
    inner = payload.items() if isinstance(payload, dict) else enumerate(payload) if isinstance(payload, list) else ()
    return [(), *((key, *path) for key, value in inner if key != "token" for path in paths(value))]


def broken(payload: Any, changes: list[tuple[tuple[Any, ...], Any]]) -> Any:
    """A copy in which some of it is something else, or gone."""
    made = {"whole": copy.deepcopy(payload)}
    for path, value in changes:
        inner: Any = made
        *way, last = "whole", *path
        try:
            for key in way:
                inner = inner[key]
            if value is GONE and path:
                del inner[last]
            else:
                inner[last] = {} if value is GONE else value
        except (IndexError, KeyError, TypeError):
            continue  # an earlier change took it away
    return made["whole"]


def events(known: list[tuple[str, Any]]) -> st.SearchStrategy[Any]:
    """One of these, in some places not what it should be."""

    def changed(each: tuple[str, Any]) -> st.SearchStrategy[Any]:
        name, payload = each
        change = st.tuples(st.sampled_from(paths(payload)), st.just(GONE) | odd)
        return st.tuples(st.just(name), st.lists(change, max_size=3).map(lambda made: broken(payload, made)))

    return st.sampled_from(known).flatmap(changed)


@pytest.mark.kems(message_content=True)
@TIMES
async def test_the_bot_plays_on_whatever_discord_sends(
    harness: Harness, table: Table, caplog: pytest.LogCaptureFixture, times: int
) -> None:
    await table.press("Bruno", "counter")
    await harness["Bruno"].say("🍀", reply_to=table.message())
    await harness["Bruno"].react("🍀", table.message())
    await harness["Bruno"].unreact("🍀", table.message())
    known = heard(harness)
    await throw(harness, caplog, drawn(events(known), EXAMPLES * times))
    others = st.tuples(st.sampled_from(EVENTS), odd)
    await throw(harness, caplog, drawn(others, EXAMPLES * times))
    guild = dict(known)["GUILD_CREATE"]
    await throw(harness, caplog, [("GUILD_CREATE", guild)])
    await table.press("Bruno", "hand")
    assert len(table.hand("Bruno")) == 4
