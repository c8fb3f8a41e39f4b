"""What the clock asks of a night."""

from enum import StrEnum


class Duty(StrEnum):
    """What is to be done for a night, in its order.

    `REMIND`: tell the people once that it begins soon. `CANCEL`: too few came. `BEGIN_ROUND`: pair, open tables; in a
    lounge: fill tables from the queue. `CALL_TIME`: each table plays its running round to the end, then its score
    stands. `END_NIGHT`: the last table is over. `RECAP`: the night in review. `PLAN_NEXT`: the next weekly night.
    """

    REMIND = "remind"
    CANCEL = "cancel"
    BEGIN_ROUND = "begin_round"
    CALL_TIME = "call_time"
    END_NIGHT = "end_night"
    RECAP = "recap"
    PLAN_NEXT = "plan_next"
