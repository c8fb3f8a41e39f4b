"""Pictures of cards through Discord: uploaded, shown with their text from the next start, done without when refused."""

import json
import re
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.discord.pictures.custom_emojis import LIST_MS, sync
from bot.game.cards import Card
from bot.records.pictures import Theme
from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import hunting

PICTURE = re.compile(r"<:(\w\w):(\d+)>")


def a_drawing(theme: Theme, card: Card, rank: str) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + f"{theme} {card.code} {rank}".encode()


def names(harness: Harness) -> dict[int, str]:
    """The application's emojis by id."""
    return {emoji.id: emoji.name for emoji in harness.env.backend.application_emojis.values()}


def pictured(harness: Harness, message_id: int) -> list[dict[str, Any]]:
    """The buttons of a message that have a picture, as on the wire."""
    stored = simcord_patches.stored_messages(harness.env, harness.channel.id, harness["Léa"].id)
    components = next(message.components for message in stored if message.id == message_id)
    return [part for part in simcord_patches.walk_components(components) if (part.get("emoji") or {}).get("id")]


def shows_own_pictures(text: str, uploaded: dict[int, str]) -> None:
    """Each card in the text is drawn by the picture of that card."""
    for card, emoji_id in PICTURE.findall(text):
        rank, suit = card[:-1].replace("t", "10"), card[-1]
        rank = {"j": "v", "q": "d", "k": "r"}.get(rank, rank)
        assert uploaded[int(emoji_id)].startswith(f"kems_french_{rank}{suit}_")


async def test_cards_have_pictures_after_a_sync_and_a_start(harness: Harness) -> None:
    assert (await sync(harness.bot, a_drawing, pause=0)).uploaded == 232
    assert (await sync(harness.bot, a_drawing, pause=0)).uploaded == 0
    with capture_logs() as logs:
        await harness.restart()
    assert not any(entry["event"].startswith("card_emojis") for entry in logs)
    table = await hunting(harness)
    uploaded = names(harness)
    (middle,) = re.findall(r"^# (<:.*)$", table.board(), re.MULTILINE)
    assert [card.upper() for card, _ in PICTURE.findall(middle)] == table.pool()
    shows_own_pictures(middle, uploaded)
    await table.act("Chloé", "kems")
    assert len(PICTURE.findall(table.board())) >= 16
    shows_own_pictures(table.board(), uploaded)


async def test_the_start_names_the_command_for_missing_pictures_and_cards_are_text(harness: Harness) -> None:
    with capture_logs() as logs:
        await harness.restart()
    (missing,) = (entry for entry in logs if entry["event"] == "card_emojis.missing")
    assert missing["missing"] == 232
    assert "kems emojis sync" in missing["hint"]
    table = await hunting(harness)
    assert "<:" not in table.board()
    assert pictured(harness, table.panel("Léa").id) == []


async def test_buttons_have_pictures_and_a_deleted_picture_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    await sync(harness.bot, a_drawing, pause=0)
    await harness.restart()
    table = await hunting(harness, faces="yokai")
    assert "<:" in table.board()
    uploaded = names(harness)
    offered = [part for part in pictured(harness, table.panel("Léa").id) if ":take:" in part["custom_id"]]
    held = [part for part in pictured(harness, table.panel("Léa").id) if ":put:" in part["custom_id"]]
    assert [len(offered), len(held)] == [4, 4]
    for part in (*offered, *held):
        code = part["custom_id"].rsplit(":", 1)[1].lower()
        assert part["emoji"]["name"] == code
        assert uploaded[int(part["emoji"]["id"])].startswith(f"kems_yokai_{code}")
    picky(harness, monkeypatch)
    harness.env.backend.application_emojis.clear()
    await harness.advance(LIST_MS / 1000)
    for name in PEOPLE:
        card = table.hand(name)[0]
        await table.press(name, f"put:{card}")
        await table.press(name, f"take:{card}")
    await table.settle()
    assert all(len(table.hand(name)) == 4 for name in PEOPLE)
    assert pictured(harness, table.panel("Léa").id) == []
    assert "<:" not in table.board()
    told = " ".join(message.text for name in PEOPLE for message in harness[name].messages())
    assert "Discord l'a refusé" not in told


def picky(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse messages that show an emoji which does not exist, as Discord does and simcord does not."""
    dispatch = simcord_patches.router.dispatch

    def checked(backend: simcord_patches.Backend, method: str, path: str, **sent: Any) -> Any:
        shown = set(re.findall(r'"emoji": \{[^}]*"id": "?(\d+)', json.dumps(sent.get("json"))))
        if shown - {str(emoji_id) for emoji_id in names(harness)}:
            raise simcord_patches.BackendError(400, 50035, "Invalid Form Body\nIn components.0.emoji.id: Invalid emoji")
        return dispatch(backend, method, path, **sent)

    monkeypatch.setattr(simcord_patches.router, "dispatch", checked)
