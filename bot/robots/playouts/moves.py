"""Moves as small numbers, and the legal moves of a seat as one bit mask of them.

Putting down card c is move c, taking it is move TAKE + c. So the put-downs of a hand are the hand's own mask, and the
takes from a pool are the pool's mask, shifted.
"""

from typing import Final

from bot.game import actions as a
from bot.robots.playouts.masks import card_of, number_of

_MOST_SEATS: Final = 12
_MOST_TEAMS: Final = 6

TAKE: Final = 64
ASK: Final = 128
AGREE: Final = 129
REFUSE: Final = 130
OPEN: Final = 131
NEXT: Final = 132
SIGN: Final = 133
"""Makes the team's sign in the open. Only rules to which that matters know this move."""

KEMS: Final = 134
"""The first of the calls, which are the highest moves."""
DOUBLE: Final = 135
COUNTER_PLAYER: Final = 136
"""COUNTER_PLAYER + seat counters that seat."""
COUNTER_TEAM: Final = COUNTER_PLAYER + _MOST_SEATS
DOUBLE_COUNTER: Final = COUNTER_TEAM + _MOST_TEAMS
MOVES: Final = DOUBLE_COUNTER + _MOST_TEAMS
"""Every move is below."""

COUNTERS: Final = (1 << MOVES) - (1 << COUNTER_PLAYER)
"""The mask of all counters."""
DOUBLE_COUNTERS: Final = (1 << MOVES) - (1 << DOUBLE_COUNTER)
"""The mask of all double counters."""


def move_of(action: a.Action) -> int | None:
    """Returns the move that an action of the core is, None for an action that playouts leave out.

    Those settle, make or guess signs, or show cards.
    """
    match action:
        case a.PutDown(card=card):
            return number_of(card)
        case a.Take(card=card):
            return TAKE + number_of(card)
        case a.AskSweep():
            return ASK
        case a.AnswerSweep(agrees=agrees):
            return AGREE if agrees else REFUSE
        case a.OpenHunt():
            return OPEN
        case a.NextRound():
            return NEXT
        case a.CallKems():
            return KEMS
        case a.CallDouble():
            return DOUBLE
        case a.CounterPlayer(target=target):
            return COUNTER_PLAYER + target
        case a.CounterTeam(team=team, is_double=is_double):
            return (DOUBLE_COUNTER if is_double else COUNTER_TEAM) + team
        case _:
            return None


def action_of(seat: int, move: int) -> a.Action:
    """Returns the action of the core that a seat's move is.

    Raises:
        ValueError: the move is SIGN, whose words a playout does not know, or it is none.
    """
    if 0 <= move < TAKE:
        return a.PutDown(seat, card_of(move))
    if TAKE <= move < ASK:
        return a.Take(seat, card_of(move - TAKE))
    if COUNTER_PLAYER <= move < COUNTER_TEAM:
        return a.CounterPlayer(seat, move - COUNTER_PLAYER)
    if COUNTER_TEAM <= move < DOUBLE_COUNTER:
        return a.CounterTeam(seat, move - COUNTER_TEAM)
    if DOUBLE_COUNTER <= move < MOVES:
        return a.CounterTeam(seat, move - DOUBLE_COUNTER, is_double=True)
    plain: dict[int, a.Action] = {
        ASK: a.AskSweep(seat),
        AGREE: a.AnswerSweep(seat, agrees=True),
        REFUSE: a.AnswerSweep(seat, agrees=False),
        OPEN: a.OpenHunt(seat),
        NEXT: a.NextRound(seat),
        KEMS: a.CallKems(seat),
        DOUBLE: a.CallDouble(seat),
    }
    if move not in plain:
        raise ValueError(f"move {move} is no action: take one of a seat's legal moves, but not SIGN ({SIGN})")
    return plain[move]
