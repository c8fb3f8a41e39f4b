"""The host's panel before, during and after a night."""

from typing import Final

import discord
import pytest
from simcord.backend.errors import BackendError

from bot.ui.night.messages.night_messages import LETTER_S
from bot.ui.night.messages.night_posts import RETRY_MS
from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import BRUNO, CHLOE, LEA, Seen
from tests.integration.mishaps import refuse

EMILE: Final = EIGHT[4]


async def chosen(evening: Evening, part: str, *names: str) -> Seen:
    """The host's panel after a choice of people in one of its menus."""
    panel = await evening.press("night_host", evening.message())
    members = [evening.harness[name].actor for name in names]
    await evening.host.choose(part_id(panel, part), *members, message=panel)
    return evening.panel()


async def test_before_a_night_its_host_signs_people_up_pairs_and_removes_them(evening: Evening) -> None:
    await evening.published(format="swiss")
    await evening.join(LEA)
    panel = await chosen(evening, "night_add", BRUNO, CHLOE, LEA)
    assert "Inscrits : Bruno, Chloé" in panel.text
    assert "**3 inscrits**" in panel.text
    assert "déjà inscrits" in (await chosen(evening, "night_add", BRUNO)).text
    question = await chosen(evening, "night_people", BRUNO, CHLOE)
    assert "Bruno & Chloé ?" in question.text
    panel = await evening.press("night_step", question)
    assert "Léa, Bruno & Chloé" in panel.text
    question = await chosen(evening, "night_people", BRUNO)
    assert "perd son inscription" in question.text
    assert "Léa, Chloé" in (await evening.press("night_step", question)).text
    await evening.harness.advance(3)
    assert "**2 inscrits**" in evening.message().text
    assert "Léa, Bruno & Chloé" in (await evening.press("night_undo", evening.panel())).text


async def test_the_host_writes_to_all_and_nobody_else_is_mentioned_and_signs_up_no_bot(evening: Evening) -> None:
    await evening.published()
    await evening.join(BRUNO, CHLOE)
    panel = await evening.press("night_host", evening.message())
    form = await evening.host.click(part_id(panel, "night_write:"), panel)
    await evening.host.submit(form, "Venez @everyone <@1> à *l'heure* !")
    assert "2 personnes reçoivent votre message" in evening.panel().text
    await evening.harness.advance(5)
    (letter,) = (seen for seen in evening.host.messages() if "l'heure" in seen.text)
    assert all(f"<@{evening.harness[name].id}>" in letter.text for name in (BRUNO, CHLOE))
    assert "<@1>" not in letter.text
    assert "@everyone" not in letter.text
    panel = await evening.press("night_host", evening.message())
    form = await evening.host.click(part_id(panel, "night_write:"), panel)
    await evening.host.submit(form, "Bonsoir !\n21 h : première ronde\nhttps://exemple.fr/regles_du_jeu")
    await evening.harness.advance(5)
    (letter,) = (seen for seen in evening.host.messages() if "première ronde" in seen.text)
    assert "Bonsoir !\n21 h : première ronde\nhttps://exemple.fr/regles_du_jeu" in letter.text
    music = evening.harness.env.create_user("musique", global_name="Musique", bot=True)
    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_add"), evening.harness.guild.add_member(music), message=panel)
    assert "Musique est un bot" in evening.panel().text


async def written(evening: Evening, line: str) -> str:
    """What the host reads who writes a line to all."""
    panel = await evening.press("night_host", evening.message())
    form = await evening.host.click(part_id(panel, "night_write:"), panel)
    await evening.host.submit(form, line)
    await evening.harness.advance(LETTER_S + 1)
    return evening.panel().text


