"""No statement of the store reads a table whole that grows with the past: both databases say how they would find rows.

Every method of every `Sql` class is called once at least. How SQLite finds rows does not depend on how many there are.
PostgreSQL reads a small table whole in any case, unless that is forbidden.
"""

import inspect
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final

import pytest
from sqlalchemy import Connection, text

import bot.store
from bot.daily.attempt import Attempt, DayKey, MomentKey
from bot.daily.store import PanelReach
from bot.nights.night import Night
from bot.records.archive import SharedRound
from bot.records.press_notes import PressNote
from bot.records.seasons import Champion
from bot.store.engine.cluster import SqlCluster
from bot.store.engine.database import Database
from bot.store.migrate import migrate
from bot.store.records.published import SqlPublished
from bot.store.schema import Base
from bot.store.tables.log_packing import SqlLogPacking
from bot.tables.lobby.lobby import Status
from bot.tables.table_store import OpenPanel, SeatChanges
from tests.store.conftest import opened, recorded_statements
from tests.store.counted_matches import NOW
from tests.store.matches import lobby
from tests.store.tables.test_results import PEOPLE, begun, ended
from tests.store.test_servers_apart import HERE, LATER, READS, TODAY, WRITES, Server, play_the_day
from tests.tables.nights.evening import planned

FEW: Final = {
    **dict.fromkeys(("processes", "leases", "identifies", "erasures"), "the processes that run"),
    **dict.fromkeys(("servers", "ladders", "rule_sets", "recounts"), "one or a few of a server, read once a day"),
    "daily_secrets": "one row",
    "panels": "open hands: a panel lives a quarter of an hour",
    "pending_erasures": "people who are being erased just now",
    "night_drafts": "one of a host, for a month",
    "bans": "those that last",
    "alembic_version": "one row",
}
"""Tables that do not grow with the past, and why."""
RUNNING: Final = ("ix_nights_live", "ix_scene_attempts_running", "ix_seasons_due", "ix_champions_erased")
"""Indexes of what is still going on, or to be done: they are read whole."""
EXCEPTIONS: Final = {
    r"SELECT DISTINCT results\.guild_id FROM results": "`kems rebuild` and `kems site`, while no bot runs or beside it",
    r"SELECT count\(\*\) AS count_1 FROM results$": "the last line of `kems rebuild`",
    r"SELECT (voids|nights)\..* LIKE ": "a question of each erasure: what others wrote may name the person",
}
"""Statements that read whole a table which grows, and why they may."""

_MANY_ROWS: Final = (
    text("UPDATE pg_class SET reltuples = 1000000, relpages = 1 WHERE relnamespace = 'public'::regnamespace"),
    text(f"LOCK TABLE {', '.join(Base.metadata.tables)} IN SHARE UPDATE EXCLUSIVE MODE"),  # keeps ANALYZE away
    text("DELETE FROM pg_statistic"),  # what an automatic ANALYZE has told before
)
"""PostgreSQL takes the tables for large ones until the transaction ends."""
_NAMED: Final = re.compile(r"\b(\w+) AS (\w+)")


@pytest.fixture
async def database(empty_address: str) -> AsyncIterator[Database]:
    """New tables: pages that other tests have left without rows cost, too."""
    async with opened(empty_address) as database:
        await migrate(database)
        yield database


def scanned_by_sqlite(plain: sqlite3.Connection, statement: str, values: Any) -> set[str]:
    """The tables that SQLite would read whole."""
    tables = {alias: table for table, alias in _NAMED.findall(statement)}
    found = set()
    for *_, line in plain.execute(f"EXPLAIN QUERY PLAN {statement}", values):
        way = re.match(r"(SCAN|SEARCH) (\w+)( USING)?(?: (?:COVERING )?INDEX (\w+))?", line)
        if way is not None and (way[1] == "SCAN" or not way[3]) and way[4] not in RUNNING:
            found.add(tables.get(way[2], way[2]))
    return found & Base.metadata.tables.keys()


def scanned_by_postgres(connection: Connection, statement: str, values: Any) -> set[str]:
    """The tables that PostgreSQL would read whole, or whose index, though it may not."""
    (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values).scalar_one()
    found, nodes = set(), [(plan["Plan"], "")]
    while nodes:
        node, of = nodes.pop()
        table = node.get("Relation Name", of)
        parts = node.get("Plans", ())
        if node["Node Type"] == "BitmapAnd":  # with an index of few of the rows, for all it knows
            parts = [each for each in parts if "Index Cond" in each] or parts
        nodes += ((each, table) for each in parts)
        is_found = "Index Cond" in node or node.get("Index Name") in RUNNING
        if re.search(r"Seq Scan|Index Scan|Index Only Scan", node["Node Type"]) and not is_found:
            found.add(table)
    return found


async def scans(database: Database, statements: Sequence[tuple[str, Any]]) -> dict[str, set[str]]:
    """The statements that read tables whole which grow, and these tables."""
    asked = {each: values for each, values in statements if re.match("SELECT|INSERT|UPDATE|DELETE|WITH", each)}
    first = {each: values[0] if isinstance(values, list) else values for each, values in asked.items()}
    assert len(asked) > 200

    def explain(connection: Connection) -> dict[str, set[str]]:
        for statement in _MANY_ROWS:
            connection.execute(statement)
        for way in ("seqscan", "mergejoin", "hashjoin"):
            connection.execute(text(f"SET LOCAL enable_{way} = off"))
        return {each: scanned_by_postgres(connection, each, values) for each, values in first.items()}

    if database.file is None:
        found = await database.run(explain)
    else:
        with closing(sqlite3.connect(database.file)) as plain:
            found = {each: scanned_by_sqlite(plain, each, values) for each, values in first.items()}
    return {each: whole for each, tables in found.items() if (whole := tables - FEW.keys())}


