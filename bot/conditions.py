"""Conditions of entry, to a night or to ranked matches: each with its verdict and its words.

A new condition is one field of `Entry`. What it has to know of a person is a field of `Candidate`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known of a person: the ids of their roles, matches played, and whole days as a member of the server."""

    role_ids: Collection[int] = ()
    matches: int = 0
    days: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. The field of `Entry` with its `name` holds the value asked for; None or 0 asks for nothing.

    `lacks` is the verdict: how much of the value a candidate lacks, 0 for nothing. `title` offers the condition to a
    host, who chooses one of the `choices`, or a role if there are none. People read `shown` before they sign up, for a
    role its mention, and `refusal` if they lack something: English words, one and many. A condition that `can_be_lost`
    is judged again when somebody with a place says that they come.
    """

    name: str
    lacks: Callable[[Any, Candidate], int]
    title: str
    refusal: tuple[str, str]
    shown: tuple[str, str] | None = None
    choices: tuple[int, ...] = ()
    can_be_lost: bool = False


def _condition(nothing: int | None, **said: Any) -> Any:
    return field(default=nothing, metadata=said)


@dataclass(frozen=True, slots=True)
class Entry:
    """All that is asked: the role of an id, and so many matches played and days as a member of the server."""

    role_id: int | None = _condition(
        None,
        lacks=lambda role_id, who: int(role_id not in who.role_ids),
        title="Entry without a role",
        refusal=("You lack the role {role}.",) * 2,
        can_be_lost=True,
    )
    matches: int = _condition(
        0,
        lacks=lambda matches, who: max(0, matches - who.matches),
        title="Entry without a match played",
        refusal=("You lack {count} match of {asked}.", "You lack {count} matches of {asked}."),
        shown=("{count} match played", "{count} matches played"),
        choices=(0, 1, 3, 5, 10, 20, 50, 100),
    )
    days: int = _condition(
        0,
        lacks=lambda days, who: max(0, days - who.days),
        title="Entry from the first day",
        refusal=("You lack {count} day of {asked} as a member.", "You lack {count} days of {asked} as a member."),
        shown=("member for {count} day", "member for {count} days"),
        choices=(0, 1, 3, 7, 14, 30, 90, 180),
    )

    @property
    def asked(self) -> dict[Condition, int]:
        """The value of each condition that asks for something."""
        return {one: value for one in CONDITIONS if (value := getattr(self, one.name))}

    def lacked_by(self, who: Candidate) -> dict[Condition, int]:
        """How much somebody lacks of each condition that they do not meet; empty where they may come."""
        return {one: lack for one, value in self.asked.items() if (lack := one.lacks(value, who))}


CONDITIONS: Final = tuple(Condition(each.name, **each.metadata) for each in fields(Entry))
EVERYBODY: Final = Entry()
UNKNOWN: Final = Candidate()
