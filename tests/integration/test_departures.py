"""Leaving, closing and removing: the question says before what it costs, and its answer holds for nothing else."""

from tests.integration.harness import Harness
from tests.integration.managing import answer_of
from tests.integration.table import Table
from tests.integration.test_channel_post import opened


async def playing(harness: Harness, **options: object) -> Table:
    table = Table(harness)
    await table.open(**options)
    return table


async def test_a_player_reads_what_leaving_costs_and_may_stay(harness: Harness) -> None:
    table = await playing(harness)
    chloe = harness["Chloé"]
    await chloe.slash("kems leave")
    asked = chloe.last(ephemeral=True)
    assert "La partie est classée : **elle est perdue pour vous**" in asked.text
    assert [control.label for control in asked.controls] == ["Quitter", "Non, revenir"]
    await chloe.click("Non, revenir", asked)
    assert chloe.last(ephemeral=True).text == "Rien n'a changé."
    assert "Chloé" in table.board()
    await chloe.agree("kems leave")
    await table.settle()
    assert "Chloé" not in table.board()


async def test_a_friendly_match_costs_a_seat_alone(harness: Harness) -> None:
    await playing(harness, rules="classic target=5")
    assert "Un robot prend votre place" in await answer_of(harness["Chloé"], "kems leave")
    assert "La partie s'arrête sans résultat" in await answer_of(harness["Léa"], "kems end")
    assert "Un robot remplace Dora, sans retour possible" in await answer_of(
        harness["Léa"], "kems kick", member=harness["Dora"].actor
    )


async def test_an_answer_holds_only_for_what_was_asked(harness: Harness) -> None:
    table = await opened(harness, "Bruno", "Chloé", "Dora")
    await harness["Bruno"].slash("kems leave")
    asked = harness["Bruno"].last(ephemeral=True)
    assert "Votre place se libère" in asked.text
    await table.press("Léa", "start")
    await table.settle()
    await harness["Bruno"].click("Quitter", asked)
    again = harness["Bruno"].last(ephemeral=True)
    assert "La table a changé entre-temps." in again.text
    assert "elle est perdue pour vous" in again.text
    assert "Bruno" in table.board()
    await harness["Bruno"].click("Quitter", again)
    await table.settle()
    assert "Bruno" not in table.board()


async def test_a_lobby_is_left_at_once_but_by_its_last_player(harness: Harness) -> None:
    table = await opened(harness, "Bruno")
    await harness["Bruno"].click("Quitter")
    assert "Bruno" not in table.board()
    await harness["Léa"].click("Quitter")
    assert "Il n'y a plus que vous : la table ferme." in harness["Léa"].last(ephemeral=True).text
    assert "Léa ouvre une table" in table.board()
    await harness["Léa"].click("Quitter", harness["Léa"].last(ephemeral=True))
    await table.settle()
    assert "fermée" in table.board()
