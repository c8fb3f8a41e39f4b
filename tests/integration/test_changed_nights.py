"""A night that is moved or edited: who signed up is asked again, and the server's event follows it in every phase."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import discord
import pytest

from bot.nights.planning.length import round_length_ms
from tests.integration.evening import EIGHT, MINUTE, Evening, in_paris, part_id
from tests.integration.harness import BRUNO, Seen
from tests.integration.table import settings_for
from tests.integration.test_config import choose
from tests.store.conftest import opened

_ACTIVE: Final = discord.EventStatus.active.value
_COMPLETED: Final = discord.EventStatus.completed.value


async def test_moving_a_night_moves_its_sign_up_and_tells_the_host_who_would_wait(evening: Evening) -> None:
    await evening.published()
    await evening.join(BRUNO)
    before = evening.night().plan
    said = await evening.edit(in_paris(before.starts_at / 1000 + 24 * 60 * MINUTE), rounds="6")
    assert "est modifiée ; 1 inscrit est prévenu" in said.text
    await evening.harness.advance(5)
    (told,) = (seen for seen in evening.host.messages() if f"<@{evening.harness[BRUNO].id}>" in seen.text)
    assert "6 rondes" in told.text.replace("\u00a0", " ")
    after = evening.night().plan
    assert after.sign_up_until - before.sign_up_until == after.starts_at - before.starts_at + 2 * round_length_ms(after)
    await evening.join(*(name for name in EIGHT[:6] if name != BRUNO))
    said = await evening.edit(in_paris(after.starts_at / 1000), most="4")
    assert "est modifiée" in said.text
    assert [one.name for one in evening.night().waiting] == [*EIGHT[4:6]]
    await evening.press("night_host", evening.message())
    seen = await evening.press("night_signed_up", evening.panel())
    assert f"⏳ {EIGHT[4]}" in seen.text
    await evening.host.choose(part_id(seen, "night_people"), str(evening.harness[EIGHT[4]].id), message=seen)
    await evening.press("night_step", evening.panel())
    assert [one.name for one in evening.night().waiting] == [EIGHT[5]], "the host may remove anybody"
    await evening.harness.bot.close()  # while an edit of a post waits for its turn


async def test_people_who_signed_up_are_asked_again_when_the_night_moves(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(event="on")
    await evening.join(*EIGHT[:5])
    await harness.advance(46 * MINUTE)
    (asked,) = evening.questions()
    await evening.press("night_ready", asked, BRUNO)
    before = evening.night().plan
    await evening.edit(in_paris(before.starts_at / 1000 + 24 * 60 * MINUTE), most="4")
    await evening.join(EIGHT[5])
    await harness.advance(5)
    (moved,) = evening.questions()
    assert "est modifiée" in moved.text
    assert all(f"<@{harness[name].id}>" in moved.text for name in EIGHT[:5])
    (event,) = harness.env.backend.get_guild(harness.guild.id).scheduled_events.values()
    assert datetime.fromisoformat(event.scheduled_start_time).timestamp() * 1000 == evening.night().plan.starts_at
    await harness.restart(crash=True)
    assert "Votre place reste réservée." in (await evening.press("night_ready", moved, BRUNO)).text
    for name in EIGHT[3:5]:
        await evening.press("night_leave", moved, name)
    assert [one.name for one in evening.night().present] == [*EIGHT[:3], EIGHT[5]], "the waiting list comes in"
    await harness.advance(24 * 60 * MINUTE)
    (asked,) = evening.questions()
    assert "**0 prêt** sur 4" in asked.text
    assert f"<@{harness[BRUNO].id}>" in asked.text


@pytest.mark.parametrize("label", ["Terminer la soirée…", pytest.param("Annuler la soirée…", marks=pytest.mark.long)])
async def test_the_event_of_a_night_follows_it_to_its_end(evening: Evening, label: str) -> None:
    harness = evening.harness
    await evening.begun(event="on")
    listed = harness.env.backend.get_guild(harness.guild.id).scheduled_events
    (event,) = listed.values()
    ends = datetime.fromisoformat(event.scheduled_end_time)
    assert f"/{evening.message().id}" in event.description, "it leads to the board"
    await evening.press("night_step", await evening.lead("+5 min"))
    await harness.advance(5)
    assert (event.status, datetime.fromisoformat(event.scheduled_end_time) - ends) == (_ACTIVE, timedelta(minutes=5))
    if label.startswith("Annuler"):
        await evening.cancel(label)
    else:
        await evening.press("night_step", await evening.lead(label))
        for table in (1, 2):
            await evening.enter(table, "10 4")
    await harness.advance(5)
    assert [one.status for one in listed.values()] == ([] if label.startswith("Annuler") else [_COMPLETED])


async def test_the_players_role_is_mentioned_an_hour_before_a_night(evening: Evening, tmp_path: Path) -> None:
    role = evening.harness.guild.create_role("Joueurs")
    async with opened(settings_for(tmp_path).database_url) as database:
        await choose(database, evening.harness, players_role=role.id)
    await evening.published(minutes=150, role="on")
    for minutes, calls in ((88, 0), (3, 1), (76, 0)):
        await evening.harness.advance(minutes * MINUTE)
        assert sum(f"<@&{role.id}>" in seen.text for seen in evening.host.messages()) == calls


async def test_an_event_has_the_title_of_its_night(evening: Evening) -> None:
    """Titles of events know no markdown: a backslash is a backslash there."""
    harness = evening.harness
    when = in_paris(harness.now().timestamp() + 90 * MINUTE)
    panel = await evening.press("night_more", await evening.opened(when, event="on"))  # back on the first page
    form = await evening.host.click(part_id(panel, "night_text"), panel)
    await evening.host.submit(form, "Kem's_du_mardi", when, "", "")
    await evening.press("night_publish", evening.panel())
    await harness.advance(5)
    assert "Je ne peux pas créer d'événement" not in evening.panel().text
    listed = harness.env.backend.get_guild(harness.guild.id).scheduled_events
    assert [event.name for event in listed.values()] == ["Kem's_du_mardi"]
    await evening.cancel("Annuler la soirée…")
    await harness.advance(5)
    assert not listed


async def test_one_date_of_a_series_or_all_dates_are_moved(evening: Evening) -> None:
    await evening.published(weekly="on")
    before = evening.night().plan.starts_at
    for days, save in ((1, "night_publish"), (2, "night_save_series")):
        at = before + days * 24 * 60 * MINUTE * 1000
        await evening.edit(in_paris(at / 1000), save=save)
        assert evening.night().plan.starts_at == at
        assert evening.night().series_at == (before if save == "night_publish" else at)


def calls(evening: Evening) -> list[Seen]:
    """The posts that call the host because somebody would rest."""
    mention = f"<@{evening.host.id}>"
    return [one for one in evening.host.messages() if "night_spare" in str(one.controls) and mention in one.text]


async def test_the_host_is_mentioned_when_somebody_would_have_a_bye_and_can_avoid_it(evening: Evening) -> None:
    await evening.published()
    await evening.join(*EIGHT)
    await evening.harness.advance(46 * MINUTE)
    (asked,) = evening.questions()
    assert not calls(evening)
    await evening.press("night_leave", asked, EIGHT[7])
    await evening.harness.advance(5)
    (call,) = calls(evening)
    assert "3 se reposent à chaque ronde" in call.text
    await evening.press(":6", call)
    assert evening.night().plan.size == 6
    await evening.harness.advance(5)
    (call,) = calls(evening)
    await evening.press(":robots", call)
    await evening.harness.advance(5)
    assert not calls(evening)
    assert not any(one.is_silent is False for one in evening.night().present), "nobody is asked again"
