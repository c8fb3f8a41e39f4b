"""Leaving, closing, removing: the question says before what it costs, and a ranked match that is broken off is lost for
whoever caused it, and for nobody else."""

from typing import Any

import discord
import pytest

from bot.base.errors import StoreError
from bot.store.tables.journal import SqlJournal
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, begun, hunting, lobby


async def test_a_player_is_told_the_penalty_for_leaving_and_may_stay(harness: Harness) -> None:
    table = await begun(harness)
    chloe = harness["Chloé"]
    await chloe.slash("kems leave")
    asked = chloe.last(ephemeral=True)
    assert "La partie est classée : **elle est perdue pour vous**" in asked.text
    assert [control.label for control in asked.controls] == ["Quitter", "Non, revenir"]
    assert await chloe.press("Non, revenir", asked) == "Rien n'a changé."
    assert "Chloé" in table.board()
    assert "Chloé" not in await table.after(chloe.agree("kems leave"))


async def test_leaving_a_friendly_match_costs_only_the_seat(harness: Harness) -> None:
    await begun(harness, rules="classic target=6")
    assert "Un robot joue pour vous" in await harness["Chloé"].ask("kems leave")
    assert "La partie s'arrête sans résultat" in await harness["Léa"].ask("kems table end")
    told = await harness["Léa"].ask("kems table kick", member=harness["Dora"])
    assert "Un robot remplace Dora, sans retour possible" in told


