"""House rules: any axis of `Rules` by its name, and the sentence that refuses a table that cannot be played."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from typing import Final, get_type_hints

from bot.game.cards import HAND_SIZE
from bot.game.decks import DECKS
from bot.game.presets import PRESETS
from bot.game.rules import Rules


class Problem(StrEnum):
    """Why rules or a table are refused."""

    UNKNOWN_PRESET = "unknown_preset"
    UNKNOWN_AXIS = "unknown_axis"
    BAD_VALUE = "bad_value"
    PLAYERS = "players"
    DECK_TOO_SMALL = "deck_too_small"
    TEAMS = "teams"


_SENTENCES: Final = {
    Problem.UNKNOWN_PRESET: "There is no preset {name!r}: choose one of {known}.",
    Problem.UNKNOWN_AXIS: "There is no rule named {name!r}: choose one of {known}.",
    Problem.BAD_VALUE: "The rule {name!r} cannot be {value!r}: it takes {expected}.",
    Problem.PLAYERS: "These rules are for {allowed} players, not {players}.",
    Problem.DECK_TOO_SMALL: "{players} players need {needed} cards at least, the deck has {cards}: choose a larger.",
    Problem.TEAMS: "{players} players cannot form equal teams of {size}.",
}


class RulesError(ValueError):
    """Rules that cannot be played; `problem` and `fields` let a user interface say it in another language."""

    def __init__(self, problem: Problem, **details: object) -> None:
        super().__init__(_SENTENCES[problem].format(**details))
        self.problem = problem
        self.details = details


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the rules: the part of `Rules` it lives in, its field, and its type."""

    part: str
    name: str
    kind: type


def _axes() -> dict[str, Axis]:
    found: dict[str, Axis] = {}
    for part, part_type in get_type_hints(Rules).items():
        if not is_dataclass(part_type):
            continue
        hints = get_type_hints(part_type)
        for item in fields(part_type):
            if isinstance(hints[item.name], type):  # not the tuple of allowed player counts
                found[item.name] = Axis(part, item.name, hints[item.name])
    return found


AXES: Final = _axes()
_LEAST: Final = {"down": 1, "target": 1, "rounds": 1, "best_of": 1, "team_size": 2, "show_count": 1}
_MOST: Final = {"down": HAND_SIZE, "team_size": 3, "show_count": HAND_SIZE, "best_of": 5}
_SIGNED: Final = frozenset({"false_counter_own", "false_counter", "false_kems", "false_double"})
_BOOLS: Final = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def preset(name: str) -> Rules:
    """The preset of that name.

    Raises:
        RulesError: there is none.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesError(Problem.UNKNOWN_PRESET, name=name, known=", ".join(PRESETS)) from None


def override(rules: Rules, values: Mapping[str, str]) -> Rules:
    """The rules with some axes changed; values are texts, as in KGN's `[Rules "target=12 deck=52"]`.

    Raises:
        RulesError: no such axis, or a value it does not take.
    """
    for name, text in values.items():
        axis = AXES.get(name)
        if axis is None:
            raise RulesError(Problem.UNKNOWN_AXIS, name=name, known=", ".join(sorted(AXES)))
        part = replace(getattr(rules, axis.part), **{name: _value(axis, text)})
        rules = replace(rules, **{axis.part: part})
    return rules


def changes(rules: Rules) -> dict[str, str]:
    """The axes in which the rules differ from the preset they name, as texts that `override` reads."""
    origin = PRESETS[rules.preset]
    values = ((axis, getattr(getattr(rules, axis.part), axis.name)) for axis in AXES.values())
    return {axis.name: text(value) for axis, value in values if value != getattr(getattr(origin, axis.part), axis.name)}


def house_rules(rules: Rules) -> dict[str, str]:
    """The changes that make a table another game than its preset: all but the pace, which no sheet knows."""
    return {name: value for name, value in changes(rules).items() if AXES[name].part != "pace"}


def text(value: float | bool | str) -> str:
    """A rule's value as KGN writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0")


def teams_for(rules: Rules, players: int) -> int:
    """How many teams so many players form; two players are two teams of one.

    Raises:
        RulesError: no equal teams.
    """
    if players == 2:
        return 2
    for size in (rules.seating.team_size, 2, 3):
        if players % size == 0 and players // size >= 2:
            return players // size
    raise RulesError(Problem.TEAMS, players=players, size=rules.seating.team_size)


def check_table(rules: Rules, players: int) -> None:
    """Refuse a table that cannot be played.

    Raises:
        RulesError: wrong number of players, no equal teams, or too few cards (RULES.md: 4 x players + 4).
    """
    if players not in rules.seating.players:
        allowed = ", ".join(str(count) for count in rules.seating.players)
        raise RulesError(Problem.PLAYERS, allowed=allowed, players=players)
    teams_for(rules, players)
    needed = HAND_SIZE * (players + 1)
    cards = len(DECKS[rules.deal.deck])
    if cards < needed:
        raise RulesError(Problem.DECK_TOO_SMALL, players=players, needed=needed, cards=cards)


def _value(axis: Axis, text: str) -> object:
    kind = axis.kind
    if issubclass(kind, StrEnum):
        known = {member.value: member for member in kind}
        if text in known:
            return known[text]
        raise _bad(axis, text, "one of " + ", ".join(known))
    if kind is bool:
        if text.lower() in _BOOLS:
            return _BOOLS[text.lower()]
        raise _bad(axis, text, "yes or no")
    return _number(axis, text)


def _number(axis: Axis, text: str) -> float:
    least = -9 if axis.name in _SIGNED else _LEAST.get(axis.name, 0)
    most = _MOST.get(axis.name, 999)
    expected = f"a{' whole' if axis.kind is int else ''} number from {least} to {most}"
    try:
        number = float(text) if axis.kind is float else int(text)
    except ValueError:
        raise _bad(axis, text, expected) from None
    if not least <= number <= most:
        raise _bad(axis, text, expected)
    return number


def _bad(axis: Axis, text: str, expected: str) -> RulesError:
    return RulesError(Problem.BAD_VALUE, name=axis.name, value=text, expected=expected)
