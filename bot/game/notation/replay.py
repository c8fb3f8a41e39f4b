"""Plays a KGN text on the real core and compares what it expects with what happened.

Its head is a match about to begin, with the outcomes of chance that are written down.
"""

from collections import deque
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.game import actions as a
from bot.game.cards import DECKS, Card, parse_card
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, next_deadline, start_match
from bot.game.events import CardsShown, Event, Phase
from bot.game.evolve import evolve_all
from bot.game.notation.actions import PROPOSE, LineReader, read_signs
from bot.game.notation.document import Document, Expectation, KgnError, MoveLine, read_document
from bot.game.rules import house_rules
from bot.game.rules.house_rules import read_words
from bot.game.rules.rules import Rules
from bot.game.signs import Sign, SignCard, SignPlan, Strategy
from bot.game.state import State


class ChanceError(ValueError):
    """A written outcome that the shuffle or the draw cannot have."""


def tokens_of(item: object) -> tuple[str, ...]:
    """Return an outcome as it is written: cards by their codes, a sign in its normal form."""
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
        """Put `x` into the next order that the text gives.

        Raises:
            ChanceError: The order has other cards than `x`.
        """
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
        """Return the item of `seq` that the text gives as the next draw.

        Raises:
            ChanceError: It is not in `seq`.
        """
        if not self.written:
            return super().choice(seq)
        wanted = self.written.popleft()
        for item in seq:
            if sorted(tokens_of(item)) == sorted(wanted):
                return item
        raise ChanceError("one of the outcomes that are possible here")


@dataclass(frozen=True, slots=True)
class Head:
    """What is known before the first move. `signs` are by team, empty if the teams still have to agree."""

    rules: Rules
    names: tuple[str, ...]
    teams: int
    dealer: int
    strategies: tuple[Strategy, ...]
    sign_cards: tuple[SignCard, ...]
    signs: tuple[SignPlan, ...]
    chance: WrittenChance


def read_head(document: Document) -> Head:
    """Return the match that the head describes.

    Raises:
        KgnError: A value makes no sense.
    """
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
    """Name the line of the head in an error about its value.

    Raises:
        KgnError: The block raises ValueError.
    """
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
    """Return the sign cards as written; without any, no card restricts the signs.

    Raises:
        KgnError: The rules play no cards, or not these.
    """
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


def _normal(item: Expectation, reader: LineReader) -> tuple[str, ...]:
    """Return the words as `_actual` writes them: cards in order, a name kept in front.

    Raises:
        KgnError: There are no words.
    """
    line, words = item.line, item.words
    match item.what:
        case "hand" | "shown":
            if not words:
                raise KgnError(line, f"{item.what} WHO CARDS", "nothing")
            reader.seat(line, words[0])
            return words[0], *_sorted(reader.cards(line, words[1:]))
        case "pool":
            return _sorted(reader.cards(line, words))
        case _:
            return words


def _actual(item: Expectation, replay: "Replay") -> str:
    state, reader, line, words = replay.state, replay.reader, item.line, item.words
    match item.what:
        case "refused":
            return "nothing" if replay.refused is None else replay.refused.code
        case "phase":
            return state.phase
        case "hand":
            return " ".join((words[0], *_sorted(state.seats[reader.seat(line, words[0])].cards)))
        case "pool":
            return " ".join(_sorted(state.pool_cards))
        case "stock":
            return str(len(state.stock))
        case "discard":
            return str(len(state.discard))
        case "score":
            return " ".join(str(score) for score in state.scores)
        case "games":
            return " ".join(str(games) for games in state.games)
        case "round":
            return "not over" if state.result is None else state.result.outcome
        case "match":
            if state.phase is not Phase.MATCH_OVER:
                return "not over"
            return "level" if state.winner is None else f"#{state.winner + 1}"
        case "shown":
            return _shown(replay.events, reader.names)
        case "owes":
            if len(words) != 2:
                raise KgnError(line, "owes WHO NUMBER", repr(" ".join(words)))
            return f"{words[0]} {state.seats[reader.seat(line, words[0])].owes}"
    raise KgnError(line, "an expectation such as = score 1 0", repr(f"= {item.what}"))


def _shown(events: Iterable[Event], names: Sequence[str]) -> str:
    """Return every viewer of the last line's shown cards with these cards; a line can expect one viewer only."""
    shown_events = [event for event in events if isinstance(event, CardsShown)]
    return " and ".join(" ".join((names[event.viewer], *_sorted(event.cards))) for event in shown_events) or "nobody"


def _sorted(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.code for card in cards))


