"""A night is planned on its panel, kept as a draft, announced, and repeated week after week."""

import re

import pytest

from bot.nights.formats import SWISS
from tests.integration.evening import EIGHT, MINUTE, Evening, in_paris, part_id
from tests.integration.harness import BRUNO


async def test_two_presses_plan_a_night_like_the_previous_one(evening: Evening) -> None:
    panel = await evening.opened(format="swiss", rounds="6", size="6")
    assert not any("night_again" in one.custom_id for one in panel.controls), "there was none"
    await evening.press("night_publish", panel)
    first = evening.night().plan
    await evening.host.slash("kems-admin night create")
    drafted = await evening.press("night_again", evening.panel())
    await evening.press("night_publish", drafted)
    await evening.harness.advance(5)
    nights = evening.harness.bot.rooms.nights.nights_in(evening.harness.guild.id)
    second = max((one.plan for one in nights), key=lambda plan: plan.starts_at)
    assert (second.title, second.format, second.rounds, second.size) == (first.title, SWISS, 6, 6)
    assert second.starts_at - first.starts_at == 7 * 24 * 60 * MINUTE * 1000


async def test_a_form_keeps_the_hosts_input_and_names_what_is_wrong(evening: Evening) -> None:
    panel = await evening.press("night_publish", await evening.opened("2020-01-01 21:00"))
    assert "Cette heure est passée" in panel.text
    for title, when, until, most, line in (
        ("Soirée", "bientôt", "", "", "Je ne comprends pas « bientot » dans « bientôt »"),
        (" ", "samedi 21h", "", "", "Ce titre est vide"),
        ("Soirée", "samedi 21h", "plus tard", "", "Je ne comprends pas « plus tard » dans « plus tard »"),
        ("Soirée", "samedi 21h", "", "dix", "Combien de joueurs au plus ?"),
        ("Soirée", "samedi 21h", "", "3", "Combien de joueurs au plus ?"),
    ):
        form = await evening.host.click(part_id(panel, "night_text"), panel)
        await evening.host.submit(form, "Soirée d'essai", "samedi 21h", "", "")
        form = await evening.host.click(part_id(panel, "night_text"), panel)
        before = evening.panel().text
        await evening.host.submit(form, title, when, until, most)
        assert evening.panel().text.splitlines()[0].startswith(line)
        kept = before.replace("### Soirée d'essai", f"### {title}") if title.strip() else before
        assert evening.panel().text.endswith(kept), "the other fields are kept"

    await evening.press(":ranked", panel)
    await evening.harness.together(
        lambda: evening.host.choose(part_id(panel, ":format"), "knockout", message=panel),
        lambda: evening.press("night_more", panel),
    )
    more = await evening.page_of("size")
    await evening.host.choose(part_id(more, ":minutes"), "40", message=more)
    await evening.host.choose(part_id(more, ":size"), "8", message=more)
    said = evening.panel().text.replace("\u00a0", " ")
    assert "Paires, élimination directe · rondes de 40 min · tables de 8" in said
    assert part_id(evening.panel(), ":size"), "the page stays"

    panel = await evening.opened()
    publish = part_id(panel, "night_publish")
    await evening.harness.together(
        lambda: evening.host.click(publish, panel), lambda: evening.host.click(publish, panel)
    )
    await evening.harness.advance(5)
    assert len(evening.sign_ups()) == 1
    assert "est annoncée" in evening.panel().text
    await evening.host.forge(publish, evening.panel())
    await evening.harness.advance(5)
    assert len(evening.sign_ups()) == 1


