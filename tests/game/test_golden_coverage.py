"""Between them the golden matches show every value of every rule, every refusal, outcome and word of the notation.

A value is shown by a match that no longer holds once the value is another one.
"""

import re
from collections.abc import Iterator

import pytest

from bot.game.cards import DeckKind
from bot.game.checks.refusals import Code
from bot.game.events import Outcome, RoundEnded
from bot.game.notation.document import MoveLine, read_document
from bot.game.notation.replay import Head, read_head, replay_match, replay_text
from bot.game.rules import house_rules
from bot.game.rules.house_rules import RulesError
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS, CounterTwo, Rules, SignChange, unmet
from tests.game.test_golden import GOLDEN
from tests.rules.test_presets import mutants

TEXTS = {path.stem: path.read_text("utf-8") for path in GOLDEN}
DOCUMENTS = {name: read_document(text) for name, text in TEXTS.items()}
HEADS = {name: read_head(document) for name, document in DOCUMENTS.items()}
RULES_LINE = re.compile(r'^\[Rules ".*"\]$', re.MULTILINE)
VERBS = {
    "open", "put", "take", "sweep", "yes", "no", "react", "post", "say", "kems", "double", "counter", "counter2",
    "swap", "show", "guess", "accuse", "sign", "propose", "keep", "- tick", "- time", "- next", "- chance",
}  # fmt: skip
NEVER_SEEN = {
    "bell=yes",
    "bell=no",
    "sign_cards=no",
    "takes_seen=yes",
    "takes_seen=no",
    "signs_told=match",
    "signs_told=round",
}
"""The bell is a matter of words, who took what and what was a sign one of views. Where no sign cards are drawn, the
notation has none to restrict a sign."""


def others(rules: Rules, axis: str) -> Iterator[Rules]:
    """The same rules with any other value that the axis takes; of a number, its neighbours."""
    for mutant in mutants(rules, axis):
        try:
            house_rules.override(rules, {axis: text_of(mutant, axis)})
        except RulesError:
            continue
        if not is_between_rounds(mutant):
            yield mutant


def is_between_rounds(rules: Rules) -> bool:
    """Whether signs that may be changed after a counter are changed between the rounds: every counter ends its own."""
    is_end = rules.calls.false_counter_ends and rules.calls.counter_two is CounterTwo.COUNTS
    return rules.signs.sign_change is SignChange.AFTER_COUNTER and is_end


def text_of(rules: Rules, axis: str) -> str:
    return house_rules.text(house_rules.value_of(rules, axis))


def is_seen(rules: Rules, axis: str) -> bool:
    """Whether the axis says something of these rules that a match can show; the pace is the house's alone.

    For how many a preset is made is seen where somebody chooses a table, and in no match.
    """
    if axis == PLAYERS:
        return False
    if axis == "team_size":  # of four players none sits in a team of three
        sizes = [house_rules.override(rules, {axis: size}) for size in AXES[axis].values]
        return len({tuple(house_rules.teams_for(by, players) for players in rules.seating.players) for by in sizes}) > 1
    is_silent = unmet(rules, axis) is not None or AXES[axis].part == "pace"
    return f"{axis}={text_of(rules, axis)}" not in NEVER_SEEN and not is_silent


@pytest.mark.parametrize("preset", PRESETS)
def test_the_golden_matches_of_a_preset_fail_when_any_rule_has_another_value(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, holes = PRESETS[preset], []
    pristine = {axis: [name for name, head in HEADS.items() if is_of(head, preset, axis)] for axis in AXES}
    for axis in filter(lambda axis: is_seen(rules, axis), AXES):
        for mutant in others(rules, axis):
            monkeypatch.setitem(PRESETS, preset, mutant)
            if not any(replay_text(name, TEXTS[name]) for name in pristine[axis]):
                holes.append(f"{axis}={text_of(mutant, axis)}")
    assert holes == [], f"matches are missing: .venv/bin/python -m tests.game.new_preset {preset} writes them"


def is_of(head: Head, preset: str, axis: str) -> bool:
    return head.rules.preset == preset and axis not in house_rules.changes(head.rules)


def shown(name: str) -> Iterator[tuple[str, str]]:
    """The house rules of a match that do not hold any more with another value."""
    rules = HEADS[name].rules
    changed = house_rules.changes(rules)
    for axis, value in changed.items():
        values = [text_of(other, axis) for other in others(rules, axis)]
        if all(replay_text(name, with_rules(name, {**changed, axis: other})) for other in values):
            yield axis, value


def with_rules(name: str, values: dict[str, str]) -> str:
    line = " ".join(f"{axis}={value}" for axis, value in values.items())
    return RULES_LINE.sub(f'[Rules "{line}"]', TEXTS[name])


def test_every_value_occurs_and_every_number_is_changed_by_a_house_rule() -> None:
    own = {(axis, text_of(rules, axis)) for rules in PRESETS.values() for axis in AXES if is_seen(rules, axis)}
    changed = {found for name in TEXTS for found in shown(name)}
    numbers = {axis for axis in AXES if AXES[axis].kind in (int, float)}
    holes = {
        f"{axis}={value}"
        for axis in set(AXES) - numbers - {PLAYERS}
        for value in AXES[axis].values
        if (axis, value) not in own | changed
    }
    holes |= {f"{axis}=?" for axis in numbers - {axis for axis, _ in changed}}
    missing, shown_by_now = holes - NEVER_SEEN, NEVER_SEEN - holes
    assert not missing, (
        "add a match to tests/golden/ that has each of these as a house rule (`?`: any number) and"
        " does not hold without it; what no match can show stands in NEVER_SEEN in tests/game/test_golden_coverage.py"
    )
    assert not shown_by_now, "take these out of NEVER_SEEN in tests/game/test_golden_coverage.py"


def test_every_refusal_outcome_and_word_of_the_notation_occurs() -> None:
    lines = [line for document in DOCUMENTS.values() for line in document.body]
    refused = {line.words[0] for line in lines if not isinstance(line, MoveLine) and line.what == "refused"}
    assert set(Code) - refused == set()
    ended = {
        event.outcome for text in TEXTS.values() for event in replay_match(text)[1] if isinstance(event, RoundEnded)
    }
    assert set(Outcome) - ended == set()
    verbs = {f"- {line.verb}" if line.who == "-" else line.verb for line in lines if isinstance(line, MoveLine)}
    assert verbs == VERBS


def test_every_preset_deck_and_number_of_players_occurs() -> None:
    assert {head.rules.preset for head in HEADS.values()} == set(PRESETS)
    assert {head.rules.deal.deck for head in HEADS.values()} == set(DeckKind)
    assert {str(len(head.names)) for head in HEADS.values()} == set(AXES[PLAYERS].values)


def test_there_are_enough_golden_matches_and_each_says_what_it_shows() -> None:
    titles = [text.splitlines()[0] for text in TEXTS.values()]
    assert all(title.startswith("# ") and len(title) > 20 for title in titles)
    twice = {title for title in titles if titles.count(title) > 1}
    assert not twice, "give each match in tests/golden/ a first line of its own"
    assert len(titles) >= 60
