"""An event that discord.py cannot read costs that event alone."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.ui.client import Parser, skip_unreadable


def parsers(read: list[Any]) -> dict[str, Parser]:
    def parse(payload: Any) -> None:
        read.append(payload["id"])

    made: dict[str, Parser] = {"READY": parse, "MESSAGE_CREATE": parse}
    skip_unreadable(made)
    return made


def test_what_cannot_be_read_is_skipped_and_noted_without_its_content() -> None:
    read: list[Any] = []
    with capture_logs() as logs:
        parsers(read)["MESSAGE_CREATE"]({"token": "secret"})
        parsers(read)["MESSAGE_CREATE"]({"id": 7})
    assert read == [7]
    assert [(line["event"], line["event_name"], line["problem"]) for line in logs] == [
        ("event.unreadable", "MESSAGE_CREATE", "KeyError")
    ]
    assert "secret" not in str(logs)


def test_without_knowing_who_it_is_the_bot_ends() -> None:
    with pytest.raises(KeyError):
        parsers([])["READY"]({})
