"""What a host presses after it has changed: nothing is done, and the answer says what was pressed.

Each verb of the host is here: how something changes between the panel and the press, or that the press opens a page.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import discord
import pytest

from bot.base.times import DAY_MS
from bot.nights.changes import HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.steps import move_to_channel, pause_without_channel
from bot.store.nights import SqlNightDraftStore
from bot.ui.night.verbs import HostVerb
from tests.integration.evening import EIGHT, MINUTE, Evening, in_paris, part_id
from tests.integration.harness import BRUNO, CHLOE, LEA, Member, Seen
from tests.integration.simcord_patches import as_bot
from tests.integration.test_first_answers import slow
from tests.seen import walk

PAGES: Final = {
    *(HostVerb.HOST, HostVerb.ASK_STEP, HostVerb.PEOPLE, HostVerb.SIGNED_UP, HostVerb.WRITE, HostVerb.TABLE),
    *(HostVerb.ROUND, HostVerb.RESULT, HostVerb.BAN, HostVerb.CANCEL),
}
"""They show what there is now, and change nothing."""


async def changed(evening: Evening, change: Callable[[Night], Night]) -> None:
    """Somebody else changes the night."""
    with as_bot(evening.harness.env):
        done = await evening.harness.bot.rooms.nights.update(evening.night().id, change)
    assert isinstance(done, Night), done
    await evening.harness.settle()


async def stepped(evening: Evening, step: HostStep) -> None:
    with as_bot(evening.harness.env):
        done = await evening.harness.bot.rooms.nights.step(evening.night().id, step, 1)
    assert isinstance(done, Night), done
    await evening.harness.settle()


async def panel_of(evening: Evening) -> Seen:
    return await evening.press("night_host", evening.message())


async def other_host(evening: Evening) -> Member:
    harness, backend = evening.harness, evening.harness.env.backend
    role = backend.create_role(harness.guild.id, "Hosts", permissions=discord.Permissions(manage_guild=True).value)
    backend.add_member_role(harness.guild.id, harness[CHLOE].id, role.id)
    await harness.settle()
    return harness[CHLOE]


async def step(evening: Evening) -> str:
    await evening.begun()
    question = await evening.lead("+5 min")
    await stepped(evening, HostStep(StepKind.ADD_TIME, minutes=10))
    return (await evening.press("night_step", question)).text


async def undo(evening: Evening) -> str:
    await evening.begun()
    await stepped(evening, HostStep(StepKind.ADD_TIME, minutes=5))
    panel = await panel_of(evening)
    await stepped(evening, HostStep(StepKind.ADD_TIME, minutes=10))
    said = (await evening.press("night_undo", panel)).text
    assert [one.undone_at for one in evening.night().steps] == [None, None]
    return said


async def scores(evening: Evening) -> str:
    """The form names the people of the table, who have gone to another one."""
    await evening.begun()
    panel = await panel_of(evening)
    await evening.host.choose(part_id(panel, "night_table"), "1", message=panel)
    form = await evening.host.click(part_id(evening.panel(), "night_result"), evening.panel())
    one, other = (table.seats[0] for table in evening.night().rounds[-1].tables)
    await stepped(evening, HostStep(StepKind.SWAP, entrant=one, other=other))
    await evening.host.submit(form, "10 4")
    said = (await evening.press("night_step", evening.panel())).text
    assert evening.night().rounds[-1].tables[0].result is None
    return said


async def spare(evening: Evening) -> str:
    await evening.published()
    await evening.join(*EIGHT[:6])
    panel = await panel_of(evening)
    await changed(evening, lambda night: replace(night, plan=replace(night.plan, size=8)))
    said = (await evening.press("night_spare", panel)).text
    assert evening.night().plan.size == 8
    return said


async def go_on(evening: Evening) -> str:
    await evening.published(weekly="on")
    await changed(evening, lambda night: replace(night, deserted=2))
    night, panel = evening.night(), await panel_of(evening)
    await changed(evening, lambda night: night.cancel(1, with_series=True))
    return await evening.host.forge(f"k1:0:night_go_on:{night.id}", panel)


async def place(evening: Evening) -> str:
    await evening.begun()
    now, home = evening.harness.milliseconds(), evening.night().plan.channel_id
    running = evening.harness.bot.rooms.nights.running(evening.night().id)
    assert running is not None
    running.hold(now)  # no table looks for its place by itself
    await changed(evening, lambda night: pause_without_channel(night, now))
    panel = await panel_of(evening)
    other = evening.harness.guild.create_text_channel("ailleurs")
    await changed(evening, lambda night: pause_without_channel(move_to_channel(night, other.id, None, now), now))
    await evening.host.choose(part_id(panel, "night_place"), evening.harness.channel, message=panel)
    assert evening.night().plan.channel_id == other.id != home
    return evening.panel().text


async def cancel_now(evening: Evening) -> str:
    """The question said that people get a message; by now it would close their tables."""
    await evening.published()
    await evening.join(*EIGHT)
    await evening.host.slash("kems-admin night cancel")
    form = await evening.host.click("Annuler la soirée…", evening.panel())
    await evening.harness.advance(60 * MINUTE + 20)
    assert evening.night().status is NightStatus.RUNNING
    await evening.host.submit(form, "")
    assert evening.night().status is NightStatus.RUNNING
    return evening.panel().text


CROSSED: Final[dict[HostVerb, tuple[Callable[[Evening], Awaitable[str]], str]]] = {
    HostVerb.STEP: (step, r"\+5 min : pas fait\. Cela a changé.*\+10 min"),
    HostVerb.UNDO: (undo, r"↩ Défaire : \+5 min : pas fait\. Cela a changé"),
    HostVerb.SCORES: (scores, r"Table 1 : 10 — 4 : pas fait\. Cela a changé"),
    HostVerb.SPARE: (spare, r"Tables de 6 : pas fait\. Cela a changé"),
    HostVerb.GO_ON: (go_on, r"pas fait\. Cette soirée est finie"),
    HostVerb.PLACE: (place, r"pas fait\. Cela a changé"),
    HostVerb.CANCEL_NOW: (cancel_now, r"pas fait\. Cela a changé"),
}
ALONE: Final = {HostVerb.ADD, HostVerb.BAN_NOW, HostVerb.WRITTEN, HostVerb.EVENT}
"""Each has a test of its own below."""


def test_every_verb_of_the_host_changes_nothing_or_is_tested_with_a_crossed_press() -> None:
    assert PAGES.isdisjoint(CROSSED.keys() | ALONE)
    assert PAGES | CROSSED.keys() | ALONE == set(HostVerb), "add the verb to CROSSED in this file, or to PAGES or ALONE"


@pytest.mark.parametrize("verb", CROSSED, ids=str)
async def test_a_press_that_crossed_a_change_is_answered_with_its_label_and_does_nothing(
    evening: Evening, verb: HostVerb
) -> None:
    press, words = CROSSED[verb]
    said = await press(evening)
    assert re.search(words, said.replace("\u00a0", " ").replace("\u202f", " "), re.DOTALL), said


async def test_a_sign_up_does_not_invalidate_a_hosts_step_about_others(evening: Evening) -> None:
    harness, chloe = evening.harness, await other_host(evening)
    await evening.published()
    panels = [await panel_of(evening), await evening.press("night_host", evening.message(), CHLOE)]
    people = [[harness[name].actor for name in names] for names in (EIGHT[2:5], EIGHT[2:6])]
    parts = [part_id(panel, "night_add") for panel in panels]
    await harness.together(
        lambda: evening.host.choose(parts[0], *people[0], message=panels[0]),
        lambda: chloe.choose(parts[1], *people[1], message=panels[1]),
    )
    assert [one.name for one in evening.night().present] == [*EIGHT[2:6]]
    assert f"Inscrits : {EIGHT[5]}" in chloe.last(ephemeral=True).text.replace("\u00a0", " ")


async def test_a_panel_is_replaced_by_a_sentence_while_its_change_is_not_saved(evening: Evening) -> None:
    panel, keep = await evening.opened(), SqlNightDraftStore.save

    async def late(*given: Any) -> None:
        await asyncio.sleep(2)
        await keep(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqlNightDraftStore, "save", late)
        await evening.host.choose(part_id(panel, ":rounds"), "6", message=panel)
        await evening.harness.advance(1)
    shown = evening.panel()
    assert shown.text.startswith("Pas encore")
    assert len(shown.controls) == 1, "no former value stands there"
    await evening.harness.advance(2)
    looked = await evening.press("night_more", shown)
    assert "6 rondes de 25 min" in looked.text.replace("\u00a0", " ")
    assert part_id(looked, ":rounds")


async def test_a_host_signs_up_many_people_at_once_with_a_slow_database(evening: Evening) -> None:
    await evening.published(format="knockout")
    panel = await panel_of(evening)
    people = [evening.harness[name].actor for name in EIGHT]
    with slow(0.15):
        await evening.host.choose(part_id(panel, "night_add"), *people, message=panel)
        await evening.harness.advance(3)
    assert [one.name for one in evening.night().present] == [*EIGHT]
    assert f"Inscrits : {', '.join(EIGHT)}" in evening.panel().text.replace("\u00a0", " ")


async def test_a_person_erased_before_the_confirmation_is_not_banned(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.published()
    await evening.join(BRUNO)
    panel = await panel_of(evening)
    await evening.host.choose(part_id(panel, "night_people"), bruno.actor, message=panel)
    form = await evening.host.click("Pour 30 jours…", evening.panel())
    await changed(evening, lambda night: night.erase_person(bruno.id))
    await evening.host.submit(form, "")
    assert "n'est pas inscrite à la soirée" in evening.panel().text
    assert not await harness.bot.rooms.directory.bans.of(harness.guild.id)


async def test_two_hosts_who_begin_a_night_begin_it_once(evening: Evening) -> None:
    harness, chloe = evening.harness, await other_host(evening)
    await evening.published()
    await evening.join(*EIGHT)
    questions = []
    for who in (LEA, CHLOE):
        panel = await evening.press("night_host", evening.message(), who)
        questions.append(await evening.press("start", panel, who))
    parts = [part_id(question, "night_step") for question in questions]
    await harness.together(
        lambda: evening.host.forge(parts[0], questions[0]), lambda: chloe.forge(parts[1], questions[1])
    )
    assert [one.step.kind for one in evening.night().steps] == [StepKind.START]


async def test_two_hosts_who_ban_a_person_ban_them_once(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    chloe = await other_host(evening)
    await evening.published()
    await evening.join(BRUNO)
    forms = []
    for name in (LEA, CHLOE):
        who, panel = harness[name], await evening.press("night_host", evening.message(), name)
        await who.choose(part_id(panel, "night_people"), bruno.actor, message=panel)
        forms.append(await who.click("Pour 30 jours…", who.last(ephemeral=True)))
    await evening.host.submit(forms[0], "")
    await chloe.submit(forms[1], "")
    (ban,) = await harness.bot.rooms.directory.bans.of(harness.guild.id)
    assert ban.user_id == bruno.id
    assert ban.until <= harness.milliseconds() + 30 * DAY_MS


async def test_a_message_about_a_night_cancelled_meanwhile_is_not_sent(evening: Evening) -> None:
    await evening.published()
    await evening.join(BRUNO, CHLOE)
    panel = await panel_of(evening)
    form = await evening.host.click(part_id(panel, "night_write:"), panel)
    await changed(evening, lambda night: night.cancel(1))
    await evening.host.submit(form, "Venez à l'heure !")
    await evening.harness.advance(5)
    assert "Cette soirée est finie" in evening.panel().text
    assert not [seen for seen in evening.host.messages() if "Venez à l'heure" in seen.text]


async def test_two_hosts_recreate_one_event(evening: Evening) -> None:
    harness, chloe = evening.harness, await other_host(evening)
    await evening.published(event="on")
    await harness.advance(5)
    events = harness.env.backend.get_guild(harness.guild.id).scheduled_events
    events.clear()
    guild = harness.bot.get_guild(harness.guild.id)
    assert guild is not None
    guild._scheduled_events.clear()
    panels = [await panel_of(evening), await evening.press("night_host", evening.message(), CHLOE)]
    await harness.together(
        lambda: evening.host.click(part_id(panels[0], "night_event"), panels[0]),
        lambda: chloe.click(part_id(panels[1], "night_event"), panels[1]),
    )
    await harness.advance(5)
    assert len(events) == 1


async def test_a_double_press_on_undo_undoes_one_step(evening: Evening) -> None:
    await evening.begun()
    for label in ("+5 min", "+10 min"):
        await evening.press("night_step", await evening.lead(label))
    panel = await panel_of(evening)
    undo = part_id(panel, "night_undo")
    await evening.harness.together(lambda: evening.host.forge(undo, panel), lambda: evening.host.forge(undo, panel))
    left = [one.step.minutes for one in evening.night().steps if one.undone_at is None]
    assert left == [5], "one Undo that is pressed twice takes back its own step alone"


async def test_a_removal_that_is_refused_leaves_the_person_at_the_table(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.begun()
    panel = await panel_of(evening)
    await evening.host.choose(part_id(panel, "night_people"), bruno.actor, message=panel)
    question = evening.panel()
    known = evening.night().entrant_of(bruno.id)
    assert known is not None
    await stepped(evening, HostStep(StepKind.DROP, entrant=known.number))
    await evening.press("night_undo", await panel_of(evening))
    await changed(evening, lambda night: night.mark_absent(known.number))
    tables = [table for table in harness.bot.rooms.directory.tables() if table.lobby.seat_of(bruno.id) is not None]
    assert tables
    await evening.host.click("De la soirée et de sa table", question)
    assert "pas fait" in evening.again(question).text
    assert all(table.lobby.seat_of(bruno.id) is not None for table in tables), "no robot has the seat"


async def test_a_host_who_saves_later_keeps_what_others_have_changed_meanwhile(evening: Evening) -> None:
    chloe = await other_host(evening)
    await evening.published()
    await evening.join(*EIGHT[:6])
    assert (evening.night().plan.rounds, evening.night().plan.round_minutes) != (2, 40)
    host_panel = await panel_of(evening)
    await evening.host.slash("kems-admin night edit")
    own = evening.panel()
    await chloe.slash("kems-admin night edit")
    other = chloe.last(ephemeral=True)
    await chloe.choose(part_id(other, ":rounds"), "2", message=other)
    await chloe.click(part_id(chloe.last(ephemeral=True), "night_publish"), chloe.last(ephemeral=True))
    await evening.press("night_spare", host_panel)
    size = evening.night().plan.size
    assert size != 4
    await evening.press("night_more", own)
    own = await evening.page_of("size")
    await evening.host.choose(part_id(own, ":minutes"), "40", message=own)
    assert "2 rondes" in evening.again(own).text, "the panel shows what there is now"
    await evening.press("night_publish", evening.again(own))
    plan = evening.night().plan
    assert (plan.rounds, plan.round_minutes, plan.size) == (2, 40, size)


async def test_submitting_an_unchanged_form_keeps_another_hosts_changes(evening: Evening) -> None:
    chloe = await other_host(evening)
    await evening.published()
    await evening.host.slash("kems-admin night edit")
    own = evening.panel()
    form = await evening.host.click(part_id(own, "night_text"), own)
    assert form.modal is not None
    _, when, until, most = (part.get("value", "") for part in walk(form.modal["components"]) if "custom_id" in part)
    starts_at = evening.night().plan.starts_at + 24 * 60 * MINUTE * 1000
    await chloe.slash("kems-admin night edit")
    other = chloe.last(ephemeral=True)
    theirs = await chloe.click(part_id(other, "night_text"), other)
    await chloe.submit(theirs, "Soirée d'essai", in_paris(starts_at / 1000), until, "16")
    await chloe.click(part_id(chloe.last(ephemeral=True), "night_publish"), chloe.last(ephemeral=True))
    await evening.host.submit(form, "Le bal", when, until, most)
    await evening.press("night_publish", evening.again(own))
    plan = evening.night().plan
    assert (plan.title, plan.starts_at, plan.most) == ("Le bal", starts_at, 16)


async def test_an_answer_to_the_check_in_counts_for_the_night_that_was_read(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.published()
    await evening.join(BRUNO)
    later = evening.night().plan.moved_to(evening.night().plan.starts_at + 24 * 60 * MINUTE * 1000)
    await changed(evening, lambda night: night.replan(later).open_check_in())
    message = evening.message()
    said = await bruno.forge("k1:0:night_ready:1:0", message)
    assert "Cela a changé entre-temps" in said
    assert evening.night().entrants[0].is_silent
    await bruno.forge(f"k1:0:night_ready:1:{evening.night().changed}", message)
    assert not evening.night().entrants[0].is_silent
    await harness.settle()


async def test_a_leaving_player_is_asked_again_when_the_penalty_has_changed(evening: Evening) -> None:
    await evening.published(format="swiss")
    await evening.join(*EIGHT)
    await changed(evening, lambda night: night.pair(0, 1))
    question = await evening.press("night_leave", evening.message(), BRUNO)
    await evening.harness.advance(60 * MINUTE + 20)
    await evening.harness[BRUNO].click(part_id(question, "night_leave"), question)
    again = next(seen for seen in evening.harness[BRUNO].messages() if seen.id == question.id)
    assert "Les rondes suivantes" in again.text or "prochaines rondes" in again.text
    assert evening.harness[BRUNO].id in evening.night().people
