"""People who left the server: they take no place in a night, and a night whose planner is gone has other hosts."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.integration.evening import EIGHT, MINUTE, Evening, in_paris
from tests.integration.harness import BRUNO, LEA
from tests.integration.mishaps import refuse
from tests.integration.table import settings_for
from tests.integration.test_config import choose
from tests.integration.test_no_threads import MANY
from tests.store.conftest import opened


async def leave(evening: Evening, name: str) -> None:
    harness = evening.harness
    harness.env.backend.remove_member(harness.guild.id, harness[name].id)
    await harness.settle()


async def test_a_member_who_left_the_server_gives_their_place_to_the_waiting_list(evening: Evening) -> None:
    await evening.published()
    await evening.edit(in_paris(evening.night().plan.starts_at / 1000), most="4")
    await evening.join(*EIGHT[:6])
    await leave(evening, BRUNO)
    await evening.harness.advance(46 * MINUTE)
    (asked,) = evening.questions()
    assert f"<@{evening.harness[BRUNO].id}>" not in asked.text
    assert "sur 4" in asked.text
    await evening.harness.advance(14 * MINUTE + 20)
    night = evening.night()
    seated = {night.entrants[at].name for table in night.rounds[-1].tables for at in table.people()}
    assert seated == {EIGHT[0], *EIGHT[2:5]}


async def test_a_host_sees_only_members_who_are_still_in_the_server(evening: Evening) -> None:
    await evening.published()
    await evening.join(*EIGHT[:4])
    assert BRUNO in (await evening.press("night_host", evening.message())).text
    await leave(evening, BRUNO)
    await evening.harness.advance(61)
    panel = await evening.press("night_host", evening.message())
    assert BRUNO not in panel.text
    await evening.harness.advance(5)
    assert BRUNO not in evening.message().text


@pytest.mark.parametrize("gone", ["left", "timeout", "banned"])
async def test_the_role_for_hosts_is_mentioned_when_the_planner_is_gone(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gone: str
) -> None:
    harness = evening.harness
    role = harness.guild.create_role("Animateurs")
    harness.env.backend.add_member_role(harness.guild.id, harness[BRUNO].id, role.id)
    async with opened(settings_for(tmp_path).database_url) as database:
        await choose(database, harness, hosts_role=role.id)
    await evening.published()
    await evening.join(*EIGHT[1:])
    if gone == "left":
        await leave(evening, LEA)
    elif gone == "banned":
        await harness.bot.rooms.directory.bans.ban(harness.guild.id, evening.host.id, 7, 1, "")
    else:
        until = harness.now() + timedelta(days=1)
        harness.env.backend.edit_member(harness.guild.id, evening.host.id, {"timed_out_until": until.isoformat()})
    with refuse(monkeypatch, "POST", "/threads", MANY):
        await harness.advance(61 * MINUTE)
        seen = harness[BRUNO].messages()
        (call,) = (one for one in seen if "Discord n'ouvre pas de fil" in one.text)
        assert f"<@&{role.id}>" in call.text
        assert f"<@{evening.host.id}>" not in call.text
        assert "autant de fils ouverts" in (await evening.press("night_host", call, BRUNO)).text
