"""Private panels that a restart of the bot finds again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

PanelKey = tuple[int, int]
"""The table and the user that a private panel belongs to."""


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """Somebody's private panel at a table: its message, and the token of their newest press, by which it is reached.

    `made_at` is when that press was made, `round` the round in which it was. `page` and `language` are what the panel
    shows, by the names of whoever shows it.
    """

    table_id: int
    user_id: int
    seat: int
    page: str
    language: str
    round: int
    made_at: int
    message_id: int
    token: str = field(repr=False)

    @property
    def key(self) -> PanelKey:
        return self.table_id, self.user_id


class PanelStore(Protocol):
    """Private panels that can be reached again after a restart. Tokens are secrets, at rest too.

    Both methods raise StoreError when the store could not do its work.
    """

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        """Remember panels as they are now; forget others, and all whose press was made before an instant."""

    async def load(self, since: int) -> tuple[OpenPanel, ...]:
        """The panels whose press was made since an instant; all others are forgotten, and what nobody can read."""
