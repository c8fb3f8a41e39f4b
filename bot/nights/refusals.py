"""Why a change of a night is refused; the sentences are in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum


class NightCode(StrEnum):
    SIGN_UP_OVER = "sign_up_over"
    NIGHT_OVER = "night_over"
    NOT_BEGUN = "not_begun"
    HAS_BEGUN = "has_begun"
    ALREADY_IN = "already_in"
    NOT_IN = "not_in"
    HAS_PARTNER = "has_partner"
    NO_PARTNER = "no_partner"
    NO_PAIRS = "no_pairs"
    NOT_ASKED = "not_asked"
    ITSELF = "itself"
    TOO_FEW = "too_few"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_ENTRANT = "unknown_entrant"
    TABLE_OVER = "table_over"
    TABLE_PLAYED = "table_played"
    ROUND_FOLLOWS = "round_follows"
    ROUND_RUNNING = "round_running"
    TIME_CALLED = "time_called"
    NO_TIMER = "no_timer"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NOT_PAUSED = "not_paused"
    ALREADY_PAUSED = "already_paused"
    WRONG_SCORES = "wrong_scores"
    CHANGED_MEANWHILE = "changed_meanwhile"


@dataclass(frozen=True, slots=True)
class NightRefusal:
    """A change that did not happen."""

    code: NightCode
