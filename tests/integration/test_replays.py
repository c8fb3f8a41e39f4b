"""Finished matches watched again: step by step, in both languages, after a restart, and only by those who may."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import discord
from PIL import Image

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, kems


async def a_finished_match(harness: Harness) -> Table:
    """Léa calls in vain. Chloé made a gesture before."""
    table = Table(harness, PEOPLE)
    await table.open(target=1)
    await table.agree()
    await table.open_hunt()
    await table.press("Chloé", "gesture:👀")
    await table.settle()
    while table.message().control("🔁 Revanche") is None:
        await table.press("Léa", "kems")
        await table.settle()
        if table.message().control("Manche suivante") is not None:
            await table.next_round("Léa")
    return table


async def test_a_match_is_watched_step_by_step_also_after_a_restart(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        await a_finished_match(harness)
        lea, dora = harness["Léa"], harness["Dora"]
        dora.locale = "en-US"
        await lea.slash("kems replay")
        first = lea.last()
        assert first.ephemeral
        assert "Table 1 revue · manche 1 sur" in first.text
        assert "Les cartes sont distribuées." in first.text
        await lea.click("Suite ▶")
        assert "La chasse est ouverte." in lea.last().text
        assert lea.last().id == first.id, "turned in place"
        await harness.restart()
        await lea.click("Suite ▶")
        assert "Chloé 👀 (**le signe**)" in lea.last().text
        await lea.click("◀ Retour")
        assert "La chasse est ouverte." in lea.last().text
        await lea.click("Fin ⏭")
        assert "pas de Kem's à annoncer" in lea.last().text
        assert "Équipe 2 gagne la partie" in lea.last().text
        await lea.click("⏮ Début")
        assert "Les cartes sont distribuées." in lea.last().text
        await dora.slash("kems replay", table=1, round=9999)
        assert "Replay of table 1 · round" in dora.last().text
        assert "The cards are dealt." in dora.last().text


async def test_a_running_match_is_not_shown(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        table = Table(harness)
        await table.open()
        await table.agree()
        await harness["Léa"].slash("kems replay", table=table.id)
        assert "Aucune partie terminée" in harness["Léa"].last(ephemeral=True).text
        assert "Aucune partie terminée" in await table.forge("Léa", f"k1:{table.id}.1:replay:0f")


async def test_who_cannot_see_the_channel_sees_neither_replay_nor_export(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Émile")) as harness:
        emile, everywhere = harness["Émile"], harness.channel
        hidden = discord.PermissionOverwrite(view_channel=False)
        harness.channel = harness.guild.create_text_channel("secret", overwrites={emile.actor: hidden})
        table = await a_finished_match(harness)
        harness.channel = everywhere
        for command in ("kems replay", "kems export"):
            for options in ({"table": table.id}, {}):
                answer = (await emile.slash(command, **options)).response
                assert answer is not None
                assert "dans un salon que vous ne voyez pas" in emile.last(ephemeral=True).text
                assert not answer.attachments
        await emile.slash("kems start")
        assert "que vous ne voyez pas" in await table.forge("Émile", f"k1:{table.id}.1:replay:0f")
        await harness["Léa"].slash("kems replay")
        assert f"Table {table.id} revue" in harness["Léa"].last(ephemeral=True).text


async def test_a_round_is_shared_as_a_moving_picture_with_its_words(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        await a_finished_match(harness)
        lea = harness["Léa"]
        await lea.slash("kems replay")
        shared = (await lea.click("🎞 Partager")).response
        assert shared is not None
        assert not shared.ephemeral
        (file,) = shared.attachments
        assert file.filename == "kems-1-1.webp"
        data = await file.read()
        with Image.open(BytesIO(data)) as picture:
            assert picture.format == "WEBP"
            assert picture.n_frames > 2
        assert len(data) < 8 * 1024 * 1024
