"""What the event of a night shows."""

from types import SimpleNamespace
from typing import Any

from bot.ui.night.messages.server_event import _shown
from tests.ui.night.samples import night_of


def test_a_long_name_of_a_channel_fits_into_an_event() -> None:
    guild = SimpleNamespace(get_channel=lambda _id: SimpleNamespace(name="x" * 100))
    client: Any = SimpleNamespace(get_guild=lambda _id: guild)
    place = _shown(client, night_of(0))["entity_metadata"]["location"]
    assert place == "#" + "x" * 99
