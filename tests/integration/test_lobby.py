"""People come and go before a match: somebody is sent away, the host leaves, and a table that nobody starts."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session

from bot.store.engine.database import Database
from tests.integration.harness import Harness
from tests.integration.table import lobby

HOUR = 3600


async def test_the_host_and_moderators_remove_people(harness: Harness) -> None:
    """Bruno opens the table; Léa owns the server, and may therefore manage messages."""
    table = await lobby(harness, "Chloé", "Dora", host="Bruno")
    assert "Réservé à l'hôte" in await harness["Chloé"].agree("kems table kick", member=harness["Dora"])
    assert "Émile n'est pas à cette table." in await harness["Bruno"].agree("kems table kick", member=harness["Émile"])
    assert "Bruno · Chloé · Dora · —" in await table.settle()
    assert "Chloé ne joue plus à cette table." in await harness["Bruno"].agree(
        "kems table kick", member=harness["Chloé"]
    )
    assert "Bruno · — · Dora · —" in await table.settle()
    await table.press("Chloé", "join")

    await table.after(harness["Léa"].agree("kems table kick", member=harness["Bruno"]))
    assert "Chloé ouvre une table" in table.board()
    for name in ("Chloé", "Dora"):
        await harness["Léa"].agree("kems table kick", member=harness[name])
    assert "fermée" in await table.settle()
    assert table.message().controls == ()
    assert "pas de table" in await harness["Léa"].agree("kems table kick", member=harness["Dora"])


@pytest.mark.parametrize("gone", ["left", "timeout"])
async def test_the_other_players_go_on_when_the_host_is_gone(harness: Harness, gone: str) -> None:
    table = await lobby(harness, "Chloé", "Dora", host="Bruno")
    backend, bruno = harness.env.backend, harness["Bruno"].id
    assert "l'hôte qui commence" in await table.press("Chloé", "start:fill")
    if gone == "left":
        backend.remove_member(harness.guild.id, bruno)
    else:
        until = harness.now() + timedelta(days=1)
        backend.edit_member(harness.guild.id, bruno, {"timed_out_until": until.isoformat()})
    await harness.advance(61)  # Discord is asked about one person once a minute
    assert "l'hôte qui commence" not in await table.press("Chloé", "start:fill")
    assert ("Bruno" in await table.settle()) is (gone == "timeout"), "who has left gives up the seat"
    assert "Compléter" not in table.board(), "the match has begun"


async def test_joining_a_lobby_takes_one_query(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await lobby(harness)
    asked, ask = [], Database.query

    async def counting(database: Database, question: Callable[[Session], Any]) -> Any:
        asked.append(question)
        return await ask(database, question)

    monkeypatch.setattr(Database, "query", counting)
    await table.press("Bruno", "join")
    assert "Bruno" in table.message().text
    assert len(asked) == 1


async def test_the_next_player_becomes_host_when_the_host_leaves(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé")
    assert "Réservé à l'hôte" in await harness["Chloé"].agree("kems table end")
    assert "Bruno ouvre une table" in await table.act("Léa", "leave")
    await harness.restart(crash=True)
    assert "Réservé à l'hôte" in await harness["Chloé"].agree("kems table end")
    await harness["Bruno"].click("Réglages…")
    await harness["Bruno"].click("Annuler la table…")
    assert "fermée" in await table.after(harness["Bruno"].click("Fermer la table"))


async def test_private_panels_of_a_started_lobby_say_so_and_offer_nothing(harness: Harness) -> None:
    table = await lobby(harness, "Chloé", "Dora", host="Bruno")
    await harness["Bruno"].click("Réglages…")
    settings = harness["Bruno"].last()
    await harness["Chloé"].click("Inviter…")
    invitation = harness["Chloé"].last()
    await table.after(harness["Bruno"].click("🤖 Compléter et commencer"))
    await harness["Bruno"].click("🤖 Ajouter", settings)
    await harness["Chloé"].choose("Choisir des membres…", harness["Émile"].actor, message=invitation)
    for name, former in (("Bruno", settings), ("Chloé", invitation)):
        (now,) = [message for message in harness[name].newest() if message.id == former.id]
        assert now.text.startswith("La partie a commencé.")
        assert f"/{table.message().id}" in now.text
        assert now.controls == ()


@pytest.mark.kems(lobby_minutes=30)
async def test_an_unstarted_table_expires_and_can_be_reopened(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    message = table.message().id
    assert "fermeture <t:" in table.board()
    await harness.advance(HOUR / 3)
    await harness.restart()
    await harness.advance(HOUR / 3)
    assert table.message().id == message
    assert "Personne n'a lancé cette table" in table.board()
    assert [control.label for control in table.message().controls] == ["Rouvrir la table"]
    assert "</kems start:" in await table.forge("Chloé", f"k1:{table.id}:join")
    assert "pas de table" in await harness["Dora"].agree("kems table end")

    await table.after(harness["Chloé"].click("Rouvrir la table"))
    assert table.message().id != message
    assert "Chloé ouvre une table" in table.board()
    assert "Chloé · — · — · —" in table.board()
    await harness["Dora"].click("Rejoindre")
    assert "Chloé · Dora · — · —" in await table.after(harness["Bruno"].click(f"k1:{table.id}:reopen"))


@pytest.mark.kems(lobby_minutes=30)
async def test_an_expired_lobby_is_closed_after_an_outage_and_opened_again_only_in_its_channel(
    harness: Harness,
) -> None:
    table = await lobby(harness, "Bruno")
    await harness.bot.close()
    await harness.advance(HOUR)
    await harness.restart(crash=True)  # it is closed already
    assert "Personne n'a lancé cette table" in await table.settle()
    harness.enter("ailleurs")
    await harness["Dora"].slash("kems start")
    assert harness["Dora"].last(ephemeral=False).channel_id == harness.channel.id
    assert "</kems start:" in await table.forge("Dora", f"k1:{table.id}:reopen")


async def test_a_member_cannot_open_a_sixth_table(harness: Harness) -> None:
    lea = harness["Léa"]
    for _ in range(5):
        await lea.slash("kems start")
        await harness.advance(6)
    links = [
        f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{lobby.place.message_id}"
        for lobby in harness.bot.rooms.directory.open_lobbies()
    ]
    told = await lea.ask("kems start")
    assert told.startswith("Trop de vos tables attendent : ")
    assert "</kems table end:" in told
    assert [link for link in links if link in told] == links
    await lea.agree("kems table end", number=3)
    await lea.slash("kems start")
    assert len(harness.bot.rooms.directory.open_lobbies()) == 5


async def test_two_seats_are_exchanged_only_while_the_same_people_sit_there(harness: Harness) -> None:
    await lobby(harness, "Bruno", "Chloé")
    lea, board = harness["Léa"], next(seen for seen in harness["Léa"].messages() if not seen.ephemeral)
    await lea.click("Réglages…", board)
    panel = lea.last(ephemeral=True)
    seats = panel.control("Échanger deux places…")
    assert seats is not None
    await harness["Bruno"].click("Quitter", board)
    await harness["Dora"].click("Rejoindre", board)
    await lea.choose(seats.custom_id, *seats.values[:2], message=panel)
    told = next(seen for seen in lea.messages() if seen.id == panel.id)
    assert "Cela a changé entre-temps" in told.text
    seats = told.control("Échanger deux places…")
    assert seats is not None
    await lea.choose(seats.custom_id, *seats.values[:2], message=told)
    (found,) = harness.bot.rooms.directory.open_lobbies()
    assert [player and player.name for player in found.players] == ["Dora", "Léa", "Chloé", None]
