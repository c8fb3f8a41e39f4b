"""`/kems help`: what its reader can do, at the table where they are."""

from tests.integration.harness import Harness


async def test_the_help_knows_where_its_reader_is_and_what_they_host(harness: Harness) -> None:
    assert "`/kems ouvrir`" in await harness["Bruno"].ask("kems help")
    await harness["Léa"].slash("kems start")
    beside = await harness["Bruno"].ask("kems help")
    assert "Une table est ici" in beside
    assert "`/kems ouvrir`" not in beside
    assert "Pour les hôtes" not in [control.label for control in harness["Bruno"].last(ephemeral=True).controls]
    assert "Votre table attend sa partie" in await harness["Léa"].ask("kems help")
    await harness["Léa"].click("Pour les hôtes", harness["Léa"].last(ephemeral=True))
    assert "`/kems table terminer`" in harness["Léa"].last(ephemeral=True).text
    await harness["Léa"].click("🤖 Compléter et commencer")
    assert "`/kems main`" in await harness["Léa"].ask("kems help")
