"""A server lets members with a role, or of some days, play ranked: the lobby names that, its people what they lack."""

from typing import Any

from tests.integration import harness as people
from tests.integration.evening import Evening
from tests.integration.harness import Harness
from tests.integration.table import lobby
from tests.integration.test_config import opened, panel, pick

DAY_S = 86_400
FRIENDLY, RANKED = "amicale (condition non remplie)", "10 points · classée"


async def asks(harness: Harness, *names: str, days: str = "0") -> Any:
    """The role of these people, for which the server asks in ranked matches, beside some days of membership."""
    role = harness.guild.create_role("Habitués")
    for name in names:
        harness.env.backend.add_member_role(harness.guild.id, harness[name].id, role.id)
    await opened(harness)
    await harness["Léa"].click("k1:0:config_more", panel(harness))
    for field, value in (("role_id", role), ("days", days)):
        await pick(harness, field, value)
    return role


async def test_the_lobby_names_the_condition_and_shows_privately_what_a_person_lacks(harness: Harness) -> None:
    role = await asks(harness, "Léa", "Bruno", "Chloé", "Émile")
    table = await lobby(harness, "Bruno", "Chloé")
    assert "classée sans robots" in await table.settle()
    assert f"Classée pour : <@&{role.id}>" in table.board(), "everybody reads it before they sit down"
    assert (
        await table.press("Dora", "join") == f"Avec vous, la partie est amicale. Il vous manque le rôle <@&{role.id}>."
    )
    board = await table.settle()
    assert FRIENDLY in board
    assert f"Classée pour : <@&{role.id}>" in board
    assert not harness["Chloé"].reads("Avec vous"), "nor does anybody read who it is"
    await table.press("Dora", "leave")
    await table.press("Émile", "join")
    assert RANKED in await table.settle()
    assert not harness["Émile"].reads("Avec vous")


async def test_a_quick_start_names_the_condition_to_the_person_who_presses_play(harness: Harness) -> None:
    role = await asks(harness, "Bruno")
    await harness["Bruno"].slash("kems play")
    await harness["Chloé"].slash("kems play")
    assert f"Il vous manque le rôle <@&{role.id}>" in harness["Chloé"].told
    assert "Avec vous" not in harness["Bruno"].told


async def test_days_of_membership_count_and_a_deleted_role_is_required_of_nobody(harness: Harness) -> None:
    role = await asks(harness, *people.EVERYBODY, days="7")
    table = await lobby(harness, "Bruno", "Chloé", "Dora")
    board = await table.settle()
    assert FRIENDLY in board
    assert f"Classée pour : <@&{role.id}> · membre depuis 7 jours" in board.replace("\u00a0", " ")
    assert harness["Dora"].reads("Il vous manque 7 jours sur 7 comme membre.")
    harness.env.backend.delete_role(harness.guild.id, role.id)
    await harness.advance(7 * DAY_S)
    table = await lobby(harness, "Bruno", "Chloé", "Dora", host="Émile")
    assert RANKED in await table.settle()


async def test_the_match_is_ranked_if_all_have_the_role_as_it_starts(harness: Harness) -> None:
    role = await asks(harness, "Léa", "Bruno", "Chloé", "Dora")
    table = await lobby(harness, "Bruno", "Chloé", "Dora")
    assert RANKED in await table.settle()
    harness.env.backend.remove_member_role(harness.guild.id, harness["Dora"].id, role.id)
    await harness.advance(61)  # Discord is asked about one person once a minute
    await table.press("Léa", "start")
    assert "classée" not in await table.settle()


async def test_a_ranked_night_has_the_entry_conditions_of_ranked_matches_and_a_friendly_one_none(
    evening: Evening,
) -> None:
    role = await asks(evening.harness, "Bruno")
    asked = f"Entrée : <@&{role.id}>"
    assert asked not in (await evening.opened()).text
    assert asked in (await evening.opened(ranked="on")).text
    await evening.host.click(next(one.custom_id for one in evening.panel().controls if ":ranked" in one.custom_id))
    assert asked not in evening.panel().text
