"""What a person chooses about themselves is saved as they said it."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.ui.privacy import feature
from bot.ui.privacy.feature import PrivacyCommands


@pytest.mark.parametrize("shown", [False, True])
async def test_a_person_is_shown_as_they_choose(shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = AsyncMock()
    monkeypatch.setattr(feature, "reply", reply)
    data: Any = Mock(hide=AsyncMock(), show_avatar=AsyncMock())
    pressed: Any = Mock(guild_id=1, user=Mock(id=7, display_name="Léa"), locale="en-US")
    commands = PrivacyCommands(data, Mock())
    for name in ("boards", "avatar"):
        await getattr(PrivacyCommands, name).callback.__wrapped__(commands, pressed, shown)
    data.hide.assert_called_once_with(1, 7, "Léa", is_hidden=not shown)
    data.show_avatar.assert_called_once_with(1, 7, "Léa", is_shown=shown)
    boards, avatar = (call.args[1] for call in reply.call_args_list)
    assert ("do not" in boards, "initials" in avatar) == (not shown, not shown)
