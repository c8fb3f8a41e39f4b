"""Pausing and closing tables by command, from any channel of the server, by those who may."""

from pathlib import Path

import discord
import pytest

from tests.integration.harness import PEOPLE, Harness
from tests.integration.managing import answer_of
from tests.integration.table import hunting, kems


async def test_a_pause_stops_everything_until_it_is_over(harness: Harness) -> None:
    table = await hunting(harness)
    stale, hand = table.message(), table.hand("Bruno")
    assert "Réservé à l'hôte" in await answer_of(harness["Bruno"], "kems pause")
    assert "`/kems reprendre`" in await answer_of(harness["Léa"], "kems pause")
    await table.settle()
    assert "en pause" in table.board()
    pressable = {c.plain_id.split(":")[2] for c in table.message().controls if not c.disabled}
    assert pressable == {"hand", "help", "resume"}
    assert not any(table.can_press("Bruno", f"put:{card}") for card in hand)
    await table.forge("Bruno", f"k1:{table.id}.1:put:{hand[0]}")  # on a message that is not up to date yet
    assert "En pause :" in harness["Bruno"].last(ephemeral=True).text
    await harness["Bruno"].react("👀", stale)
    await harness.restart(crash=True)
    await harness.advance(300)
    assert "en pause" in table.board()
    await harness["Bruno"].click("▶ Reprendre")
    assert "10 minutes après la pause" in harness["Bruno"].last(ephemeral=True).text
    await harness["Léa"].click("▶ Reprendre", table.message())
    await table.settle()
    assert "chasse est ouverte" in table.board()
    assert "👀" not in table.board()
    await table.press("Bruno", "hand")
    await table.swap("Bruno", hand[0], table.pool()[0])
    assert hand[0] not in table.hand("Bruno")


@pytest.mark.parametrize("by_command", [True, False])
async def test_every_player_may_go_on_some_minutes_later(tmp_path: Path, by_command: bool) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        table = await hunting(harness)
        await harness["Léa"].slash("kems pause")
        await harness.advance(590)
        assert "10 minutes après la pause" in await answer_of(harness["Bruno"], "kems resume")
        await harness.advance(11)
        assert "Réservé à l'hôte" in await answer_of(harness["Emil"], "kems resume", table=table.id)
        if by_command:
            await harness["Bruno"].slash("kems resume")
        else:
            await harness["Bruno"].click("▶ Reprendre", table.message())
        await table.settle()
        assert "chasse est ouverte" in table.board()


async def test_a_match_that_stays_paused_says_that_it_was_closed(tmp_path: Path) -> None:
    async with kems(tmp_path, paused_days=1) as harness:
        table = await hunting(harness)
        await harness["Léa"].slash("kems pause")
        await harness.advance(86_000)
        assert "en pause" in table.board()
        await harness.advance(600)
        await table.settle()
        assert "Personne n'a joué cette partie depuis longtemps" in table.board()
        assert [c.label for c in table.message().controls] == ["Rouvrir la table"]


async def test_a_match_that_nobody_plays_and_nobody_pauses_says_that_it_was_closed(tmp_path: Path) -> None:
    async with kems(tmp_path, paused_days=1, afk_seconds=0) as harness:
        table = await hunting(harness)
        await harness.advance(86_000)
        assert "chasse est ouverte" in table.board()
        await harness.advance(600)
        await table.settle()
        assert "Personne n'a joué cette partie depuis longtemps" in table.board()


async def test_a_host_waits_before_pausing_again_and_a_moderator_who_does_not_play_does_not(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        may = discord.PermissionOverwrite(manage_messages=True)
        harness.channel = harness.guild.create_text_channel("ici", overwrites={harness["Emil"].actor: may})
        table = await hunting(harness)
        await harness["Léa"].slash("kems pause")
        await harness.advance(601)
        await harness["Bruno"].slash("kems resume")
        await harness["Léa"].slash("kems pause")
        refused = harness["Léa"].last(ephemeral=True).text
        assert refused.startswith("La partie a été mise en pause il y a peu : vous pourrez la remettre en pause <t:")
        await table.settle()
        assert "chasse est ouverte" in table.board()
        await harness["Emil"].slash("kems pause")
        await table.settle()
        assert "en pause" in table.board()
        await harness.restart(crash=True)
        assert "jouée" not in await answer_of(harness["Léa"], "kems stats")


async def test_the_result_may_rest_as_well(tmp_path: Path) -> None:
    async with kems(tmp_path, auto_next=30) as harness:
        table = await hunting(harness)
        await table.press("Bruno", "kems")
        await table.settle()
        await harness["Léa"].slash("kems pause")
        await harness.advance(600)
        assert "en pause" in table.board()
        await harness["Léa"].slash("kems resume")
        await harness.advance(31)
        await table.settle()
        assert "Manche 2" in table.board()


async def test_commands_find_their_table_from_any_channel(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        table = await hunting(harness)
        first = harness.channel
        harness.channel = harness.guild.create_text_channel("ailleurs")
        assert "pas de table" in await answer_of(harness["Emil"], "kems pause")
        await harness["Léa"].slash("kems pause")
        await table.settle()
        assert "est en pause" in table_text(harness, first)
        await harness["Léa"].slash("kems start")
        assert "pas encore commencé" in await answer_of(harness["Léa"], "kems resume"), "the one here comes first"
        harness.channel = harness.guild.create_text_channel("plus loin")
        assert "plusieurs tables" in await answer_of(harness["Léa"], "kems resume")
        assert "La partie reprend" in await answer_of(harness["Léa"], "kems resume", table=table.id)
        await harness["Léa"].agree("kems end", table=99)
        assert "pas de table 99" in harness["Léa"].last(ephemeral=True).text
        await harness["Léa"].agree("kems end", table=table.id)
        await harness.advance(1.5)
        assert "fermée" in table_text(harness, first)


async def test_a_moderator_is_one_where_the_table_is(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil", "Farah")) as harness:
        may = discord.PermissionOverwrite(manage_messages=True)
        first = harness.channel = harness.guild.create_text_channel("ici", overwrites={harness["Emil"].actor: may})
        await hunting(harness)
        elsewhere = harness.guild.create_text_channel("ailleurs", overwrites={harness["Farah"].actor: may})
        harness.channel = elsewhere
        await harness["Farah"].agree("kems end")
        assert "pas de table" in harness["Farah"].last(ephemeral=True).text
        await harness["Emil"].agree("kems end")
        await harness.advance(1.5)
        assert "fermée" in table_text(harness, first)


def table_text(harness: Harness, channel: object) -> str:
    """The newest public message of a channel."""
    return next(m.text for m in reversed(harness["Léa"].messages(channel.id)) if not m.ephemeral)  # type: ignore[attr-defined]
