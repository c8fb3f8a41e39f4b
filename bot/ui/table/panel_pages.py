"""The pages of a private panel: the hand, the sign, the choice of whom to counter. Each shows one seat's view alone."""

from collections.abc import Callable, Mapping
from enum import StrEnum, auto
from functools import partial
from typing import Final

from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.layouts import at_rest, with_line
from bot.ui.kit.texts import Texts
from bot.ui.messages.screens import PanelPageScreen, Sight
from bot.ui.table.counter_panel import counter_panel
from bot.ui.table.hand_panel import hand_panel
from bot.ui.table.show_panel import show_panel
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import AT_REST
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import seated


class PanelPage(StrEnum):
    """What a panel shows; the values are stored."""

    HAND = auto()
    SIGN = auto()
    CHOICE = auto()
    COUNTER = auto()
    SHOW = auto()


def left_panel(texts: Texts) -> Layout:
    """In place of the hand of a player who has left the seat."""
    return layout(text(texts.t("You no longer sit at this table.")))


def _page(page: PanelPage, sight: Sight, faces: Faces, told: str | None) -> Layout:
    """A page as it looks now; nothing of the seat for a player who has left it."""
    table = sight.table
    if table.seat_of(sight.user_id) != sight.seat:
        return left_panel(sight.texts)
    view, people = table.seat_view(sight.seat), seated(table.lobby)
    if page is PanelPage.COUNTER:
        panel = counter_panel(view, people, table.id, faces)
    elif page is PanelPage.SHOW:
        panel = show_panel(view, people, table.id, faces)
    else:
        build = _BUILDERS[page]
        seed = hash((table.id, sight.seat, view.table.round))
        panel = build(view, people, table.id, faces, sight.notice, order_seed=seed)
    if told is not None:
        panel = with_line(panel, told)
    return panel if view.table.pause is None else at_rest(panel, AT_REST)


_BUILDERS: Final[Mapping[PanelPage, Callable[..., Layout]]] = {
    PanelPage.HAND: hand_panel,
    PanelPage.SIGN: sign_panel,
    PanelPage.CHOICE: partial(sign_panel, is_choosing=True),
}
PAGES: Final[Mapping[str, PanelPageScreen]] = {page: partial(_page, page) for page in PanelPage}
"""The hand comes first: a new round turns back to it."""
