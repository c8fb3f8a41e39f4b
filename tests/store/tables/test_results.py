"""From the first deal to the ladder: a match that the event store ends is counted, once, with what its log tells."""

import asyncio
from dataclasses import asdict, replace

import pytest
from sqlalchemy import delete, func, select

from bot.base.errors import StoreError
from bot.base.settings import Settings
from bot.game.events import Event
from bot.ladder.columns import SeatTally
from bot.ladder.formula import FORMULA
from bot.ladder.seasons import LadderSetup, RankedRules, Schedule, SeasonLength
from bot.ladder.tally import tally
from bot.operating import operations
from bot.records.player import HelpLevel, Player
from bot.records.seasons import VoidCode
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.records.history import SqlArchive, SqlHistory, SqlSeasonRecords
from bot.store.schema.ladder import PlayerRow, PlayRow, StandingRow
from bot.store.schema.tables import PendingErasureRow, ResultRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.table_store import FormerSeat, SeatChanges
from tests.store.conftest import opened, scalars
from tests.store.counted_matches import SURE, assert_rebuilt_is_equal, emptied, standing
from tests.store.matches import BIG, PLACE, PLAYERS, a_match, lobby

PEOPLE = tuple(Player(name, BIG + number) for number, name in enumerate(("Ana", "Bruno", "Chloé", "Dora"), 10))


async def begun(
    database: Database, players: tuple[Player, ...] = PEOPLE, target: int = 10
) -> tuple[Lobby, tuple[Event, ...]]:
    """A classic match of so many points as it starts, and its whole log."""
    tables = SqlTableStore(database)
    events, _ = a_match(target=target)
    ranked_rules = await tables.ranked_rules(PLACE.guild_id, events[0].at)
    new = replace(lobby(target=target), players=players, ranked_rules=ranked_rules)
    playing = replace(new, id=await tables.create(new)).start()
    await tables.record_start(playing, events[:1])
    return playing, events


async def ended(database: Database, table: Lobby, events: tuple[Event, ...]) -> None:
    await SqlJournal(database).append(table.id, 2, events[1:], None)


async def plays(database: Database) -> dict[int, PlayRow]:
    async with database.transaction() as session:
        return {row.user_id - BIG: row for row in await session.scalars(select(PlayRow))}


async def test_a_friendly_win_counts_as_naked_eye_without_help_from_its_beginning(database: Database) -> None:
    """Not by who had some for a while, nor in a ranked match, where all are helped alike."""
    bare = tuple(replace(one, help_level=HelpLevel.BARE) for one in PEOPLE)
    tables, journal = SqlTableStore(database), SqlJournal(database)
    for is_friendly in (True, False):
        new = replace(lobby(target=10), players=bare, ranked_rules=RankedRules())
        playing = replace(new, id=await tables.create(new)).start(is_friendly=is_friendly)
        assert isinstance(playing, Lobby)
        events, state = a_match(target=10)
        await tables.record_start(playing, events[:1])
        for person in PEOPLE[2:] if is_friendly else ():
            for level in (HelpLevel.GUIDED, HelpLevel.BARE):
                playing = playing.choose_level(person.user_id or 0, level)
                assert isinstance(playing, Lobby)
        await tables.reseat(playing, SeatChanges(0))
        await journal.append(playing.id, 2, events[1:], None)
    assert state.winner is not None
    assert await scalars(database, "SELECT user_id FROM plays WHERE wins_without_marks > 0") == [
        PEOPLE[state.winner].user_id
    ]


async def test_a_ranked_match_is_counted_with_its_tallies(database: Database) -> None:
    table, events = await begun(database)
    await ended(database, table, events)
    found = await plays(database)
    tallies = tally(events)
    assert [row.seat for row in found.values()] == [0, 1, 2, 3]
    for row in found.values():
        assert {name: getattr(row, name) for name in asdict(tallies[0])} == asdict(tallies[row.seat])
        assert (row.is_ranked, row.season, row.rounds, row.ended_at) == (True, 1, row.rounds, events[-1].at)
        assert (row.outcome == 1) == (row.place == 0)
    assert sum(row.false_counters for row in found.values()) > 0
    assert {row.outcome for row in found.values()} == {1, -1}
    assert all(row.mu is not None for row in found.values())