class Replay:
    """A match that is replayed line by line.

    - `clock`: the match's clock, in milliseconds.
    - `log`: all events so far.
    - `events`: what followed from the last line.
    - `refused`: why it was refused.
    """

    def __init__(self, head: Head) -> None:
        self.head = head
        self.reader = LineReader(head.names, head.teams)
        self.clock = 0
        self.events: tuple[Event, ...] = ()
        self.refused: Refusal | None = None
        start = start_match(
            head.rules,
            seats=len(head.names),
            teams=head.teams,
            dealer=head.dealer,
            now=0,
            strategies=head.strategies,
            sign_cards=head.sign_cards,
        )
        self.state: State = evolve_all(None, start)
        self.log: list[Event] = list(start)

    def play(self, move: MoveLine) -> None:
        """Play one line.

        Raises:
            KgnError: It makes no sense.
        """
        self.refused = None
        if move.who == "-" and move.verb == "chance":
            self.head.chance.written.append(move.words)
            return
        self.events = ()
        try:
            self._pass_time(move)
            make = self._submit if move.verb == PROPOSE else self.make
            self.refused = make(self.reader.action(move))
        except ChanceError as error:
            raise KgnError(move.line, str(error), "another outcome written down") from error

    def make(self, action: a.Action) -> Refusal | None:
        """Make a move and return why it was refused, or None. Partners accept a proposal at once."""
        refused = self._submit(action)
        if isinstance(action, a.ProposeSign) and refused is None:
            for partner in self.state.partners(action.seat):
                self._submit(a.AcceptSign(partner, action.plan))
        return refused

    def _pass_time(self, move: MoveLine) -> None:
        if move.time is None:
            return
        now = self.state.dealt_at + move.time
        if now < self.clock:
            earlier = (self.clock - self.state.dealt_at) / 1000
            raise KgnError(move.line, f"a time not before {earlier:g}", f"{move.time / 1000:g}")
        while (due := next_deadline(self.state)) is not None and due <= now:
            self.clock = max(self.clock, due)
            self._submit(a.Tick())
        self.clock = now

    def _submit(self, action: a.Action) -> Refusal | None:
        outcome = decide(self.state, action, self.clock, self.head.chance)
        if isinstance(outcome, Refusal):
            return outcome
        self.state = outcome.state
        self.events += outcome.events
        self.log.extend(outcome.events)
        return None


def replay_text(name: str, text: str) -> list[str]:
    """Return a line `NAME:LINE: expected ..., got ...` for each expectation of a text that fails.

    If a line cannot be read or played, only that one is returned.
    """
    failures: list[tuple[int, str, str]] = []
    try:
        document = read_document(text)
        replay = _begin(document)
        for index, item in enumerate(document.body):
            if isinstance(item, MoveLine):
                replay.play(item)
                if replay.refused is not None and not _expects_refusal(document.body, index):
                    failures.append((item.line, "the move to be taken", f"refused {replay.refused.code}"))
            else:
                expected = " ".join((item.what, *_normal(item, replay.reader)))
                got = f"{item.what} {_actual(item, replay)}".strip()
                if got != expected:
                    failures.append((item.line, expected, got))
    except KgnError as error:
        failures = [(error.line, error.expected, error.got)]
    return [f"{name}:{line}: expected {expected}, got {got}" for line, expected, got in failures]


def replay_match(text: str) -> tuple[Replay, tuple[Event, ...]]:
    """Return the replayed match of a text and its log; the text's expectations are not checked.

    Raises:
        KgnError: A line cannot be played.
    """
    document = read_document(text)
    replay = _begin(document)
    for item in document.body:
        if isinstance(item, MoveLine):
            replay.play(item)
    return replay, tuple(replay.log)


def _begin(document: Document) -> Replay:
    replay = Replay(read_head(document))
    try:
        refusals = [replay.make(a.ProposeSign(team, plan)) for team, plan in enumerate(replay.head.signs)]
    except ChanceError as error:
        raise KgnError(document.line("Redrawn"), str(error), repr(document.value("Redrawn", ""))) from error
    for team, refused in enumerate(refusals, start=1):
        if refused is not None:
            line = document.line("Signs")
            raise KgnError(line, "signs that the rules and the vote allow", f"#{team} refused {refused.code}")
    return replay


def _expects_refusal(body: tuple[MoveLine | Expectation, ...], index: int) -> bool:
    """Return whether a refusal is expected before the next move."""
    for item in body[index + 1 :]:
        if isinstance(item, MoveLine):
            return False
        if item.what == "refused":
            return True
    return False
