"""What the host of a running night may do, and the log of it. Values only; `steps.py` does and takes back."""

from dataclasses import dataclass
from enum import StrEnum

from bot.nights.rounds import NightTable


class StepKind(StrEnum):
    """What the host does.

    `PAUSE_ALL`, `RESUME_ALL`: all tables and timers. `ADD_TIME`: `minutes` to the running round, or to the break.
    `DROP`: `entrant` plays no more. `SWAP`: `entrant` and `other` change places in the running round; their tables are
    dealt from the beginning. `ENTER_RESULT`: `scores` by team for `table` of `round`. `RESTART_TABLE`: `table` of the
    running round is dealt from the beginning. `END_EARLY`: time is called, and no round follows.
    """

    PAUSE_ALL = "pause_all"
    RESUME_ALL = "resume_all"
    ADD_TIME = "add_time"
    DROP = "drop"
    SWAP = "swap"
    ENTER_RESULT = "enter_result"
    RESTART_TABLE = "restart_table"
    END_EARLY = "end_early"


@dataclass(frozen=True, slots=True)
class HostStep:
    """One step; `StepKind` names the fields that each kind has. One flat value, so that it is stored as it is."""

    kind: StepKind
    minutes: int = 0
    entrant: int | None = None
    other: int | None = None
    round: int | None = None
    table: int | None = None
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A step in the log. `by` is a user id, None once the person is forgotten. Instants in milliseconds.

    `entrants` are who was dropped and their partner; `tables` are the tables as they were before the step, `ends_at` is
    what the end of the round was. `taken_back_at` is set once the step is taken back.
    """

    step: HostStep
    by: int | None
    at: int
    entrants: tuple[int, ...] = ()
    tables: tuple[NightTable, ...] = ()
    ends_at: int | None = None
    taken_back_at: int | None = None
