"""What a table's messages offer to people about themselves: go on after a pause, take an open seat."""

from collections.abc import Sequence
from typing import Final

from discord.app_commands import Choice, locale_str

from bot.game.phase import Phase
from bot.game.views import TableView
from bot.records.player import Player
from bot.tables.absence import Absence
from bot.ui.kit.components import PRIMARY, SUCCESS, Button, button
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.texts import Texts, mark
from bot.ui.table.verbs import TableVerb

ABSENCE_NAMES: Final = {
    Absence.ROBOT: mark("a robot plays until they are back"),
    Absence.SUBSTITUTE: mark("somebody else may take the seat"),
    Absence.WAIT: mark("everybody waits"),
    Absence.END: mark("the match ends"),
}
ABSENCES: Final = [Choice(name=locale_str(name), value=absence.value) for absence, name in ABSENCE_NAMES.items()]
"""What may become of people who do not come, as a command offers it."""


def people_buttons(view: TableView, people: Sequence[Player], ids: Ids, texts: Texts) -> list[Button]:
    """At the right end of the last row, so that nothing moves when one comes."""
    if view.phase is Phase.MATCH_OVER:
        return []
    if view.pause is not None:
        return [button(texts.t("▶ Resume"), ids(TableVerb.RESUME), style=SUCCESS)]
    seat = next((seat for seat, player in enumerate(people) if player.is_open), None)
    if seat is None:
        return []
    return [button(texts.t("🪑 Step in"), ids(TableVerb.SUBSTITUTE, str(seat)), style=PRIMARY)]