async def test_a_confirmation_holds_only_for_the_penalty_that_was_shown(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé", "Dora")
    await harness["Bruno"].slash("kems leave")
    asked = harness["Bruno"].last(ephemeral=True)
    assert "Votre place se libère" in asked.text
    await table.act("Léa", "start")
    await harness["Bruno"].click("Quitter", asked)
    again = next(each for each in harness["Bruno"].messages() if each.id == asked.id)
    assert "La table a changé entre-temps." in again.text
    assert "elle est perdue pour vous" in again.text
    assert "Bruno" in table.board()
    assert "Bruno" not in await table.after(harness["Bruno"].click("Quitter", again))


async def test_only_the_last_player_of_a_lobby_is_asked_before_leaving(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    await harness["Bruno"].click("Quitter")
    assert "Bruno" not in table.board()
    assert "Il n'y a plus que vous : la table ferme." in await harness["Léa"].press("Quitter")
    assert "Léa ouvre une table" in table.board()
    assert "fermée" in await table.after(harness["Léa"].click("Quitter", harness["Léa"].last(ephemeral=True)))


async def test_the_last_of_two_simultaneous_leavers_is_asked_before_the_table_closes(harness: Harness) -> None:
    await lobby(harness, "Bruno")
    board = harness["Léa"].messages()[-1]
    await harness.together(*((lambda one=harness[name]: one.click("Quitter", board)) for name in ("Bruno", "Léa")))
    assert "Il n'y a plus que vous : la table ferme." in harness["Léa"].last(ephemeral=True).text
    assert len(harness.bot.rooms.directory.open_lobbies()) == 1


async def losers(harness: Harness, won: int = 0) -> list[str]:
    """Who of the people has a match on record, and has lost it; or won that many per cent."""
    told = {name: await harness["Léa"].ask("kems records stats", member=harness[name]) for name in PEOPLE}
    return [name for name in PEOPLE if f"Parties — 1 (1 classée · {won} % gagnées)" in told[name]]


async def test_a_player_who_ends_a_ranked_match_has_lost_it(harness: Harness, table: Table) -> None:
    assert "**vous la perdez**" in await harness["Léa"].agree("kems table end")
    assert "fermée" in await table.settle()
    assert await losers(harness) == ["Léa"]
    assert "Classique · classée · interrompue" in await harness["Dora"].ask("kems records history")
    told = await harness["Dora"].ask("kems records match", number=table.id)
    assert f"Partie {table.id}" in told
    assert "Classique · classée · interrompue" in told
    assert "🛑 Interrompue à la manche 1. Défaite pour Léa, et pour personne d'autre." in told
    assert f"La partie {table.id} a été interrompue" in await harness["Dora"].ask(
        "kems records replay", number=table.id
    )


async def test_the_leaders_win_when_a_player_who_is_behind_ends_the_match(harness: Harness) -> None:
    table = await hunting(harness)
    await table.press("Léa", "kems")  # a false one
    await harness["Léa"].agree("kems table end")
    assert await losers(harness, 0) == ["Léa", "Chloé"]
    assert await losers(harness, 100) == ["Bruno", "Dora"]
    assert "par un joueur mené : l'équipe qui menait gagne" in await harness["Dora"].ask(
        "kems records match", number=table.id
    )


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
    assert "enregistré" in harness["Léa"].told
    await harness["Léa"].agree("kems table end")
    assert harness["Léa"].told == "Cette partie est finie."
    assert "Équipe 2 gagne la partie" in await table.settle()
    assert "interrompue" not in await harness["Dora"].ask("kems records history")
    assert f"Partie {table.id} · manche 1" in await harness["Dora"].ask("kems records replay")


@pytest.mark.parametrize("is_away", [True, pytest.param(False, marks=pytest.mark.long)])
@pytest.mark.kems(afk_seconds=10)
async def test_a_player_whose_absence_ends_the_match_loses_it(harness: Harness, table: Table, is_away: bool) -> None:
    await harness["Léa"].slash("kems table absent", then="end")
    if is_away:
        await table.press("Chloé", f"put:{table.hand('Chloé')[0]}")
        for _ in range(7):
            await harness.advance(5)
            for name in ("Léa", "Bruno", "Dora"):
                await table.press(name, "hand")
        await harness.advance(20)
    else:
        await harness["Chloé"].agree("kems leave")
    assert "fermée" in await table.settle()
    assert await losers(harness) == ["Chloé"]


async def test_nobody_loses_when_a_moderator_who_does_not_play_ends_the_match(harness: Harness) -> None:
    harness.enter("ici", "Émile", "Dora", manage_messages=True)
    await hunting(harness)
    await harness["Dora"].agree("kems leave")
    assert "ne compte pour personne" in await harness["Émile"].agree("kems table end")
    assert await losers(harness) == []
    await hunting(harness)
    await harness["Dora"].agree("kems leave")
    assert "**vous la perdez**" in await harness["Dora"].agree("kems table end")
    assert await losers(harness) == ["Dora"], "who has left cannot take that back"


@pytest.mark.parametrize("is_charged", [False, True])
async def test_only_a_moderator_who_does_not_play_removes_a_player(harness: Harness, is_charged: bool) -> None:
    """The host neither removes a player nor opens their seat; ending the match is the host's own loss."""
    harness.enter("ici", "Émile", "Léa", manage_messages=True)
    table = await hunting(harness)
    for command, told in (
        ("kick", "réservé aux modérateurs qui n'y jouent pas"),
        ("substitute", "l'hôte n'ouvre une place que si son joueur est absent"),
    ):
        assert told in await harness["Léa"].ask(f"kems table {command}", member=harness["Bruno"])
    await harness["Émile"].slash("kems table kick", member=harness["Bruno"])
    question = harness["Émile"].last(ephemeral=True)
    assert "**Exclure, sans défaite** · La partie ne compte pour personne" in question.text
    await harness["Émile"].click("Exclure, avec la défaite" if is_charged else "Exclure, sans défaite", question)
    await table.settle()
    question_of_the_end = await harness["Léa"].agree("kems table end")
    assert ("**vous la perdez**" in question_of_the_end) is is_charged
    assert await losers(harness) == (["Léa"] if is_charged else [])


async def test_a_repeated_confirmation_does_not_remove_a_person_who_has_sat_down_again(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé")
    role = harness.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    harness.env.backend.add_member_role(harness.guild.id, harness["Chloé"].id, role.id)
    await harness.settle()
    asked = []
    for name in ("Léa", "Chloé"):
        await harness[name].slash("kems table kick", member=harness["Bruno"])
        asked.append(harness[name].last(ephemeral=True))
    board = harness["Bruno"].last(ephemeral=False)
    await harness["Léa"].click("Exclure", asked[0])
    assert "Bruno" not in table.board()
    await harness["Bruno"].click("Rejoindre", board)
    await harness["Chloé"].click("Exclure", asked[1])
    again = harness["Chloé"].last(ephemeral=True)
    assert "La table a changé entre-temps." in again.text
    assert "Bruno" in table.board()
    assert "Bruno" not in await table.after(harness["Chloé"].click("Exclure", again))
