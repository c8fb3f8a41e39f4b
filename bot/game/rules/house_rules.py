"""House rules: axes of `Rules` by name, the reasons to refuse rules and tables, and rules as a line of text.

People share the line, `classic target=12 deck=52`: it is KGN's [Preset] and [Rules] in one.
"""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from bot.game.cards import DECKS, HAND_SIZE, DeckKind
from bot.game.rules.axis import MOST, Axis, Need
from bot.game.rules.presets import CLASSIC, OPTIONS, PRESETS
from bot.game.rules.rules import AXES, EndsAt, Rules, ShownTo, unmet
from bot.game.signs import fold_letters
from bot.game.value import Sentence

Value = float | bool | str | tuple[int, ...]
"""The value of an axis."""

MAX_NAME: Final = 32  # characters of the name of a set of rules
MAX_LINE: Final = 1500  # and of a line, with room for every axis
_NOTHING: Final[Mapping[str, str]] = {}


class RuleProblem(Sentence):
    """The reasons to refuse rules or a table; a user interface translates them and fills them in with its own words."""

    UNKNOWN_PRESET = "There are no rules named “{name}”: choose one of {known}."
    UNKNOWN_AXIS = "There is no rule named “{name}”: choose one of {known}."
    BAD_VALUE = "The rule “{name}” cannot be “{value}”: choose one of {known}."
    BAD_NUMBER = "The rule “{name}” cannot be “{value}”: it takes a number from {least} to {most}."
    BAD_WORD = "I cannot read “{word}”: write a preset first, then rules such as `target=12`."
    TWICE = "The rule “{name}” is given twice: leave one of them out."
    BAD_NAME = "“{name}” cannot be a name: take 1 to {most} characters without =, and not a preset's name."
    NO_EFFECT = "“{name}” changes nothing here: it needs {needed}. Set that too, or leave this rule out."
    LEAD = "A lead of {lead} is more than the target of {target}: choose a smaller lead or a larger target."
    NO_POINTS = "Nothing scores a point, so nobody can reach the target: give points to Kem's or another call."
    PLAYERS = "These rules are for {allowed} players, not {players}."
    DECK_TOO_SMALL = "{players} players need {needed} cards at least, the deck has {cards}: choose a larger one."
    TEAMS = "{players} players cannot form equal teams of {size}."


class RulesError(ValueError):
    """Rules that cannot be played. `str()` says why in English; `problem` and `details` are for other languages."""

    def __init__(self, problem: RuleProblem, **details: object) -> None:
        texts = {name: repr(value)[1:-1] if isinstance(value, str) else value for name, value in details.items()}
        if problem is RuleProblem.NO_EFFECT:
            texts["needed"] = f"{details['other']}={details['value']}"
        super().__init__(problem.format(**texts))
        self.problem = problem
        self.details = details


_PARTS: Final = frozenset(axis.part for axis in AXES.values())
_GUESSES: Final = ("guess_right", "guess_wrong", "guess_wrong_own", "guess_wrong_all")
_POINTS: Final = (*(name for name, axis in AXES.items() if axis.part == "scoring"), *_GUESSES)
_BOOLS: Final = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
_OFF: Final = (0, ShownTo.NOBODY)
"""Values that switch something off; setting one where it is off already is no mistake."""


