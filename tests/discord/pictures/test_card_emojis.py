"""The application's emojis: uploaded once, replaced when drawn anew, and nothing of anybody else's is touched."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.art.cards import card_file
from bot.base.errors import KemsError
from bot.discord.pictures.custom_emojis import SyncResult, duration, sync
from bot.game.cards import Card
from bot.records.pictures import Theme
from tests.discord.fakes import refused

ALL: Final = 4 * 54 + 16  # jacks, queens and kings of French cards have a picture for each letter
SEVEN: Final = Card(5, 0)


class Emoji:
    def __init__(self, client: "Client", name: str, emoji_id: int) -> None:
        self.name, self.id, self._client = name, emoji_id, client

    async def delete(self) -> None:
        self._client.emojis.remove(self)


class Client:
    """An application and its emojis; `failing` refuses the upload of that number."""

    def __init__(self, *names: str) -> None:
        self.emojis = [Emoji(self, name, number) for number, name in enumerate(names, 1)]
        self.failing = 0
        self.is_away = False
        self.uploads = 0

    async def fetch_application_emojis(self) -> list[Emoji]:
        if self.is_away:
            raise refused(503, 0, "away")
        return list(self.emojis)

    async def create_application_emoji(self, *, name: str, image: bytes) -> Emoji:
        assert re.fullmatch(r"\w{2,32}", name, re.ASCII), "Discord takes no other name"
        assert name not in self.names
        assert image.startswith(b"\x89PNG")
        self.uploads += 1
        if self.uploads == self.failing:
            raise refused(429, 30008, "Maximum number of emojis reached")
        self.emojis.append(Emoji(self, name, 1000 + self.uploads))
        return self.emojis[-1]

    @property
    def names(self) -> list[str]:
        return [emoji.name for emoji in self.emojis]


def drawing(version: str = "") -> Callable[[Theme, Card, str], bytes]:
    """Draws in no time; `version` changes the seven of spades of every theme."""

    def draw(theme: Theme, card: Card, rank: str) -> bytes:
        return f"\x89PNG {theme} {card.code} {rank} {version if card == SEVEN else ''}".encode("latin-1")

    return draw


async def synced(client: Any) -> SyncResult:
    return await sync(client, drawing(), pause=0)


async def test_every_missing_picture_is_uploaded_once() -> None:
    client = Client()
    assert await synced(client) == SyncResult(kept=0, uploaded=ALL, removed=0)
    assert sum(name.startswith("kems_french_7s_") for name in client.names) == 1
    assert sum(name.startswith(("kems_french_qh_", "kems_french_dh_")) for name in client.names) == 2
    assert await synced(client) == SyncResult(kept=ALL, uploaded=0, removed=0)
    assert client.uploads == ALL


async def test_the_uploaded_files_are_the_drawn_pictures() -> None:
    """Those of the sevens; that every card can be drawn is told in `tests/art`."""

    def draw(theme: Theme, card: Card, rank: str) -> bytes:
        return card_file(theme, card, rank) if card.group == SEVEN.group else drawing()(theme, card, rank)

    client: Any = Client()
    assert (await sync(client, draw, pause=0)).uploaded == ALL
    assert len(set(client.names)) == ALL


async def test_a_changed_drawing_is_replaced_and_nothing_else_touched() -> None:
    others = ["party_parrot", "kems", "kems_french_7s", "kems_french_7s_old", "my_kems_french_7s_00000000"]
    client = Client(*others)
    await synced(client)
    before = set(client.names)
    told: list[tuple[int, int]] = []
    changed = drawing("drawn anew")
    done = await sync(client, changed, pause=0, progress=lambda *of: told.append(of))  # type: ignore[arg-type]
    assert done == SyncResult(kept=ALL - 4, uploaded=4, removed=4)
    assert told == [(number, 8) for number in range(9)]
    assert len(set(client.names) - before) == len(before - set(client.names)) == 4
    assert all("_7s_" in name for name in before ^ set(client.names))
    assert client.names[: len(others)] == others


async def test_a_refused_sync_goes_on_from_where_it_stopped() -> None:
    client = Client("kems_french_7s_00000000")
    client.failing = 100
    with pytest.raises(KemsError, match=r"Discord refused .* \(429, code 30008\): .* run `kems emojis sync` again"):
        await synced(client)
    assert len(client.names) == 100
    assert "kems_french_7s_00000000" in client.names, "the old drawing goes only when the new one is there"
    assert await synced(client) == SyncResult(kept=99, uploaded=ALL - 99, removed=1)
    assert len(client.names) == ALL


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "1 min"), (61, "2 min"), (2700, "45 min"), (3600, "1 h"), (4321, "1 h 13 min")]
)
def test_a_sync_says_how_long_discord_asks_to_wait(seconds: float, told: str) -> None:
    assert duration(seconds) == told
