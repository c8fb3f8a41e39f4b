"""Finished matches watched again: step by step, in both languages, after a restart, and only by those who may."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from PIL import Image

from bot.art.drawing_queue import DrawingQueue
from bot.base.errors import StoreError
from bot.base.times import DAY_MS
from bot.discord.places.channel_access import ChannelAccess
from bot.records.archive import PastMatch, SharedRound
from bot.records.pictures import Picture, PictureFile
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlArchive, SqlSharedRounds
from bot.store.records.retention import SqlRetention
from bot.store.tables.servers import SqlServerStore
from bot.tables.servers.settings import ServerSettings
from tests.discord.fakes import refused
from tests.integration.harness import BOTH, PEOPLE, Harness, Member, Seen
from tests.integration.mishaps import deny, forbid, know_nonces, posted
from tests.integration.simcord_patches import stored_messages
from tests.integration.table import Table, hunting, kems, settings_for
from tests.records.test_review import CHLOE, planted
from tests.store.conftest import opened


async def a_finished_match(harness: Harness) -> Table:
    """Léa calls in vain. Chloé made a gesture before."""
    table = Table(harness, PEOPLE)
    await table.open(target=1)
    await table.agree_at_once()
    await table.open_hunt()
    await table.act("Chloé", "gesture:👀")
    while table.message().control("🔁 Revanche") is None:
        await table.act("Léa", "kems")
        if table.message().control("Manche suivante") is not None:
            await table.next_round("Léa")
    return table


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database once that match is over."""
    folder = tmp_path_factory.mktemp("played")

    async def play() -> None:
        async with kems(folder) as harness:
            await a_finished_match(harness)

    asyncio.run(play())
    return (folder / "kems.db").read_bytes()


@pytest.fixture
async def later(tmp_path: Path, played: bytes) -> AsyncIterator[Harness]:
    """A bot that comes to this database a minute later; the messages of the match are gone."""
    (tmp_path / "kems.db").write_bytes(played)
    async with kems(tmp_path) as harness:
        await harness.advance(60)
        yield harness


