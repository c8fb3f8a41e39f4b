"""What pictures show, as small values in words and numbers, and the Protocol that draws them.

No value holds more than the picture shows. Words are in the reader's language; a text next to the picture says the
same.

A picture that shows people has their user ids; `with_avatars` adds their avatars, which are small image files. People
without one are shown by their initials.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Protocol

from bot.game.cards import Card
from bot.game.value import Worded


class Theme(Worded):
    """French cards, or one of the decks of thirteen characters with four cards each."""

    FRENCH = "french", "French cards"
    RUGBY = "rugby", "Rugby team"
    FAMILY = "family", "Italian family"
    YOKAI = "yokai", "Yokai"


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of a board. A podium alone shows avatars.

    - `place`: from 1; a row without one (0) has a `sign`, an emoji.
    - `note`: small print such as `24 matches`.
    """

    place: int
    name: str
    value: str
    note: str = ""
    user_id: int | None = None
    avatar: bytes | None = None
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A value over time, oldest first; `first` and `last` are the dates of its ends."""

    values: tuple[int, ...]
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board, a list of results, or a player's statistics under the curve of their rating.

    It has at most `bot.art.charts.MOST_ROWS` rows. Equal rows share a place. With `has_podium` the first three stand on
    steps, with their avatars, and the others below.
    """

    title: str
    subtitle: str
    rows: tuple[BoardRow, ...]
    has_podium: bool = False
    curve: Curve | None = None


@dataclass(frozen=True, slots=True)
class TeamColumn:
    """A team of a match: its name, its members', and its score after each round.

    `user_ids` and `avatars` are those of the members, or empty; `sign` is the sign that the team made.
    """

    name: str
    members: tuple[str, ...]
    scores: tuple[int, ...]
    is_winner: bool
    user_ids: tuple[int | None, ...] = ()
    avatars: tuple[bytes | None, ...] = ()
    sign: str = ""

    @property
    def portraits(self) -> list[tuple[str, bytes | None]]:
        """The members' names with their avatars."""
        return list(zip_longest(self.members, self.avatars))


@dataclass(frozen=True, slots=True)
class MatchPicture:
    """The score history of a match. `notes` are lines below it, such as who played best.

    `ends` are emojis that say how each round ended; `best_round` is the number of the one with the best moment, which
    `headline` tells.
    """

    title: str
    subtitle: str
    teams: tuple[TeamColumn, ...]
    notes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    best_round: int | None = None
    headline: str = ""


@dataclass(frozen=True, slots=True)
class AnimatedSeat:
    """A player's name, and the number of their team, from 0."""

    name: str
    team: int
    user_id: int | None = None
    avatar: bytes | None = None


@dataclass(frozen=True, slots=True)
class AnimationFrame:
    """A frame of an animation: hands by seat and the pool, None for an empty slot.

    - `actor`: the seat that acted; `card`: the card that it moved; `gesture`: what it showed or said.
    - `decisive_cards`: the cards in hands that decided the round.
    """

    caption: str
    detail: str
    hands: tuple[tuple[Card | None, ...], ...]
    pool: tuple[Card | None, ...]
    actor: int | None = None
    card: Card | None = None
    gesture: str = ""
    decisive_cards: tuple[Card, ...] = ()
    milliseconds: int = 900


@dataclass(frozen=True, slots=True)
class RoundAnimation:
    """The end of a round as an animation. `ranks` are written on French cards, by group from the two on."""

    title: str
    theme: Theme
    ranks: tuple[str, ...]
    seats: tuple[AnimatedSeat, ...]
    frames: tuple[AnimationFrame, ...]


@dataclass(frozen=True, slots=True)
class RunningSeat:
    """A player's name, the number of their team, from 0, their newest gesture, and how many cards they owe."""

    name: str
    team: int
    gesture: str = ""
    owes: int = 0


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A table in mid-round, as its onlookers see it. None is an empty slot of the pool.

    `scores` are the points by team, `note` other counts, such as games. `ranks` are written on French cards, by group
    from the two on.
    """

    theme: Theme
    ranks: tuple[str, ...]
    seats: tuple[RunningSeat, ...]
    pool: tuple[Card | None, ...]
    scores: tuple[str, ...]
    note: str = ""


Picture = BoardPicture | MatchPicture | RoundAnimation | RunningTable


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture as a file; `suffix` is `png` or `webp`."""

    data: bytes
    suffix: str


def avatar_user_ids(picture: Picture) -> frozenset[int]:
    """Return the ids of the users whose avatars the picture shows."""
    ids: Iterable[int | None] = ()
    match picture:
        case BoardPicture(rows=rows, has_podium=True):
            ids = (row.user_id for row in rows)
        case MatchPicture(teams=teams):
            ids = (user_id for team in teams for user_id in team.user_ids)
        case RoundAnimation(seats=seats):
            ids = (seat.user_id for seat in seats)
    return frozenset(user_id for user_id in ids if user_id is not None)


def with_avatars(picture: Picture, avatars: Mapping[int, bytes]) -> Picture:
    """Return the picture with these avatars."""

    def of(user_id: int | None) -> bytes | None:
        return None if user_id is None else avatars.get(user_id)

    match picture:
        case BoardPicture(rows=rows, has_podium=True):
            return replace(picture, rows=tuple(replace(row, avatar=of(row.user_id)) for row in rows))
        case MatchPicture(teams=teams):
            redrawn = (replace(team, avatars=tuple(map(of, team.user_ids))) for team in teams)
            return replace(picture, teams=tuple(redrawn))
        case RoundAnimation(seats=seats):
            return replace(picture, seats=tuple(replace(seat, avatar=of(seat.user_id)) for seat in seats))
        case _:
            return picture


class Pictures(Protocol):
    """Draws pictures."""

    async def draw(self, picture: Picture) -> PictureFile:
        """Return the picture as a file, drawn outside of the event loop. Equal pictures in a row are drawn once."""
