"""What the buttons of a night do for the person who presses them."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.conditions import UNKNOWN
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.rounds import Presence
from bot.ui.night import players
from bot.ui.night.players import PlayerPresses
from tests.discord.fakes import SetClock
from tests.ui.night.samples import begun, night_of
from tests.ui.screens.common import AT, HOST

LATE = AT + 60_000


@pytest.mark.parametrize("user_id", [HOST, 7])
async def test_a_person_who_presses_here_is_back_or_joins(user_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "reply_panel", AsyncMock())
    night = begun(night_of(5), AT).mark_absent(0)
    changed: list[Night] = []

    async def update(_night_id: int, change: Any) -> Night:
        changed.append(change(night))
        return changed[-1]

    joining = AsyncMock(return_value=(lambda known: sign_up.join(known, user_id, "Léa", LATE), UNKNOWN))
    nights: Any = Mock(joining=joining, hosts=AsyncMock(return_value=False), live=Mock(update=update))
    pressed: Any = Mock(user=Mock(id=user_id), locale="en-US")
    await PlayerPresses(nights, SetClock(LATE), Mock())._ready(pressed, night, None)
    own = changed[0].entrant_of(user_id)
    assert own is not None
    assert own.presence is Presence.IN
