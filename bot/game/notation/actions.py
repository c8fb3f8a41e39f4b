"""An action as KGN writes it, without its time: `B put 8H`, `C counter #1`, `- next`; read and written.

How a team signals, in words: `👀`, `presign 👀`, `👀 🍀 🎲`, `total`, `A 👀 C 🍀`; spoken: `say:what_weather`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.game import actions as a
from bot.game import signs as s
from bot.game.cards import Card, parse_card
from bot.game.notation.document import KgnError, MoveLine, read_move

_SAY: Final = "say:"
PROPOSE: Final = "propose"
"""Proposes what the partners have not accepted yet."""
_PRESIGN: Final = "presign"
_TOTAL: Final = "total"
_LANGUAGE: Final = f"one sign, {s.FEWEST_SIGNS} to {s.MOST_SIGNS}, one for each player of the team, or {_TOTAL}"

_CLOCK: Final[dict[str, a.Action]] = {"next": a.NextRound(), "time": a.CallTime(), "tick": a.Tick()}
_BARE: Final[dict[str, Callable[[int], a.Move]]] = {
    "keep": a.KeepSign,
    "open": a.OpenHunt,
    "sweep": a.AskSweep,
    "kems": a.CallKems,
    "double": a.CallDouble,
}
_OF_A_CARD: Final[dict[str, Callable[[int, Card], a.Move]]] = {"put": a.PutDown, "take": a.Take}
_VERBS: Final[dict[object, str]] = {kind: verb for verb, kind in (*_BARE.items(), *_OF_A_CARD.items())}


def read_sign(word: str) -> s.Sign:
    """Return the sign of a word; `👀+say:what_weather` is a combined one."""
    emojis, both, words = word.partition(f"+{_SAY}")
    if both:
        return s.combined_sign(emojis, words.replace("_", " "))
    return s.spoken_sign(word.removeprefix(_SAY).replace("_", " ")) if word.startswith(_SAY) else s.emoji_sign(word)


def sign_word(sign: s.Sign) -> str:
    """Return the word of a sign."""
    if sign.words:
        return f"{sign.text}+{_SAY}{sign.words.replace(' ', '_')}"
    return _SAY + sign.text.replace(" ", "_") if sign.is_spoken else sign.text


def read_plan(line: int, words: Sequence[str], members: Sequence[str]) -> s.SignPlan:
    """Return a team's agreement on its signs; `members` are the names of its seats in order.

    Raises:
        KgnError: The words are no agreement.
    """
    presign = _PRESIGN in words[:1]
    rest = list(words[1:] if presign else words)
    if rest == [_TOTAL]:
        return s.SignPlan(s.PlanKind.TOTAL, (), presign)
    if rest and set(rest[::2]) == set(members) and len(rest) == 2 * len(members):
        by_name = dict(zip(rest[::2], rest[1::2], strict=True))
        return s.SignPlan(s.PlanKind.DOUBLE, tuple(read_sign(by_name[name]) for name in members), presign)
    if len(rest) == 1:
        return s.one_sign(read_sign(rest[0]), presign=presign)
    if s.FEWEST_SIGNS <= len(rest) <= s.MOST_SIGNS:
        return s.SignPlan(s.PlanKind.INTERMEDIATE, tuple(map(read_sign, rest)), presign)
    raise KgnError(line, _LANGUAGE, repr(" ".join(words)))


def plan_words(plan: s.SignPlan, members: Sequence[str]) -> str:
    """Return a team's agreement in the words from which `read_plan` reads it."""
    words = [_PRESIGN] if plan.presign else []
    match plan.kind:
        case s.PlanKind.TOTAL:
            words.append(_TOTAL)
        case s.PlanKind.DOUBLE:
            words += (f"{name} {sign_word(sign)}" for name, sign in zip(members, plan.signs, strict=True))
        case s.PlanKind.SINGLE | s.PlanKind.INTERMEDIATE:  # pragma: no branch  # mypy proves the match complete
            words += map(sign_word, plan.signs)
    return " ".join(words)


def head_words(team: int, plan: s.SignPlan, members: Sequence[str]) -> str:
    """Return an agreement as a part of the head's `[Signs]` tag: by player for a double sign, else by team."""
    if plan.kind is not s.PlanKind.DOUBLE:
        return f"#{team + 1} {plan_words(plan, members)}"
    presign = f" {_PRESIGN}" if plan.presign else ""
    return " / ".join(f"{name}{presign} {sign_word(sign)}" for name, sign in zip(members, plan.signs, strict=True))


def read_signs(line: int, text: str, teams: Sequence[Sequence[str]]) -> tuple[s.SignPlan, ...]:
    """Return the agreements of the tag `[Signs "#1 👀 / A 🎲 / C 🍀"]` by team.

    `teams` has the names of each team's seats.

    Raises:
        KgnError: A team has no sign, or the words are no agreement.
    """  # noqa: DOC501 - `_missing` makes one
    words: dict[int, list[str]] = {}
    for part in text.split("/"):
        who, *rest = part.split() or [""]
        team = next((team for team, names in enumerate(teams) if who in (f"#{team + 1}", *names)), None)
        if team is None or (who.startswith("#") and team in words):
            raise _missing(line, text, len(teams))
        if who.startswith("#"):
            words[team] = rest
        else:
            is_presign = rest[:1] == [_PRESIGN]
            signs = words.setdefault(team, [])
            if is_presign and signs[:1] != [_PRESIGN]:
                signs.insert(0, _PRESIGN)
            signs += (who, *(rest[1:] if is_presign else rest))
    if len(words) < len(teams):
        raise _missing(line, text, len(teams))
    return tuple(read_plan(line, words[team], names) for team, names in enumerate(teams))


