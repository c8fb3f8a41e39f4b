"""The Protocols of seasons, void matches and champions, with their values. Instants in milliseconds.

Every method raises StoreError if the store fails.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.game.value import Sentence
from bot.ladder.seasons import LadderSetup, Season


@dataclass(frozen=True, slots=True)
class EndedSeason:
    """A season that is over, and its podium.

    - `changes`: counts the changes of the season's boards.
    - `channel_id`: where the podium is or should be posted; without one there is none.
    - `message_id`: the podium's message; `shows` is a digest of what it says.
    """

    guild_id: int
    season: Season
    changes: int = 0
    channel_id: int | None = None
    message_id: int | None = None
    podium_digest: str | None = None


class SeasonStore(Protocol):
    """Stores the seasons of each server, and the settings of its ladder."""

    async def setup(self, guild_id: int) -> LadderSetup:
        """Return the server's settings, or the defaults."""

    async def choose(self, guild_id: int, change: Callable[[LadderSetup], LadderSetup], at: int) -> LadderSetup:
        """Save the server's settings after `change`, and return them. Two changes never overlap.

        Another schedule moves the end of the running season.
        """

    async def running(self, guild_id: int, at: int) -> Season | None:
        """Return the season that contains the instant; None between seasons."""

    async def list_all(self, guild_id: int) -> tuple[Season, ...]:
        """Return the seasons that have matches, and the running one if it was started by hand; latest first."""

    async def start(self, guild_id: int, at: int, name: str | None) -> Season | None:
        """Start a season by hand; None while one is running."""

    async def end(self, guild_id: int, at: int, number: int) -> Season | None:
        """End the season of this number; None unless it is running."""

    async def rename(self, guild_id: int, at: int, number: int, name: str) -> Season | None:
        """Name the season of this number; None unless it is running."""

    async def due_servers(self, ended_by: int) -> Mapping[int, int]:
        """Return the servers with an outdated podium of a season that ended by then.

        Each has a number, which changes whenever these boards change or another season ends.
        """

    async def seasons_to_show(self, guild_id: int, ended_by: int) -> tuple[EndedSeason, ...]:
        """Return a server's seasons with outdated podiums, and its last season that has ended by then; oldest first."""

    async def last_ended(self, guild_id: int, at: int) -> EndedSeason | None:
        """Return the season of a server that ended last before the instant."""

    async def save_podium(self, ended: EndedSeason, *, is_shown: bool) -> None:
        """Save the podium of a season. If all of it `is_shown`, it is outdated only once the boards change again."""

    async def next_end(self, after: int) -> int | None:
        """Return the first instant after `after` at which a season of any server ends; None without one."""


class VoidCode(Sentence):
    """The outcome of declaring a match void, in words."""

    VOIDED = "Match {number} is void: it counts as never played."
    NO_MATCH = "There is no finished match with that number here: see {/history}."
    ALREADY_VOID = "Match {number} is already void."


class Recount(Protocol):
    """Declares matches void and recounts the rest."""

    async def void(self, guild_id: int, *table_ids: int, by_id: int, reason: str, at: int) -> VoidCode:
        """Declare finished matches void, and recount all figures once, as if these had never been played.

        If no match became void, the code is that of the last one.
        """


@dataclass(frozen=True, slots=True)
class Champion:
    """A member with a role that the bot gives to the best of a season, or to the winner of a night.

    `season` is its number; None while the role is being given.
    """

    guild_id: int
    user_id: int
    role_id: int
    is_of_night: bool = False
    season: int | None = None


class ChampionStore(Protocol):
    """Stores which members have a role from the bot, so that it can be taken back.

    A member holds at most one season role and one night role per server.
    """

    async def of_server(self, guild_id: int) -> tuple[Champion, ...]:
        """Return the champions of a server."""

    async def of_erased(self) -> tuple[Champion, ...]:
        """Return the roles of erased users, in all servers."""

    async def add(self, champion: Champion) -> bool:
        """Save that a member gets a role; return False if the user is unknown in the server, or was just erased.

        Known users have played there, or have signed up for a night.
        """

    async def remove(self, champion: Champion) -> None:
        """Delete the row of a champion whose role was taken back."""
