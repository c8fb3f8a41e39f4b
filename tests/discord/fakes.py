"""What several tests of messages need of Discord, and a clock that is set."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import discord

_KINDS: Final = {403: discord.Forbidden, 404: discord.NotFound}


def refused(status: int, code: int = 0, message: str = "") -> discord.HTTPException:
    """Discord's refusal of a request, as discord.py raises it."""
    response: Any = SimpleNamespace(status=status, reason="")
    return _KINDS.get(status, discord.HTTPException)(response, {"code": code, "message": message})


@dataclass
class SetClock:
    at: int = 0

    def now(self) -> int:
        return self.at
