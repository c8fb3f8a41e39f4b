"""Private panels that a restart of the bot finds again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

PanelKey = tuple[int, int]
"""The table and the user that a private panel belongs to."""


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """A player's private panel at a table: its message, and the token of the player's newest press, which reaches it.

    `made_at` (milliseconds) and `round` are those of that press. `page` and `language` say what the panel shows, in
    names that the user interface gives them.
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
    channel_id: int = 0
    is_follow_up: bool = False
    """Whether the token posted the message after the press was answered; else it is that answer."""

    @property
    def key(self) -> PanelKey:
        return self.table_id, self.user_id


class PanelStore(Protocol):
    """Private panels that can be reached again after a restart.

    Tokens are secrets, at rest too. All methods raise StoreError when the store could not do its work.
    """

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        """Save open panels; delete closed ones, and all whose press was made before `since` (milliseconds)."""

    async def load(self, since: int, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        """The panels of these tables whose press was made after `since`; deletes older ones, and unreadable ones."""