async def test_a_short_match_is_ranked_and_moves_ratings_by_half(database: Database) -> None:
    moved = {}
    for target in (10, 5):
        await emptied(database)
        await ended(database, *await begun(database, target=target))
        moved[target] = [row.mu - FORMULA.mu for row in (await plays(database)).values() if row.is_ranked]
        await assert_rebuilt_is_equal(database)
    assert moved[5] == pytest.approx([by / 2 for by in moved[10]])
    assert len(moved[5]) == 4


@pytest.mark.parametrize(
    ("players", "setup"),
    [
        (PLAYERS, LadderSetup()),
        (PEOPLE, LadderSetup(RankedRules(presets=("yokai",)))),
        (PEOPLE, LadderSetup(RankedRules(sign_required=True))),
        (PEOPLE, LadderSetup(schedule=Schedule(SeasonLength.HAND))),
    ],
    ids=["robot", "preset", "sign", "no season"],
)
async def test_matches_with_robots_or_house_rules_or_outside_of_seasons_are_friendly(
    database: Database, players: tuple[Player, ...], setup: LadderSetup
) -> None:
    await SqlSeasonStore(database).choose(PLACE.guild_id, lambda _: setup, 1)
    table, events = await begun(database, players)
    await ended(database, table, events)
    assert {row.is_ranked for row in (await plays(database)).values()} == {False}
    assert await scalars(database, select(func.count()).where(PlayerRow.mu.is_not(None))) == [0]