async def test_a_replay_goes_on_after_a_restart_unless_its_match_is_gone(
    later: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = later
    lea, dora = harness["Léa"], harness["Dora"]
    dora.locale = "en-US"
    await lea.slash("kems records replay")
    first = lea.last()
    assert first.ephemeral
    assert "Partie 1 · manche 1 sur" in first.text
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
    assert "Léa annonce, mais personne n'a de carré dans son équipe." in lea.last().text
    assert "Équipe 2 gagne la partie" in lea.last().text
    await lea.click("⏮ Début")
    assert "Les cartes sont distribuées." in lea.last().text
    await dora.slash("kems records replay", number=1, round=9999)
    assert "Match 1 · round" in dora.last().text
    assert "The cards are dealt." in dora.last().text

    # It is closed, by another command, between the look for it and the reading of its log.
    async def reading(_archive: SqlArchive, _table_id: int) -> PastMatch | None:
        return None

    monkeypatch.setattr(SqlArchive, "read", reading)
    for command in ("kems records replay", "kems records export"):
        answer = (await lea.slash(command)).response
        assert answer is not None, command
        assert "La partie 1 a été interrompue" in answer.content, command


async def test_every_command_means_the_same_last_match(later: Harness) -> None:
    """Wherever it was played; who cannot see its channel sees nothing of it."""
    harness, lea, emile = later, later["Léa"], later["Émile"]
    here = harness.channel
    harness.enter("secret", "Émile", view_channel=False)
    last = await a_finished_match(harness)
    harness.channel = here
    told = await lea.ask("kems records history")
    assert told.index(f"**#{last.id}**") < told.index("**#1**")
    assert f"Partie {last.id}\n" in await lea.ask("kems records match")
    assert f"Partie {last.id} · manche" in await lea.ask("kems records replay")
    assert f"Partie {last.id}, coup par coup" in await lea.ask("kems records export")
    assert "Partie 1 · manche" in await emile.ask("kems records replay")
    deny(harness, emile.id, "view_channel")
    harness.enter("ailleurs")
    for command in ("kems records replay", "kems records export"):
        for options in ({"number": last.id}, {}):
            answer = (await emile.slash(command, **options)).response
            assert answer is not None
            assert "dans un salon que vous ne voyez pas" in emile.told
            assert not answer.attachments
    await emile.slash("kems start")
    assert "pas de partie terminée de ce numéro" in await last.forge("Émile", f"k1:{last.id}.1:replay:0f")


async def test_a_replay_is_answered_when_discord_is_slow_to_describe_a_channel(
    later: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archived thread has to be asked for, in a queue: the answer is promised before."""
    harness, emile, ask = later, later["Émile"], ChannelAccess._ask

    async def slowly(sight: ChannelAccess, *about: Any) -> Any:
        await asyncio.sleep(5)
        return await ask(sight, *about)

    monkeypatch.setattr(ChannelAccess, "_ask", slowly)
    monkeypatch.setattr(discord.Guild, "get_channel_or_thread", lambda *_: None)
    harness.enter("ailleurs")
    said = {"match": "Partie 1\n", "replay": "Partie 1 · manche", "export": "Partie 1, coup par coup"}
    for command, told in said.items():
        await emile.slash(f"kems records {command}", number=1)
        await harness.advance(6)
        assert told in emile.told, command
        if command == "replay":
            panel = emile.last(ephemeral=True)
            await emile.click("Suite ▶", panel)
            await harness.advance(6)
            turned = next(one for one in emile.messages() if one.id == panel.id)
            assert turned.text != panel.text
            assert emile.last(ephemeral=True).id == panel.id, "it turns in its place"


def shared(harness: Harness) -> list[Seen]:
    """The rounds that were shared in any channel, and that stand there."""
    return [m for m in harness["Léa"].messages() if not m.ephemeral and m.text.startswith("🎞")]


async def share(harness: Harness, name: str) -> str:
    """Somebody watches the match and shares its first round; the private line that they read then."""
    await harness[name].slash("kems records replay")
    await harness[name].click("📤 Partager")
    return harness[name].told


async def test_a_round_is_shared_once_in_a_channel_whoever_presses_first(
    monkeypatch: pytest.MonkeyPatch, later: Harness
) -> None:
    """Also after its picture has failed, and after Discord did not take it."""
    harness = later

    async def undrawn(_queue: DrawingQueue, _picture: Picture) -> PictureFile:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(DrawingQueue, "draw", undrawn)
        assert "n'a pas pu être dessinée" in await share(harness, "Léa")
    for status, said in ((503, "ne répond pas"), (403, "Je ne peux pas écrire"), (400, "Discord refuse")):
        problem = refused(status, 50013 if status == 403 else 0)
        with monkeypatch.context() as patch:
            patch.setattr(discord.PartialMessageable, "send", AsyncMock(side_effect=problem))
            assert said in await share(harness, "Léa"), status
        assert shared(harness) == []
    await share(harness, "Léa")
    (only,) = shared(harness)
    assert only.text.startswith("🎞 Partie 1 · manche 1 sur ")
    channel = harness.bot.get_partial_messageable(only.channel_id)
    (file,) = (await channel.fetch_message(only.id)).attachments
    assert file.filename == "kems-1-1.webp"
    assert file.description is not None
    assert "Partie 1 · manche 1 sur" in file.description
    data = await file.read()
    with Image.open(BytesIO(data)) as picture:
        assert picture.format == "WEBP"
        assert picture.n_frames > 2
    assert len(data) < 8 * 1024 * 1024
    link = f"https://discord.com/channels/{harness.guild.id}/{only.channel_id}/{only.id}"
    for name in ("Léa", "Bruno"):
        assert await share(harness, name) == f"Cette manche est déjà partagée : {link}"
    await harness.restart(crash=True)
    assert await share(harness, "Bruno") == f"Cette manche est déjà partagée : {link}"
    assert shared(harness) == [only]

    harness.enter("ailleurs")
    await share(harness, "Bruno")
    assert len(shared(harness)) == 2, "another channel is another place to share it"


async def test_a_round_that_was_posted_and_not_saved_is_not_posted_again(
    later: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a crash between the two leaves it."""
    know_nonces(monkeypatch)

    async def lost(_shares: SqlSharedRounds, _shared: SharedRound, _message_id: int) -> None:
        raise StoreError("not saved")

    harness = later
    with monkeypatch.context() as patch:
        patch.setattr(SqlSharedRounds, "save", lost)
        await share(harness, "Léa")
        await harness.restart(crash=True)
    (only,) = shared(harness)
    await share(harness, "Bruno")
    assert shared(harness) == [only]
    assert f"/{only.id}" in await share(harness, "Dora"), "saved now"
    await Table(harness).delete(only)
    await share(harness, "Bruno")
    (second,) = shared(harness)
    assert second.id != only.id, "a deleted one is shared again"
    assert f"/{second.id}" in await share(harness, "Dora"), "the new one is remembered"


async def test_presses_while_the_picture_is_drawn_wait_for_it(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    table = await a_finished_match(harness)
    result, draw, drawn = table.message(), DrawingQueue.draw, 0

    async def slowly(queue: DrawingQueue, picture: Picture) -> PictureFile:
        nonlocal drawn
        drawn += 1
        await asyncio.sleep(0.2)
        return await draw(queue, picture)

    monkeypatch.setattr(DrawingQueue, "draw", slowly)
    names = ("Léa", "Léa", "Bruno")
    await harness.together(*(lambda name=name: harness[name].click("📤 Partager", result) for name in names))
    await harness.advance(5)
    assert len(shared(harness)) == 1
    assert drawn == 1
    assert "en cours de dessin" in harness["Bruno"].told


REFUSALS = {
    "fr": ("Vous ne pouvez pas écrire dans <#", "il me manque Joindre des fichiers", "Envoyer des messages"),
    "en-US": ("You may not write in <#", "I lack Attach Files", "Send Messages"),
}
SHARE = {"fr": "📤 Partager", "en-US": "📤 Share"}


@BOTH
async def test_sharing_needs_what_posting_a_picture_needs(
    later: Harness, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    mute, bare, silent = REFUSALS[locale]
    harness, bruno = later, later["Bruno"]
    bruno.locale = locale
    await bruno.slash("kems records replay")
    before = posted(harness, harness.channel.id)

    async def refused() -> str:
        panel = next(m for m in reversed(bruno.messages()) if m.control(SHARE[locale]) is not None)
        await bruno.click(SHARE[locale], panel)
        assert posted(harness, harness.channel.id) == before, "nothing for others to see"
        return bruno.told

    deny(harness, bruno.id, "send_messages")
    assert mute in await refused()
    deny(harness, bruno.id, "send_messages_in_threads")  # this is no thread
    await forbid(harness, harness.channel.id, "attach_files")
    assert bare in await refused()
    await forbid(harness, harness.channel.id, "send_messages")
    assert silent in await refused()
    await forbid(harness, harness.channel.id)
    with monkeypatch.context() as patch:
        patch.setattr("bot.ui.records.sharing.missing_permissions", lambda *_: ())  # rights older than the channel's
        await forbid(harness, harness.channel.id, "send_messages")
        assert silent in await refused()


async def test_the_button_at_the_end_opens_a_review_that_names_the_mistakes(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind but those that cost least; each opens at its step."""
    table, chloe = await a_finished_match(harness), harness["Chloé"]
    here = harness.channel
    harness.enter("ailleurs")
    lea = harness["Léa"]
    await lea.slash("kems records review")
    shown = lea.last()
    assert shown.ephemeral
    assert f"Votre revue de la partie {table.id}" in shown.text
    source = table.message()
    stored = next(m for m in stored_messages(harness.env, source.channel_id, lea.id) if m.id == source.id)
    data = {"custom_id": f"k1:{table.id}.1:moment:1a", "component_type": 2}
    await harness.send(lea.id, 3, data, source=stored)
    assert lea.last().ephemeral
    assert lea.last().id != shown.id
    assert "La chasse est ouverte." in lea.last().text
    harness.channel = here

    match = planted()
    people = [*match.people]
    people[CHLOE] = replace(people[CHLOE], user_id=chloe.id)

    async def read(_archive: SqlArchive, table_id: int) -> PastMatch:
        return replace(match, table_id=table_id, people=tuple(people))

    monkeypatch.setattr(SqlArchive, "read", read)
    await chloe.click("🔎 Mes erreurs", table.message())
    for told in (
        "Manche 2 · 0:05** · coût : 2 pts\nA a fait 👀, votre signe, et vous n'avez pas annoncé Kem's.",
        "Manche 5 · 0:05** · coût : 2 pts\nB a fait 🍀, comme au Kem's de la manche 1 : vous pouviez contrer.",
        "Manche 8 · 0:05** · coût : 2 pts\nVotre équipe a refait 👀 : ce signe, grillé depuis la manche 7, a été",
    ):
        assert told in chloe.last().text
    await chloe.click("🎬 Film pas à pas", chloe.last())
    assert "manche 2" in chloe.last().text


async def test_of_a_running_match_only_films_of_its_rounds_are_shown_at_the_table(harness: Harness) -> None:
    table = await hunting(harness)
    none = "Il n'y a pas de partie terminée de ce numéro"
    assert none in await harness["Léa"].ask("kems records replay", number=table.id)
    assert none in await table.forge("Léa", f"k1:{table.id}.1:replay:0f")
    await table.act("Chloé", "gesture:👀")
    await table.act("Léa", "kems")
    emile, result = harness["Émile"], table.message()
    await emile.click("🎞 Film", result)
    assert emile.last().text.startswith(f"🎞 Partie {table.id} · manche 1")
    assert not re.search(f"signe|bluff|({'|'.join(PEOPLE)}) —", film_of(harness, emile)["description"])
    harness.enter("ailleurs")
    stored = next(m for m in stored_messages(harness.env, result.channel_id, emile.id) if m.id == result.id)
    await harness.send(emile.id, 3, {"custom_id": f"k1:{table.id}.1:film", "component_type": 2}, source=stored)
    assert emile.last().text.startswith("Cette table n'existe plus : ouvrez-en une avec </kems start:")


async def test_a_round_of_a_finished_match_may_be_filmed_in_any_channel(harness: Harness) -> None:
    """As below a night's podium, while the match is still in memory and afterwards."""
    table = await a_finished_match(harness)
    result, emile, here = table.message(), harness["Émile"], harness.channel
    elsewhere = harness.guild.create_text_channel("ailleurs")
    for is_kept in (True, False):
        harness.channel = here
        if not is_kept:
            await table.after(harness.restart())
        harness.channel = elsewhere
        stored = next(m for m in stored_messages(harness.env, result.channel_id, emile.id) if m.id == result.id)
        press = {"custom_id": f"k1:{table.id}.1:film:best_bluff", "component_type": 2}
        await harness.send(emile.id, 3, press, source=stored)
        assert emile.last().text.startswith(f"🎞 Partie {table.id} · manche 1")
        assert film_of(harness, emile)["filename"].endswith(".webp"), is_kept
    before = posted(harness, elsewhere.id)
    await emile.slash("kems records replay")
    await emile.click("🎞 Film", emile.last())
    assert film_of(harness, emile)["filename"].endswith(".webp")
    assert posted(harness, elsewhere.id) == before == []


def film_of(harness: Harness, member: Member) -> Any:
    """What is attached to the newest message of a member, which is theirs alone."""
    shown = member.last()
    assert shown.ephemeral
    stored = stored_messages(harness.env, shown.channel_id, member.id)
    (film,) = next(message for message in stored if message.id == shown.id).attachments
    return film


async def test_a_review_is_gone_when_its_player_or_the_moves_are_deleted(later: Harness, tmp_path: Path) -> None:
    """Boards are another matter: nobody else reads a review."""
    guild_id, lea, bruno = later.guild.id, later["Léa"], later["Bruno"]
    async with opened(settings_for(tmp_path).database_url) as database:
        await SqlPersonalData(database).hide(guild_id, lea.id, "Léa", is_hidden=True)
        assert "Votre revue de la partie 1" in await lea.ask("kems records review")
        assert await SqlPersonalData(database).erase(bruno.id)
        assert "Vous n'avez pas joué cette partie" in await bruno.ask("kems records review", number=1)
        kept = ServerSettings(retention_days=30, retained_until=0)
        await SqlServerStore(database).change(guild_id, lambda _: kept)
        await SqlRetention(database).purge(later.milliseconds() + 40 * DAY_MS, 10)
        assert "Les coups de la partie 1 sont effacés" in await lea.ask("kems records review", number=1)
