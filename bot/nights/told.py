"""What a night has told: its host's words, the posts that stand in its channel, and what its recap found."""

import re
from dataclasses import dataclass

from bot.game.value import Worded


class HonourKind(Worded):
    """`BEST_TABLE`: the highest win, in points. `BEST_BLUFF`: the longest, `QUICKEST_KEMS`: the shortest, both in
    milliseconds, as `CLOSEST_CALL`: the call that was first by the least. `BIGGEST_CLIMB`: places gained between the
    first round and the last.
    """

    BEST_TABLE = "best_table", "Clearest win"
    BEST_BLUFF = "best_bluff", "Longest bluff"
    QUICKEST_KEMS = "quickest_kems", "Quickest Kem's"
    CLOSEST_CALL = "closest_call", "Closest call"
    BIGGEST_CLIMB = "biggest_climb", "Biggest climb"


@dataclass(frozen=True, slots=True)
class Honour:
    """What stood out. `value` as `HonourKind` says; `round` and `table` are where, None for a climb.

    `match_round` is the round of the match in which it happened; None for what no single round shows.
    """

    kind: HonourKind
    entrants: tuple[int, ...]
    value: int
    round: int | None = None
    table: int | None = None
    match_round: int | None = None


@dataclass(frozen=True, slots=True)
class Posted:
    """A post of the night that stands in its channel, as `message_ids`; none where Discord refused it.

    With another `key` it would be another post.
    """

    kind: str
    key: str
    message_ids: tuple[int, ...] = ()


def without_person(written: str, user_id: int) -> str:
    """What somebody wrote, without the mentions and the id of a person who is forgotten."""
    return re.sub(rf"<@!?{user_id}>|(?<!\w){user_id}(?!\w)", "…", written)


def without_people(written: str) -> str:
    """The same, of all people."""
    return re.sub(r"<@!?\d+>|(?<!\w)\d{17,20}(?!\w)", "…", written)
