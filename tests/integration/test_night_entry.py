"""A night that asks for a role and for matches played: who comes in, who reads what they lack, what the host sees."""

from pathlib import Path
from typing import Any

import pytest

from tests.integration.evening import MINUTE, Evening, in_paris, part_id
from tests.integration.harness import BRUNO, CHLOE, DORA, LEA, Seen
from tests.integration.table import settings_for
from tests.store.conftest import opened
from tests.store.counted_matches import Match, play_all


def role(evening: Evening, *names: str) -> Any:
    """A role that these people have."""
    harness = evening.harness
    made = harness.guild.create_role("Habitués")
    for name in names:
        harness.env.backend.add_member_role(harness.guild.id, harness[name].id, made.id)
    return made


async def asking(evening: Evening, asked: Any, played: str = "0", **chosen: str) -> Seen:
    """The host's panel of a night that asks for a role, and for some matches."""
    begins = (evening.harness.now().timestamp() + 60 * MINUTE) // 60 * 60
    await evening.opened(in_paris(begins), **chosen)
    panel = await evening.page_of("matches")
    await evening.host.choose(part_id(panel, ":matches"), played, message=panel)
    await evening.host.choose(part_id(panel, ":role_id"), asked, message=panel)
    return evening.panel()


async def published(evening: Evening, asked: Any, played: str = "0", **chosen: str) -> Seen:
    """The sign-up message of such a night."""
    await evening.press("night_publish", await asking(evening, asked, played, **chosen))
    return evening.message()


def pings(evening: Evening, asked: Any) -> list[Any]:
    """Whom each message may mention that has a mention of the role; asserts that there are some."""
    said = [one.json for one in evening.harness.env.backend.http_requests if f"<@&{asked.id}>" in str(one.json)]
    bodies = [one.get("data", one) for one in said]
    assert bodies
    return [one.get("allowed_mentions") for one in bodies]


async def test_a_person_is_told_what_they_lack_and_nobody_is_mentioned(evening: Evening, tmp_path: Path) -> None:
    harness = evening.harness
    regulars, bruno, chloe = role(evening, BRUNO), harness[BRUNO].id, harness[CHLOE].id
    counts = ((bruno, chloe, 1, 2), (bruno, chloe, 1, 2), (bruno, 3, 1, 2))
    async with opened(settings_for(tmp_path).database_url) as database:
        await play_all(database, [Match(users, guild=harness.guild.id) for users in counts])
    panel = await asking(evening, regulars, "10")
    assert "⚠︎ 0 des 5 personnes qui ont joué ici remplissent cette condition." in panel.text
    await evening.host.choose(part_id(panel, ":matches"), "3", message=panel)
    assert "3 des 5 personnes qui ont joué ici remplissent cette condition." in evening.panel().text
    message = await published(evening, regulars, "3", format="swiss")
    assert f"Entrée : <@&{regulars.id}> · 3 parties jouées" in message.text
    said = (await evening.press("night_join", message, CHLOE)).text
    assert f"Il vous manque le rôle <@&{regulars.id}>. Il vous manque 1 partie sur 3." in said
    assert "Vous êtes inscrit" in (await evening.press("night_join", message, BRUNO)).text
    harness.env.backend.add_member_role(harness.guild.id, chloe, regulars.id)
    said = (await evening.press("night_join", message, CHLOE)).text
    assert "Il vous manque 1 partie sur 3." in said
    panel = await evening.press("night_mine", message, BRUNO)
    await harness[BRUNO].choose(part_id(panel, "night_ask"), harness[CHLOE].actor, message=panel)
    assert "n'est pas inscrite" in harness[BRUNO].last(ephemeral=True).text, "a pair is two who were taken"
    assert [one.name for one in evening.night().present] == [BRUNO]


