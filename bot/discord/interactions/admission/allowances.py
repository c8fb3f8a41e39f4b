"""Allowances of members and servers: how many tables, posts, pictures and long computations they may ask for.

Each verb and each command names the allowance that it spends, or `FREE`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self


@dataclass(frozen=True, slots=True)
class Quota:
    """A token bucket: `at_once` tokens, and a new one every `every_s` seconds."""

    at_once: int
    every_s: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """How often something may be asked for.

    - `member`: the quota of one person, in all servers together.
    - `server`: the quota of all members of a server; those who manage it share another one of the same size. None: each
      person has the right alone, and what fails counts nothing.
    - `is_public`: others see what is made, so banned people are refused.
    - `is_alone`: a member has one running at a time.

    What fails at once counts for the member alone.
    """

    name: str
    member: Quota
    server: Quota | None
    is_public: bool = False
    is_alone: bool = False


FREE: Final = None
"""What makes nothing but its own answer, or changes of what is there already: the pace of presses bounds it."""
TABLES: Final = Allowance("tables", Quota(8, 60), Quota(200, 3), is_public=True)
"""A table of one's own, with its thread and its messages."""
STARTS: Final = Allowance("starts", Quota(12, 30), Quota(200, 3))
"""A match at a table where people sit: a banned person may finish what they are in."""
POSTS: Final = Allowance("posts", Quota(8, 60), Quota(60, 5), is_public=True)
"""A message of its own, or a table that moves."""
EVENINGS: Final = Allowance("evenings", Quota(60, 3), Quota(200, 1))
"""What a host does to a night: its tables, posts and mentions."""
FILMS: Final = Allowance("films", Quota(6, 15), Quota(30, 5), is_alone=True)
"""A round as a moving picture, which takes seconds."""
PICTURES: Final = Allowance("pictures", Quota(20, 3), Quota(120, 0.5))
COMPUTATIONS: Final = Allowance("computations", Quota(6, 20), Quota(40, 3), is_alone=True)
"""Files, reviews and moments that are played again."""
EXPORTS: Final = Allowance("exports", Quota(1, 3600), None, is_alone=True)
"""All that is stored about a person, as a file."""
DELETIONS: Final = Allowance("deletions", Quota(1, 3600), None, is_alone=True)
"""The deletion of all that is stored about a person."""
PAGES: Final = Allowance("pages", Quota(60, 1), Quota(300, 0.2))
"""A page of what was played, for which Discord may be asked, or a round played again."""


class Verb(StrEnum):
    """What a press asks for, a word in its custom id; `allowance` is spent before the press does anything."""

    allowance: Allowance | None

    def __new__(cls, word: str, allowance: Allowance | None) -> Self:
        verb = str.__new__(cls, word)
        verb._value_ = word
        verb.allowance = allowance
        return verb
