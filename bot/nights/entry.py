"""Whom a night takes: what its host asks of those who sign up, and what somebody lacks of it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person who signs up: the roles that they have, and how many matches they have played on the server."""

    role_ids: Collection[int] = ()
    matches: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """Members with the role `role_id` who have played that many `matches` on the server; None and 0 ask for nothing."""

    role_id: int | None = None
    matches: int = 0

    def lacked_by(self, candidate: Candidate) -> "Entry":
        """What is missing: the role, and how many matches more. It equals `NOTHING` where all is there."""
        role_id = None if self.role_id in candidate.role_ids else self.role_id
        return Entry(role_id, max(0, self.matches - candidate.matches))


NOTHING: Final = Entry()
UNKNOWN: Final = Candidate()
