"""What is read of interactions and messages."""

from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.discord.api.interactions import is_private


@pytest.mark.parametrize(("flags", "expected"), [(64, True), (0, False), ([64], False), (None, False)])
def test_only_a_message_with_the_flag_is_ephemeral(flags: Any, *, expected: bool) -> None:
    message = Mock(discord.Message, flags=discord.MessageFlags._from_value(flags))
    assert is_private(message) is expected
    assert not is_private(None)
