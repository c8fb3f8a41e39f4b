"""Rules as one line of text that people share, `classic target=12 deck=52`: KGN's [Preset] and [Rules] in one."""

import unicodedata
from collections.abc import Mapping
from typing import Final

from bot.game.rules.house_rules import RuleProblem, RulesError, check_rules, differences, override, preset
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import Rules

MAX_NAME: Final = 32  # characters of the name of a set of rules
MAX_LINE: Final = 1500  # and of a line, with room for every axis
_NOTHING: Final[Mapping[str, str]] = {}


def read_rules(line: str, defaults: Mapping[str, str] = _NOTHING) -> Rules:
    """Returns the rules that a line names, in any case; without the name of a preset it is `classic`.

    `defaults` are house rules that every table here has unless the line says otherwise.

    Raises RulesError: a word outside the notation, one that names no rule or gives it no value; or rules without sense.
    """
    words = line.lower().split()
    named = words.pop(0) if words and "=" not in words[0] else CLASSIC.preset
    rules = override(preset(named), {**defaults, **read_words(words)})
    check_rules(rules)
    return rules


def write_rules(rules: Rules, defaults: Mapping[str, str] = _NOTHING) -> str:
    """Returns the line that `read_rules` reads as these rules."""
    return " ".join((rules.preset, *write_words(differences(rules, override(PRESETS[rules.preset], defaults)))))


def read_words(words: list[str]) -> dict[str, str]:
    """Returns words such as `target=12` by axis. Raises RulesError for a word without `=`, or an axis given twice."""
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
    return [f"{name}={value}" for name, value in values.items()]


def read_name(written: str) -> str:
    """Returns the name for a set of rules, one that cannot be taken for a preset or a line.

    Raises RulesError: it can, or is empty or too long.
    """
    name = " ".join(written.split())
    if not 1 <= len(name) <= MAX_NAME or "=" in name or name.lower() in PRESETS:
        raise RulesError(RuleProblem.BAD_NAME, name=name, most=MAX_NAME)
    return name


def name_key(name: str) -> str:
    """Returns a key that names share if they differ in case, in width or in how their accents are written only."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
