"""*Play* and `/kems play`: whoever presses in a channel sits at one table, which starts by itself."""

from typing import Any

import pytest

from bot.base.errors import StoreError
from bot.tables.hub import ServersLost, ServersReached
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table as Match
from bot.ui.lobby.quick_start import STALE_MS
from tests.integration.harness import Harness
from tests.integration.mishaps import deny, forbid
from tests.integration.table import Table, begun

PLAY = "k1:0:play"


def calls(harness: Harness) -> list[Lobby]:
    return [lobby for lobby in harness.bot.rooms.directory.open_lobbies() if lobby.is_quick_start]


def matches(harness: Harness) -> list[Match]:
    return [match for match in harness.bot.rooms.directory.tables() if not match.is_over]


async def leave(harness: Harness) -> None:
    """The matches end, and everybody goes to another channel."""
    for match in matches(harness):
        await harness["Léa"].agree("kems table end", number=match.id)
    await harness.settle()
    assert (calls(harness), matches(harness)) == ([], [])
    harness.enter("plus loin")


def board(harness: Harness) -> str:
    """The newest public message of the channel."""
    return harness.posted(harness.channel.id)[-1].text


async def ban(harness: Harness, name: str) -> None:
    await harness["Léa"].slash("kems-admin ban", member=harness[name])


async def press(harness: Harness, name: str) -> None:
    """Press a *Play* that stands somewhere in the channel."""
    member = harness[name]
    await member.forge(PLAY, member.last(ephemeral=False))


