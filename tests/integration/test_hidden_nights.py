"""A night is unknown to members who can see neither where it is announced nor where it is played.

The role for hosts lets its holder lead and plan where they may write themselves.
"""

from typing import Any

import pytest

from bot.store.engine.database import Database
from bot.ui.night.verbs import HostVerb, PlanVerb, PlayerVerb
from tests.integration.evening import Evening, part_id
from tests.integration.harness import COMPONENT, EVERYBODY, Harness
from tests.integration.mishaps import deny
from tests.integration.test_config import choose
from tests.integration.test_other_server import Elsewhere

EMILE = EVERYBODY[4]
LOOKS = (PlayerVerb.MINE, PlayerVerb.CALENDAR, PlayerVerb.JOIN, PlayerVerb.READY, PlayerVerb.LEAVE)
PAGES = (PlayerVerb.TABLES, PlayerVerb.STANDINGS, PlayerVerb.REPLAYS)
TITLE = "Soirée d'essai"
NO_NIGHT = "Cette soirée n'existe plus"


async def give_hosts_role(harness: Harness, database: Database) -> None:
    """Émile has the server's role for hosts."""
    role = harness.guild.create_role("Animateurs")
    await choose(database, harness, hosts_role=role.id)
    harness.env.backend.add_member_role(harness.guild.id, harness[EMILE].id, role.id)


@pytest.mark.parametrize("sees", [False, pytest.param(True, marks=pytest.mark.long)])
async def test_every_look_suggestion_and_press_of_a_night_in_a_hidden_channel(
    evening: Evening, database: Database, sees: bool
) -> None:
    harness, everywhere, emile = evening.harness, evening.harness.channel, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    harness.enter("coin", EMILE, view_channel=sees)
    await evening.published()
    harness.channel = everywhere
    here = Elsewhere(harness, harness.guild, everywhere)

    async def reads(verb: str, *more: str) -> Any:
        data = {"custom_id": ":".join(("k1:0", verb, "1", *more)), "component_type": 2}
        return str((await here.send(EMILE, COMPONENT, data))[0])

    for verb, more in [*((verb, ()) for verb in LOOKS), *((verb, ("0",)) for verb in PAGES)]:
        assert (NO_NIGHT in await reads(verb, *more)) is not sees, verb
    for verb in (*HostVerb, PlanVerb.EDIT):
        assert (NO_NIGHT in await reads(verb)) is not sees, verb
    assert bool(await emile.suggestions("kems night", "night")) is sees
    assert (TITLE in await emile.ask("kems night")) is sees
    assert (NO_NIGHT in await emile.ask("kems night", night=1)) is not sees
    await emile.slash("kems night")
    await emile.click("Prévoir…")
    assert (":template" in str(emile.last(ephemeral=True).controls)) is sees, "a night to plan one like"


async def test_who_takes_part_sees_a_night_whose_channel_is_hidden_since(evening: Evening) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    everywhere = harness.channel
    harness.enter("coin")
    await evening.published()
    await evening.join(EMILE)
    deny(harness, harness[EMILE].id, "view_channel")
    harness.channel = everywhere
    assert TITLE in await emile.ask("kems night")
    evening.host = emile
    assert "inscrit" in await emile.forge("k1:0:night_leave:1", emile.last())
    assert TITLE not in await emile.ask("kems night")


async def test_the_role_for_hosts_is_worth_nothing_where_its_holder_may_not_write(
    evening: Evening, database: Database
) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    harness.enter("annonces", EMILE, send_messages=False)
    await evening.published()
    for verb in (*HostVerb, PlanVerb.EDIT):
        assert (await emile.forge(f"k1:0:{verb}:1", evening.message())).startswith("Réservé à l'hôte, à <@&"), verb
    evening.host = emile
    await emile.slash("kems night")
    panel = await evening.press("night_plan", emile.last(ephemeral=True), EMILE)
    said = await evening.press("night_publish", panel, EMILE)
    assert said.text.startswith("Vous ne pouvez pas écrire dans <#")
    assert evening.night().host_id == harness["Léa"].id, "there is no other night"


async def test_a_host_who_may_no_longer_write_has_the_bot_write_no_words_of_theirs(
    evening: Evening, database: Database
) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    evening.host = emile
    await emile.slash("kems night")
    panel = await evening.press("night_plan", emile.last(ephemeral=True), EMILE)
    await evening.press("night_publish", panel, EMILE)
    await harness.advance(3)
    deny(harness, harness[EMILE].id, "send_messages")
    for verb, more in ((HostVerb.WRITE, "Venez !"), (HostVerb.CANCEL, "Non.")):
        panel = await evening.press("night_host", evening.message(), EMILE)
        shown = await emile.click(part_id(panel, verb), panel)
        if shown.modal is None:
            shown = await emile.click(part_id(evening.panel(), f"{verb}:1:date"), evening.panel())
        await emile.submit(shown, more)
        assert evening.panel().text.startswith("Vous ne pouvez pas écrire dans <#"), verb
    assert evening.night().status == "planned"
