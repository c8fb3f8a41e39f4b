"""A host leaves the server, a moderator gives the bot a timeout: over sockets, by real clocks."""

from pathlib import Path

from bot.ui.table.verbs import DepartureVerb
from tests.rig.test_rig import lobby, press

TIMEOUT_S = 3.0


async def test_a_lobby_goes_on_without_its_host_who_has_left(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        remote = rig.remote
        assert await press(rig, group, "Bruno", "join") == "update"
        remote.moderator.remove_member(guild=remote.guild_id, user=remote.users["Léa"])
        assert await press(rig, group, "Bruno", "start:fill") == "update"
        assert not rig.logged("members.unknown"), "Discord was asked by the shard's connection"


async def test_a_table_comes_back_after_a_timeout_of_the_bot(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        remote = rig.remote
        board = group.board()
        assert board is not None
        assert await press(rig, group, "Bruno", "join") == "update"
        asked = await remote.slash(remote.users["Bruno"], "kems leave")
        leaving = next(c.custom_id for c in asked.answer.controls if f":{DepartureVerb.LEAVE_NOW}:" in c.custom_id)
        remote.moderator.time_out(guild=remote.guild_id, user=remote.bot_id, seconds=TIMEOUT_S)
        remote.moderator.delete_message(channel=board.channel_id, message=board.id)
        await remote.press(remote.users["Bruno"], asked.answer, leaving)
        await remote.until(lambda: bool(rig.logged("message.unseen")), "the note that it is not seen")
        await remote.until(lambda: bool(rig.logged("message.seen_again")), "the note that it is seen again", 15)
        assert "Bruno" not in group.board().text
