"""The rig's Discord with an unmodified discord.py: commands, presses, forms, and which token reaches which message."""

from typing import Any

import discord
import pytest

from bot.sandbox.discord.people import Refused
from tests.rig.small_client import connected
from tests.seen import Seen


class Buttons(discord.ui.LayoutView):
    """A text and a button; a finished view is not stored by discord.py."""

    def __init__(self, text: str, *custom_ids: str) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(text))
        self.add_item(discord.ui.ActionRow(*(discord.ui.Button(label=key, custom_id=key) for key in custom_ids)))
        self.stop()


async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Buttons("a panel", "again"), ephemeral=True)


async def again(interaction: discord.Interaction) -> None:
    await interaction.response.edit_message(view=Buttons("pressed", "again"))


def webhook(interaction: discord.Interaction) -> discord.Webhook:
    return interaction.followup


async def test_a_command_is_answered_and_followed_up() -> None:
    async def answer(interaction: discord.Interaction) -> None:
        said = await interaction.response.send_message("one", ephemeral=True)
        assert said.message_id is not None
        await interaction.edit_original_response(content="two")
        more = await interaction.followup.send("three", wait=True)
        await more.edit(content="four")

    async with connected(("hello", answer)) as stage:
        outcome = await stage.remote.slash(stage.lea, "hello")
        assert (outcome.kind, outcome.answer and outcome.answer.text) == ("message", "one")
        seen = lambda user: [message.text for message in stage.remote.seen_by(user)]  # noqa: E731
        await stage.remote.until(lambda: seen(stage.lea) == ["two", "four"], "both messages")
        assert seen(stage.bruno) == ["four"]
        with pytest.raises(Refused, match="no command /other"):
            await stage.remote.slash(stage.lea, "other")
        assert stage.remote.air.invalid == {}


async def test_a_press_changes_its_message_and_only_its_own_token_reaches_it_as_the_original() -> None:
    presses: list[discord.Interaction] = []

    async def pressed(interaction: discord.Interaction) -> None:
        presses.append(interaction)
        await again(interaction)

    async with connected(("panel", panel)) as stage:
        stage.client.answers["again"] = pressed
        opened = (await stage.remote.slash(stage.lea, "panel")).answer
        assert opened.viewer_id == stage.lea
        outcome = await stage.remote.press(stage.lea, opened, "again")
        assert (outcome.kind, outcome.answer and outcome.answer.text) == ("update", "pressed")
        await presses[0].edit_original_response(view=Buttons("refreshed", "again"))
        await stage.remote.until(lambda: stage.remote.messages[opened.id].text == "refreshed", "the edit")
        with pytest.raises(discord.NotFound) as refused:
            await webhook(presses[0]).edit_message(opened.id, view=Buttons("by its id", "again"))
        assert refused.value.code == 10008
        with pytest.raises(discord.NotFound) as refused:
            await stage.channel.get_partial_message(opened.id).edit(view=Buttons("by the bot's token", "again"))
        assert refused.value.code == 10008
        with pytest.raises(Refused, match="no longer there"):
            await stage.remote.press(stage.bruno, opened, "again")
        await presses[0].delete_original_response()
        with pytest.raises(discord.NotFound) as refused:
            await presses[0].edit_original_response(view=Buttons("gone", "again"))
        assert refused.value.code == 10008


async def test_a_second_answer_a_late_one_and_an_old_token_are_refused() -> None:
    caught: dict[str, Any] = {}

    async def twice(interaction: discord.Interaction) -> None:
        caught["followed"] = interaction
        await interaction.response.send_message("once")
        state, token = interaction._state.http, interaction.token
        route = discord.http.Route("POST", f"/interactions/{interaction.id}/{token}/callback")
        with pytest.raises(discord.HTTPException) as refused:
            await state.request(route, json={"type": 4, "data": {"content": "again"}})
        caught["twice"] = refused.value.code

    async def late(interaction: discord.Interaction) -> None:
        asked = stage.discord.world.interactions[interaction.id]
        asked.made_ms -= 3_001
        with pytest.raises(discord.NotFound) as refused:
            await interaction.response.send_message("late")
        caught["late"] = refused.value.code

    async with connected(("twice", twice), ("late", late)) as stage:
        await stage.remote.slash(stage.lea, "twice")
        assert (await stage.remote.slash(stage.lea, "late")).kind == ""
        stage.remote.moderator.expire_tokens()
        with pytest.raises(discord.HTTPException) as refused:
            await caught["followed"].edit_original_response(content="too late")
        assert (refused.value.status, refused.value.code) == (401, 50027)
        assert (caught["twice"], caught["late"]) == (40060, 10062)
        assert stage.remote.missed == ["late"]


async def test_a_form_is_opened_and_sent_in() -> None:
    class Form(discord.ui.Modal, title="A form"):
        name: discord.ui.Label[Any] = discord.ui.Label(
            text="Name", component=discord.ui.TextInput(custom_id="name", max_length=10)
        )

        async def on_submit(self, interaction: discord.Interaction) -> None:
            assert isinstance(self.name.component, discord.ui.TextInput)
            await interaction.response.send_message(f"hello {self.name.component.value}")

    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    async with connected(("ask", ask)) as stage:
        form = await stage.remote.slash(stage.lea, "ask")
        assert (form.kind, form.fields) == ("modal", ("name",))
        with pytest.raises(Refused, match="another length"):
            await stage.remote.submit(stage.lea, form, "x" * 11)
    async with connected(("ask", ask)) as stage:
        form = await stage.remote.slash(stage.lea, "ask")
        answered = await stage.remote.submit(stage.lea, form, "you")
        assert answered.answer.text == "hello you"


async def test_a_deferred_answer_is_filled_in_with_a_file() -> None:
    async def slow(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png", description="a picture")))
        await interaction.edit_original_response(view=view, attachments=[discord.File(__file__, "a.png")])

    async with connected(("slow", slow)) as stage:
        outcome = await stage.remote.slash(stage.lea, "slow")
        assert outcome.kind == "deferred"

        def filled() -> list[Seen]:
            return [message for message in stage.remote.seen_by(stage.lea) if message.pictures]

        await stage.remote.until(lambda: bool(filled()), "the picture")
        assert filled()[0].pictures == ("a picture",)
        assert filled()[0].viewer_id == stage.lea


async def test_a_deleted_emoji_refuses_the_whole_message() -> None:
    async with connected() as stage:
        emoji = await stage.client.create_application_emoji(name="card", image=b"\x89PNG\r\n\x1a\n")
        view = Buttons("with an emoji")
        view.children[1].add_item(discord.ui.Button(custom_id="x", emoji=emoji))  # type: ignore[attr-defined]
        message = await stage.channel.send(view=view)
        stage.remote.moderator.delete_emoji(emoji=emoji.id)
        with pytest.raises(discord.HTTPException) as refused:
            await message.edit(view=view)
        assert (refused.value.status, refused.value.code) == (400, 50035)
        assert "Invalid emoji" in str(refused.value)
        assert stage.remote.discord.recorder.violations == []
