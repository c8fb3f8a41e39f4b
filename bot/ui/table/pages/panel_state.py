"""What a private panel shows: the page that its player has turned to, and what that page is drawn from."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game.cards import Card
from bot.game.value import value
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson
from bot.records.player import HelpLevel, Player
from bot.robots.reasons import Advice
from bot.tables.lobby.help import Coaching
from bot.tables.match.table import Away, Table


class PanelPage(StrEnum):
    """What a panel shows; the values are stored."""

    HAND = auto()
    SIGN = auto()
    CHOICE = auto()
    COUNTER = auto()
    SHOW = auto()


@dataclass(frozen=True, slots=True)
class PanelState:
    """What a player sees on their panel: a page, and for a while the answer to a press.

    `notice` is that answer, and `option` what a view-only button has set, "" for nothing; `until` is when they lapse
    (milliseconds).
    """

    table: Table
    seat: int
    user_id: int
    texts: Texts
    page: PanelPage
    notice: str | None = None
    option: str = ""
    until: int = 0


DrawPanel = Callable[[PanelState, Faces, str | None, int], Layout]
"""Draws a panel at an instant; the text says why the table's public message cannot be shown."""


@value
class PanelView:
    """What a page of a seat's panel is drawn from, at `now` (milliseconds), in the language of the `faces`.

    `order_seed` draws the order of the gestures; keep it the same for a seat during a round. `notice` answers a press.
    For the `chosen` card of the middle the next one of the hand goes down. `advice` is what a coach says, where the
    table's `coaching` is on, `lesson` what it teaches just now. `level` says what is marked at all; with
    `has_free_level` the reader may choose another one. `is_unguided`: by itself nothing lights up for the first time.
    `ready` are the user ids of those who ask for a rematch, `away` those of players who cannot come to it.
    `is_inherited`: who sat there before has proposed what the reader's seat proposes. `played` are those who played the
    round that is over, where others than the `people` did, and the reader `is_new` since.
    """

    view: SeatView
    people: Sequence[Player]
    table_id: int
    faces: Faces
    now: int
    order_seed: int
    page: PanelPage = PanelPage.HAND
    notice: str | None = None
    chosen: Card | None = None
    coaching: Coaching = Coaching.NONE
    advice: Advice | None = None
    lesson: Lesson | None = None
    level: HelpLevel = HelpLevel.GUIDED
    has_free_level: bool = False
    is_ranked: bool = False
    is_unguided: bool = False
    ready: Collection[int] = ()
    away: Mapping[int, Away] = field(default_factory=dict)
    is_inherited: bool = False
    played: Sequence[Player] = ()
    is_new: bool = False
