"""What the harness must not let pass: secrets, dead tokens, errors. All else of it shows in every other test here."""

import discord
import pytest
from discord import app_commands, ui

from tests.integration.harness import BEGINNING, Harness, running

pytestmark = pytest.mark.asyncio


class SmallBot(discord.Client):
    """One command opens a message with a button, which is answered in private; one edits that message."""

    def __init__(self, _harness: Harness) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        for callback in (self.open, self.rename):
            name = callback.__name__
            self.tree.add_command(app_commands.Command(name=name, description=name, callback=callback))
        await self.tree.sync()

    async def open(self, interaction: discord.Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(ui.Button(label="Kem's !", custom_id="call")))
        view.stop()
        await interaction.response.send_message(view=view)
        self.opened = interaction

    async def rename(self, interaction: discord.Interaction) -> None:
        try:
            await self.opened.edit_original_response(view=ui.LayoutView())
        except discord.HTTPException as error:
            await interaction.response.send_message(f"{error.status} {error.code}", ephemeral=True)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.send_message("yours", ephemeral=True)


async def test_ephemeral_messages_are_seen_only_by_their_member() -> None:
    async with running(SmallBot) as h:
        await h["Léa"].slash("open")
        await h["Bruno"].click("Kem's !")
        assert h["Bruno"].told == "yours"
        assert not h["Léa"].reads("yours")
        assert h["Léa"].last() == h["Bruno"].last(ephemeral=False)
        assert discord.utils.snowflake_time(h["Léa"].last().id) == BEGINNING


@pytest.mark.parametrize("crash", [False, True])
async def test_a_bot_is_closed_before_the_next_one_unless_it_crashes(crash: bool) -> None:
    async with running(SmallBot) as h:
        former = h.bot
        await h.restart(crash=crash)
        assert former.is_closed() is not crash
        assert h.bot is not former


async def test_an_expired_token_fails_as_on_discord() -> None:
    async with running(SmallBot) as h:
        await h["Léa"].slash("open")
        await h.advance(15 * 60)
        assert await h["Bruno"].ask("rename") == "401 50027"


async def test_an_error_of_the_bot_fails_the_test_at_its_end() -> None:
    class Faulty(SmallBot):
        async def open(self, interaction: discord.Interaction) -> None:
            raise RuntimeError("broken")

    with pytest.raises(ExceptionGroup) as caught:
        async with running(Faulty) as h:
            await h["Léa"].slash("open")
    assert "broken" in repr(caught.value.exceptions[0])


async def test_a_request_that_discord_would_refuse_fails_the_test_at_its_end() -> None:
    with pytest.raises(AssertionError, match=r"POST channels/\*/messages: nonce"):
        async with running(SmallBot) as h:  # simcord lets it pass
            await h.bot.get_partial_messageable(h.channel.id).send("x", nonce="x" * 26)
