"""The Protocols of seasons, void matches and champions, and their values. Instants in milliseconds.

Every method raises StoreError when the store could not do its work.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.game.value import Sentence
from bot.ladder.seasons import Season, Setup


@dataclass(frozen=True, slots=True)
class Ended:
    """A season that is over, and the message of its podium, of which `shows` is a digest.

    Without a message the podium should be posted in the channel; without a channel there is none. `changes` counts the
    changes of the season's boards.
    """

    guild_id: int
    season: Season
    changes: int = 0
    channel_id: int | None = None
    message_id: int | None = None
    shows: str | None = None


class SeasonStore(Protocol):
    """The seasons of each server, and the settings of its ladder."""

    async def setup(self, guild_id: int) -> Setup:
        """The server's settings, or the defaults."""

    async def choose(self, guild_id: int, change: Callable[[Setup], Setup], at: int) -> Setup:
        """Save what `change` makes of the server's settings, and return it. Two changes never overlap.

        Another schedule moves the end of the running season.
        """

    async def running(self, guild_id: int, at: int) -> Season | None:
        """The season that the instant is in; None between seasons."""

    async def listed(self, guild_id: int) -> tuple[Season, ...]:
        """The seasons with matches, and a running one that was begun by hand; youngest first."""

    async def start(self, guild_id: int, at: int, name: str | None) -> Season | None:
        """Begin a season by hand; None while one is running."""

    async def end(self, guild_id: int, at: int, number: int) -> Season | None:
        """End the season of that number; None unless it is running."""

    async def rename(self, guild_id: int, at: int, number: int, name: str) -> Season | None:
        """Name the season of that number; None unless it is running."""

    async def due_servers(self, ended_by: int) -> Mapping[int, int]:
        """The servers with a season that ended by then and does not show what its boards say.

        And a number for each, which is another one after each change of these boards and with each further season.
        """

    async def to_show(self, guild_id: int, ended_by: int) -> tuple[Ended, ...]:
        """Those seasons of a server, and its last one that ended by then in any case; oldest first."""

    async def last_ended(self, guild_id: int, at: int) -> Ended | None:
        """The season of a server that ended last before the instant."""

    async def note(self, ended: Ended, *, is_shown: bool) -> None:
        """Save the podium of a season. Unless its boards changed meanwhile, it is due no more where all `is_shown`."""

    async def next_end(self, after: int) -> int | None:
        """The first instant after `after` at which a season of any server ends; None without such an instant."""


class VoidCode(Sentence):
    """The outcome of declaring a match void."""

    VOIDED = "Match {number} is void: it counts as never played."
    NO_MATCH = "There is no finished match with that number here: see {/history}."
    ALREADY_VOID = "Match {number} is already void."


class Recount(Protocol):
    async def void(self, guild_id: int, *table_ids: int, by_id: int, reason: str, at: int) -> VoidCode:
        """Declare finished matches void: all figures are counted again, once, as if they had never been played.

        Without a match that became void, the code of the last one.
        """


@dataclass(frozen=True, slots=True)
class Champion:
    """A member whom the bot has given a server's role for the best of a season, or for the winner of a night.

    `season` is the number of the season; None while the role is being given.
    """

    guild_id: int
    user_id: int
    role_id: int
    of_night: bool = False
    season: int | None = None


class ChampionStore(Protocol):
    """The members to whom the bot has given a role, so that it can take the role back.

    In a server each has one role at most of a season, and one of a night.
    """

    async def of_server(self, guild_id: int) -> tuple[Champion, ...]:
        """The champions of a server."""

    async def of_erased(self) -> tuple[Champion, ...]:
        """The roles, in all servers, of users who were erased."""

    async def add(self, champion: Champion) -> bool:
        """Save that a member is given the role; False for a user who is not known there, or was just erased.

        Known are those who have played there, or have signed up for a night.
        """

    async def remove(self, champion: Champion) -> None:
        """Delete the row of a member from whom the role was taken."""
