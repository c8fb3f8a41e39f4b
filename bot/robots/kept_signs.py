"""Kept signs: gestures with which a team has won rounds before, as everybody at the table could see.

The hands that a result lays open show who had the Kem's, and all have seen what that seat did last.
"""

from collections.abc import Iterable
from typing import Final

from bot.game.events import COUNTERS, TRUE_KEMS
from bot.game.signs import GestureKind, Sign, sign_of
from bot.game.views import TableView

KEPT_WINS: Final = 2
"""Rounds of a match that a gesture has to win to count as kept."""


def winning_gestures(table: TableView) -> frozenset[tuple[int, Sign]]:
    """Return the winning team with the last gesture of each holder; nothing if no Kem's has won the round."""
    result = table.result
    if result is None or result.outcome not in TRUE_KEMS or result.caller is None:
        return frozenset()
    team, latest = table.seats[result.caller].team, _latest(table)
    holders = (seat for seat in result.kems_holders if table.seats[seat].team == team)
    return frozenset((team, latest[seat]) for seat in holders if seat in latest)


def countered_sign(table: TableView, former: Iterable[TableView]) -> Sign | None:
    """Return the gesture for which a player was rightly countered in this round, if it is one of the `former` signs."""
    result = table.result
    if result is None or result.outcome not in COUNTERS:
        return None
    won = [made for view in former for made in winning_gestures(view)]
    latest = _latest(table)
    accused = [seat for seat in result.kems_holders if result.target in (None, seat) and seat in latest]
    signs = ((table.seats[seat].team, latest[seat]) for seat in accused)
    return next((sign for team, sign in signs if won.count((team, sign)) >= KEPT_WINS), None)


def _latest(table: TableView) -> dict[int, Sign]:
    """Return by seat the last visible gesture of the round."""
    assert table.result is not None, "the round is over"
    seen = (made for made in table.gestures if made.kind is not GestureKind.SAY and made.at <= table.result.at)
    return {made.seat: sign_of(made.kind, made.text) for made in seen}
