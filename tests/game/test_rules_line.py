"""Rules as one line: what is written is read back, and a wrong word is named."""

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

from bot.game.rules import house_rules
from bot.game.rules.house_rules import MAX_NAME, RuleProblem, RulesError, read_name, read_rules, write_rules
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import AXES
from tests.examples import examples
from tests.game.test_house import some_value
from tests.together import together

DEFAULTS = {"auto_open": "20", "sign_deadline": "60"}


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("classic target=12 deck=52", "classic deck=52 target=12"),
        ("  Classic   TARGET=12\n", "classic target=12"),
        ("target=12", "classic target=12"),
        ("expert target=10", "expert"),
        ("yokai", "yokai"),
        ("", "classic"),
        ("classic quiet=2.5 auto_next=0", "classic quiet=2.5 auto_next=0"),
    ],
)
def test_a_line_of_rules_is_read_and_written(line: str, written: str) -> None:
    rules = read_rules(line)
    assert write_rules(rules) == ("classic quiet=2.5" if "auto_next" in written else written)
    assert read_rules(write_rules(rules)) == rules


def test_defaults_hold_unless_the_line_says_otherwise() -> None:
    rules = read_rules("classic target=12", DEFAULTS)
    assert house_rules.changes(rules) == {"auto_open": "20", "sign_deadline": "60", "target": "12"}
    assert write_rules(rules, DEFAULTS) == "classic target=12"
    never = read_rules("classic auto_open=0", DEFAULTS)
    assert never.pace.auto_open == 0
    assert write_rules(never, DEFAULTS) == "classic auto_open=0"


@settings(max_examples=examples(150))
@given(name=st.sampled_from(sorted(PRESETS)), data=st.data())
def test_all_playable_rules_survive_being_written_as_a_line(name: str, data: st.DataObject) -> None:
    axes = data.draw(st.lists(st.sampled_from(sorted(AXES)), max_size=6, unique=True))
    rules = house_rules.without_idle_changes(
        house_rules.override(PRESETS[name], {axis: data.draw(some_value(AXES[axis])) for axis in axes})
    )
    try:
        house_rules.check_rules(rules)
    except RulesError:
        assume(False)
    for defaults in ({}, DEFAULTS):
        assert read_rules(write_rules(rules, defaults), defaults) == rules


@together(
    ("line", "problem", "named"),
    [
        ("poker", RuleProblem.UNKNOWN_PRESET, "“poker”"),
        ("classic goal=12", RuleProblem.UNKNOWN_AXIS, "“goal”"),
        ("classic target=many", RuleProblem.BAD_NUMBER, "“many”"),
        ("classic deck=33", RuleProblem.BAD_VALUE, "“33”"),
        ("classic target 12", RuleProblem.BAD_WORD, "“target”"),
        ("target=12 classic", RuleProblem.BAD_WORD, "“classic”"),
        ("classic target=", RuleProblem.BAD_NUMBER, "“target”"),
        ("classic =12", RuleProblem.UNKNOWN_AXIS, "“”"),
        ("classic target=12 target=15", RuleProblem.TWICE, "“target”"),
        ("classic rounds=4", RuleProblem.NO_EFFECT, "“rounds”"),
    ],
)
def test_a_wrong_word_is_quoted_in_the_error(line: str, problem: RuleProblem, named: str) -> None:
    with pytest.raises(RulesError) as refused:
        read_rules(line)
    assert refused.value.problem is problem
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("written", "name"), [("Jeudi", "Jeudi"), ("  Soirée  du jeudi ", "Soirée du jeudi"), ("é", "é")]
)
def test_a_name_is_a_few_words(written: str, name: str) -> None:
    assert read_name(written) == name
    assert read_name("x" * MAX_NAME) == "x" * MAX_NAME


@pytest.mark.parametrize("written", ["", "   ", "x" * (MAX_NAME + 1), "a=b", "Classic", "yokai"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(written: str) -> None:
    with pytest.raises(RulesError, match="cannot be a name: take 1 to 32 characters") as refused:
        read_name(written)
    assert refused.value.problem is RuleProblem.BAD_NAME
    assert write_rules(CLASSIC) == "classic"