async def test_the_host_is_told_whether_everybody_gets_the_message(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.published()
    await evening.join(BRUNO, CHLOE)
    posts = f"/channels/{evening.harness.channel.id}/messages"
    with refuse(monkeypatch, "POST", posts, BackendError(500, 0, "Internal Server Error")):
        told = await written(evening, "On commence une heure plus tard")
        assert "Discord ne prend pas encore votre message." in told
        assert "reçoivent" not in told
        await evening.harness.advance(40)
    await evening.harness.advance(RETRY_MS / 1000)
    (letter,) = (seen for seen in evening.host.messages() if "plus tard" in seen.text)
    assert all(f"<@{evening.harness[name].id}>" in letter.text for name in (BRUNO, CHLOE))
    with refuse(monkeypatch, "POST", posts, BackendError(403, 50013, "Missing Permissions")):
        assert "Discord a refusé votre message" in await written(evening, "Une autre fois")


async def test_a_night_is_edited_and_begun_early_from_the_panel(evening: Evening) -> None:
    await evening.published()
    await evening.join(LEA)
    question = await evening.lead("▶ Commencer…")
    assert "pas assez de monde" in (await evening.press("night_step", question)).text
    await evening.join(*EIGHT[1:])
    panel = await evening.press("night_edit", await evening.press("night_host", evening.message()))
    await evening.host.choose(part_id(panel, ":rounds"), "2", message=panel)
    await evening.press("night_publish", evening.panel())
    await evening.harness.advance(3)
    await evening.press("night_step", await evening.lead("▶ Commencer…"))
    await evening.harness.advance(5)
    assert "Ronde 1 sur 2" in evening.message().text
    panel = await evening.press("night_host", evening.message())
    assert "la soirée commence maintenant" in panel.text
    assert "night_undo" not in str(panel.controls)


async def test_a_wrong_result_of_an_earlier_round_is_corrected(evening: Evening) -> None:
    harness = evening.harness
    await evening.begun(rounds="2")
    await evening.enter(1, "10-4")
    await evening.enter(2, "3-10")
    await harness.advance(5 * MINUTE)
    assert "Ronde 2 sur 2" in evening.message().text
    second = evening.night().rounds[1]
    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_round"), "1.0", message=panel)
    panel = evening.panel()
    assert "Les rondes déjà tirées ne changent pas" in panel.text
    await evening.host.choose(part_id(panel, "night_table"), "1", message=panel)
    assert "**10 — 4**" in evening.panel().text
    assert "restart_table" not in str(evening.panel().controls)
    form = await evening.host.click(part_id(evening.panel(), "night_result"), evening.panel())
    await evening.host.submit(form, "4-10")
    panel = await evening.press("night_step", evening.panel())
    assert "Ronde 1, table 1 : 4 — 10" in panel.text
    (first, _), tables = evening.night().rounds[0].tables, evening.night().rounds[1].tables
    assert first.result is not None
    assert first.result.scores == (4, 10)
    assert [table.seats for table in tables] == [table.seats for table in second.tables]


async def test_two_hosts_can_correct_a_result_and_a_paused_table_loses_no_time(evening: Evening) -> None:
    """Both read the question before either confirms."""
    harness = evening.harness
    await evening.begun()
    night = evening.night()
    first, second = night.rounds[-1].tables
    names = [night.entrants[table.seats[0]].name for table in (first, second)]
    backend = harness.env.backend
    role = backend.create_role(harness.guild.id, "Hosts", permissions=discord.Permissions(manage_guild=True).value)
    backend.add_member_role(harness.guild.id, harness[CHLOE].id, role.id)
    await harness.settle()
    asked, more = {}, {}
    for name, people in ((LEA, names), (CHLOE, names[::-1])):
        panel = await evening.press("night_host", evening.message(), name)
        more[name] = await evening.press("add_time", panel, name)
        panel = await evening.press("night_host", evening.message(), name)
        await harness[name].choose(
            part_id(panel, "night_people"), *(harness[each].actor for each in people), message=panel
        )
        asked[name] = harness[name].last(ephemeral=True)
    ends_at = night.rounds[-1].ends_at
    told = [
        await evening.press("night_step", questions[name], name) for questions in (asked, more) for name in questions
    ]
    tables = evening.night().rounds[-1].tables
    assert [table.seats[0] for table in tables[:2]] == [second.seats[0], first.seats[0]]
    assert evening.night().rounds[-1].ends_at == ends_at + 5 * MINUTE * 1000
    assert all("pas fait. Cela a changé" in one.text.replace("\u00a0", " ") for one in (told[1], told[3]))

    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_table"), "1", message=panel)
    question = await evening.press("pause_table", evening.panel())
    assert "Cette table et son temps s'arrêtent" in question.text
    assert "table 1 en pause" in (await evening.press("night_step", question)).text
    await harness.advance(20 * MINUTE)
    one, other = (harness.bot.rooms.directory.table(one.table_id or 0) for one in evening.night().all_tables)
    assert one is not None
    assert one.pause is not None, "it stands still for longer than people may pause"
    assert other is None or other.pause is None or other.pause.by_itself
    panel = await evening.press("night_host", evening.message())
    assert "⏸ Table 1" in panel.text
    await evening.host.choose(part_id(panel, "night_table"), "1", message=panel)
    await evening.press("night_step", await evening.press("resume_table", evening.panel()))
    await harness.advance(3)
    assert one.pause is None
    last = evening.night().rounds[0]
    assert last.ends_at is not None
    assert (last.tables[0].ends_at or 0) - last.ends_at >= 20 * MINUTE * 1000


async def test_the_host_sees_who_declined_apart_from_who_did_not_answer(evening: Evening) -> None:
    await evening.published(format="swiss")
    await evening.join(LEA, BRUNO, CHLOE)
    await evening.press("night_step", await chosen(evening, "night_people", LEA, BRUNO))
    said = await evening.press("night_leave", evening.message(), EMILE)
    assert "vous ne venez pas" in said.text
    assert "Ne viennent pas (1) : Émile" in (await evening.press("night_host", evening.message())).text
    await evening.harness.advance(46 * MINUTE)
    (asked,) = evening.questions()
    panel = await evening.press("night_host", evening.message())
    assert "Ne viennent pas (1) : Émile\nSans réponse (3) : Léa, Bruno, Chloé" in panel.text
    assert "1 absent annoncé" in asked.text
    await evening.press("night_leave", await evening.press("night_leave", asked, LEA), LEA)
    assert (
        "Votre partenaire ne joue plus avec vous" in (await evening.press("night_mine", evening.message(), BRUNO)).text
    )
    await evening.press("night_join", evening.message(), EMILE)
    assert "Ne viennent pas (1) : Léa\n" in (await evening.press("night_host", evening.message())).text
