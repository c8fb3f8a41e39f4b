"""The next round of any format."""

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
    people = night.present if night.plan.format is Format.ROTATION else _first_of(queue(night), night.plan.size)
    found = pair_individuals(
        [entrant.number for entrant in people],
        meetings(night),
        night.plan.size,
        rng,
        with_robots=night.plan.fills_with_robots,
    )
    return found if night.plan.format is Format.ROTATION else Pairing(found.tables)


def _first_of(waiting: tuple[Entrant, ...], size: int) -> tuple[Entrant, ...]:
    """Who fills whole tables, those who have waited longest first; without a whole table everybody."""
    return waiting[: len(waiting) // size * size] or waiting
