"""Conditions of entry, to a night or to ranked matches: each with its verdict and its words.

To add a condition, add a field to `EntryRules`. What it has to know of a person is a field of `Candidate`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known of a person who wants to take part.

    - `role_ids`: their roles on the server.
    - `matches`: how many matches they have played there.
    - `days`: for how many whole days they have been a member.
    """

    role_ids: Collection[int] = ()
    matches: int = 0
    days: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of entry.

    - `name`: the field of `EntryRules` that holds the required value; None or 0 requires nothing.
    - `shortfall`: the verdict, how much of the required value a candidate lacks; 0 for nothing.
    - `title`: the words that offer the condition to a host.
    - `refusal`: what a person reads who lacks something; English, singular and plural.
    - `public_text`: what people read before they sign up, singular and plural; None for a role, which is mentioned.
    - `choices`: the values that a host may choose; none for a role.
    - `can_be_lost`: judge again when somebody with a place answers the check-in.
    """

    name: str
    shortfall: Callable[[Any, Candidate], int]
    title: str
    refusal: tuple[str, str]
    public_text: tuple[str, str] | None = None
    choices: tuple[int, ...] = ()
    can_be_lost: bool = False


def _condition(nothing: int | None, **metadata: Any) -> Any:
    return field(default=nothing, metadata=metadata)


@dataclass(frozen=True, slots=True)
class EntryRules:
    """What a person needs to take part: a role, matches played, and days as a member of the server."""

    role_id: int | None = _condition(
        None,
        shortfall=lambda role_id, who: int(role_id not in who.role_ids),
        title="Entry without a role",
        refusal=("You lack the role {role}.",) * 2,
        can_be_lost=True,
    )
    matches: int = _condition(
        0,
        shortfall=lambda matches, who: max(0, matches - who.matches),
        title="Entry without a match played",
        refusal=("You lack {count} match of {asked}.", "You lack {count} matches of {asked}."),
        public_text=("{count} match played", "{count} matches played"),
        choices=(0, 1, 3, 5, 10, 20, 50, 100),
    )
    days: int = _condition(
        0,
        shortfall=lambda days, who: max(0, days - who.days),
        title="Entry from the first day",
        refusal=("You lack {count} day of {asked} as a member.", "You lack {count} days of {asked} as a member."),
        public_text=("member for {count} day", "member for {count} days"),
        choices=(0, 1, 3, 7, 14, 30, 90, 180),
    )

    @property
    def requirements(self) -> dict[Condition, int]:
        """The conditions that require something, with the required values."""
        return {condition: value for condition in CONDITIONS if (value := getattr(self, condition.name))}

    def shortfalls(self, who: Candidate) -> dict[Condition, int]:
        """Return how much a person lacks for each condition that they do not meet; empty if they may take part."""
        return {rule: lack for rule, value in self.requirements.items() if (lack := rule.shortfall(value, who))}


CONDITIONS: Final = tuple(Condition(item.name, **item.metadata) for item in fields(EntryRules))
EVERYBODY: Final = EntryRules()
UNKNOWN: Final = Candidate()
