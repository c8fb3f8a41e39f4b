"""Whose gestures are shown on a panel before all else."""

from typing import Any
from unittest.mock import Mock

import pytest

from bot.discord.rate_limits.throttling import Urgency
from bot.game.events import GestureMade
from bot.game.signs import GestureKind
from bot.ui.table.messages.ephemeral_panels import EphemeralPanels


@pytest.mark.parametrize(("seat", "urgency"), [(2, Urgency.GESTURE), (1, Urgency.CHANGE), (0, Urgency.CHANGE)])
def test_a_partners_gesture_is_urgent_and_an_opponents_is_a_change(seat: int, urgency: Urgency) -> None:
    panels: Any = Mock(memory=Mock(is_fresh=lambda *_: True))
    panel: Any = Mock(state=Mock(seat=0))
    panel.state.table.player_view.return_value.partners = (2,)
    made = GestureMade(0, seat, GestureKind.REACT, "👀")
    assert EphemeralPanels._urgency(panels, panel, [made], is_turn=False) is urgency
