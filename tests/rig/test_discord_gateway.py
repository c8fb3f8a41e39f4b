"""The rig's gateway with an unmodified discord.py: shards, resume with replay, outages."""

import asyncio

import discord
import pytest

from bot.sandbox.discord.gateway import shard_of
from bot.sandbox.discord.serving import built, discord_at
from tests.rig.remote import opened
from tests.rig.small_client import PEOPLE, Client, connected, intents


async def test_two_shards_share_the_servers_and_each_hears_its_own() -> None:
    async def where(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(str(interaction.guild.shard_id))

    async with connected(("where", where), guilds=4, shards=2) as stage:
        assert stage.client.shard_count == 2
        guilds = [guild.id for guild in stage.discord.guilds]
        assert {guild.id for guild in stage.client.guilds} == set(guilds)
        assert {shard_of(guild, 2) for guild in guilds} == {0, 1}
        for channel in stage.discord.channels:
            outcome = await stage.remote.slash(stage.lea, "where", channel.id)
            assert outcome.answer.text == str(shard_of(channel.guild_id, 2))
        assert [shard for _, shard in stage.discord.gateway.identified] == [(0, 2), (1, 2)]


async def test_two_bots_with_one_token_hear_the_same() -> None:
    async with connected() as stage, Client(intents()) as other:
        running = asyncio.create_task(other.start("rig"))
        await other.hears("ready")
        assert await stage.remote.connected(sessions=2)
        await stage.channel.send("to both")
        first, second = await stage.client.hears("message"), await other.hears("message")
        assert first.id == second.id
        await other.close()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_dropped_socket_is_resumed_and_hears_what_it_missed() -> None:
    async with connected() as stage:
        (session,) = stage.discord.gateway.sessions.values()
        await stage.remote.discord.gateway.drop()
        assert session.socket is None
        for text in ("one", "two"):
            stage.discord.people.say(stage.lea, stage.channel_id, f"{text} <@{stage.discord.world.bot.id}>")
        await stage.client.hears("message", 2)
        assert [message.content[:3] for message in stage.client.of("message")] == ["one", "two"]
        assert stage.discord.gateway.resumes == 1
        assert len(stage.client.of("ready")) == 1


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


async def test_message_content_has_to_be_granted() -> None:
    served = built(PEOPLE)
    served.world.may_read_content = False
    async with opened(served):
        with discord_at(served.address):
            async with Client(intents(message_content=True)) as client:
                with pytest.raises(discord.PrivilegedIntentsRequired):
                    await asyncio.wait_for(client.start("rig"), 10)
