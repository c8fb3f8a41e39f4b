"""`/kems practice` and `/kems tutorial`: a match with robots in a quiet place, and a coach who says what to do."""

import asyncio
from typing import Any

import discord
import pytest

from bot.discord.places.threads import THREAD_S
from bot.game.actions import CallTime
from bot.game.events import Phase
from bot.game.rules.rules import Pace
from bot.robots import RobotLevel
from bot.tables.lobby.help import Coaching
from bot.tables.match.table import Table as Match
from tests.discord.fakes import refused
from tests.integration.harness import Harness
from tests.integration.mishaps import forbid
from tests.integration.table import Table, begun


def match_of(harness: Harness) -> Match:
    """The one that was opened last."""
    return max(harness.bot.rooms.directory.tables(), key=lambda match: match.id)


def hint(table: Table, name: str) -> str:
    """The line of the coach on a member's panel, "" without one."""
    return next((line for line in table.panel(name).text.splitlines() if "💡" in line), "")


async def practising(harness: Harness) -> Table:
    """Léa practises in a thread, and has her panel open there: its first line is the coach's."""
    table, lea = Table(harness), harness["Léa"]
    await lea.slash("kems practice")
    match = match_of(harness)
    table.id = match.id
    await table.settle()
    (harness.channel,) = harness.channel.threads
    await lea.click("🤫 Le signe")
    return table


async def test_practice_begins_at_once_in_a_private_thread(harness: Harness) -> None:
    lea = harness["Léa"]
    await lea.slash("kems practice")
    match, (thread,) = match_of(harness), harness.channel.threads
    assert match.lobby.place.channel_id == thread.id
    stored = harness.env.backend.channels[thread.id]
    assert stored.type == discord.ChannelType.private_thread.value
    assert lea.id in stored.thread_members
    assert lea.told.startswith("💡 Proposez un signe"), "it begins in place"
    assert match.lobby.robot_level is RobotLevel.BEGINNER
    assert len(match.lobby.robot_seats()) == 3
    assert match.lobby.is_ranked is False
    await harness.advance(6)
    await lea.ask("kems practice")
    assert len(harness.bot.rooms.directory.tables()) == 1, "one practice at a time"


