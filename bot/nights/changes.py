"""What changes a night: duties of the clock and steps of the host; and the reasons why a change is refused.

A button or a duty refers to a night that may have changed by the time it takes effect. So it carries the `stamp` of its
subject, and `if_unchanged` refuses the change if the subject is no longer the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from bot.game.value import Sentence, Worded, stamp
from bot.nights.rounds import NightTable

T = TypeVar("T")


class Duty(StrEnum):
    """What the clock makes due in a night, in order.

    - `CANCEL`: too few people came.
    - `START_ROUND`: pair and open tables; a lounge fills tables from its queue.
    - `HURRY`: call time at the table of a lounge that has played longest.
    - `CALL_TIME`: each table finishes its running round, then its score stands.
    - `END_NIGHT`: the last table is over.
    - `HONOUR`: find the highlights at once, for the end.
    - `RECAP`: find the highlights; no result is corrected after that.
    - `PLAN_NEXT`: plan the next night of a weekly series.
    - `HAND_OVER`: give the winners the server's role for winners.
    """

    CANCEL = "cancel"
    START_ROUND = "start_round"
    HURRY = "hurry"
    CALL_TIME = "call_time"
    END_NIGHT = "end_night"
    HONOUR = "honour"
    RECAP = "recap"
    PLAN_NEXT = "plan_next"
    HAND_OVER = "hand_over"


class StepKind(Worded):
    """What the host can do. `HostStep` has the fields that each kind uses.

    - `PAIR`, before the night: `entrant` and `other` become partners.
    - `START`, before the night: it starts now.
    - `PAUSE_ALL`, `RESUME_ALL`: all tables and timers.
    - `PAUSE_TABLE`, `RESUME_TABLE`: `table` of the running round, and its timer.
    - `ADD_TIME`: `minutes` for the running round or the break.
    - `DROP`: `entrant` plays no more, and leaves `table` if it is given.
    - `SWAP`: `entrant` and `other` change places in the running round; their tables are dealt anew.
    - `ENTER_RESULT`: `scores` by team for `table` of `round`.
    - `RESTART_TABLE`: `table` of the running round is dealt anew.
    - `END_EARLY`: time is called, and no round follows.
    """

    PAIR = "pair", "They are now partners. Any former partner is free again."
    START = "start", "The tables are drawn at once for those who are signed up."
    PAUSE_ALL = "pause_all", "Every table and the round's clock stop until you resume."
    RESUME_ALL = "resume_all", "Every table and the round's clock go on from where they stopped."
    PAUSE_TABLE = (
        "pause_table",
        "This table and its clock stop until you resume it; the next round waits for it.",
    )
    RESUME_TABLE = "resume_table", "This table goes on and gets its paused time back."
    ADD_TIME = "add_time", "The round gets that much longer; between rounds, the break does."
    DROP = "drop", "They play no more rounds and cannot come back; what they have scored stays."
    SWAP = "swap", "They change places."
    ENTER_RESULT = "enter_result", "The table is closed with this result, and it counts for the standings."
    RESTART_TABLE = "restart_table", "What was played at this table is lost."
    END_EARLY = "end_early", "Each table plays its running round to the end, then the night is over."


@dataclass(frozen=True, slots=True)
class HostStep:
    """A step of the host. `StepKind` says which fields each kind uses."""

    kind: StepKind
    minutes: int = 0
    entrant: int | None = None
    other: int | None = None
    round: int | None = None
    table: int | None = None
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A logged step. Instants in milliseconds.

    - `by`: a user id; None once the person is erased.
    - `entrants`: the dropped entrant and their partner, or the pairs that a new pair separated.
    - `tables`: the tables as they were before the step.
    - `was_at`: the former end of the round, or start of the night.
    - `undone_at`: when the step was undone.
    """

    step: HostStep
    by: int | None
    at: int
    entrants: tuple[int, ...] = ()
    tables: tuple[NightTable, ...] = ()
    was_at: int | None = None
    undone_at: int | None = None


class NightCode(Sentence):
    """The reasons why a change of a night is refused; a user interface translates them."""

    SIGN_UP_OVER = "The sign-up is over."
    NIGHT_OVER = "This night is over. {/night} shows the next one."
    NOT_BEGUN = "This night has not begun yet."
    HAS_BEGUN = "The night has begun: that can no longer be changed."
    ALREADY_IN = "You are already signed up."
    NOT_IN = "You are not signed up: press Join first."
    MISSED_ROUND = "A round was played without you: in this format you cannot come back after that."
    REMOVED = "The host removed you from this night."
    NOT_TAKEN = "You do not meet the conditions of this night."
    HAS_PARTNER = "One of you already has a partner."
    NO_PARTNER = "You have no partner yet."
    NO_PAIRS = "In this night partners change each round."
    NOT_ASKED = "They have withdrawn their partner request."
    ITSELF = "Choose somebody other than yourself."
    TOO_FEW = "Too few people are there for a table."
    UNKNOWN_TABLE = "There is no such table in this night any more."
    UNKNOWN_ENTRANT = "That person is not signed up for this night."
    NO_TABLE = "Neither of them sits at a table of this round."
    TABLE_OVER = "That table already has its result."
    TABLE_PLAYED = "That table has already played."
    ROUND_FOLLOWS = "The next round has begun: that can no longer be changed."
    ROUND_RUNNING = "Tables are still playing."
    TIME_CALLED = "Time has already been called: each table plays its running round to the end."
    NO_TIMER = "No clock is running that could be extended."
    NOTHING_TO_UNDO = "There is nothing to undo."
    NOT_PAUSED = "The night is not paused."
    ALREADY_PAUSED = "The night is already paused."
    WRONG_SCORES = "Write one score for each team of that table, such as 10 7."
    DONE_ALREADY = "That is already done."
    CHANGED_MEANWHILE = "That has changed meanwhile: this is how it is now."


class NightRefusedError(Exception):
    """A change of a night that is refused; `code` says why."""

    def __init__(self, code: NightCode) -> None:
        super().__init__(code)
        self.code = code


def refuse_if(condition: bool, code: NightCode) -> None:
    """Refuse a change if the condition holds.

    Raises:
        NightRefusedError: It does; with this code.
    """
    if condition:
        raise NightRefusedError(code)


def if_unchanged(seen: str, about: Callable[[T], object], change: Callable[[T], T]) -> Callable[[T], T]:
    """Return a change that is refused with CHANGED_MEANWHILE if its subject has changed since the stamp was made.

    Args:
        seen: The stamp that the button or duty carries.
        about: Returns the part of the night that the change is about.
        change: The change.
    """

    def judged(night: T) -> T:
        refuse_if(stamp(about(night)) != seen, NightCode.CHANGED_MEANWHILE)
        return change(night)

    return judged
