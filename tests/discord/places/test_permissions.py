"""The bot asks for what it uses, and for nothing else: intents, and the permissions of the invitation link."""

import re
from pathlib import Path
from unittest.mock import Mock

import discord
import pytest

from bot import compose
from bot.base.settings import Settings
from bot.discord.api.interactions import RefusedError
from bot.discord.gateway.client import KemsClient
from bot.discord.places import permissions
from bot.ui.lobby.places import Openings
from tests.databases import migrated
from tests.ui.walk import EN

HOSTING = Path(__file__).parents[3] / "docs/hosting.md"
HEARD = {
    "guilds": "on_shard_ready",  # channels, threads and roles, which discord.py keeps
    "expressions": "on_shard_ready",  # servers' emojis, which discord.py keeps
    "guild_scheduled_events": "on_shard_ready",  # servers' events, which discord.py keeps
    "guild_messages": "on_message",
    "guild_reactions": "on_raw_reaction_add",
}


@pytest.mark.parametrize("reads_chat", [False, True])
async def test_each_intent_is_used_by_an_event(tmp_path: Path, reads_chat: bool) -> None:
    settings = Settings(_env_file=None, database_url=migrated(tmp_path), message_content=reads_chat)
    async with compose.build_client(settings) as client:
        asked = {name for name, is_on in client.intents if is_on}
        assert asked == HEARD.keys() | ({"message_content"} if reads_chat else set())
    for handler in HEARD.values():
        assert hasattr(KemsClient, handler)


def test_the_invitation_asks_for_the_permissions_that_the_code_checks() -> None:
    link = re.search(r"oauth2/authorize\?\S*permissions=(\d+)", HOSTING.read_text("utf-8"))
    assert link is not None
    assert int(link[1]) == discord.Permissions(**dict.fromkeys(permissions.INVITED, True)).value
    optional = discord.Permissions(**dict.fromkeys(permissions.FOR_ROLES, True))
    assert not int(link[1]) & optional.value, "who wants a champion's role gives the bot what that takes"


@pytest.mark.parametrize(("kind", "holds"), [("text", True), ("news", False)])
def test_announcement_channels_take_no_threads_of_tables(kind: str, holds: bool) -> None:
    channel = Mock(spec=discord.TextChannel)
    channel.is_news.return_value = kind == "news"
    assert permissions.can_hold_threads(channel) == holds


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize("kind", [*discord.ChannelType])
async def test_a_table_is_possible_in_all_channels_except_media_and_categories(
    kind: discord.ChannelType, in_thread: bool
) -> None:
    place, thread = Mock(type=kind), Mock(spec=discord.Thread)
    thread.parent = place
    may = discord.Permissions.none()
    here = thread if in_thread else place
    interaction = Mock(channel=here, channel_id=5, guild=None, locale="en-GB", app_permissions=may)
    with pytest.raises(RefusedError) as refused:
        await Openings(Mock()).find_place(interaction)
    fits = kind not in (discord.ChannelType.media, discord.ChannelType.category)
    assert ("permissions in this channel: View Channel" if fits else "a text channel") in str(refused.value)


def test_the_code_checks_no_other_permission() -> None:
    """Of its own; those of members are listed in the tests of rights."""
    named = {name for name in vars(permissions) if name.isupper() and not name.startswith("_")}
    assert named == {
        "IN_CHANNEL", "IN_THREAD", "IN_PRIVATE_THREAD", "PICTURES", "HISTORY", "INVITED", "FOR_ROLES", "FOR_EVENTS"
    }  # fmt: skip
    flags = {flag for name in named for flag in getattr(permissions, name)}
    assert len(set(permissions.permission_names(flags, EN).split(", "))) == len(flags), "each has a name"
