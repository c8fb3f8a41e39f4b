"""When the boards of a season that is over change, what was told of it is due again, and what stands is not lost."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from bot.ladder.season_duties import DutyProblem, DutyReport, Progress, SeasonDuty, Task
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.privacy.personal_data import SqlPersonalData
from bot.store.schema import SeasonDutyRow
from tests.store.counted_matches import DAY, GUILD, Match, play
from tests.store.ladder.test_season_duties import ALL, FOUR, JUNE, due
from tests.store.ladder.test_season_store import APRIL, MAY

ROLE_GIVEN = DutyReport(Progress.DONE, digest="them")
SINCE_THE_SECOND = [(2, SeasonDuty.PODIUM), (3, SeasonDuty.PODIUM), (3, SeasonDuty.CHAMPION)]
REFUSED = DutyReport(Progress.DUE, DutyProblem.MAY_NOT_POST)


def posted(number: int) -> DutyReport:
    return DutyReport(Progress.DONE, channel_id=5, message_id=number, digest="that")


async def told(database: Database, *without: tuple[int, SeasonDuty]) -> list[int]:
    """Three seasons with a match each, the end of each told, but for what there was nothing to tell; the matches."""
    store = SqlSeasonDutyStore(database)
    ids = [await play(database, Match(FOUR, at=at - 1)) for at in (APRIL, MAY, JUNE)]
    await store.add_duties(JUNE + DAY)
    for task in await store.due(JUNE + DAY, most=ALL):
        done = posted(task.season.number) if task.duty is SeasonDuty.PODIUM else ROLE_GIVEN
        is_left_out = (task.season.number, task.duty) in without
        await store.note(task, DutyReport(Progress.NOTHING) if is_left_out else done, None)
    assert await due(database, 2 * JUNE) == []
    return ids


async def first(database: Database) -> Task:
    return (await SqlSeasonDutyStore(database).due(2 * JUNE, most=1))[0]


async def rows(database: Database, duty: SeasonDuty) -> list[tuple[str, str | None, int | None]]:
    async with database.transaction() as session:
        found = await session.scalars(select(SeasonDutyRow).order_by(SeasonDutyRow.season))
        return [(row.progress, row.digest, row.message_id) for row in found if row.duty == duty.value]


async def test_a_void_match_is_a_question_to_the_podiums_since_and_to_the_present_champion(database: Database) -> None:
    changes: list[str] = []
    ids = await told(database)
    await SqlRecount(database, changed=lambda: changes.append("now")).void(GUILD, ids[1], by_id=9, reason="", at=JUNE)
    assert await due(database, 1) == SINCE_THE_SECOND
    assert changes == ["now"]
    task = await first(database)
    assert (task.asked, task.digest, task.channel_id, task.message_id, task.tries) == (1, "that", 5, 2, 0)
    assert task.is_correction
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(1, SeasonDuty.PODIUM), *SINCE_THE_SECOND]


async def test_what_was_never_told_is_not_asked_for_again(database: Database) -> None:
    await told(
        database, (1, SeasonDuty.PODIUM), (2, SeasonDuty.PODIUM), (3, SeasonDuty.PODIUM), (3, SeasonDuty.CHAMPION)
    )
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(2, SeasonDuty.CHAMPION)], "the last one champion has the role"
    await SqlSeasonDutyStore(database).note(await first(database), ROLE_GIVEN, None)
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(2, SeasonDuty.CHAMPION)]


async def test_a_question_that_comes_while_it_is_told_is_not_lost(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await play(database, Match(FOUR, at=APRIL - 1))
    await store.add_duties(APRIL + DAY)
    for report in (REFUSED, posted(7)):
        task = await first(database)
        await SqlRecount(database).rebuild()
        await store.note(task, report, None)
        again = await first(database)
        assert (again.duty, again.asked) == (SeasonDuty.PODIUM, task.asked + 1)
    assert (again.digest, again.channel_id, again.message_id) == ("that", 5, 7), "where it stands is known"
    await store.note(again, posted(7), None)
    assert await due(database, 2 * JUNE) == [(1, SeasonDuty.CHAMPION)]


async def test_what_cannot_be_corrected_stays_where_it_stands(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    ids = await told(database)
    await SqlRecount(database).void(GUILD, ids[2], by_id=9, reason="", at=JUNE)
    task = await first(database)
    await store.note(task, REFUSED, JUNE + 5)
    assert (await store.podium(GUILD, 3)).message_id == 3
    (trouble,) = await store.troubles(GUILD)
    assert (trouble.is_correction, trouble.is_given_up) == (True, False)
    assert (await first(database)).tries == 1
    await store.note(await first(database), DutyReport(Progress.GIVEN_UP, DutyProblem.MAY_NOT_POST), None)
    assert (await store.podium(GUILD, 3)).message_id == 3
    await SqlRecount(database).rebuild()
    assert (await store.due(1, most=ALL))[2] == replace(task, asked=2), "the next change is tried again"


async def test_a_podium_that_was_deleted_is_let_go(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await told(database)
    await SqlRecount(database).rebuild()
    await store.note(await first(database), DutyReport(Progress.NOTHING), None)
    assert await store.podium(GUILD, 1) == DutyReport(Progress.NOTHING)
    await SqlRecount(database).rebuild()
    assert (1, SeasonDuty.PODIUM) not in await due(database, 1)


async def test_where_a_season_has_no_champion_any_more_it_is_the_one_before(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    ids = await told(database, (1, SeasonDuty.CHAMPION))
    assert await rows(database, SeasonDuty.CHAMPION) == [
        ("nothing", None, None),
        ("done", "", None),
        ("done", "them", None),
    ]
    await SqlRecount(database).void(GUILD, ids[2], by_id=9, reason="", at=JUNE)
    last = (await store.due(1, most=ALL))[-1]
    await store.note(last, DutyReport(Progress.NOTHING), None)
    assert (2, SeasonDuty.CHAMPION) in await due(database, 1)
    again = next(task for task in await store.due(1, most=ALL) if task.duty is SeasonDuty.CHAMPION)
    assert again.digest == "", "who has the role now is not known"
    await store.note(again, DutyReport(Progress.NOTHING), None)
    assert [duty for _, duty in await due(database, 1)] == [SeasonDuty.PODIUM], "nobody is champion"


@pytest.mark.parametrize("is_forgotten", [True, False])
async def test_who_leaves_the_boards_leaves_podiums_too(database: Database, is_forgotten: bool) -> None:
    changes: list[str] = []
    privacy = SqlPersonalData(database, changed=lambda: changes.append("now"))
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2))
    await told(database)
    if is_forgotten:
        await privacy.forget(12)
    else:
        await privacy.hide(GUILD, 12, "player 12", is_hidden=True)
    assert await due(database, 1) == [(1, SeasonDuty.PODIUM), *SINCE_THE_SECOND]
    assert changes == ["now"]


async def test_who_was_on_no_board_changes_no_podium(database: Database) -> None:
    privacy = SqlPersonalData(database)
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2, ranked=False))
    await play(database, Match((1, 2, 3, 15), at=APRIL - 2, guild=GUILD + 1))
    await told(database)
    for user_id in (11, 15):
        await privacy.hide(GUILD, user_id, "", is_hidden=True)
        await privacy.forget(user_id)
    assert await due(database, 1, GUILD) == []