def _missing(line: int, text: str, teams: int) -> KgnError:
    return KgnError(line, "a sign for each of " + " ".join(f"#{team + 1}" for team in range(teams)), repr(text))


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads words by the names of a match's seats, in seating order."""

    names: tuple[str, ...]
    teams: int

    def seat(self, line: int, name: str) -> int:
        """Return the seat of a name.

        Raises:
            KgnError: No seat has this name.
        """
        if name not in self.names:
            raise KgnError(line, "one of the seats " + " ".join(self.names), repr(name))
        return self.names.index(name)

    def target(self, name: str) -> int:
        """Return the seat that a counter names; for an unknown name, a seat that does not exist.

        The match refuses that seat.
        """
        return self.names.index(name) if name in self.names else len(self.names)

    def team(self, line: int, text: str) -> int:
        """Return the team of a number such as `#1`. The match refuses a team that does not exist.

        Raises:
            KgnError: It is not the number of a team.
        """
        if not (text.startswith("#") and text[1:].isdecimal() and text != "#0"):
            raise KgnError(line, "a team such as #1", repr(text))
        return int(text[1:]) - 1

    def card(self, line: int, code: str) -> Card:
        """Return the card of a code.

        Raises:
            KgnError: It is not the code of a card.
        """
        try:
            return parse_card(code)
        except ValueError as error:
            raise KgnError(line, "a card such as 7S", str(error)) from error

    def cards(self, line: int, words: tuple[str, ...]) -> tuple[Card, ...]:
        """Return the cards of these codes.

        Raises:
            KgnError: One is no code of a card.
        """
        return tuple(self.card(line, word) for word in words)

    def action(self, move: MoveLine) -> a.Action:
        """Return the action of a line. `sign` is read as a proposal, which the replay lets the partners accept.

        Raises:
            KgnError: There is no such verb, or the words do not fit it.
        """
        line = move.line
        if move.who == "-":
            if move.verb not in _CLOCK or move.words:
                raise KgnError(line, "- next, - chance, TIME - time or TIME - tick", repr(f"- {move.verb}"))
            return _CLOCK[move.verb]
        seat = self.seat(line, move.who)
        match move.verb, move.words:
            case verb, () if verb in _BARE:
                return _BARE[verb](seat)
            case verb, (code,) if verb in _OF_A_CARD:
                return _OF_A_CARD[verb](seat, self.card(line, code))
            case (("sign" | "propose"), words):
                return a.ProposeSign(seat, read_plan(line, words, self.names[seat % self.teams :: self.teams]))
            case "swap", (put, taken):
                return a.Swap(seat, self.card(line, put), self.card(line, taken))
            case ("yes" | "no") as answer, ():
                return a.AnswerSweep(seat, agrees=answer == "yes")
            case ("react" | "post" | "say") as kind, (text,):
                return a.MakeGesture(seat, s.GestureKind(kind), text)
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
            case "accuse", (target, strategy) if strategy in set(s.Strategy):
                return a.AccuseTeam(seat, self.team(line, target), s.Strategy(strategy))
        raise KgnError(line, "a verb of the notation with its words", repr(" ".join((move.verb, *move.words))))


def read_action(text: str, names: Sequence[str], teams: int) -> a.Action:
    """Return the action of a line; `names` are by seat.

    Raises:
        KgnError: The line makes no sense.
    """
    return LineReader(tuple(names), teams).action(read_move(text))


def write_action(action: a.Action, names: Sequence[str], teams: int) -> str:
    """Return the line that `read_action` reads. Accepting a sign is written as proposing the same one.

    Raises:
        ValueError: The action names a seat that does not exist.
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
        case a.KeepSign() | a.OpenHunt() | a.AskSweep() | a.CallKems() | a.CallDouble():
            return _VERBS[type(action)]
        case a.PutDown(card=card) | a.Take(card=card):
            return f"{_VERBS[type(action)]} {card}"
        case a.Swap(put=put, taken=taken):
            return f"swap {put} {taken}"
        case a.AnswerSweep(agrees=agrees):
            return "yes" if agrees else "no"
        case a.MakeGesture(kind=kind, text=text):
            return f'{kind} "{one_line(text)}"'
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
    """Return a gesture's text on one line without double quotes, so that it can stand between quotes."""
    return " ".join(text.replace('"', "”").split())


def _name(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat.

    Raises:
        ValueError: There is no such seat.
    """
    if not 0 <= seat < len(names):
        raise ValueError(f"There is no seat {seat}: seats are 0 to {len(names) - 1}.")
    return names[seat]
