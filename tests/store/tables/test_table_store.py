"""Lobbies, seats and ballots: what is saved comes back equal, only its owner writes it, and no error tells a vote."""

import re
import traceback
from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest
from sqlalchemy import select, text

from bot.base.errors import StoreError
from bot.game.decide import start_match
from bot.game.events import CardsDealt
from bot.game.signs import Strategy
from bot.records.pictures import Theme
from bot.records.player import GUIDED_MATCHES, HelpLevel, HelpSetting, Player
from bot.robots import RobotLevel
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.schema.tables import InvitationRow
from bot.store.tables import table_store
from bot.store.tables.bans import SqlBanStore
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.table_store import LogEntry, SavedTable
from tests.store.conftest import execute, opened, scalars
from tests.store.counted_matches import GUILD, Match, play, play_all
from tests.store.matches import BIG, PLACE, a_match, live, lobby


async def created(tables: SqlTableStore, new: Lobby) -> Lobby:
    return replace(new, id=await tables.create(new))


async def started(tables: SqlTableStore) -> tuple[Lobby, int]:
    """A running match, and how many events it has."""
    playing = replace(await created(tables, lobby()), status=Status.PLAYING, is_ranked=True)
    events = start_match(playing.rules, seats=4, teams=2, dealer=0, now=playing.opened_at)
    await tables.record_start(playing, events)
    return playing, len(events)


async def test_a_lobby_comes_back_as_it_was(tables: SqlTableStore) -> None:
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
    rematch = await created(
        tables, replace(lobby(place=TableChannel(1, 2, 3)), rematch_of=first.id, rule_set="Soirée 🍀")
    )
    assert rematch.id > first.id
    assert await tables.load(first.id) == half
    assert await live(tables) == (SavedTable(half), SavedTable(rematch))
    assert await tables.load(99) is None


async def test_a_seat_keeps_its_level_of_help(tables: SqlTableStore) -> None:
    ana, *others = lobby().players
    assert ana is not None
    bare = replace(ana, help_level=HelpLevel.BARE, has_no_marks=True, is_first_unguided=True)
    saved = await created(tables, replace(lobby(), players=(bare, *others)))
    assert (await tables.load(saved.id)).players == (bare, *others)


async def test_a_person_is_guided_for_two_matches_and_then_as_they_choose(database: Database) -> None:
    tables, guided = SqlTableStore(database), dict.fromkeys((1, 2), HelpSetting(HelpLevel.GUIDED))
    first, later = HelpSetting(HelpLevel.NORMAL, is_first_unguided=True), HelpSetting(HelpLevel.NORMAL)

    async def levels(user_ids: Collection[int]) -> Mapping[int, HelpSetting]:
        return (await SqlBanStore(database).newcomers(GUILD, user_ids, 0))[1]

    assert await levels(()) == {}
    await play_all(database, [Match((1, 3, 5, 7), ranked=False, guild=GUILD + n) for n in range(GUIDED_MATCHES - 1)])
    assert await levels((1, 2)) == guided, "in all servers"
    coached = [await play(database, Match((1, 2), ranked=False)) for _ in range(GUIDED_MATCHES)]
    for table_id, coaching in zip(coached, (Coaching.ON, Coaching.AWAY), strict=True):
        await execute(database, "UPDATE tables SET coaching = :coaching WHERE id = :id", coaching=coaching, id=table_id)
    assert await levels((1, 2)) == guided, "practice is guided anyway"
    await play(database, Match((1, 3, 5, 7)))
    assert await levels((1, 2)) == guided | {1: first}
    await play(database, Match((1, 3, 5, 7)))
    assert await levels((1, 3)) == {1: later, 3: later}, "it is said once"
    await tables.save_help_level(GUILD, 1, "Ana", HelpLevel.GUIDED)
    await tables.save_help_level(GUILD + 99, 2, "Bruno", HelpLevel.BARE)
    chosen = {1: HelpSetting(HelpLevel.GUIDED), 2: HelpSetting(HelpLevel.BARE)}
    assert await levels((1, 2, 3)) == chosen | {3: later}
    await play(database, Match((2, 3, 5, 1)))
    assert await levels((1, 2)) == chosen, "a match does not change it"
    for guild_id, level in ((GUILD + 99, HelpLevel.BARE), (GUILD, HelpLevel.GUIDED)):
        await tables.save_help_level(guild_id, 1, "Ana", level)
        assert await levels((1,)) == {1: HelpSetting(level)}, "a choice counts in all servers"
    await SqlPersonalData(database).erase(1)
    assert await levels((1,)) == {1: HelpSetting(HelpLevel.GUIDED)}
    assert not await scalars(database, "SELECT help_level FROM players WHERE help_level = 'guided'")


