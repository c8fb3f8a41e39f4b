"""Sets of cards as bit masks.

A card is the number 4 x group + member; 52 and 53 are the jokers. A set of cards is an integer in which bit `card` is
set for each of them. So a group is four neighbouring bits, from bit 4 x group on.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from bot.game.cards import HAND_SIZE, JOKER_GROUP, Card, is_kems

MEMBERS: Final = 4
NUMBERS: Final = MEMBERS * (JOKER_GROUP + 1)
"""Every card number is below."""


def number_of(card: Card) -> int:
    return MEMBERS * card.group + card.member


def card_of(number: int) -> Card:
    return Card(*divmod(number, MEMBERS))


def mask_of(cards: Iterable[Card]) -> int:
    """Returns the mask of a set of cards."""
    mask = 0
    for card in cards:
        mask |= 1 << number_of(card)
    return mask


def bits(mask: int) -> list[int]:
    """Returns the numbers of the bits that are set, in ascending order."""
    numbers = []
    while mask:
        lowest = mask & -mask
        numbers.append(lowest.bit_length() - 1)
        mask ^= lowest
    return numbers


def cards_of(mask: int) -> list[Card]:
    """Returns the cards of a mask, in ascending order."""
    return [card_of(number) for number in bits(mask)]


def _kems_hands() -> frozenset[int]:
    jokers = (Card(JOKER_GROUP, 0), Card(JOKER_GROUP, 1))
    groups = [[*(Card(group, member) for member in range(MEMBERS)), *jokers] for group in range(JOKER_GROUP)]
    return frozenset(mask_of(hand) for group in groups for hand in combinations(group, HAND_SIZE) if is_kems(hand))


KEMS_HANDS: Final = _kems_hands()
"""The 195 hands that are a Kem's: four alike, or fewer with the jokers that stand for the others."""

IS_THREE_ALIKE: Final = tuple(members.bit_count() >= HAND_SIZE - 1 for members in range(1 << MEMBERS))
"""By the four bits of one group: whether they are three or four cards."""

_FIRST_MEMBERS: Final = sum(1 << MEMBERS * group for group in range(JOKER_GROUP))


def has_three_alike(mask: int) -> bool:
    """Returns whether a set holds three cards of a group: both of one half of the group, and one of the other half."""
    both = mask & mask >> 1
    either = mask | mask >> 1
    return (both & either >> 2 | both >> 2 & either) & _FIRST_MEMBERS != 0


def three_alike(mask: int) -> int:
    """Returns the three or four cards of one group in a hand, 0 where there are none."""
    for group in range(JOKER_GROUP):
        alike = mask & 0b1111 << MEMBERS * group
        if alike.bit_count() >= HAND_SIZE - 1:
            return alike
    return 0


JOKERS: Final = 0b11 << MEMBERS * JOKER_GROUP
