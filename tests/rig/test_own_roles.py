"""The bot is given a role: what it lacked a permission for is done."""

import asyncio
from pathlib import Path

from bot.sandbox.discord.permissions import VIEW_CHANNEL
from bot.ui.table.verbs import DepartureVerb
from tests.rig.test_rig import lobby, press


async def test_a_table_comes_back_when_the_bot_is_given_a_role(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        remote, guild = rig.remote, rig.remote.guild_id
        board = group.board()
        assert board is not None
        assert await press(rig, group, "Bruno", "join") == "update"
        bruno = remote.users["Bruno"]
        own = remote.moderator.bot_role(guild=guild)
        guest = remote.moderator.add_role(guild=guild, name="guest of the players")
        remote.moderator.allow(channel=remote.channel_id, who=own, denied=VIEW_CHANNEL)
        remote.moderator.allow(channel=remote.channel_id, who=guest, allowed=VIEW_CHANNEL)
        asked = await remote.slash(bruno, "kems leave")
        leaving = next(c.custom_id for c in asked.answer.controls if f":{DepartureVerb.LEAVE_NOW}:" in c.custom_id)
        await remote.press(bruno, asked.answer, leaving)
        await remote.until(lambda: bool(rig.logged("message.unseen")), "the note that it is not seen")
        await asyncio.sleep(1)  # nothing is left to be written by then

        def shows_who_left() -> bool:
            return "Bruno" not in remote.messages[board.id].text

        assert not shows_who_left()
        remote.moderator.give_role(guild=guild, user=remote.bot_id, role=guest)
        await remote.until(shows_who_left, "the board without Bruno")
        await remote.until(lambda: bool(rig.logged("message.seen_again")), "the note that it is seen again")
        assert remote.air.invalid == {"403/50001": 1}
