"""What a table's messages offer to people about themselves: go on after a pause, take an open seat; and a last word."""

from collections.abc import Sequence

from bot.game.phase import Phase
from bot.game.views import TableView
from bot.live.people import Player
from bot.ui.ids import Verb, make_id
from bot.ui.parts import PRIMARY, SUCCESS, Button, Layout, button, layout, text
from bot.ui.texts import Texts


def people_buttons(view: TableView, people: Sequence[Player], table_id: int, texts: Texts) -> list[Button]:
    """At the right end of the last row, so that nothing moves when one comes."""
    if view.phase is Phase.MATCH_OVER:
        return []
    if view.pause is not None:
        return [button(texts.t("▶ Resume"), make_id(table_id, Verb.RESUME), style=SUCCESS)]
    seat = next((seat for seat, player in enumerate(people) if player.is_open), None)
    if seat is None:
        return []
    return [button(texts.t("🪑 Step in"), make_id(table_id, Verb.SUBSTITUTE, str(seat)), style=PRIMARY)]


def left_panel(texts: Texts) -> Layout:
    """In place of the hand of somebody who does not sit there any more."""
    return layout(text(texts.t("You no longer sit at this table.")))
