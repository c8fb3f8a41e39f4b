"""A table as the channel sees it: one post to join, start and follow, whose match is played in a thread."""

import asyncio
import re
from collections import Counter
from functools import partial
from typing import Any

import discord
import pytest

from bot.discord.places import threads
from bot.game.events import Phase
from tests.integration import simcord_patches
from tests.integration.harness import Harness, Seen
from tests.integration.mishaps import deny
from tests.integration.table import lobby
from tests.seen import typed


def posted(harness: Harness, channel_id: int) -> list[Seen]:
    """The public messages of a channel, without what Discord itself says of a thread."""
    names = {thread.name for channel in harness.guild.channels.values() for thread in channel.threads}
    seen = harness["Léa"].messages(channel_id)
    return [m for m in seen if m.text and not m.ephemeral and m.text not in names]


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


def mentioned_silently_once(harness: Harness, thread_id: int) -> bool:
    """Whether the first message of a thread, and no later one, mentions the four players, which makes them members."""
    posts = simcord_patches.sent_requests(harness.env)
    first, *later = [body for method, path, body, _ in posts if f"/channels/{thread_id}/messages" in path and body]
    people = {harness[name].id for name in ("Léa", "Bruno", "Chloé", "Dora")}
    assert set(first["allowed_mentions"]["users"]) == people
    assert all(f"<@{user}>" in str(first["components"]) for user in people)
    assert first["flags"] & 1 << 12
    assert later
    return not any("<@" in str(body["components"]) for body in later)


@pytest.mark.kems(table_threads=True)
async def test_four_people_sit_down_with_a_press_each_and_the_match_gets_a_thread(harness: Harness) -> None:
    channel = harness.channel
    table = await lobby(harness)
    (post,) = posted(harness, channel.id)
    assert post.text.splitlines()[0] == "### ♠ Léa ouvre une table de Kem's"
    labels = ["Rejoindre", "Quitter", "🤖 Compléter et commencer", "Inviter…", "Réglages…", "❔ Aide"]
    assert [control.label for control in post.controls] == ["Nombre de joueurs", "Durée", *labels]
    assert channel.threads == [], "there is no thread before there is a match"
    for name in ("Bruno", "Chloé", "Dora"):  # one press each
        await harness[name].click("Rejoindre")
    await table.after(harness["Léa"].click("Commencer"))

    (thread,) = channel.threads
    (left,) = posted(harness, channel.id)
    assert left.id == post.id
    assert left.text.splitlines() == [
        f"♠ Table de Kem's · Léa · la partie se joue ici : <#{thread.id}>",
        "-# 👀 Suivez-la là-bas : le milieu, les gestes, les annonces.",
    ]
    assert left.controls == ()
    teams = [{"Léa", "Bruno", "Chloé", "Dora"}.intersection(side.split(" & ")) for side in thread.name.split(" – ")]
    assert [len(team) for team in teams] == [2, 2]
    (board,) = posted(harness, thread.id)
    assert board.control("🤫 Le signe de mon équipe") or board.control(f"k1:{table.id}:sign_panel")
    await table.after(harness.restart(crash=True))
    assert [m.id for m in posted(harness, channel.id)] == [post.id]
    harness.channel = thread
    await table.after(harness["Léa"].agree("kems table end"))
    assert posted(harness, channel.id)[0].text.endswith(f" · fermée avant la fin : <#{thread.id}>")
    assert mentioned_silently_once(harness, thread.id)