def preset(name: str) -> Rules:
    """Return the preset of this name.

    Raises:
        RulesError: No preset has this name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesError(RuleProblem.UNKNOWN_PRESET, name=name, known=", ".join(PRESETS)) from None


def override(rules: Rules, values: Mapping[str, str]) -> Rules:
    """Return the rules with other values for some axes; values are text, as in KGN's `[Rules "target=12 deck=52"]`.

    Raises:
        RulesError: There is no such axis, or the value is not allowed.
    """
    for name, text in values.items():
        axis = AXES.get(name)
        if axis is None:
            known = ", ".join(get_close_matches(name, AXES) or sorted(AXES))
            raise RulesError(RuleProblem.UNKNOWN_AXIS, name=name, known=known)
        part = replace(getattr(rules, axis.part), **{name: _value(axis, text)})
        rules = replace(rules, **{axis.part: part})
    return rules


def without_idle_changes(rules: Rules, *, keep: str = "") -> Rules:
    """Return the rules without changes that have no effect, given the other rules; the axis `keep` is left as it is."""
    idle = [name for name in changes(rules) if name != keep and _missing(rules, name)]
    return override(rules, {name: text(value_of(PRESETS[rules.preset], name)) for name in idle})


def differences(rules: Rules, origin: Rules) -> dict[str, str]:
    """Return the axes in which the rules differ from `origin`, as texts that `override` reads."""
    parts = {part for part in _PARTS if getattr(rules, part) != getattr(origin, part)}
    changed = (name for name, axis in AXES.items() if axis.part in parts)
    return {name: text(value_of(rules, name)) for name in changed if value_of(rules, name) != value_of(origin, name)}


def changes(rules: Rules) -> dict[str, str]:
    """Return the axes in which the rules differ from the preset they name."""
    return differences(rules, PRESETS[rules.preset])


def house_rules(rules: Rules) -> dict[str, str]:
    """Return the changes to the preset, except options that its sheet offers and the pace."""
    offered = options_taken(rules)
    return {name: value for name, value in core_changes(rules).items() if name not in offered}


def options_taken(rules: Rules) -> dict[str, str]:
    """Return the changes that the preset's sheet offers as options.

    Axes that the sheet offers together count only if all of them are set so.
    """
    holding = [group for group in OPTIONS.get(rules.preset, ()) if all(_has(rules, *item) for item in group.items())]
    return {name: value for name, value in core_changes(rules).items() if any(name in group for group in holding)}


def core_changes(rules: Rules) -> dict[str, str]:
    """Return all changes except those of the pace, which no rule sheet sets."""
    return {name: value for name, value in changes(rules).items() if AXES[name].part != "pace"}


def value_of(rules: Rules, name: str) -> Value:
    """Return the value of an axis."""
    value: Value = getattr(getattr(rules, AXES[name].part), name)
    return value


def text(value: Value) -> str:
    """Return a value of an axis as KGN writes it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0")


def teams_for(rules: Rules, players: int) -> int:
    """Return how many equal teams `players` form; two players form two.

    Raises:
        RulesError: They cannot form equal teams.
    """
    if players == 2:
        return 2
    for size in (rules.seating.team_size, 2, 3):
        if players % size == 0 and players // size >= 2:
            return players // size
    raise RulesError(RuleProblem.TEAMS, players=players, size=rules.seating.team_size)


def for_players(rules: Rules, players: int) -> Rules:
    """Return the rules for a table of `players`; a number that the preset does not allow becomes a house rule."""
    if players in rules.seating.players:
        return rules
    own = PRESETS[rules.preset].seating.players
    seating = replace(rules.seating, players=own if players in own else (players,))
    return replace(rules, seating=seating)


def with_room(rules: Rules, players: int) -> Rules:
    """Return the rules with a deck that is large enough, as the sheets advise; a deck chosen by a house rule stays."""
    if "deck" in changes(rules) or _cards_for(players) <= len(DECKS[rules.deal.deck]):
        return rules
    return override(rules, {"deck": DeckKind.D52})


def with_own_deck(rules: Rules) -> Rules:
    """Return the rules with the deck of the preset they name."""
    return replace(rules, deal=replace(rules.deal, deck=PRESETS[rules.preset].deal.deck))


def check_rules(rules: Rules) -> None:
    """Check that each change makes sense and has an effect; a value that the preset itself sets is never a mistake.

    Raises:
        RulesError: A change has no effect, the lead exceeds the target, nothing gives points, or no number of players
            forms teams of this size.
    """
    changed = changes(rules)
    for name in changed:
        need = _missing(rules, name)
        if need is not None:
            raise RulesError(RuleProblem.NO_EFFECT, name=name, other=need.axis, value=need.value)
    end = rules.end
    if end.ends_at is EndsAt.TARGET:
        if end.win_by > end.target and not changed.keys().isdisjoint({"win_by", "target"}):
            raise RulesError(RuleProblem.LEAD, lead=end.win_by, target=end.target)
        played = [AXES[name] for name in _POINTS if unmet(rules, name) is None]
        if max(getattr(getattr(rules, axis.part), axis.name) for axis in played) <= 0:
            raise RulesError(RuleProblem.NO_POINTS)
    if "team_size" in changed and not any(_has_teams(rules, count) for count in rules.seating.players):
        raise RulesError(RuleProblem.TEAMS, players=rules.seating.players[-1], size=rules.seating.team_size)


