"""Pausing and closing tables by command, from any channel of the server, by those who may."""

import pytest

from tests.integration.harness import Harness
from tests.integration.table import Table, hunting


async def test_a_pause_stops_clocks_and_moves_until_it_is_over(harness: Harness, table: Table) -> None:
    stale, hand = table.message(), table.hand("Bruno")
    assert "Réservé à l'hôte" in await harness["Bruno"].ask("kems table pause")
    assert "</kems table resume:" in await harness["Léa"].ask("kems table pause")
    assert "en pause" in await table.settle()
    pressable = {c.plain_id.split(":")[2] for c in table.message().controls if not c.disabled}
    assert pressable == {"hand", "help", "resume"}
    assert not any(table.can_press("Bruno", f"put:{card}") for card in hand)
    await table.forge("Bruno", f"k1:{table.id}.1:put:{hand[0]}")  # on a message that is not up to date yet
    assert "En pause :" in harness["Bruno"].told
    await harness["Bruno"].react("👀", stale)
    await harness.restart(crash=True)
    assert "en pause" in await table.later(300)
    assert "10 minutes après la pause" in await harness["Bruno"].press("▶ Reprendre")
    assert "chasse est ouverte" in await table.after(harness["Léa"].click("▶ Reprendre", table.panel("Léa")))
    assert "👀" not in table.board()
    await table.press("Bruno", "hand")
    await table.swap("Bruno", hand[0], table.pool()[0])
    assert hand[0] not in table.hand("Bruno")

    # Every player may go on some minutes later.
    await harness.advance(3600)
    await harness["Léa"].slash("kems table pause")
    await harness.advance(590)
    assert "10 minutes après la pause" in await harness["Bruno"].ask("kems table resume")
    await harness.advance(11)
    assert "Réservé à l'hôte" in await harness["Émile"].ask("kems table resume", number=table.id)
    await harness["Bruno"].click("▶ Reprendre", table.message())
    assert "chasse est ouverte" in await table.settle()

    # Commands find their table from any channel.
    await harness.advance(3600)
    first = harness.channel.id
    harness.enter("ailleurs")
    assert "pas de table" in await harness["Émile"].ask("kems table pause")
    await table.after(harness["Léa"].slash("kems table pause"))
    assert "est en pause" in harness.posted(first)[-1].text
    await harness["Léa"].slash("kems start")
    assert "pas encore commencé" in await harness["Léa"].ask("kems table resume"), "the one here comes first"
    harness.enter("plus loin")
    assert "plusieurs tables" in await harness["Léa"].ask("kems table resume")
    assert "La partie reprend" in await harness["Léa"].ask("kems table resume", number=table.id)
    assert "pas de table 99" in await harness["Léa"].agree("kems table end", number=99)
    await table.after(harness["Léa"].agree("kems table end", number=table.id))
    assert "fermée" in harness.posted(first)[-1].text


@pytest.mark.parametrize("pauses", [True, pytest.param(False, marks=pytest.mark.long)])
@pytest.mark.kems(paused_days=1)
async def test_an_abandoned_match_is_closed_and_its_message_says_so(
    harness: Harness, table: Table, pauses: bool
) -> None:
    if pauses:
        await harness["Léa"].slash("kems table pause")
    assert ("en pause" if pauses else "chasse est ouverte") in await table.later(86_000)
    await harness.advance(600)
    assert "Personne n'a joué cette partie depuis longtemps" in await table.settle()
    assert [c.label for c in table.message().controls] == ["Rouvrir la table"]


async def test_a_host_waits_before_pausing_again_and_a_moderator_who_does_not_play_does_not(harness: Harness) -> None:
    harness.enter("ici", "Émile", manage_messages=True)
    table = await hunting(harness)
    await harness["Léa"].slash("kems table pause")
    await harness.advance(601)
    await harness["Bruno"].slash("kems table resume")
    refused = await harness["Léa"].ask("kems table pause")
    assert refused.startswith("La partie a été mise en pause il y a peu : vous pourrez la remettre en pause <t:")
    assert "chasse est ouverte" in await table.settle()
    assert "en pause" in await table.after(harness["Émile"].slash("kems table pause"))
    await harness.restart(crash=True)
    assert "jouée" not in await harness["Léa"].ask("kems records stats")

    # A moderator is one where the table is.
    harness.enter("ailleurs", "Fatou", manage_messages=True)
    assert "pas de table" in await harness["Fatou"].agree("kems table end")
    assert "fermée" in await table.after(harness["Émile"].agree("kems table end"))


@pytest.mark.kems(auto_next=30)
async def test_a_result_may_be_paused_too(harness: Harness, table: Table) -> None:
    await table.act("Bruno", "kems")
    await harness["Léa"].slash("kems table pause")
    assert "en pause" in await table.later(600)
    await harness["Léa"].slash("kems table resume")
    await harness.advance(31)
    assert "Manche 2" in await table.settle()
