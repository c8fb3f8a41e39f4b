"""What a press or a command draws on, and the budgets that there are: tables, posts, pictures, long computations.

Each press says it beside its verb, and each command in its declaration.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self


@dataclass(frozen=True, slots=True)
class Allowance:
    """`at_once` things, and one more every `every_s` seconds."""

    at_once: int
    every_s: float


@dataclass(frozen=True, slots=True)
class Budget:
    """What one `member` may ask for, in all servers together, and all members of one `server`, which has as much again
    for those who manage it.

    What fails at once counts for the member alone. Without a `server` it is a right of each person, which others cannot
    use up; then nothing counts that fails. `is_public`: others see what is made, so people who are banned ask in vain.
    `is_alone`: one at a time per member.
    """

    name: str
    member: Allowance
    server: Allowance | None
    is_public: bool = False
    is_alone: bool = False


FREE: Final = None
"""What makes nothing but its own answer, or changes of what is there already: the pace of presses bounds it."""
TABLES: Final = Budget("tables", Allowance(8, 60), Allowance(200, 3), is_public=True)
"""A table of one's own, with its thread and its messages."""
STARTS: Final = Budget("starts", Allowance(12, 30), Allowance(200, 3))
"""A match at a table where people sit: a banned person may finish what they are in."""
POSTS: Final = Budget("posts", Allowance(8, 60), Allowance(60, 5), is_public=True)
"""A message of its own, or a table that moves."""
EVENINGS: Final = Budget("evenings", Allowance(60, 3), Allowance(200, 1))
"""What a host does to a night: its tables, posts and mentions."""
FILMS: Final = Budget("films", Allowance(6, 15), Allowance(30, 5), is_alone=True)
"""A round as a moving picture, which takes seconds."""
PICTURES: Final = Budget("pictures", Allowance(20, 3), Allowance(120, 0.5))
COMPUTATIONS: Final = Budget("computations", Allowance(6, 20), Allowance(40, 3), is_alone=True)
"""Files, reviews and moments that are played again."""
EXPORTS: Final = Budget("exports", Allowance(1, 3600), None, is_alone=True)
"""All that is stored about a person, as a file."""
DELETIONS: Final = Budget("deletions", Allowance(1, 3600), None, is_alone=True)
"""The deletion of all that is stored about a person."""
PAGES: Final = Budget("pages", Allowance(60, 1), Allowance(300, 0.2))
"""A page of what was played, for which Discord may be asked, or a round played again."""


class Verb(StrEnum):
    """What a press asks for, a word in its custom id; `draws` is the budget that is asked before it does anything."""

    draws: Budget | None

    def __new__(cls, word: str, draws: Budget | None) -> Self:
        verb = str.__new__(cls, word)
        verb._value_ = word
        verb.draws = draws
        return verb
