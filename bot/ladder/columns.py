"""The columns of a season: what a player's matches add up to, in words, and the boards that rank by it.

Each field of `SeatTally` is a column of the database. A field with words stands among a player's figures and in the
files of a season. The result of a match says what its best player did, in the words of each `feat`.
"""

from dataclasses import dataclass, field, fields
from enum import Enum, auto
from typing import Any, Final, Self

from bot.game.value import Worded


@dataclass(frozen=True, slots=True)
class Column:
    """How a field of `SeatTally` is told: on a line with a `sign` and a title, or as a note on the line of another.

    `words` are the title of the line, or the note `beside` another field, one and many. A note of 0 is left out, unless
    it is told `of_none`. `mean`: the field sums milliseconds, of which the mean over the field `beside` is told, in
    seconds, and by this name in files. `feat` tells what was done in one match, one and many.
    """

    key: str
    words: tuple[str, ...]
    sign: str = ""
    beside: str = ""
    of_none: bool = False
    mean: str = ""
    feat: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.mean or self.key

    def value(self, tally: "SeatTally") -> int | None:
        """The number that is told: None for the mean of nothing."""
        number: int = getattr(tally, self.key)
        if not self.mean:
            return number
        count = getattr(tally, self.beside)
        return round(number / count / 1000) if count else None


def _line(sign: str, title: str, **said: Any) -> Any:
    return field(default=0, metadata={"sign": sign, "words": (title,), **said})


def _note(beside: str, *words: str, **said: Any) -> Any:
    return field(default=0, metadata={"beside": beside, "words": words, **said})


@dataclass(frozen=True, slots=True)
class SeatTally:
    """What the log of a match tells of a seat, and the sum over matches.

    `kems`: true ones that the seat called or held, `doubles` those of them that were doubles; `kems_ms`: the sum of
    milliseconds from the opening of the hunt to each; `caught`: Kem's of this seat that were countered; `bluffs`:
    gestures that were no sign, `baits`: false counters against the seat that followed one within `BAIT_MS`; `quick`:
    Kem's that the seat called within `QUICK_MS`; `read`: its counters of a team whose sign was new in the match;
    `bare_wins`: matches that its player has won while the panel marked nothing, which no log tells.
    """

    kems: int = _line("🔔", "Kem's", feat=("{count} Kem's", "{count} Kem's"))
    doubles: int = _note("kems", "{count} double", "{count} doubles")
    kems_ms: int = _note("kems", "after {time} on average", mean="seconds_to_kems")
    false_calls: int = _note("kems", "{count} false call", "{count} false calls")
    counters: int = _line("✋", "Counters", feat=("{count} counter", "{count} counters"))
    false_counters: int = _note("counters", "{count} false", "{count} false ones", of_none=True)
    caught: int = _note("counters", "caught {count} time", "caught {count} times", of_none=True)
    bluffs: int = _line("🎭", "Bluffs")
    baits: int = _note(
        "bluffs",
        "provoked {count} false counter",
        "provoked {count} false counters",
        of_none=True,
        feat=("{count} counter provoked", "{count} counters provoked"),
    )
    quick: int = 0
    read: int = 0
    bare_wins: int = 0


TALLY: Final = tuple(each.name for each in fields(SeatTally))
COLUMNS: Final = tuple(Column(each.name, **each.metadata) for each in fields(SeatTally) if each.metadata)


class Among(Enum):
    """Whom a board ranks: players or pairs by their ranked matches, players by their friendly ones or by nights."""

    RANKED = auto()
    PAIRS = auto()
    FRIENDLY = auto()
    NIGHTS = auto()


class Board(Worded):
    """A board of a season, in the order of menus, with its title.

    `by` is the column of a season's sums that it ranks by, the greatest first; who has 0 there is not on it.
    `bot.store.ladder.count_match` keeps the sums. The league is reckoned from nights (`bot.records.league`).
    """

    RATING = "rating", "Rating", "shown"
    WINS = "wins", "Wins", "wins"
    KEMS = "kems", "Kem's", "kems"
    COUNTERS = "counters", "Counters", "counters"
    DUOS = "duos", "Duos", "together_wins", Among.PAIRS
    BLUFFERS = "bluffers", "Bluffers", "baits"
    FRIENDLY = "friendly", "Friendly: days won", "win_days", Among.FRIENDLY
    LEAGUE = "league", "League of game nights", "", Among.NIGHTS

    by: str
    among: Among

    def __new__(cls, stored: str, title: str = "", by: str = "", among: Among = Among.RANKED) -> Self:
        made = str.__new__(cls, stored)
        made._value_, made.words, made.by, made.among = stored, title, by, among
        return made

    @property
    def counts_wins(self) -> bool:
        return self.by in {"wins", "together_wins"}


PAIR_BOARDS: Final = tuple(board for board in Board if board.among is Among.PAIRS)
MATCH_BOARDS: Final = tuple(board for board in Board if board.among is not Among.NIGHTS)
"""The boards that the sums of matches make."""
