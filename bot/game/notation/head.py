"""Reads the head of a KGN text: a match about to begin, with the outcomes of chance that are written down."""

from collections import deque
from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.game.cards import DECKS, Card, parse_card
from bot.game.notation.actions import read_signs
from bot.game.notation.document import Document, KgnError
from bot.game.rules import house_rules
from bot.game.rules.house_rules import read_words
from bot.game.rules.rules import Rules
from bot.game.signs import Sign, SignCard, SignPlan, Strategy


class ChanceError(ValueError):
    """A written outcome that the shuffle or the draw cannot have."""


def tokens_of(item: object) -> tuple[str, ...]:
    """Returns how an outcome is written: cards by their codes, a sign in its normal form."""
    if isinstance(item, Card):
        return (item.code,)
    if isinstance(item, tuple):
        return tuple(token for part in item for token in tokens_of(part))
    assert isinstance(item, Sign), "the core draws cards and signs only"
    return (item.text,)


class WrittenChance(Random):
    """Shuffles and draws as `written`, in order, then by the seed. `shuffles` are written for shuffles alone."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.shuffles: deque[tuple[str, ...]] = deque()
        self.written: deque[tuple[str, ...]] = deque()

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Puts `x` into the next written order. Raises ChanceError where these are other cards."""
        written = self.shuffles or self.written
        if not written:
            super().shuffle(x)
            return
        order = written.popleft()
        by_token = {token: item for item in x for token in tokens_of(item)}
        if sorted(order) != sorted(by_token):
            raise ChanceError(f"the {len(x)} cards that are shuffled, each once")
        x[:] = [by_token[token] for token in order]

    def choice(self, seq: Sequence[Any]) -> Any:  # type: ignore[override]  # the stub's type variable has no name here
        """Returns the next written choice of `seq`. Raises ChanceError for one that is none of them."""
        if not self.written:
            return super().choice(seq)
        wanted = self.written.popleft()
        for item in seq:
            if sorted(tokens_of(item)) == sorted(wanted):
                return item
        raise ChanceError("one of the outcomes that are possible here")


@dataclass(frozen=True, slots=True)
class Head:
    """What is known before the first move. `signs` are by team, empty where the match begins with their agreement."""

    rules: Rules
    names: tuple[str, ...]
    teams: int
    dealer: int
    strategies: tuple[Strategy, ...]
    sign_cards: tuple[SignCard, ...]
    signs: tuple[SignPlan, ...]
    chance: WrittenChance


def read_head(document: Document) -> Head:
    """Returns the match that the head describes. Raises KgnError for a value without sense."""
    rules = _rules(document)
    names = tuple(document.value("Seats", "A B C D").split())
    if len(set(names)) < len(names) or "-" in names:
        raise KgnError(document.line("Seats"), "a different name for each seat", repr(" ".join(names)))
    teams = _teams(document, rules, len(names))
    chance = WrittenChance(document.value("Seed", "0"))
    _read_deck(document, rules, chance)
    signs = document.value("Signs", "")
    members = [names[team::teams] for team in range(teams)]
    return Head(
        rules,
        names,
        teams,
        _dealer(document, names),
        _strategies(document),
        _sign_cards(document, rules, teams),
        read_signs(document.line("Signs"), signs, members) if signs else (),
        chance,
    )


@contextmanager
def _read_from(document: Document, key: str, expected: str) -> Iterator[None]:
    """Names the line of the head that gives a value without sense."""
    try:
        yield
    except ValueError as error:
        raise KgnError(document.line(key), expected, str(error)) from error


def _rules(document: Document) -> Rules:
    with _read_from(document, "Preset", "a known preset"):
        rules = house_rules.preset(document.value("Preset", "classic"))
    with _read_from(document, "Rules", "rules that can be played"):
        changed = house_rules.override(rules, read_words(document.value("Rules", "").split()))
        house_rules.check_rules(changed)
    return changed


def _teams(document: Document, rules: Rules, players: int) -> int:
    with _read_from(document, "Seats", "a table that can be played"):
        house_rules.check_table(rules, players)
        usual = house_rules.teams_for(rules, players)
    text = document.value("Teams", str(usual))
    if not text.isdecimal() or int(text) < 2 or players % int(text):
        raise KgnError(document.line("Teams"), f"a number of equal teams of {players} players", repr(text))
    return int(text)


def _dealer(document: Document, names: tuple[str, ...]) -> int:
    name = document.value("Dealer", names[-1])
    if name not in names:
        raise KgnError(document.line("Dealer"), "one of the seats " + " ".join(names), repr(name))
    return names.index(name)


def _strategies(document: Document) -> tuple[Strategy, ...]:
    words = document.value("Strategies", "").split()
    if not set(words) <= set(Strategy):
        raise KgnError(document.line("Strategies"), "any of " + " ".join(Strategy), repr(" ".join(words)))
    return tuple(map(Strategy, words))


def _sign_cards(document: Document, rules: Rules, teams: int) -> tuple[SignCard, ...]:
    """Returns the sign cards as written; without any, no card restricts the signs."""
    text = document.value("Cards", "")
    if not text:
        return ()
    words = [part.split() for part in text.split("/")]
    wanted = [f"#{team + 1}" for team in range(teams)] if rules.signs.sign_cards else []
    cards = [pair[1] for pair in words if len(pair) == 2 and pair[1] in set(SignCard)]
    if [pair[:1] for pair in words] != [[who] for who in wanted] or len(set(cards)) < len(wanted):
        expected = "a different one of " + " ".join(SignCard) + " for each of " + " ".join(wanted)
        raise KgnError(document.line("Cards"), expected if wanted else "no cards by these rules", repr(text))
    return tuple(map(SignCard, cards))


def _read_deck(document: Document, rules: Rules, chance: WrittenChance) -> None:
    codes = document.value("Deck", "").upper().split()
    redrawn = document.value("Redrawn", "").upper()
    if not codes:
        if redrawn:
            raise KgnError(document.line("Redrawn"), "a [Deck] as well", "no such line")
        return
    with _read_from(document, "Deck", "a card such as 7S"):
        cards = list(map(parse_card, codes))
    deck = DECKS[rules.deal.deck]
    if sorted(cards) != sorted(deck):
        raise KgnError(document.line("Deck"), f"the {len(deck)} cards of the deck, each once", f"{len(codes)} cards")
    chance.shuffles.append(tuple(codes))
    chance.shuffles.extend(tuple(stock.split()) for stock in redrawn.split("/") if stock.strip())
