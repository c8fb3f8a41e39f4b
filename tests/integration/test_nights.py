"""A game night through Discord: signed up for, played at tables, led by its host, told about."""

import re
from pathlib import Path

import pytest

from tests.integration import simcord_patches
from tests.integration.evening import EIGHT, MINUTE, Evening, in_paris, part_id
from tests.integration.harness import BRUNO, CHLOE, LEA
from tests.integration.mishaps import forbid
from tests.integration.table import settings_for
from tests.integration.test_config import choose
from tests.store.conftest import opened


async def test_a_night_from_its_plan_to_its_recap(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(rounds="1")
    await evening.join(*EIGHT)
    await harness.advance(3)
    message = evening.message()
    assert "**8 inscrits**" in message.text
    assert all(name in message.text for name in EIGHT)
    await harness.advance(46 * MINUTE)
    (check_in,) = (seen for seen in evening.host.messages() if "commence <t:" in seen.text)
    assert "À tout de suite !" in (await evening.press("night_ready", check_in, BRUNO)).text
    await harness.restart(crash=True)
    await evening.press("night_leave", check_in, EIGHT[7])
    await evening.press("night_ready", check_in, EIGHT[7])
    await harness.advance(3)
    check_in = evening.again(check_in)
    assert "**2 prêts** sur 8" in check_in.text
    assert f"<@{evening.host.id}>" in check_in.text
    assert f"<@{harness[BRUNO].id}>" not in check_in.text
    await harness.advance(14 * MINUTE + 5)
    assert not any(seen.id == check_in.id for seen in evening.host.messages()), "the night has begun"
    board = evening.message()
    assert board.id > check_in.id > message.id, "the board is posted at the foot of the channel"
    assert f"/{board.id}" in evening.again(message).text
    assert "Ronde 1 sur 1" in board.text
    threads = re.findall(r"<#(\d+)>", board.text)
    assert len(set(threads)) == 2
    assert re.findall(r"\*\*T[12]\*\* <#\d+> .+ \*\*0 — 0\*\* .+", board.text)
    for thread in threads:
        mentions = [seen for seen in evening.host.messages(int(thread)) if "Table" in seen.text and "<@" in seen.text]
        assert len(mentions) == 1, "each is mentioned once, where they play"
    await evening.enter(1, "10-4")
    await evening.enter(2, "3 à 10")
    assert [table.result and table.result.scores for table in evening.night().all_tables] == [(10, 4), (3, 10)]
    await harness.advance(5 * MINUTE)
    board = evening.again(board)
    assert "Classement final" in board.text
    (podium,) = (seen for seen in evening.host.messages() if "remportent la soirée" in seen.text)
    assert podium.id > board.id, "the podium is a new post, below all tables"
    await evening.enter(2, "10 3")
    await harness.restart(crash=True)
    await harness.advance(5)
    corrected = evening.again(podium).text
    assert "remportent la soirée" in corrected
    assert corrected != podium.text, "the podium follows a correction"
    await harness.advance(24 * 60 * MINUTE)
    assert any("La soirée en bref" in seen.text for seen in evening.host.messages())


async def test_partners_ask_accept_and_read_what_leaving_costs(evening: Evening) -> None:
    await evening.published(format="swiss")
    await evening.join(LEA, BRUNO, CHLOE)
    await evening.harness.advance(3)
    await evening.press("night_mine", evening.message())
    for name, said in ((EIGHT[-1], "n'est pas inscrite"), (BRUNO, "Demande envoyée à **Bruno**")):
        chosen = evening.harness[name].actor
        await evening.host.choose(part_id(evening.panel(), "night_ask"), chosen, message=evening.panel())
        assert said in evening.panel().text
    await evening.harness.advance(3)
    (post,) = evening.news()
    assert f"<@{evening.harness[BRUNO].id}>" in post.text
    asked = await evening.press("night_mine", post, BRUNO)
    assert "**Léa** vous propose de faire équipe." in asked.text
    await evening.harness.advance(3)
    assert not evening.news(), "he has looked"
    assert "Vous faites équipe avec Léa." in (await evening.press("night_accept", asked, BRUNO)).text
    await evening.harness.advance(2 * MINUTE)
    assert "Léa & Bruno, Chloé" in evening.message().text
    (post,) = evening.news()
    assert "Votre partenaire : **Bruno**" in (await evening.press("night_mine", post)).text
    message = evening.message()
    question = await evening.press("night_leave", message)
    assert "Bruno n'a plus de partenaire." in question.text
    await evening.press("night_leave", question)
    await evening.harness.advance(3)
    assert "Bruno, Chloé" in evening.message().text


async def test_one_post_mentions_everybody_with_unread_news(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(format="swiss")
    await evening.edit(in_paris(evening.night().plan.starts_at / 1000), most="4")
    await evening.join(*EIGHT[:7])
    await evening.press("night_leave", evening.message(), LEA)
    await harness.advance(3)
    (first,) = evening.news()
    await evening.press("night_leave", evening.message(), BRUNO)
    await harness.advance(60)
    assert [seen.id for seen in evening.news()] == [first.id], "what is new is gathered"
    await harness.restart(crash=True)
    await harness.advance(60)
    (second,) = evening.news()
    assert second.id != first.id
    assert all(f"<@{harness[name].id}>" in second.text for name in EIGHT[4:6])
    posts = [body for *_, body, _ in simcord_patches.sent_requests(harness.env) if "du nouveau" in str(body)]
    rung = [list(map(int, body["allowed_mentions"]["users"])) for body in posts]
    assert rung == [[harness[name].id] for name in EIGHT[4:6]], "each is rung once"
    for name, left in ((EIGHT[4], 1), (EIGHT[5], 0)):
        assert "Une place s'est libérée" in (await evening.press("night_mine", second, name)).text
        assert "libérée" not in (await evening.press("night_mine", evening.message(), name)).text
        await harness.advance(3)
        assert len(evening.news()) == left


async def test_a_resting_player_may_play_with_a_robot_from_the_next_round_on(evening: Evening) -> None:
    harness = evening.harness
    assert "☑ 🤖" in str((await evening.opened(format="swiss")).controls), (
        "an odd person plays, unless the host says no"
    )
    await evening.published(format="swiss", robots="off")
    await evening.join(*EIGHT[:5])
    await harness.advance(60 * MINUTE + 20)
    rests = evening.night().rounds[0].byes[-1]
    own = await evening.press("night_mine", evening.message(), EIGHT[rests])
    assert "Pas de partenaire libre pour cette ronde" in own.text
    said = await evening.press("night_robot", own, EIGHT[rests])
    assert "un robot joue avec vous dès la prochaine ronde" in said.text
    await evening.enter(1, "10 4")
    await harness.advance(4 * MINUTE)
    assert len(evening.night().rounds) == 2
    assert evening.night().table_of(rests) is not None


async def test_only_the_host_and_managers_lead_a_night_and_entrants_learn_of_its_cancellation(evening: Evening) -> None:
    message = await evening.published()
    bruno = evening.harness[BRUNO]
    step = "night_step:1:end_early.0.0.-.-.-.-"
    forged = ("night_host:1", step, "night_cancel_now:1", "night_result:1:1:1", "night_undo:1:5")
    for arg in forged:
        assert "Réservé à l'hôte et à ceux qui gèrent le serveur" in await bruno.forge(f"k1:0:{arg}", message)
    assert "n'existe plus" in await bruno.forge("k1:0:night_publish:1", message)
    await evening.harness.advance(3)
    assert "night_join" in str(evening.message().controls)

    answer = await evening.press("night_calendar", message, BRUNO)
    assert "calendrier" in answer.text
    await evening.join(BRUNO)
    await evening.cancel("Annuler la soirée…", "Plus de *courant*")
    await evening.harness.advance(10)
    assert "Cette soirée est annulée.\nPlus de \\*courant\\*" in evening.again(message).text
    told = next(seen for seen in evening.host.messages() if f"<@{evening.harness[BRUNO].id}>" in seen.text)
    assert "La soirée « Soirée d'essai » est annulée.\nPlus de \\*courant\\*" in told.text


async def test_members_with_the_hosts_role_plan_and_lead_nights_from_kems_night(
    evening: Evening, tmp_path: Path
) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    role = harness.guild.create_role("Animateurs")
    async with opened(settings_for(tmp_path).database_url) as database:
        await choose(database, harness, hosts_role=role.id)
    refusal = f"Réservé à l'hôte, à <@&{role.id}> et à ceux qui gèrent le serveur."
    await bruno.slash("kems night")
    assert "night_plan" not in str(bruno.last(ephemeral=True).controls)
    harness.env.backend.add_member_role(harness.guild.id, bruno.id, role.id)
    await bruno.slash("kems night")
    panel = await evening.press("night_plan", bruno.last(ephemeral=True), BRUNO)
    form = await bruno.click(part_id(panel, "night_text"), panel)
    await bruno.submit(form, "Soirée de Bruno", in_paris(harness.now().timestamp() + 90 * MINUTE), "", "")
    await evening.press("night_publish", bruno.last(ephemeral=True), BRUNO)
    assert (evening.night().plan.title, evening.night().host_id) == ("Soirée de Bruno", bruno.id)
    await evening.published()
    await bruno.slash("kems night")
    lead = await evening.press("night_host", bruno.last(ephemeral=True), BRUNO)
    assert "night_cancel:2" in str(lead.controls), "the night of another host"
    harness.env.backend.remove_member_role(harness.guild.id, bruno.id, role.id)
    for press in ("night_host:2", "night_cancel:2", "night_plan:0"):
        assert await bruno.forge(f"k1:0:{press}", lead) == refusal


async def test_a_night_that_cannot_be_shown_tells_its_host_why_and_recovers_by_itself(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    harness = evening.harness
    message = await evening.published()
    await evening.delete(message)
    await forbid(harness, message.channel_id, "send_messages")
    await harness.advance(600)
    assert capsys.readouterr().out.count("message.unseen") == 1
    await evening.host.slash("kems-admin night host")
    assert "Je ne peux plus montrer cette soirée" in evening.panel().text
    assert "Envoyer des messages" in evening.panel().text
    await forbid(harness, message.channel_id)
    await harness.advance(10)
    assert evening.message().id != message.id
    await evening.host.slash("kems-admin night host")
    assert "⚠️" not in evening.panel().text

    # Another message is always deleted.
    message = evening.message()
    await evening.join(LEA)
    for _ in range(3):
        await evening.delete(message)
        await evening.harness.advance(5)
        message = evening.message()
        assert "**1 inscrit**" in message.text, "it comes back"
    await evening.delete(message)
    await evening.harness.advance(300)
    assert not evening.sign_ups()
    await evening.host.slash("kems-admin night host")
    assert "sans cesse supprimé" in evening.panel().text
    await evening.harness.advance(5)
    assert "night_join" in str(evening.message().controls), "the panel has it tried once more"


def _ends(text: str) -> int:
    found = re.search(r"fin de la ronde \*\*<t:(\d+):R>", text)
    assert found is not None, text
    return int(found[1])


async def test_a_hosted_night_survives_a_restart_and_archives_its_threads(evening: Evening) -> None:
    harness = evening.harness
    assert "Aucune soirée n'est prévue ici." in await harness[BRUNO].ask("kems night")
    await evening.begun()
    assert re.search(r"\*\*Table \d\*\* · <#\d+>", await harness[BRUNO].ask("kems night"))

    # Each step of the host is asked once, logged, and taken back.
    question = await evening.lead("+5 min")
    assert "La ronde est prolongée d'autant" in question.text
    before = evening.message().text
    panel = await evening.press("night_step", question)
    assert "✅ +5 min" in panel.text
    assert f"<@{evening.host.id}> : +5 min" in panel.text
    await harness.advance(3)
    assert _ends(evening.message().text) == _ends(before) + 5 * MINUTE
    undo = part_id(panel, "night_undo")
    await evening.host.click(undo, panel)
    assert "Défait : +5 min" in evening.panel().text
    assert "~~" in evening.panel().text
    await harness.advance(3)
    assert _ends(evening.message().text) == _ends(before)
    await evening.host.forge(undo, evening.panel())
    await harness.advance(3)
    assert _ends(evening.message().text) == _ends(before), "a second press takes nothing else back"

    # After a restart it goes on in the same messages.
    message = evening.message()
    threads = [int(thread) for thread in re.findall(r"<#(\d+)>", evening.message().text)]
    await harness.restart(crash=True)
    await harness.advance(5)
    await evening.enter(1, "10 4")
    await evening.host.forge(undo, evening.panel())  # it was for a step before this result
    await harness.advance(5)
    board = evening.message()
    assert board.id == message.id
    assert "✎" in board.text
    assert re.findall(r"<#(\d+)>", board.text) == [str(threads[1])], (
        "the thread of a table with a result may be archived"
    )
    mentions = [seen for one in threads for seen in evening.host.messages(one) if "**Ronde 1 sur 4" in seen.text]
    assert len(mentions) == 2, "nobody is mentioned a second time"

    # A table goes to the archive with its result.
    shown = [harness.env.backend.channels[thread].thread_metadata for thread in threads]
    await evening.enter(1, "10-4")
    await evening.enter(2, "3 à 10")
    assert "Votre place : " in await harness[BRUNO].ask("kems night")
    await evening.press("night_undo", await evening.press("night_host", evening.message()))
    await harness.advance(2.5 * MINUTE)
    assert [one.archived for one in shown] == [True, False], "the second table is played again"
    result = evening.host.messages(threads[0])[-1]
    assert "**10 — 4**" in result.text
    await evening.enter(1, "10 à 5")
    await evening.enter(2, "3 à 10")
    await harness.restart(crash=True)
    await harness.advance(2.5 * MINUTE)
    assert [one.archived for one in shown] == [True, True]
    assert evening.host.messages(threads[0])[-1] == result, "a post would open it again"


async def test_the_host_is_asked_about_a_table_that_nobody_plays_on(evening: Evening) -> None:
    harness = evening.harness
    await evening.published()
    await evening.join(*EIGHT)
    await harness.advance(63 * MINUTE)
    (asked,) = (seen for seen in evening.host.messages() if "à l'arrêt" in seen.text)
    assert f"<@{evening.host.id}>" in asked.text
    assert "**Les tables 1, 2** sont à l'arrêt" in asked.text
    await evening.press("night_host", asked)
    assert "night_result" in str(evening.panel().controls)
    assert "Réservé à l'hôte" in await harness[BRUNO].press(part_id(asked, "night_host"), asked)
    await harness.advance(10 * MINUTE)
    assert not any("à l'arrêt" in seen.text for seen in evening.host.messages()), "it is settled"


async def test_a_tables_thread_stays_when_people_wrote_in_it(evening: Evening) -> None:
    harness, home = evening.harness, evening.harness.channel
    await evening.begun()
    threads = [int(thread) for thread in re.findall(r"<#(\d+)>", evening.message().text)]
    harness.channel = next(one for one in home.threads if one.id == threads[1])
    await harness[BRUNO].say("Belle manche !")
    harness.channel = home
    await evening.enter(1, "10-4")
    await evening.enter(2, "3-10")
    await harness.advance(2.5 * MINUTE)
    shown = [harness.env.backend.channels[thread].thread_metadata.archived for thread in threads]
    assert shown == [True, False]


async def test_the_message_names_the_awaited_player_until_they_are_back(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(minutes=5)
    await evening.join(*EIGHT[:4])
    await harness.advance(5 * MINUTE)
    for _ in range(20):
        if BRUNO in _awaited(evening.message().text):
            break
        await harness.advance(5)
    table = harness.bot.rooms.directory.alive_of(harness[BRUNO].id)[0]
    await harness[BRUNO].click(f"k1:{table.id}:sign_panel")
    await harness.advance(3)
    waiting = _awaited(evening.message().text)
    assert waiting, "the others are still awaited"
    assert BRUNO not in waiting
    for _ in range(60):
        if "(🤖)" in (waiting := _awaited(evening.message().text)):
            break
        await harness.advance(5)
    replaced = next(name for name in EIGHT[:4] if f"{name} (🤖)" in waiting)
    own = harness.bot.rooms.directory.alive_of(harness[replaced].id)[0]
    await harness[replaced].click(f"k1:{own.id}.1:hand")
    await harness.advance(3)
    assert replaced not in _awaited(evening.message().text), "back from the robot"


def _awaited(text: str) -> str:
    return " ".join(line for line in text.splitlines() if "On attend" in line)
