"""A table as the channel sees it: one post to join, start and follow, whose match is played in a thread."""

import re
from pathlib import Path

import discord
import pytest

from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness, Seen
from tests.integration.table import Table, kems
from tests.seen import typed

CROWD = (*PEOPLE, "Emil")


async def opened(harness: Harness, *others: str, **options: object) -> Table:
    table = Table(harness)
    await harness["Léa"].slash("kems start", **options)
    table.id = int(re.findall(r"k1:(\d+):join", str(harness["Léa"].last()))[0])
    for name in others:
        await table.press(name, "join")
    return table


def posted(harness: Harness, channel_id: int) -> list[Seen]:
    """The public messages of a channel, without what Discord itself says of a thread."""
    seen = (m for m in harness["Léa"].messages() if m.channel_id == channel_id and not m.ephemeral)
    return [m for m in seen if m.text and not m.text.startswith("Kem's — ")]


def mentioned(harness: Harness) -> list[tuple[str, list[int], list[int]]]:
    """What was posted with mentions that ring: the text, the people and the roles."""
    found = []
    for method, path, body, _ in simcord_patches.sent_requests(harness.env):
        allowed = body.get("allowed_mentions") if isinstance(body, dict) else None
        if method == "POST" and path.endswith("/messages") and allowed and "<@" in str(body.get("content")):
            assert allowed.get("parse") == []
            people, roles = allowed.get("users", []), allowed.get("roles", [])
            found.append((body["content"], [int(one) for one in people], [int(one) for one in roles]))
    return found


async def test_four_people_sit_down_with_one_press_each_and_the_match_gets_a_thread(tmp_path: Path) -> None:
    async with kems(tmp_path, table_threads=True) as harness:
        channel = harness.channel
        table = await opened(harness)
        (post,) = posted(harness, channel.id)
        assert post.text.splitlines()[0] == "### ♠ Léa ouvre une table de Kem's"
        assert [control.label for control in post.controls] == [
            *("Rejoindre", "Quitter", "Commencer"),
            *("Inviter…", "Réglages…", "❔ Aide"),
        ]
        assert channel.threads == [], "there is no thread before there is a match"
        for name in ("Bruno", "Chloé", "Dora"):  # one press each
            await harness[name].click("Rejoindre")
        await harness["Léa"].click("Commencer")
        await table.settle()

        (thread,) = channel.threads
        (left,) = posted(harness, channel.id)
        assert left.id == post.id
        assert left.text == f"♠ Table de Kem's · Léa · la partie se joue ici : <#{thread.id}>"
        assert left.controls == ()
        (board,) = posted(harness, thread.id)
        assert board.control("🤫 Le signe de mon équipe") or board.control(f"k1:{table.id}:sign_panel")
        await harness.restart(crash=True)
        await table.settle()
        assert [m.id for m in posted(harness, channel.id)] == [post.id]
        harness.channel = thread
        await harness["Léa"].agree("kems end")
        await table.settle()
        assert posted(harness, channel.id)[0].text.endswith(f" · fermée avant la fin : <#{thread.id}>")


async def test_the_post_tells_the_score_at_the_end(tmp_path: Path) -> None:
    async with kems(tmp_path, table_threads=True) as harness:
        channel = harness.channel
        table = await opened(harness, "Bruno", "Chloé", "Dora", rules="classic target=1")
        await harness["Léa"].click("Réglages…")
        await table.press("Léa", "teams:chosen")
        await harness["Léa"].click("Commencer")
        await table.settle()
        (harness.channel,) = channel.threads
        await table.agree()
        await table.open_hunt()
        await table.press("Bruno", "kems")  # nobody holds four alike: the point is the opponents'
        await table.settle()
        (post,) = posted(harness, channel.id)
        assert post.text.splitlines() == [
            "♠ Table de Kem's · Léa",
            f"Équipe 1 · **1 — 0** · Équipe 2 → <#{harness.channel.id}>",
            "-# ① Léa · Chloé\u2003② Bruno · Dora",
        ]


async def test_without_the_right_to_threads_the_match_is_played_in_the_channel(tmp_path: Path) -> None:
    async with kems(tmp_path, table_threads=True) as harness:
        table = await opened(harness, "Bruno", "Chloé", "Dora", thread=False)
        post = table.message()
        await harness["Léa"].click("Commencer")
        await table.settle()
        assert harness.channel.threads == []
        assert table.message().id == post.id
        assert table.message().control(f"k1:{table.id}:sign_panel")


async def test_only_the_host_starts_at_first(tmp_path: Path) -> None:
    async with kems(tmp_path, people=CROWD) as harness:
        table = await opened(harness, "Bruno", "Chloé", "Dora")
        await table.press("Bruno", "start")
        assert "C'est l'hôte qui commence la partie. S'il ne fait rien, vous le pourrez <t:" in (
            harness["Bruno"].last(ephemeral=True).text
        )
        await harness.advance(50)
        await table.press("Léa", "settings")  # she is there
        await harness.advance(50)
        await table.press("Bruno", "start")
        assert "C'est l'hôte qui commence" in harness["Bruno"].last(ephemeral=True).text
        await table.press("Emil", "start")
        assert "Vous n'êtes pas à cette table" in harness["Emil"].last(ephemeral=True).text
        await harness.advance(15)
        await table.press("Bruno", "start")
        await table.settle()
        assert table.message().control(f"k1:{table.id}:sign_panel")