def check_table(rules: Rules, players: int) -> None:
    """Check that `players` can play by these rules.

    Raises:
        RulesError: The rules make no sense (`check_rules`), or do not allow this number of players or teams of this
            size, or there are too few cards (four for each player and four for the pool).
    """
    check_rules(rules)
    if players not in rules.seating.players:
        allowed = ", ".join(str(count) for count in rules.seating.players)
        raise RulesError(RuleProblem.PLAYERS, allowed=allowed, players=players)
    teams_for(rules, players)
    if "team_size" in changes(rules) and not _has_teams(rules, players):
        raise RulesError(RuleProblem.TEAMS, players=players, size=rules.seating.team_size)
    cards = len(DECKS[rules.deal.deck])
    if cards < _cards_for(players):
        raise RulesError(RuleProblem.DECK_TOO_SMALL, players=players, needed=_cards_for(players), cards=cards)


def _has(rules: Rules, name: str, values: tuple[str, ...]) -> bool:
    return not values or text(value_of(rules, name)) in values


def _missing(rules: Rules, name: str) -> Need | None:
    """Return what an axis lacks to have an effect; an axis that is switched off lacks nothing."""
    return None if value_of(rules, name) in _OFF else unmet(rules, name)


def _has_teams(rules: Rules, players: int) -> bool:
    """Return whether `players` form two or more teams of the size that the rules name."""
    size = rules.seating.team_size
    return players % size == 0 and players // size > 1


def _cards_for(players: int) -> int:
    return HAND_SIZE * (players + 1)


def _value(axis: Axis, text: str) -> object:
    known = axis.values
    if not known:
        return _number(axis, text)
    if axis.kind is tuple and set(text.split(",")) <= set(known):
        return tuple(sorted({int(count) for count in text.split(",")}))
    if axis.kind is bool and text.lower() in _BOOLS:
        return _BOOLS[text.lower()]
    if text not in known or axis.kind is tuple:
        raise RulesError(RuleProblem.BAD_VALUE, name=axis.name, value=text, known=", ".join(known))
    return axis.kind(text)


def _number(axis: Axis, text: str) -> float:
    try:
        number = float(text) if axis.kind is float else int(text)
    except ValueError:
        number = None
    if number is None or not axis.least <= number <= MOST:
        raise RulesError(RuleProblem.BAD_NUMBER, name=axis.name, value=text, least=axis.least, most=MOST)
    return number


def read_rules(line: str, defaults: Mapping[str, str] = _NOTHING) -> Rules:
    """Return the rules of a line in any case; without the name of a preset, `classic` is meant.

    `defaults` are the house rules of every table that does not set others.

    Raises:
        RulesError: A word is outside the notation, names no rule or gives it no value; or the rules make no sense.
    """
    words = line.lower().split()
    named = words.pop(0) if words and "=" not in words[0] else CLASSIC.preset
    rules = override(preset(named), {**defaults, **read_words(words)})
    check_rules(rules)
    return rules


def write_rules(rules: Rules, defaults: Mapping[str, str] = _NOTHING) -> str:
    """Return the rules as the line that `read_rules` reads."""
    return " ".join((rules.preset, *write_words(differences(rules, override(PRESETS[rules.preset], defaults)))))


def read_words(words: list[str]) -> dict[str, str]:
    """Return the values of words such as `target=12`, by axis.

    Raises:
        RulesError: A word has no `=`, or an axis is given twice.
    """
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(RuleProblem.BAD_WORD, word=word)
        if name in values:
            raise RulesError(RuleProblem.TWICE, name=name)
        values[name] = value
    return values


def write_words(values: Mapping[str, str]) -> list[str]:
    """Return values by axis as words such as `target=12`."""
    return [f"{name}={value}" for name, value in values.items()]


def read_name(written: str) -> str:
    """Return a checked name for a set of rules, which must not look like a preset or a line of rules.

    Raises:
        RulesError: It does, or is empty or too long.
    """
    name = " ".join(written.split())
    if not 1 <= len(name) <= MAX_NAME or "=" in name or name.lower() in PRESETS:
        raise RulesError(RuleProblem.BAD_NAME, name=name, most=MAX_NAME)
    return name


def name_key(name: str) -> str:
    """Return a key that is equal for names that sound the same, however they are typed."""
    return fold_letters(name)
