"""What the table's message offers to people about themselves: to go on after a pause."""

from bot.game.views import TableView
from bot.ui.ids import Verb, make_id
from bot.ui.parts import SUCCESS, Button, button
from bot.ui.texts import Texts


def people_buttons(view: TableView, table_id: int, texts: Texts) -> list[Button]:
    """At the right end of the last row, so that nothing moves when one comes."""
    if view.pause is None:
        return []
    return [button(texts.t("▶ Resume"), make_id(table_id, Verb.RESUME), style=SUCCESS)]
