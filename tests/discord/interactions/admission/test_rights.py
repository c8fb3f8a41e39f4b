"""Who may do what at a table: each right alone, with everything but that right."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.discord.interactions.admission.rights import (
    check_manages_server,
    has_role,
    is_public,
    manages_server,
    may_decide,
    may_kick,
    may_see,
    may_see_night,
    moderates,
    plans_nights,
)
from bot.nights.night import Night
from bot.nights.rounds import Presence
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import FormerMessage
from bot.tables.servers.settings import ServerSettings
from tests.nights.evenings import planned
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


def test_only_members_with_manage_server_manage_the_server() -> None:
    assert manages_server(Press(at=MANAGES_SERVER).made())
    assert not manages_server(Press(at=MANAGES_MESSAGES).made())
    check_manages_server(Press(at=MANAGES_SERVER).made())
    press = Press(at=MANAGES_MESSAGES).made()
    press.locale, press.extras = "en-US", {}
    with pytest.raises(RefusedError, match="Only admins"):
        check_manages_server(press)


def test_a_host_without_a_seat_and_invited_members_see_their_table() -> None:
    left = replace(table(), players=(None, *table().players[1:]))
    assert left.seat_of(HOST) is None
    assert may_see(Press(HOST).made(), left)
    assert may_see(Press().made(), replace(table(), invited=(STRANGER,)))


def test_a_former_member_has_no_role_and_the_permissions_that_discord_sent() -> None:
    gone = Press(there=MANAGES_MESSAGES).made()
    gone.user = Mock(spec=discord.User, id=STRANGER)
    assert not moderates(gone, table())
    assert not has_role(gone, 70)
    member = Press().made()
    member.user.get_role.side_effect = {70: object()}.get
    assert [has_role(member, role) for role in (70, 71, None)] == [True, False, False]


def seen_by(press: Press, night: Night) -> bool:
    return may_see_night(press.made(), replace(night, guild_id=GUILD, host_id=HOST))


def test_a_night_is_visible_to_its_host_and_participants_and_in_its_channels() -> None:
    night = planned(2, channel_id=CHANNEL, announce_id=ELSEWHERE + 1)
    gone = replace(night, entrants=tuple(replace(one, presence=Presence.OUT) for one in night.entrants))
    (user, *_) = [one.user_id for one in night.entrants]
    assert user is not None
    assert seen_by(Press(HOST), night)
    assert seen_by(Press(user), night)
    assert not seen_by(Press(user), gone)
    assert not seen_by(Press(), night)
    assert seen_by(Press(there=SEES), night)
    assert not seen_by(Press(HOST, there=SEES, guild=11), night)
    announced_here = planned(2, channel_id=CHANNEL + 1, announce_id=CHANNEL)
    assert seen_by(Press(is_here=True), announced_here)


@together(
    ("channels", "counts_hidden", "public"),
    [
        ({1: True, 2: True}, False, True),
        ({1: True, 2: False}, False, False),
        ({1: False, 2: True}, False, False),
        ({1: True}, False, False),
        ({}, False, False),
        ({1: False, 2: False}, True, True),
    ],
)
def test_a_night_is_public_when_everybody_sees_its_channels(
    channels: dict[int, bool], counts_hidden: bool, public: bool
) -> None:
    """`channels`: whether @everyone sees them; those that are missing are gone."""

    def channel(number: int) -> Any:
        if number not in channels:
            return None
        shown = Mock(spec=discord.TextChannel)
        shown.permissions_for.side_effect = {shown.guild.default_role: SEES if channels[number] else NOTHING}.get
        return shown

    guild, settings = Mock(spec=discord.Guild), replace(ServerSettings(), counts_hidden_nights=counts_hidden)
    guild.get_channel.side_effect = channel
    plan = planned(1, channel_id=1, announce_id=2).plan
    assert is_public(guild, plan, settings) is public
    assert is_public(None, plan, settings) is counts_hidden


async def test_a_night_is_planned_by_managers_and_by_the_role_for_hosts() -> None:
    async def plans(press: Press, role_id: int | None, own: int | None) -> bool:
        made, defaults = press.made(), Mock()
        made.user.get_role.side_effect = lambda number: number if number == own else None
        defaults.of = AsyncMock(return_value=replace(ServerSettings(), hosts_role=role_id))
        return await plans_nights(made, defaults)

    assert await plans(Press(at=MANAGES_SERVER), None, None)
    assert await plans(Press(), 5, 5)
    assert not await plans(Press(), 5, 6)
    assert not await plans(Press(), None, None)


def test_moderators_of_this_channel_moderate_the_tables_of_a_deleted_one() -> None:
    for granted in (MANAGES_MESSAGES, NOTHING):
        made = Press(at=granted).made()
        made.guild.get_channel_or_thread.return_value = None
        assert moderates(made, table()) is granted.manage_messages
        assert may_see(made, table()) is granted.manage_messages


def test_a_table_is_visible_in_the_channel_of_its_lobby_and_to_invited_members() -> None:
    moved = replace(table(), place=replace(table().place, channel_id=CHANNEL + 1, post=FormerMessage(CHANNEL, 9)))
    assert may_see(Press(is_here=True).made(), moved)
    assert may_see(Press(STRANGER).made(), replace(table(), invited=(STRANGER,)))


def test_outside_of_a_server_only_the_people_at_a_table_see_it() -> None:
    made = Press(there=SEES).made()
    made.guild = None
    assert not may_see(made, table())
    made = Press(there=SEES).made()
    made.user = Mock(spec=discord.User, id=STRANGER)
    assert not may_see(made, table())
    made.user.id = PLAYER
    assert may_see(made, table())