async def test_a_host_lets_people_in_and_sees_who_has_lost_the_role(evening: Evening) -> None:
    harness = evening.harness
    regulars = role(evening, BRUNO)
    message = await published(evening, regulars)
    await evening.join(BRUNO)
    panel = await evening.press("night_host", message)
    await evening.host.choose(part_id(panel, "night_add"), harness[DORA].actor, message=panel)
    assert f"{DORA} ne remplit pas les conditions" in evening.panel().text
    harness.env.backend.remove_member_role(harness.guild.id, harness[BRUNO].id, regulars.id)
    await harness.advance(46 * MINUTE)
    (asked,) = evening.questions()
    said = (await evening.press("night_ready", asked, BRUNO)).text
    assert f"Vous n'avez plus <@&{regulars.id}>. Votre place vous reste" in said
    assert "n'avez plus" not in (await evening.press("night_ready", asked, DORA)).text, "the host knows"
    assert f"Sans <@&{regulars.id}> (1) : {BRUNO}" in (await evening.press("night_host", message)).text
    assert [one.name for one in evening.night().present] == [BRUNO, DORA]
    await evening.edit(in_paris(evening.night().plan.starts_at / 1000 + 60 * MINUTE))
    await harness.advance(5)
    (moved,) = evening.questions()
    assert f"Entrée : <@&{regulars.id}>" in moved.text
    assert not [one for one in pings(evening, regulars) if one is None or one.get("roles") or "roles" in one["parse"]]


@pytest.mark.parametrize("has_role", [False, True])
async def test_the_planner_is_signed_up_when_they_meet_the_conditions(evening: Evening, has_role: bool) -> None:
    asked = role(evening, *[LEA] * has_role)
    said = await evening.press("night_publish", await asking(evening, asked))
    assert ("Vous êtes inscrit aussi." in said.text) is has_role
    assert [entrant.name for entrant in evening.night().present] == [LEA] * has_role
    await evening.press("night_leave", evening.message())
    await evening.edit(in_paris(evening.night().plan.starts_at / 1000 + 60 * MINUTE))
    assert evening.night().present == (), "a change of the plan signs nobody up again"


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_deleted_role_excludes_nobody_and_the_host_is_mentioned(evening: Evening, is_away: bool) -> None:
    """Also where it is deleted while the bot is away."""
    harness = evening.harness
    regulars = role(evening)
    message = await published(evening, regulars)
    with pytest.MonkeyPatch.context() as patch:
        if is_away:
            patch.setattr(harness.env.backend, "emit", lambda *_args, **_more: None)
        harness.env.backend.delete_role(harness.guild.id, regulars.id)
    if is_away:
        await harness.restart()
    await harness.advance(5)
    (call,) = (one for one in evening.host.messages() if "Le rôle qu'elle demandait a été supprimé" in one.text)
    assert f"<@{evening.host.id}>" in call.text
    assert "Entrée" not in evening.again(message).text
    assert "Vous êtes inscrit" in (await evening.press("night_join", message, CHLOE)).text
    await evening.press("night_publish", await evening.press("night_edit", call))
    await harness.advance(5)
    assert call.id not in [one.id for one in evening.host.messages()], "the host has looked"


async def test_a_draft_refuses_the_everyone_role_and_drops_a_deleted_one(evening: Evening) -> None:
    await evening.opened()
    panel = await evening.page_of("role_id")
    await evening.host.choose(part_id(panel, ":role_id"), evening.harness.guild.default_role, message=panel)
    assert "c'est tout le monde" in evening.panel().text
    assert "Entrée :" not in evening.panel().text

    harness = evening.harness
    regulars = role(evening)
    panel = await asking(evening, regulars)
    harness.env.backend.delete_role(harness.guild.id, regulars.id)
    await harness.settle()
    said = (await evening.press("night_publish", panel)).text
    assert "Le rôle d'entrée a été supprimé" in said
    await evening.press("night_publish", evening.panel())
    assert evening.night().plan.entry.role_id is None
