"""Reads the words of a KGN line as actions: seats by name, teams by number, cards by code."""

from dataclasses import dataclass

from bot.game import actions as a
from bot.game.cards import Card, parse_card
from bot.game.notation.document import KgnError, Move
from bot.game.notation.plans import read_sign
from bot.game.signs.sign import GestureKind, Strategy


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads words by the names of one match's seats, in seating order."""

    names: tuple[str, ...]
    teams: int

    def seat(self, line: int, name: str) -> int:
        if name not in self.names:
            raise KgnError(line, "one of the seats " + " ".join(self.names), repr(name))
        return self.names.index(name)

    def target(self, name: str) -> int:
        """Returns the seat that a counter names. An unknown name becomes a seat that the core refuses."""
        return self.names.index(name) if name in self.names else len(self.names)

    def team(self, line: int, text: str) -> int:
        """Returns the team of a number, `#1` and up. The core refuses one that does not exist."""
        if not (text.startswith("#") and text[1:].isdecimal() and text != "#0"):
            raise KgnError(line, "a team such as #1", repr(text))
        return int(text[1:]) - 1

    def card(self, line: int, code: str) -> Card:
        try:
            return parse_card(code)
        except ValueError as error:
            raise KgnError(line, "a card such as 7S", str(error)) from error

    def cards(self, line: int, words: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple(self.card(line, word) for word in words)

    def action(self, move: Move) -> a.Move:
        """Returns the action of a seat's line. `sign` is read elsewhere: it stands for a whole agreement.

        Raises:
            KgnError: no such verb, or words that do not fit it.
        """
        line = move.line
        seat = self.seat(line, move.who)
        match move.verb, move.words:
            case "open", ():
                return a.OpenHunt(seat)
            case "put", (code,):
                return a.PutDown(seat, self.card(line, code))
            case "take", (code,):
                return a.Take(seat, self.card(line, code))
            case "sweep", ():
                return a.AskSweep(seat)
            case ("yes" | "no") as answer, ():
                return a.AnswerSweep(seat, agrees=answer == "yes")
            case ("react" | "post" | "say") as kind, (text,):
                return a.MakeGesture(seat, GestureKind(kind), text)
            case "kems", ():
                return a.CallKems(seat)
            case "double", ():
                return a.CallDouble(seat)
            case "counter", (target,) if target.startswith("#"):
                return a.CounterTeam(seat, self.team(line, target))
            case "counter", (target,):
                return a.CounterPlayer(seat, self.target(target))
            case "counter2", (target,):
                return a.CounterTeam(seat, self.team(line, target), is_double=True)
            case "show", codes:
                return a.ShowCards(seat, self.cards(line, codes))
            case "guess", (target, *signs):
                return a.GuessSign(seat, self.team(line, target), tuple(map(read_sign, signs)))
            case "accuse", (target, strategy) if strategy in set(Strategy):
                return a.AccuseTeam(seat, self.team(line, target), Strategy(strategy))
            case "keep", ():
                return a.KeepSign(seat)
        raise KgnError(line, "a verb of the notation with its words", repr(" ".join((move.verb, *move.words))))
