"""Which gestures are recorded: equal ones in quick succession count once, and the log of a round has a bound.

Neither rule asks whether a gesture is a sign, so nothing that is dropped, or recorded, betrays one. A sign says
something new with each new hand: so every gesture counts again once the seat has taken a card.
"""

from collections.abc import Iterator
from typing import Final

from bot.game.actions import MakeGesture
from bot.game.signs.sign import GestureKind, fold_emojis, fold_words
from bot.game.state import Gesture, State

AGAIN_MS: Final = 1000
"""Equal gestures of a seat within so many milliseconds of play count once, unless it took a card between them."""
MOST_ALIKE: Final = 100
"""Once a seat has made so many gestures in a round, each further one counts once until it takes a card."""
MOST_DIFFERENT: Final = 20
"""So many different gestures count until then, as many as a Discord message takes reactions."""


def is_repeat(state: State, action: MakeGesture, now: int) -> bool:
    """Returns whether the seat made this gesture a moment ago, and has taken no card since."""
    return any(now - made.at < AGAIN_MS and _text(made) == _text(action) for made in _with_hand(state, action.seat))


def is_too_much(state: State, action: MakeGesture) -> bool:
    """Returns whether the log of this round does not take the gesture before the seat takes a card."""
    if sum(made.seat == action.seat for made in state.gestures) < MOST_ALIKE:
        return False
    made = {_text(gesture) for gesture in _with_hand(state, action.seat)}
    return _text(action) in made or len(made) >= MOST_DIFFERENT


def _with_hand(state: State, seat: int) -> Iterator[Gesture]:
    """Yields the gestures that a seat has made since it took a card, and since its team changed how it signals."""
    taken, plan = state.seats[seat].taken, state.teams[state.team_of(seat)].plan
    return (made for made in state.gestures if made.seat == seat and (made.taken, made.plan) == (taken, plan))


def _text(made: Gesture | MakeGesture) -> tuple[bool, str]:
    """Returns the same for two gestures that are the same one, whether they were put on a message or posted."""
    is_said = made.kind is GestureKind.SAY
    return is_said, fold_words(made.text) if is_said else fold_emojis(made.text)
