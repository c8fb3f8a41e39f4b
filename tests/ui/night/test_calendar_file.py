"""A night as a calendar file, read back by the rules of RFC 5545."""

from dataclasses import replace

import pytest

from bot.conditions import EntryRules
from bot.ui.night.calendar import calendar_file
from tests.ui.night.samples import night_of, plan_of
from tests.ui.walk import FR

AT = 1_796_500_800_000  # 2026-12-05 20:00 UTC


def file_of(title: str = "Soirée; rois, dames valets", *, is_cancelled: bool = False) -> bytes:
    plan = plan_of(title=title, starts_at=AT, rounds=4, round_minutes=30)
    night = replace(night_of(0), plan=plan, version=5)
    return calendar_file(night.cancel(AT) if is_cancelled else night, 42, AT - 1000, FR)


def read(file: bytes) -> dict[str, str]:
    """The properties of the event, unfolded and without escapes."""
    lines = file.decode().replace("\r\n ", "").split("\r\n")
    pairs = [line.split(":", 1) for line in lines if line]
    plain = {"\\n": "\n", "\\;": ";", "\\,": ",", "\\\\": "\\"}

    def unescaped(value: str) -> str:
        found, index = "", 0
        while index < len(value):
            pair = value[index : index + 2]
            found += plain.get(pair, value[index])
            index += 2 if pair in plain else 1
        return found

    return {name: unescaped(value) for name, value in pairs}


def test_a_calendar_reads_what_was_written() -> None:
    found = read(file_of())
    link = "https://discord.com/channels/1/2/77"
    assert found["SUMMARY"] == "Soirée; rois, dames valets"
    assert found["DESCRIPTION"].split("\n")[1] == found["URL"] == link
    assert (found["DTSTART"], found["DTEND"]) == ("20261205T200000Z", "20261205T221600Z")
    assert (found["UID"], found["SEQUENCE"], found["STATUS"]) == ("kems-night-7@42", "5", "CONFIRMED")


def test_a_calendar_names_the_entry_conditions_without_a_mention() -> None:
    night = replace(night_of(0), plan=plan_of(starts_at=AT, entry=EntryRules(70, 10)))
    said = read(calendar_file(night, 42, AT - 1000, FR))["DESCRIPTION"].split("\n")
    assert said[1] == "Entrée : un rôle du serveur · 10 parties jouées"
    assert "Entrée" not in file_of().decode()


@pytest.mark.parametrize("title", ["é" * 60, "日本" * 30])
def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut(title: str) -> None:
    file = file_of(title)
    lines = file.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines if line)
    assert read(file)["SUMMARY"] == title


def test_a_cancelled_night_cancels_its_calendar_event() -> None:
    assert read(file_of(is_cancelled=True))["STATUS"] == "CANCELLED"


def test_a_title_cannot_add_a_line_to_the_calendar() -> None:
    assert b"\r\nATTACH" not in file_of("x\r\nATTACH:https://evil")
