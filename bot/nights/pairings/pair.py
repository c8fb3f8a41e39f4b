"""The next round of any format."""

from dataclasses import replace
from random import Random

from bot.nights.course import queue
from bot.nights.entrants import Entrant
from bot.nights.history import meetings
from bot.nights.night import Night
from bot.nights.pairings.individuals import pair_individuals
from bot.nights.pairings.pairs import match_pairs
from bot.nights.plan import Format
from bot.nights.rounds import Pairing


def pair(night: Night, rng: Random) -> Pairing:
    """Returns the next round of a night; equal nights and equal seeds of `rng` give equal rounds.

    For a lounge: the tables that its queue fills now. It takes a second of one core for 200 people, so that it belongs
    into a thread. Without enough people there are no tables.
    """
    if night.plan.format.has_pairs:
        return match_pairs(night, rng)
    is_lounge = night.plan.format is Format.LOUNGE
    people = _first_of_queue(night) if is_lounge else night.present
    numbers = [entrant.number for entrant in people]
    robots = night.plan.fills_with_robots
    found = pair_individuals(numbers, meetings(night), night.plan.size, rng, with_robots=robots)
    return replace(found, byes=()) if is_lounge else found


def _first_of_queue(night: Night) -> tuple[Entrant, ...]:
    """Who fills whole tables, those who have waited longest first; those who fill a part of one where none is whole."""
    waiting = queue(night)
    whole = len(waiting) // night.plan.size * night.plan.size
    rest = len(waiting) if night.plan.fills_with_robots else len(waiting) // 2 * 2
    return waiting[: whole or rest]
