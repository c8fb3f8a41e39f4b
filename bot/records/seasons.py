"""What the face asks of the ladder and the archive: Protocols, and the values that they give. Instants in milliseconds.

Every method raises StoreError when the store could not do its work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.ladder.seasons import Season
from bot.ladder.setup import Setup


class SeasonStore(Protocol):
    """The seasons of each server, and what it has chosen for its ladder."""

    async def setup(self, guild_id: int) -> Setup:
        """What the server has chosen, or the defaults."""

    async def choose(self, guild_id: int, change: Callable[[Setup], Setup], at: int) -> Setup:
        """Save what `change` makes of the server's choice; gives what holds now. Two changes never overlap.

        Another schedule moves the end of the running season.
        """

    async def running(self, guild_id: int, at: int) -> Season | None:
        """The season that holds the instant."""

    async def listed(self, guild_id: int) -> tuple[Season, ...]:
        """The seasons that matches were played in, and the running one if it was begun by hand; youngest first."""

    async def start(self, guild_id: int, at: int, name: str | None) -> Season | None:
        """Begin a season by hand; None while one is running."""

    async def end(self, guild_id: int, at: int) -> Season | None:
        """End the running season; None between seasons."""

    async def rename(self, guild_id: int, at: int, name: str | None) -> Season | None:
        """Name the running season; None between seasons."""


class VoidCode(StrEnum):
    """What came of declaring a match void."""

    VOIDED = "voided"
    NO_MATCH = "no_match"
    ALREADY_VOID = "already_void"


class Recount(Protocol):
    async def void(self, guild_id: int, table_id: int, *, by_id: int, reason: str, at: int) -> VoidCode:
        """Declare a finished match of a server void: everything is counted again as if it had never been played."""


@dataclass(frozen=True, slots=True)
class Champion:
    """Somebody who has a server's role for the best of a season from us."""

    guild_id: int
    user_id: int
    role_id: int


class ChampionStore(Protocol):
    """Who has which role from us, so that it can be taken back; one role each in a server."""

    async def of_server(self, guild_id: int) -> tuple[Champion, ...]:
        """Those of a server."""

    async def of_person(self, user_id: int) -> tuple[Champion, ...]:
        """What somebody has in all servers."""

    async def add(self, champion: Champion) -> bool:
        """Somebody is being given the role; False for who never played there, or was forgotten at this moment."""

    async def remove(self, champion: Champion) -> None:
        """It was taken from somebody."""
