"""Notes of presses are found by person and time, and go after two days."""

from bot.records.press_notes import KEPT_MS, PressNote, first_id
from bot.store.engine.database import Database
from bot.store.records.press_notes import SqlPressNoteStore

NOW = 1_800_000_000_000


def note(at: int, user_id: int = 1) -> PressNote:
    return PressNote(first_id(at) + 5, user_id, 2, 3, "put", "refused", "not_in_pool", 12)


async def test_a_persons_presses_of_a_time(database: Database) -> None:
    store = SqlPressNoteStore(database)
    notes = [note(NOW - 1), note(NOW), note(NOW + 50, user_id=2), note(NOW + 99), note(NOW + 100)]
    await store.keep(notes, NOW - KEPT_MS)
    await store.keep(notes[:1], NOW - KEPT_MS)  # Discord has delivered a press twice
    assert await store.between(NOW, NOW + 100, 1) == ([notes[1], notes[3]], 1)
    assert notes[1].at == NOW
    await store.keep([note(NOW + 101)], NOW + 99)
    assert await store.between(NOW - 1, NOW + 102, 1) == ([notes[3], notes[4], note(NOW + 101)], 0)
