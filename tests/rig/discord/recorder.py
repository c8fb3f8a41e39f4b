"""Examines every request of a bot, and keeps what was wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tests.rig.discord.body_checks import body_faults
from tests.rig.discord.component_checks import UNKNOWN_FIELD, Fault
from tests.rig.discord.objects import COMPONENTS_V2, Message
from tests.rig.discord.routing import ROUTES, Call, shape_of
from tests.rig.discord.world import World

_MOST_KEPT: Final = 1_000


class Recorder:
    """Counts requests by route. ``violations`` are sentences: the route, the place in the body, what is wrong there."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.violations: list[str] = []

    def examine_recorded(self, method: str, path: str, body: Any, reason: str | None) -> None:
        """Examine a request that was made elsewhere, of a message about which nothing else is known."""
        shape, ids = shape_of(path)
        self.examine(None, Call(method, path, shape, ids, body, reason=reason), is_known=(method, shape) in ROUTES)

    def examine(self, world: World | None, call: Call, *, is_known: bool = True) -> list[Fault]:
        """What Discord would refuse a request for. All that is wrong is kept; fields unknown to Discord it ignores."""
        name = f"{call.method} {call.shape}"
        self.requests[name] += 1
        if not is_known:
            self._keep(f"{name}: there is no such route")
            return []
        message = None if world is None else _edited(world, call)
        faults = body_faults(call, was_v2=message is not None and bool(message.flags & COMPONENTS_V2))
        for path, code, text in faults:
            self._keep(f"{name}: {'.'.join(map(str, path))}: {code}: {text}")
        return [fault for fault in faults if fault[1] != UNKNOWN_FIELD]

    def _keep(self, violation: str) -> None:
        if len(self.violations) < _MOST_KEPT:
            self.violations.append(violation)


def _edited(world: World, call: Call) -> Message | None:
    """The message that a request would change, if there is one."""
    if (call.method, call.shape) == ("PATCH", "channels/*/messages/*"):
        channel = world.channels.get(call.number(0))
        return None if channel is None else channel.messages.get(call.number(1))
    if call.shape == "interactions/*/*/callback":
        interaction = world.interactions.get(call.number(0))
        return None if interaction is None else interaction.source
    if (call.method, call.shape) == ("PATCH", "webhooks/*/*/messages/*"):
        interaction = world.by_token.get(call.ids[1])
        return None if interaction is None else interaction.original
    return None
