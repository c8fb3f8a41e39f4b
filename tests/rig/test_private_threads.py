"""Private threads: where the bot is missing no table opens, and a table from which it was taken waits for it."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.discord.api.custom_ids import make_id
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.verbs import TableVerb
from tests.rig.players import Group, Player, groups, offers
from tests.rig.rig import Rig, running
from tests.rig.small_client import TOKEN
from tests.rig.test_interrupted import PACE, PEOPLE, call, hunting, stored
from tests.seen import Seen

PAUSED = "plus personne ne pouvait jouer ici"


async def private_thread(rig: Rig) -> int:
    """A private thread of all people, without the bot."""
    lea, *others = rig.remote.users.values()
    made = {"channel": rig.remote.channel_id, "user": lea, "name": "entre nous", "is_private": True}
    thread: int = rig.remote.moderator.open_thread(**made)
    for user in others:
        rig.remote.moderator.add_to_thread(thread=thread, user=user)
    return thread


async def change_bot(rig: Rig, thread: int, *, present: bool) -> None:
    rig.remote.moderator.add_to_thread(thread=thread, user=rig.remote.bot_id, present=present)


async def asks_to_be_added(rig: Rig, thread: int, message: Seen | None, asked: str) -> None:
    """Press a button of a message, or run a command in the thread; the answer says how to add the bot."""
    lea, before, answers = rig.remote.users["Léa"], stored(rig, "id, channel_id"), list[str]()
    said = f"<#{thread}> : mentionnez-y <@{rig.remote.bot_id}>"

    async def ask() -> None:
        if message is None:
            outcome = await rig.remote.slash(lea, asked, thread)
        else:
            outcome = await rig.remote.press(lea, message, asked)
        assert stored(rig, "id, channel_id") == before
        assert outcome.answer.ephemeral
        answers.append(outcome.answer.text)

    await rig.remote.insist(ask, lambda: said in answers[-1], said)


async def greeting(rig: Rig, thread: int) -> Seen:
    """A message of the bot with the button that starts a match with robots."""
    button = {"type": 2, "style": 3, "label": "Jouer", "custom_id": make_id(0, TableVerb.PLAY)}
    body = {"components": [{"type": 1, "components": [button]}], "flags": 1 << 15}
    url = f"http://{rig.remote.discord.address}/api/v10/channels/{thread}/messages"
    async with aiohttp.ClientSession(headers=TOKEN) as session, session.post(url, json=body) as answer:
        posted = int((await answer.json())["id"])
    await rig.remote.until(lambda: posted in rig.remote.messages, "the greeting")
    return rig.remote.messages[posted]


async def with_board(
    rig: Rig, group: Group, verb: str, channel: int, bring: Callable[[], Awaitable[object]] | None = None
) -> Seen:
    """The group's message once it is in that channel and offers something; `bring` is what brings it there."""

    def is_there() -> bool:
        group.look_around()
        board = group.board()
        return board is not None and board.channel_id == channel and verb in offers(board, group.table_id)

    if bring is None:
        await rig.remote.until(is_there, f"{verb} in {channel}")
    else:
        await rig.remote.insist(bring, is_there, f"{verb} in {channel}")
    board = group.board()
    assert board is not None
    return board


async def put_down(player: Player, is_so: Callable[[], bool], what: str) -> None:
    await player.remote.insist(lambda: player.press_on(player.panel(), TableVerb.PUT), is_so, what)


async def put_down_unseen(player: Player, told: str) -> None:
    """Put a card down, and read on the panel that nobody sees it."""
    await put_down(player, lambda: told in str(player.panel()), told)


async def play_on(player: Player) -> None:
    """Resume the match, and exchange a card."""
    group, remote = player.group, player.remote

    def can(verb: str) -> bool:
        return verb in offers(player.panel(), group.table_id)

    await remote.insist(
        lambda: group.host.press_on(group.board(), TableVerb.RESUME),
        lambda: TableVerb.KEMS in offers(group.board(), group.table_id),
        "a match that goes on",
    )
    await remote.until(lambda: can(TableVerb.PUT), f"a hand that {player.name} can play")
    if not can(TableVerb.TAKE):  # the pause was quicker than the press
        await put_down(player, lambda: can(TableVerb.TAKE), "a card to take")
    await player.press_first(TableVerb.TAKE)


