"""Finished matches watched again: step by step, in both languages, after a restart, and only by those who may."""

import asyncio
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import discord
import pytest
from PIL import Image
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.art.drawing_queue import DrawingQueue
from bot.errors import StoreError
from bot.records.archive import PastMatch, SharedRound
from bot.records.pictures import Picture, PictureFile
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlArchive, SqlSharedRounds
from bot.store.records.retention import SqlRetention
from bot.store.tables.servers import SqlServerStore
from bot.tables.server_settings import ServerSettings
from bot.times import DAY_MS
from tests.integration.harness import BOTH, PEOPLE, Harness, Seen
from tests.integration.mishaps import forbid, know_nonces, posted
from tests.integration.simcord_patches import stored_messages
from tests.integration.table import Table, dealt, kems
from tests.records.test_review import CHLOE, planted
from tests.ui.live.fakes import refused


async def a_finished_match(harness: Harness) -> Table:
    """Léa calls in vain. Chloé made a gesture before."""
    table = Table(harness, PEOPLE)
    await table.open(target=1)
    await table.agree()
    await table.open_hunt()
    await table.act("Chloé", "gesture:👀")
    while table.message().control("🔁 Revanche") is None:
        await table.act("Léa", "kems")
        if table.message().control("Manche suivante") is not None:
            await table.next_round("Léa")
    return table


async def test_a_match_is_watched_step_by_step_also_after_a_restart(harness: Harness) -> None:
    await a_finished_match(harness)
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


async def test_a_running_match_is_not_shown(harness: Harness) -> None:
    table = await dealt(harness)
    none = "Il n'y a pas de partie terminée de ce numéro"
    assert none in await harness["Léa"].ask("kems records replay", number=table.id)
    assert none in await table.forge("Léa", f"k1:{table.id}.1:replay:0f")


