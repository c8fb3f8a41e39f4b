"""Players who exchange as quickly as answers come: how many of their presses die?

Discord checks a press against the buttons that the panel has when it arrives, and the bot never hears of one that has
gone (https://github.com/discord/discord-api-docs/issues/5943).
"""

import asyncio
import random
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.sandbox.discord.objects import Message
from bot.sandbox.discord.people import Refused
from tests.bench.figures import Figure, Part, at_most
from tests.rig.assumptions import Assumptions
from tests.rig.crowd import Crowd, Place, bot_at, crowd, uncollected
from tests.rig.load import THINKS_S, WEATHER
from tests.rig.runs import in_folder

LATENCIES_MS: Final = (80, 250)
"""From players to Discord and back."""
_KEPT: Final = 16


class Screens:
    """What members' clients show: each message as Discord had it a while ago."""

    def __init__(self, town: Crowd) -> None:
        self._shown: dict[int, deque[tuple[float, list[Any]]]] = defaultdict(lambda: deque(maxlen=_KEPT))
        town.discord.world.followers.append(self._note)

    def _note(self, message: Message, _gone: bool) -> None:
        if message.is_ephemeral:
            self._shown[message.id].append((time.monotonic(), message.components))

    def of(self, message: Message, seconds_ago: float) -> Message:
        until = time.monotonic() - seconds_ago
        past = [components for at, components in self._shown[message.id] if at <= until]
        return replace(message, components=past[-1]) if past else message


@dataclass
class Presses:
    """Those that were `made`, and how many of them died."""

    made: int = 0
    died: int = 0

    @property
    def share(self) -> float:
        """In percent."""
        return 100 * self.died / max(1, self.made)


def bench_quick_players(tables: int = 4, seconds: float = 40.0, latencies: Sequence[int] = LATENCIES_MS) -> Part:
    part = Part(
        "Quick players",
        "Four at each table press 0.1 to 0.3 s after each answer, 60 to 120 ms from the bot to Discord and back."
        " A press dies whose button has gone when it arrives.",
    )
    for latency, presses in in_folder(_play, tables, seconds, latencies).items():
        name = f"{latency} ms from Discord: presses that die"
        part.figures.append(Figure(name, "%", (presses.share,), target=at_most(2)))
        part.notes.append(f"{latency} ms: {presses.died} of {presses.made} presses died")
    return part


async def _play(folder: Path, tables: int, seconds: float, latencies: Sequence[int]) -> dict[int, Presses]:
    found = {latency: Presses() for latency in latencies}
    async with crowd(tables, Assumptions(blocks_buttons=True)) as town, bot_at(town, folder):
        screens = Screens(town)
        await town.open_tables(tables)
        town.air.change(WEATHER)
        for latency, presses in found.items():
            until = time.monotonic() + seconds
            with uncollected():
                await asyncio.gather(
                    *(
                        _exchange(town, screens, place, user, latency / 1000, until, presses)
                        for place in town.places
                        for user in place.users
                    )
                )
    return found


async def _exchange(
    town: Crowd, screens: Screens, place: Place, user: int, latency: float, until: float, presses: Presses
) -> None:
    rng, panel = random.Random(user), place.panels[user]
    while time.monotonic() < until:
        await asyncio.sleep(rng.uniform(*THINKS_S))
        shown = screens.of(panel, latency / 2)
        if (chosen := town.owed(shown) or town.harmless(shown)) is None:
            await town.revive(place)  # unless the next round has begun
            continue
        await asyncio.sleep(latency / 2)
        presses.made += 1
        try:
            asked = town.discord.people.press(user, shown.channel_id, shown.id, chosen, ())
        except Refused:
            presses.died += 1
        else:
            await town.answer_to(asked)
        await asyncio.sleep(latency / 2)
