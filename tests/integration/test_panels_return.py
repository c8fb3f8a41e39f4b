"""Private panels show things as they are now without a press, also those of the former run that can be reached."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot import compose
from bot.base.settings import Settings
from bot.discord.api.components import Layout
from bot.discord.gateway.client import KemsClient
from bot.discord.messages.panel_memory import SAVE_INTERVAL
from bot.discord.pictures.custom_emojis import CustomEmojis
from tests.integration.harness import Harness
from tests.integration.table import Table, begun, hunting, messages_of

SECRET = "bG9vcGJhY2s.tests.the-token-of-a-bot"
OTHER_SECRET = "bG9vcGJhY2s.tests.the-token-of-another"


async def behind(harness: Harness) -> tuple[Table, str, str]:
    """A hunt where a card has just come into the middle, which somebody's panel does not show yet: who, and which."""
    table = await hunting(harness)
    await harness.advance(2 * SAVE_INTERVAL)
    card, other = table.hand("Chloé")[3], table.hand("Dora")[3]
    await table.press("Dora", f"put:{other}")  # Bruno's panel shows this at once, and the next only after a pause
    await table.press("Chloé", f"put:{card}")
    assert other in table.offered("Bruno", "take")
    assert card not in table.offered("Bruno", "take")
    return table, "Bruno", card


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.kems(discord_token=SECRET)
async def test_a_panel_comes_back_without_a_press(harness: Harness, crash: bool) -> None:
    table, name, card = await behind(harness)
    panel = table.panel(name)
    await table.after(harness.restart(crash=crash))
    assert table.panel(name).id == panel.id
    assert card in table.offered(name, "take")
    assert "Prêts : 4 sur 4" in table.board(), "those hands are still open"
    # Its buttons work, and it goes on following what others do.
    given = table.hand(name)[0]
    await table.press(name, f"put:{given}")
    await table.press(name, f"take:{card}")
    assert card in table.hand(name)
    await table.act("Chloé", f"take:{given}")
    assert given not in table.offered(name, "take")


@pytest.mark.kems(discord_token=SECRET)
async def test_a_panel_stays_on_its_page(harness: Harness) -> None:
    table = await begun(harness)
    await table.press("Léa", "sign_panel")
    await harness.advance(2 * SAVE_INTERVAL)
    before = table.panel("Léa")
    await table.after(harness.restart(crash=True))
    await table.press("Chloé", "sign_panel")
    await table.after(table.propose("Chloé", "🦔"))
    assert table.panel("Léa").id == before.id
    assert table.offered("Léa", "accept")


@pytest.mark.kems(discord_token=SECRET)
async def test_a_panel_that_cannot_be_reached_is_left_alone(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    table, name, card = await behind(harness)
    panel = table.panel(name)
    await harness.bot.close()
    await harness.advance(14 * 60)
    await harness.restart(crash=True)  # it is closed already
    await table.settle()
    assert table.panel(name) == panel
    await table.press(name, "hand")
    assert card in table.offered(name, "take")
    assert "panel.lost" not in caplog.text, "nothing is tried that cannot succeed"


@pytest.mark.kems(discord_token=SECRET)
async def test_panels_of_another_bot_are_left_alone(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    build = compose.build_client

    def build_another(settings: Settings, **ports: Any) -> KemsClient:
        return build(settings.model_copy(update={"discord_token": SecretStr(OTHER_SECRET)}), **ports)

    table, name, _ = await behind(harness)
    panel = table.panel(name)
    monkeypatch.setattr(compose, "build_client", build_another)
    await table.after(harness.restart())
    assert table.panel(name) == panel


async def test_changes_made_while_a_new_hand_is_sent_appear_on_it(
    harness: Harness, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The former panel takes the change, and is deleted with it."""
    under_way, deliver = asyncio.Event(), CustomEmojis.deliver

    async def slowly(emojis: CustomEmojis, layout: Layout, *send: Any) -> Any:
        monkeypatch.setattr(CustomEmojis, "deliver", deliver)
        await under_way.wait()
        return await deliver(emojis, layout, *send)

    former, card = table.panel("Bruno"), table.hand("Léa")[0]
    monkeypatch.setattr(CustomEmojis, "deliver", slowly)
    await harness["Bruno"].click("🂠 Ma main", table.message())
    await table.act("Léa", f"put:{card}")
    under_way.set()
    await table.settle()
    assert table.panel("Bruno").id != former.id
    assert card in table.offered("Bruno", "take")


@pytest.mark.kems(discord_token=SECRET)
async def test_no_token_is_in_the_database_or_the_log(
    tmp_path: Path, harness: Harness, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    await behind(harness)
    await harness.restart()
    await harness.advance(5)
    tokens = [SECRET, *harness.env.backend.interaction_tokens]
    assert len(tokens) > 5
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"gAAAA" in kept, "the encrypted ones are there"
    assert isinstance(harness.bot, KemsClient)
    shown = repr(messages_of(harness.bot).panels._panels)
    assert "message_id=" in shown
    said = capsys.readouterr()
    for token in tokens:
        assert token.encode() not in kept
        assert token not in caplog.text + said.out + said.err + shown