async def test_a_learner_plays_with_and_without_permission_for_threads(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody practises in a channel of their own."""
    bruno, chloe, dora, emile = (harness[name] for name in ("Bruno", "Chloé", "Dora", "Émile"))
    await forbid(harness, harness.channel.id, "create_private_threads")
    await harness["Léa"].slash("kems practice")
    (thread,) = harness.channel.threads
    assert match_of(harness).lobby.place.channel_id == thread.id
    assert harness.env.backend.channels[thread.id].type == discord.ChannelType.public_thread.value

    harness.enter("sans fils")
    await forbid(harness, harness.channel.id, "create_private_threads", "create_public_threads")
    await bruno.slash("kems practice")
    assert match_of(harness).lobby.place.channel_id == harness.channel.id
    assert Table(harness).panel("Bruno").text.startswith("💡 Proposez un signe : votre équipe n'a pas de signe.")

    async def refuse(*_: object) -> None:
        raise refused(403)

    with monkeypatch.context() as patch:
        patch.setattr(discord.Thread, "add_user", refuse)
        for learner, may_delete in ((chloe, True), (dora, False)):
            harness.enter("sans elle")
            if not may_delete:
                patch.setattr(discord.Thread, "delete", refuse)
            await learner.slash("kems practice")
            assert match_of(harness).lobby.place.channel_id == harness.channel.id
            threads = [harness.env.backend.channels[thread.id] for thread in harness.channel.threads]
            assert [thread.thread_metadata.archived for thread in threads] == [True] * (not may_delete)

    create = discord.TextChannel.create_thread
    for learner, name, seconds in ((emile, "practice", 4), (harness["Fatou"], "tutorial", 6)):

        async def slow(*arguments: Any, seconds: float = seconds, **named: Any) -> discord.Thread:
            await asyncio.sleep(seconds)
            return await create(*arguments, **named)

        harness.enter("lent")
        monkeypatch.setattr(discord.TextChannel, "create_thread", slow)
        await learner.slash(f"kems {name}")
        await harness.advance(7)
        private = [seen.text for seen in learner.newest(ephemeral=True)]
        assert any(text.startswith("💡 ") for text in private), "it begins in place"
        assert any("la table reste dans ce salon" in text for text in private) is (seconds > THREAD_S), "and says why"


async def test_the_coach_says_what_to_do_and_why_until_it_is_sent_away(harness: Harness) -> None:
    table = await practising(harness)
    for _ in range(20):
        if offered := table.offered("Léa", "accept"):
            break
        await harness.advance(2)
    assert hint(table, "Léa").startswith("💡 Acceptez le signe : ")
    await table.press("Léa", f"accept:{offered[0]}")
    for _ in range(20):
        await harness.advance(2)
        if table.hand("Léa"):
            break
    for _ in range(20):
        await harness.advance(1)
        if " : " in hint(table, "Léa"):
            break
    assert " : " in hint(table, "Léa"), "what to do, and why"
    lines = len(table.panel("Léa").text.splitlines())
    await table.press("Léa", "coach:away")
    assert hint(table, "Léa") == ""
    assert len(table.panel("Léa").text.splitlines()) == lines
    await harness.restart()
    assert hint(table, "Léa") == ""
    await table.press("Léa", "coach:on")
    assert hint(table, "Léa") != ""
    assert len(table.panel("Léa").text.splitlines()) == lines


async def test_a_table_without_a_coach_gets_none(table: Table) -> None:
    assert table.panel("Léa").control(f"k1:{table.id}:coach:on") is None
    await table.forge("Léa", f"k1:{table.id}:coach:on")
    await table.press("Léa", "hand")
    assert hint(table, "Léa") == ""
    assert table.panel("Léa").control(f"k1:{table.id}:coach:away") is None


async def test_the_tutorial_teaches_everybody_who_asks_for_it(harness: Harness) -> None:
    """In a thread of its own, by rules that hurry nobody; one press sends the coach away, a restart forgets nothing."""
    table, lea = Table(harness), harness["Léa"]
    await lea.slash("kems tutorial")
    match, (thread,) = match_of(harness), harness.channel.threads
    assert match.lobby.place.channel_id == thread.id
    assert (match.lobby.coaching, match.lobby.robot_level) == (Coaching.LESSONS, RobotLevel.BEGINNER)
    rules = match.lobby.rules
    assert (rules.exchange.take_limit, rules.sweep.quiet, rules.pace) == (0, 0, Pace())
    assert rules.signs.signs_told == "round"
    assert match.lobby.afk_seconds == 0
    table.id = match.id
    await table.settle()
    harness.channel = thread
    await lea.click("🤫 Le signe")
    assert "💡 Votre équipe convient d'un signe secret" in hint(table, "Léa")
    for _ in range(10):
        await harness.advance(2)
        if offered := table.offered("Léa", "accept"):
            break
    await table.press("Léa", f"accept:{offered[0]}")
    assert "💡 À vous d'ouvrir" in hint(table, "Léa")
    assert len(table.hand("Léa")) == 4
    await harness.advance(600)
    assert match_of(harness).table_view().phase is Phase.READY, "everybody waits for the learner"
    await harness.restart()
    await table.press("Léa", "hand")
    assert "💡 À vous d'ouvrir" in hint(table, "Léa")
    await table.press("Léa", "open")
    assert "💡 Posez " in hint(table, "Léa")
    await lea.slash("kems tutorial")
    assert len(harness.bot.rooms.directory.tables()) == 1, "a person who is being taught finds that match"
    await table.press("Léa", "coach:away")
    assert hint(table, "Léa") == ""


async def test_the_quick_start_of_a_newcomer_teaches(harness: Harness) -> None:
    table = await begun(harness)
    await table.forge("Émile", "k1:0:play")
    match = next(each for each in harness.bot.rooms.directory.tables() if each.id != table.id)
    assert match.lobby.coaching is Coaching.LESSONS
    assert match.lobby.place.channel_id in {thread.id for thread in harness.channel.threads}
    assert "💡 Votre équipe convient d'un signe secret" in harness["Émile"].told


async def test_a_first_match_that_is_over_offers_a_short_one_and_a_table_for_friends(harness: Harness) -> None:
    """On the result and in the panel. The lobby for friends stands beside the thread."""
    table, lea, channel = Table(harness), harness["Léa"], harness.channel
    await lea.slash("kems tutorial")
    match, (thread,) = match_of(harness), channel.threads
    table.id = match.id
    await table.settle()
    harness.channel = thread
    await lea.click("🤫 Le signe")
    for _ in range(10):
        await harness.advance(2)
        if offered := table.offered("Léa", "accept"):
            break
    await table.press("Léa", f"accept:{offered[0]}")
    await table.press("Léa", "open")
    await match.submit(CallTime())
    await table.press("Léa", "kems")
    await harness.advance(2)
    ended, panel = await table.settle(), table.panel("Léa")
    assert "⏳" not in ended
    for message in (table.message(), panel):
        assert message.control("k1:0:play")
        assert message.control("k1:0:friends")
        assert message.control("k1:0:daily")
        assert message.control(f"k1:{match.id}:rematch") is None
    await lea.click("k1:0:friends", table.message())
    (lobby,) = harness.bot.rooms.directory.open_lobbies()
    assert (lobby.place.channel_id, lobby.rules.end.target, lobby.robot_seats()) == (channel.id, 5, ())
    assert f"k1:{lobby.id}:invite_people" in str(lea.last(ephemeral=True))
    await harness.advance(6)
    await lea.click("k1:0:play", panel)
    await lea.click("Sans attendre", harness.posted(channel.id)[-1])
    short = max(harness.bot.rooms.directory.tables(), key=lambda each: each.id)
    assert (short.lobby.coaching, short.lobby.rules.end.target) == (Coaching.NONE, 5)
    assert table.id != short.id
