"""What the database says of a server stays the same, whatever people do on another one: in every statement.

The same people play on both servers, under other names there. The gate runs this on SQLite beside a server of a higher
id, and on PostgreSQL beside one of a lower id, so each statement of a server is sent to both.
"""

import inspect
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

import bot.store
from bot.base.settings import Settings
from bot.daily.attempt import Attempt, DayKey
from bot.daily.store import PanelReach
from bot.ladder.columns import MATCH_BOARDS
from bot.ladder.seasons import Schedule, Season, SeasonLength
from bot.nights.night import Night, NightStatus
from bot.nights.planning.draft import NightDraft
from bot.nights.rounds import Entrant
from bot.records.player import HelpLevel
from bot.records.seasons import Champion, EndedSeason
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.records.published import SqlPublished
from bot.store.schema import Base
from bot.store.schema.tables import TableRow
from bot.store.stores import SqlStores
from bot.tables.hub import Hub
from bot.tables.servers.bans import Ban
from bot.tables.servers.settings import RuleSet
from tests.store.conftest import execute
from tests.store.counted_matches import DAY, NOW, Match, play_all
from tests.store.matches import lobby
from tests.tables.nights.evening import planned

HERE = 2**61
PEOPLE = range(1, 7)
ASKED = (1, 6)
"""Who has played every match, and who has played only some and hides."""
LATER = NOW + 40 * DAY
TODAY = date(2027, 1, 15)
MOST = 50
TOKEN = "bG9vcGJhY2s.tests.the-token-of-a-bot"
ROLE = 40


async def _bans(newcomers: Awaitable[tuple[Any, Any]]) -> Any:
    """The part that is about a server: a person's level of help is the same in all."""
    bans, _ = await newcomers
    return bans


class Server:
    """A server, and all stores of its bot."""

    def __init__(self, database: Database, guild_id: int) -> None:
        self.database = database
        self.id = guild_id
        self.stores = SqlStores(Settings(_env_file=None, discord_token=TOKEN, sure_matches=0), database, Hub())
        self.matches: list[int] = []
        self.night = 0

    async def live(self, name: str, *, more: int) -> None:
        """Matches, nights, days and choices; `more` tells the figures of two servers apart."""
        stores, at, place = self.stores, NOW - 2 * DAY, {"guild": self.id, "channel": 5 + more}
        names = [f"{name} {user}" for user in PEOPLE]
        played = [
            Match((1, 2, 3, 4), at=at, names=names, **place),
            Match((1, 2, 3, 4), (10, 6), at=at + 1, names=names, **place),
            *(Match((5, 1, 6, 2), (3, 10), at=at + 2 + number, names=names, **place) for number in range(more)),
            Match((4, 3, 2, 1), at=NOW, ranked=False, names=names, **place),
        ]
        self.matches = await play_all(self.database, played, formula=stores.formula)
        await stores.servers.change(self.id, lambda chosen: replace(chosen, podium_channel=more, daily_channel=more))
        await stores.rule_sets.save(self.id, RuleSet("Jeudi", f"classic target={more}"), most=9)
        for user in (5, 6):
            await stores.bans.put(self.id, user, Ban(user, LATER + more, 1, name))
        await stores.seasons.choose(
            self.id, lambda setup: replace(setup, schedule=Schedule(SeasonLength.HAND)), NOW + more
        )
        await stores.seasons.rename(self.id, NOW + more, 1, name)
        opening = lobby(place=replace(lobby().place, guild_id=self.id, open_channel_id=7))
        await stores.tables.create(opening)
        in_the_open = update(TableRow).where(TableRow.id.in_(self.matches))
        await execute(self.database, in_the_open.values(open_channel_id=7))
        night = await stores.nights.create(Night(0, self.id, 0, 1, "fr", planned(title=name), seed=more))
        over = replace(night, entrants=(Entrant(0, 1, name, NOW),), version=1, status=NightStatus.OVER)
        await stores.nights.save(over)
        self.night = night.id
        await stores.nights.create(Night(0, self.id, 0, 1, "fr", planned(title=f"{name}, again"), seed=more))
        await stores.night_drafts.save(self.id, 1, NightDraft("UTC", planned(title=name)), LATER)
        await stores.champions.add(Champion(self.id, 1, ROLE))
        await stores.personal_data.hide(self.id, 6, name, is_hidden=True)
        await stores.recount.void(self.id, self.matches[0], by_id=1, reason=name, at=NOW)
        await stores.seasons.end(self.id, NOW + 100, 1)
        (ended,) = await stores.seasons.seasons_to_show(self.id, LATER)
        await stores.seasons.save_podium(replace(ended, channel_id=more), is_shown=False)


