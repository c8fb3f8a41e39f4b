"""The leaderboards of a season: by what players, or pairs of them, are put in order.

The board of ratings lists settled ratings of players who have won at least once; the other boards leave zeros out.
"""

from enum import StrEnum


class Board(StrEnum):
    RATING = "rating"
    WINS = "wins"
    KEMS = "kems"
    COUNTERS = "counters"
    DUOS = "duos"
    BLUFFERS = "bluffers"
