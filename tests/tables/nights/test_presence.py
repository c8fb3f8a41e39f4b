"""A night hears who is called at its tables, who comes back, and for whom a robot plays."""

import asyncio
from dataclasses import dataclass, field

from bot.nights.formats import LOUNGE
from bot.nights.night import Night
from bot.tables.directory import TableDirectory
from bot.tables.hub import NightChanged
from bot.tables.match.table import Table
from tests.tables.nights.evening import Evening, Face, planned

SILENT = 101


@dataclass
class Watching(Face):
    """Notes at each change who was called, and for whom a robot played."""

    directory: TableDirectory | None = None
    seen: list[tuple[set[int], set[int]]] = field(default_factory=list)

    def night_changed(self, changed: NightChanged) -> None:
        table = _table(self.directory, changed.night)
        if table is not None:
            self.seen.append(_presence(self.directory, table))


def _table(directory: TableDirectory | None, night: Night) -> Table | None:
    tables = () if night.round is None else night.round.tables
    table_id = tables[0].table_id if tables else None
    return None if directory is None or table_id is None else directory.table(table_id)


def _presence(directory: TableDirectory | None, table: Table) -> tuple[set[int], set[int]]:
    away = {seat for seat, player in enumerate(table.lobby.players) if player is not None and player.is_away}
    return set(directory.attendance.called(table.id)), away


async def test_a_night_hears_that_a_player_is_called_replaced_and_back() -> None:
    face = Watching()
    evening = Evening(face=face)
    face.directory = evening.directory
    evening.people.idle = {100, SILENT, 102, 103}
    night = await evening.night(planned(LOUNGE), 4)
    await evening.until(night.id, lambda night: _table(evening.directory, night) is not None)
    table = _table(evening.directory, evening.now(night.id))
    seat = table.lobby.seat_of(SILENT)
    assert seat is not None

    async def until_called(*, away: bool) -> None:
        while True:
            for user_id in table.lobby.people:
                if user_id != SILENT:
                    await evening.directory.seating.seen(table, user_id)
            called, robots = _presence(evening.directory, table)
            if called == {seat} and (seat in robots) == away:
                return
            await asyncio.sleep(1)

    await until_called(away=False)
    assert face.seen[-1] == ({seat}, set()), "called"
    await evening.directory.seating.seen(table, SILENT)
    assert face.seen[-1] == (set(), set()), "back"
    await until_called(away=True)
    assert face.seen[-1] == ({seat}, {seat}), "replaced"
    await evening.directory.seating.seen(table, SILENT)
    assert face.seen[-1] == (set(), set()), "back from the robot"
