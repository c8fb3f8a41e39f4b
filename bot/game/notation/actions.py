"""An action as KGN writes it, without its time: `B put 8H`, `C counter #1`, `- next`."""

from collections.abc import Sequence

from bot.game import actions as a
from bot.game.notation.document import read_move
from bot.game.notation.plans import plan_words, read_plan, sign_word
from bot.game.notation.words import LineReader


def read_action(text: str, names: Sequence[str], teams: int) -> a.Action:
    """Returns the action of a line; `names` are those of the seats, clockwise.

    Raises:
        KgnError: the line makes no sense.
    """
    move = read_move(text)
    match move.who, move.verb, move.words:
        case "-", "next", ():
            return a.NextRound()
        case "-", "time", ():
            return a.CallTime()
        case "-", "tick", ():
            return a.Tick()
    reader = LineReader(tuple(names), teams)
    if move.verb != "sign":
        return reader.action(move)
    seat = reader.seat(move.line, move.who)
    return a.ProposeSign(seat, read_plan(move.line, move.words, reader.names[seat % teams :: teams]))


def write_action(action: a.Action, names: Sequence[str], teams: int) -> str:
    """Returns the line that `read_action` reads; accepting a sign reads as proposing it too, which is the same.

    Raises:
        ValueError: the action names a seat that does not exist.
    """
    match action:
        case a.NextRound():
            return "- next"
        case a.CallTime():
            return "- time"
        case a.Tick():
            return "- tick"
    seat = action.seat
    return f"{_name(names, seat)} {_words(action, names, names[seat % teams :: teams])}"


def _words(action: a.Move, names: Sequence[str], members: Sequence[str]) -> str:
    match action:
        case a.ProposeSign(plan=plan) | a.AcceptSign(plan=plan):
            return f"sign {plan_words(plan, members)}"
        case a.KeepSign():
            return "keep"
        case a.OpenHunt():
            return "open"
        case a.PutDown(card=card):
            return f"put {card}"
        case a.Take(card=card):
            return f"take {card}"
        case a.AskSweep():
            return "sweep"
        case a.AnswerSweep(agrees=agrees):
            return "yes" if agrees else "no"
        case a.MakeGesture(kind=kind, text=text):
            return f'{kind} "{one_line(text)}"'
        case a.CallKems():
            return "kems"
        case a.CallDouble():
            return "double"
        case a.CounterPlayer(target=target):
            return f"counter {_name(names, target)}"
        case a.CounterTeam(team=team, is_double=is_double):
            return f"{'counter2' if is_double else 'counter'} #{team + 1}"
        case a.ShowCards(cards=cards):
            return " ".join(("show", *map(str, cards)))
        case a.GuessSign(team=team, signs=signs):
            return " ".join((f"guess #{team + 1}", *map(sign_word, signs)))
        case a.AccuseTeam(team=team, strategy=strategy):  # pragma: no branch  # mypy proves the match complete
            return f"accuse #{team + 1} {strategy}"


def one_line(text: str) -> str:
    """Returns a gesture's text as it fits between quotes: a message may have quotes and lines."""
    return " ".join(text.replace('"', "”").split())


def _name(names: Sequence[str], seat: int) -> str:
    if not 0 <= seat < len(names):
        raise ValueError(f"There is no seat {seat}: seats are 0 to {len(names) - 1}.")
    return names[seat]