async def test_the_host_arranges_the_table_in_private(harness: Harness) -> None:
    table = await opened(harness, "Bruno")
    await harness["Bruno"].click("Réglages…")
    told = harness["Bruno"].last(ephemeral=True)
    assert told.text.startswith("Ces réglages sont réservés à l'hôte.")
    assert told.controls == ()
    lea = harness["Léa"]
    await lea.click("Réglages…")
    await lea.click("🤖 Ajouter")
    await lea.choose(f"k1:{table.id}:swap", "1", "2")
    await lea.choose(f"k1:{table.id}:absence", "wait")
    await table.settle()
    assert re.search(r"① Léa · Bruno\u2003② 🤖 \S+ · —\n-# 1 place libre · fermeture", table.board())
    await lea.click("Règles…")
    await lea.choose(f"k1:{table.id}:rules_preset", "yokai")
    await lea.click("← Réglages")
    assert "-# Yōkaï · 32 cartes" in table.panel("Léa").text
    await table.settle()
    assert "-# Yōkaï · 32 cartes" in table.board()


async def test_members_are_invited_once_and_exactly(tmp_path: Path) -> None:
    async with kems(tmp_path, people=CROWD) as harness:
        table = await opened(harness, "Bruno")
        await harness["Emil"].click("Inviter…")
        assert "Vous n'êtes pas à cette table" in harness["Emil"].last(ephemeral=True).text
        await harness["Bruno"].click("Inviter…")
        people = f"k1:{table.id}:invite_people"
        chosen = [harness[name].actor for name in ("Chloé", "Dora", "Léa")]
        for _ in range(2):
            await harness["Bruno"].choose(people, *chosen)
        await harness.together(
            lambda: harness["Léa"].click(f"k1:{table.id}:invite"), lambda: harness["Bruno"].choose(people, *chosen)
        )
        await harness.restart(crash=True)
        await harness["Bruno"].choose(people, *chosen)
        ((line, rung, roles),) = mentioned(harness)
        assert rung == [harness["Chloé"].id, harness["Dora"].id]
        assert roles == []
        link = f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{table.message().id}"
        assert typed(line).startswith(f"<@{rung[0]}> <@{rung[1]}> : Bruno vous invite")
        assert link in line or str(harness.channel.id) in line
        assert "Chloé a déjà une invitation." in table.panel("Bruno").text
        assert "Léa est déjà à cette table." in table.panel("Bruno").text


async def test_two_who_invite_at_one_instant_mention_once(tmp_path: Path) -> None:
    async with kems(tmp_path, people=CROWD) as harness:
        table = await opened(harness, "Bruno")
        menu, emil = f"k1:{table.id}:invite_people", harness["Emil"].actor
        for name in ("Léa", "Bruno"):
            await harness[name].click("Inviter…")
        await harness.together(*(lambda who=who: harness[who].choose(menu, emil) for who in ("Léa", "Bruno")))
        assert [people for _, people, _ in mentioned(harness)] == [[harness["Emil"].id]]


async def test_who_cannot_see_the_channel_is_not_invited(tmp_path: Path) -> None:
    async with kems(tmp_path, people=CROWD) as harness:
        hidden = discord.PermissionOverwrite(view_channel=False)
        harness.channel = harness.guild.create_text_channel("privé", overwrites={harness["Emil"].actor: hidden})
        table = await opened(harness)
        await harness["Léa"].click("Inviter…")
        await harness["Léa"].choose(f"k1:{table.id}:invite_people", harness["Emil"].actor)
        assert f"Emil ne voit pas <#{harness.channel.id}>" in table.panel("Léa").text
        assert mentioned(harness) == []


async def test_the_players_role_is_called_once(tmp_path: Path) -> None:
    async with kems(tmp_path, people=CROWD) as harness:
        role = harness.guild.create_role("Kemsiens", mentionable=True)
        await harness["Léa"].slash("kems-admin config")
        await harness["Léa"].choose("k1:0:config:players", role)
        assert "✅" in harness["Léa"].last(ephemeral=True).text
        await opened(harness, "Bruno")
        await harness["Bruno"].click("Inviter…")
        await harness["Bruno"].click("Appeler @Kemsiens")
        await harness["Bruno"].click("Appeler @Kemsiens")
        await harness.restart(crash=True)
        await harness["Bruno"].click("Appeler @Kemsiens")
        ((line, people, roles),) = mentioned(harness)
        assert (people, roles) == ([], [role.id])
        assert f"<@&{role.id}>" in line
        assert "vient d'être appelé" in harness["Bruno"].last(ephemeral=True).text


@pytest.mark.parametrize("way", ["button", "command"])
async def test_a_second_tap_opens_no_second_table_and_a_player_is_led_to_the_match(way: str, harness: Harness) -> None:
    lea = harness["Léa"]

    async def ask() -> None:
        if way == "command":
            await lea.slash("kems start")
        else:
            await lea.forge("k1:0:quick", lea.last(ephemeral=False))

    await harness["Bruno"].slash("kems start")
    for _ in range(2):
        await ask()
    directory = harness.bot.parts.directory
    own = [
        lobby
        for lobby in (*directory.open_lobbies(), *(t.lobby for t in directory.tables()))
        if lobby.host_id == lea.id
    ]
    assert len(own) == 1
    if way == "command":
        assert lea.last(ephemeral=True).text.startswith("Votre table est déjà ouverte")
        return
    await harness.advance(30)
    before = len(directory.tables())
    await ask()
    assert len(directory.tables()) == before
    assert lea.last(ephemeral=True).controls, "the panel of the match"
    await lea.slash("kems start")
    assert lea.last(ephemeral=True).text.startswith("Vous jouez ici : https://discord.com/channels/")
