"""Leaving, closing and removing: the question says before what it costs, and its answer holds for nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, kems
from tests.integration.test_channel_post import opened


async def playing(harness: Harness, **options: object) -> Table:
    table = Table(harness)
    await table.open(**options)
    return table


async def test_a_player_reads_what_leaving_costs_and_may_stay(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
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


async def test_a_friendly_match_costs_a_seat_alone(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        await playing(harness, rules="classic target=5")
        await harness["Chloé"].slash("kems leave")
        assert "Un robot prend votre place" in harness["Chloé"].last(ephemeral=True).text
        await harness["Léa"].slash("kems end")
        assert "La partie s'arrête sans résultat" in harness["Léa"].last(ephemeral=True).text
        await harness["Léa"].slash("kems kick", member=harness["Dora"].actor)
        assert "Un robot remplace Dora, sans retour possible" in harness["Léa"].last(ephemeral=True).text


async def test_an_answer_holds_only_for_what_was_asked(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
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


async def test_a_ranked_match_is_ended_at_the_cost_of_a_player_and_of_no_moderator(tmp_path: Path) -> None:
    async with kems(tmp_path, people=("Zoé", *PEOPLE)) as harness:  # Zoé owns the server, and does not play
        table = await playing(harness)
        await harness["Léa"].slash("kems end")
        assert "vous y jouez : **vous seul la perdez**" in harness["Léa"].last(ephemeral=True).text
        await harness["Léa"].slash("kems kick", member=harness["Dora"].actor)
        assert "réservé aux modérateurs qui n'y jouent pas" in harness["Léa"].last(ephemeral=True).text
        await harness["Zoé"].slash("kems end")
        assert "ne compte pour personne" in harness["Zoé"].last(ephemeral=True).text
        await harness["Zoé"].agree("kems kick", member=harness["Dora"].actor)
        await table.settle()
        assert "Dora" not in table.board()


async def test_a_lobby_is_left_at_once_but_by_its_last_player(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        table = await opened(harness, "Bruno")
        await harness["Bruno"].click("Quitter")
        assert "Bruno" not in table.board()
        await harness["Léa"].click("Quitter")
        assert "Il n'y a plus que vous : la table ferme." in harness["Léa"].last(ephemeral=True).text
        assert "Léa ouvre une table" in table.board()
        await harness["Léa"].click("Quitter", harness["Léa"].last(ephemeral=True))
        await table.settle()
        assert "fermée" in table.board()
