"""Cards, hands and decks. Names and pictures of cards are elsewhere."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from bot.game.value import Choice

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
JOKER_GROUP: Final = len(RANKS)
HAND_SIZE: Final = 4
ALIKE: Final = 3
"""How many cards of a group are "three alike", in a hand as dealt and in the pool."""


class Card(NamedTuple):
    """A card. Four of one `group` (a rank, or one of thirteen characters) are a Kem's; `member` counts from 0.

    In two packs, members from 4 on have the faces of members 0 to 3.

    Example:
        >>> str(Card(12, 1)), parse_card("7s").code
        ('AH', '7S')
    """

    group: int
    member: int

    def __str__(self) -> str:
        return self.code

    @property
    def is_joker(self) -> bool:
        """Whether it is a joker."""
        return self.group == JOKER_GROUP

    @property
    def face(self) -> "Card":
        """The card of the first pack that looks like this one."""
        return Card(self.group, self.member % len(SUITS))

    @property
    def code(self) -> str:
        """The KGN code: rank and suit (`7S`, in the second pack `7S2`), or `X1`, `X2` for the jokers."""
        if self.is_joker:
            return f"X{self.member + 1}"
        return RANKS[self.group] + SUITS[self.member % len(SUITS)] + "2" * (self.member // len(SUITS))


def dealt_hands(order: tuple[Card, ...], seats: int, dealer: int) -> tuple[tuple[Card, ...], ...]:
    """Return the hands by seat: `order` is dealt one card at a time, from the dealer's left."""
    first = dealer + 1
    return tuple(order[(seat - first) % seats : seats * HAND_SIZE : seats] for seat in range(seats))


def parse_card(code: str) -> Card:
    """Return the card of a KGN code, in any case.

    Raises:
        ValueError: It is no code of a card; the message says what one looks like.
    """
    card = _BY_CODE.get(code.upper())
    if card is None:
        raise ValueError(
            f"unknown card {code!r}: write a rank ({RANKS}) and a suit ({SUITS}), such as 7S, or X1, X2 for a joker;"
            " 7S2 is the 7S of the second of two packs"
        )
    return card


def is_kems(cards: Iterable[Card]) -> bool:
    """Return whether the cards are four alike. A joker stands for any card (sheet `bell`, "Préparation")."""
    hand = tuple(cards)
    groups = {card.group for card in hand}
    is_one_group = len(groups) == 1 or (len(groups) == 2 and JOKER_GROUP in groups)
    return is_one_group and len(hand) == HAND_SIZE


def most_alike(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the largest set of cards of one group; jokers do not count."""
    hand = [card for card in cards if card.group != JOKER_GROUP]
    groups = [card.group for card in hand]
    largest = max(groups, key=groups.count, default=None)
    return tuple(card for card in hand if card.group == largest)


def three_alike(cards: Collection[Card]) -> tuple[Card, ...]:
    """Return the largest set of cards of one group if it has three or more, else an empty tuple."""
    if len({card.group for card in cards}) > len(cards) - ALIKE + 1:
        return ()  # most hands and pools end here
    alike = most_alike(cards)
    return alike if len(alike) >= ALIKE else ()


def third_alikes(pool: Iterable[Card | None], cards: Iterable[Card]) -> frozenset[Card]:
    """Return the cards of `cards` that would complete three alike in the pool if put down."""
    groups = [other.group for other in pool if other is not None]
    return frozenset([card for card in cards if groups.count(card.group) >= ALIKE - 1 and card.group != JOKER_GROUP])


def alike_groups(cards: Iterable[Card], count: int) -> frozenset[int]:
    """Return the groups with at least `count` cards in a hand, jokers standing for any card."""
    hand = tuple(cards)
    jokers = sum(card.is_joker for card in hand)
    groups = [card.group for card in hand if not card.is_joker]
    return frozenset(group for group in groups if groups.count(group) + jokers >= count)


class DeckKind(Choice):
    """The decks of the sheets; 52 and 54 also carry the thirteen characters of four cards each."""

    D32 = "32", "{cards} cards", "{cards} cards, from the seven to the ace."
    D36 = "36", "{cards} cards", "{cards} cards, from the six to the ace."
    D52 = "52", "{cards} cards", "{cards} cards, from the two to the ace."
    D54 = "54", "{cards} cards, two of them jokers", "{cards} cards, two of them jokers: a joker stands for any card."
    D104 = "104", "{cards} cards", "{cards} cards, two packs from the two to the ace: any four of a rank are a Kem's."

    @property
    def packs(self) -> int:
        """How many packs the deck is made of."""
        return 2 if self is DeckKind.D104 else 1


def _ranks_from(first: str, packs: int = 1) -> tuple[Card, ...]:
    groups, members = range(RANKS.index(first), len(RANKS)), range(packs * len(SUITS))
    return tuple(Card(group, member) for group in groups for member in members)


DECKS: Final[dict[DeckKind, tuple[Card, ...]]] = {
    DeckKind.D32: _ranks_from("7"),
    DeckKind.D36: _ranks_from("6"),
    DeckKind.D52: _ranks_from("2"),
    DeckKind.D54: (*_ranks_from("2"), Card(JOKER_GROUP, 0), Card(JOKER_GROUP, 1)),
    DeckKind.D104: _ranks_from("2", packs=2),
}
_BY_CODE: Final = {card.code: card for card in (*DECKS[DeckKind.D54], *DECKS[DeckKind.D104])}
