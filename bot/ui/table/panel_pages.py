"""The pages of a private panel: the hand, the sign, the choice of whom to counter. Each shows one seat's view alone."""

from collections.abc import Callable, Mapping
from enum import StrEnum, auto
from functools import partial
from typing import Final

from bot.game.views import SeatView
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.layouts import at_rest, with_line
from bot.ui.kit.texts import Texts
from bot.ui.messages.screens import PanelPageScreen, Sight
from bot.ui.table.hand_panel import counter_panel, hand_panel
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import AT_REST
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import seated


class PanelPage(StrEnum):
    """What a panel shows; the values are stored."""

    HAND = auto()
    SIGN = auto()
    COUNTER = auto()


Build = Callable[[Sight, SeatView, Faces], Layout]


def _hand(sight: Sight, view: SeatView, faces: Faces) -> Layout:
    people, seed = seated(sight.table.lobby), _order_seed(sight, view)
    return hand_panel(view, people, sight.table.id, faces, sight.notice, order_seed=seed)


def _sign(sight: Sight, view: SeatView, faces: Faces) -> Layout:
    people, seed = seated(sight.table.lobby), _order_seed(sight, view)
    return sign_panel(view, people, sight.table.id, faces, sight.notice, order_seed=seed)


def _counter(sight: Sight, view: SeatView, faces: Faces) -> Layout:
    return counter_panel(view, seated(sight.table.lobby), sight.table.id, faces)


def _page(build: Build, sight: Sight, faces: Faces, told: str | None) -> Layout:
    """A page as it looks now; nothing of the seat for a player who has left it."""
    if sight.table.seat_of(sight.user_id) != sight.seat:
        return left_panel(sight.texts)
    view = sight.table.seat_view(sight.seat)
    panel = build(sight, view, faces)
    if told is not None:
        panel = with_line(panel, told)
    return panel if view.table.pause is None else at_rest(panel, AT_REST)


def left_panel(texts: Texts) -> Layout:
    """In place of the hand of a player who has left the seat."""
    return layout(text(texts.t("You no longer sit at this table.")))


def _order_seed(sight: Sight, view: SeatView) -> int:
    """Keeps the order of gestures the same for a seat during a round."""
    return hash((sight.table.id, sight.seat, view.table.round))


PAGES: Final[Mapping[str, PanelPageScreen]] = {
    PanelPage.HAND: partial(_page, _hand),
    PanelPage.SIGN: partial(_page, _sign),
    PanelPage.COUNTER: partial(_page, _counter),
}
"""The hand comes first: a new round turns back to it."""
