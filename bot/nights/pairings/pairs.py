"""Fixed pairs: Swiss, knock-out, round robin."""

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Final

from bot.nights.course import knockout_size, round_robin_slots
from bot.nights.history import both, meetings, seed_order
from bot.nights.night import Night
from bot.nights.pairings.matching import cheapest_matching, into_tables, seats
from bot.nights.partners import NightPair, playing_pairs
from bot.nights.plan import Format
from bot.nights.rounds import Pairing
from bot.nights.standings import standings

_CHANCE: Final = 100
"""Chance decides between rounds of equal cost. Each level below outweighs all those above it together."""
_GAP: Final = 10**5
_REMATCH: Final = 10**11
_BYE: Final = 10**16


def match_pairs(night: Night, rng: Random) -> Pairing:
    """Returns the next round of a night of fixed pairs; who finds no partner has no table."""
    found, alone = playing_pairs(night)
    most = night.plan.size // 2
    if len(found) < 2:
        return Pairing((), (*_people(found), *alone))
    match night.plan.format:
        case Format.KNOCKOUT:
            tables = _knockout(night, found, most)
        case Format.ROUND_ROBIN if most == 2:
            tables = _berger(night, found, rng)
        case _:
            tables = _swiss(night, found, most, rng)
    playing = {each.first for table in tables for each in table}
    byes = _people([each for each in found if each.first not in playing])
    new = tuple(both(each.first, each.other) for each in found if each.is_new and each.other is not None)
    made = tuple(seats([(each.first, each.other) for each in table]) for table in tables)
    return Pairing(made, (*byes, *alone), new)


def _swiss(night: Night, found: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
    """Pairs of equal score meet, none twice, and byes go round from the last place up.

    A round robin at tables of three and four pairs is the same with every score equal.
    """
    before = meetings(night)
    score = dict.fromkeys(range(len(night.entrants)), 0)
    if night.plan.format is Format.SWISS:
        score |= {number: line.points for line in standings(night) for number in line.entrants}
    drawn = {each.first: rng.random() for each in found}
    order = sorted(found, key=lambda each: (-score[each.first], drawn[each.first]))

    def met(one: NightPair, other: NightPair) -> int:
        return max(before.opponents[both(a, b)] for a in one.people for b in other.people)

    def again(one: int, other: int) -> bool:
        return other < len(order) and met(order[one], order[other]) > 0

    def cost(one: int, other: int) -> int:
        if other == len(order):  # the bye
            each = order[one]
            gap = score[each.first] - score[order[-1].first]
            return before.byes[each.first] ** 2 * _BYE + gap**2 * _GAP + rng.randrange(_CHANCE)
        gap = score[order[one].first] - score[order[other].first]
        return met(order[one], order[other]) ** 2 * _REMATCH + gap**2 * _GAP + rng.randrange(_CHANCE)

    if most > 2:
        tables = into_tables(len(order), most, cost, rng)
    else:
        tables = [edge for edge in cheapest_matching(len(order) + len(order) % 2, cost, again) if edge[1] < len(order)]
    return [[order[number] for number in table] for table in tables]


def _berger(night: Night, found: Sequence[NightPair], rng: Random) -> list[list[NightPair]]:
    """Each pair meets each by Berger's tables: the last slot stays, the others move on by one place a round."""
    if night.rounds:
        slots = _in_slots(found, round_robin_slots(night))
    else:
        slots = [*found]
        rng.shuffle(slots)
        slots = [*slots, *[None] * (len(slots) % 2)]
    moving = len(slots) - 1
    turn = len(night.rounds) % moving
    places = [*slots[turn:moving], *slots[:turn], slots[moving]]
    couples = ((places[place], places[moving - place]) for place in range(len(places) // 2))
    return [[one, other] for one, other in couples if one is not None and other is not None]


def _in_slots(found: Sequence[NightPair], slots: Sequence[tuple[int, ...]]) -> list[NightPair | None]:
    """The pair that plays for each slot: that of the first of its people who is there and plays for no other slot."""
    free = list(found)
    placed: list[NightPair | None] = []
    for people in slots:
        each = next((each for number in people for each in free if number in each.people), None)
        placed.append(each)
        if each is not None:
            free.remove(each)
    return placed


def _knockout(night: Night, found: Sequence[NightPair], most: int) -> list[list[NightPair]]:
    """Who is left, by seed: the best of them have the byes, the best meet the last; the last few share a final table.

    After it a full bracket is left, so that only the first round has byes while nobody leaves.
    """
    order = sorted(found, key=lambda each: seed_order(night, each.people))
    out = len(order) - knockout_size(len(order), most)
    full, rest = divmod(out, most - 1)
    sizes = [most] * full + [rest + 1] * (rest > 0)
    playing = order[len(order) - sum(sizes) :]
    tables: list[list[NightPair]] = [[] for _ in sizes]
    turn = 1
    while playing:  # to and fro over the tables that have a free place
        for size, table in list(zip(sizes, tables, strict=True))[::turn]:
            if len(table) < size and playing:
                table.append(playing.pop(0))
        turn = -turn
    return tables


def _people(found: Sequence[NightPair]) -> tuple[int, ...]:
    """The people of pairs; the two of a pair follow one another."""
    return tuple(chain.from_iterable(each.people for each in found))
