"""Everything on a person is shown to them, and gone when they ask; the matches and the others' ratings stay."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from sqlalchemy import func, select

from bot.game.events import GestureMade
from bot.game.signs import GestureKind
from bot.ladder.columns import Board
from bot.ladder.seasons import Season
from bot.records.file_batches import Progress
from bot.records.player import Player
from bot.records.press_notes import PressNote
from bot.records.seasons import Champion, VoidCode
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlChampionStore
from bot.store.privacy import SqlOtherProcesses, SqlPersonalData
from bot.store.records.history import SqlHistory
from bot.store.records.press_notes import SqlPressNoteStore
from bot.store.schema import Base
from bot.store.schema.columns import NO_NAME
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import PendingErasureRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.panel_store import Cipher, SqlPanelStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.tables.table_store import OpenPanel, SeatChanges
from tests.store.counted_matches import DAY, GUILD, NOW, SURE, Match, once, play, play_all, saved_seasons, standing
from tests.store.ladder.test_count_match import EXAMPLES, histories, prepared
from tests.store.matches import BIG, PLACE, lobby
from tests.store.tables.test_results import PEOPLE, begun, ended

ANA = PEOPLE[0]
NAME = "Anaëlle de Kerbrat"
TOKEN = "the-token-of-a-press"


@pytest.fixture
def data(database: Database) -> SqlPersonalData:
    return SqlPersonalData(database)


async def everything(database: Database) -> str:
    """The whole database as text."""
    lines = []
    async with database.transaction() as session:
        for table in Base.metadata.sorted_tables:
            lines += [repr(tuple(row)) for row in await session.execute(select(table))]
    return "\n".join(lines)


async def a_past(database: Database) -> int:
    return await once(database, "a past", make_past)


async def make_past(database: Database) -> int:
    """Ana hosted, played and won, left another match, was named by a moderator and was one herself; a table of hers."""
    ana = Player(NAME, ANA.user_id)
    people = (ana, *PEOPLE[1:])
    table, events = await begun(database, people)
    hers = [GestureMade(events[1].at, 0, GestureKind.POST, "🍀"), GestureMade(events[1].at, 1, GestureKind.POST, "👀")]
    await SqlJournal(database).append(table.id, 2, hers, None)
    await SqlJournal(database).append(table.id, 4, events[1:], None)
    left, events = await begun(database, people)
    tables = SqlTableStore(database)
    without = replace(left, players=(Player("Zoé"), *people[1:]), host_id=people[1].user_id)
    await tables.reseat(without, SeatChanges(5, gone=((0, ana),)))
    await ended(database, left, events)
    await SqlPersonalData(database).hide(BIG + 7, ANA.user_id, "left", is_hidden=False)  # her nickname elsewhere
    reason = f"<@{ANA.user_id}> (Anaëlle, {ANA.user_id}) left"
    await SqlRecount(database).void(PLACE.guild_id, left.id, by_id=9, reason=reason, at=NOW)
    void = SqlRecount(database).void(PLACE.guild_id, table.id, by_id=ANA.user_id, reason="mine", at=NOW)
    assert await void is VoidCode.VOIDED
    await ended(database, *await begun(database, people))
    await SqlChampionStore(database).add(Champion(PLACE.guild_id, ANA.user_id, 77))
    waits = replace(lobby(), players=(PEOPLE[1], None, None, None), host_id=PEOPLE[1].user_id or 0)
    await tables.create(replace(waits, invited=frozenset({ANA.user_id})))
    open_panel = OpenPanel(table.id, ANA.user_id, 0, "hand", "fr", 1, NOW, BIG, TOKEN)
    await SqlPanelStore(database, Cipher("a secret")).save([open_panel], [], since=0)
    refused = partial(PressNote, guild_id=1, table_id=0, action="join", outcome="refused", duration_ms=1)
    presses = [refused(1, ANA.user_id, reason="full"), refused(2, user_id=9, reason=f"<@!{ANA.user_id}> left")]
    await SqlPressNoteStore(database).save(presses, since=0)
    return table.id


async def test_nothing_is_left_of_a_person_who_asks_for_deletion(database: Database) -> None:
    table_id = await a_past(database)
    before = await everything(database)
    assert before.count(str(ANA.user_id)) > 12
    assert before.count(NAME) > 3
    kept_log = await SqlJournal(database).read(table_id, 1)
    data, champions = SqlPersonalData(database), SqlChampionStore(database)
    assert await data.erase(ANA.user_id)
    (role,) = await champions.of_erased()
    assert role.user_id == ANA.user_id
    await data.scrub_deleted_rows()
    await champions.remove(role)  # it is taken back
    notes = select(func.count()).select_from(PendingErasureRow)
    assert await database.query(lambda session: session.scalar(notes)) == 1, "its bytes are still in SQLite's files"
    await data.scrub_deleted_rows()
    assert await database.query(lambda session: session.scalar(notes)) == 0
    after = await everything(database)
    assert str(ANA.user_id) not in after
    assert NAME not in after
    assert "… (Anaëlle, …) left" in after, "a nickname is a word like any other"
    assert "'… left'" in after
    assert await SqlJournal(database).read(table_id, 1) == kept_log
    match = await SqlHistory(database).match(table_id)
    assert [(seat.name, seat.user_id) for seat in match.seats][:2] == [(NO_NAME, None), ("Bruno", BIG + 11)]
    assert json.dumps(await SqlPersonalData(database).export(ANA.user_id)).count("[]") >= 8


async def test_no_reader_of_the_records_returns_an_erased_player(database: Database) -> None:
    whole, broken_off = await play_all(database, [Match((1, 2, 3, 4)), Match((1, 2, 3, 4), lost_by=frozenset({0}))])
    assert await SqlPersonalData(database).erase(1)
    history = SqlHistory(database)
    found = await history.point_sources(GUILD, [1, 2], Season(1, NOW, None))
    assert [*found] == [2], "the first player is gone"
    assert {source.name: source.user_id for source in found[2].partners} == {"player 4": 4}
    assert {source.user_id > 0: source.name for source in found[2].opponents} == {True: "player 3", False: ""}
    assert [seat.user_id for seat in (await history.match(whole)).seats] == [None, 2, 3, 4]
    assert [(seat.name, seat.user_id) for seat in (await history.match(broken_off)).losers] == [(NO_NAME, None)]


async def test_a_person_at_a_table_is_not_erased_yet(database: Database, data: SqlPersonalData) -> None:
    tables = SqlTableStore(database)
    for status in (Status.OPEN, Status.PLAYING):
        new = replace(lobby(), players=PEOPLE, status=status)
        table_id = await tables.create(new)
        assert await data.tables_of(ANA.user_id) == 1
        assert not await data.erase(ANA.user_id)
        assert NAME not in await everything(database)
        assert str(ANA.user_id) in await everything(database)
        assert not await data.erase(ANA.user_id, [table_id + 1])
        await tables.save(replace(new, id=table_id, status=Status.CANCELLED))
    assert await data.tables_of(ANA.user_id) == 0
    unreadable = await tables.create(replace(lobby(), players=PEOPLE))
    assert await data.erase(ANA.user_id, [unreadable])
    assert str(ANA.user_id) not in await everything(database)


async def test_a_reserved_seat_is_exported_and_erased(data: SqlPersonalData, database: Database) -> None:
    tables, before = SqlTableStore(database), lobby()
    watcher = BIG + 77
    robot = Player("Zoé", reserved_for_id=watcher, reserved_for_name=NAME)
    playing = replace(before, players=(*before.players[:-1], robot), status=Status.PLAYING)
    table_id = await tables.create(playing)
    assert (await tables.load(table_id)).players[-1] == robot
    assert (await data.export(watcher))["reserved_seats"] == [{"table_id": table_id, "seat": 3}]
    assert await data.erase(watcher)
    told = await everything(database)
    assert NAME not in told
    assert str(watcher) not in told
    await tables.save(replace(playing, id=table_id))
    await tables.save(replace(playing, id=table_id, status=Status.CANCELLED))
    assert NAME not in await everything(database), "a place is promised while its match runs"


_DRAW = Match((1, 2, 3, 4), (0, 0), NOW + 20 * DAY)
_COUNTED_BY_THE_MEDIAN = [
    Match((4, 5, 6, 1), (1, 0), NOW + 8 * DAY),
    replace(_DRAW, users=(1, 3, 5, 2), left=frozenset({0})),
    replace(_DRAW, users=(1, 2, 4, 5, 3, 6), scores=(0, 2)),
    *[_DRAW] * 3,
]
"""The server's median of ratings, with the one who is erased first, lets them rise less when they come back."""


