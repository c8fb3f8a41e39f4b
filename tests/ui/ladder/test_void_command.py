"""Which matches the managers of a server may declare void."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.ui.ladder import commands
from bot.ui.ladder.commands import LadderCommands


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (Mock(guild_id=1, void=None), None),
        (Mock(guild_id=1, void=object()), "already"),
        (Mock(guild_id=2, void=None), "There is no"),
        (None, "There is no"),
    ],
)
async def test_only_a_counted_match_of_this_server_can_be_voided(
    match: Any, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply, open_modal = AsyncMock(), AsyncMock()
    monkeypatch.setattr(commands, "reply", reply)
    monkeypatch.setattr(commands, "open_modal", open_modal)
    rooms: Any = Mock(store=Mock(history=Mock(match=AsyncMock(return_value=match))))
    pressed: Any = Mock(guild_id=1, user=Mock(id=7), locale="en-US")
    await LadderCommands.void.callback.__wrapped__(LadderCommands(rooms, Mock()), pressed, 12)
    assert open_modal.called is (said is None)
    assert said is None or said in reply.call_args.args[1]
