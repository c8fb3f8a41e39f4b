"""The columns of a season: what a player's matches add up to, and the boards that rank by it.

Each field of `SeatTally` is a column of the database. Fields with a title appear in a player's statistics and in season
exports. The result of a match says what its best player did, in the words of each `feat`.
"""

from dataclasses import dataclass, field, fields
from enum import Enum, auto
from typing import Any, Final, Self

from bot.game.value import Worded


@dataclass(frozen=True, slots=True)
class Column:
    """How a field of `SeatTally` is shown: on a line of its own, or as a note on another field's line.

    - `words`: the title of the line with its `sign`, or the note on the line of `parent`, singular and plural.
    - `shown_when_zero`: show a note of 0, too.
    - `mean`: the name in exports of the mean over `parent`, in seconds; the field sums milliseconds.
    - `feat`: what was done in one match, singular and plural.
    """

    key: str
    words: tuple[str, ...]
    sign: str = ""
    parent: str = ""
    shown_when_zero: bool = False
    mean: str = ""
    feat: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in exports."""
        return self.mean or self.key

    def value(self, tally: "SeatTally") -> int | None:
        """Return the number to show; None for a mean without any values."""
        number: int = getattr(tally, self.key)
        if not self.mean:
            return number
        count = getattr(tally, self.parent)
        return round(number / count / 1000) if count else None


def _line(sign: str, title: str, **metadata: Any) -> Any:
    return field(default=0, metadata={"sign": sign, "words": (title,), **metadata})


def _note(parent: str, *words: str, **metadata: Any) -> Any:
    return field(default=0, metadata={"parent": parent, "words": words, **metadata})


@dataclass(frozen=True, slots=True)
class SeatTally:
    """The figures of a seat in a match, or their sums over matches.

    - `kems`: true Kem's that the seat called or held; `doubles` of them were doubles.
    - `kems_ms`: the sum of milliseconds from the opening of the hunt to each Kem's.
    - `caught`: Kem's of this seat that were countered.
    - `bluffs`: gestures that were no sign; `baits`: false counters against the seat within `BAIT_MS` of one.
    - `quick`: Kem's that the seat called within `QUICK_MS`.
    - `read`: its counters of a team whose sign was new in the match.
    - `wins_without_marks`: matches won while the hand panel marked nothing; no log says so.
    """

    kems: int = _line("🔔", "Kem's", feat=("{count} Kem's", "{count} Kem's"))
    doubles: int = _note("kems", "{count} double", "{count} doubles")
    kems_ms: int = _note("kems", "after {time} on average", mean="seconds_to_kems")
    false_calls: int = _note("kems", "{count} false call", "{count} false calls")
    counters: int = _line("✋", "Counters", feat=("{count} counter", "{count} counters"))
    false_counters: int = _note("counters", "{count} false", "{count} false ones", shown_when_zero=True)
    caught: int = _note("counters", "caught {count} time", "caught {count} times", shown_when_zero=True)
    bluffs: int = _line("🎭", "Bluffs")
    baits: int = _note(
        "bluffs",
        "provoked {count} false counter",
        "provoked {count} false counters",
        shown_when_zero=True,
        feat=("{count} counter provoked", "{count} counters provoked"),
    )
    quick: int = 0
    read: int = 0
    wins_without_marks: int = 0


TALLY: Final = tuple(each.name for each in fields(SeatTally))
COLUMNS: Final = tuple(Column(each.name, **each.metadata) for each in fields(SeatTally) if each.metadata)


class RankedBy(Enum):
    """Whom a board ranks: players or pairs by ranked matches, players by friendly ones or by nights."""

    RANKED = auto()
    PAIRS = auto()
    FRIENDLY = auto()
    NIGHTS = auto()


class Board(Worded):
    """The boards of a season with their titles, in the order of menus.

    `by` is the summed column that it ranks by, greatest first; players with 0 there are left out.
    `bot.store.ladder.count_match` keeps the sums. The league is computed from nights (`bot.records.league`).
    """

    RATING = "rating", "Rating", "displayed_rating"
    WINS = "wins", "Wins", "wins"
    KEMS = "kems", "Kem's", "kems"
    COUNTERS = "counters", "Counters", "counters"
    DUOS = "duos", "Duos", "together_wins", RankedBy.PAIRS
    BLUFFERS = "bluffers", "Bluffers", "baits"
    FRIENDLY = "friendly", "Friendly: days won", "win_days", RankedBy.FRIENDLY
    LEAGUE = "league", "League of game nights", "", RankedBy.NIGHTS

    by: str
    ranked_by: RankedBy

    def __new__(cls, stored: str, title: str = "", by: str = "", ranked_by: RankedBy = RankedBy.RANKED) -> Self:
        """Make a member of a stored value, its title and what it ranks."""
        made = str.__new__(cls, stored)
        made._value_, made.words, made.by, made.ranked_by = stored, title, by, ranked_by
        return made

    @property
    def counts_wins(self) -> bool:
        """Whether its value is a number of wins."""
        return self.by in {"wins", "together_wins"}


PAIR_BOARDS: Final = tuple(board for board in Board if board.ranked_by is RankedBy.PAIRS)
MATCH_BOARDS: Final = tuple(board for board in Board if board.ranked_by is not RankedBy.NIGHTS)
"""The boards that matches make."""