def methods() -> Iterator[tuple[type, str]]:
    """The methods of all `Sql` classes but for those that end something, or tell processes of each other."""
    for module in (import_module(found.name) for found in walk_packages(bot.store.__path__, "bot.store.")):
        for kind in vars(module).values():
            if inspect.isclass(kind) and kind.__name__.startswith("Sql") and kind.__module__ == module.__name__:
                for name, method in vars(kind).items():
                    is_called = inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method)
                    is_left_out = kind is SqlCluster or name.startswith("_") or name in ("answer", "close", "stop")
                    if is_called and not is_left_out:
                        yield kind, name


@contextmanager
def noted_calls() -> Iterator[set[str]]:
    """The methods that are called meanwhile."""
    called: set[str] = set()

    def noting(kind: type, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            called.add(f"{kind.__name__}.{name}")
            return method(*arguments, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for kind, name in methods():
            patch.setattr(kind, name, noting(kind, name, getattr(kind, name)))
        yield called


async def play_a_match(server: Server) -> None:
    """A table from its lobby to the end of its match, and one that is broken off."""
    stores = server.stores
    tables = stores.tables
    table, events = await begun(server.database)
    await tables.move(table.id, table.place)
    await tables.reseat(table, SeatChanges(5, gone=((0, PEOPLE[1]),)))
    await ended(server.database, table, events)
    await tables.ask_for_rematch(table.id, table.host_id)
    await stores.journal.read(table.id, 1)
    broken, _ = await begun(server.database)
    await tables.break_off(replace(broken, status=Status.CANCELLED), SeatChanges(6, ended_by=broken.host_id))
    open_id = await tables.create(lobby())
    await tables.save(replace(lobby(), id=open_id))
    await tables.cancel_damaged(open_id)
    assert [each async for each in tables.load_live()]
    await tables.load(table.id)
    await tables.read_table(table.id)
    await tables.former(table.id, 1)
    await stores.bans.newcomers(table.place.guild_id, [1, 2], NOW)
    panel = OpenPanel(table.id, table.host_id, 0, "hand", "fr", 1, NOW, 7, "token")
    await stores.panels.save([panel], [(table.id, 5)], since=0)
    await stores.panels.load(0, [table.id])
    for read in (stores.archive.read, stores.history.match, stores.nights.score):
        await read(table.id)
    shared = SharedRound(table.id, 1, 5)
    await stores.shared_rounds.save(shared, 7)
    await stores.shared_rounds.message_of(shared)
    assert await SqlLogPacking(server.database).pack_all()


async def use_the_rest(server: Server) -> None:
    stores, published = server.stores, SqlPublished(server.database)
    await published.servers()
    await published.are_open(server.matches)
    night = await stores.nights.create(Night(0, server.id, 0, 1, "fr", planned(), seed=1))
    await stores.nights.load(night.id)
    await stores.nights.load_live()
    await stores.seasons.due_servers(LATER)
    await stores.seasons.next_end(LATER)
    await stores.champions.of_erased()
    await stores.champions.add(Champion(server.id, 2, 3))
    scenes, key, reach = stores.scenes, MomentKey(server.matches[0], 1, 1, 0), PanelReach("token", "fr")
    one = Attempt(1, key, server.id, started_at=NOW, pressed_at=NOW)
    await scenes.start(one, reach, again=True)
    await scenes.mark(1, [key, DayKey(TODAY, 1)], is_posted=True)
    await scenes.find(1, key)
    await scenes.secret()
    await scenes.attempts(1, TODAY)
    await scenes.challenge(key)
    await scenes.add_challenge(one)
    await scenes.challenges(key.table_id)
    await scenes.challenged_tables(1)
    await scenes.days(1)
    await scenes.unfinished()
    await scenes.posts_due(TODAY, 5)
    await scenes.withdraw(one)
    await stores.press_notes.save([PressNote(10**18, 1, server.id, 0, "join", "refused", "full", 1)], 0)
    await stores.press_notes.between(0, LATER, 1)
    await stores.nonce_tags.draw(NOW)
    await stores.nonce_tags.draw(NOW)
    await stores.nonce_tags.save_rival(NOW)
    await stores.nonce_tags.rival_seen_at()
    await stores.recount.rebuild()
    await stores.recount.recompute(server.id)
    data = stores.personal_data
    await data.export(1)
    await data.tables_of(1)
    await data.without_avatar([1, 2])
    await data.save_erasure_request(1)
    await data.erasure_requests()
    await data.save_erasure_request(2)
    await data.save_erasure_request(2, is_wanted=False)
    assert await data.erase_past_matches(1)
    assert await data.erase(1)
    await data.scrub_deleted_rows()
    others = stores.other_processes
    await others.ask(1)
    await others.answers(1)


@pytest.mark.parametrize(
    "backend", ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])], indirect=True
)
async def test_no_statement_scans_a_growing_table(database: Database) -> None:
    server, names = Server(database, HERE), {f"{kind.__name__}.{name}" for kind, name in methods()}
    with noted_calls() as called, recorded_statements(database) as statements:
        await server.live("Here", more=1)
        await play_the_day(server, 1)
        await play_a_match(server)
        for read in READS.values():
            await read(server)
        await use_the_rest(server)
        for write in WRITES.values():
            await write(server)
    assert names - called == set()
    found = await scans(database, statements)
    explained = {each: [why for why in EXCEPTIONS if re.match(why, " ".join(each.split()))] for each in found}
    assert [(each, found[each]) for each, whys in explained.items() if not whys] == []
    assert {why for whys in explained.values() for why in whys} == EXCEPTIONS.keys(), "an exception that none needs"
