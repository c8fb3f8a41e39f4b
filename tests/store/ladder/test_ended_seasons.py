"""Seasons that are over are due until they are shown as their boards are, whatever changes meanwhile; champions."""

from dataclasses import replace

import pytest

from bot.ladder.seasons import LadderSetup, Schedule, Season, SeasonLength
from bot.records.seasons import Champion, EndedSeason
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlChampionStore, SqlSeasonStore
from bot.store.nights import SqlNightStore
from bot.store.privacy import SqlPersonalData
from tests.nights.evenings import planned
from tests.store.counted_matches import DAY, GUILD, Match, play
from tests.store.ladder.test_season_store import APRIL, MARCH, MAY, ms

FOUR = (1, 2, 3, 4)
JUNE = ms(2026, 6, 1)


async def due(database: Database, at: int = 2 * JUNE, guild_id: int = GUILD) -> list[int]:
    """The numbers of the seasons of a server that ended by then and are due."""
    seasons, numbers, asked = SqlSeasonStore(database), [], 0
    for season in reversed(await seasons.list_all(guild_id)):
        if season.ends_at is not None and season.ends_at <= at:
            asks = (await seasons.due_servers(season.ends_at)).get(guild_id, 0)
            numbers += [season.number] if asks != asked else []
            asked = asks
    return numbers


async def show(database: Database, at: int = 2 * JUNE, guild_id: int = GUILD) -> None:
    """All podiums of a server are shown; their messages have the numbers of the seasons."""
    for ended in await SqlSeasonStore(database).seasons_to_show(guild_id, at):
        shown = replace(ended, channel_id=5, message_id=ended.season.number, podium_digest="that")
        await SqlSeasonStore(database).save_podium(shown, is_shown=True)
    assert await due(database, at, guild_id) == []


async def three_seasons(database: Database) -> list[int]:
    """Three seasons with a match each, which are shown; the matches."""
    ids = [await play(database, Match(FOUR, at=at - 1)) for at in (APRIL, MAY, JUNE)]
    await show(database)
    return ids


