"""The short log of a match's former rounds: their numbers, how each ended, and the team that ended it."""

from collections.abc import Sequence
from typing import Final

from bot.game.events import Outcome
from bot.game.views import TableView
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.palette import SLATE
from bot.ui.kit.texts import Texts, mark, unbroken
from bot.ui.words.scores import team_mark
from bot.ui.words.table_text import TableText

MOST: Final = 12  # rounds that are told
_ENDS: Final = {
    Outcome.KEMS: mark("Kem's"),
    Outcome.DOUBLE: mark("double"),
    Outcome.COUNTER: mark("counter"),
    Outcome.DOUBLE_COUNTER: mark("double counter"),
    Outcome.FALSE_KEMS: mark("false Kem's"),
    Outcome.FALSE_DOUBLE: mark("false double"),
    Outcome.FALSE_COUNTER: mark("false counter"),
    Outcome.FALSE_DOUBLE_COUNTER: mark("false double counter"),
    Outcome.FOUR_KEMS: mark("four Kem's"),
    Outcome.THREE_ALIKE: mark("three alike"),
    Outcome.TOO_MANY_SWEEPS: mark("too many sweeps"),
    Outcome.STOCK_OUT: mark("stock out"),
}


def log_line(log: Sequence[TableView], texts: Texts) -> str | None:
    """`Rounds: 1 Kem's ② · 2 counter ① · 3 three alike` in small print; None before the second round."""
    told = ["…"] * (len(log) > MOST) + [_round(view, texts) for view in log[-MOST:]]
    return "-# " + texts.t("Rounds: {rounds}", rounds=" · ".join(told)) if log else None


def log_board(table_text: TableText, log: Sequence[TableView]) -> Layout:
    """What is left of a message that the table has left for a newer one: the score and the log."""
    texts = table_text.texts
    return layout(
        text(table_text.score(), log_line(log, texts), "-# " + texts.t("The table goes on further down.")), colour=SLATE
    )


def _round(view: TableView, texts: Texts) -> str:
    result = view.result
    if result is None:
        return str(view.round)
    ended = texts.t(_ENDS[result.outcome])
    team = "" if result.caller is None else f" {team_mark(view.seats[result.caller].team)}"
    return unbroken(f"{view.round} {ended}{team}")  # a line breaks between rounds
