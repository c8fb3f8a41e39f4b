"""The bot dies at a chosen moment, between two things that belong together; the next one makes up for it."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.game.events import Event
from bot.ui.table.verbs import TableVerb
from tests.rig.air import Weather
from tests.rig.evidence import read_running
from tests.rig.players import Group, groups, offers
from tests.rig.rig import Rig, running
from tests.seen import Seen

PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
AUTO_OPEN_S = 3
PACE = {"auto_open": 1, "auto_next": 0, "sign_deadline": 10}


async def hunting(rig: Rig, **options: str) -> Group:
    """A group whose first hunt is open, and in which nobody does anything unasked."""
    await rig.start()
    calm = {"rules": "classic three_alike=allowed"}  # the cards come as they will: no put-down may end the round
    (group,) = groups(rig.remote, [4], seed=1, **calm, **options)
    for member in group.members:
        member.exchanges = False
    await group.sit_down()
    await group.play_until(TableVerb.KEMS)
    return group


async def call(group: Group) -> None:
    """A Kem's that nobody has, most likely; either way it ends the round."""
    await group.host.press(await group.play_until(TableVerb.KEMS))


async def write_below(rig: Rig, group: Group) -> None:
    board = group.board()
    await rig.remote.say(group.host.user, "Bonne chance !", board.channel_id)


def public(rig: Rig, channel: int) -> list[Seen]:
    """The bot's messages in a channel, oldest first."""
    seen = (m for m in rig.remote.messages.values() if m.viewer_id is None and m.channel_id == channel)
    return sorted((m for m in seen if m.author_id == rig.remote.bot_id), key=lambda m: m.id)


def stored(rig: Rig, columns: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{rig.database}?mode=ro", uri=True)) as database:
        return database.execute(f"SELECT {columns} FROM tables").fetchall()  # noqa: S608 - the tests' own words


@pytest.mark.slow
async def test_a_message_that_was_posted_but_not_saved_is_not_posted_again(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        group = await hunting(rig)
        former = group.board()
        await write_below(rig, group)  # so that the next deal is posted anew
        await call(group)
        await group.members[1].press(await group.play_until(TableVerb.NEXT))
        await group.play_until(TableVerb.KEMS)
        posted = public(rig, former.channel_id)
        assert posted[-1].id > former.id
        await rig.kill()
        with closing(sqlite3.connect(rig.database)) as database, database:  # as if Discord had just taken the message
            database.execute("UPDATE tables SET message_id = ?, message_round = 1", (former.id,))
        await rig.start()
        await asyncio.sleep(1.5)
        again = public(rig, former.channel_id)
        assert [m.id for m in again] == [m.id for m in posted]
        assert [m.text for m in again][:-1] == [m.text for m in posted][:-1]  # the log has stayed as it was
        assert again[-2].controls == ()
        assert (await group.host.press(await group.play_until(TableVerb.HAND))) is not None
        board = group.board()
        assert board.id == again[-1].id


@pytest.mark.slow
async def test_the_old_message_of_a_moved_table_says_so_after_a_crash(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        group = await hunting(rig)
        former = group.board()
        rig.remote.air.change(Weather(errors=1000, where=f"/messages/{former.id}"))  # it can no longer be edited
        await rig.remote.slash(group.host.user, "kems table move", channel=former.channel_id)
        await rig.remote.until(lambda: public(rig, former.channel_id)[-1].id > former.id, "the table's new message")
        same = (former.id, former.id)
        await rig.remote.until(lambda: same not in stored(rig, "message_id, former_message_id"), "the former message")
        await rig.kill()
        assert rig.remote.messages[former.id].controls
        rig.remote.air.change(Weather())
        await rig.start()
        await rig.remote.until(lambda: not rig.remote.messages[former.id].controls, "a former message without buttons")
        present = group.board()
        assert f"/{present.channel_id}/{present.id}" in rig.remote.messages[former.id].text
        left = [(present.id, None)]
        await rig.remote.until(lambda: stored(rig, "message_id, former_message_id") == left, "no former message")
        assert (await group.host.press(await group.play_until(TableVerb.HAND))) is not None


@pytest.mark.slow
async def test_the_end_of_a_match_is_shown_after_a_crash(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        group = await hunting(rig, target="1")
        await group.host.open_hand()
        rig.remote.air.change(Weather(errors=1000, where="/channels/"))  # the result cannot be shown
        kems = offers(group.host.panel(), group.table_id)[TableVerb.KEMS][0]
        await rig.remote.insist(lambda: group.host.press(kems), lambda: "MatchEnded" in kinds(rig), "the end")
        assert TableVerb.REMATCH not in offers(group.board(), group.table_id)
        await rig.kill()
        rig.remote.air.change(Weather())
        await rig.start()
        await group.play_until(TableVerb.REMATCH)
        assert (await group.members[1].press(await group.play_until(TableVerb.REMATCH))) is not None
        await rig.remote.until(lambda: ("over", 1) in stored(rig, "status, is_message_final"), "the note of the end")
        await rig.stop()
        await rig.start()
        assert "tables=0" in rig.logged("tables.restored")[-1], "what has been told is not told again"


def logged(rig: Rig) -> list[Event]:
    (table,) = read_running(rig.database).values()
    return [entry.event for entry in table.log]


def kinds(rig: Rig) -> list[str]:
    return [type(event).__name__ for event in logged(rig)]


@pytest.mark.slow
async def test_no_deadline_falls_due_while_discord_is_out_of_reach(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, auto_open=AUTO_OPEN_S, sign_deadline=10) as rig:
        await rig.start()
        (group,) = groups(rig.remote, [4], seed=1)
        for member in group.members:
            member.exchanges = member.opens_hunts = False
        await group.sit_down()
        await group.play_until(TableVerb.HAND)
        assert kinds(rig)[-1] == "PoolTurnedUp"  # the hunt opens by itself some seconds later
        rig.remote.air.change(Weather(away=True))
        await rig.remote.discord.gateway.drop()
        dealt_at = logged(rig)[-1].at / 1000
        await asyncio.sleep(dealt_at + AUTO_OPEN_S + 1 - time.time())  # now it would have opened
        assert TableVerb.KEMS not in offers(group.board(), group.table_id)
        assert "HuntOpened" not in kinds(rig)
        rig.remote.air.change(Weather())
        await group.play_until(TableVerb.KEMS)
        happened = kinds(rig)
        assert happened.index("MatchPaused") + 1 == happened.index("MatchResumed") < happened.index("HuntOpened")
