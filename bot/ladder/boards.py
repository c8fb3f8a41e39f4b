"""The leaderboards of a season: by what players, or pairs of them, are put in order."""

from enum import StrEnum


class Board(StrEnum):
    RATING = "rating"
    WINS = "wins"
    KEMS = "kems"
    COUNTERS = "counters"
    DUOS = "duos"
    BLUFFERS = "bluffers"
