"""The harness itself, with a bot that waits, counts time and is restarted."""

import asyncio
import time

import aiosqlite
import discord
import pytest
from discord import app_commands, ui

from tests.integration.harness import BEGINNING, Harness, running

pytestmark = pytest.mark.asyncio

WINDOW = 0.2  # seconds: a press is answered when this window closes
TICK = 1.5  # seconds between the edits of a robot that never stops


class Form(ui.Modal, title="Sign"):
    phrase: "ui.TextInput[Form]" = ui.TextInput(label="Phrase")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"sign {self.phrase.value}", ephemeral=True)


class WaitingBot(discord.Client):
    """Presses are answered together when a window closes, by way of a plain future."""

    def __init__(self, harness: Harness) -> None:
        super().__init__(intents=discord.Intents(guilds=True, guild_reactions=True))
        self.tree = app_commands.CommandTree(self)
        self.harness = harness
        self.window: asyncio.Future[None] | None = None
        self.ticks = 0
        self.order: list[str] = []
        self.reacted: list[str] = []
        self.closed_once = False

    async def setup_hook(self) -> None:
        self.tree.add_command(app_commands.Command(name="open", description="Open", callback=self.open))
        self.tree.add_command(app_commands.Command(name="rename", description="Rename", callback=self.rename))
        self.tree.add_command(app_commands.Command(name="form", description="Form", callback=self.form))
        await self.tree.sync()
        self.later = asyncio.get_running_loop().call_later(TICK, self.tick)

    def tick(self) -> None:
        self.ticks += 1
        self.later = asyncio.get_running_loop().call_later(TICK, self.tick)

    async def open(self, interaction: discord.Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(f"table, {interaction.locale} in {interaction.guild_locale}"))
        view.add_item(ui.ActionRow(ui.Button(label="Kem's !", custom_id="call")))
        view.stop()
        await interaction.response.send_message(view=view)
        self.opened = interaction

    async def rename(self, interaction: discord.Interaction) -> None:
        try:
            await self.opened.edit_original_response(view=ui.LayoutView())
        except discord.HTTPException as error:
            await interaction.response.send_message(f"{error.status} {error.code}", ephemeral=True)

    async def form(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        if self.window is None:
            loop = asyncio.get_running_loop()
            self.window = window = loop.create_future()
            loop.call_later(WINDOW, lambda: window.set_result(None))
        await self.window
        self.order.append(interaction.user.display_name)
        await interaction.response.send_message(f"call {len(self.order)}", ephemeral=True)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        self.reacted.append(str(payload.emoji))

    async def close(self) -> None:
        self.closed_once = True
        await super().close()


async def test_a_press_that_waits_for_a_window_is_answered_when_time_passes() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        began = time.perf_counter()
        results = await h.together(lambda: h["Bruno"].click("Kem's !"), lambda: h["Léa"].click("Kem's !"))
        assert [r.acknowledged for r in results] == [False, False]
        await h.advance(WINDOW)
        assert [r.acknowledged for r in results] == [True, True]
        assert _bot(h).order == ["Bruno", "Léa"]
        assert time.perf_counter() - began < 15  # no timeout was waited for: that takes 20 s


class StoringBot(WaitingBot):
    """Answers a press when another task has written it to a database."""

    async def setup_hook(self) -> None:
        await super().setup_hook()
        self.database = await aiosqlite.connect(":memory:")
        await self.database.execute("CREATE TABLE press (id INTEGER)")

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        written = asyncio.get_running_loop().create_future()
        self.writer = asyncio.create_task(self.write(interaction.id, written))
        await written
        await interaction.response.send_message("stored", ephemeral=True)

    async def write(self, press: int, written: asyncio.Future[None]) -> None:
        for _ in range(20):
            await self.database.execute("INSERT INTO press VALUES (?)", (press,))
        await asyncio.sleep(0.005)
        await self.database.commit()
        written.set_result(None)

    async def close(self) -> None:
        await self.database.close()
        await super().close()


async def test_an_action_returns_when_the_database_has_answered() -> None:
    async with running(StoringBot) as h:
        await h["Léa"].slash("open")
        for _ in range(5):
            assert (await h["Bruno"].click("Kem's !")).acknowledged


async def test_private_messages_are_seen_by_their_member_alone() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        await h["Bruno"].click("Kem's !")
        await h.advance(1)
        assert h["Bruno"].told == "call 1"
        assert h["Bruno"].reads("call 1")
        assert not h["Léa"].reads("call 1")
        assert h["Léa"].last() == h["Bruno"].last(ephemeral=False)


async def test_time_passes_only_by_advance_and_timers_fire_at_their_instants() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        assert (_bot(h).ticks, h.elapsed()) == (0, 0.0)
        await h.advance(60)
        assert (_bot(h).ticks, h.elapsed()) == (40, 60.0)


async def test_the_virtual_clock_starts_at_a_fixed_instant() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        assert discord.utils.snowflake_time(h["Léa"].last().id) == BEGINNING


async def test_each_member_has_a_locale() -> None:
    async with running(WaitingBot, guild_locale="en-US") as h:
        await h["Léa"].slash("open")
        assert h["Dora"].last().text == "table, fr in en-US"
        h["Dora"].locale = "en-US"
        await h["Dora"].slash("open")
        assert h["Dora"].last().text == "table, en-US in en-US"


async def test_forms_and_reactions() -> None:
    async with running(WaitingBot) as h:
        shown = await h["Léa"].slash("form")
        await h["Léa"].submit(shown, "🍀🍀")
        assert h["Léa"].last().text == "sign 🍀🍀"
        await h["Léa"].slash("open")
        await h["Bruno"].react("👀", h["Bruno"].last(ephemeral=False))
        assert _bot(h).reacted == ["👀"]


@pytest.mark.parametrize("crash", [False, True])
async def test_a_new_bot_takes_over_and_old_buttons_live_on(crash: bool) -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        former = _bot(h)
        await h.restart(crash=crash)
        assert former.closed_once is not crash
        assert _bot(h) is not former
        await h["Chloé"].click("Kem's !")
        await h.advance(WINDOW)
        assert (former.order, _bot(h).order) == ([], ["Chloé"])


async def test_a_token_past_its_time_fails_as_on_discord() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        await h.advance(15 * 60)
        assert await h["Bruno"].ask("rename") == "401 50027"


async def test_a_missing_button_is_named_with_those_there_are() -> None:
    async with running(WaitingBot) as h:
        await h["Léa"].slash("open")
        with pytest.raises(AssertionError, match=r"no control 'Double !'; there are \[\"Kem's !\"\]"):
            await h["Bruno"].click("Double !")


async def test_what_the_bot_raised_comes_out_at_the_end() -> None:
    class Faulty(WaitingBot):
        async def open(self, interaction: discord.Interaction) -> None:
            raise RuntimeError("broken")

    with pytest.raises(ExceptionGroup) as caught:
        async with running(Faulty) as h:
            await h["Léa"].slash("open")
    assert "broken" in repr(caught.value.exceptions[0])


def _bot(harness: Harness) -> WaitingBot:
    assert isinstance(harness.bot, WaitingBot)
    return harness.bot


async def test_what_discord_would_refuse_comes_out_at_the_end() -> None:
    harness = Harness(WaitingBot)
    await harness.start()
    await harness.bot.get_partial_messageable(harness.channel.id).send("x", nonce="x" * 26)  # simcord lets it pass
    with pytest.raises(AssertionError, match=r"POST channels/\*/messages: nonce"):
        await harness.stop()
