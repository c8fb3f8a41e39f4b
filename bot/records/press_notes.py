"""What became of each press, for two days: the answer to "my press did nothing"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bot.base.times import DAY_MS

KEPT_MS: Final = 2 * DAY_MS
ANSWERED_ELSEWHERE: Final = "answered_elsewhere"
"""The outcome of a press that another process has answered."""
_EPOCH_MS: Final = 1_420_070_400_000
_TIME_SHIFT: Final = 22


@dataclass(frozen=True, slots=True)
class PressNote:
    """A button press, modal submission or command.

    - `press_id`: the id of its interaction.
    - `action`: its verb or name.
    - `table_id`: 0 if it names no table.
    - `outcome`: as in the metric `kems_presses_total`; `reason`: the code or sentence of a refusal.

    It never says which card or sign was pressed.
    """

    press_id: int
    user_id: int
    guild_id: int
    table_id: int
    action: str
    outcome: str
    reason: str
    duration_ms: int

    @property
    def at(self) -> int:
        """When Discord received the press (milliseconds)."""
        return (self.press_id >> _TIME_SHIFT) + _EPOCH_MS


def first_id(at: int) -> int:
    """Return the smallest id (snowflake) that Discord gives to an object made at an instant (milliseconds).

    Source: https://discord.com/developers/docs/reference#snowflakes.
    """
    return max(0, at - _EPOCH_MS) << _TIME_SHIFT


class PressNoteStore(Protocol):
    """Stores what became of presses. Every method raises StoreError if the store fails."""

    async def save(self, notes: Sequence[PressNote], since: int) -> None:
        """Save notes, and delete those of presses before `since`."""

    async def between(self, since: int, until: int, user_id: int) -> tuple[Sequence[PressNote], int]:
        """Return a person's notes of a period, oldest first, and the number of other people's presses in it."""