async def test_a_draft_outlives_a_restart_and_is_published_once(evening: Evening) -> None:
    harness = evening.harness
    begins = (harness.now().timestamp() + 3600) // 60 * 60
    panel = await evening.opened(in_paris(begins), format="swiss", rounds="6", minutes="30", size="6", weekly="on")
    said = panel.text
    await harness.restart()
    panel = await evening.press(":robots", panel)
    assert panel.text.splitlines()[:4] == said.splitlines()[:4]
    assert "☐ 🤖" in str(panel.controls)
    assert "☑ Chaque semaine" in str(panel.controls)
    form = await evening.host.click(part_id(panel, "night_text"), panel)
    await harness.restart()
    await evening.host.submit(form, "Une : autre", in_paris(begins), "", "20")
    panel = evening.panel()
    await evening.press("night_publish", panel)
    await harness.restart()
    await evening.host.forge(part_id(panel, "night_publish"), panel)  # as it still looked to the host
    await harness.advance(5)
    (posted,) = evening.sign_ups()
    assert "Une : autre" in posted.text
    plan = evening.night().plan
    assert (str(plan.format), plan.rounds, plan.round_minutes, plan.size, plan.most) == ("swiss", 6, 30, 6, 20)
    assert (plan.is_weekly, plan.fills_with_robots, plan.is_ranked) == (True, False, False)


async def test_a_draft_whose_rule_set_was_deleted_keeps_its_rules(evening: Evening) -> None:
    host = evening.host
    await host.slash("kems-admin rules save", name="Maison", text="classic target=3")
    panel = await evening.opened(rules="set:Maison")
    await host.slash("kems-admin rules delete", name="Maison")
    question = evening.panel()
    await host.click(question.controls[0].custom_id, question)
    await evening.harness.restart()
    await host.click(part_id(panel, ":ranked"), panel)
    panel = evening.again(panel)
    assert part_id(panel, ":ranked:off"), "it is on"
    assert "Maison" in panel.text
    assert "3 points" in panel.text
    assert "set:Maison" not in str(panel.controls), "nobody else chooses them"


@pytest.mark.long
async def test_a_weekly_night_plans_and_announces_the_next_by_itself(evening: Evening) -> None:
    harness = evening.harness
    first = await evening.begun(rounds="1", weekly="on")
    await evening.enter(1, "10/4")
    await evening.enter(2, "10 4")
    await harness.advance(24 * 60 * MINUTE)
    posted = [seen for seen in evening.sign_ups() if seen.id != first.id]
    assert len(posted) == 1
    assert "Encore personne" in posted[0].text
    assert "chaque semaine" in posted[0].text


async def test_one_date_of_a_series_or_the_whole_series_is_cancelled(evening: Evening) -> None:
    await evening.published(weekly="on")
    for label, planned in (("Cette date", 1), ("Toute la série", 0)):
        await evening.cancel(label)
        await evening.harness.advance(24 * 60 * MINUTE)
        assert len(evening.sign_ups()) == planned


async def test_a_series_without_people_asks_its_host_and_weekly_participants_are_signed_up(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(weekly="on")
    await evening.join(BRUNO)
    await evening.press(":on", harness[BRUNO].last(ephemeral=True), BRUNO)
    for days in (1, 7):
        await harness.advance(days * 24 * 60 * MINUTE)
    assert "**1 inscrit**" in evening.message().text
    (asked,) = (seen for seen in evening.host.messages() if "night_go_on" in str(seen.controls))
    assert "Trop peu de monde" in asked.text
    assert "Réservé" in (await evening.press("night_go_on", asked, BRUNO)).text
    assert "La série continue." in (await evening.press("night_go_on", asked)).text
    assert all(seen.id != asked.id for seen in evening.host.messages())
    assert evening.night().deserted == 0


async def test_a_night_is_announced_in_another_channel_than_its_tables(evening: Evening) -> None:
    harness = evening.harness
    news = harness.guild.create_text_channel("annonces")
    await evening.opened(in_paris(harness.now().timestamp() + 60 * MINUTE))
    panel = await evening.page_of("announce")
    await evening.host.choose(part_id(panel, ":announce"), news, message=panel)
    published = await evening.press("night_publish", evening.panel())
    await harness.advance(5)
    assert f"/{news.id}" in published.text
    await evening.join(*EIGHT[:4])
    await harness.advance(61 * MINUTE)
    board = evening.message()
    assert board.channel_id == news.id
    (thread,) = re.findall(r"<#(\d+)>", board.text)
    public = [seen for seen in evening.host.messages(harness.channel.id) if not seen.ephemeral]
    assert all("night_host" in str(seen.controls) for seen in public), "no line about a thread stays"
    assert harness.bot.get_channel(int(thread)).parent_id == harness.channel.id
