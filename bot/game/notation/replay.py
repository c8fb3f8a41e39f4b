"""Plays a KGN text through the real core and compares what it expects with what happened."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.game.deadlines import next_deadline
from bot.game.decide import decide, start_match
from bot.game.events import CardsShown, Event
from bot.game.evolve import evolve_all
from bot.game.notation.actions import LineReader
from bot.game.notation.document import Document, Expectation, KgnError, Move, read_document
from bot.game.notation.head import ChanceError, Head, read_head
from bot.game.notation.plans import read_plan
from bot.game.phase import Phase
from bot.game.signs import SignPlan
from bot.game.state import State


@dataclass(frozen=True, slots=True)
class Played:
    """Where a replay stands: the state, the events of the last line, and its refusal if the core refused it."""

    state: State
    events: Sequence[Event]
    refused: Refusal | None


def mismatch(item: Expectation, played: Played, reader: LineReader) -> tuple[str, str] | None:
    """Returns what was expected and what there is, None where they agree.

    Raises KgnError: there is no such expectation, or its words do not fit it.
    """
    expected = " ".join((item.what, *_normal(item, reader)))
    got = f"{item.what} {_actual(item, played, reader)}".strip()
    return None if expected == got else (expected, got)


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


def _actual(item: Expectation, played: Played, reader: LineReader) -> str:
    state, line, words = played.state, item.line, item.words
    match item.what:
        case "refused":
            return "nothing" if played.refused is None else played.refused.code
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
            return _match_result(state)
        case "shown":
            return _shown(played.events, reader.names)
        case "owes":
            if len(words) != 2:
                raise KgnError(line, "owes WHO NUMBER", repr(" ".join(words)))
            return f"{words[0]} {state.seats[reader.seat(line, words[0])].owes}"
    raise KgnError(line, "an expectation such as = score 1 0", repr(f"= {item.what}"))


def _match_result(state: State) -> str:
    if state.phase is not Phase.MATCH_OVER:
        return "not over"
    return "level" if state.winner is None else f"#{state.winner + 1}"


def _shown(events: Iterable[Event], names: Sequence[str]) -> str:
    """Returns every viewer of the last line's shown cards with these cards; a line can expect one viewer only."""
    shown = [event for event in events if isinstance(event, CardsShown)]
    return " and ".join(" ".join((names[event.viewer], *_sorted(event.cards))) for event in shown) or "nobody"


def _sorted(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.code for card in cards))


class SignsError(ValueError):
    """The head gives a team signs that it may not have."""

    def __init__(self, team: int, code: str) -> None:
        super().__init__(f"#{team + 1} refused {code}")


class Replay:
    """A match that is replayed line by line. `clock` is the match's clock, in milliseconds; `log` all events so far."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.reader = LineReader(head.names, head.teams)
        self.clock = 0
        self.events: tuple[Event, ...] = ()
        self.log: list[Event] = []
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
        self.log.extend(start)
        for team, plan in enumerate(head.signs):
            refused = self._agree(team, plan)
            if refused is not None:
                raise SignsError(team, refused.code)

    def play(self, move: Move) -> Refusal | None:
        """Plays one line and returns its refusal, if any; `events` are what followed from it.

        Raises KgnError: the line makes no sense.
        """
        if move.who == "-" and move.verb == "chance":
            self.head.chance.written.append(move.words)
            return None
        self.events = ()
        self._pass_time(move)
        if move.who != "-":
            if move.verb == "sign":
                return self._sign(move)
            return self._submit(self.reader.action(move))
        match move.verb, move.words:
            case "tick", ():
                return None
            case "next", ():
                return self._submit(a.NextRound())
            case "time", ():
                return self._submit(a.CallTime())
        raise KgnError(move.line, "- next, - chance, TIME - time or TIME - tick", repr(f"- {move.verb}"))

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

    def _sign(self, move: Move) -> Refusal | None:
        seat = self.reader.seat(move.line, move.who)
        members = [self.head.names[member] for member in self.state.members(self.state.team_of(seat))]
        return self._agree(seat, read_plan(move.line, move.words, members))

    def _agree(self, seat: int, plan: SignPlan) -> Refusal | None:
        refused = self._submit(a.ProposeSign(seat, plan))
        for partner in self.state.partners(seat) if refused is None else ():
            self._submit(a.AcceptSign(partner, plan))
        return refused

    def _submit(self, action: a.Action) -> Refusal | None:
        outcome = decide(self.state, action, self.clock, self.head.chance)
        if isinstance(outcome, Refusal):
            return outcome
        self.state = outcome.state
        self.events += outcome.events
        self.log.extend(outcome.events)
        return None


def replay_text(name: str, text: str) -> list[str]:
    """Replays one KGN text; `name` is the file's name in the messages.

    Returns:
        One line `FILE:LINE: expected ..., got ...` for each expectation that failed and for the first line that
        cannot be read; empty when everything holds.
    """
    try:
        document = read_document(text)
        return _replay_lines(name, _begin(document), document.body)
    except KgnError as error:
        return [_failure(name, error.line, error.expected, error.got)]


def replay_match(text: str) -> tuple[Replay, tuple[Event, ...]]:
    """Replays a text without looking at its expectations, and returns the match with its log.

    Raises KgnError: a line that cannot be read or played.
    """
    document = read_document(text)
    replay = _begin(document)
    for item in document.body:
        if isinstance(item, Move):
            _play(replay, item)
    return replay, tuple(replay.log)


def _begin(document: Document) -> Replay:
    try:
        return Replay(read_head(document))
    except SignsError as error:
        raise KgnError(document.line("Signs"), "signs that the rules and the vote allow", str(error)) from error
    except ChanceError as error:
        raise KgnError(document.line("Redrawn"), str(error), repr(document.value("Redrawn", ""))) from error


def _play(replay: Replay, move: Move) -> Refusal | None:
    try:
        return replay.play(move)
    except ChanceError as error:
        raise KgnError(move.line, str(error), "another outcome written down") from error


def _replay_lines(name: str, replay: Replay, body: tuple[Move | Expectation, ...]) -> list[str]:
    failures: list[str] = []
    refused: Refusal | None = None
    for index, item in enumerate(body):
        if isinstance(item, Move):
            refused = _play(replay, item)
            if refused is not None and not _expects_refusal(body, index):
                failures.append(_failure(name, item.line, "the move to be taken", f"refused {refused.code}"))
        else:
            difference = mismatch(item, Played(replay.state, replay.events, refused), replay.reader)
            if difference is not None:
                failures.append(_failure(name, item.line, *difference))
    return failures


def _expects_refusal(body: tuple[Move | Expectation, ...], index: int) -> bool:
    for item in body[index + 1 :]:
        if isinstance(item, Move):
            return False
        if item.what == "refused":
            return True
    return False


def _failure(name: str, line: int, expected: str, got: str) -> str:
    return f"{name}:{line}: expected {expected}, got {got}"
