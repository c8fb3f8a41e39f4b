"""The accounts hold each acknowledged press against the log, and know what the log may leave out."""

from typing import cast

import pytest

from bot.game import events as e
from bot.game.checks.check_signs import AGAIN_MS
from bot.game.signs import GestureKind
from tests.rig.accounts import Accounts
from tests.rig.evidence import Logged, TableRecord
from tests.rig.remote import Outcome, Remote
from tests.seen import Seen

BEGAN = 1_795_000_000_000
OUTAGE_MS = 6_000
FIRST, SECOND = BEGAN + 1_000, BEGAN + 1_500 + OUTAGE_MS


def snowflake(at: int) -> int:
    return (at - 1_420_070_400_000) << 22


def outcome(at: int) -> Outcome:
    panel = Seen(7, 8, "", (), 9)
    return Outcome(snowflake(at), 1, "k1:6.1:gesture:☕", at, "update", 5, panel)


class Heard:
    """What people have got of one Discord."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.messages: dict[int, Seen] = {}
        self.outcomes = outcomes


def log(*, has_pause: bool) -> tuple[Logged, ...]:
    gesture = Logged(1, e.GestureMade(FIRST, 0, GestureKind.REACT, "☕"), snowflake(FIRST))
    if not has_pause:
        return (gesture,)
    events = e.MatchPaused(FIRST + 100, by_itself=True), e.MatchResumed(FIRST + 100 + OUTAGE_MS)
    return gesture, *(Logged(seq, event, None) for seq, event in enumerate(events, 2))


def settled(first: Outcome, second: Outcome, *, has_pause: bool) -> Accounts:
    accounts = Accounts(cast("Remote", Heard(first, second)))
    accounts.collect()
    accounts.settle({6: TableRecord(6, "playing", None, {0: 1}, log(has_pause=has_pause), {})})
    return accounts


def test_an_equal_gesture_right_after_an_outage_counts_as_a_repetition() -> None:
    accounts = settled(outcome(FIRST), outcome(SECOND), has_pause=True)
    assert accounts.acknowledged.total() == 2


@pytest.mark.parametrize(("after_ms", "has_pause"), [(OUTAGE_MS, False), (OUTAGE_MS + 20 * AGAIN_MS, True)])
def test_a_gesture_missing_in_the_log_counts_as_lost(after_ms: int, *, has_pause: bool) -> None:
    with pytest.raises(AssertionError, match="is not in the log"):
        settled(outcome(FIRST), outcome(FIRST + after_ms), has_pause=has_pause)
