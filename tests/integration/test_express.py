"""A whole Friday that nobody hosts: planned, played, told, and announced again on Monday."""

from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import discord

from bot.nights.changes import Duty
from bot.nights.night import NightStatus
from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import BRUNO, EVERYBODY, LEA, Harness, Seen

CHLOE = EVERYBODY[2]
IDLE_S = 100
"""So often somebody does something who is there."""
PARIS = ZoneInfo("Europe/Paris")


async def announced(evening: Evening) -> Seen:
    await evening.host.slash("kems night")
    await evening.host.click("⚡ Vendredi 21 h…", evening.panel())
    await evening.press("night_publish", evening.panel())
    await evening.harness.advance(3)
    return evening.message()


async def play(evening: Evening, *names: str) -> None:
    """Until the night is over these people make a gesture now and then at their tables; all others do nothing."""
    harness, home = evening.harness, evening.harness.channel
    for _ in range(60 * MINUTE // IDLE_S):
        await harness.advance(IDLE_S)
        if evening.night().status is NightStatus.OVER:
            break
        for name in names:
            own = evening.night().entrant_of(harness[name].id)
            table = None if own is None else evening.night().table_of(own.number)
            if table is not None and table.table_id is not None:
                harness.channel = next(one for one in home.threads if one.id == table.thread_id)
                await harness[name].slash("kems sign", gesture="🎲")
    harness.channel = home
    await harness.advance(20)


def posts(harness: Harness, words: str) -> list[Seen]:
    return [
        seen for seen in harness[LEA].messages() if words in seen.text.replace("\u00a0", " ") and not seen.ephemeral
    ]


async def test_a_weekly_night_runs_by_itself_from_its_plan_to_the_next_one(evening: Evening) -> None:
    harness = evening.harness
    message = await announced(evening)
    assert "est annoncée" in evening.panel().text
    assert "Vous êtes inscrit aussi." in evening.panel().text
    assert [entrant.name for entrant in evening.night().present] == [LEA]
    await evening.press("night_leave", evening.panel())
    assert evening.night().present == (), "who only organizes stands down with one press"
    assert "Vendredi Kem's" in message.text
    assert "3 rondes de 10 min · tables de 8" in message.text.replace("\u00a0", " ")
    plan = evening.night().plan
    begins = datetime.fromtimestamp(plan.starts_at / 1000, PARIS)
    assert (begins.weekday(), begins.hour, begins.minute) == (4, 21, 0)
    people = EIGHT[1:]
    await evening.join(*people)
    await harness.advance((plan.starts_at - harness.milliseconds()) / 1000 - 10 * MINUTE)
    (check_in,) = posts(harness, "commence <t:")
    for name in (BRUNO, CHLOE):
        await evening.press("night_ready", check_in, name)
    await harness.advance(10 * MINUTE + 10)
    night = evening.night()
    assert night.round is not None
    assert [len(table.seats) for table in night.round.tables] == [8], "one table, a robot at the free seat"
    await play(evening, BRUNO, CHLOE)
    night = evening.night()
    assert night.status is NightStatus.OVER
    assert len(night.rounds) == 3
    assert (night.ended_at or 0) - plan.starts_at <= 50 * MINUTE * 1000
    ends = [*posts(harness, "remporte"), *posts(harness, "🌙 La soirée est finie. ")]  # with a winner or without
    assert len(ends) == 1
    assert Duty.HONOUR in night.done, "what stood out is found at once"
    assert not posts(harness, "La soirée en bref")

    await harness.advance(60 * 60 * 60)
    monday = datetime.fromtimestamp(harness.milliseconds() / 1000, PARIS)
    assert (monday.weekday(), monday.hour >= 9) == (0, True)
    await harness.advance(3 * 60 * MINUTE)
    (row,) = posts(harness, "Vendredi Kem's : **2** joueurs")
    assert "La prochaine soirée" in row.text
    coming = [one for one in evening.sign_ups() if one.id != message.id]
    assert len(coming) == 1
    assert "Encore personne" in coming[0].text


async def test_two_people_who_are_the_only_ones_may_play_as_partners(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await announced(evening)
    await evening.join(BRUNO)
    await harness.advance(5)
    await evening.press("night_mine", evening.message())
    await evening.host.click("Jouer avec Bruno", evening.panel())
    await evening.press("night_mine", evening.message(), BRUNO)
    await bruno.click("Accepter", bruno.last(ephemeral=True))
    assert "Vous faites équipe avec Léa." in bruno.told
    await harness.advance((evening.night().plan.starts_at - harness.milliseconds()) / 1000 + 10)
    (table,) = evening.night().all_tables
    assert sorted(table.people(table.team_of(0))) == [0, 1]


async def test_two_hosts_who_publish_the_same_friday_at_once_make_one_night(evening: Evening) -> None:
    harness, chloe = evening.harness, evening.harness[CHLOE]
    managers = harness.guild.create_role("Équipe", permissions=discord.Permissions(manage_guild=True))
    harness.env.backend.add_member_role(harness.guild.id, chloe.id, managers.id)
    for host in (evening.host, chloe):
        await host.slash("kems night")
        await host.click("⚡ Vendredi 21 h…", host.last(ephemeral=True))
    await harness.together(*(
        partial(host.click, part_id(panel, "night_publish"), panel)
        for host in (evening.host, chloe)
        for panel in (host.last(ephemeral=True),)
    ))  # fmt: skip
    await harness.advance(5)
    assert evening.night().plan.is_weekly, "there is one"
    assert all("est annoncée" in host.last(ephemeral=True).text for host in (evening.host, chloe))
