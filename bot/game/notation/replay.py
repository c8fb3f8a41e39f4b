"""Plays a KGN text through the real core and compares what it expects with what happened."""

from bot.game import actions as a
from bot.game.checks.refusals import Refusal
from bot.game.deadlines import next_deadline
from bot.game.decide import decide, start_match
from bot.game.events import Event
from bot.game.evolve import evolve_all
from bot.game.notation.chance import ChanceError
from bot.game.notation.document import Document, Expectation, KgnError, Move, read_document
from bot.game.notation.expect import Played, mismatch
from bot.game.notation.head import Head, read_head
from bot.game.notation.plans import read_plan
from bot.game.notation.words import LineReader
from bot.game.signs.sign_plans import SignPlan
from bot.game.state import State


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

        Raises:
            KgnError: the line makes no sense.
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

    Raises:
        KgnError: a line that cannot be read or played.
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
