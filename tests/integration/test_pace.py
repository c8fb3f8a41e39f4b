"""Whoever asks for more than anybody can mean is told so once, and otherwise nothing happens."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.discord.interactions.admission.admission import PressRate
from bot.game.checks import check_signs
from tests.integration.harness import Harness, Member
from tests.integration.table import Table, begun, lobby
from tests.seen import typed

TOO_FAST = "Pas si vite, cet appui n'a pas compté : attendez un instant, puis continuez."
FEW = 5  # in place of what a round bears
BEYOND = "Trop de gestes : échangez d'abord."


def pace() -> PressRate:
    return PressRate(burst=4, per_second=1)


async def exhausted(harness: Harness, member: Member) -> None:
    """Somebody who has just been told."""
    await harness.advance(4)
    for _ in range(5):
        await member.click("❔ Aide")
    assert member.told == TOO_FAST


@pytest.mark.kems(pace=pace())
async def test_too_many_presses_do_nothing(harness: Harness) -> None:
    table, bruno = await lobby(harness), harness["Bruno"]
    await exhausted(harness, bruno)
    before, seen = table.message(), len(bruno.messages())
    for custom_id in ("join", "settings", "help", "invite"):
        result = await bruno.click(f"k1:{table.id}:{custom_id}")
        assert result.acknowledged, "Discord is not left to say that the interaction failed"
        assert result.deferred
    await table.settle()
    assert (table.message(), len(bruno.messages())) == (before, seen)
    await harness["Chloé"].click(f"k1:{table.id}:join")
    assert "Chloé" in table.board(), "nobody else is kept waiting"
    await bruno.click(f"k1:{table.id}:join")
    assert "Bruno" in table.board(), "and Bruno neither, once some time has passed"


@pytest.mark.kems(pace=pace())
async def test_too_many_forms_do_nothing(harness: Harness) -> None:
    table, lea = await lobby(harness), harness["Léa"]
    await lea.click(f"k1:{table.id}:settings")
    await lea.click(f"k1:{table.id}:rules")
    form = await lea.click(f"k1:{table.id}:rules_text")
    await exhausted(harness, lea)
    result = await lea.submit(form, "classic target=3")
    assert result.acknowledged
    assert result.deferred
    assert "10 points" in await table.settle()
    assert "3 points" in await table.after(lea.submit(await lea.click(f"k1:{table.id}:rules_text"), "classic target=3"))


@pytest.mark.kems(pace=pace())
async def test_too_many_commands_are_answered_as_too_fast(harness: Harness) -> None:
    table, lea = await lobby(harness), harness["Léa"]
    assert await lea.suggestions("kems rules", "preset", "yō") != {}
    await exhausted(harness, lea)
    assert await lea.suggestions("kems rules", "preset", "yo") == {}
    for _ in range(2):
        answer = (await lea.slash("kems table end")).response
        assert answer is not None, "a command cannot be answered without a word"
        assert typed(answer.content) == TOO_FAST
        assert answer.ephemeral
    assert table.message().controls, "the table is not closed"
    await harness.advance(1)
    await lea.slash("kems table end")
    await harness.advance(2)
    await table.after(lea.click("Fermer la table"))
    assert not table.message().controls


@pytest.mark.kems(pace=PressRate(burst=20, per_second=1))
async def test_too_many_reactions_of_a_player_are_no_gestures(tmp_path: Path, harness: Harness) -> None:
    table = await slowly_hunting(harness)
    bruno, emile, before = harness["Bruno"], harness["Émile"], gestures(tmp_path)
    for emoji in "🍕🍔🍟🌭🥪🥙🧆🌮🌯🫔🥗🥘🫕🥫🍝🍜🍲🍛🍣🍱🦞🦐":
        await emile.react(emoji, table.message())
    assert await emile.press("❔ Aide") != TOO_FAST, "he does not play, and is not counted"
    for emoji in "🍕🍔🍟🌭🥪🥙🧆🌮🌯🫔":
        await bruno.react(emoji, table.message())
        await bruno.unreact(emoji, table.message())
    assert gestures(tmp_path) - before == 10, "to take one off is no gesture"
    for emoji in "🥗🥘🫕🥫🍝🍜🍲🍛🍣🍱🦞🦐🦑🦪🍦":
        await bruno.say(f"<@{harness.bot.user.id}> {emoji}")
    assert gestures(tmp_path) - before == 20, "no more than the bucket holds"
    await table.press("Bruno", f"gesture:{table.offered('Bruno', 'gesture')[0]}")
    assert bruno.told == TOO_FAST, "presses take from the same bucket"
    assert "Léa 🍕" in await table.after(harness["Léa"].react("🍕", table.message())), "nobody else is kept waiting"


async def test_a_gesture_beyond_the_bound_of_a_round_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harness: Harness, table: Table
) -> None:
    monkeypatch.setattr(check_signs, "MOST_ALIKE", FEW)
    (first, *_), before = table.offered("Bruno", "gesture"), gestures(tmp_path)
    for _ in range(FEW):
        await table.press("Bruno", f"gesture:{first}")
        await harness.advance(1)
    assert gestures(tmp_path) - before == FEW
    await table.press("Bruno", f"gesture:{first}")
    assert BEYOND in " ".join(table.panel("Bruno").text.split("\n-# "))
    assert await harness["Bruno"].ask("kems sign", gesture=first) == BEYOND
    await table.exchange_anything("Bruno")
    await table.press("Bruno", f"gesture:{first}")
    assert gestures(tmp_path) - before == FEW + 1


async def slowly_hunting(harness: Harness) -> Table:
    """A hunt that is open; all buckets are full."""
    table = await begun(harness)
    await harness.advance(60)
    await table.agree_at_once()
    await harness.advance(60)
    await table.open_hunt()
    await harness.advance(60)
    return table


def gestures(folder: Path) -> int:
    """How many gestures the log holds."""
    with closing(sqlite3.connect(folder / "kems.db")) as database:
        (count,) = database.execute("SELECT count(*) FROM events WHERE kind = 'GestureMade'").fetchone()
    return int(count)