async def test_no_table_opens_in_a_private_thread_without_the_bot(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as rig:
        await rig.start()
        thread, around = await private_thread(rig), rig.remote.channel_id
        (group,) = groups(rig.remote, [4], seed=1)
        lea = group.host.user
        await asks_to_be_added(rig, thread, None, "kems start")
        await with_board(
            rig, group, LobbyVerb.JOIN, around, lambda: rig.remote.slash(lea, "kems start", thread="False")
        )
        await asks_to_be_added(rig, thread, None, "kems table move")
        await change_bot(rig, thread, present=True)
        welcome = await greeting(rig, thread)
        await change_bot(rig, thread, present=False)
        await asks_to_be_added(rig, thread, welcome, make_id(0, TableVerb.PLAY))
        await change_bot(rig, thread, present=True)
        await with_board(rig, group, LobbyVerb.JOIN, thread, lambda: rig.remote.slash(lea, "kems table move", thread))
        await rig.remote.insist(
            lambda: rig.remote.press(lea, welcome, make_id(0, TableVerb.PLAY)),
            lambda: len(stored(rig, "id, channel_id")) > 1,
            "a table of the quick start",
        )
        assert [place for _, place in stored(rig, "id, channel_id")] == [thread, thread]


async def test_a_lobby_that_nobody_started_opens_again_in_a_thread_with_the_bot(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, lobby_minutes=1) as rig:
        await rig.start()
        thread = await private_thread(rig)
        await change_bot(rig, thread, present=True)
        (group,) = groups(rig.remote, [4], seed=1)
        lea = group.host.user
        await with_board(rig, group, LobbyVerb.JOIN, thread, lambda: rig.remote.slash(lea, "kems start", thread))
        await rig.kill()
        with closing(sqlite3.connect(rig.database)) as database, database:
            database.execute("UPDATE tables SET closes_at = 1")
        await rig.start()
        expired = await with_board(rig, group, LobbyVerb.REOPEN, thread)
        await change_bot(rig, thread, present=False)
        await asks_to_be_added(rig, thread, expired, make_id(group.table_id, LobbyVerb.REOPEN))
        await change_bot(rig, thread, present=True)
        reopen = make_id(group.table_id, LobbyVerb.REOPEN)
        await with_board(rig, group, LobbyVerb.JOIN, thread, lambda: rig.remote.press(lea, expired, reopen))


@pytest.mark.slow
async def test_a_match_waits_for_a_bot_that_was_taken_out_of_its_thread(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        group = await hunting(rig, target="1")
        thread = await private_thread(rig)
        await change_bot(rig, thread, present=True)
        lea = group.host.user
        await with_board(rig, group, TableVerb.HAND, thread, lambda: rig.remote.slash(lea, "kems table move", thread))
        for player, is_away in zip(group.members, (False, True), strict=False):
            await player.open_hand()
            if is_away:  # the next bot has never heard of the thread
                await rig.kill()
            await change_bot(rig, thread, present=False)
            if is_away:
                await rig.start()
            await put_down_unseen(player, f"<#{thread}>. Si c'est un fil privé, mentionnez-y <@{rig.remote.bot_id}>")
            await change_bot(rig, thread, present=True)
            board = await with_board(rig, group, TableVerb.RESUME, thread)
            assert PAUSED in board.text
            await play_on(player)
        await call(group)
        over = await with_board(rig, group, TableVerb.REMATCH, thread)
        await change_bot(rig, thread, present=False)
        await asks_to_be_added(rig, thread, over, make_id(group.table_id, TableVerb.REMATCH))
        await change_bot(rig, thread, present=True)
        for player in group.members:
            await rig.remote.press(player.user, over, make_id(group.table_id, TableVerb.REMATCH))
        former = group.table_id
        await with_board(rig, group, TableVerb.SIGN_PANEL, thread)
        assert group.table_id > former
