"""What keeps a plan of a night from being published."""

from dataclasses import replace
from typing import Any, Final
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.nights.plan import NightPlan
from bot.tables.servers.settings import ServerSettings
from bot.ui.night.plan.plan_presses import LATEST_MS, PlanPresses
from tests.discord.fakes import SetClock
from tests.ui.night.samples import CHANNEL, plan_of
from tests.ui.screens.common import AT

NOW: Final = AT - 1
CLOSED, GONE = 98, 99


def pressed() -> Any:
    """A press in the channel of the night; its presser may read in another, and not write."""
    everything, reading = discord.Permissions.all(), discord.Permissions(view_channel=True)
    guild = Mock(discord.Guild, me=Mock(is_timed_out=lambda: False))
    channels = {
        number: Mock(discord.TextChannel, id=number, guild=guild, mention=f"<#{number}>", is_news=lambda: False)
        for number in (CHANNEL, CLOSED)
    }
    for number, channel in channels.items():
        channel.permissions_for = lambda who, number=number: (
            reading if number == CLOSED and who is not guild.me else everything
        )
    guild.get_channel = guild.get_channel_or_thread = channels.get
    user = Mock(discord.Member, id=1)
    here = {"channel_id": CHANNEL, "channel": channels[CHANNEL], "permissions": everything}
    return Mock(guild=guild, user=user, locale="en-US", **here)


async def check(plan: NightPlan, settings: ServerSettings) -> None:
    rooms = Mock(clock=SetClock(NOW), defaults=Mock(of=AsyncMock(return_value=settings)))
    await PlanPresses(rooms, Mock())._check(pressed(), plan)


async def test_a_plan_may_start_now_and_within_a_year() -> None:
    for starts_at in (NOW + 1, NOW + LATEST_MS):
        await check(plan_of(starts_at=starts_at), ServerSettings())


@pytest.mark.parametrize(
    ("changes", "table_channels", "said"),
    [
        ({"starts_at": NOW}, (), "That time has passed"),
        ({"starts_at": NOW + LATEST_MS + 1}, (), "more than a year away"),
        ({"sign_up_until": NOW}, (), "The sign-up would already be over"),
        ({}, (CLOSED, GONE), f"No table may be opened there: choose <#{CLOSED}>."),
        ({}, (GONE,), "are gone"),
        ({"channel_id": GONE}, (), "Choose a text channel"),
        ({"channel_id": CLOSED}, (), f"You may not write in <#{CLOSED}>"),
        ({"announce_id": CLOSED}, (), f"You may not write in <#{CLOSED}>"),
    ],
)
async def test_a_plan_is_refused_with_its_reason(
    changes: dict[str, int], table_channels: tuple[int, ...], said: str
) -> None:
    with pytest.raises(RefusedError, match=said):
        await check(replace(plan_of(), **changes), ServerSettings(table_channels=table_channels))
