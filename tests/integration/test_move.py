"""Tables that are brought elsewhere, and messages that are deleted under them."""

import pytest

from bot.base.errors import StoreError
from tests.integration.harness import Harness, Seen
from tests.integration.mishaps import breaking, forbid, posted, requests
from tests.integration.table import Table


def stands(harness: Harness, message: Seen) -> Seen:
    """The same message as it is now."""
    return next(m for m in harness["Léa"].messages(message.channel_id) if m.id == message.id)


REST = ((False, "POST"), (True, "PATCH"))


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_match_goes_on_in_another_channel(crash: bool, harness: Harness, table: Table) -> None:
    former, hand = table.message(), table.hand("Bruno")
    harness.enter("ailleurs")
    assert "Réservé à l'hôte" in await harness["Bruno"].ask("kems table move")
    assert f"{table.id} — Léa, Bruno, Chloé, Dora" in await harness["Léa"].suggestions("kems table move", "number")
    assert f"La table est maintenant dans <#{harness.channel.id}>." in await harness["Léa"].ask("kems table move")
    await table.settle()
    assert table.message().channel_id == harness.channel.id
    left = stands(harness, former)
    assert left.controls == ()
    assert f"/{harness.channel.id}/{table.message().id}" in left.text
    if crash:
        await table.after(harness.restart(crash=True))
    # Panels from before are alive, and so is the new message; the old one is left alone.
    await table.after(table.swap("Bruno", hand[0], table.pool()[0]))
    assert hand[0] not in table.hand("Bruno")
    assert hand[0] in table.pool()
    await table.act("Dora", "kems")
    assert stands(harness, former) == left
    assert len(posted(harness, harness.channel.id)) == 1


async def test_a_moderator_moves_a_lobby_into_a_thread(harness: Harness) -> None:
    harness.enter("ici", "Émile", manage_messages=True)
    await harness["Bruno"].slash("kems start")
    former = harness["Bruno"].last(ephemeral=False)
    harness.enter("ailleurs")
    await harness["Émile"].slash("kems table move", thread=True)
    await harness.advance(2.6)
    assert any("Émile amène ici une table" in m.text for m in posted(harness, harness.channel.id))
    (thread,) = harness.channel.threads
    (board,) = posted(harness, thread.id)
    await harness["Dora"].click("Rejoindre", board)
    await harness.advance(1.5)
    assert "Dora" in stands(harness, board).text
    assert "a changé de place" in stands(harness, former).text


async def test_a_member_who_may_not_write_there_announces_no_table(harness: Harness) -> None:
    await harness["Bruno"].slash("kems start")
    harness.enter("annonces", "Bruno", send_messages=False)
    mute = f"Vous ne pouvez pas écrire dans <#{harness.channel.id}>"
    assert mute in await harness["Bruno"].ask("kems table move", thread=True)
    assert posted(harness, harness.channel.id) == []


async def test_a_table_moves_to_the_end_of_its_channel_but_to_none_closed_to_the_bot(
    harness: Harness, table: Table
) -> None:
    former, here = table.message(), harness.channel
    harness.enter("ailleurs")
    await forbid(harness, harness.channel.id, "send_messages")
    assert "Envoyer des messages" in await harness["Léa"].ask("kems table move")
    await table.settle()
    assert stands(harness, former) == former
    harness.channel = here
    await harness["Bruno"].say("le fil est long")
    await table.after(harness["Léa"].slash("kems table move"))
    assert table.message().id != former.id
    assert stands(harness, former).controls == ()
    # The message of a finished table stays deleted.
    await table.after(harness["Léa"].agree("kems table end"))
    *others, last = posted(harness, harness.channel.id)
    await table.delete(last)
    await harness.advance(5)
    assert posted(harness, harness.channel.id) == others


async def test_a_deleted_message_is_posted_again_once_and_at_once(harness: Harness, table: Table) -> None:
    await table.act("Bruno", "kems")
    ended = table.message()
    await harness["Dora"].say("la suite !")
    await table.act("Léa", "next")
    former = table.message()
    assert former.id != ended.id
    await table.delete(ended)
    await harness.advance(5)
    assert table.message().id == former.id, "the log of a former round stays deleted"
    await table.after(table.delete(former))
    again = table.message()
    assert again.id != former.id
    assert "Manche 2" in again.text
    harness.env.backend.bulk_delete_messages(harness.channel.id, [again.id])
    await harness.advance(10)
    assert [m for m in posted(harness, harness.channel.id) if "Manche 2" in m.text] == [table.message()]


async def test_a_move_is_saved_at_once_and_completed_after_a_crash(harness: Harness, table: Table) -> None:
    former = table.message()
    harness.enter("ailleurs")
    harness.env.inject_error("POST", f"/channels/{harness.channel.id}/messages", times=None)
    await harness["Léa"].slash("kems table move")
    assert posted(harness, harness.channel.id) == []
    said = await harness["Dora"].press("🂠 Ma main", former)
    assert said.endswith(f"/{harness.channel.id}"), "there is no message yet that could be named"
    harness.env.backend.faults.clear()
    await table.after(harness.restart(crash=True))
    (board,) = posted(harness, harness.channel.id)
    await harness["Dora"].click("🂠 Ma main", board)
    assert len(table.hand("Dora")) == 4


