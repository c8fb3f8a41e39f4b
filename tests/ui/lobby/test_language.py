"""Which language a server reads: what somebody has chosen, and never what Discord says of every server."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.discord.places.server_defaults import ServerDefaults
from bot.tables.servers.settings import ServerSettings, ServerStore

DEFAULT = "de"


def guild(locale: str, *features: str) -> Any:
    return SimpleNamespace(features=[*features], preferred_locale=discord.Locale(locale))


PLAIN, COMMUNITY = guild("en-US"), guild("es-419", "NEWS", "COMMUNITY")


@pytest.mark.parametrize(
    ("chosen", "place", "person", "read"),
    [
        ("fr", COMMUNITY, "en-GB", "fr"),
        (None, COMMUNITY, "fr", "es"),
        (None, PLAIN, "fr", "fr"),
        (None, PLAIN, "en-US", "en"),
        (None, PLAIN, "it", DEFAULT),
        (None, PLAIN, None, DEFAULT),
        (None, guild("it", "COMMUNITY"), "fr", "fr"),
        (None, None, None, DEFAULT),
    ],
)
def test_a_server_gets_the_language_that_was_chosen(
    chosen: str | None, place: Any, person: str | None, read: str
) -> None:
    defaults = ServerDefaults(cast("ServerStore", SimpleNamespace(read=None)), DEFAULT)
    spoken = None if person is None else discord.Locale(person)
    assert defaults.language(ServerSettings(language=chosen), place, spoken) == read
