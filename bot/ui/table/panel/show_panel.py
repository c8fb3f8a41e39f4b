"""The private choice of cards to show after a false counter."""

from collections.abc import Sequence
from typing import Final

from bot.game.actions import ShowCards
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import ids_of
from bot.ui.kit.palette import BLUE
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText

_IN_ROW: Final = 2


def show_panel(view: SeatView, people: Sequence[Player], table_id: int, faces: Faces) -> c.Layout:
    """Every choice that the core would take; nothing once the cards were shown."""
    t, ids = faces.texts.t, ids_of(table_id, view.table.round)
    viewer = view.table.seats[view.seat].must_show_to
    if viewer is None:
        said = t("There is nothing to show any more.")
    else:
        name = TableText(view.table, people, faces).name(viewer)
        said = t("**Show cards to {name}.** Nobody else sees them.", name=name)
    choices = sorted(action.cards for action in view.special_moves if isinstance(action, ShowCards))
    buttons = [
        c.button(faces.labels(cards), ids(TableVerb.SHOW, "".join(card.code for card in cards))) for cards in choices
    ]
    back = c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    return c.layout(c.text(said), *c.rows(buttons, _IN_ROW), c.row(back), colour=BLUE)
