"""A server's own emoji is a team's sign: it is typed, shown on buttons, made as a gesture, and deleted in mid-round."""

import asyncio
from pathlib import Path

import pytest

from bot.game.events import GestureMade
from bot.game.signs import GestureKind, emoji_sign, gesture_makes
from bot.ui.table.verbs import TableVerb
from tests.rig.evidence import read_running
from tests.rig.players import Group, Offer, Player, groups, offers
from tests.rig.rig import Rig, running
from tests.rig.test_interrupted import PACE, PEOPLE

APART_S = 1.1
"""Equal gestures within a second count once."""


def gestures(rig: Rig, group: Group) -> list[GestureMade]:
    log = read_running(rig.database)[group.table_id].log
    return [entry.event for entry in log if isinstance(entry.event, GestureMade)]


async def made(rig: Rig, group: Group, kind: GestureKind, emoji: int, count: int) -> None:
    """Wait until the log has so many gestures, the last of which is of this kind, and the sign."""
    await rig.remote.until(lambda: len(gestures(rig, group)) >= count, f"{count} gestures")
    last = gestures(rig, group)[-1]
    assert last.kind is kind
    assert gesture_makes(last.kind, last.text, emoji_sign(f"<:any:{emoji}>"))
    await asyncio.sleep(APART_S)


async def agreed(rig: Rig, group: Group, written: str) -> Player:
    """Two partners settle what one of them types; returns that one."""
    table = read_running(rig.database)[group.table_id]
    state, seats = table.state(), {user: seat for seat, user in table.seats.items()}
    team = [member for member in group.members if state.team_of(seats[member.user]) == 0]
    board = group.board()
    assert board is not None
    for member in team:
        await member.press(offers(board, group.table_id)[TableVerb.SIGN_PANEL][0])
    form = await team[0].press_first(TableVerb.OTHER)
    assert form is not None
    assert (await rig.remote.submit(team[0].user, form, written)).kind == "update"
    await rig.remote.until(lambda: "<:sign:" in str(team[0].panel()), "what was proposed")
    await team[1].press(offers(board, group.table_id)[TableVerb.SIGN_PANEL][0])
    accepted = await team[1].press_first(TableVerb.ACCEPT)
    assert accepted.kind == "update"
    return team[0]


@pytest.mark.slow
async def test_an_emoji_of_a_server_can_be_a_sign(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        remote = rig.remote
        await rig.start()
        emoji = remote.moderator.add_emoji(guild=remote.guild_id, name="clover")
        (group,) = groups(remote, [4], seed=1, rules="classic three_alike=allowed")
        for member in group.members:
            member.exchanges = False
        await group.sit_down()
        player = await agreed(rig, group, f"<:clover:{emoji}>")
        await group.play_until(TableVerb.KEMS)
        await player.open_hand()
        board = group.board()
        assert board is not None

        def gesture() -> Offer:
            return next(
                o for o in offers(player.panel(), group.table_id)[TableVerb.GESTURE] if str(emoji) in o.custom_id
            )

        def label() -> str:
            control = gesture().message.control(gesture().custom_id)
            return control.label

        assert label() == "sign", "it is the emoji alone, called so by the bot"
        before = len(gestures(rig, group))
        await player.press(gesture())
        await made(rig, group, GestureKind.POST, emoji, before + 1)
        await remote.react(player.user, board, f"clover:{emoji}")
        await made(rig, group, GestureKind.REACT, emoji, before + 2)
        await remote.say(player.user, f"<@{remote.bot_id}> <:clover:{emoji}>", board.channel_id)
        await made(rig, group, GestureKind.POST, emoji, before + 3)
        for with_ping in (False, True):  # without its ping a reply's text is hidden from the bot
            text, place = f"<:clover:{emoji}>", board.channel_id
            await remote.say(player.user, text, place, reply_to=board.id, with_ping=with_ping)
        await made(rig, group, GestureKind.POST, emoji, before + 4)
        assert remote.air.invalid == {}

        remote.moderator.delete_emoji(emoji=emoji, is_told=False)
        for _ in range(3):
            outcome = await player.open_hand()
            assert outcome.is_answered
            assert label() == ":clover:"
        assert remote.air.invalid == {"400/50035": 1}, "it was tried once"
        assert len(rig.logged("emojis.refused")) == 1
        remote.moderator.add_emoji(guild=remote.guild_id, name="other")  # now the bot hears of it
        await player.press(gesture())
        await made(rig, group, GestureKind.POST, emoji, before + 5)
        assert len(gestures(rig, group)) == before + 5
        assert remote.air.invalid == {"400/50035": 1}
