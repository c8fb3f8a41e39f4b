"""People come and go before a match: somebody is sent away, the host leaves, and a table that nobody starts."""

import re
from pathlib import Path

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, kems

HOUR = 3600


async def lobby(harness: Harness, host: str, *others: str) -> Table:
    table = Table(harness)
    await harness[host].slash("kems start")
    table.id = int(re.findall(r"k1:(\d+):join", str(harness[host].last()))[0])
    for name in others:
        await table.press(name, "join")
    return table


async def test_the_host_and_moderators_send_people_away(tmp_path: Path) -> None:
    """Bruno opens the table; Léa owns the server, and may therefore manage messages."""
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        table = await lobby(harness, "Bruno", "Chloé", "Dora")

        await harness["Chloé"].agree("kems kick", member=harness["Dora"].actor)
        assert "Réservé à l'hôte" in harness["Chloé"].last(ephemeral=True).text
        await harness["Bruno"].agree("kems kick", member=harness["Emil"].actor)
        assert "Emil n'est pas à cette table." in harness["Bruno"].last(ephemeral=True).text
        await table.settle()
        assert "Bruno · Chloé · Dora · —" in table.board()

        await harness["Bruno"].agree("kems kick", member=harness["Chloé"].actor)
        assert "Chloé ne joue plus à cette table." in harness["Bruno"].last(ephemeral=True).text
        await table.settle()
        assert "Bruno · — · Dora · —" in table.board()
        await table.press("Chloé", "join")

        await harness["Léa"].agree("kems kick", member=harness["Bruno"].actor)
        await table.settle()
        assert "Chloé ouvre une table" in table.board()
        for name in ("Chloé", "Dora"):
            await harness["Léa"].agree("kems kick", member=harness[name].actor)
        await table.settle()
        assert "fermée" in table.board()
        assert table.message().controls == ()
        await harness["Léa"].agree("kems kick", member=harness["Dora"].actor)
        assert "pas de table" in harness["Léa"].last(ephemeral=True).text


async def test_a_host_who_leaves_hands_over(harness: Harness) -> None:
    table = await lobby(harness, "Léa", "Bruno", "Chloé")
    await harness["Chloé"].agree("kems end")
    assert "Réservé à l'hôte" in harness["Chloé"].last(ephemeral=True).text
    await table.press("Léa", "leave")
    await table.settle()
    assert "Bruno ouvre une table" in table.board()
    await harness.restart(crash=True)
    await harness["Chloé"].agree("kems end")
    assert "Réservé à l'hôte" in harness["Chloé"].last(ephemeral=True).text
    await harness["Bruno"].click("Réglages…")
    await harness["Bruno"].click("Annuler la table…")
    await harness["Bruno"].click("Fermer la table")
    await table.settle()
    assert "fermée" in table.board()


async def test_a_table_that_nobody_starts_closes_and_opens_anew(tmp_path: Path) -> None:
    async with kems(tmp_path, lobby_minutes=30) as harness:
        table = await lobby(harness, "Léa", "Bruno")
        message = table.message().id
        assert "fermeture <t:" in table.board()
        await harness.advance(HOUR / 3)
        await harness.restart()
        await harness.advance(HOUR / 3)
        assert table.message().id == message
        assert "Personne n'a lancé cette table" in table.board()
        assert [control.label for control in table.message().controls] == ["Rouvrir la table"]
        assert "`/kems ouvrir`" in await table.forge("Chloé", f"k1:{table.id}:join")
        await harness["Dora"].agree("kems end")
        assert "pas de table" in harness["Dora"].last(ephemeral=True).text

        await harness["Chloé"].click("Rouvrir la table")
        await table.settle()
        assert table.message().id != message
        assert "Chloé ouvre une table" in table.board()
        assert "Chloé · — · — · —" in table.board()
        await harness["Dora"].click("Rejoindre")
        await harness["Bruno"].click(f"k1:{table.id}:reopen")
        await table.settle()
        assert "Chloé · Dora · — · —" in table.board()


async def test_a_bot_that_was_away_too_long_closes_the_table_when_it_is_back(tmp_path: Path) -> None:
    async with kems(tmp_path, lobby_minutes=30) as harness:
        table = await lobby(harness, "Léa", "Bruno")
        await harness.bot.close()
        await harness.advance(HOUR)
        await harness.restart(crash=True)  # it is closed already
        await table.settle()
        assert "Personne n'a lancé cette table" in table.board()


async def test_another_channel_opens_nothing_anew(tmp_path: Path) -> None:
    async with kems(tmp_path, lobby_minutes=1) as harness:
        table = await lobby(harness, "Léa")
        await harness.advance(120)
        harness.channel = harness.guild.create_text_channel("ailleurs")
        await harness["Dora"].slash("kems start")
        elsewhere = harness["Dora"].last(ephemeral=False)
        assert elsewhere.channel_id == harness.channel.id
        assert "`/kems ouvrir`" in await table.forge("Dora", f"k1:{table.id}:reopen")


async def test_five_open_tables_are_enough(harness: Harness) -> None:
    lea = harness["Léa"]
    for _ in range(5):
        await lea.slash("kems start")
        await harness.advance(6)
    links = [
        f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{lobby.place.message_id}"
        for lobby in harness.bot.parts.directory.open_lobbies()
    ]
    await lea.slash("kems start")
    told = lea.last(ephemeral=True).text
    assert told.startswith("Trop de vos tables attendent : ")
    assert "/kems terminer" in told
    assert [link for link in links if link in told] == links
    await lea.agree("kems end", table=3)
    await lea.slash("kems start")
    assert len(harness.bot.parts.directory.open_lobbies()) == 5
