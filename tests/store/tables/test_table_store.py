"""Lobbies and seats: what is saved comes back equal, and only its owner writes it."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import select, text

from bot.errors import StoreError
from bot.game.decide import start_match
from bot.game.events import CardsDealt, MatchStarted
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots import RobotLevel
from bot.store.engine.database import Database
from bot.store.schema import InvitationRow
from bot.store.tables import table_store
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.options import Absence, Coaching
from bot.tables.lobby.place import Place
from bot.tables.table_store import Damaged, Entry, SavedTable
from tests.store.matches import BIG, PLACE, a_match, live, lobby


async def created(tables: SqlTableStore, new: Lobby) -> Lobby:
    return replace(new, id=await tables.create(new))


async def started(tables: SqlTableStore) -> tuple[Lobby, int]:
    """A running match, and how many events it has."""
    playing = replace(await created(tables, lobby()), status=Status.PLAYING, is_ranked=True)
    events = start_match(playing.rules, seats=4, teams=2, dealer=0, now=playing.opened_at)
    await tables.record_start(playing, events)
    return playing, len(events)


async def test_a_lobby_comes_back_as_it_was(database: Database) -> None:
    tables = SqlTableStore(database)
    first = await created(tables, lobby())
    half = replace(
        first,
        players=(first.players[0], None, Player("Zoé", robot_level=RobotLevel.MASTER), None),
        host_id=BIG + 12,
        locale="en",
        closes_at=BIG,
    )
    half = replace(half, theme=Theme.FAMILY, absence=Absence.WAIT, afk_seconds=0, robot_level=RobotLevel.STRONG)
    half = replace(half, coaching=Coaching.AWAY, invited=frozenset({BIG + 20, BIG + 21}))
    await tables.save(half)
    rematch = await created(tables, replace(lobby(place=Place(1, 2, 3)), rematch_of=first.id, rule_set="Soirée 🍀"))
    assert rematch.id > first.id
    assert await tables.load(first.id) == half
    assert await live(tables) == (SavedTable(half), SavedTable(rematch))
    assert await tables.load(99) is None


async def test_who_asks_for_a_rematch_is_kept_and_invitations_go_with_the_lobby(database: Database) -> None:
    tables = SqlTableStore(database)
    open_one = await created(tables, replace(lobby(), invited=frozenset({BIG + 20})))
    playing = open_one.start()
    assert isinstance(playing, Lobby)
    await tables.record_start(playing, start_match(playing.rules, seats=4, teams=2, dealer=0, now=playing.opened_at))
    async with database.transaction() as session:
        assert (await session.scalars(select(InvitationRow))).all() == []
    host = open_one.host_id
    await tables.ask_for_rematch(playing.id, host)
    await tables.ask_for_rematch(playing.id, host)
    await tables.ask_for_rematch(playing.id, BIG + 99)
    loaded = await tables.load(playing.id)
    assert loaded is not None
    assert loaded.wants_rematch == {host}, "who did not play asks for nothing"


async def test_other_work_goes_on_between_two_parts_of_a_start(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_store, "_READ_AT_ONCE", 1)
    tables = SqlTableStore(database)
    playing = [(await started(tables))[0] for _ in range(3)]
    found = []
    async for saved in tables.load_live():
        assert isinstance(saved, SavedTable)
        found.append(saved.lobby)
        assert await tables.load(saved.lobby.id) == saved.lobby, "no transaction is open"
    assert found == playing


async def test_tables_share_equal_rules_and_cards(database: Database) -> None:
    tables, (log, _) = SqlTableStore(database), a_match(target=2)
    logs = []
    for _ in range(2):
        playing, _ = await started(tables)
        await SqlJournal(database).append(playing.id, 2, log[1:5], None)
    for saved in await live(tables):
        assert isinstance(saved, SavedTable)
        start, *others = [entry.event for entry in saved.entries]
        assert isinstance(start, MatchStarted)
        assert start.rules is saved.lobby.rules
        logs.append((start.rules, *(event.order for event in others if isinstance(event, CardsDealt))))
    (rules, order), (other_rules, other_order) = logs
    assert rules is other_rules
    assert all(card is other for card, other in zip(order, other_order, strict=True))


async def test_a_running_match_comes_back_with_its_log(database: Database) -> None:
    tables = SqlTableStore(database)
    playing, _ = await started(tables)
    log, _ = a_match(target=2)
    await SqlJournal(database).append(playing.id, 2, log[1:5], BIG)
    (saved,) = await live(tables)
    assert isinstance(saved, SavedTable)
    assert saved.lobby == playing
    assert [entry.seq for entry in saved.entries] == [1, 2, 3, 4, 5]
    assert saved.entries[1:] == tuple(
        Entry(seq, event, BIG if seq == 2 else None) for seq, event in enumerate(log[1:5], 2)
    )


async def test_moving_writes_the_place_alone(database: Database) -> None:
    tables = SqlTableStore(database)
    playing, _ = await started(tables)
    shown = replace(PLACE, message_id=BIG)
    for place in (shown, shown.moved(5), replace(shown, channel_id=5, message_id=BIG + 1)):
        await tables.move(playing.id, place)
        assert await tables.load(playing.id) == playing.shown_at(place)


async def test_a_cancelled_lobby_comes_back_until_its_message_says_so(database: Database) -> None:
    tables = SqlTableStore(database)
    shown = await created(tables, lobby(place=replace(PLACE, message_id=BIG)))
    never_shown = await created(tables, lobby())
    for one, status in ((shown, Status.EXPIRED), (never_shown, Status.CANCELLED)):
        await tables.save(replace(one, status=status))
    assert await live(tables) == (SavedTable(replace(shown, status=Status.EXPIRED)),)
    await tables.move(shown.id, replace(shown.place, is_final=True))
    assert await live(tables) == ()


async def test_cancelled_and_ended_tables_are_not_live_once_their_message_says_so(database: Database) -> None:
    tables = SqlTableStore(database)
    await tables.save(replace(await created(tables, lobby()), status=Status.CANCELLED))
    playing, count = await started(tables)
    log, _ = a_match(target=2)
    await SqlJournal(database).append(playing.id, count + 1, log[1:], None)
    (saved,) = await live(tables)
    assert isinstance(saved, SavedTable)
    assert saved.lobby.status is Status.OVER
    assert len(saved.entries) == count + len(log) - 1
    shown = Place(1, 2, 3, round=4, is_final=True)
    await tables.move(saved.lobby.id, shown)
    assert await live(tables) == ()
    ended = await tables.load(playing.id)
    assert ended is not None
    assert (ended.status, ended.place) == (Status.OVER, replace(shown, guild_id=playing.place.guild_id))


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("DELETE FROM events WHERE seq = 3", "The log of table {id} has a gap: its event 3 is missing"),
        ("DELETE FROM events WHERE seq = 1", "The log of table {id} has a gap: its event 1 is missing"),
        ("DELETE FROM events", "The log of table {id} is empty"),
        ("UPDATE events SET body = '[]' WHERE seq = 2", "Event 2 of table {id} cannot be read: it is damaged"),
        ("UPDATE events SET version = 9 WHERE seq = 4", "Event 4 of table {id} cannot be read: .* newer version"),
        ("UPDATE tables SET theme = 'tarot'", "Table {id} cannot be read: 'tarot' is not a valid Theme"),
        ("UPDATE tables SET rules = '{}'", "Table {id} cannot be read: its rules are damaged"),
    ],
)
async def test_damage_is_named_and_the_others_come_back(database: Database, damage: str, sentence: str) -> None:
    tables = SqlTableStore(database)
    bad, _ = await started(tables)
    log, _ = a_match(target=2)
    await SqlJournal(database).append(bad.id, 2, log[1:5], None)
    async with database.transaction() as session:
        await session.execute(text(damage))
    good, _ = await started(tables)
    problem, fine = await live(tables)
    assert isinstance(problem, Damaged)
    assert re.search(sentence.format(id=bad.id), str(problem.problem))
    assert (problem.id, problem.place, problem.status) == (bad.id, bad.place, Status.PLAYING)
    assert isinstance(fine, SavedTable)
    assert (fine.lobby, len(fine.entries)) == (good, 1)


async def test_a_failed_start_leaves_the_lobby_open(database: Database) -> None:
    tables = SqlTableStore(database)
    waiting = await created(tables, lobby())
    events = start_match(waiting.rules, seats=4, teams=2, dealer=0, now=1)
    async with database.transaction() as session:
        await session.execute(
            text(f"INSERT INTO events VALUES ({waiting.id}, 1, 1, 'HuntOpened', 1, '{{}}', NULL)")  # noqa: S608 - a test
        )
    with pytest.raises(StoreError):
        await tables.record_start(replace(waiting, status=Status.PLAYING), events)
    assert await tables.load(waiting.id) == waiting
