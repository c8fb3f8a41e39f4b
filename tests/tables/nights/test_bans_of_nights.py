"""Bans hold for what is planned: next week's night, rounds and waiting lists."""

import asyncio

import pytest

from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.rounds import Presence
from bot.tables.hub import PersonBanned
from tests.tables.nights.evening import GUILD, HOST, Evening, planned
from tests.tables.nights.test_live_nights import begun


async def test_the_next_night_of_a_series_leaves_out_a_person_banned_since() -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=1, round_minutes=2, is_weekly=True), 4)
    for user_id in (100, 101):
        await evening.live.update(night.id, lambda one, who=user_id: sign_up.comes_weekly(one, who, comes=True))
    await evening.until(night.id, lambda one: one.status is NightStatus.OVER)
    evening.bans.banned.add(100)
    await evening.hub.publish_and_wait(PersonBanned(GUILD, 100, 0, HOST, ""))
    assert not evening.now(night.id).entrants[0].comes_weekly
    await asyncio.sleep(25 * 60 * 60)
    (following,) = [one for one in evening.live.nights_in(GUILD) if one.id != night.id]
    assert [one.user_id for one in following.entrants] == [101]


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "by another process"])
async def test_no_round_seats_a_banned_person(is_told: bool) -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=1), 5)
    evening.bans.banned.add(100)
    if is_told:
        await evening.hub.publish_and_wait(PersonBanned(GUILD, 100, 0, HOST, ""))
    night = await evening.until(night.id, begun(1))
    assert 100 not in night.people
    assert not any(0 in table.seats for table in night.all_tables)


async def test_the_waiting_list_skips_a_banned_person() -> None:
    evening = Evening()
    night = await evening.night(planned(most=4), 6)
    assert [one.user_id for one in night.waiting] == [104, 105]
    evening.bans.banned.add(104)
    night = await evening.live.update(night.id, lambda one: sign_up.leave(one, 100))
    assert isinstance(night, Night)
    assert (night.entrants[4].presence, night.entrants[5].presence) == (Presence.OUT, Presence.IN)