async def test_a_season_that_ends_before_the_match_leaves_it_friendly(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await seasons.choose(PLACE.guild_id, lambda _: LadderSetup(schedule=Schedule(SeasonLength.HAND)), 1)
    await seasons.start(PLACE.guild_id, 1, "Été")
    table, events = await begun(database)
    await seasons.end(PLACE.guild_id, events[-1].at, 1)
    await ended(database, table, events)
    assert {(row.is_ranked, row.season) for row in (await plays(database)).values()} == {(False, 0)}


async def test_a_leaver_loses_and_the_substitute_is_not_ranked(database: Database, tables: SqlTableStore) -> None:
    table, events = await begun(database)
    ana, _, chloe, _ = PEOPLE
    winner = events[-1].winner  # type: ignore[union-attr]  # the last event ends the match
    leaver, partner = (ana, chloe) if winner == 1 else (PEOPLE[1], PEOPLE[3])
    seat = PEOPLE.index(leaver)
    stand_in = Player("Emil", BIG + 20)
    seated = replace(table, players=(*PEOPLE[:seat], stand_in, *PEOPLE[seat + 1 :]))
    for at in (5, 6):
        await tables.reseat(seated, SeatChanges(at, gone=((seat, leaver),)))
    await ended(database, table, events)
    found = await plays(database)
    gone, stayed, came = (found[player.user_id - BIG] for player in (leaver, partner, stand_in))  # type: ignore[operator]
    assert (gone.outcome, gone.has_left, gone.is_ranked, gone.seat) == (-1, True, True, seat)
    assert gone.has_left_early, "before the first round"
    assert (stayed.outcome, stayed.is_ranked, stayed.mu) == (-1, True, 25)
    assert (came.outcome, came.is_ranked, came.mu) == (-1, False, None)
    assert gone.mu < 25
    assert replace(SeatTally(), **{n: getattr(gone, n) for n in asdict(SeatTally())}) == SeatTally()
    await assert_rebuilt_is_equal(database)


async def test_the_partner_of_a_player_who_leaves_late_loses_rating(database: Database, tables: SqlTableStore) -> None:
    table, events = await begun(database)
    winner = events[-1].winner  # type: ignore[union-attr]  # the last event ends the match
    seat, at = 1 - winner, events[-2].at
    players = tuple(replace(player, is_away=number == seat) for number, player in enumerate(PEOPLE))
    await tables.reseat(replace(table, players=players), SeatChanges(at, gone=((seat, PEOPLE[seat]),)))
    await ended(database, table, events)
    found = await plays(database)
    assert found[10 + seat].has_left
    assert not found[10 + seat].has_left_early
    assert found[10 + (seat + 2) % 4].mu < 25
    await assert_rebuilt_is_equal(database)


async def test_a_player_who_comes_back_has_not_left(database: Database, tables: SqlTableStore) -> None:
    table, events = await begun(database)
    away = replace(PEOPLE[0], is_away=True)
    await tables.reseat(replace(table, players=(away, *PEOPLE[1:])), SeatChanges(5, gone=((0, PEOPLE[0]),)))
    assert (await tables.load(table.id)).players[0] == away  # type: ignore[union-attr]
    await tables.reseat(table, SeatChanges(6, back=(PEOPLE[0].user_id,)))  # type: ignore[arg-type]
    await ended(database, table, events)
    assert not any(row.has_left for row in (await plays(database)).values())


async def test_a_player_loses_when_a_robot_played_for_them_at_the_end(database: Database) -> None:
    table, events = await begun(database)
    winner = events[-1].winner  # type: ignore[union-attr]  # the last event ends the match
    away, partner = PEOPLE[winner], PEOPLE[winner + 2]
    players = tuple(replace(player, is_away=player == away) for player in PEOPLE)
    await SqlTableStore(database).reseat(replace(table, players=players), SeatChanges(5, gone=((winner, away),)))
    await ended(database, table, events)
    found = await plays(database)
    gone, stayed = (found[player.user_id - BIG] for player in (away, partner))  # type: ignore[operator]
    assert (gone.outcome, gone.has_left, stayed.outcome, stayed.has_left) == (-1, True, 1, False)
    assert len(found) == 4


async def test_leavers_are_known_by_seat(database: Database, tables: SqlTableStore) -> None:
    table, _ = await begun(database)
    gone = ((0, PEOPLE[0]), (1, PEOPLE[1]))
    await tables.reseat(table, SeatChanges(5, gone=gone, sent_away=PEOPLE[1].user_id))
    former = [await tables.former(table.id, player.user_id) for player in PEOPLE[:3]]
    assert former == [FormerSeat(0, was_removed=False), FormerSeat(1, was_removed=True), None]


@pytest.mark.both_databases
async def test_the_end_of_a_match_is_counted_once_when_it_is_saved_twice(database: Database) -> None:
    table, events = await begun(database)
    await ended(database, table, events)
    kept = await standing(database)
    twice = (SqlJournal(database).append(table.id, len(events), events[-1:], None) for _ in range(2))
    answers = await asyncio.gather(*twice, ended(database, table, events), return_exceptions=True)
    assert all(isinstance(answer, StoreError) for answer in answers)
    await SqlJournal(database).append(table.id, len(events) + 1, events[-1:], None)
    assert await standing(database) == kept
    assert await scalars(database, select(func.count()).select_from(ResultRow)) == [1]


async def test_kems_rebuild_standings_recomputes_all_ratings(address: str) -> None:
    async with opened(address) as database:
        await ended(database, *await begun(database))
        kept = await standing(database)
        async with database.transaction() as session:
            await session.execute(delete(StandingRow))
    settings = Settings(database_url=address)
    assert (await operations.rebuild_standings(settings)).endswith("were counted again. Finished matches: 1.")
    async with opened(address) as database:
        assert await standing(database) == kept
        async with database.transaction() as session:
            session.add(PendingErasureRow(user_id=7, stand_in=-7))
            await session.execute(delete(StandingRow))
    with pytest.raises(StoreError, match="only partly deleted yet: start the bot"):
        await operations.rebuild_standings(settings)
    async with opened(address) as database:
        assert not (await standing(database))["standings"], "nothing is done by halves"


async def test_a_host_chooses_when_a_rating_is_sure(database: Database) -> None:
    """At once for those who play, and with the rebuilt standings for all others."""
    table, events = await begun(database)
    soon = replace(FORMULA, sure_matches=1, sure_partners=1)
    await SqlJournal(database, formula=soon).append(table.id, 2, events[1:], None)
    user_id, guild_id = BIG + 10, PLACE.guild_id
    for formula, is_provisional in ((soon, False), (FORMULA, True), (soon, False)):
        stats = await SqlHistory(database, formula=formula).stats(guild_id, user_id, events[-1].at)
        assert stats.rating.is_provisional is is_provisional
        async with database.transaction() as session:
            rows = list(await session.scalars(select(StandingRow.is_provisional)))
        assert rows == [is_provisional] * 4
        await SqlRecount(database, formula=FORMULA if formula is soon else soon).rebuild()


async def broken_off(database: Database, *seats: int, ended_by: int | None = None) -> int:
    """A match that the players of these seats broke off in the midst of it, when Ana's team led; its table's id."""
    table, events = await begun(database)
    await SqlJournal(database).append(table.id, 2, events[1:40], None)
    players = tuple(replace(player, is_away=number in seats) for number, player in enumerate(PEOPLE))
    closed = replace(table, status=Status.CANCELLED, players=players)
    changes = SeatChanges(events[39].at, tuple((seat, PEOPLE[seat]) for seat in seats), ended_by=ended_by)
    await SqlTableStore(database).break_off(closed, changes)
    return table.id


@pytest.mark.parametrize("ended_by", [PEOPLE[1].user_id, None], ids=["at will", "by absence"])
async def test_the_leaders_win_a_match_that_a_trailing_player_ends(database: Database, ended_by: int | None) -> None:
    table_id = await broken_off(database, 1, ended_by=ended_by)
    assert {user: (row.outcome, row.is_ranked) for user, row in (await plays(database)).items()} == {
        10: (1, True), 11: (-1, True), 12: (1, True), 13: (-1, True)
    }  # fmt: skip
    told = await SqlHistory(database).match(table_id)
    assert told is not None
    assert (told.result.winner, [seat.seat for seat in told.losers]) == (0, [1, 3])
    await assert_rebuilt_is_equal(database)


async def test_nobody_wins_a_match_that_players_of_both_teams_end(database: Database) -> None:
    await broken_off(database, 0, 1)
    assert {user: row.outcome for user, row in (await plays(database)).items()} == {10: -1, 11: -1}


async def test_only_the_leaver_loses_a_ranked_match_that_is_broken_off(database: Database) -> None:
    table_id = await broken_off(database, 0)
    found = await plays(database)
    assert list(found) == [PEOPLE[0].user_id - BIG]  # type: ignore[operator]
    (lost,) = found.values()
    assert (lost.outcome, lost.has_left, lost.is_ranked, lost.season) == (-1, True, True, 1)
    assert lost.mu < 25
    (season,) = await SqlSeasonStore(database).list_all(PLACE.guild_id)
    (recorded,) = (await SqlSeasonRecords(database, formula=SURE).read(PLACE.guild_id, season, lost.ended_at)).matches
    assert (recorded.record.is_broken_off, recorded.record.result.winner) == (True, None)
    assert [(part.name, part.outcome, part.has_left) for part in recorded.parts] == [("Ana", -1, True)]
    history, archive = SqlHistory(database), SqlArchive(database)
    (told,) = (await history.history(PLACE.guild_id)).matches
    assert (told.id, told.is_broken_off) == (table_id, True)
    assert await archive.read(table_id) is None, "the hands of its last round were never laid open"
    kept = await standing(database)
    assert [row[-1] for row in kept["pairs"]] == []
    await SqlRecount(database).rebuild()
    assert await standing(database) == kept
    assert await SqlRecount(database).void(PLACE.guild_id, table_id, by_id=1, reason="", at=1) is VoidCode.VOIDED
    assert (await standing(database))["standings"] == []


async def test_a_player_who_left_before_the_end_loses_and_others_do_not(database: Database) -> None:
    table, _ = await begun(database)
    tables, robot = SqlTableStore(database), Player("Zoé", is_open=True)
    without = replace(table, players=(PEOPLE[0], robot, *PEOPLE[2:]))
    await tables.reseat(without, SeatChanges(5, gone=((1, PEOPLE[1]),)))
    stand_in = replace(table, players=(PEOPLE[0], Player("Emil", BIG + 20), *PEOPLE[2:]))
    await tables.reseat(stand_in, SeatChanges(6))
    await tables.reseat(without, SeatChanges(7, gone=((1, stand_in.players[1]),)))  # type: ignore[arg-type]  # a player
    await tables.break_off(replace(without, status=Status.CANCELLED), SeatChanges(1_800_000_060_000))
    assert {user: row.outcome for user, row in (await plays(database)).items()} == {11: -1}


@pytest.mark.parametrize("is_back", [False, True], ids=["host", "moderator who has left"])
async def test_only_the_player_who_ends_a_match_loses_it(database: Database, is_back: bool) -> None:
    table, _ = await begun(database)
    tables, robot = SqlTableStore(database), Player("Zoé", is_open=True)
    gone = ((0, PEOPLE[0]), (1, PEOPLE[1])) if is_back else ((1, PEOPLE[1]),)
    without = replace(table, players=(robot if is_back else PEOPLE[0], robot, *PEOPLE[2:]))
    await tables.reseat(without, SeatChanges(5, gone=gone, sent_away=PEOPLE[1].user_id))
    players = without.players if is_back else (replace(PEOPLE[0], is_away=True), robot, *PEOPLE[2:])
    leaving = () if is_back else ((0, PEOPLE[0]),)
    closed = replace(without, status=Status.CANCELLED, players=players)
    await tables.break_off(closed, SeatChanges(1_800_000_060_000, leaving, ended_by=PEOPLE[0].user_id))
    found = await plays(database)
    assert {user: (row.outcome, row.is_ranked) for user, row in found.items()} == {10: (-1, True)}
    await assert_rebuilt_is_equal(database)


@pytest.mark.parametrize("is_charged", [False, True])
async def test_a_match_is_friendly_when_a_moderator_has_removed_a_player(database: Database, is_charged: bool) -> None:
    table, events = await begun(database)
    removed = SeatChanges(5, gone=((1, PEOPLE[1]),), sent_away=PEOPLE[1].user_id)
    players = (PEOPLE[0], Player("Zoé", is_open=True), *PEOPLE[2:])
    await SqlTableStore(database).reseat(replace(table, players=players, is_ranked=is_charged), removed)
    again = await SqlTableStore(database).load(table.id)
    assert again.is_ranked is is_charged
    await ended(database, table, events)
    found = await plays(database)
    assert {row.is_ranked for row in found.values()} == {is_charged}
    assert (found[11].outcome, found[11].has_left) == (-1, True)
    assert all((row.mu is not None) is is_charged for row in found.values())
    await assert_rebuilt_is_equal(database)


async def test_a_match_that_is_broken_off_after_a_player_was_removed_counts_for_nobody(database: Database) -> None:
    table, _ = await begun(database)
    closed = replace(table, status=Status.CANCELLED, is_ranked=False)
    await SqlTableStore(database).break_off(closed, SeatChanges(1_800_000_060_000, ((1, PEOPLE[1]),)))
    assert await plays(database) == {}


@pytest.mark.parametrize("case", ["nobody left", "annulled", "friendly", "no season"])
async def test_a_broken_off_match_that_does_not_count_has_no_result(database: Database, case: str) -> None:
    if case == "annulled":
        table, _ = await begun(database)
        await SqlTableStore(database).reseat(table, SeatChanges(5, gone=((1, PEOPLE[1]),)))
        await SqlTableStore(database).save(replace(table, status=Status.CANCELLED))
    else:
        if case == "friendly":
            await SqlSeasonStore(database).choose(PLACE.guild_id, lambda _: LadderSetup(RankedRules(presets=())), 1)
        if case == "no season":
            await SqlSeasonStore(database).choose(
                PLACE.guild_id, lambda _: LadderSetup(schedule=Schedule(SeasonLength.HAND)), 1
            )
            await SqlSeasonStore(database).start(PLACE.guild_id, 1, "Été")
        table, _ = await begun(database)
        if case == "no season":
            await SqlSeasonStore(database).end(PLACE.guild_id, 1_800_000_050_000, 1)
        players = (replace(PEOPLE[0], is_away=True), *PEOPLE[1:])
        gone = () if case == "nobody left" else ((0, PEOPLE[0]),)
        closed = replace(table, status=Status.CANCELLED, players=players if gone else PEOPLE)
        await SqlTableStore(database).break_off(closed, SeatChanges(1_800_000_060_000, gone))
    assert await plays(database) == {}
    assert await scalars(database, select(func.count()).select_from(ResultRow)) == [0]