@pytest.mark.kems(table_threads=True)
async def test_at_the_end_the_post_says_who_beat_whom_and_offers_a_new_match(harness: Harness) -> None:
    channel = harness.channel
    table = await lobby(harness, "Bruno", "Chloé", "Dora", rules="classic target=1")
    await harness["Léa"].click("Réglages…")
    await harness["Léa"].choose(f"k1:{table.id}:set:teams", "chosen")
    await table.after(harness["Léa"].click("Commencer"))
    (harness.channel,) = channel.threads
    await table.agree_at_once()
    await table.open_hunt()
    await table.act("Bruno", "kems")  # nobody holds four alike: the point is the opponents'
    (post,) = posted(harness, channel.id)
    thread, harness.channel = harness.channel, channel
    assert post.text.splitlines() == ["### Léa et Chloé battent Bruno et Dora 1 à 0", f"-# → <#{thread.id}>"]
    assert "Équipe 1 (Léa, Chloé) — 1 🏆" in post.pictures[0]
    await harness["Émile"].click("🎬 Film pas à pas", post)
    assert harness["Émile"].last().text.startswith("-# Partie ")
    await harness["Émile"].click("Jouer aussi", post)
    assert "Choisissez un signe" in harness["Émile"].told, "a match with robots begins"


@pytest.mark.kems(table_threads=True)
async def test_a_match_is_played_in_the_channel_until_a_thread_makes_its_players_members(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé", "Dora", thread=False)
    post = table.message()
    await table.after(harness["Léa"].click("Commencer"))
    assert harness.channel.threads == []
    assert table.message().id == post.id
    assert table.message().control(f"k1:{table.id}:sign_panel")
    await table.after(harness["Léa"].slash("kems table move", thread=True))
    harness.channel = harness.channel.threads[0]
    await table.after(harness["Léa"].agree("kems table end"))
    assert mentioned_silently_once(harness, harness.channel.id)


@pytest.mark.kems(table_threads=True)
async def test_a_thread_that_takes_too_long_is_not_waited_for(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(discord.TextChannel, "create_thread", never)
    monkeypatch.setattr(threads, "THREAD_S", 0.1)
    table = await lobby(harness, "Bruno", "Chloé", "Dora", thread=True)
    post, told = table.message(), "Discord n'ouvre pas de fil en ce moment : la table reste dans ce salon."
    await table.after(harness["Léa"].click("Commencer"))
    board, line = posted(harness, harness.channel.id)
    assert typed(line.text) == told
    assert board.id == post.id
    assert board.control(f"k1:{table.id}:sign_panel")
    await table.after(harness["Léa"].slash("kems table move", thread=True))
    assert [typed(seen.text) for seen in posted(harness, harness.channel.id)].count(told) == 2


@pytest.mark.kems(table_threads=True, afk_seconds=10)
async def test_clocks_stand_still_until_the_thread_shows_the_table(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, directory = discord.TextChannel.create_thread, harness.bot.rooms.directory

    async def slow(*arguments: Any, **named: Any) -> discord.Thread:
        await asyncio.sleep(4)
        return await create(*arguments, **named)

    monkeypatch.setattr(discord.TextChannel, "create_thread", slow)
    table = await lobby(harness, "Bruno", "Chloé", "Dora", thread=True, rules="classic sign_deadline=13")
    await harness["Léa"].click("Commencer")
    await harness.advance(12)
    (match,), called = directory.tables(), directory.attendance.called
    assert called(table.id) == {}
    assert posted(harness, harness.channel.threads[0].id)
    await harness.advance(3)
    assert len(called(table.id)) == 4
    assert match.table_view().phase is Phase.SIGNS
    await harness.advance(3)
    assert match.table_view().phase is not Phase.SIGNS


async def test_only_the_host_may_start_the_match_at_first(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé", "Dora")
    told = await table.press("Bruno", "start")
    assert "C'est l'hôte qui commence la partie. S'il ne fait rien, vous le pourrez <t:" in told
    await harness.advance(50)
    await table.press("Léa", "settings")  # she is there
    await harness.advance(50)
    assert "C'est l'hôte qui commence" in await table.press("Bruno", "start")
    assert "Vous n'êtes pas à cette table" in await table.press("Émile", "start")
    await harness.advance(15)
    await table.act("Bruno", "start")
    assert table.message().control(f"k1:{table.id}:sign_panel")


async def test_the_post_sets_how_many_play_and_how_long(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    lea, seats, length = harness["Léa"], f"k1:{table.id}:arrange:players", f"k1:{table.id}:arrange:length"
    assert "Classique · 52 cartes · 10 points" in await table.after(lea.choose(seats, "12"))
    assert table.board().count("—") == 10
    await lea.choose(seats, "6")
    assert "Classique · 32 cartes · 8 manches" in await table.after(lea.choose(length, "rounds=8"))
    short = await table.after(lea.choose(length, "target=5"))
    assert "32 cartes · 5 points · classée" in short
    assert "partie courte : compte pour 5/10 au classement" in short
    assert "32 cartes · 10 points · classée" in await table.after(lea.choose(length, "target=10"))
    for control, value in ((seats, "5"), (length, "target=1")):
        await table.forge("Léa", control, values=[value])
        assert "n'est plus possible" in lea.told
    await table.press("Chloé", "join")
    await lea.choose(seats, "2")
    assert lea.told.startswith("Trop de monde")


async def test_a_button_that_cannot_be_pressed_says_why(harness: Harness) -> None:
    table = await lobby(harness, "Bruno", "Chloé", "Dora")
    assert not any(control.disabled for control in table.message().controls)
    assert await harness["Émile"].press("Rejoindre") == "La table est complète."
    assert await harness["Bruno"].press("Inviter…") == "La table est complète."
    await harness["Léa"].click("Réglages…")
    assert "La table est complète." in await harness["Léa"].press("🤖 Ajouter")
    assert "pas de robot" in await harness["Léa"].press("🤖 Retirer")
    await harness["Dora"].click("Quitter")
    assert await harness["Bruno"].press("🤖 Compléter et commencer") == "C'est l'hôte qui commence la partie."
    await table.forge("Léa", f"k1:{table.id}:start")
    assert harness["Léa"].told.startswith("Il reste des places")


async def test_the_host_and_a_friend_sit_together_by_one_choice(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    await harness["Léa"].click("Réglages…")
    await table.after(harness["Léa"].choose(f"k1:{table.id}:set:teams", "1"))
    assert "① Léa · Bruno\u2003② — · —" in table.board()
    await table.after(harness["Léa"].click("🤖 Compléter et commencer"))
    for name, partner in (("Léa", "Bruno"), ("Bruno", "Léa")):
        await harness[name].click("▶ Aller à la table")
        assert f"Votre équipe : vous et {partner}." in table.panel(name).text


@pytest.mark.parametrize(
    ("apart", "friend"),
    [
        pytest.param(False, "Bruno", marks=pytest.mark.long),
        pytest.param(True, None, marks=pytest.mark.kems(table_threads=True)),
        pytest.param(False, None, marks=pytest.mark.long),
        pytest.param(True, "Bruno", marks=[pytest.mark.kems(table_threads=True), pytest.mark.long]),
    ],
)
async def test_five_presses_lead_the_host_from_the_command_to_the_hand(
    harness: Harness, *, apart: bool, friend: str | None
) -> None:
    """Robots fill up; the sign is among the presses. A press on a link into the thread counts as one."""
    table, channel = await lobby(harness), harness.channel
    people, presses = ["Léa", *filter(None, [friend])], Counter[str]()

    async def press(name: str, what: str) -> None:
        presses[name] += 1
        control = next(found for message in harness[name].newest() if (found := message.control(what)))
        if control.custom_id.startswith("https:"):
            assert control.custom_id.endswith(f"/{harness.channel.id}")
        else:
            await harness[name].click(what)
        await table.settle()

    if friend is not None:
        await press(friend, "Rejoindre")
    await press("Léa", "🤖 Compléter et commencer")
    if apart:
        (harness.channel,) = channel.threads
        presses.update(people[1:])  # the friend goes into the thread by the post's link
    await press("Léa", "▶ Aller à la table")
    for name in people:
        if name != "Léa" or apart:
            await press(name, f"k1:{table.id}:sign_panel")
        if not (table.hand(name) or table.offered(name, "accept")):
            await press(name, f"k1:{table.id}:propose:{table.offered(name, 'propose')[0]}")
    for name in people:
        for _ in range(2):
            for plan in () if table.hand(name) else table.offered(name, "accept"):  # a partner was faster
                await press(name, f"k1:{table.id}:accept:{plan}")
                await table.settle()
    assert all(table.hand(name) for name in people)
    print(f"\npresses until the hand, {'with' if apart else 'without'} a thread: {dict(presses)}")
    assert presses["Léa"] <= 5


async def test_the_host_arranges_the_table_in_private(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    await harness["Bruno"].click("Réglages…")
    told = harness["Bruno"].last(ephemeral=True)
    assert told.text.startswith("Ces réglages sont réservés à l'hôte.")
    assert told.controls == ()
    lea = harness["Léa"]
    await lea.click("Réglages…")
    await lea.click("🤖 Ajouter")
    places = [one for one in table.panel("Léa").controls if one.custom_id == f"k1:{table.id}:swap"]
    await lea.choose(f"k1:{table.id}:swap", *places[0].values[1:3])
    await table.after(lea.choose(f"k1:{table.id}:set:absence", "wait"))
    assert re.search(r"① Léa · Bruno\u2003② 🤖 \S+ · —\n-# 1 place libre · fermeture", table.board())
    await lea.click("Règles…")
    await lea.choose(f"k1:{table.id}:rules_set:preset", "yokai")
    await lea.click("← Réglages")
    assert "-# Yōkai · 32 cartes" in table.panel("Léa").text
    assert "-# Yōkai · 32 cartes" in await table.settle()


async def test_members_are_invited_once_and_exactly(harness: Harness) -> None:
    table = await lobby(harness, "Bruno")
    assert "Vous n'êtes pas à cette table" in await harness["Émile"].press("Inviter…")
    await harness["Bruno"].click("Inviter…")
    people = "Choisir des membres…"
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


async def test_an_invitation_is_answered_at_once_and_two_simultaneous_ones_mention_once(
    harness: Harness,
) -> None:
    table, bruno, shown = await lobby(harness, "Bruno"), harness["Bruno"], set[str]()
    await bruno.click("Inviter…")
    harness.env.http_requests.clear()
    for name in ("Chloé", "Dora"):
        shown |= {control.custom_id for control in table.panel("Bruno").controls}
        await bruno.choose("Choisir des membres…", harness[name].actor)
    asked = [path.rsplit("/", 1)[-1] for _, path, *_ in simcord_patches.sent_requests(harness.env)]
    assert asked[:3] == ["callback", "messages", "@original"]
    assert len(shown) == 2, "the menu is empty again"
    await harness["Léa"].click("Inviter…")
    menu, emil = "Choisir des membres…", harness["Émile"].actor
    await harness.together(*(lambda who=who: harness[who].choose(menu, emil) for who in ("Léa", "Bruno")))
    assert [people for _, people, _ in mentioned(harness)] == [
        [harness[name].id] for name in ("Chloé", "Dora", "Émile")
    ]


async def test_a_member_who_cannot_see_the_channel_is_not_invited(harness: Harness) -> None:
    harness.enter("privé", "Émile", view_channel=False)
    table = await lobby(harness)
    await harness["Léa"].click("Inviter…")
    await harness["Léa"].choose("Choisir des membres…", harness["Émile"].actor)
    assert f"Émile ne voit pas <#{harness.channel.id}>" in table.panel("Léa").text
    assert mentioned(harness) == []


async def test_a_member_who_may_not_write_there_invites_nobody(harness: Harness) -> None:
    role = harness.guild.create_role("Kemsiens", mentionable=True)
    await harness["Léa"].slash("kems-admin config")
    await harness["Léa"].choose("k1:0:config:players", role)
    table, bruno = await lobby(harness, "Bruno"), harness["Bruno"]
    await bruno.click("Inviter…")
    deny(harness, bruno.id, "send_messages")
    mute = f"Vous ne pouvez pas écrire dans <#{harness.channel.id}>"
    await bruno.choose("Choisir des membres…", harness["Chloé"].actor)
    assert mute in bruno.told
    assert mute in await bruno.press("Appeler @Kemsiens")
    assert mute in await bruno.press("Inviter…")
    assert mute in await harness["Bruno"].forge("k1:0:friends", table.message())
    assert mentioned(harness) == []
    assert len(harness.bot.rooms.directory.open_lobbies()) == 1
    await harness["Léa"].click("Inviter…")
    await harness["Léa"].choose("Choisir des membres…", harness["Chloé"].actor)
    assert [people for _, people, _ in mentioned(harness)] == [[harness["Chloé"].id]]


async def test_the_players_role_is_mentioned_once(harness: Harness) -> None:
    role = harness.guild.create_role("Kemsiens", mentionable=True)
    await harness["Léa"].slash("kems-admin config")
    await harness["Léa"].choose("k1:0:config:players", role)
    assert "✅" in harness["Léa"].told
    await lobby(harness, "Bruno")
    await harness["Bruno"].click("Inviter…")
    for _ in range(2):
        await harness["Bruno"].click("Appeler @Kemsiens")
    await harness.restart(crash=True)
    assert "vient d'être appelé" in await harness["Bruno"].press("Appeler @Kemsiens")
    ((line, people, roles),) = mentioned(harness)
    assert (people, roles) == ([], [role.id])
    assert f"<@&{role.id}>" in line


async def test_the_players_role_is_mentioned_once_after_two_presses_at_one_moment(harness: Harness) -> None:
    role = harness.guild.create_role("Kemsiens", mentionable=True)
    await harness["Léa"].slash("kems-admin config")
    await harness["Léa"].choose("k1:0:config:players", role)
    await lobby(harness, "Bruno")
    for name in ("Bruno", "Léa"):
        await harness[name].click("Inviter…")
    table = harness.bot.rooms.directory.open_lobbies()[0].id
    people = [harness["Bruno"], harness["Léa"]]
    call = f"k1:{table}:invite_role"
    await harness.together(*(partial(one.forge, call, one.last(ephemeral=True)) for one in people))
    await harness.advance(5)
    assert [roles for _, _, roles in mentioned(harness) if roles] == [[role.id]]
    assert sum("vient d'être appelé" in one.last(ephemeral=True).text for one in people) == 1


@pytest.mark.parametrize("way", ["button", pytest.param("command", marks=pytest.mark.long)])
async def test_a_second_press_opens_no_second_table_and_leads_to_the_match(way: str, harness: Harness) -> None:
    lea = harness["Léa"]

    async def ask() -> None:
        if way == "command":
            await lea.slash("kems start")
        else:
            await lea.forge("k1:0:play", lea.last(ephemeral=False))

    await harness["Bruno"].slash("kems start")
    for _ in range(2):
        await ask()
    directory = harness.bot.rooms.directory
    everything = (*directory.open_lobbies(), *(match.lobby for match in directory.tables()))
    assert [each.host_id for each in everything].count(lea.id) == 1
    if way == "command":
        assert lea.told.startswith("Votre table est déjà ouverte")
        return
    await harness.advance(30)
    before = len(directory.tables())
    await ask()
    assert len(directory.tables()) == before
    assert lea.last(ephemeral=True).controls, "the panel of the match"
    (harness.channel,) = harness.channel.threads
    assert (await lea.ask("kems start")).startswith("Vous jouez ici : https://discord.com/channels/")