async def test_rematch_requests_are_saved_and_invitations_deleted_with_the_lobby(database: Database) -> None:
    tables = SqlTableStore(database)
    open_one = await created(tables, replace(lobby(), invited=frozenset({BIG + 20})))
    playing = open_one.start()
    await tables.record_start(playing, start_match(playing.rules, seats=4, teams=2, dealer=0, now=playing.opened_at))
    async with database.transaction() as session:
        assert (await session.scalars(select(InvitationRow))).all() == []
    host = open_one.host_id
    await tables.ask_for_rematch(playing.id, host)
    await tables.ask_for_rematch(playing.id, host)
    await tables.ask_for_rematch(playing.id, BIG + 99)
    loaded = await tables.load(playing.id)
    assert loaded.wants_rematch == {host}, "who did not play asks for nothing"


async def test_other_work_goes_on_between_two_parts_of_a_start(
    tables: SqlTableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_store, "_READ_AT_ONCE", 1)
    playing = [(await started(tables))[0] for _ in range(3)]
    found = []
    async for saved in tables.load_live():
        found.append(saved.lobby)
        assert await tables.load(saved.lobby.id) == saved.lobby, "no transaction is open"
    assert found == playing


async def test_tables_share_one_object_of_equal_rules_and_cards(database: Database) -> None:
    tables, (log, _) = SqlTableStore(database), a_match(target=2)
    logs = []
    for _ in range(2):
        playing, _ = await started(tables)
        await SqlJournal(database).append(playing.id, 2, log[1:5], None)
    for saved in await live(tables):
        start, *others = [entry.event for entry in saved.entries]
        assert start.rules is saved.lobby.rules
        logs.append((start.rules, *(event.order for event in others if isinstance(event, CardsDealt))))
    (rules, order), (other_rules, other_order) = logs
    assert rules is other_rules
    assert all(card is other for card, other in zip(order, other_order, strict=True))


async def test_a_running_match_comes_back_with_its_log(database: Database, tables: SqlTableStore) -> None:
    playing, _ = await started(tables)
    log, _ = a_match(target=2)
    await SqlJournal(database).append(playing.id, 2, log[1:5], BIG)
    (saved,) = await live(tables)
    assert saved.lobby == playing
    assert [entry.seq for entry in saved.entries] == [1, 2, 3, 4, 5]
    assert saved.entries[1:] == tuple(
        LogEntry(seq, event, BIG if seq == 2 else None) for seq, event in enumerate(log[1:5], 2)
    )


async def test_moving_a_table_writes_only_its_channel(tables: SqlTableStore) -> None:
    playing, _ = await started(tables)
    shown = replace(PLACE, message_id=BIG)
    for place in (shown, shown.moved_to(5), replace(shown, channel_id=5, message_id=BIG + 1)):
        await tables.move(playing.id, place)
        assert await tables.load(playing.id) == replace(playing, place=place)


async def test_a_cancelled_lobby_comes_back_until_its_message_says_so(tables: SqlTableStore) -> None:
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
    assert saved.lobby.status is Status.OVER
    assert len(saved.entries) == count + len(log) - 1
    shown = TableChannel(1, 2, 3, round=4, is_final=True)
    await tables.move(saved.lobby.id, shown)
    assert await live(tables) == ()
    ended = await tables.load(playing.id)
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
async def test_damaged_tables_are_reported_and_the_others_restored(
    database: Database, damage: str, sentence: str
) -> None:
    tables = SqlTableStore(database)
    bad, _ = await started(tables)
    log, _ = a_match(target=2)
    await SqlJournal(database).append(bad.id, 2, log[1:5], None)
    await execute(database, damage)
    good, _ = await started(tables)
    problem, fine = await live(tables)
    assert re.search(sentence.format(id=bad.id), str(problem.problem))
    assert (problem.id, problem.place, problem.status) == (bad.id, bad.place, Status.PLAYING)
    assert (fine.lobby, len(fine.entries)) == (good, 1)


