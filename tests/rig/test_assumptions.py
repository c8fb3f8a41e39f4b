"""The switches of the rig's Discord, each with an unmodified discord.py."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from bot.sandbox.discord.assumptions import PLAIN, STRICT, Assumptions, feared
from bot.sandbox.discord.limits import RateLimits, Verdict
from bot.sandbox.discord.objects import CATEGORY, FORUM, MEDIA, STAGE, VOICE, Emoji
from bot.sandbox.discord.people import Refused
from tests.rig.air import Weather
from tests.rig.remote import Outcome
from tests.rig.small_client import TOKEN, Stage, connected


def emoji_buttons(stage: Stage) -> ui.LayoutView:
    """A message with an emoji of the application."""
    emoji = Emoji(stage.discord.world.new_id(), "card")
    stage.discord.world.application_emojis[emoji.id] = emoji
    button: ui.Button[Any] = ui.Button(emoji=discord.PartialEmoji(name="card", id=emoji.id), custom_id="b")
    return ui.LayoutView().add_item(ui.ActionRow(button))


def buttons(*names: str) -> ui.View:
    view = ui.View(timeout=None)
    for name in names:
        view.add_item(ui.Button(label=name, custom_id=name))
    return view


async def code_of(request: Awaitable[Any]) -> int:
    """What Discord says to a request; 0 where it takes it, 30046 where discord.py would wait."""
    try:
        async with asyncio.timeout(0.5):
            await request
    except discord.HTTPException as error:
        return error.code
    except TimeoutError:
        return 30046
    return 0


def hook(stage: Stage, told: Outcome) -> discord.Webhook:
    """What the token of a command reaches."""
    token, number = stage.discord.world.interactions[told.id].token, stage.discord.world.application_id
    return discord.Webhook.partial(number, token, client=stage.client)


async def say(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("private", ephemeral=True)


async def defer(interaction: discord.Interaction) -> None:
    await interaction.response.defer()


async def pressed(stage: Stage, user: int, message: int, name: str, channel: int = 0) -> str:
    return (await stage.remote.press(user, stage.remote.messages[message], name)).kind


def test_each_fear_stands_alone() -> None:
    alone = feared()
    assert PLAIN not in alone.values()
    assert len(set(alone.values())) == len(alone)
    assert STRICT not in alone.values()


def test_tokens_of_a_channel_and_its_threads_have_silent_limits() -> None:
    limits = RateLimits(lambda: 0.0, STRICT, channel_of=lambda token: int(token) % 2)

    def spent(method: str, path: str) -> Verdict:
        return limits.spend(method, path)

    edits = [spent("PATCH", f"/webhooks/1/{2 * token}/messages/@original") for token in range(31)]
    assert [verdict.retry_after for verdict in edits] == [None] * 30 + [60.0]
    assert edits[30].headers["X-RateLimit-Scope"] == "shared"
    assert spent("PATCH", "/webhooks/1/1/messages/@original").retry_after is None, "of another channel"
    threads = [spent("POST", "/channels/1/threads") for _ in range(11)]
    assert [verdict.retry_after for verdict in threads] == [None] * 10 + [220.0]
    assert threads[9].headers["X-RateLimit-Remaining"] == "40", "nothing tells of it before"


async def test_emojis_of_the_application_are_refused_at_random() -> None:
    async with connected(assumptions=Assumptions(refuses_emojis=0.5)) as stage:
        view = emoji_buttons(stage)
        message = stage.discord.world.post(stage.discord.channels[0], stage.discord.world.bot.id, content="x")
        stage.air.change(Weather(limits=False))
        edit = partial(stage.channel.get_partial_message(message.id).edit, content=None, view=view)
        assert {await code_of(edit()) for _ in range(20)} == {0, 50035}


@pytest.mark.parametrize("is_limited", [True, False])
async def test_old_messages_take_few_edits_through_a_token(is_limited: bool) -> None:
    async with connected(("here", say), assumptions=Assumptions(limits_old_tokens=is_limited)) as stage:
        told = await stage.remote.slash(stage.lea, "here")
        stage.remote.moderator.age(stage.channel_id, told.answer.id, 3601)  # type: ignore[union-attr]
        stage.air.change(Weather(limits=False))
        edits = [await code_of(hook(stage, told).edit_message("@original", content=f"{n}")) for n in range(4)]  # type: ignore[arg-type]
        assert edits == [0, 0, 0, 30046 * is_limited]
        assert all(line.endswith("(30046)") for line in stage.air.limited)


async def test_a_phone_takes_a_thread_out_of_the_archive_for_members_alone() -> None:
    async with connected(assumptions=Assumptions(asks_for_members=True)) as stage:
        stage.client.answers["b"] = defer
        thread = await stage.channel.create_thread(name="t", type=discord.ChannelType.public_thread)
        message = await thread.send(view=buttons("b"))
        await thread.add_user(discord.Object(stage.lea))
        stage.remote.moderator.archive(thread.id)
        with pytest.raises(Refused, match="archive"):
            await pressed(stage, stage.bruno, message.id, "b")
        assert await pressed(stage, stage.lea, message.id, "b") == "deferred_update"
        assert await pressed(stage, stage.bruno, message.id, "b") == "deferred_update"
        stage.remote.moderator.archive(thread.id, is_locked=True)
        with pytest.raises(Refused, match="archive"):
            await pressed(stage, stage.lea, message.id, "b")


async def test_an_answer_in_a_locked_thread_is_refused() -> None:
    codes: list[int] = []

    async def answer(interaction: discord.Interaction) -> None:
        codes.append(await code_of(say(interaction)))
        await defer(interaction)

    async with connected() as stage:
        stage.client.answers["b"] = answer
        thread = await stage.channel.create_thread(name="t", type=discord.ChannelType.public_thread)
        message = await thread.send(view=buttons("b"))
        stage.remote.moderator.archive(thread.id, is_locked=True)
        await pressed(stage, stage.lea, message.id, "b")
        assert codes == [50083]


async def test_private_messages_vanish_at_a_reload_and_still_take_edits() -> None:
    async with connected(("here", say)) as stage:
        told = [await stage.remote.slash(user, "here") for user in (stage.lea, stage.bruno)]
        stage.discord.people.reload(stage.lea)
        assert not [m for m in stage.remote.seen_by(stage.lea) if m.viewer_id]
        assert [m.id for m in stage.remote.seen_by(stage.bruno) if m.viewer_id] == [told[1].answer.id]  # type: ignore[union-attr]
        await hook(stage, told[0]).edit_message("@original", content="edited")  # type: ignore[arg-type]
        assert not [m for m in stage.remote.seen_by(stage.lea) if m.viewer_id]


async def test_a_press_is_checked_against_what_is_there_when_it_arrives() -> None:
    async with connected() as stage:
        message = await stage.channel.send(view=buttons("a", "b"))
        stage.air.change(Weather(press=(0.1, 0.1)))
        press = asyncio.create_task(pressed(stage, stage.lea, message.id, "b"))
        await asyncio.sleep(0.01)
        await message.edit(view=buttons("a"))
        with pytest.raises(Refused, match="no longer"):
            await press
        assert stage.client.of("interaction") == []


@pytest.mark.parametrize("is_blocked", [True, False])
async def test_buttons_are_dead_while_one_is_under_way(is_blocked: bool) -> None:
    async def answer(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.1)
        await defer(interaction)

    async with connected(assumptions=Assumptions(blocks_buttons=is_blocked)) as stage:
        stage.client.answers |= {"a": answer, "b": answer}
        message = await stage.channel.send(view=buttons("a", "b"))
        presses = [(stage.lea, "a"), (stage.lea, "b"), (stage.bruno, "b")]
        came = await asyncio.gather(
            *(pressed(stage, user, message.id, name) for user, name in presses), return_exceptions=True
        )
        assert [isinstance(one, Refused) for one in came] == [False, is_blocked, False]
        assert await pressed(stage, stage.lea, message.id, "b") == "deferred_update"


async def test_events_overtake_each_other() -> None:
    async with connected(assumptions=Assumptions(disorder_s=0.2)) as stage:
        stage.air.change(Weather(limits=False))
        said = [stage.discord.people.say(stage.lea, stage.channel_id, "x").id for _ in range(10)]
        await stage.client.hears("message", 10)
        heard = [message.id for message in stage.client.of("message")]
        assert sorted(heard) == said != heard


async def test_one_identify_too_many_resets_the_token() -> None:
    async with connected() as stage:
        gateway = stage.discord.gateway
        gateway.starts = len(gateway.identified)
        await gateway.drop(forget=True)
        url = f"http://{stage.discord.address}/api/v10/users/@me"
        async with asyncio.timeout(10), aiohttp.ClientSession(headers=TOKEN) as session:
            while (await session.get(url)).status != 401:
                await asyncio.sleep(0.05)
        assert gateway.connections == 0


@pytest.mark.parametrize(
    ("kind", "codes"),
    [(VOICE, (0, 50024)), (STAGE, (0, 50024)), (FORUM, (50008, 0)), (MEDIA, (50008, 0)), (CATEGORY, (50008, 50024))],
)
async def test_what_channels_of_other_kinds_take(kind: int, codes: tuple[int, int]) -> None:
    async with connected() as stage:
        channel, http = stage.discord.world.add_channel(stage.discord.guilds[0], "other", kind), stage.client.http
        post = http.send_message(channel.id, params=discord.http.handle_message_parameters("x"))
        thread = http.start_thread_without_message(channel.id, name="t", type=11, auto_archive_duration=60)
        assert (await code_of(post), await code_of(thread)) == codes


async def test_a_server_with_two_factor_takes_no_role_from_a_bot_without() -> None:
    async with connected() as stage:
        champion = stage.remote.moderator.add_role(stage.guild_id, "champion")
        stage.remote.moderator.ask_for_two_factor(stage.guild_id)
        guild = await stage.client.hears("guild_update")
        member = await guild.fetch_member(stage.lea)
        assert await code_of(member.add_roles(discord.Object(champion))) == 60003
