"""Standings are updated with every match, and equal what a recount of all matches gives."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from bot.ladder.columns import SeatTally
from bot.ladder.formula import FORMULA
from bot.ladder.seasons import Season
from bot.records.seasons import VoidCode
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.records.history import SqlHistory
from bot.store.schema.ladder import PairRow, PlayerRow, PlayRow, StandingRow, VoidRow
from tests.examples import examples
from tests.store.counted_matches import DAY, GUILD, NOW, Match, emptied, play, play_all, saved_seasons, standing

USERS = range(1, 7)
BOUNDARY = NOW + 20 * DAY
EXAMPLES = settings(
    max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

TALLIES = st.builds(SeatTally, **{name: st.integers(0, 3) for name in ("kems", "kems_ms", "counters", "baits")})


@st.composite
def histories(draw: st.DrawFn) -> list[Match]:
    """Matches of a few people over two seasons, some broken off; now and then the order of their ends differs."""
    at, matches = NOW, []
    for _ in range(draw(st.integers(1, 8))):
        at += draw(st.integers(-1, 12)) * DAY
        users = tuple(draw(st.permutations(USERS))[: draw(st.sampled_from([4, 4, 6]))])
        is_broken_off = draw(st.sampled_from([False, False, True]))
        few = st.sets(st.sampled_from(range(4)), min_size=1, max_size=2)
        matches.append(
            Match(
                users,
                tuple(draw(st.lists(st.integers(0, 2), min_size=2, max_size=2))),
                max(at, NOW),
                ranked=is_broken_off or draw(st.sampled_from([True, True, False])),
                left=frozenset() if is_broken_off else frozenset(draw(st.sets(st.sampled_from(range(4)), max_size=1))),
                is_late=draw(st.booleans()),
                tallies=tuple(draw(TALLIES) for _ in users),
                lost_by=frozenset(draw(few)) if is_broken_off else frozenset(),
            )
        )
    return matches


async def prepared(database: Database) -> None:
    await emptied(database)
    await saved_seasons(database, (NOW, BOUNDARY), (BOUNDARY, None))


@EXAMPLES
@given(histories())
async def test_standings_kept_match_by_match_equal_rebuilt_ones(database: Database, matches: list[Match]) -> None:
    await prepared(database)
    await play_all(database, matches)
    kept = await standing(database)
    assert kept["standings"]
    assert await SqlRecount(database).rebuild() == len(matches)
    assert await standing(database) == kept


@EXAMPLES
@given(histories(), st.data())
async def test_a_void_match_counts_as_never_played(
    database: Database, matches: list[Match], data: st.DataObject
) -> None:
    out = data.draw(st.integers(0, len(matches) - 1))
    ids = list(range(101, 101 + len(matches)))
    await prepared(database)
    await play_all(database, matches[:out] + matches[out + 1 :], ids[:out] + ids[out + 1 :])
    never = await standing(database)
    await prepared(database)
    await play_all(database, matches, ids)
    answer = await SqlRecount(database).void(GUILD, ids[out], by_id=9, reason="cheated", at=NOW)
    assert answer is VoidCode.VOIDED
    assert await standing(database) == never
    await SqlRecount(database).rebuild()
    assert await standing(database) == never


def turned(match: Match) -> Match:
    """The same match with the teams in the other order: everybody sits one seat further."""
    size = len(match.users)
    return replace(
        match,
        users=(match.users[-1], *match.users[:-1]),
        tallies=(match.tallies[-1], *match.tallies[:-1]),
        scores=match.scores[::-1],
        left=frozenset((seat + 1) % size for seat in match.left),
        lost_by=frozenset((seat + 1) % size for seat in match.lost_by),
    )


@EXAMPLES
@given(histories())
async def test_the_order_of_the_teams_does_not_matter(database: Database, matches: list[Match]) -> None:
    found = []
    for played in (matches, [turned(match) for match in matches]):
        await prepared(database)
        ids = list(range(101, 101 + len(played)))
        await play_all(database, played, ids)
        found.append(await standing(database))
    for derived in ("standings", "pairs", "players"):
        assert found[0][derived] == found[1][derived]


async def test_a_match_counts_for_everybody_in_it(database: Database) -> None:
    tallies = tuple(SeatTally(kems=seat, counters=seat + 1, baits=2 * seat) for seat in range(4))
    await play(database, Match((1, 2, 3, 4), (10, 4), tallies=tallies))
    await play(database, Match((1, 2, 3, 4), (3, 3), at=NOW + 1, tallies=tallies))
    async with database.transaction() as session:
        rows = {row.user_id: row for row in await session.scalars(select(StandingRow))}
        pairs = {(row.low_id, row.high_id): row for row in await session.scalars(select(PairRow))}
        players = {row.user_id: row for row in await session.scalars(select(PlayerRow))}
    assert [(rows[user].matches, rows[user].wins, rows[user].draws) for user in (1, 2)] == [(2, 1, 1), (2, 0, 1)]
    assert [(row.kems, row.counters, row.baits, row.rounds) for _, row in sorted(rows.items())] == [
        (0, 2, 0, 6),
        (2, 4, 4, 6),
        (4, 6, 8, 6),
        (6, 8, 12, 6),
    ]
    assert (pairs[1, 3].together, pairs[1, 3].together_wins, pairs[1, 3].against) == (2, 1, 0)
    assert (pairs[2, 3].together, pairs[2, 3].against, pairs[2, 3].low_wins, pairs[2, 3].high_wins) == (0, 2, 0, 1)
    assert (players[1].name, players[1].matches, players[1].partners) == ("player 1", 2, "[3]")
    assert rows[1].displayed_rating > FORMULA.base > rows[2].displayed_rating
    assert (rows[1].season, rows[1].is_ranked, rows[1].is_provisional) == (1, True, True)


async def test_a_friendly_match_changes_no_rating(database: Database) -> None:
    await play(database, Match((1, 2, 3, 4)))
    before = await standing(database)
    await play(database, Match((1, 2, 3, 4), ranked=False, at=NOW + 1))
    after = await standing(database)
    assert after["players"] == before["players"]
    assert [row for row in after["standings"] if row in before["standings"]] == before["standings"]
    assert len(after["standings"]) == 8


async def test_a_new_season_begins_from_nothing_and_goes_on_with_the_ratings(database: Database) -> None:
    await prepared(database)
    await play(database, Match((1, 2, 3, 4), at=BOUNDARY - 1))
    await play(database, Match((5, 6, 3, 4), at=BOUNDARY))
    async with database.transaction() as session:
        rows = await session.execute(select(StandingRow.season, StandingRow.user_id, StandingRow.matches))
        assert sorted(tuple(row) for row in rows) == [(1, u, 1) for u in (1, 2, 3, 4)] + [
            (2, u, 1) for u in (3, 4, 5, 6)
        ]
        plays = {(p.table_id, p.user_id): p for p in await session.scalars(select(PlayRow))}
        three = [play for (_, user), play in sorted(plays.items()) if user == 3]
        five = [play for (_, user), play in plays.items() if user == 5]
    assert [play.season for play in three] == [1, 2]
    # Who has won before is stronger than a newcomer, also in the new season.
    assert three[1].mu > five[0].mu
    assert three[1].displayed_rating == round(FORMULA.base + FORMULA.scale * (three[1].mu - 3 * three[1].sigma))


async def test_the_same_opponents_weigh_less_within_a_week(database: Database) -> None:
    async def gain(*matches: Match) -> float:
        await emptied(database)
        ids = await play_all(database, matches)
        async with database.transaction() as session:
            mus = (
                select(PlayRow.mu)
                .where(PlayRow.user_id == 1, PlayRow.table_id.in_(ids[-2:]))
                .order_by(PlayRow.table_id)
            )
            before, after = (await session.scalars(mus)).all()
            return after - before

    first = Match((1, 2, 3, 4))
    again = await gain(first, replace(first, at=NOW + DAY))
    shuffled = await gain(first, replace(first, users=(3, 4, 1, 2), at=NOW + DAY))
    week = await gain(first, replace(first, at=NOW + 7 * DAY))
    one_other = await gain(first, replace(first, users=(1, 2, 5, 4), at=NOW + DAY))
    friendly = await gain(replace(first, ranked=False), first, replace(first, at=NOW + DAY))
    assert again == pytest.approx(shuffled)
    assert again == pytest.approx(friendly)
    assert again == pytest.approx(week * FORMULA.repeat)
    assert one_other < again * 1.2, "one other account does not make it weigh in full"


async def test_several_matches_are_void_at_once(database: Database) -> None:
    ids = await play_all(database, [Match((1, 2, 3, 4), at=NOW + number) for number in range(3)])
    history, recounts = SqlHistory(database), SqlRecount(database)
    assert await recounts.void(GUILD, *ids[:2], 99, by_id=9, reason="", at=NOW) is VoidCode.VOIDED
    assert (await history.point_sources(GUILD, [1], Season(1, NOW, None)))[1].latest == (ids[2],)
    assert await recounts.void(GUILD, ids[0], by_id=9, reason="", at=NOW) is VoidCode.ALREADY_VOID


async def test_a_match_is_declared_void_once_and_only_in_its_own_server(database: Database) -> None:
    table_id = await play(database, Match((1, 2, 3, 4)))
    recounts = SqlRecount(database)
    assert await recounts.void(GUILD + 1, table_id, by_id=9, reason="", at=NOW) is VoidCode.NO_MATCH
    assert await recounts.void(GUILD, table_id + 1, by_id=9, reason="", at=NOW) is VoidCode.NO_MATCH
    assert await recounts.void(GUILD, table_id, by_id=9, reason="a bot", at=NOW + 5) is VoidCode.VOIDED
    assert await recounts.void(GUILD, table_id, by_id=9, reason="", at=NOW) is VoidCode.ALREADY_VOID
    async with database.transaction() as session:
        row = (await session.scalars(select(VoidRow))).one()
        assert (row.table_id, row.by_id, row.reason, row.at) == (table_id, 9, "a bot", NOW + 5)
        assert await session.scalar(select(func.count()).select_from(StandingRow)) == 0
