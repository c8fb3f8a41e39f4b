"""Plays a KGN text through the real core and compares what it expects with what happened."""

from collections.abc import Iterable, Sequence

from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, next_deadline, start_match
from bot.game.events import CardsShown, Event, Phase
from bot.game.evolve import evolve_all
from bot.game.notation.actions import PROPOSE, LineReader
from bot.game.notation.document import Document, Expectation, KgnError, Move, read_document
from bot.game.notation.head import ChanceError, Head, read_head
from bot.game.state import State


def _normal(item: Expectation, reader: LineReader) -> tuple[str, ...]:
    """Returns the words as `_actual` writes them: cards in order, a name kept in front."""
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
    """Returns every viewer of the last line's shown cards with these cards; a line can expect one viewer only."""
    shown = [event for event in events if isinstance(event, CardsShown)]
    return " and ".join(" ".join((names[event.viewer], *_sorted(event.cards))) for event in shown) or "nobody"


def _sorted(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.code for card in cards))


class Replay:
    """A match that is replayed line by line. `clock` is the match's clock, in milliseconds; `log` all events so far.

    `events` are what followed from the last line, `refused` why it was refused.
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

    def play(self, move: Move) -> None:
        """Plays one line. Raises KgnError where it makes no sense."""
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
        """Makes a move, and returns why it is refused. What a seat proposes, its partners accept at once."""
        refused = self._submit(action)
        if isinstance(action, a.ProposeSign) and refused is None:
            for partner in self.state.partners(action.seat):
                self._submit(a.AcceptSign(partner, action.plan))
        return refused

    def _pass_time(self, move: Move) -> None:
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
    """Returns a line `NAME:LINE: expected ..., got ...` for each expectation of a text that fails.

    Where a line cannot be read or played, it is the only one.
    """
    failures: list[tuple[int, str, str]] = []
    try:
        document = read_document(text)
        replay = _begin(document)
        for index, item in enumerate(document.body):
            if isinstance(item, Move):
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
    """Returns a text's match and log, whatever the text expects. Raises KgnError for a line that cannot be played."""
    document = read_document(text)
    replay = _begin(document)
    for item in document.body:
        if isinstance(item, Move):
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


def _expects_refusal(body: tuple[Move | Expectation, ...], index: int) -> bool:
    """Returns whether a refusal is expected before the next move."""
    for item in body[index + 1 :]:
        if isinstance(item, Move):
            return False
        if item.what == "refused":
            return True
    return False
