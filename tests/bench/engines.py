"""Other games' engines, at random legal play. It runs where they are installed, which is not where the bot is.

`python tests/bench/engines.py SECONDS` plays for so many seconds for each name that it reads on standard input, and
writes the moves a second. A move is what a player decides, not what chance deals or an engine does by itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random

_PLIES = 200
"""Random games of chess hardly end; after so many half-moves another one begins."""
_STACK = 10_000
_BLINDS = (50, 100)


def uno(rng: Random) -> Iterator[int]:
    """rlcard's UNO of two players, in its environment; https://rlcard.org."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            yield 1


def chess(rng: Random) -> Iterator[int]:
    """python-chess; https://python-chess.readthedocs.io."""
    import chess

    while True:
        board = chess.Board()
        for _ in range(_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            yield 1


def poker(rng: Random) -> Iterator[int]:
    """PokerKit's no-limit hold'em of two players; https://pokerkit.readthedocs.io."""
    from pokerkit import Automation, NoLimitTexasHoldem

    while True:
        hand = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, _BLINDS, _BLINDS[1], (_STACK, _STACK), 2)
        while hand.status:
            ways = (
                (hand.can_fold, hand.fold),
                (hand.can_check_or_call, hand.check_or_call),
                (hand.can_complete_bet_or_raise_to, hand.complete_bet_or_raise_to),
            )
            move = rng.choice([move for is_legal, move in ways if is_legal()])
            if move == hand.complete_bet_or_raise_to:
                least = hand.min_completion_betting_or_raising_to_amount
                move(rng.randint(least, hand.max_completion_betting_or_raising_to_amount))
            else:
                move()
            yield 1


def hearts(rng: Random) -> Iterator[int]:
    """OpenSpiel's hearts of four players, written in C++; chance deals as its documentation shows, by its odds.

    Source: https://github.com/google-deepmind/open_spiel/blob/master/docs/api_reference/state_chance_outcomes.md
    """
    import pyspiel

    game = pyspiel.load_game("hearts")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                dealt, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(dealt, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                yield 1


ENGINES = {"rlcard UNO": uno, "python-chess": chess, "PokerKit": poker, "OpenSpiel hearts": hearts}


def main(seconds: float) -> None:
    """Answer until standard input ends."""
    started: dict[str, Iterator[int]] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in started:
            started[name] = ENGINES[name](Random(1))
            next(started[name])  # imports the engine
        moves, count, began = started[name], 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            count += next(moves)
        print(count / passed, flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