async def test_a_podium_is_due_from_the_seasons_end_until_it_is_shown(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await play(database, Match(FOUR, at=APRIL - 1))
    assert await due(database, APRIL - 1) == []
    assert await due(database, APRIL) == [1]
    (ended,) = await seasons.seasons_to_show(GUILD, APRIL)
    assert ended == EndedSeason(GUILD, Season(1, MARCH, APRIL))
    await seasons.save_podium(replace(ended, channel_id=5), is_shown=False)
    assert await due(database, APRIL) == [1]
    await show(database, APRIL)
    assert await seasons.seasons_to_show(GUILD, MAY) == (
        replace(ended, channel_id=5, message_id=1, podium_digest="that"),
    )
    assert await due(database, APRIL, GUILD + 1) == []
    await seasons.save_podium(await last(database), is_shown=False)
    assert await due(database, APRIL) == [1], "it is not seen any more"


async def last(database: Database) -> EndedSeason:
    ended = await SqlSeasonStore(database).last_ended(GUILD, 2 * JUNE)
    assert ended is not None
    return ended


async def test_the_podium_of_a_season_without_matches_is_never_due(database: Database) -> None:
    assert await due(database, MAY) == []
    assert await SqlSeasonStore(database).last_ended(GUILD, MAY) is None


async def test_a_podium_is_due_at_once_after_an_end_by_hand(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await seasons.rename(GUILD, MARCH + 5, 1, "Mars")
    ended = await seasons.end(GUILD, MARCH + 10, 1)
    assert ended == Season(1, MARCH, MARCH + 10, "Mars")
    assert await due(database, MARCH + 10) == [1]
    await show(database)
    shown = await seasons.last_ended(GUILD, MARCH + 20)
    assert (shown and shown.message_id) == 1


async def test_the_next_end_is_the_earliest_of_all_calendars_and_seasons(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    assert await seasons.next_end(MARCH + DAY) == APRIL, "of servers that have chosen nothing"
    assert await seasons.next_end(APRIL) == MAY
    await seasons.choose(GUILD, lambda _: LadderSetup(schedule=Schedule(SeasonLength.MONTH, "Asia/Tokyo")), MARCH)
    assert await seasons.next_end(MARCH + DAY) == APRIL - 7 * 3_600_000


async def test_another_schedule_changes_the_next_end(database: Database) -> None:
    told: list[str] = []
    seasons = SqlSeasonStore(database, changed=lambda: told.append("changed"))
    await seasons.choose(GUILD, lambda setup: setup, MARCH)
    assert told == ["changed"]


async def test_the_holders_of_the_role_are_known(database: Database) -> None:
    champions = SqlChampionStore(database)
    first, second, away = (Champion(GUILD, 1, 7), Champion(GUILD, 2, 7), Champion(GUILD + 1, 1, 8))
    assert not await champions.add(first), "nobody is known who never played, or asked to be forgotten"
    await play(database, Match(FOUR, at=MARCH))
    await play(database, Match(FOUR, at=MARCH, guild=GUILD + 1))
    for champion in (first, second, away, first):
        assert await champions.add(champion)
    assert await champions.of_server(GUILD) == (first, second)
    assert await champions.of_erased() == ()
    await champions.add(replace(first, season=4))
    assert await champions.of_server(GUILD) == (replace(first, season=4), second)
    await champions.add(replace(first, role_id=9))
    await champions.remove(first)
    assert await champions.of_server(GUILD) == (replace(first, role_id=9), second), "that was another role"
    await champions.remove(second)
    is_of_night = replace(first, is_of_night=True)
    assert await champions.add(is_of_night)
    await champions.remove(replace(is_of_night, role_id=9))
    assert await champions.of_server(GUILD) == (replace(first, role_id=9), is_of_night), "one of each"


async def test_a_person_who_only_signed_up_for_a_night_may_hold_its_role(database: Database) -> None:
    champions, nights = SqlChampionStore(database), SqlNightStore(database)
    night = replace(planned(1), guild_id=GUILD)
    created = await nights.create(replace(night, entrants=()))
    await nights.save(replace(created, entrants=night.entrants, version=1))
    winner = Champion(GUILD, 100, 7, is_of_night=True)
    assert not await champions.add(replace(winner, guild_id=GUILD + 1)), "in that server alone"
    assert await champions.add(winner)
    assert "7" in str((await SqlPersonalData(database).export(100))["champion_roles"])
    await SqlPersonalData(database).erase(100)
    assert await champions.of_erased() == (winner,)
    assert not await champions.add(winner), "who asked to be forgotten is not known any more"


async def test_a_void_match_makes_the_podiums_of_its_season_and_later_ones_due(database: Database) -> None:
    changes: list[str] = []
    ids = await three_seasons(database)
    await SqlRecount(database, changed=lambda: changes.append("now")).void(GUILD, ids[1], by_id=9, reason="", at=JUNE)
    assert await due(database) == [2, 3]
    assert changes == ["now"]
    second, third = await SqlSeasonStore(database).seasons_to_show(GUILD, 2 * JUNE)
    assert (second.message_id, second.podium_digest, third.message_id) == (2, "that", 3), "what stands is known"
    asks = await SqlSeasonStore(database).due_servers(2 * JUNE)
    await SqlRecount(database).rebuild()
    assert await due(database) == [1, 2, 3]
    assert await SqlSeasonStore(database).due_servers(2 * JUNE) != asks, "a server that waits is looked at again"


async def test_a_change_that_comes_while_a_podium_is_posted_is_not_lost(database: Database) -> None:
    await three_seasons(database)
    before = await last(database)
    await SqlRecount(database).rebuild()
    for ended in (before, *(await SqlSeasonStore(database).seasons_to_show(GUILD, 2 * JUNE))[:2]):
        await SqlSeasonStore(database).save_podium(ended, is_shown=True)
    assert await due(database) == [3]


@pytest.mark.parametrize("is_forgotten", [True, False])
async def test_a_player_who_leaves_the_boards_leaves_podiums_too(database: Database, is_forgotten: bool) -> None:
    changes: list[str] = []
    privacy = SqlPersonalData(database, changed=lambda: changes.append("now"))
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2))
    await three_seasons(database)
    await (privacy.erase(12) if is_forgotten else privacy.hide(GUILD, 12, "player 12", is_hidden=True))
    assert await due(database) == [1, 2, 3]
    assert changes == ["now"]


async def test_a_player_who_was_on_no_board_changes_no_podium(database: Database) -> None:
    privacy = SqlPersonalData(database)
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2, ranked=False))
    await play(database, Match((1, 2, 3, 15), at=APRIL - 2, guild=GUILD + 1))
    await three_seasons(database)
    for user_id in (11, 15):
        await privacy.hide(GUILD, user_id, "", is_hidden=True)
        await privacy.erase(user_id)
    assert await due(database) == []
