"""The best moment of a match: the winning call with the smallest lead over an opponent's."""

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Final

from bot.discord.text.texts import mark
from bot.game.events import COUNTERS, TRUE_KEMS, Outcome
from bot.game.views import TableView
from bot.ui.table.pages.round_end import margin_words
from bot.ui.words.table_text import TableText

_CALLS: Final = {
    Outcome.KEMS: mark("{name} calls Kem's {margin}"),
    Outcome.DOUBLE: mark("{name} calls a {double} {margin}"),
    Outcome.COUNTER: mark("{name} counters {margin}"),
    Outcome.DOUBLE_COUNTER: mark("{name} counters twice {margin}"),
}


def best_moment(rounds: Sequence[TableText]) -> TableText | None:
    """Return the round with the closest call: won by the fewest milliseconds. None if no call beat an opponent's."""
    close = [(margin, text) for text in rounds if (margin := margin_of(text.view)) is not None]
    return min(close, key=itemgetter(0))[1] if close else None


def filmed_round(rounds: Sequence[TableView], hidden: Collection[int] = ()) -> TableView | None:
    """Return the round of the best moment, or else the last round won by a true call; None if there is none.

    `hidden`: the numbers of rounds that are not filmed.
    """
    visible = [view for view in rounds if view.round not in hidden]
    close = [(margin, view) for view in visible if (margin := margin_of(view)) is not None]
    if close:
        return min(close, key=itemgetter(0))[1]
    won = [view for view in visible if view.result is not None and view.result.outcome in (*TRUE_KEMS, *COUNTERS)]
    return won[-1] if won else None


def won_by(text: TableText) -> str:
    """Return `Chloé counters 84 ms before Bruno's Kem's`; empty if the round was not that close."""
    result = text.view.result
    if result is None or result.margin is None or margin_of(text.view) is None:
        return ""
    values = {"name": text.name(result.margin.seat), "margin": " ".join(margin_words(result, text))}
    return text.texts.t(_CALLS.get(result.outcome, _CALLS[Outcome.KEMS]), double=text.double(), **values)


def best_moment_words(text: TableText) -> str:
    """Return a line on the best moment, with its round."""
    return text.texts.t("🏁 Round {number}: {what}", number=text.view.round, what=won_by(text))


def margin_of(view: TableView) -> int | None:
    """Return the lead of the round's winning call in milliseconds; None if no other call came at the same moment."""
    result = view.result
    if result is None or result.margin is None or result.points[view.seats[result.margin.seat].team] <= 0:
        return None
    return result.margin.milliseconds
