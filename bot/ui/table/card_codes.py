"""Cards as arguments of custom ids: their codes."""

from bot.game.cards import Card, parse_card


def card_of(arg: str) -> Card | None:
    """The card that an argument names, None for anything else."""
    try:
        card = parse_card(arg)
    except ValueError:
        return None
    return card if card.code == arg else None


def cards_of(arg: str) -> tuple[Card, ...] | None:
    """The cards of these codes (`7S,9D`), None for anything else."""
    cards = list(map(card_of, arg.split(",")))
    known = tuple(card for card in cards if card is not None)
    return known if len(known) == len(cards) else None
