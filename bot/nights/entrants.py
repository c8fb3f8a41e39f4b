"""The people of a night, by number; user ids and names stay out of everything else that is kept of a night."""

from dataclasses import dataclass
from enum import StrEnum


class Presence(StrEnum):
    """`IN` plays the next round. `WAITING` is on the waiting list. `ABSENT` did not come to the last table and is not
    paired until they say that they are there. `OUT` has left, or was dropped by the host.
    """

    IN = "in"
    WAITING = "waiting"
    ABSENT = "absent"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One person. `number` counts from 0 in the order of sign-up and never changes.

    `user_id` is None once the person is forgotten. `partner` is mutual; `asks` is the entrant whom this one has asked
    to be their partner. `seeks_partner`: looks for one. `joined_at` is when the person signed up, or came back
    (milliseconds): the order of the waiting list. `strength` seeds a knock-out: points of the season, 0 for newcomers.
    """

    number: int
    user_id: int | None
    name: str
    joined_at: int
    presence: Presence = Presence.IN
    seeks_partner: bool = False
    partner: int | None = None
    asks: int | None = None
    strength: float = 0.0
