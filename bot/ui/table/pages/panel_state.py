"""The state of a hand panel: the page that its player has turned to, and the values that the page shows."""

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

    - `notice`: that answer.
    - `option`: what a view-only button has set; empty for nothing.
    - `until`: when both lapse (milliseconds).
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
"""Renders a panel at an instant; the text says why the table's public message cannot be shown."""


@value
class PanelView:
    """The values from which a page of a seat's panel is rendered, in the language of the `faces`.

    - `now`: an instant in milliseconds.
    - `order_seed`: draws the order of the gestures; keep it the same for a seat during a round.
    - `notice`: the answer to a press.
    - `chosen`: the card of the middle for which the next one of the hand goes down.
    - `advice`, `lesson`: what a coach says and teaches now, if the table's `coaching` is on.
    - `level`: what is marked at all; with `has_free_level` the reader may choose another one.
    - `is_first_unguided`: it is the reader's first match in which nothing is highlighted by itself.
    - `ready`: user ids of players who ask for a rematch; `away`: of those who cannot come to it.
    - `is_inherited`: the former player of the seat made the proposal that the seat makes.
    - `played`: the players of the finished round; `is_new`: the reader was not among them.
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
    is_first_unguided: bool = False
    ready: Collection[int] = ()
    away: Mapping[int, Away] = field(default_factory=dict)
    is_inherited: bool = False
    played: Sequence[Player] = ()
    is_new: bool = False
