"""What a night publishes: its host's words, the posts in its channel, and the highlights of its recap."""

import re
from dataclasses import dataclass

from bot.game.value import Worded


class HonourKind(Worded):
    """The kinds of highlights.

    - `BEST_TABLE`: the highest win, in points.
    - `BEST_BLUFF`: the longest one, `QUICKEST_KEMS`: the shortest one, in milliseconds.
    - `CLOSEST_CALL`: the call that was first by the least, in milliseconds.
    - `BIGGEST_CLIMB`: places gained between the first and the last round.
    """

    BEST_TABLE = "best_table", "Clearest win"
    BEST_BLUFF = "best_bluff", "Longest bluff"
    QUICKEST_KEMS = "quickest_kems", "Quickest Kem's"
    CLOSEST_CALL = "closest_call", "Closest call"
    BIGGEST_CLIMB = "biggest_climb", "Biggest climb"


@dataclass(frozen=True, slots=True)
class Honour:
    """A highlight of a night.

    - `value`: as `HonourKind` says.
    - `round`, `table`: where; None for a climb.
    - `match_round`: the round of the match; None if no single round shows it.
    """

    kind: HonourKind
    entrants: tuple[int, ...]
    value: int
    round: int | None = None
    table: int | None = None
    match_round: int | None = None


@dataclass(frozen=True, slots=True)
class NightPost:
    """A post of the night in its channel; without `message_ids` Discord refused it.

    With another `key` it would be another post.
    """

    kind: str
    key: str
    message_ids: tuple[int, ...] = ()


def remove_mentions(written: str, user_id: int) -> str:
    """Return a text without the mentions and the id of an erased person."""
    return re.sub(rf"<@!?{user_id}>|(?<!\w){user_id}(?!\w)", "…", written)


def remove_all_mentions(written: str) -> str:
    """Return a text without the mentions and ids of all people."""
    return re.sub(r"<@!?\d+>|(?<!\w)\d{17,20}(?!\w)", "…", written)
