"""A night before, during and after its rounds. Values only: each change returns a new `Night` or why it is refused."""

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.nights.entrants import Entrant, Presence
from bot.nights.plan import NightPlan
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import NightRound, NightTable


class NightStatus(StrEnum):
    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Night:
    """`number` counts a server's nights, from 1. `seed` is what its pairings are drawn by.

    `message_id` is the sign-up message, which becomes the live board. `paused_at` is when the host stopped it.
    `next_at` is when the next round begins during a break (milliseconds).
    """

    id: int
    guild_id: int
    number: int
    host_id: int
    locale: str
    plan: NightPlan
    seed: int
    status: NightStatus = NightStatus.PLANNED
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[NightRound, ...] = ()
    message_id: int | None = None
    event_id: int | None = None
    paused_at: int | None = None
    next_at: int | None = None
    version: int = 0

    @property
    def round(self) -> NightRound | None:
        """The round that was begun last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who is to be paired for the next round."""
        return tuple(entrant for entrant in self.entrants if entrant.presence is Presence.IN)

    def entrant_of(self, user_id: int) -> Entrant | None:
        """The entrant of a user, if any."""
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def table_at(self, table_id: int) -> NightTable | None:
        """The table of the running round that is this one of `bot.tables`."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return next((table for table in tables if table.table_id == table_id), None)

    # ------------------------------------------------------------------ sign-up

    def join(self, user_id: int, name: str) -> "Night | NightRefusal":
        """Sign up, also during a running night: the next round seats whoever is there."""
        if self.status in (NightStatus.OVER, NightStatus.CANCELLED):
            return NightRefusal(NightCode.NIGHT_OVER)
        known = self.entrant_of(user_id)
        if known is not None and known.presence in (Presence.IN, Presence.WAITING):
            return NightRefusal(NightCode.ALREADY_IN)
        if known is None:
            entrant = Entrant(len(self.entrants), user_id, name, joined_round=len(self.rounds))
            return replace(self, entrants=(*self.entrants, entrant))
        return self.with_entrant(replace(known, name=name, presence=Presence.IN))

    def leave(self, user_id: int) -> "Night | NightRefusal":
        """Stand down; a partner is free again."""
        known = self.entrant_of(user_id)
        if known is None or known.presence is Presence.OUT:
            return NightRefusal(NightCode.NOT_IN)
        return self.parted(known.number).with_entrant(
            replace(known, presence=Presence.OUT, partner=None, asks=None, seeks_partner=False)
        )

    # ------------------------------------------------------------------ small parts of changes

    def with_entrant(self, entrant: Entrant) -> "Night":
        """The night with another value for one entrant."""
        number = entrant.number
        return replace(self, entrants=(*self.entrants[:number], entrant, *self.entrants[number + 1 :]))

    def with_table(self, table: NightTable) -> "Night":
        """The night with another value for one table of its last round."""
        last = self.rounds[-1]
        tables = tuple(table if other.number == table.number else other for other in last.tables)
        return replace(self, rounds=(*self.rounds[:-1], replace(last, tables=tables)))

    def parted(self, number: int) -> "Night":
        """The night in which an entrant has no partner, and nobody asks them."""
        parted = tuple(
            replace(other, partner=None if other.partner == number else other.partner, asks=None)
            if number in (other.partner, other.asks)
            else other
            for other in self.entrants
        )
        return replace(self, entrants=parted)
