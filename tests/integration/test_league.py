"""The league of a season over its nights: on the podium, in the review, by command."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.base.times import HOUR_MS
from bot.records.league import Scale
from bot.store.nights import SqlNightStore
from bot.tables.servers.settings import NO_LEAGUE
from tests.integration.evening import MINUTE, Evening
from tests.integration.fuzzing import STRANGER
from tests.integration.harness import CHLOE, LEA
from tests.integration.mishaps import hide
from tests.integration.table import settings_for
from tests.integration.test_config import choose
from tests.store.conftest import opened


async def test_nights_of_a_season_make_a_league(evening: Evening, tmp_path: Path) -> None:
    harness, lea = evening.harness, evening.harness[LEA]

    async def league(**chosen: int) -> str:
        return await lea.ask("kems leaderboard", board="league", **chosen)

    assert "Aucune soirée de cette saison n'est finie." in await league()
    await evening.begun(rounds="1")
    await evening.enter(1, "10-4")
    await evening.enter(2, "3 à 10")
    await harness.advance(5 * MINUTE)
    (podium,) = (seen for seen in evening.host.messages() if "remportent la soirée" in seen.text)
    assert "Championnat" not in podium.text, "one night is its own podium"
    night = evening.night()
    earlier = replace(night.plan, starts_at=night.plan.starts_at - HOUR_MS)
    async with opened(settings_for(tmp_path).database_url) as database:
        await SqlNightStore(database).create(replace(night, plan=earlier, is_wound_up=True))
        await SqlNightStore(database).create(replace(night, guild_id=7, is_wound_up=True))
        await evening.enter(1, "11-4")
        await harness.advance(5)
        told = evening.again(podium).text
        assert "🏅 Championnat après 2 soirées : 1. **" in told
        assert "leaderboard" in told or "classement" in told
        shown = await league()
        assert "Saison 1" in shown
        assert "toutes les soirées comptent · 10, 8, 6, 5, 4, 3, 2, puis 1 selon la place" in shown
        found = re.findall(r"1\. \S+ — (\d+) \((\d+) \+ (\d+)\)", shown)
        assert {int(points) - int(one) - int(other) for points, one, other in found} == {0}
        assert len(re.findall(r"\d\. \S+ — ", shown)) == 8
        assert "Il n'y a pas de saison" in await league(season=9)
        await harness[CHLOE].slash("kems privacy boards", shown=False)
        assert CHLOE not in await league()
        await choose(database, harness, league_best=1, league_scale=Scale.FLAT)
        assert re.search(r"1\. \S+ — 5 \(5 \([53]\)\)", await league())
        await choose(database, harness, league_best=NO_LEAGUE)
        assert "pas de championnat" in await league()
        await evening.enter(1, "12-4")
        await harness.advance(5)
        assert "Championnat" not in evening.again(podium).text


@pytest.mark.parametrize("part", ["channel_id", "announce_id"])
async def test_the_league_leaves_a_night_out_when_its_channel_is_hidden_from_everyone(
    evening: Evening, tmp_path: Path, part: str
) -> None:
    harness, stranger = evening.harness, evening.harness[STRANGER]
    hidden = harness.guild.create_text_channel("coulisses")
    hide(harness, hidden.id)
    await evening.begun(rounds="1")
    await evening.enter(1, "10-4")
    await evening.enter(2, "3 à 10")
    await harness.advance(5 * MINUTE)
    night = evening.night()
    plan = replace(night.plan, starts_at=night.plan.starts_at - HOUR_MS, **{part: hidden.id})
    async with opened(settings_for(tmp_path).database_url) as database:
        await SqlNightStore(database).create(replace(night, plan=plan, is_wound_up=True))
        assert " + " not in await stranger.ask("kems leaderboard", board="league")
        await choose(database, harness, counts_hidden_nights=True)
        assert " + " in await stranger.ask("kems leaderboard", board="league")
