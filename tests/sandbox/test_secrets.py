"""No token and no password is ever logged: with discord.py over real sockets, and everything logged that can be."""

import io
import logging
from pathlib import Path
from typing import Literal

import discord
import pytest
import structlog

from bot import compose
from bot.base.errors import StoreError
from bot.base.log import configure
from bot.base.settings import Settings
from bot.discord.api.requests import PreparedView
from bot.discord.gateway.client import KemsClient
from bot.discord.interactions.admission.admission import Admission
from bot.discord.text.texts import texts_for
from bot.operating import operations
from bot.sandbox import server as sandbox
from bot.sandbox.server import Setting
from bot.ui.lobby.lobby_board import welcome_board
from tests.databases import migrated
from tests.integration.table import messages_of
from tests.sandbox.serving import serving, tab

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"  # made up, in the portal's format
PASSWORD = "correct-horse"

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("logging_restored")]


@pytest.mark.parametrize(
    ("form", "is_forced"),
    [
        pytest.param("console", False, id="console", marks=pytest.mark.long),
        pytest.param("json", False, id="json"),
        pytest.param("console", True, id="console, all of discord.py"),
        pytest.param("json", True, id="json, all of discord.py", marks=pytest.mark.long),
    ],
)
async def test_no_secret_is_logged_when_a_match_is_played_at_debug(
    form: Literal["console", "json"], is_forced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    configure("DEBUG", form, stream)
    if is_forced:  # somebody turns up what `configure` has turned down
        logging.getLogger("discord").setLevel(logging.DEBUG)
    monkeypatch.setattr(sandbox, "_TOKEN", TOKEN)
    pressed: list[discord.Interaction] = []
    admits = Admission.admits

    async def noted(self: Admission, interaction: discord.Interaction) -> bool:
        pressed.append(interaction)
        return await admits(self, interaction)

    monkeypatch.setattr(Admission, "admits", noted)
    settings = Settings(_env_file=None, database_url=migrated(tmp_path), discord_token=TOKEN, table_threads=False)  # type: ignore[arg-type]  # pydantic reads them
    async with serving(lambda: compose.build_client(settings), Setting()) as (info, client):
        channel = client.get_partial_messageable(info.channel_id, guild_id=info.guild_id)
        await channel.send(view=PreparedView(welcome_board(texts_for("fr"))))
        async with tab(info.addresses["Léa"]) as lea:
            await lea.until(lambda: bool(lea.order))
            await lea.press("♠ Jouer")
            await lea.until(lambda: bool(lea.label("Autre…")))  # once the match has its thread
            await lea.press("Autre…")
            thread = next(place["id"] for place in lea.place["channels"] if place["thread"])
            await lea.do(do="open", channel=thread)
            await lea.until(lambda: bool(lea.label("🤫 Le signe")))
            await lea.press("🤫 Le signe")
            await lea.do(do="slash", name="kems hand", options={})
        tokens = {interaction.token for interaction in pressed}
        spoken = [*map(repr, (client, settings, client.rooms, *pressed)), str(settings), *_panels(client)]
    written = stream.getvalue() + "\n".join(spoken)
    assert len(pressed) >= 4
    assert "tables.restored" in written
    assert ("INTERACTION_CREATE" in written) == is_forced, "what discord.py logs at DEBUG"
    for secret in (TOKEN, *tokens):
        assert len(secret) > 20
        assert secret not in written


@pytest.mark.parametrize("form", ["console", "json"])
async def test_no_password_is_logged_when_a_database_does_not_answer(form: Literal["console", "json"]) -> None:
    stream = io.StringIO()
    configure("DEBUG", form, stream)
    address = f"postgresql://kems:{PASSWORD}@127.0.0.1:1/kems"
    settings = Settings(_env_file=None, database_url=address)
    with pytest.raises(StoreError) as caught:
        await operations.migrate(settings)
    logging.getLogger("asyncio").error("it broke: %s", address, exc_info=caught.value)
    structlog.get_logger("ours").error("it broke", settings=settings, address=address, exc_info=caught.value)
    told = "".join([stream.getvalue(), str(caught.value), repr(caught.value), repr(settings), str(settings)])
    assert "it broke" in told
    assert PASSWORD not in told


def _panels(client: KemsClient) -> list[str]:
    panels = [each for panels in messages_of(client).panels._panels.values() for each in panels.values()]
    assert panels
    return list(map(repr, panels))
