"""A night as a calendar file, read back by the rules of RFC 5545."""

from __future__ import annotations

from bot.ui.night.calendar.calendar_file import CalendarEvent, calendar_file

AT = 1_796_500_800_000  # 2026-12-05 20:00 UTC


def event(**changes: object) -> CalendarEvent:
    given: dict[str, object] = {
        "number": 7, "bot_id": 42, "version": 3, "title": "Soirée; rois, dames \\ valets", "about": "Ligne 1\nLigne 2",
        "link": "https://discord.com/channels/1/2/3", "starts_at": AT, "ends_at": AT + 7_200_000, "made_at": AT - 1000,
    }  # fmt: skip
    return CalendarEvent(**given | changes)  # type: ignore[arg-type]


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
    found = read(calendar_file(event()))
    assert found["SUMMARY"] == "Soirée; rois, dames \\ valets"
    assert found["DESCRIPTION"] == "Ligne 1\nLigne 2"
    assert (found["DTSTART"], found["DTEND"]) == ("20261205T200000Z", "20261205T220000Z")
    assert (found["UID"], found["SEQUENCE"], found["STATUS"]) == ("kems-night-7@42", "3", "CONFIRMED")
    assert found["URL"] == "https://discord.com/channels/1/2/3"


def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut() -> None:
    file = calendar_file(event(title="é" * 60, about="日本" * 60))
    lines = file.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines if line)
    assert read(file)["SUMMARY"] == "é" * 60


def test_a_cancelled_night_takes_its_event_away() -> None:
    assert read(calendar_file(event(is_cancelled=True)))["STATUS"] == "CANCELLED"


def test_a_title_cannot_add_a_line() -> None:
    file = calendar_file(event(title="x\r\nATTACH:https://evil"))
    assert b"\r\nATTACH" not in file
