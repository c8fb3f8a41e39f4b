"""What is written for a table carries the fence: a process whose lease was stolen writes nothing, in any statement."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import text

from bot.nights.night import Night
from bot.records.player import HelpLevel
from bot.store.engine.database import Database
from bot.store.engine.failures import RejectedError
from bot.store.nights import SqlNightStore
from bot.store.schema import Base
from bot.store.schema.tables import OF_PROCESSES
from bot.store.tables.journal import SqlJournal
from bot.store.tables.panel_store import SqlPanelStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.table_store import OpenPanel, SeatChanges, TableStore
from tests.store.conftest import execute, opened, scalars
from tests.store.matches import BIG, a_match, lobby
from tests.store.tables.test_panel_store import CIPHER, NOW, TOKEN
from tests.tables.nights.evening import planned

pytestmark = pytest.mark.parametrize("backend", ["postgres"])

EVENTS = a_match()[0]
CHANGES = SeatChanges(at=1)
STEAL = "UPDATE leases SET owner = 'a thief', epoch = epoch + 1 WHERE id = {}"


@dataclass(frozen=True)
class Held:
    """A process that believes that it serves this lobby, and a night of its server."""

    database: Database
    lobby: Lobby
    night: Night

    @property
    def tables(self) -> SqlTableStore:
        return SqlTableStore(self.database)

    @property
    def nights(self) -> SqlNightStore:
        return SqlNightStore(self.database)

    def append(self, *events: object) -> Awaitable[None]:
        return SqlJournal(self.database).append(self.lobby.id, 1, events, None)  # type: ignore[arg-type]

    def panel(self, table_id: int) -> OpenPanel:
        return OpenPanel(table_id, BIG + 10, 0, "hand", "fr", 1, NOW, BIG + 20, TOKEN)


OF_TABLES: dict[str, Callable[[Held], Awaitable[object]]] = {
    "create": lambda held: held.tables.create(held.lobby),
    "save_help_level": lambda held: held.tables.save_help_level(BIG, BIG + 10, "Léa", HelpLevel.BARE),
    "save": lambda held: held.tables.save(replace(held.lobby, locale="en")),
    "move": lambda held: held.tables.move(held.lobby.id, replace(held.lobby.place, message_id=5)),
    "save_open_channels": lambda held: held.tables.save_open_channels(held.lobby.place.guild_id, (), None),
    "cancel_damaged": lambda held: held.tables.cancel_damaged(held.lobby.id),
    "record_start": lambda held: held.tables.record_start(replace(held.lobby, status=Status.PLAYING), EVENTS[:1]),
    "reseat": lambda held: held.tables.reseat(replace(held.lobby, host_id=5), CHANGES),
    "break_off": lambda held: held.tables.break_off(replace(held.lobby, status=Status.CANCELLED), CHANGES),
    "ask_for_rematch": lambda held: held.tables.ask_for_rematch(held.lobby.id, BIG + 10),
}
OTHERS: dict[str, Callable[[Held], Awaitable[object]]] = {
    "a move": lambda held: held.append(EVENTS[0]),
    "the end of a match": lambda held: held.append(EVENTS[0], EVENTS[-1]),
    "a new night": lambda held: held.nights.create(held.night),
    "a night": lambda held: held.nights.save(replace(held.night, version=1)),
}
READS = {"ranked_rules", "former", "load", "load_live", "read_table"}


def test_every_method_that_writes_has_a_case(backend: str) -> None:
    assert {name for name in vars(TableStore) if not name.startswith("_")} - READS == OF_TABLES.keys()


async def new_held(database: Database) -> Held:
    opening = lobby()
    opening = replace(opening, place=replace(opening.place, open_channel_id=BIG))
    table_id = await SqlTableStore(database).create(opening)
    night = await SqlNightStore(database).create(Night(0, BIG, 0, 900, "fr", planned(), seed=7))
    return Held(database, replace(opening, id=table_id), night)


async def rows(database: Database) -> list[str]:
    names = (table.name for table in Base.metadata.sorted_tables if table.name not in OF_PROCESSES)
    query = " UNION ALL ".join(f"SELECT '{name} ' || row({name}.*)::text FROM {name}" for name in names)  # noqa: S608
    return sorted(await scalars(database, query))


async def test_no_row_is_written_when_the_lease_was_stolen(address: str) -> None:
    """Each write is tried on a lobby and a night of its own."""
    async with opened(address) as database:
        await database.cluster.enter(1)
        assert await database.cluster.acquire_lease() == 0
        give_back = text("UPDATE leases SET owner = :me, epoch = epoch - 1")
        for kind, write in (OF_TABLES | OTHERS).items():
            held = await new_held(database)
            before = await rows(database)
            await execute(database, STEAL.format(0))
            with pytest.raises(RejectedError, match="Another process of the bot has taken this"):
                await write(held)
            assert await rows(database) == before, kind
            await execute(database, give_back, me=database.cluster.id)
            await write(held)
            assert await rows(database) != before, f"{kind} would have changed something"


async def test_saved_panels_of_other_tables_are_kept_when_one_lease_was_stolen(address: str) -> None:
    async with opened(address) as database:
        await database.cluster.enter(2)
        tables, panels = SqlTableStore(database), SqlPanelStore(database, CIPHER)
        for _ in range(2):
            await database.cluster.acquire_lease()
        places = [replace(lobby().place, guild_id=shard << 22) for shard in range(2)]
        lost, kept = [await tables.create(lobby(place=place)) for place in places]
        held = Held(database, lobby(), None)  # type: ignore[arg-type]
        await panels.save([held.panel(lost)], [], since=0)
        await execute(database, STEAL.format(0))
        newer = [replace(held.panel(table_id), message_id=5) for table_id in (lost, kept)]
        await panels.save(newer, [], since=0)
        assert await panels.load(0, (lost, kept)) == (held.panel(lost), newer[1])
        await panels.save([], [held.panel(table_id).key for table_id in (lost, kept)], since=0)
        assert await panels.load(0, (lost, kept)) == (held.panel(lost),)
