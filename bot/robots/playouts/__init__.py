"""Matches on bit masks: the core's rules at many times its speed, for robots that think ahead and for simulations.

`bot.game` stays the judge of every real match. A position here is what a state is there, changed in place instead of
copied, without events and without a second judgement of each move. The modules have the names of their siblings in
`bot.game`, and the tests play both move by move. `not_played` names what a playout leaves out.

What each move of a seat is worth, in a world that chance has guessed:

    position = from_view(view, guess_hidden(view, dice), dice, now)
    for move in bits(legal(position, view.seat)):
        trial = position.copy()
        apply(trial, view.seat, move)
        play_round(trial, policy)
        gained = trial.points  # by team, the move's own points included
"""

from bot.robots.playouts.apply import advance, apply
from bot.robots.playouts.compiled_rules import NEVER, not_played
from bot.robots.playouts.legal import legal
from bot.robots.playouts.masks import bits, cards_of, mask_of
from bot.robots.playouts.moves import action_of, move_of
from bot.robots.playouts.playout import WAIT, Playout, Policy, at_random, play_match, play_round
from bot.robots.playouts.position import Position
from bot.robots.playouts.start import Hidden, from_state, from_view, guess_hidden, new_match

__all__ = [
    "NEVER",
    "WAIT",
    "Hidden",
    "Playout",
    "Policy",
    "Position",
    "action_of",
    "advance",
    "apply",
    "at_random",
    "bits",
    "cards_of",
    "from_state",
    "from_view",
    "guess_hidden",
    "legal",
    "mask_of",
    "move_of",
    "new_match",
    "not_played",
    "play_match",
    "play_round",
]