Call = Callable[[Server], Awaitable[Any]]


async def season(server: Server) -> Any:
    return (await server.stores.seasons.list_all(server.id))[-1]


async def board(server: Server) -> Any:
    of = await season(server)
    return [(await server.stores.boards.board(server.id, of, board, LATER)) for board in MATCH_BOARDS]


async def whole_boards(server: Server) -> Any:
    of = await season(server)
    return [(await server.stores.boards.whole(server.id, of, board, LATER)) for board in MATCH_BOARDS]


async def point_sources(server: Server) -> Any:
    return await server.stores.history.point_sources(server.id, PEOPLE, await season(server))


async def lines(server: Server) -> Any:
    of, boards = await season(server), server.stores.boards
    return [await boards.line(server.id, of, board, LATER, user) for board in MATCH_BOARDS for user in ASKED]


async def unnumbered(server: Server) -> Any:
    return await server.stores.boards.unnumbered(server.id, await season(server), LATER)


async def season_record(server: Server) -> Any:
    return await server.stores.season_records.read(server.id, await season(server), LATER)


async def each_person(server: Server, ask: Callable[[int], Awaitable[Any]]) -> Any:
    return [await ask(user) for user in ASKED]


async def of_season(server: Server) -> Any:
    of = await season(server)
    return [await server.stores.history.stats(server.id, user, LATER, of) for user in ASKED]