async def test_a_match_that_is_gone_by_now_leaves_no_command_unanswered(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    """It was closed, by another command, between the look for it and the reading of its log."""

    async def reading(_archive: SqlArchive, _table_id: int) -> PastMatch | None:
        return None

    table = await a_finished_match(harness)
    monkeypatch.setattr(SqlArchive, "read", reading)
    for command in ("kems records replay", "kems records export"):
        answer = (await harness["Léa"].slash(command)).response
        assert answer is not None, command
        assert f"La partie {table.id} a été interrompue" in answer.content, command


async def test_the_last_match_is_the_same_one_for_every_command(harness: Harness) -> None:
    """Wherever it was played, and whatever was played in this channel."""
    lea, here = harness["Léa"], harness.channel
    first = await a_finished_match(harness)
    harness.enter("ailleurs")
    last = await a_finished_match(harness)
    harness.channel = here
    told = await lea.ask("kems records history")
    assert told.index(f"**#{last.id}**") < told.index(f"**#{first.id}**")
    assert f"Partie {last.id}\n" in await lea.ask("kems records match")
    assert f"Partie {last.id} · manche" in await lea.ask("kems records replay")
    assert f"Partie {last.id}, coup par coup" in await lea.ask("kems records export")


async def test_who_cannot_see_the_channel_sees_neither_replay_nor_export(harness: Harness) -> None:
    emile, everywhere = harness["Émile"], harness.channel
    hidden = discord.PermissionOverwrite(view_channel=False)
    harness.channel = harness.guild.create_text_channel("secret", overwrites={emile.actor: hidden})
    table = await a_finished_match(harness)
    harness.channel = everywhere
    for command in ("kems records replay", "kems records export"):
        for options in ({"number": table.id}, {}):
            answer = (await emile.slash(command, **options)).response
            assert answer is not None
            assert "dans un salon que vous ne voyez pas" in emile.told
            assert not answer.attachments
    await emile.slash("kems start")
    assert "pas de partie terminée de ce numéro" in await table.forge("Émile", f"k1:{table.id}.1:replay:0f")
    assert f"Partie {table.id} · manche" in await harness["Léa"].ask("kems records replay")


async def test_a_round_is_shared_as_a_moving_picture_with_its_words(harness: Harness) -> None:
    await a_finished_match(harness)
    await share(harness, "Léa")
    (seen,) = shared(harness)
    assert seen.text.startswith("🎞 Partie 1 · manche 1 sur ")
    channel = harness.bot.get_partial_messageable(seen.channel_id)
    (file,) = (await channel.fetch_message(seen.id)).attachments
    assert file.filename == "kems-1-1.webp"
    assert file.description is not None
    assert "Partie 1 · manche 1 sur" in file.description
    data = await file.read()
    with Image.open(BytesIO(data)) as picture:
        assert picture.format == "WEBP"
        assert picture.n_frames > 2
    assert len(data) < 8 * 1024 * 1024


def shared(harness: Harness) -> list[Seen]:
    """The rounds that were shared in any channel, and that stand there."""
    return [m for m in harness["Léa"].messages() if not m.ephemeral and m.text.startswith("🎞")]


async def share(harness: Harness, name: str) -> str:
    """Somebody watches the match and shares its first round; the private line that they read then."""
    await harness[name].slash("kems records replay")
    await harness[name].click("📤 Partager")
    return harness[name].told


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_round_is_shared_once_in_a_channel_by_whoever_presses(restarts: bool, harness: Harness) -> None:
    await a_finished_match(harness)
    await share(harness, "Léa")
    (only,) = shared(harness)
    if restarts:
        await harness.restart(crash=True)
    link = f"https://discord.com/channels/{harness.guild.id}/{only.channel_id}/{only.id}"
    for name in ("Léa", "Bruno"):
        assert await share(harness, name) == f"Cette manche est déjà partagée : {link}"
    assert shared(harness) == [only]

    harness.enter("ailleurs")
    await share(harness, "Bruno")
    assert len(shared(harness)) == 2, "another channel is another place to share it"


async def test_a_round_that_was_posted_and_not_saved_is_not_posted_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a crash between the two leaves it."""
    know_nonces(monkeypatch)

    async def lost(_shares: SqlSharedRounds, _shared: SharedRound, _message_id: int) -> None:
        raise StoreError("not saved")

    await a_finished_match(harness)
    with monkeypatch.context() as patch:
        patch.setattr(SqlSharedRounds, "keep", lost)
        await share(harness, "Léa")
        await harness.restart(crash=True)
    (only,) = shared(harness)
    await share(harness, "Bruno")
    assert shared(harness) == [only]
    assert f"/{only.id}" in await share(harness, "Dora"), "saved now"


async def test_a_shared_round_that_was_deleted_is_shared_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_nonces(monkeypatch)
    table = await a_finished_match(harness)
    await share(harness, "Léa")
    (first,) = shared(harness)
    await table.delete(first)
    await share(harness, "Bruno")
    (second,) = shared(harness)
    assert second.id != first.id
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


async def test_a_picture_that_failed_can_be_shared_later(monkeypatch: pytest.MonkeyPatch, harness: Harness) -> None:
    await a_finished_match(harness)

    async def fail(_queue: DrawingQueue, _picture: Picture) -> PictureFile:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(DrawingQueue, "draw", fail)
        assert "n'a pas pu être dessinée" in await share(harness, "Léa")
    await share(harness, "Léa")
    assert len(shared(harness)) == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [(503, "réessayez"), (403, "Discord l'a refusé"), pytest.param(400, "réessayez", marks=pytest.mark.long)],
)
async def test_a_round_that_discord_does_not_take_can_be_shared_later(
    status: int, said: str, monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    await a_finished_match(harness)

    async def fail(*_: object, **__: object) -> None:
        raise refused(status, 50013 if status == 403 else 0)

    with monkeypatch.context() as patch:
        patch.setattr(discord.PartialMessageable, "send", fail)
        assert said in await share(harness, "Léa")
    await share(harness, "Bruno")
    assert len(shared(harness)) == 1


REFUSALS = {
    "fr": ("Vous ne pouvez pas écrire ici", "il me manque Joindre des fichiers", "Envoyer des messages"),
    "en-US": ("You may not write here", "I lack Attach Files", "Send Messages"),
}
SHARE = {"fr": "📤 Partager", "en-US": "📤 Share"}


@BOTH
async def test_sharing_needs_what_posting_a_picture_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    mute, bare, silent = REFUSALS[locale]
    async with kems(tmp_path) as harness:
        await a_finished_match(harness)
        bruno = harness["Bruno"]
        bruno.locale = locale
        await bruno.slash("kems records replay")
        before = posted(harness, harness.channel.id)

        async def refused() -> str:
            panel = next(m for m in reversed(bruno.messages()) if m.control(SHARE[locale]) is not None)
            await bruno.click(SHARE[locale], panel)
            assert posted(harness, harness.channel.id) == before, "nothing for others to see"
            return bruno.told

        silence(harness, bruno.id, deny=discord.Permissions(send_messages=True))
        assert mute in await refused()
        silence(harness, bruno.id, deny=discord.Permissions(send_messages_in_threads=True))  # this is no thread
        await forbid(harness, harness.channel.id, "attach_files")
        assert bare in await refused()
        await forbid(harness, harness.channel.id, "send_messages")
        assert silent in await refused()
        await forbid(harness, harness.channel.id)
        with monkeypatch.context() as patch:
            patch.setattr("bot.ui.records.sharing.missing", lambda *_: ())  # rights older than the channel's
            await forbid(harness, harness.channel.id, "send_messages")
            assert silent in await refused()


def silence(harness: Harness, user_id: int, deny: discord.Permissions) -> None:
    """Take permissions from a member in the channel, and give back all others."""
    overwrite = Overwrite(user_id, OverwriteType.MEMBER, deny=deny.value)
    harness.env.backend.set_overwrite(harness.channel.id, overwrite)


async def test_a_moment_of_a_review_opens_beside_it_and_a_review_is_for_players_alone(harness: Harness) -> None:
    table = await a_finished_match(harness)
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


async def test_planted_mistakes_are_named_by_the_button_at_the_end(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind but those that cost least; each opens at its step."""
    table, chloe = await a_finished_match(harness), harness["Chloé"]
    match = planted()
    people = [*match.people]
    people[CHLOE] = replace(people[CHLOE], user_id=chloe.id)

    async def read(_archive: SqlArchive, table_id: int) -> PastMatch:
        return replace(match, table_id=table_id, people=tuple(people))

    monkeypatch.setattr(SqlArchive, "read", read)
    await chloe.click("🔎 Revue", table.message())
    for told in (
        "Manche 2 · 0:05** · coût : 2 pts\nA a fait 👀, votre signe, et vous n'avez pas crié Kem's.",
        "Manche 5 · 0:05** · coût : 2 pts\nB a fait 🍀, comme au Kem's de la manche 1 : vous pouviez contrer.",
        "Manche 8 · 0:05** · coût : 2 pts\nVotre équipe a refait 👀 : ce signe, grillé depuis la manche 7, a été",
    ):
        assert told in chloe.last().text
    await chloe.click("🎬 Revoir", chloe.last())
    assert "manche 2" in chloe.last().text


async def test_a_round_of_a_replay_is_a_film_before_anybody_shares_it(harness: Harness) -> None:
    await a_finished_match(harness)
    lea, before = harness["Léa"], posted(harness, harness.channel.id)
    await lea.slash("kems records replay")
    await lea.click("🎞 Film", lea.last())
    shown = lea.last()
    assert shown.ephemeral
    (film,) = next(m for m in stored_messages(harness.env, shown.channel_id, lea.id) if m.id == shown.id).attachments
    assert film["filename"].endswith(".webp")
    assert posted(harness, harness.channel.id) == before


async def test_a_round_of_a_running_match_is_a_film_for_who_presses_at_the_table(harness: Harness) -> None:
    table = Table(harness, PEOPLE)
    await table.open()
    await table.agree()
    await table.open_hunt()
    await table.act("Chloé", "gesture:👀")
    await table.act("Léa", "kems")
    emile, result = harness["Émile"], table.message()
    await emile.click("🎞 Film", result)
    shown = emile.last()
    assert shown.ephemeral
    assert shown.text.startswith(f"🎞 Partie {table.id} · manche 1")
    (film,) = next(m for m in stored_messages(harness.env, shown.channel_id, emile.id) if m.id == shown.id).attachments
    assert not re.search(f"signe|bluff|({'|'.join(PEOPLE)}) —", film["description"])
    harness.enter("ailleurs")
    stored = next(m for m in stored_messages(harness.env, result.channel_id, emile.id) if m.id == result.id)
    await harness.send(emile.id, 3, {"custom_id": f"k1:{table.id}.1:film", "component_type": 2}, source=stored)
    assert emile.last().text.startswith("Cette table n'existe plus : ouvrez-en une avec </kems start:")


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "restarted"])
async def test_a_round_of_a_finished_match_is_a_film_in_any_channel(is_kept: bool, harness: Harness) -> None:
    """As below a night's podium, while the match is still in memory and afterwards."""
    table = await a_finished_match(harness)
    result, emile = table.message(), harness["Émile"]
    if not is_kept:
        await table.after(harness.restart())
    harness.enter("ailleurs")
    stored = next(m for m in stored_messages(harness.env, result.channel_id, emile.id) if m.id == result.id)
    press = {"custom_id": f"k1:{table.id}.1:film:best_bluff", "component_type": 2}
    await harness.send(emile.id, 3, press, source=stored)
    shown = emile.last()
    assert shown.ephemeral
    assert shown.text.startswith(f"🎞 Partie {table.id} · manche 1")
    (film,) = next(m for m in stored_messages(harness.env, shown.channel_id, emile.id) if m.id == shown.id).attachments
    assert film["filename"].endswith(".webp")


async def test_a_review_goes_with_its_player_and_with_the_moves(harness: Harness, database: Database) -> None:
    """Boards are another matter: nobody else reads a review."""
    table = await a_finished_match(harness)
    guild_id, people, lea, bruno = harness.guild.id, SqlPersonalData(database), harness["Léa"], harness["Bruno"]
    await people.hide(guild_id, lea.id, "Léa", is_hidden=True)
    assert f"Votre revue de la partie {table.id}" in await lea.ask("kems records review")
    assert await people.forget(bruno.id)
    assert "Vous n'avez pas joué cette partie" in await bruno.ask("kems records review", number=table.id)
    kept = ServerSettings(retention_days=30, retained_until=0)
    await SqlServerStore(database).change(guild_id, lambda _: kept)
    await SqlRetention(database).purge(harness.milliseconds() + 40 * DAY_MS, 10)
    assert f"Les coups de la partie {table.id} sont effacés" in await lea.ask("kems records review", number=table.id)
