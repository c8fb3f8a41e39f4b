"""The rig's Discord with an unmodified discord.py: channels, threads, roles, and what a bot is told of them."""

import aiohttp
import discord
import pytest

from bot.sandbox.discord.objects import NEWS
from bot.sandbox.discord.people import Refused
from bot.sandbox.discord.permissions import MANAGE_ROLES, VIEW_CHANNEL
from tests.rig.small_client import TOKEN, connected


async def test_a_private_thread_without_the_bot_lets_commands_in_and_nothing_else() -> None:
    async def here(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("here", ephemeral=True)

    async with connected(("here", here)) as stage:
        private = {"channel": stage.channel_id, "user": stage.lea, "name": "ours", "is_private": True}
        thread = stage.remote.moderator.open_thread(**private)
        assert (await stage.remote.slash(stage.lea, "here", thread)).kind == "message"
        with pytest.raises(Refused, match="cannot see"):
            await stage.remote.slash(stage.bruno, "here", thread)
        for call in (stage.client.fetch_channel(thread), stage.client.get_partial_messageable(thread).send("no")):
            with pytest.raises(discord.Forbidden) as refused:
                await call
            assert refused.value.code == 50001
        assert stage.client.of("message") == []
        stage.remote.moderator.add_to_thread(thread=thread, user=stage.client.user.id)  # type: ignore[union-attr]
        await stage.client.hears("thread_join")
        await stage.client.get_partial_messageable(thread).send("yes")


async def test_a_public_thread_without_a_message_is_told_of_in_its_channel() -> None:
    async with connected() as stage:
        await stage.channel.create_thread(name="private", type=discord.ChannelType.private_thread)
        thread = await stage.channel.create_thread(name="public", type=discord.ChannelType.public_thread)
        await (await stage.channel.send("a thread starts here")).create_thread(name="under a message")
        told = [message async for message in stage.channel.history() if message.type.name == "thread_created"]
        assert [message.content for message in told] == ["public"]
        reference = told[0].reference
        assert (reference.channel_id, reference.message_id) == (thread.id, None)
        await told[0].delete()
        assert [message.content async for message in stage.channel.history()] == ["a thread starts here"]


async def test_a_mention_makes_a_member_of_a_thread_and_unknown_ones_are_404() -> None:
    async with connected() as stage:
        message = await stage.channel.send("a thread starts here")
        thread = await message.create_thread(name="thread")
        assert thread.id == message.id
        with pytest.raises(discord.NotFound) as refused:
            await thread.fetch_member(stage.lea)
        assert refused.value.code == 10007
        await thread.send(f"<@{stage.lea}>", silent=True)
        assert (await thread.fetch_member(stage.lea)).id == stage.lea
        with pytest.raises(discord.HTTPException) as again:
            await message.create_thread(name="thread")
        assert again.value.code == 160004


async def test_an_archived_thread_takes_posts_but_no_edits() -> None:
    async with connected() as stage:
        thread = await stage.channel.create_thread(name="t", type=discord.ChannelType.public_thread)
        message = await thread.send("one")
        stage.remote.moderator.archive(thread=thread.id)
        with pytest.raises(discord.HTTPException) as refused:
            await message.edit(content="two")
        assert refused.value.code == 50083
        await thread.send("a post takes it out of the archive")
        await message.edit(content="two")
        stage.remote.moderator.archive(thread=thread.id, is_locked=True)
        with pytest.raises(discord.HTTPException) as refused:
            await thread.send("locked")
        assert refused.value.code == 50083


async def test_announcement_channels_take_no_public_threads() -> None:
    async with connected() as stage:
        guild = stage.discord.guilds[0]
        news = stage.discord.world.add_channel(guild, "news", NEWS)
        created = await stage.client.hears("guild_channel_create")
        assert (created.id, created.is_news()) == (news.id, True)
        with pytest.raises(discord.HTTPException) as refused:
            await created.create_thread(name="t", type=discord.ChannelType.public_thread)
        assert refused.value.code == 50024


async def test_the_bot_hears_of_its_own_roles_and_not_of_those_of_others() -> None:
    async with connected() as stage:
        bot, guild = stage.discord.world.bot.id, stage.guild_id
        lead = stage.remote.moderator.add_role(guild=guild, name="lead", permissions=MANAGE_ROLES)
        await stage.client.hears("guild_role_create")
        stage.remote.moderator.give_role(guild=guild, user=stage.lea, role=lead)
        stage.remote.moderator.give_role(guild=guild, user=bot, role=lead)
        before = await stage.client.hears("member_update")
        assert before.id == bot
        assert len(stage.client.of("member_update")) == 1
        me = stage.client.get_guild(guild).me  # type: ignore[union-attr]
        assert lead in {role.id for role in me.roles}


async def test_roles_are_given_below_ones_own_alone() -> None:
    async with connected() as stage:
        guild = stage.client.get_guild(stage.guild_id)
        champion = discord.Object(stage.remote.moderator.add_role(guild.id, "champion"))
        member = await guild.fetch_member(stage.lea)
        await member.add_roles(champion)
        assert champion.id in {role.id for role in (await guild.fetch_member(stage.lea)).roles}
        own = guild.me.top_role
        with pytest.raises(discord.Forbidden) as refused:
            await member.add_roles(own)
        assert refused.value.code == 50013
        with pytest.raises(discord.NotFound) as unknown:
            await guild.fetch_member(1)
        assert unknown.value.code == 10007


async def test_a_channel_that_is_closed_to_the_bot() -> None:
    async with connected() as stage:
        message = await stage.channel.send("open")
        everybody = stage.guild_id
        stage.remote.moderator.allow(channel=stage.channel_id, who=everybody, denied=VIEW_CHANNEL)
        with pytest.raises(discord.Forbidden) as refused:
            await message.edit(content="closed")
        assert refused.value.code == 50001
        stage.remote.moderator.delete_channel(channel=stage.channel_id)
        with pytest.raises(discord.NotFound) as gone:
            await message.edit(content="gone")
        assert gone.value.code == 10003


async def test_what_others_write_is_hidden_without_the_intent_unless_it_is_for_the_bot() -> None:
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


async def test_reactions_reach_the_bot() -> None:
    async with connected() as stage:
        message = await stage.channel.send("react")
        seen = stage.remote.messages
        await stage.remote.until(lambda: message.id in seen, "the message")
        await stage.remote.react(stage.lea, seen[message.id], "🦊")
        await stage.remote.react(stage.lea, seen[message.id], "🦊", present=False)
        added = await stage.client.hears("raw_reaction_add")
        removed = await stage.client.hears("raw_reaction_remove")
        assert (str(added.emoji), added.user_id, removed.user_id) == ("🦊", stage.lea, stage.lea)


async def test_a_servers_emojis_come_with_the_expressions_intent_alone() -> None:
    for has_intent in (False, True):
        async with connected(emojis_and_stickers=has_intent) as stage:
            stage.remote.moderator.add_emoji(guild=stage.guild_id, name="ours")
            await stage.channel.send("after it")
            await stage.client.hears("message")
            assert [emoji.name for emoji in stage.client.emojis] == (["ours"] if has_intent else [])


async def test_a_request_without_a_token_or_to_nowhere_is_refused() -> None:
    async with connected() as stage, aiohttp.ClientSession(f"http://{stage.discord.address}") as session:
        async with session.get("/api/v10/users/@me") as answer:
            assert answer.status == 401
        async with session.get("/api/v10/nowhere", headers=TOKEN) as answer:
            assert (answer.status, (await answer.json())["code"]) == (404, 0)
        assert stage.remote.discord.recorder.violations == ["GET *: there is no such route"]