READS: dict[str, Call] = {
    "SqlNightRecords.night": lambda s: s.stores.night_records.night(s.id, s.night),
    "SqlNightRecords.planned": lambda s: s.stores.night_records.planned(s.id),
    "SqlNightRecords.past": lambda s: s.stores.night_records.past(s.id, MOST),
    "SqlNightRecords.between": lambda s: s.stores.night_records.between(s.id, 0, LATER * 2),
    "SqlNightRecords.of_person": lambda s: s.stores.night_records.of_person(s.id, 1, MOST),
    "SqlNightDraftStore.read": lambda s: s.stores.night_drafts.read(s.id, 1),
    "SqlBanStore.find": lambda s: s.stores.bans.find(s.id, PEOPLE, NOW),
    "SqlBanStore.newcomers": lambda s: _bans(s.stores.bans.newcomers(s.id, PEOPLE, NOW)),
    "SqlBanStore.all": lambda s: s.stores.bans.all(s.id, NOW),
    "SqlTableStore.ranked_rules": lambda s: s.stores.tables.ranked_rules(s.id, NOW),
    "SqlServerStore.read": lambda s: s.stores.servers.read(s.id),
    "SqlRuleSetStore.all": lambda s: s.stores.rule_sets.all(s.id),
    "SqlHistory.history": lambda s: s.stores.history.history(s.id),
    "SqlHistory.history of a person": lambda s: each_person(s, lambda user: s.stores.history.history(s.id, user)),
    "SqlHistory.has_played": lambda s: each_person(s, lambda user: s.stores.history.has_played(s.id, user)),
    "SqlHistory.matches_played": lambda s: s.stores.history.matches_played(s.id, ASKED),
    "SqlHistory.matches_played of all": lambda s: s.stores.history.matches_played(s.id, None),
    "SqlHistory.ratings": lambda s: s.stores.history.ratings(s.id, ASKED, LATER),
    "SqlHistory.stats": lambda s: each_person(s, lambda user: s.stores.history.stats(s.id, user, LATER)),
    "SqlHistory.stats of a season": of_season,
    "SqlHistory.point_sources": point_sources,
    "SqlHistory.activity": lambda s: s.stores.history.activity(s.id, NOW - 1),
    "SqlHistory.voids": lambda s: s.stores.history.voids(s.id, MOST),
    "SqlHistory.rating_changes": lambda s: s.stores.history.rating_changes(s.matches[2]),
    "SqlSeasonRecords.read": season_record,
    "SqlPublished.matches": lambda s: SqlPublished(s.database).matches(s.id, MOST),
    "SqlPublished.open_channels": lambda s: SqlPublished(s.database).open_channels(s.id),
    "SqlBoards.hidden": lambda s: SqlBoards(s.database).hidden(s.id),
    "SqlRetention.count_old": lambda s: s.stores.retention.count_old(s.id, 1, LATER),
    "SqlPersonalData.is_hidden": lambda s: each_person(s, lambda user: s.stores.personal_data.is_hidden(s.id, user)),
    "SqlSeasonStore.setup": lambda s: s.stores.seasons.setup(s.id),
    "SqlSeasonStore.running": lambda s: s.stores.seasons.running(s.id, NOW),
    "SqlSeasonStore.list_all": lambda s: s.stores.seasons.list_all(s.id),
    "SqlSeasonStore.seasons_to_show": lambda s: s.stores.seasons.seasons_to_show(s.id, 2 * LATER),
    "SqlSeasonStore.last_ended": lambda s: s.stores.seasons.last_ended(s.id, 2 * LATER),
    "SqlChampionStore.of_server": lambda s: s.stores.champions.of_server(s.id),
    "SqlBoards.board": board,
    "SqlBoards.whole": whole_boards,
    "SqlBoards.unnumbered": unnumbered,
    "SqlBoards.line": lines,
    "SqlSceneStore.scores": lambda s: s.stores.scenes.scores(s.id, TODAY, TODAY),
}


async def purge(server: Server) -> None:
    chosen = {"retention_days": 1, "retained_until": 0}
    await server.stores.servers.change(server.id, lambda settings: replace(settings, **chosen))
    await server.stores.retention.purge(LATER, MOST)


WRITES: dict[str, Call] = {
    "SqlSeasonStore.start": lambda s: s.stores.seasons.start(s.id, NOW + 200, "The next"),
    "SqlSeasonStore.rename": lambda s: s.stores.seasons.rename(s.id, NOW + 201, 2, "Another"),
    "SqlSeasonStore.end": lambda s: s.stores.seasons.end(s.id, NOW + 202, 2),
    "SqlSeasonStore.choose": lambda s: s.stores.seasons.choose(s.id, replace, NOW + 203),
    "SqlSeasonStore.save_podium": lambda s: s.stores.seasons.save_podium(
        EndedSeason(s.id, Season(1, 0, 1), 9, 2, 3, "0"), is_shown=True
    ),
    "SqlNightDraftStore.save": lambda s: s.stores.night_drafts.save(s.id, 1, NightDraft("UTC", planned()), LATER),
    "SqlBanStore.put": lambda s: s.stores.bans.put(s.id, 5, Ban(5, LATER * 2, 1, "again")),
    "SqlBanStore.lift": lambda s: s.stores.bans.lift(s.id, 6),
    "SqlTableStore.save_help_level": lambda s: s.stores.tables.save_help_level(s.id, 77, "New", HelpLevel.BARE),
    "SqlTableStore.save_open_channels": lambda s: s.stores.tables.save_open_channels(s.id, (), None),
    "SqlServerStore.change": lambda s: s.stores.servers.change(s.id, lambda chosen: replace(chosen, winner_role=3)),
    "SqlRuleSetStore.save": lambda s: s.stores.rule_sets.save(s.id, RuleSet("Jeudi", "bell"), most=9),
    "SqlRuleSetStore.delete": lambda s: s.stores.rule_sets.delete(s.id, RuleSet("Jeudi", "bell")),
    "SqlPersonalData.hide": lambda s: s.stores.personal_data.hide(s.id, 1, "Another", is_hidden=True),
    "SqlPersonalData.show_avatar": lambda s: s.stores.personal_data.show_avatar(s.id, 1, "Another", is_shown=True),
    "SqlRecount.void": lambda s: s.stores.recount.void(s.id, s.matches[1], by_id=1, reason="", at=NOW + 7),
    "SqlRecount.void of another server": lambda s: s.stores.recount.void(s.id, 1, by_id=1, reason="", at=NOW + 7),
    "SqlRecount.recompute": lambda s: s.stores.recount.recompute(s.id),
    "SqlChampionStore.remove": lambda s: s.stores.champions.remove(Champion(s.id, 1, ROLE)),
    "SqlRetention.purge": purge,
}