async def test_a_failed_start_leaves_the_lobby_open(database: Database, tables: SqlTableStore) -> None:
    waiting = await created(tables, lobby())
    events = start_match(waiting.rules, seats=4, teams=2, dealer=0, now=1)
    async with database.transaction() as session:
        await session.execute(
            text(f"INSERT INTO events VALUES ({waiting.id}, 1, 1, 'HuntOpened', 1, '{{}}', NULL)")  # noqa: S608 - a test
        )
    with pytest.raises(StoreError):
        await tables.record_start(replace(waiting, status=Status.PLAYING), events)
    assert await tables.load(waiting.id) == waiting


PEOPLE = (BIG + 10, BIG + 12, BIG + 13)


def voted(lobby: Lobby, count: int) -> Lobby:
    """A vote was proposed, and so many people have voted."""
    waiting = lobby.propose_vote()
    for user_id in PEOPLE[:count]:
        changed = waiting.cast(user_id, {Strategy.PRESIGN, Strategy.SPOKEN} if user_id % 2 else {Strategy.PRESIGN})
        waiting = changed
    return waiting


async def ballots(database: Database) -> list[object]:
    return await scalars(database, text("SELECT ballot FROM seats WHERE ballot IS NOT NULL"))


async def test_a_running_vote_comes_back_and_its_ballots_are_deleted_at_its_end(address: str) -> None:
    async with opened(address) as database:
        waiting = replace(lobby(), id=await SqlTableStore(database).create(lobby()))
        await SqlTableStore(database).save(voted(waiting, 2))
        assert len(await ballots(database)) == 2
    async with opened(address) as database:
        tables = SqlTableStore(database)
        assert await live(tables) == (SavedTable(voted(waiting, 2)),)
        await tables.save(voted(waiting, 3))
        assert await ballots(database) == []
        known = await tables.load(waiting.id)
        assert known == voted(waiting, 3)
        assert known.strategies == {Strategy.PRESIGN}


async def test_the_outcome_of_a_vote_stays_with_the_match(tables: SqlTableStore) -> None:
    waiting = replace(lobby(), id=await tables.create(lobby()))
    playing = voted(waiting, 3).start()
    events = start_match(playing.rules, seats=4, teams=2, dealer=0, now=1, strategies=playing.strategies)
    await tables.record_start(playing, events)
    (saved,) = await live(tables)
    assert (saved.lobby, saved.entries[0].event) == (playing, events[0])
    nothing = replace(waiting, vote=replace(PROPOSED, outcome=frozenset()), is_ranked=False)
    await tables.save(nothing)
    assert await tables.load(waiting.id) == nothing


@pytest.mark.parametrize("is_closed", [True, False])
async def test_a_lobby_that_closes_leaves_no_ballot(database: Database, tables: SqlTableStore, is_closed: bool) -> None:
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    await tables.save(waiting)
    ended = waiting.closed(Status.CANCELLED) if is_closed else waiting.withdraw_vote()
    assert isinstance(ended, Lobby)
    await tables.save(ended)
    assert await ballots(database) == []
    assert await tables.load(waiting.id) == ended
    assert ended.status is (Status.CANCELLED if is_closed else Status.OPEN)


async def test_an_error_reveals_no_ballot(database: Database, tables: SqlTableStore) -> None:
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    await execute(database, "ALTER TABLE seats RENAME COLUMN team TO gone")
    with pytest.raises(StoreError) as caught:
        await tables.save(waiting)
    said = "".join(traceback.format_exception(caught.value))
    assert "INSERT INTO seats" in said
    assert "presign" not in said
    await execute(database, "ALTER TABLE seats RENAME COLUMN gone TO team")


async def test_a_damaged_vote_is_reported_without_its_contents(database: Database, tables: SqlTableStore) -> None:
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    await tables.save(waiting)
    await execute(database, """UPDATE seats SET ballot = '["presign' WHERE ballot IS NOT NULL""")
    (damaged,) = await live(tables)
    problem = damaged.problem
    assert str(problem) == f"Table {waiting.id} cannot be read: its vote is damaged."
    assert "presign" not in "".join(traceback.format_exception(problem))
