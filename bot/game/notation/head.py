"""The head of a KGN text as a match about to begin."""

from dataclasses import dataclass

from bot.game import house
from bot.game.cards import parse_card
from bot.game.decks import DECKS
from bot.game.notation.chance import WrittenChance
from bot.game.notation.document import Document, KgnError
from bot.game.rules import Rules
from bot.game.signs import Sign, emoji_sign


@dataclass(frozen=True, slots=True)
class Head:
    """Everything before the first move. `signs` by team; empty where the match begins with their agreement."""

    rules: Rules
    names: tuple[str, ...]
    teams: int
    dealer: int
    signs: tuple[tuple[Sign, ...], ...]
    chance: WrittenChance


def read_head(document: Document) -> Head:
    """The match that the head describes.

    Raises:
        KgnError: a value that makes no sense.
    """
    if document.value("Strategies", ""):
        raise KgnError(document.line("Strategies"), "no sign strategies, which are not played yet", "some")
    rules = _rules(document)
    names = tuple(document.value("Seats", "A B C D").split())
    if len(set(names)) < len(names) or "-" in names:
        raise KgnError(document.line("Seats"), "a different name for each seat", repr(" ".join(names)))
    teams = _teams(document, rules, len(names))
    chance = WrittenChance(document.value("Seed", "0"))
    _read_deck(document, rules, chance)
    return Head(rules, names, teams, _dealer(document, names), _signs(document, teams), chance)


def _rules(document: Document) -> Rules:
    try:
        rules = house.preset(document.value("Preset", "classic"))
    except house.RulesError as error:
        raise KgnError(document.line("Preset"), "a known preset", str(error)) from error
    values: dict[str, str] = {}
    for word in document.value("Rules", "").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise KgnError(document.line("Rules"), "NAME=VALUE, such as target=10", repr(word))
        values[name] = value
    try:
        return house.override(rules, values)
    except house.RulesError as error:
        raise KgnError(document.line("Rules"), "rules that can be played", str(error)) from error


def _teams(document: Document, rules: Rules, players: int) -> int:
    try:
        house.check_table(rules, players)
        usual = house.teams_for(rules, players)
    except house.RulesError as error:
        raise KgnError(document.line("Seats"), "a table that can be played", str(error)) from error
    text = document.value("Teams", str(usual))
    if not text.isdecimal() or int(text) < 2 or players % int(text):
        raise KgnError(document.line("Teams"), f"a number of equal teams of {players} players", repr(text))
    return int(text)


def _dealer(document: Document, names: tuple[str, ...]) -> int:
    name = document.value("Dealer", names[-1])
    if name not in names:
        raise KgnError(document.line("Dealer"), "one of the seats " + " ".join(names), repr(name))
    return names.index(name)


def _signs(document: Document, teams: int) -> tuple[tuple[Sign, ...], ...]:
    text = document.value("Signs", "")
    if not text:
        return ()
    by_team: dict[str, tuple[Sign, ...]] = {}
    for part in text.split("/"):
        who, *signs = part.split() or [""]
        by_team[who] = tuple(emoji_sign(sign) for sign in signs)
    wanted = [f"#{team + 1}" for team in range(teams)]
    if sorted(by_team) != sorted(wanted) or not all(by_team.values()):
        raise KgnError(document.line("Signs"), "a sign for each of " + " ".join(wanted), repr(text))
    return tuple(by_team[team] for team in wanted)


def _read_deck(document: Document, rules: Rules, chance: WrittenChance) -> None:
    codes = document.value("Deck", "").upper().split()
    redrawn = document.value("Redrawn", "").upper()
    if not codes:
        if redrawn:
            raise KgnError(document.line("Redrawn"), "a [Deck] as well", "no such line")
        return
    for code in codes:
        try:
            parse_card(code)
        except ValueError as error:
            raise KgnError(document.line("Deck"), "a card such as 7S", str(error)) from error
    deck = DECKS[rules.deal.deck]
    if sorted(codes) != sorted(card.code for card in deck):
        raise KgnError(document.line("Deck"), f"the {len(deck)} cards of the deck, each once", f"{len(codes)} cards")
    chance.written.append(tuple(codes))
    chance.written.extend(tuple(stock.split()) for stock in redrawn.split("/") if stock.strip())
