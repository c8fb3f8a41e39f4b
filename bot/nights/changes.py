"""What changes a night: what the clock asks for, and the host's steps; and why a change is refused.

A press or a duty is judged by a night that may be another one once it is done. So it carries a `stamp` of its subject,
and its change is made only if the subject is the same then (`if_still`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from bot.game.value import Sentence, Worded, stamp
from bot.nights.rounds import NightTable

T = TypeVar("T")


class Duty(StrEnum):
    """What is to be done for a night, in its order.

    `CANCEL`: too few came. `BEGIN_ROUND`: pair, open tables; in a lounge: fill tables from the queue. `HURRY`: call
    time at the table of a lounge that has played longest. `CALL_TIME`: each table plays its running round to the end,
    then its score stands. `END_NIGHT`: the last table is over. `HONOUR`: find at once what stood out, for the end.
    `RECAP`: find what stood out; no result is corrected after that. `PLAN_NEXT`: the next weekly night. `HAND_OVER`:
    give the winners the role of the server for them.
    """

    CANCEL = "cancel"
    BEGIN_ROUND = "begin_round"
    HURRY = "hurry"
    CALL_TIME = "call_time"
    END_NIGHT = "end_night"
    HONOUR = "honour"
    RECAP = "recap"
    PLAN_NEXT = "plan_next"
    HAND_OVER = "hand_over"


class StepKind(Worded):
    """What the host does.

    Before the night begins: `PAIR`: `entrant` and `other` become partners. `START`: it begins now. `DROP`, then, too.
    `PAUSE_ALL`, `RESUME_ALL`: all tables and timers. `PAUSE_TABLE`, `RESUME_TABLE`: `table` of the running round and
    its time. `ADD_TIME`: `minutes` to the running round, or to the break. `DROP`: `entrant` plays no more, and leaves
    `table`, too, where one is named. `SWAP`: `entrant` and `other` change places in the running round; their tables are
    dealt from the beginning. `ENTER_RESULT`: `scores` by team for `table` of `round`. `RESTART_TABLE`: `table` of the
    running round is dealt from the beginning. `END_EARLY`: time is called, and no round follows.
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

    `entrants` are who was dropped and their partner, or the pairs that a new one parts; `tables` are the tables as they
    were before the step. `was_at` is what the end of the round was, or the beginning of the night. `taken_back_at` is
    set once the step is taken back.
    """

    step: HostStep
    by: int | None
    at: int
    entrants: tuple[int, ...] = ()
    tables: tuple[NightTable, ...] = ()
    was_at: int | None = None
    taken_back_at: int | None = None


class NightCode(Sentence):
    """Why a change of a night is refused, as a sentence that the user interface translates."""

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
    NOTHING_TO_TAKE_BACK = "There is nothing to undo."
    NOT_PAUSED = "The night is not paused."
    ALREADY_PAUSED = "The night is already paused."
    WRONG_SCORES = "Write one score for each team of that table, such as 10 7."
    DONE_ALREADY = "That is already done."
    CHANGED_MEANWHILE = "That has changed meanwhile: this is how it is now."


class NightRefusedError(Exception):
    def __init__(self, code: NightCode) -> None:
        super().__init__(code)
        self.code = code


def refuse_if(condition: bool, code: NightCode) -> None:
    if condition:
        raise NightRefusedError(code)


def if_still(seen: str, about: Callable[[T], object], change: Callable[[T], T]) -> Callable[[T], T]:
    """The change, refused with CHANGED_MEANWHILE where what it is `about` no longer has the stamp `seen`."""

    def judged(night: T) -> T:
        refuse_if(stamp(about(night)) != seen, NightCode.CHANGED_MEANWHILE)
        return change(night)

    return judged