@EXAMPLES
@given(histories())
@example(_COUNTED_BY_THE_MEDIAN)
async def test_other_players_keep_their_ratings_exactly(database: Database, matches: list[Match]) -> None:
    await prepared(database)
    await play_all(database, matches)
    gone = matches[0].users[0]
    before = await standing(database)
    assert await SqlPersonalData(database).erase(gone)
    after = await standing(database)
    assert after["standings"] == [
        row for row in before["standings"] if row[0:2] != (GUILD, gone) and gone not in row[:2]
    ]
    assert await SqlRecount(database).rebuild() == len(matches)
    assert await standing(database) == after
    await play_all(database, matches[:1])
    kept = await standing(database)
    await SqlRecount(database).rebuild()
    assert await standing(database) == kept, "who comes back begins as a new player"


async def test_an_export_holds_all_data_of_a_person_and_of_nobody_else(database: Database) -> None:
    table_id = await a_past(database)
    told = await SqlPersonalData(database).export(ANA.user_id)
    text_of_it = json.dumps(told, ensure_ascii=False)
    assert {key: len(value) for key, value in told.items() if key != "user_id"} == {
        "servers": 2,
        "seats": 2,
        "hosted_tables": 2,
        "departures": 1,
        "reserved_seats": 0,
        "invitations": 1,
        "presses": 1,
        "open_panels": 1,
        "matches": 3,
        "standings": 1,
        "streaks": 2,
        "pairs": 3,
        "champion_roles": 1,
        "matches_declared_void": 1,
        "nights": 0,  # tests/store/nights
        "hosted_nights": 0,
        "night_drafts": 0,
        "scene_attempts": 0,  # tests/store/daily
        "night_steps": 0,
        "bans": 0,  # tests/store/tables/test_bans.py
        "bans_given": 0,
        "gestures_and_signs": 1,
    }
    assert told["open_panels"] == [
        {
            "table_id": table_id,
            "seat": 0,
            "page": "hand",
            "language": "fr",
            "round": 1,
            "made_at": NOW,
            "channel_id": 0,
            "is_follow_up": False,
        }
    ]
    (gesture,) = told["gestures_and_signs"]
    assert {key: gesture[key] for key in ("table_id", "seat", "text")} == {
        "table_id": table_id,
        "seat": 0,
        "text": "🍀",
    }
    assert (told["servers"][0]["name"], told["servers"][0]["is_hidden"]) == (NAME, False)
    for other in PEOPLE[1:]:
        assert other.name not in text_of_it
        assert str(other.user_id) not in text_of_it


