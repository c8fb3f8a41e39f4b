"""The rig's gateway with an unmodified discord.py: what a bot is told of, and what it is not."""

import asyncio

import discord
import pytest

from bot.discord.api.discord_internals import discord_at
from bot.sandbox.discord.permissions import MANAGE_ROLES
from tests.rig.remote import built, opened
from tests.rig.small_client import PEOPLE, Client, connected, intents


async def test_two_bots_with_one_token_receive_the_same_events() -> None:
    async with connected() as stage, Client(intents()) as other:
        running = asyncio.create_task(other.start("rig"))
        await other.hears("ready")
        assert await stage.remote.connected(sessions=2)
        await stage.channel.send("to both")
        first, second = await stage.client.hears("message"), await other.hears("message")
        assert first.id == second.id
        await other.close()
        await asyncio.gather(running, return_exceptions=True)


async def test_an_outage_takes_a_server_away_and_brings_it_back() -> None:
    async with connected() as stage:
        stage.remote.moderator.outage(guild=stage.guild_id)
        await stage.client.hears("guild_unavailable")
        await stage.remote.say(stage.lea, "unheard")
        stage.remote.moderator.outage(guild=stage.guild_id, is_over=True)
        await stage.client.hears("guild_available")
        assert stage.client.of("message") == []
        stage.remote.moderator.remove_bot(guild=stage.guild_id)
        await stage.client.hears("guild_remove")


async def test_the_message_content_intent_has_to_be_granted() -> None:
    served = built(PEOPLE)
    served.world.may_read_content = False
    async with opened(served):
        with discord_at(served.address):
            async with Client(intents(message_content=True)) as client:
                with pytest.raises(discord.PrivilegedIntentsRequired):
                    await asyncio.wait_for(client.start("rig"), 60)


async def test_content_is_hidden_without_the_intent_unless_the_message_is_for_the_bot() -> None:
    async with connected() as stage:
        posted = await stage.channel.send("ours")
        bot = stage.discord.world.bot.id
        await stage.remote.say(stage.lea, "chat")
        await stage.remote.say(stage.lea, f"<@{bot}> hello")
        await stage.remote.say(stage.lea, "a reply", reply_to=posted.id)
        await stage.remote.say(stage.lea, "a quiet reply", reply_to=posted.id, with_ping=False)
        await stage.client.hears("message", 5)
        texts = [message.content for message in stage.client.of("message")]
        assert texts == ["ours", "", f"<@{bot}> hello", "a reply", ""]
    async with connected(message_content=True) as stage:
        await stage.remote.say(stage.lea, "chat")
        assert (await stage.client.hears("message")).content == "chat"


async def test_the_bot_receives_changes_of_its_own_roles_only() -> None:
    async with connected() as stage:
        bot, guild = stage.discord.world.bot.id, stage.guild_id
        lead = stage.remote.moderator.add_role(guild=guild, name="lead", permissions=MANAGE_ROLES)
        stage.remote.moderator.give_role(guild=guild, user=stage.lea, role=lead)
        stage.remote.moderator.give_role(guild=guild, user=bot, role=lead)
        assert (await stage.client.hears("member_update")).id == bot
        assert len(stage.client.of("member_update")) == 1


@pytest.mark.parametrize("has_intent", [False, True])
async def test_a_servers_emojis_come_only_with_the_expressions_intent(has_intent: bool) -> None:
    async with connected(emojis_and_stickers=has_intent) as stage:
        stage.remote.moderator.add_emoji(guild=stage.guild_id, name="ours")
        await stage.channel.send("after it")
        await stage.client.hears("message")
        assert [emoji.name for emoji in stage.client.emojis] == (["ours"] if has_intent else [])
