"""What is over: matches, move by move; the rounds of them that were shared; and nights.

Every method raises StoreError when the store could not do its work.
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
        return tuple(player.handed_over for player in self.people)


class Archive(Protocol):
    async def read(self, table_id: int) -> PastMatch | None:
        """A match that was played to its end; None if there is no such match."""


@dataclass(frozen=True, slots=True)
class SharedRound:
    table_id: int
    round: int
    channel_id: int


class SharedRounds(Protocol):
    async def message_of(self, shared: SharedRound) -> int | None:
        """The id of the message that shows it; None before it is shared."""

    async def keep(self, shared: SharedRound, message_id: int) -> None:
        """Save that it was shared; a later message takes the place of an earlier one."""


class NightRecords(Protocol):
    async def night(self, guild_id: int, night_id: int) -> Night | None:
        """A night of a server, by its id."""

    async def past(self, guild_id: int, most: int) -> tuple[Night, ...]:
        """At most `most` nights of a server that are over or cancelled, the latest first."""

    async def between(self, guild_id: int, first: int, until: int) -> tuple[Night, ...]:
        """The nights of a server that are over or cancelled and were to begin between two instants, the oldest first.

        `until` is exclusive.
        """

    async def of_person(self, guild_id: int, user_id: int, most: int) -> tuple[Night, ...]:
        """At most `most` nights of a server that are over and for which a person had signed up, the latest first."""
