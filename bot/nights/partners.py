"""The pairs of a night as they can play now: with their partner, with a substitute, or with a robot."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.nights.entrants import Presence
from bot.nights.history import knocked_out, lot, played
from bot.nights.night import Night


@dataclass(frozen=True, slots=True)
class NightPair:
    """Two who play together; `other` is None for a robot. The record of `first` is that of the pair.

    `is_new`: both were without a partner, and are partners from now on. Otherwise `other` may be a substitute for
    somebody who is absent.
    """

    first: int
    other: int | None
    is_new: bool = False

    @property
    def people(self) -> tuple[int, ...]:
        """Its entrants, the first one first."""
        return (self.first,) if self.other is None else (self.first, self.other)


def playing_pairs(night: Night) -> tuple[tuple[NightPair, ...], tuple[int, ...]]:
    """Returns the pairs of those who are there, by number, and those who find no partner.

    People without a partner, or whose partner is absent, are put together by lot. A robot plays for the partner of the
    last one where robots fill, and where that one has played before. In a knock-out nobody who has lost plays on.
    """
    out = knocked_out(night)
    records = played(night)
    tables = {number: len(record) for number, record in records.items()}
    there = {entrant.number for entrant in night.present} - out

    def together(one: int, other: int, *, is_new: bool = False) -> NightPair:
        first = min(one, other, key=lambda number: (-tables.get(number, 0), number))
        return NightPair(first, other if first == one else one, is_new)

    found = [
        together(number, partner)
        for number in there
        if (partner := night.entrants[number].partner) is not None and partner in there and number < partner
    ]
    single = sorted(there - {number for pair in found for number in pair.people}, key=lambda number: lot(night, number))
    for one, other in zip(single[::2], single[1::2], strict=False):
        are_free = night.entrants[one].partner is None and night.entrants[other].partner is None
        found.append(together(one, other, is_new=are_free))
    left = tuple(single[-1:]) if len(single) % 2 else ()
    if left and (night.plan.fills_with_robots or tables.get(left[0])):
        found.append(NightPair(left[0], None))
        left = ()
    return tuple(sorted(found, key=lambda pair: min(pair.people))), left


def recorded_pairs(night: Night) -> tuple[tuple[int, ...], ...]:
    """Returns the pairs that have a place in the standings, the one first whose record counts for both.

    A pair of now; then those who have played and are alone, with their last partner if that one is alone too. Whose
    last partner plays on with somebody else has left their record to them.
    """
    records = played(night)
    order = sorted(range(len(night.entrants)), key=lambda number: (-len(records.get(number, ())), number))
    placed: set[int] = set()
    found: list[tuple[int, ...]] = []

    def place(*people: int) -> None:
        placed.update(people)
        found.append(people)

    for number in order:
        partner = night.entrants[number].partner
        if partner is not None and number not in placed:
            place(number, partner)
    for number in order:
        if number in placed or not (number in records or night.entrants[number].presence is Presence.IN):
            continue
        mate = _last_partner(records[number][-1].table.seats, number) if number in records else None
        if mate is None:
            place(number)
        elif mate not in placed:
            place(number, mate)
    return tuple(found)


def _last_partner(seats: Sequence[int | None], number: int) -> int | None:
    half = len(seats) // 2
    return seats[(seats.index(number) + half) % len(seats)]
