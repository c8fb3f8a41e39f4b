"""Allowances of members and servers: how many tables, posts, pictures and long computations they may request.

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
    """How often something may be requested.

    - `member`: the quota of one person, in all servers together.
    - `server`: the quota of all members of a server together; its managers share another one of the same size. None
      means that only the person's quota counts, and that whatever fails is refunded.
    - `is_public`: others see what is made, so banned people are refused.
    - `is_alone`: a member has one running at a time.

    What fails within a second is refunded to the server, not to the member.
    """

    name: str
    member: Quota
    server: Quota | None
    is_public: bool = False
    is_alone: bool = False


FREE: Final = None
"""For whatever only answers, or changes what is there already: the rate limit of presses is enough."""
TABLES: Final = Allowance("tables", Quota(8, 60), Quota(200, 3), is_public=True)
"""A new table, with its thread and messages."""
STARTS: Final = Allowance("starts", Quota(12, 30), Quota(200, 3))
"""A match at an existing table, also for banned people who sit there."""
POSTS: Final = Allowance("posts", Quota(8, 60), Quota(60, 5), is_public=True)
"""A new public message, or a table that moves."""
EVENINGS: Final = Allowance("evenings", Quota(60, 3), Quota(200, 1))
"""A host's command for a night: its tables, posts and mentions."""
FILMS: Final = Allowance("films", Quota(6, 15), Quota(30, 5), is_alone=True)
"""An animation of a round, whose drawing takes seconds."""
PICTURES: Final = Allowance("pictures", Quota(20, 3), Quota(120, 0.5))
COMPUTATIONS: Final = Allowance("computations", Quota(6, 20), Quota(40, 3), is_alone=True)
"""A file, a review, or a moment to play again."""
EXPORTS: Final = Allowance("exports", Quota(1, 3600), None, is_alone=True)
"""All that is stored about a person, as a file."""
DELETIONS: Final = Allowance("deletions", Quota(1, 3600), None, is_alone=True)
"""The deletion of all that is stored about a person."""
PAGES: Final = Allowance("pages", Quota(60, 1), Quota(300, 0.2))
"""A page of past matches, which may need requests to Discord, or the replay of a round."""


class Verb(StrEnum):
    """What a press does, as a part of its custom id; its `allowance` is spent first, None is free."""

    allowance: Allowance | None

    def __new__(cls, word: str, allowance: Allowance | None) -> Self:
        verb = str.__new__(cls, word)
        verb._value_ = word
        verb.allowance = allowance
        return verb
