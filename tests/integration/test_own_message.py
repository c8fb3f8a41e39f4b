"""A match without a thread is shown in a message of the bot's own: people reply and react to it in every channel."""

from typing import Any

import pytest

from tests.integration import simcord_patches
from tests.integration.harness import BOTH, Harness
from tests.integration.mishaps import forbid
from tests.integration.table import begun

REST = ("text", "news", "stage", "forum")
PLACES = ("voice", "thread", *(pytest.param(kind, marks=pytest.mark.long) for kind in REST))


def place(harness: Harness, kind: str) -> Any:
    """A channel of that kind, or a thread that Léa has opened in one."""
    guild, backend = harness.guild, harness.env.backend
    if kind in ("thread", "forum"):
        parent = harness.channel if kind == "thread" else guild.create_forum_channel("tables")
        thread = backend.create_thread(parent.id, "Soirée", harness["Léa"].id, broadcast=False)
        backend.announce_thread_create(thread)
        return parent.threads[0]
    made = {
        "text": guild.create_text_channel,
        "news": guild.create_news_channel,
        "voice": guild.create_voice_channel,
        "stage": guild.create_stage_channel,
    }
    return made[kind]("soirée")


def posts(harness: Harness, channel_id: int) -> int:
    """How many messages of its own the bot has posted in a channel."""
    sent = simcord_patches.sent_requests(harness.env)
    return sum(method == "POST" and path.endswith(f"/channels/{channel_id}/messages") for method, path, *_ in sent)


@pytest.mark.parametrize("kind", PLACES)
async def test_replies_and_reactions_to_the_table_are_gestures(kind: str, harness: Harness) -> None:
    harness.channel = place(harness, kind)
    await harness.settle()
    table = await begun(harness, rules="classic", players=4, thread=False)
    assert posts(harness, harness.channel.id) == 1
    await table.agree_at_once()
    await table.open_hunt()
    board = table.message()
    assert board.channel_id == harness.channel.id
    await table.after(harness["Bruno"].say("🍩", reply_to=board))
    assert "Bruno 🍩 · Chloé — · Dora 🎲" in await table.after(harness["Dora"].react("🎲", board))
    assert table.message().id == board.id, "a gesture alone posts no other message"
    told = await table.after(harness["Dora"].unreact("🎲", board))
    assert "Dora 🎲" in told
    assert "Dora 🎲 🎲" not in told, "who removed it is unknown"


async def test_the_same_command_twice_at_one_instant_posts_one_table(harness: Harness) -> None:
    lea = harness["Léa"]
    await harness.together(lambda: lea.slash("kems start"), lambda: lea.slash("kems start"))
    await harness.advance(10)
    assert len([m for m in lea.messages() if not m.ephemeral]) == 1
    assert posts(harness, harness.channel.id) == 1
    assert lea.told.startswith("Votre table est déjà ouverte")


@BOTH
async def test_the_command_opens_nothing_and_says_so_when_the_bot_may_not_post(harness: Harness, locale: str) -> None:
    told = {"fr": "Envoyer des messages", "en-US": "Send Messages"}[locale]
    await forbid(harness, harness.channel.id, "send_messages")
    answer = await harness["Bruno"].ask("kems start")
    assert told in answer
    assert "fils" not in answer, "only what a table in the channel needs"
    assert harness.bot.rooms.directory.open_lobbies() == ()
    assert posts(harness, harness.channel.id) == 0


async def test_a_refusal_that_comes_with_the_post_is_the_answer(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    """The rights that came with the command were older than the channel's."""
    await forbid(harness, harness.channel.id, "send_messages")
    monkeypatch.setattr("bot.ui.lobby.places.missing_permissions", lambda *_: ())
    await harness["Bruno"].slash("kems start")
    await harness.advance(2)
    assert "Je ne peux plus montrer cette table" in harness["Bruno"].told
    await forbid(harness, harness.channel.id)
    await harness.advance(10)
    assert harness["Bruno"].last(ephemeral=False).control("Rejoindre") is not None
