"""What the rig's Discord refuses, with an unmodified discord.py. The other tests of the rig show what it takes."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui

from bot.sandbox.discord.objects import CATEGORY, FORUM, MEDIA, NEWS, STAGE, VOICE
from bot.sandbox.discord.people import Refused
from bot.sandbox.discord.permissions import VIEW_CHANNEL
from tests.rig import remote
from tests.rig.air import Weather
from tests.rig.limits import BUCKETS
from tests.rig.remote import Outcome
from tests.rig.small_client import TOKEN, Stage, connected

PUBLIC = discord.ChannelType.public_thread


def buttons(*names: str) -> ui.View:
    view = ui.View(timeout=None)
    for name in names:
        view.add_item(ui.Button(label=name, custom_id=name))
    return view


async def code_of(request: Awaitable[Any]) -> int:
    """What Discord says to a request; 0 where it takes it."""
    try:
        await request
    except discord.HTTPException as error:
        return error.code
    return 0


def hook(stage: Stage, told: Outcome) -> discord.Webhook:
    """What the token of a command reaches."""
    token, number = stage.discord.world.interactions[told.id].token, stage.discord.world.application_id
    return discord.Webhook.partial(number, token, client=stage.client)


async def say(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("private", ephemeral=True)


async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("a panel", view=buttons("again"), ephemeral=True)


async def defer(interaction: discord.Interaction) -> None:
    await interaction.response.defer()


async def pressed(stage: Stage, user: int, message: int, name: str) -> str:
    return (await stage.remote.press(user, stage.remote.messages[message], name)).kind


# ------------------------------------------------------------------ answers


async def test_only_the_token_of_a_press_edits_its_message_as_the_original() -> None:
    presses: list[discord.Interaction] = []

    async def again(interaction: discord.Interaction) -> None:
        presses.append(interaction)
        await interaction.response.edit_message(content="pressed")

    async with connected(("panel", panel)) as stage:
        stage.client.answers["again"] = again
        opened = (await stage.remote.slash(stage.lea, "panel")).answer
        assert opened.viewer_id == stage.lea
        assert (await stage.remote.press(stage.lea, opened, "again")).kind == "update"
        (press,) = presses
        assert await code_of(press.edit_original_response(content="refreshed")) == 0
        await stage.remote.until(lambda: stage.remote.messages[opened.id].text == "refreshed", "the edit")
        by_its_id = press.followup.edit_message(opened.id, content="by its id")
        by_the_bot = stage.channel.get_partial_message(opened.id).edit(content="by the bot's token")
        assert (await code_of(by_its_id), await code_of(by_the_bot)) == (10008, 10008)
        with pytest.raises(Refused, match="no longer there"):
            await stage.remote.press(stage.bruno, opened, "again")
        await (await press.followup.send("more", wait=True)).edit(content="for all")
        assert [message.text for message in stage.remote.seen_by(stage.bruno)] == ["for all"]
        await press.delete_original_response()
        assert await code_of(press.edit_original_response(content="gone")) == 10008


async def test_second_answers_late_answers_and_old_tokens_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "DEADLINE_S", 0.5)
    codes: dict[str, int] = {}
    answered: list[discord.Interaction] = []

    async def twice(interaction: discord.Interaction) -> None:
        answered.append(interaction)
        await interaction.response.send_message("once")
        route = discord.http.Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
        again = interaction._state.http.request(route, json={"type": 4, "data": {"content": "again"}})
        codes["twice"] = await code_of(again)

    async def late(interaction: discord.Interaction) -> None:
        stage.discord.world.interactions[interaction.id].made_ms -= 3_001
        codes["late"] = await code_of(interaction.response.send_message("late"))

    async with connected(("twice", twice), ("late", late)) as stage:
        await stage.remote.slash(stage.lea, "twice")
        assert (await stage.remote.slash(stage.lea, "late")).kind == ""
        assert codes == {"twice": 40060, "late": 10062}
        assert stage.remote.missed == ["late"]
        stage.remote.moderator.expire_tokens()
        assert await code_of(answered[0].edit_original_response(content="too late")) == 50027
        with pytest.raises(Refused, match="no command /other"):
            await stage.remote.slash(stage.lea, "other")


async def test_a_modal_accepts_only_what_its_fields_allow() -> None:
    class Form(ui.Modal, title="A form"):
        name: ui.Label[Any] = ui.Label(text="Name", component=ui.TextInput(custom_id="name", max_length=10))

    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    async with connected(("ask", ask)) as stage:
        form = await stage.remote.slash(stage.lea, "ask")
        assert (form.kind, form.fields) == ("modal", ("name",))
        with pytest.raises(Refused, match="another length"):
            await stage.remote.submit(stage.lea, form, "x" * 11)


async def test_private_messages_vanish_at_a_reload_and_still_take_edits() -> None:
    async with connected(("here", say)) as stage:
        told = [await stage.remote.slash(user, "here") for user in (stage.lea, stage.bruno)]
        stage.discord.people.reload(stage.lea)
        assert not [m for m in stage.remote.seen_by(stage.lea) if m.viewer_id]
        assert [m.id for m in stage.remote.seen_by(stage.bruno) if m.viewer_id] == [told[1].answer.id]  # type: ignore[union-attr]
        await hook(stage, told[0]).edit_message("@original", content="edited")  # type: ignore[arg-type]
        assert not [m for m in stage.remote.seen_by(stage.lea) if m.viewer_id]


async def test_a_press_is_checked_against_the_components_at_its_arrival() -> None:
    async with connected() as stage:
        message = await stage.channel.send(view=buttons("a", "b"))
        stage.air.change(Weather(press=(0.1, 0.1)))
        press = asyncio.create_task(pressed(stage, stage.lea, message.id, "b"))
        await asyncio.sleep(0.01)
        await message.edit(view=buttons("a"))
        with pytest.raises(Refused, match="no longer"):
            await press
        assert stage.client.of("interaction") == []


async def test_a_deleted_emoji_refuses_the_whole_message() -> None:
    async with connected() as stage:
        emoji = await stage.client.create_application_emoji(name="card", image=b"\x89PNG\r\n\x1a\n")
        view = ui.View(timeout=None).add_item(ui.Button(custom_id="x", emoji=emoji))
        message = await stage.channel.send(view=view)
        stage.remote.moderator.delete_emoji(emoji=emoji.id)
        with pytest.raises(discord.HTTPException, match="Invalid emoji") as refused:
            await message.edit(view=view)
        assert (refused.value.status, refused.value.code) == (400, 50035)
        assert stage.remote.discord.recorder.violations == []


# ------------------------------------------------------------------ places


async def test_threads_are_refused_when_discord_would_refuse_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUCKETS, "channel", (5, 0.5))
    codes: list[int] = []

    async def answer(interaction: discord.Interaction) -> None:
        codes.append(await code_of(say(interaction)))
        await defer(interaction)

    async with connected() as stage:
        stage.client.answers["b"] = answer
        message = await stage.channel.send("a thread starts here")
        thread = await message.create_thread(name="thread")
        assert thread.id == message.id
        assert await code_of(message.create_thread(name="thread")) == 160004
        assert await code_of(thread.fetch_member(stage.lea)) == 10007
        await thread.send(f"<@{stage.lea}>", silent=True)  # a mention makes a member
        assert (await thread.fetch_member(stage.lea)).id == stage.lea
        posted = await thread.send("one", view=buttons("b"))
        stage.remote.moderator.archive(thread.id)
        assert await code_of(posted.edit(content="two")) == 50083
        await thread.send("a post takes it out of the archive")
        assert await code_of(posted.edit(content="two")) == 0
        stage.remote.moderator.archive(thread.id, is_locked=True)
        assert await code_of(thread.send("locked")) == 50083
        await pressed(stage, stage.lea, posted.id, "b")
        assert codes == [50083]


@pytest.mark.parametrize(
    ("kind", "codes"),
    [(VOICE, (0, 50024)), (STAGE, (0, 50024)), (FORUM, (50008, 0)), (MEDIA, (50008, 0)), (CATEGORY, (50008, 50024)),
     (NEWS, (0, 50024))],
)  # fmt: skip
async def test_channels_of_other_kinds_accept_only_their_own_messages(kind: int, codes: tuple[int, int]) -> None:
    async with connected() as stage:
        channel, http = stage.discord.world.add_channel(stage.discord.guilds[0], "other", kind), stage.client.http
        post = http.send_message(channel.id, params=discord.http.handle_message_parameters("x"))
        thread = http.start_thread_without_message(channel.id, name="t", type=11, auto_archive_duration=60)
        assert (await code_of(post), await code_of(thread)) == codes


async def test_requests_to_a_closed_or_deleted_channel_are_refused() -> None:
    async with connected() as stage:
        message = await stage.channel.send("open")
        stage.remote.moderator.allow(channel=stage.channel_id, who=stage.guild_id, denied=VIEW_CHANNEL)
        assert await code_of(message.edit(content="closed")) == 50001
        stage.remote.moderator.delete_channel(channel=stage.channel_id)
        assert await code_of(message.edit(content="gone")) == 10003


async def test_roles_are_given_only_below_the_bots_own() -> None:
    async with connected() as stage:
        guild = stage.client.get_guild(stage.guild_id)
        champion = discord.Object(stage.remote.moderator.add_role(guild.id, "champion"))
        member = await guild.fetch_member(stage.lea)
        await member.add_roles(champion)
        assert champion.id in {role.id for role in (await guild.fetch_member(stage.lea)).roles}
        assert await code_of(member.add_roles(guild.me.top_role)) == 50013
        assert await code_of(guild.fetch_member(1)) == 10007


# ------------------------------------------------------------------ tokens


async def test_a_request_without_a_token_or_to_an_unknown_path_is_refused() -> None:
    async with connected() as stage, aiohttp.ClientSession(f"http://{stage.discord.address}") as session:
        async with session.get("/api/v10/users/@me") as answer:
            assert answer.status == 401
        async with session.get("/api/v10/nowhere", headers=TOKEN) as answer:
            assert (answer.status, (await answer.json())["code"]) == (404, 0)
        assert stage.remote.discord.recorder.violations == ["GET *: there is no such route"]


async def test_one_identify_too_many_resets_the_token() -> None:
    async with connected() as stage:
        gateway = stage.discord.gateway
        gateway.starts = len(gateway.identified)
        await gateway.drop(forget=True)
        url = f"http://{stage.discord.address}/api/v10/users/@me"
        async with asyncio.timeout(10), aiohttp.ClientSession(headers=TOKEN) as session:
            while (await session.get(url)).status != 401:
                await asyncio.sleep(0.05)
        assert stage.discord.connections == 0
