"""The pages of a private panel: the hand, the sign, the choice of whom to counter. Each shows one seat's view alone."""

from collections.abc import Mapping
from enum import StrEnum, auto
from functools import partial
from typing import Final, assert_never

from bot.game.phase import Phase
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.layouts import at_rest, with_line
from bot.ui.kit.texts import Texts
from bot.ui.messages.screens import PanelPageScreen, Sight
from bot.ui.table.panel.counter_panel import counter_panel
from bot.ui.table.panel.hand_panel import hand_panel
from bot.ui.table.panel.show_panel import show_panel
from bot.ui.table.panel.sign_panel import sign_panel
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
    if page is PanelPage.SIGN and view.table.phase is Phase.SIGNS:
        page = PanelPage.HAND  # which is about the sign until cards are dealt
    seed = hash((table.id, sight.seat, view.table.round))
    match page:
        case PanelPage.HAND:
            panel = hand_panel(
                view,
                people,
                table.id,
                faces,
                sight.notice,
                order_seed=seed,
                coaching=table.coaching,
                advice=table.advice(sight.seat),
                lesson=table.lesson(sight.seat),
            )
        case PanelPage.SIGN | PanelPage.CHOICE:
            is_choosing = page is PanelPage.CHOICE
            panel = sign_panel(view, people, table.id, faces, sight.notice, order_seed=seed, is_choosing=is_choosing)
        case PanelPage.COUNTER:
            panel = counter_panel(view, people, table.id, faces)
        case PanelPage.SHOW:
            panel = show_panel(view, people, table.id, faces)
        case _:
            assert_never(page)
    if told is not None:
        panel = with_line(panel, told)
    return panel if view.table.pause is None else at_rest(panel, AT_REST)


PAGES: Final[Mapping[str, PanelPageScreen]] = {page: partial(_page, page) for page in PanelPage}
"""The hand comes first: a new round turns back to it."""
