"""Notes of presses are found by person and time, and go after two days."""

from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.records.press_notes import KEPT_MS, PressNote, first_id
from bot.store.engine.database import Database
from bot.store.records.press_notes import SqlPressNoteStore

NOW = 1_800_000_000_000


def note(at: int, user_id: int = 1) -> PressNote:
    return PressNote(first_id(at), user_id, 2, 3, "put", "refused", "not_in_pool", 12)


async def test_presses_of_a_person_are_found_by_time(database: Database) -> None:
    store = SqlPressNoteStore(database)
    notes = [note(NOW - 1), note(NOW), note(NOW + 50, user_id=2), note(NOW + 99), note(NOW + 100)]
    await store.save(notes, NOW - KEPT_MS)
    await store.save(notes[:1], NOW - KEPT_MS)  # Discord has delivered a press twice
    assert await store.between(NOW, NOW + 100, 1) == ([notes[1], notes[3]], 1)
    assert notes[1].at == NOW
    await store.save([note(NOW + 101)], NOW + 99)
    assert await store.between(NOW - 1, NOW + 102, 1) == ([notes[3], notes[4], note(NOW + 101)], 0)


@pytest.mark.parametrize("refused", [{"press_id": 2**70}, {"reason": "\ud800"}])
async def test_a_note_that_the_database_always_refuses_is_dropped_alone(
    database: Database, refused: dict[str, Any]
) -> None:
    store = SqlPressNoteStore(database)
    first, bad, last = note(NOW), replace(note(NOW + 1), **refused), note(NOW + 2)
    with capture_logs() as logs:
        await store.save([first, bad, last], NOW - KEPT_MS)
    assert await store.between(NOW, NOW + 10, 1) == ([first, last], 0)
    assert [entry["press"] for entry in logs if entry["event"] == "press.not_noted"] == [bad.press_id]


async def test_notes_that_cannot_be_saved_are_returned_to_the_caller(database: Database) -> None:
    await database.close()
    with pytest.raises(StoreError):
        await SqlPressNoteStore(database).save([note(NOW)], 0)


async def test_a_note_names_nobody(database: Database) -> None:
    store, person = SqlPressNoteStore(database), 10**17 + 5
    said = replace(note(NOW), reason=f"<@{person}> and <@!{person}> have left table 7 ({person}).")
    await store.save([said], 0)
    assert [one.reason for one in (await store.between(NOW, NOW + 1, 1))[0]] == ["… and … have left table 7 (…)."]