UNSEEN = {
    "SqlRecount.void of another server",
    "SqlRecount.recompute",
    "SqlSeasonStore.choose",
    "SqlPersonalData.show_avatar",
}
"""They change nothing, or rows that have no server."""


async def play_the_day(server: Server, user: int) -> None:
    """The day of a person belongs to one server alone."""
    one = Attempt(user, DayKey(TODAY, 1), server.id, started_at=NOW, pressed_at=NOW, reference=9000)
    assert await server.stores.scenes.start(one, PanelReach("token", "fr"))
    assert await server.stores.scenes.save(replace(one, is_over=True, result=8000 + user))


async def told(server: Server) -> dict[str, Any]:
    return {name: await read(server) for name, read in READS.items()}


STORED = {
    table.name: (select(table), list(table.columns.keys()).index("guild_id"))
    for table in Base.metadata.sorted_tables
    if "guild_id" in table.columns
}


async def rows(database: Database) -> dict[int, dict[str, list[str]]]:
    """All that is stored of each server, by table."""

    def read(connection: Connection) -> dict[int, dict[str, list[str]]]:
        found: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, (query, column) in STORED.items():
            for row in connection.execute(query):
                found[row[column]][name].append(repr(row))
        return {server: {name: sorted(of_table) for name, of_table in told.items()} for server, told in found.items()}

    return await database.run(read)


def test_every_method_with_a_server_parameter_has_a_case() -> None:
    modules = [import_module(found.name) for found in walk_packages(bot.store.__path__, "bot.store.")]
    methods = {
        f"{kind.__name__}.{name}"
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__name__.startswith("Sql") and kind.__module__ == module.__name__
        for name, method in vars(kind).items()
        if not name.startswith("_") and callable(method) and "guild_id" in inspect.signature(method).parameters
    }
    missing = methods - READS.keys() - WRITES.keys()
    assert not missing, "add a call of each to READS or WRITES in tests/store/test_servers_apart.py"
    assert len(methods) > 40


@pytest.mark.parametrize(
    ("backend", "other"),
    [
        ("sqlite", HERE + 1),
        pytest.param("postgres", HERE - 1, marks=[pytest.mark.postgres, pytest.mark.long]),
        pytest.param("sqlite", HERE - 1, marks=pytest.mark.long),
        pytest.param("postgres", HERE + 1, marks=[pytest.mark.postgres, pytest.mark.long]),
    ],
    indirect=["backend"],
)
async def test_no_row_of_another_server_is_shown_or_changed(database: Database, other: int) -> None:
    here, there = Server(database, HERE), Server(database, other)
    await here.live("Here", more=1)
    await play_the_day(here, 1)
    said, stored = await told(here), (await rows(database))[HERE]
    assert [name for name, answer in said.items() if not answer] == []
    await there.live("There", more=2)
    await play_the_day(there, 2)
    assert await told(here) == said
    before = (await rows(database))[other]
    for name, write in WRITES.items():
        await write(there)
        after = await rows(database)
        assert after[HERE] == stored, name
        assert name in UNSEEN or after[other] != before, f"{name} would have changed something"
        before = after[other]
    assert await told(here) == said
