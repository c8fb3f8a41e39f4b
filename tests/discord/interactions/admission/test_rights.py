"""Who may do what at a table: each right alone, with everything but that right."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.discord.interactions.admission.rights import manages_server, may_decide, may_kick, may_see, moderates
from bot.tables.lobby.lobby import Lobby
from tests.store.matches import lobby
from tests.together import together

HOST, PLAYER, STRANGER = 1, 2, 3
GUILD, CHANNEL, ELSEWHERE = 10, 20, 30
NOTHING = discord.Permissions.none()
SEES, MANAGES_MESSAGES = discord.Permissions(view_channel=True), discord.Permissions(manage_messages=True)
MANAGES_THREADS = SEES | discord.Permissions(manage_threads=True)
MANAGES_SERVER = discord.Permissions(manage_guild=True)


def table(*, is_ranked: bool = False) -> Lobby:
    place = replace(lobby().place, guild_id=GUILD, channel_id=CHANNEL, post=None)
    people = tuple(
        replace(player, user_id=number) for number, player in zip((HOST, PLAYER), lobby().players, strict=False)
    )
    return replace(lobby(), place=place, host_id=HOST, players=people, is_ranked=is_ranked, invited=())


@dataclass(frozen=True)
class Press:
    """Made elsewhere, unless it `is_here`. `there` is what the member may do at the table, `at` where they press."""

    by: int = STRANGER
    there: discord.Permissions = NOTHING
    at: discord.Permissions = NOTHING
    guild: int = GUILD
    is_here: bool = False
    thread: bool | None = None
    """Whether the table is in a thread, and that is private."""

    def made(self) -> Any:
        kind = discord.TextChannel if self.thread is None else discord.Thread
        channel = Mock(spec=kind, id=CHANNEL)
        channel.permissions_for.return_value = self.there
        if self.thread is not None:
            channel.is_private.return_value = self.thread
        guild = Mock(spec=discord.Guild, id=self.guild)
        guild.get_channel_or_thread.return_value = channel
        return SimpleNamespace(
            user=Mock(spec=discord.Member, id=self.by),
            guild=guild,
            guild_id=self.guild,
            channel_id=CHANNEL if self.is_here else ELSEWHERE,
            permissions=self.at,
        )


@together(
    ("press", "moderates_it", "decides", "sees"),
    [
        (Press(), False, False, False),
        (Press(HOST), False, True, True),
        (Press(PLAYER), False, False, True),
        (Press(is_here=True), False, False, True),
        (Press(is_here=True, at=MANAGES_MESSAGES), True, True, True),
        (Press(at=MANAGES_MESSAGES), False, False, False),
        (Press(there=MANAGES_MESSAGES), True, True, False),
        (Press(there=SEES), False, False, True),
        (Press(there=SEES, thread=False), False, False, True),
        (Press(there=SEES, thread=True), False, False, False),
        (Press(there=MANAGES_THREADS, thread=True), False, False, True),
        (Press(HOST, there=SEES, guild=11), False, False, False),
        (Press(there=MANAGES_MESSAGES, guild=11, is_here=True, at=MANAGES_MESSAGES), False, False, False),
    ],
)
def test_each_right_at_a_table_lets_the_right_people_act(
    press: Press, moderates_it: bool, decides: bool, sees: bool
) -> None:
    made = press.made()
    assert (moderates(made, table()), may_decide(made, table()), may_see(made, table())) == (
        moderates_it,
        decides,
        sees,
    )


@pytest.mark.parametrize(
    ("press", "is_ranked", "kicks"),
    [
        (Press(HOST), False, True),
        (Press(HOST), True, False),
        (Press(HOST, there=MANAGES_MESSAGES), True, False),
        (Press(there=MANAGES_MESSAGES), True, True),
        (Press(), False, False),
    ],
)
def test_only_a_moderator_without_a_seat_removes_a_player_from_a_ranked_match(
    press: Press, is_ranked: bool, kicks: bool
) -> None:
    assert may_kick(press.made(), table(is_ranked=is_ranked)) is kicks


def test_only_members_with_manage_server_manage_it() -> None:
    assert manages_server(Press(at=MANAGES_SERVER).made())
    assert not manages_server(Press(at=MANAGES_MESSAGES).made())
