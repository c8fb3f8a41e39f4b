"""Tables that cannot be shown where they are: they wait, their people are told, and they go on there or elsewhere."""

import pytest

from tests.integration.harness import PEOPLE, Harness
from tests.integration.mishaps import (
    archive,
    delete_channel,
    demote,
    forbid,
    outage,
    posted,
    requests,
    shown_the_door,
    unlock,
)
from tests.integration.table import Table, begun, hunting

PAUSED = "plus personne ne pouvait jouer ici"


async def plays(table: Table, name: str) -> None:
    """Somebody exchanges a card, which everybody sees."""
    await table.press(name, "hand")
    card = table.spare(name)
    await table.after(table.swap(name, card, table.pool()[0]))
    assert card in table.pool()
    assert table.member(name).told.count("⚠️") == 0


@pytest.mark.kems(afk_seconds=90)
async def test_a_match_pauses_while_the_bot_lacks_permissions_in_its_channel(
    harness: Harness, table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    await forbid(harness, harness.channel.id, "view_channel")
    asked = requests(harness, harness.channel.id)
    await table.press("Bruno", f"put:{table.hand('Bruno')[1]}")
    await harness.advance(3)
    # The panels of those who have one open say it, by themselves.
    for name in ("Bruno", "Dora"):
        assert "Je ne peux plus montrer cette table" in table.panel(name).text
        assert "Voir le salon" in table.panel(name).text
        assert "⏸ Partie en pause" in table.panel(name).text
    await harness.advance(600)
    assert requests(harness, harness.channel.id) == asked + 1, "nothing is tried again and again"
    assert capsys.readouterr().out.count("message.unseen") == 1
    assert "</kems table move:" in await table.forge("Dora", f"k1:{table.id}.1:kems")
    assert "Je ne peux plus montrer cette table" in await harness["Dora"].ask("kems sign", gesture="👀")
    assert "Je ne peux plus montrer cette table" in await harness["Léa"].ask("kems table resume")
    assert PAUSED in await table.after(forbid(harness, harness.channel.id))
    assert "⚠️" not in table.board()
    await table.after(harness["Dora"].click("▶ Reprendre", table.message()))
    await table.press("Bruno", f"take:{table.pool()[0]}")
    await plays(table, "Dora")

    # A message that is always deleted is not always posted.
    for _ in range(4):
        await table.delete(table.message())
        await harness.advance(5)
    assert posted(harness, harness.channel.id) == []
    assert "sans cesse supprimé" in table.panel("Bruno").text
    await table.after(harness["Léa"].slash("kems table resume"))
    await plays(table, "Bruno")

    # Where no message may follow the former one, that one says so.
    await table.act("Bruno", "kems")
    ended = table.message()
    await harness["Dora"].say("la suite !")
    await forbid(harness, harness.channel.id, "send_messages")
    await table.press("Léa", "next")
    await harness.advance(6)
    assert table.message().id == ended.id
    assert "Il m'y manque : Envoyer des messages." in table.board()
    await forbid(harness, harness.channel.id)
    assert "La partie reprend" in await harness["Chloé"].ask("kems table resume"), "it stopped by itself"
    assert "Manche 2" in await table.settle()
    former = next(m for m in posted(harness, harness.channel.id) if m.id == ended.id)
    assert "⚠️" not in former.text


@pytest.mark.parametrize("is_away", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.kems(sign_deadline=30)
async def test_a_match_outlives_its_channel(harness: Harness, is_away: bool) -> None:
    table = await begun(harness)
    if is_away:
        await harness.bot.close()
    await delete_channel(harness, harness.channel.id)
    if is_away:
        await harness.restart(crash=True)  # it is closed already
    await harness.advance(60)
    harness.enter("ailleurs")
    assert "Le salon de cette table a été supprimé" in await harness["Dora"].ask("kems hand")
    assert "</kems table move:" in await harness["Dora"].ask("kems table resume")
    assert PAUSED in await table.after(harness["Léa"].slash("kems table move"))
    await table.after(harness["Dora"].click("▶ Reprendre", table.message()))
    assert "Chaque équipe convient de son signe" in table.board(), "no deadline fell due meanwhile"
    await table.agree()
    await table.open_hunt()
    await plays(table, "Bruno")


async def test_a_match_waits_while_its_thread_is_locked(monkeypatch: pytest.MonkeyPatch, harness: Harness) -> None:
    await demote(harness, manage_threads=True)
    table = await hunting(harness, thread=True)
    thread = table.message().channel_id
    await archive(harness, monkeypatch, thread, locked=True)
    await harness.advance(3)
    told = harness["Bruno"].messages(harness.channel.id)[-1].text
    names = "Léa, Bruno, Chloé, Dora — "
    assert f"{names}⚠️ **Le fil de cette table, <#{thread}>, est archivé ou verrouillé" in told
    assert f"Le fil de cette table, <#{thread}>, est archivé ou verrouillé" in table.panel("Bruno").text
    asked = requests(harness, thread)
    await harness.advance(600)
    assert requests(harness, thread) == asked
    await unlock(harness, thread)
    await harness.advance(3)
    (board,) = posted(harness, thread)
    assert PAUSED in board.text
    await harness["Bruno"].click("▶ Reprendre", board)
    await harness.advance(3)
    assert "chasse est ouverte" in posted(harness, thread)[0].text
    assert all(names not in message.text for message in harness["Bruno"].messages(harness.channel.id))


@pytest.mark.parametrize("with_its_channel", [False, True])
async def test_a_match_outlives_its_thread(
    with_its_channel: bool, monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    """Which is opened again where it is archived."""
    table = await hunting(harness, thread=True)
    if not with_its_channel:
        thread = table.message().channel_id
        with monkeypatch.context() as patch:
            await archive(harness, patch, thread)
            await plays(table, "Bruno")
        assert table.message().channel_id == thread
        assert not harness.env.backend.channels[thread].thread_metadata.archived
    gone = harness.channel.id if with_its_channel else table.message().channel_id
    around, elsewhere = harness.channel, harness.guild.create_text_channel("ailleurs")
    await delete_channel(harness, gone)
    told = [] if with_its_channel else [m.text for m in posted(harness, around.id) if "⚠️" in m.text]
    assert ["Léa, Bruno, Chloé, Dora — ⚠️ **Le salon" in text for text in told] == [True] * (not with_its_channel)
    harness.channel = elsewhere
    assert "a été supprimé" in await harness["Léa"].ask("kems hand")
    await table.after(harness["Léa"].slash("kems table move"))
    await table.after(harness["Léa"].slash("kems table resume"))
    await plays(table, "Bruno")


@pytest.mark.kems(sign_deadline=30)
async def test_clocks_stop_in_an_outage_and_a_match_pauses_when_the_bot_leaves_its_server(harness: Harness) -> None:
    table = await begun(harness)
    with outage(harness):
        await harness.advance(60)
    assert "Chaque équipe convient de son signe" in await table.settle(), "nobody could act, so no clock ran"
    assert "en pause" not in table.board().casefold()

    former = table.message()
    with shown_the_door(harness):
        await harness.advance(60)
    await table.settle()
    assert table.message().id == former.id
    assert PAUSED in table.board()
    await table.after(harness["Dora"].click("▶ Reprendre", table.message()))
    assert "Chaque équipe convient de son signe" in table.board()
    assert "Les cartes sont distribuées" in await table.later(31)
    await table.open_hunt()
    await plays(table, "Bruno")


@pytest.mark.kems(paused_days=1)
async def test_a_table_of_a_lost_server_expires_and_its_message_says_so_if_possible(
    harness: Harness, table: Table
) -> None:
    with shown_the_door(harness):
        await harness.advance(90_000)
    assert "Personne n'a joué cette partie depuis longtemps" in await table.settle()
    assert "pas de table" in await harness["Dora"].ask("kems table resume")
    await delete_channel(harness, harness.channel.id)
    harness.enter("ailleurs")
    await hunting(harness)
    await delete_channel(harness, harness.channel.id)
    await harness.advance(90_000)
    harness.enter("encore")
    assert "pas de table" in await harness["Dora"].ask("kems table resume")


@pytest.mark.kems(photo_finish_ms=200)
async def test_pending_calls_are_judged_before_a_match_pauses(harness: Harness, table: Table) -> None:
    await table.press("Bruno", "kems")  # others may still have called before it
    await delete_channel(harness, harness.channel.id)
    await harness.advance(3)
    harness.enter("ailleurs")
    assert PAUSED in await table.after(harness["Léa"].slash("kems table move"))
    assert table.message().control(f"k1:{table.id}:next") is not None, "the call has ended the round"


@pytest.mark.parametrize(("gone", "is_banned"), [pytest.param("Chloé", False, marks=pytest.mark.long), ("Léa", True)])
@pytest.mark.kems(afk_seconds=90)
async def test_a_player_who_left_the_server_is_treated_as_absent(harness: Harness, gone: str, is_banned: bool) -> None:
    table = await hunting(harness, rules="classic take_limit=0")
    await table.press(gone, f"put:{table.hand(gone)[0]}")
    if is_banned:
        harness.env.backend.apply_ban(harness.guild.id, harness[gone].id, None)
        harness.env.inject_error("POST", "/channels/*/messages", status=400, code=50035)  # her call
    else:
        harness.guild.remove_member(harness[gone].actor)
    for _ in range(9):
        await harness.advance(15)
        for name in set(PEOPLE) - {gone}:
            await table.press(name, "hand")
    assert f"{gone} (🤖)" in await table.settle()
    assert "doit 1 carte" not in table.board()
    called = [m for m in posted(harness, harness.channel.id) if m.text.startswith("<@")]
    assert len(called) == (0 if is_banned else 1)
    assert "Bruno 👀" in await table.after(harness["Bruno"].react("👀", table.message())), "the match goes on"
    may = "Réservé à l'hôte" not in await harness["Bruno"].ask("kems table pause")
    assert may == is_banned, "the host's role has passed on from her alone"


async def test_the_end_of_a_match_that_nobody_can_see_is_dropped(harness: Harness) -> None:
    table = await hunting(harness, target=1)
    harness.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=10003, times=None)
    await table.act("Bruno", "kems")
    harness.env.backend.faults.clear()
    asked = requests(harness, harness.channel.id)
    await table.after(harness.restart())
    assert requests(harness, harness.channel.id) == asked, "there is nothing left to be told"


async def test_a_lobby_in_a_forbidden_channel_stays_open_and_closes_with_its_channel(harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    former = harness["Léa"].last()
    await forbid(harness, harness.channel.id, "view_channel")
    harness.enter("ailleurs")
    await harness["Léa"].slash("kems table absent", then="wait")
    await harness["Bruno"].agree("kems leave")
    await harness["Léa"].slash("kems table move")
    await harness.advance(2.6)
    (board,) = posted(harness, harness.channel.id)
    await harness["Bruno"].click("Rejoindre", board)
    await harness.advance(1.5)
    assert "Bruno" in posted(harness, harness.channel.id)[0].text
    assert former.channel_id != board.channel_id

    await delete_channel(harness, harness.channel.id)
    await harness.advance(5)
    harness.enter("encore")
    assert "pas de table" in await harness["Léa"].ask("kems table move")
    await harness.restart()
    assert "pas de table" in await harness["Léa"].ask("kems table move")
