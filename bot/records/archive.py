"""What is over: matches move by move, their shared rounds, and nights.

Every method raises StoreError if the store fails.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.game.events import Event
from bot.nights.night import Night
from bot.records.pictures import Theme
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that was played to its end: its players by seat, robots with their level, and its whole log.

    An erased player has no name. Without events the log was deleted, and with it all names.
    """

    table_id: int
    theme: Theme
    people: tuple[Player, ...]
    events: tuple[Event, ...]

    @property
    def handovers(self) -> tuple[tuple[int, ...], ...]:
        """By seat, when others started and stopped to play in its player's place."""
        return tuple(player.handover_times for player in self.people)


class Archive(Protocol):
    """Reads finished matches."""

    async def read(self, table_id: int) -> PastMatch | None:
        """Return a match that was played to its end; None if there is no such match."""


@dataclass(frozen=True, slots=True)
class SharedRound:
    """A round of a finished match, shared in a channel."""

    table_id: int
    round: int
    channel_id: int


class SharedRounds(Protocol):
    """Stores which message shows a shared round."""

    async def message_of(self, shared: SharedRound) -> int | None:
        """Return the id of the message that shows the round; None before it is shared."""

    async def save(self, shared: SharedRound, message_id: int) -> None:
        """Save the message that shows the round, in place of an earlier one."""


class NightRecords(Protocol):
    """Reads nights that are over."""

    async def night(self, guild_id: int, night_id: int) -> Night | None:
        """Return a night of a server by its id."""

    async def past(self, guild_id: int, most: int) -> tuple[Night, ...]:
        """Return at most `most` nights of a server that are over or cancelled, latest first."""

    async def between(self, guild_id: int, first: int, until: int) -> tuple[Night, ...]:
        """Return the nights of a server that were to begin in a period and are over or cancelled, oldest first.

        `until` is exclusive.
        """

    async def of_person(self, guild_id: int, user_id: int, most: int) -> tuple[Night, ...]:
        """Return at most `most` finished nights of a server for which a person had signed up, latest first."""