@pytest.mark.parametrize(
    ("is_elsewhere", "comes_to"),
    [(False, "PATCH"), (True, "POST"), *(pytest.param(*each, marks=pytest.mark.long) for each in REST)],
)
async def test_the_old_message_is_emptied_even_after_a_crash(
    monkeypatch: pytest.MonkeyPatch, is_elsewhere: bool, comes_to: str, harness: Harness, table: Table
) -> None:
    former = table.message()
    if is_elsewhere:
        harness.enter("ailleurs")
    where = f"/{harness.channel.id}/messages" if comes_to == "POST" else f"/messages/{former.id}"
    with breaking(monkeypatch, comes_to, where):
        await harness["Léa"].slash("kems table move")
        await harness.advance(0.5)
        assert (table.message().id == former.id) == (comes_to == "POST")
        assert stands(harness, former).controls != ()
        await harness.bot.close()
    await harness.restart(crash=True)  # it is closed already
    await table.settle()
    present, left = table.message(), stands(harness, former)
    assert present.id != former.id
    assert present.channel_id == harness.channel.id
    assert left.controls == ()
    assert f"/{present.channel_id}/{present.id}" in left.text
    # That is done once.
    await harness.restart()
    asked = requests(harness, former.channel_id)
    await table.act("Dora", "hand")
    assert stands(harness, former) == left
    assert table.message().id == present.id
    if is_elsewhere:
        assert requests(harness, former.channel_id) == asked


async def test_a_table_moved_before_it_was_posted_is_not_posted_in_its_old_channel(
    harness: Harness, table: Table
) -> None:
    former = table.message()
    harness.channel = forbidden = harness.guild.create_text_channel("fermé")
    harness.env.inject_error("POST", f"/channels/{forbidden.id}/messages", status=403, code=50013, times=None)
    await table.after(harness["Léa"].slash("kems table move"))
    assert table.message().id == former.id
    harness.enter("ailleurs")
    await table.after(harness["Léa"].slash("kems table move", number=table.id))
    assert table.message().channel_id == harness.channel.id
    assert stands(harness, former).controls == ()


@pytest.mark.parametrize("is_elsewhere", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_message_that_could_not_be_emptied_links_to_the_current_one(
    is_elsewhere: bool, harness: Harness, table: Table
) -> None:
    former = table.message()
    if is_elsewhere:
        harness.enter("ailleurs")
    harness.env.inject_error("PATCH", f"/channels/*/messages/{former.id}", status=403, code=50001, times=None)
    await table.after(harness["Léa"].slash("kems table move"))
    present = table.message()
    assert present.id != former.id
    assert stands(harness, former).controls != (), "else there is nothing to press"
    for verb in ("kems", "hand", "help"):
        await harness["Dora"].click(f"k1:{table.id}:{verb}", stands(harness, former))
        assert f"/{present.channel_id}/{present.id}" in harness["Dora"].told, verb
    await table.settle()
    assert table.message() == present
    # All else goes on: the present message, and panels from before.
    await table.swap("Bruno", table.hand("Bruno")[0], table.pool()[0])
    await table.act("Dora", "kems")
    await table.next_round("Dora")
    assert stands(harness, former).controls != ()


async def test_a_lobby_cannot_be_joined_in_its_old_channel(harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    former = harness["Léa"].last(ephemeral=False)
    harness.env.inject_error("PATCH", f"/channels/*/messages/{former.id}", status=403, code=50001, times=None)
    await harness["Léa"].slash("kems table move")
    await harness.advance(2.6)
    await harness["Bruno"].click("Rejoindre", former)
    board = harness["Léa"].last(ephemeral=False)
    assert f"/{board.channel_id}/{board.id}" in harness["Bruno"].told
    assert "Bruno" not in board.text
    await harness["Bruno"].click("Rejoindre", board)
    assert "Bruno" in stands(harness, board).text


@pytest.mark.parametrize("has_chatted", [False, True])
async def test_a_thread_that_a_table_left_is_deleted_at_its_end_unless_people_wrote_there(
    harness: Harness, table: Table, has_chatted: bool
) -> None:
    harness.enter("ailleurs")
    await harness["Léa"].slash("kems table move", thread=True)
    await table.settle()
    channel, (thread,) = harness.channel, harness.channel.threads
    assert table.message().channel_id == thread.id
    if has_chatted:
        harness.channel = thread
        await harness["Bruno"].say("on reste là ?")
    harness.enter("plus loin")
    await harness["Léa"].slash("kems table move")
    await table.settle()
    assert len(channel.threads) == 1, "it leads to the table"
    await table.after(harness["Léa"].agree("kems table end"))
    await harness.advance(10)
    assert [each.id for each in channel.threads] == ([thread.id] if has_chatted else [])
    if has_chatted:
        assert [seen.text for seen in harness["Bruno"].messages(thread.id)] == ["on reste là ?"]


async def test_no_empty_thread_stays_when_a_move_was_not_saved(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harness["Bruno"].slash("kems start")
    harness.enter("ailleurs")

    async def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(harness.bot.rooms.directory, "move", fail)
    await harness["Bruno"].slash("kems table move", thread=True)
    await harness.advance(2)
    assert [*harness.channel.threads] == []