async def test_two_people_and_robots_play_without_a_host(harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    assert board(harness).startswith("### ♠ Léa veut jouer · <t:")
    assert harness["Léa"].told.startswith("Votre partie commence <t:")
    await harness["Bruno"].click("J'arrive")
    assert board(harness).startswith("### ♠ Léa et Bruno veulent jouer · <t:")
    await harness.advance(19)
    assert matches(harness) == []
    await harness.advance(2)
    (match,) = matches(harness)
    assert {*match.lobby.people} == {harness["Léa"].id, harness["Bruno"].id}
    assert len(match.lobby.robot_seats()) == 2
    assert calls(harness) == []
    table = Table(harness)
    table.id = match.id
    await table.settle()
    assert "Choisissez un signe" in table.panel("Léa").text, "what she was promised has become her panel"
    await harness["Bruno"].click("▶ Aller à la table")
    assert "Votre équipe : vous et" in table.panel("Bruno").text


async def test_a_press_anywhere_in_the_channel_joins_and_a_full_table_starts_at_once(harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    await press(harness, "Bruno")
    await harness["Chloé"].slash("kems play")
    (call,) = calls(harness)
    assert len(call.people) == 3
    harness.enter("ailleurs")
    await harness["Émile"].slash("kems play")
    assert len(calls(harness)) == 2, "another channel has a call of its own"
    harness.channel = next(one for one in harness.guild.channels.values() if one.id == call.place.channel_id)
    await harness["Dora"].slash("kems play")
    await harness.settle()
    (match,) = matches(harness)
    assert (match.id, len(match.lobby.people)) == (call.id, 4)
    for name in ("Léa", "Bruno", "Chloé", "Dora"):
        assert "Choisissez un signe" in harness[name].told


async def test_two_presses_at_one_moment_open_one_table(harness: Harness) -> None:
    await harness.together(*(lambda name=name: harness[name].slash("kems play") for name in ("Léa", "Bruno")))
    (call,) = calls(harness)
    assert len(call.people) == 2
    await harness["Léa"].slash("kems play")
    (again,) = calls(harness)
    assert again.id == call.id, "who sits there already stays there"


async def test_people_at_a_quick_start_may_start_it_without_waiting(harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    await harness["Bruno"].click("J'arrive")
    assert "Vous n'êtes pas à cette table" in await harness["Chloé"].press("Sans attendre")
    await harness["Bruno"].click("Sans attendre")
    assert len(matches(harness)) == 1
    await harness.advance(30)
    assert len(matches(harness)) == 1, "its time comes for nothing"

    # The private answer starts the match, too.
    await leave(harness)
    await harness["Bruno"].slash("kems play")
    await press(harness, "Léa")
    await harness["Léa"].click("Sans attendre", harness["Léa"].last(ephemeral=True))
    (match,) = matches(harness)
    assert len(match.lobby.people) == 2
    for name in ("Léa", "Bruno"):
        assert "Choisissez un signe" in harness[name].told
    await harness.advance(3)
    public = harness.posted(harness.channel.id)[-1]
    assert public.control(f"k1:{match.id}:sign_panel"), "the table stands in the channel"

    # A late press is answered.
    await leave(harness)
    await harness["Léa"].slash("kems play")
    message = harness.posted(harness.channel.id)[-1]
    (call,) = calls(harness)
    await harness["Léa"].click("Sans attendre")
    for verb in ("leave", "start:fill"):
        assert await harness["Bruno"].forge(f"k1:{call.id}:{verb}", message)
    assert len(matches(harness)[0].lobby.people) == 1


@pytest.mark.kems(table_threads=True)
async def test_people_are_led_to_a_match_whose_thread_is_not_saved(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harness["Léa"].slash("kems play")
    await harness["Bruno"].click("J'arrive")
    store, tries = harness.bot.rooms.directory._store, list[Any]()
    move = store.move

    async def once(*given: Any) -> None:
        tries.append(given)
        if len(tries) == 1:
            raise StoreError("full")
        await move(*given)

    monkeypatch.setattr(store, "move", once)
    await harness.advance(60)
    (match,) = matches(harness)
    assert match.lobby.place.channel_id == harness.channel.id
    assert harness["Léa"].last(ephemeral=True).controls, "her panel"
    assert "commence <t:" not in harness["Léa"].told
    assert not harness.bot.get_channel(harness.channel.id).threads, "nobody would be in it"


@pytest.mark.kems(table_threads=True)
async def test_the_match_gets_a_thread_and_people_a_link_to_it(harness: Harness) -> None:
    channel = harness.channel
    await harness["Léa"].slash("kems play")
    await harness["Bruno"].click("J'arrive")
    await harness.advance(21)
    (thread,) = channel.threads
    (match,) = matches(harness)
    assert match.lobby.place.channel_id == thread.id
    for name in ("Léa", "Bruno"):
        (way,) = harness[name].last(ephemeral=True).controls
        assert way.custom_id.endswith(f"/{thread.id}")
    assert match.held_since is None
    harness.channel = thread
    await press(harness, "Émile")
    assert len(matches(harness)) == 2, "nobody waits, and he learns the game"
    await harness["Fatou"].slash("kems play")
    (call,) = calls(harness)
    assert call.place.channel_id == channel.id, "the channel's people see who wants to play in one of its threads"


async def test_a_quick_start_outlives_its_first_player_and_waits_for_discord_and_the_database(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harness["Léa"].slash("kems play")
    await harness["Bruno"].click("J'arrive")
    await harness["Léa"].click("Quitter", harness.posted(harness.channel.id)[-1])
    assert board(harness).startswith("### ♠ Bruno veut jouer")
    await harness["Bruno"].click("Quitter", harness.posted(harness.channel.id)[-1])
    assert "Cette table a été fermée" in board(harness)
    await harness.advance(30)
    assert (calls(harness), matches(harness)) == ([], [])

    # A call waits while Discord is out of reach.
    await leave(harness)
    await harness["Léa"].slash("kems play")
    hub = harness.bot.rooms.hub
    await hub.publish_and_wait(ServersLost([harness.guild.id]))
    await harness.advance(30)
    assert (len(calls(harness)), matches(harness)) == (1, [])
    await hub.publish_and_wait(ServersReached([harness.guild.id]))
    await harness.advance(1)
    assert (calls(harness), len(matches(harness))) == ([], 1)

    # A start that is not saved is tried again.
    await leave(harness)
    await harness["Léa"].slash("kems play")
    store, tries = harness.bot.rooms.directory._store, []
    record = store.record_start

    async def once(*given: Any) -> None:
        tries.append(given)
        if len(tries) == 1:
            raise StoreError("full")
        await record(*given)

    monkeypatch.setattr(store, "record_start", once)
    await harness.advance(25)
    assert (len(tries), len(matches(harness))) == (2, 1)

    # No call is opened where no table can be.
    await leave(harness)
    await forbid(harness, harness.channel.id, "send_messages")
    assert "Envoyer des messages" in await harness["Léa"].ask("kems play")
    assert calls(harness) == []


async def test_a_banned_person_neither_opens_nor_joins_a_quick_start(harness: Harness) -> None:
    await ban(harness, "Émile")
    told = await harness["Émile"].ask("kems play")
    assert calls(harness) == []
    await harness["Léa"].slash("kems play")
    assert await harness["Émile"].press("J'arrive") == told
    await harness["Bruno"].click("J'arrive")
    await ban(harness, "Bruno")
    await harness.advance(21)
    (match,) = matches(harness)
    assert {*match.lobby.people} == {harness["Léa"].id, harness["Bruno"].id}, "who sits down already may finish"


@pytest.mark.parametrize("crash", [False, pytest.param(True, marks=pytest.mark.long)])
async def test_a_quick_start_survives_a_restart(crash: bool, harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    await harness.advance(5)
    await harness.restart(crash=crash)
    await harness["Bruno"].click("J'arrive")
    await harness.advance(16)
    (match,) = matches(harness)
    assert len(match.lobby.people) == 2
    assert harness.posted(harness.channel.id)[-1].control(f"k1:{match.id}:sign_panel")


@pytest.mark.parametrize(("after", "starts"), [(60, True), (STALE_MS // 1000 + 60, False)])
async def test_a_quick_start_due_while_the_bot_was_away_starts_unless_it_is_stale(
    after: int, starts: bool, harness: Harness
) -> None:
    await harness["Léa"].slash("kems play")
    await harness.bot.close()
    await harness.advance(after)
    await harness.restart(crash=True)
    await harness.advance(5)
    assert (len(matches(harness)), calls(harness)) == (int(starts), [])
    assert ("Cette table a été fermée" in board(harness)) is not starts


async def test_waiting_people_are_told_when_a_quick_start_is_closed(harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    assert "commence <t:" in harness["Léa"].told
    hub = harness.bot.rooms.hub
    await hub.publish_and_wait(ServersLost([harness.guild.id]))
    await harness.advance(STALE_MS / 1000 + 60)
    await hub.publish_and_wait(ServersReached([harness.guild.id]))
    await harness.advance(5)
    assert calls(harness) == []
    assert harness["Léa"].told.startswith("Cette table n'existe plus")


@pytest.mark.parametrize("seconds", [10, pytest.param(60, marks=pytest.mark.long)])
async def test_the_server_sets_how_long_a_quick_start_waits(seconds: int, harness: Harness) -> None:
    await harness["Léa"].slash("kems-admin config")
    await harness["Léa"].click("k1:0:config_more")
    await harness["Léa"].choose("k1:0:config:call", str(seconds))
    await harness["Bruno"].slash("kems play")
    await harness.advance(seconds - 1)
    assert matches(harness) == []
    await harness.advance(2)
    assert len(matches(harness)) == 1


async def test_a_player_who_already_plays_is_shown_their_hand(harness: Harness) -> None:
    table = await begun(harness)
    await press(harness, "Léa")
    assert "Votre équipe : vous et" in table.panel("Léa").text
    assert calls(harness) == []


async def test_a_member_with_too_many_tables_cannot_open_a_quick_start(harness: Harness) -> None:
    for number in range(5):
        harness.enter(f"salon-{number}")
        await harness["Léa"].slash("kems start")
    harness.enter("encore")
    assert "Trop de vos tables" in await harness["Léa"].ask("kems play")
    await harness["Bruno"].slash("kems play")
    await harness["Léa"].slash("kems play")
    (call,) = calls(harness)
    assert len(call.people) == 2, "but others may call her"


@pytest.mark.kems(lobby_minutes=1, table_threads=True)
async def test_a_member_who_may_not_write_cannot_open_a_quick_start(harness: Harness) -> None:
    """Neither by *Play*, nor by a lobby that is opened anew; in a thread the table opens there, not in its channel."""
    bruno, parent = harness["Bruno"], harness.channel
    table = await begun(harness)
    await harness.settle()
    thread = table.message().channel_id
    await harness["Léa"].agree("kems table end", number=table.id)
    await harness["Léa"].slash("kems start")
    message = harness["Léa"].last(ephemeral=False)
    await harness.advance(61)
    deny(harness, bruno.id, "send_messages")
    await harness.settle()
    refusal = f"Vous ne pouvez pas écrire dans <#{parent.id}>"
    assert refusal in await bruno.ask("kems play")
    assert refusal in await bruno.forge("k1:2:reopen", message)
    deny(harness, harness["Chloé"].id, "send_messages")
    assert "💡" in await harness["Chloé"].forge(PLAY, message), "her first match is played in a private thread"
    assert (calls(harness), harness.bot.rooms.directory.open_lobbies()) == ([], ())
    (harness.channel,) = (one for one in parent.threads if one.id == thread)
    await bruno.slash("kems play")
    (call,) = calls(harness)
    assert call.place.channel_id == thread
