"""Ranked matches that are broken off: lost for whoever caused it, and for nobody else."""

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.errors import StoreError
from bot.store.tables.journal import SqlJournal
from tests.integration.harness import PEOPLE, Harness
from tests.integration.managing import answer_of
from tests.integration.table import hunting, kems


async def losers(harness: Harness) -> list[str]:
    """Who of the people has a match on record, and has lost it."""
    found = []
    for name in PEOPLE:
        await harness["Léa"].slash("kems stats", member=harness[name].actor)
        told = harness["Léa"].last(ephemeral=True).text
        if "1 jouée · 1 classée · 0 % gagnées" in told:
            found.append(name)
        else:
            assert "jouée" not in told, "neither a match nor a rating"
    return found


async def test_a_player_who_ends_a_ranked_match_has_lost_it(harness: Harness) -> None:
    table = await hunting(harness)
    assert "vous seul la perdez" in await harness["Léa"].agree("kems end")
    await table.settle()
    assert "fermée" in table.board()
    assert await losers(harness) == ["Léa"]
    assert "Classique · classée · interrompue" in await answer_of(harness["Dora"], "kems history")
    await harness["Dora"].slash("kems match", table=table.id)
    told = harness["Dora"].last(ephemeral=True).text
    assert f"Partie {table.id}" in told
    assert "Classique · classée · interrompue" in told
    assert "Léa" in told
    assert "🛑 Interrompue à la manche 1. Défaite pour Léa, et pour personne d'autre." in told
    assert f"La partie {table.id} a été interrompue" in await answer_of(harness["Dora"], "kems replay", table=table.id)


async def test_a_match_that_its_last_move_has_ended_is_over_and_not_broken_off(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    """The move was saved, though the connection was lost before the bot heard of it."""
    table = await hunting(harness, target=1)
    with monkeypatch.context() as patch:
        append = SqlJournal.append

        async def lost(journal: SqlJournal, *sent: Any) -> None:
            await append(journal, *sent)
            raise StoreError("The connection was lost.")

        patch.setattr(SqlJournal, "append", lost)
        await table.press("Léa", "kems")
    assert "enregistré" in harness["Léa"].last(ephemeral=True).text
    await harness["Léa"].agree("kems end")
    assert harness["Léa"].last(ephemeral=True).text == "Cette partie est finie."
    await table.settle()
    assert "Équipe 2 gagne la partie" in table.board()
    assert "interrompue" not in await answer_of(harness["Dora"], "kems history")
    assert f"Partie {table.id} · manche 1" in await answer_of(harness["Dora"], "kems replay")


@pytest.mark.parametrize("is_away", [True, False])
async def test_where_absence_ends_the_match_it_is_lost_for_who_is_absent(tmp_path: Path, is_away: bool) -> None:
    async with kems(tmp_path, afk_seconds=10) as harness:  # before chance takes the card that is owed
        table = await hunting(harness)
        await harness["Léa"].slash("kems absent", then="end")
        if is_away:
            await table.press("Chloé", f"put:{table.hand('Chloé')[0]}")
            for _ in range(7):
                await harness.advance(5)
                for name in ("Léa", "Bruno", "Dora"):
                    await table.press(name, "hand")
            await harness.advance(20)
        else:
            await harness["Chloé"].agree("kems leave")
        await table.settle()
        assert "fermée" in table.board()
        assert await losers(harness) == ["Chloé"]


async def test_a_moderator_who_does_not_play_there_ends_it_for_nobody(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        may = discord.PermissionOverwrite(manage_messages=True)
        allowed = {harness[name].actor: may for name in ("Emil", "Dora")}
        harness.channel = harness.guild.create_text_channel("ici", overwrites=allowed)
        await hunting(harness)
        await harness["Dora"].agree("kems leave")
        assert "ne compte pour personne" in await harness["Emil"].agree("kems end")
        assert await losers(harness) == []
        await hunting(harness)
        await harness["Dora"].agree("kems leave")
        assert "vous seul la perdez" in await harness["Dora"].agree("kems end")
        assert await losers(harness) == ["Dora"], "who has left cannot take that back"


@pytest.mark.parametrize("is_charged", [False, True])
async def test_only_a_moderator_who_does_not_play_there_removes_a_player(tmp_path: Path, is_charged: bool) -> None:
    """The host neither removes a player nor opens their seat; ending the match is the host's own loss."""
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        may = discord.PermissionOverwrite(manage_messages=True)
        allowed = {harness[name].actor: may for name in ("Emil", "Léa")}
        harness.channel = harness.guild.create_text_channel("ici", overwrites=allowed)
        table = await hunting(harness)
        for command, told in (
            ("kick", "réservé aux modérateurs qui n'y jouent pas"),
            ("substitute", "l'hôte n'ouvre une place que si son joueur est absent"),
        ):
            assert told in await answer_of(harness["Léa"], f"kems {command}", member=harness["Bruno"].actor)
        await harness["Emil"].slash("kems kick", member=harness["Bruno"].actor)
        question = harness["Emil"].last(ephemeral=True)
        assert "**Exclure, sans défaite** · La partie ne compte pour personne" in question.text
        await harness["Emil"].click("Exclure, avec la défaite" if is_charged else "Exclure, sans défaite", question)
        await table.settle()
        question_of_the_end = await harness["Léa"].agree("kems end")
        assert ("vous seul la perdez" in question_of_the_end) is is_charged
        assert await losers(harness) == (["Léa"] if is_charged else [])
