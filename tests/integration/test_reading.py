"""What members read at their leisure: the rules in words."""

from __future__ import annotations

from pathlib import Path

from tests.integration.table import Table, kems


async def test_the_rules_are_those_of_the_table_in_this_channel(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        lea = harness["Léa"]
        await lea.slash("kems rules")
        assert "La première équipe à 10 points gagne" in lea.last(ephemeral=True).text
        await Table(harness).open(target=7)
        await lea.slash("kems rules")
        here = lea.last(ephemeral=True).text
        assert "La première équipe à 7 points gagne" in here
        await lea.slash("kems rules", preset="yokai")
        yokai = lea.last(ephemeral=True).text
        assert "La première équipe à 10 points gagne" in yokai
        assert "Trois cartes identiques au milieu : elles sont balayées aussitôt." in yokai
        bruno = harness["Bruno"]
        bruno.locale = "en-US"
        await bruno.slash("kems rules", preset="bell")
        assert "The match lasts 8 rounds" in bruno.last(ephemeral=True).text