async def test_hiding_the_avatar_holds_in_all_servers_and_survives_a_match(
    database: Database, data: SqlPersonalData
) -> None:
    await saved_seasons(database, (NOW, None))
    await data.hide(GUILD + 1, 1, "Ana", is_hidden=False)
    await data.show_avatar(GUILD, 1, "Ana", is_shown=False)
    await play(database, Match((1, 2, 3, 4)))
    assert await data.without_avatar((1, 2, 99)) == {1}
    assert await data.without_avatar(()) == frozenset()
    assert not await data.is_hidden(GUILD, 1), "boards are another matter"
    await data.show_avatar(GUILD + 1, 1, "Ana", is_shown=True)
    assert await data.without_avatar((1, 2)) == frozenset(), "in whatever server it is said"


async def test_hiding_from_boards_holds_in_one_server_and_survives_a_match(
    database: Database, data: SqlPersonalData
) -> None:
    await saved_seasons(database, (NOW, None))
    await data.hide(GUILD, 1, "Ana", is_hidden=True)
    await play(database, Match((1, 2, 3, 4)), formula=SURE)
    assert await data.is_hidden(GUILD, 1)
    assert not await data.is_hidden(GUILD, 2)
    assert not await data.is_hidden(GUILD + 1, 1)
    boards = SqlBoards(database, formula=SURE)
    season = Season(1, NOW, None)
    page = await boards.board(GUILD, season, Board.RATING, NOW)
    assert {line.user_ids for line in page.lines} == {(3,)}  # who has won with 1
    await data.hide(GUILD, 1, "?", is_hidden=False)
    page = await boards.board(GUILD, season, Board.RATING, NOW + DAY)
    assert {line.user_ids for line in page.lines} == {(1,), (3,)}
    async with database.transaction() as session:
        assert (await session.get_one(PlayerRow, (GUILD, 1))).name == "player 1"


async def test_an_erasure_asks_no_other_process_when_one_serves_everything(database: Database) -> None:
    await database.cluster.enter(1)
    others = SqlOtherProcesses(database)
    assert not await others.ask(1)
    assert not await others.answers(1)


async def test_exports_run_one_at_a_time_and_say_how_far_they_are(database: Database) -> None:
    await a_past(database)
    data, first, second = SqlPersonalData(database), Progress(), Progress()
    seen: list[tuple[int, int]] = []
    ask = database.query

    async def noting(question: Any) -> Any:
        seen.append((first.total, second.total))
        return await ask(question)

    with patch.object(database, "query", noting):
        whole, again = await asyncio.gather(data.export(ANA.user_id, first), data.export(ANA.user_id, second))
    assert whole == again
    assert first.total == second.total == len(whole["seats"]) > 1
    begun = [index for index, (_, other) in enumerate(seen) if other]
    assert len(seen) == 2 * (begun[0] - 1), "the second begins after the last question of the first"
