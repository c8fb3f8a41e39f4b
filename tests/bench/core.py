"""The pure core: random legal play, moves a second, against the plainest card game there is on mutable lists."""

from collections import deque
from collections.abc import Iterator
from random import Random

from bot.game.actions import AcceptSign, Action, ProposeSign, Tick
from bot.game.deadlines import next_deadline
from bot.game.decide import decide, start_match
from bot.game.decks import DECKS, DeckKind
from bot.game.evolve import evolve_all
from bot.game.legal import legal_moves
from bot.game.phase import Phase
from bot.game.presets import PRESETS
from bot.game.refusals import Refusal
from bot.game.sign_plans import one_sign
from bot.game.signs import HOUSE_SIGNS, emoji_sign
from bot.game.state import State

BATTLES = 500


def kems_moves(preset: str, seed: int) -> Iterator[int]:
    """Play random matches for ever; yields the number of moves that seats made in each step, 0 or 1."""
    rng = Random(seed)
    while True:
        state = evolve_all(None, start_match(PRESETS[preset], seats=4, teams=2, dealer=3, now=0))
        for seat in range(4):
            plan = one_sign(emoji_sign(HOUSE_SIGNS[seat % 2]))
            action: Action = ProposeSign(seat, plan) if seat < 2 else AcceptSign(seat, plan)
            state = _after(state, action, 0, rng)
        now = 0
        while state.phase is not Phase.MATCH_OVER:
            now += int(rng.random() * 1500)
            due = next_deadline(state)
            if due is not None and due <= now:
                state = _after(state, Tick(), now, rng)
                yield 0
                continue
            seat = state.dealer if state.phase is Phase.READY else int(rng.random() * 4)  # nobody else has a move then
            moves = legal_moves(state, seat, now)
            if moves:
                state = _after(state, moves[int(rng.random() * len(moves))], now, rng)
            yield min(len(moves), 1)


def battle_moves(seed: int) -> Iterator[int]:
    """Play the card game War for ever, without rules to check or a past to keep; yields 1 for each card laid."""
    rng = Random(seed)
    deck = list(DECKS[DeckKind.D52])
    while True:
        rng.shuffle(deck)
        hands = deque(deck[:26]), deque(deck[26:])
        for _ in range(BATTLES):
            if not all(hands):
                break
            laid = [hand.popleft() for hand in hands]
            hands[laid[0].group < laid[1].group].extend(laid)
            yield 1
            yield 1


def _after(state: State, action: Action, now: int, rng: Random) -> State:
    outcome = decide(state, action, now, rng)
    return state if isinstance(outcome, Refusal) else outcome.state
