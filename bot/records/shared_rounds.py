"""Which rounds of finished matches were shared, and where: the same press twice posts once."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SharedRound:
    """A round of a finished match in a channel."""

    table_id: int
    round: int
    channel_id: int


class SharedRounds(Protocol):
    """Every method may raise StoreError."""

    async def message_of(self, shared: SharedRound) -> int | None:
        """The id of the message that shows it; None before it is shared."""

    async def keep(self, shared: SharedRound, message_id: int) -> None:
        """Save that it was shared; a later message takes the place of an earlier one."""
