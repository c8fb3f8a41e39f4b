"""House rules: every axis by its name, and a sentence for each table that cannot be played."""

import re
from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from bot.game.rules import house_rules
from bot.game.rules.axis import MOST, Axis
from bot.game.rules.house_rules import RuleProblem, RulesError, read_rules
from bot.game.rules.presets import CLASSIC, OPTIONS, PRESETS
from bot.game.rules.rules import AXES, Seats
from tests.examples import examples
from tests.together import together


def some_value(axis: Axis) -> st.SearchStrategy[str]:
    """Any value that the axis takes, as a text."""
    if axis.values:
        return st.sampled_from(axis.values)
    low, high = axis.least, MOST
    numbers = st.integers(low, high) if axis.kind is int else st.floats(low, high)
    return numbers.map(house_rules.text)


@settings(max_examples=examples(150))
@given(name=st.sampled_from(sorted(PRESETS)), data=st.data())
def test_changes_returns_exactly_the_overridden_axes(name: str, data: st.DataObject) -> None:
    axes = data.draw(st.lists(st.sampled_from(sorted(AXES)), max_size=6, unique=True))
    rules = house_rules.override(house_rules.preset(name), {axis: data.draw(some_value(AXES[axis])) for axis in axes})
    changed = house_rules.changes(rules)
    assert set(changed) <= set(axes)
    assert house_rules.override(house_rules.preset(name), changed) == rules


@together("axis", sorted(AXES))
def test_an_override_changes_only_its_axis(axis: str) -> None:
    found = set()
    for value in AXES[axis].values or ("2", "7"):
        rules = house_rules.override(CLASSIC, {axis: value})
        found.add(house_rules.value_of(rules, axis))
        is_other = house_rules.value_of(rules, axis) != house_rules.value_of(CLASSIC, axis)
        assert house_rules.changes(rules) == ({axis: value} if is_other else {})
    assert len(found) > 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_pristine_preset_has_no_changes(name: str) -> None:
    assert house_rules.preset(name).preset == name
    assert house_rules.changes(house_rules.preset(name)) == {}


def test_changed_clocks_are_no_house_rules() -> None:
    rules = house_rules.override(CLASSIC, {"auto_open": "3", "target": "12"})
    assert house_rules.changes(rules) == {"auto_open": "3", "target": "12"}
    assert house_rules.house_rules(rules) == {"target": "12"}


@together(
    ("line", "own", "offered"),
    [
        ("classic deck=52", {}, {"deck": "52"}),
        ("classic target=15", {"target": "15"}, {}),
        ("expert target=15 best_of=3", {}, {"target": "15", "best_of": "3"}),
        ("expert target=15 quiet=3", {"quiet": "3"}, {"target": "15"}),
        ("expert double_kems=3", {"double_kems": "3"}, {}),  # the sheet raises all doubles or none
        (
            "expert double_kems=3 double_counter=3 false_double=3 false_double_counter=3 four_kems=6",
            {},
            {"double_kems": "3", "double_counter": "3", "false_double": "3", "false_double_counter": "3"}
            | {"four_kems": "6"},
        ),
        ("expert four_kems=4", {}, {"four_kems": "4"}),
        ("expert four_kems=6", {"four_kems": "6"}, {}),
        ("escale ends_at=rounds rounds=12", {}, {"ends_at": "rounds", "rounds": "12"}),
        ("escale ends_at=rounds rounds=5", {"ends_at": "rounds", "rounds": "5"}, {}),
        ("bell rounds=31 auto_next=9", {}, {"rounds": "31"}),
    ],
)
def test_an_option_that_the_sheet_offers_is_no_house_rule(
    line: str, own: dict[str, str], offered: dict[str, str]
) -> None:
    rules = read_rules(line)
    assert house_rules.house_rules(rules) == own
    assert house_rules.options_taken(rules) == offered


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_belongs_to_an_existing_rule(name: str) -> None:
    for group in OPTIONS[name]:
        for axis, values in group.items():
            for value in values:
                rules = house_rules.override(house_rules.preset(name), {axis: value})
                assert house_rules.text(house_rules.value_of(rules, axis)) == value


@together(
    ("name", "text"),
    [
        ("deck", "33"), ("holder", "Partner"), ("must_exchange", "maybe"), ("must_exchange", ""), ("target", "ten"),
        ("target", "0"), ("target", "1000"), ("target", "2.5"), ("down", "5"), ("down", "0"), ("quiet", "-1"),
        ("quiet", "nan"), ("quiet", "inf"), ("best_of", "7"), ("best_of", "2"), ("best_of", "4"), ("team_size", "1"),
        ("team_size", "5"), ("kems", "-1"), ("false_counter_own", "-10"), ("show_count", "5"), ("chain", "0.5"),
    ],
)  # fmt: skip
def test_a_value_that_a_rule_does_not_take_is_refused(name: str, text: str) -> None:
    with pytest.raises(
        RulesError, match=f"The rule “{name}” cannot be “{re.escape(text)}”: (it takes a number|choose one of) "
    ) as refused:
        house_rules.override(CLASSIC, {name: text})
    assert refused.value.problem is (RuleProblem.BAD_VALUE if AXES[name].values else RuleProblem.BAD_NUMBER)
    assert refused.value.details["name"] == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("deck", "choose one of 32, 36, 52, 54"),
        ("must_exchange", "choose one of yes, no"),
        ("target", "it takes a number from 1 to 999"),
        ("quiet", "it takes a number from 0 to 999"),
        ("down", "choose one of 1, 2, 3, 4"),
        ("best_of", "choose one of 1, 3, 5"),
        ("chain", "it takes a number from 1 to 999"),
        ("false_counter_own", "it takes a number from -9 to 999"),
    ],
)
def test_the_refusal_says_what_the_rule_takes(name: str, expected: str) -> None:
    with pytest.raises(RulesError, match=expected):
        house_rules.override(CLASSIC, {name: "?"})


def test_an_unknown_rule_or_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"no rule named “goal”: choose one of .*target") as refused:
        house_rules.override(CLASSIC, {"goal": "10"})
    assert refused.value.problem is RuleProblem.UNKNOWN_AXIS
    with pytest.raises(RulesError, match=r"no rules named “poker”: choose one of classic.*yokai") as refused:
        house_rules.preset("poker")
    assert refused.value.problem is RuleProblem.UNKNOWN_PRESET


@pytest.mark.parametrize(
    ("text", "value"), [("yes", True), ("TRUE", True), ("1", True), ("no", False), ("False", False), ("0", False)]
)
def test_yes_and_no_may_be_written_in_several_ways(text: str, value: bool) -> None:
    assert house_rules.override(CLASSIC, {"sign_required": text}).signs.sign_required is value


@pytest.mark.parametrize(
    ("value", "text"), [(True, "yes"), (False, "no"), (5.0, "5"), (0.1234567, "0.1234567"), (-1, "-1")]
)
def test_values_are_written_in_the_form_in_which_they_are_read(value: float | bool, text: str) -> None:
    assert house_rules.text(value) == text


@together(
    ("players", "size", "teams"),
    [(2, 2, 2), (2, 3, 2), (4, 2, 2), (4, 3, 2), (6, 2, 3), (6, 3, 2), (8, 2, 4), (9, 2, 3), (12, 2, 6), (12, 3, 4)],
)
def test_teams_have_the_chosen_size_when_the_number_of_players_allows_it(players: int, size: int, teams: int) -> None:
    assert house_rules.teams_for(house_rules.override(CLASSIC, {"team_size": str(size)}), players) == teams


@pytest.mark.parametrize("players", [3, 5, 7])
def test_players_that_form_no_equal_teams_are_refused(players: int) -> None:
    rules = replace(CLASSIC, seating=Seats(players=(players,)))
    with pytest.raises(RulesError, match=f"{players} players cannot form equal teams of 2") as refused:
        house_rules.check_table(rules, players)
    assert refused.value.problem is RuleProblem.TEAMS


@pytest.mark.parametrize(("preset", "players"), [("classic", 10), ("escale", 6), ("linternaute", 12), ("yokai", 0)])
def test_a_number_of_players_that_the_sheet_does_not_know_is_refused(preset: str, players: int) -> None:
    with pytest.raises(RulesError, match=rf"These rules are for [\d, ]+ players, not {players}\.") as refused:
        house_rules.check_table(PRESETS[preset], players)
    assert refused.value.problem is RuleProblem.PLAYERS


@pytest.mark.parametrize(("players", "needed"), [(8, 36), (9, 40), (12, 52)])
def test_a_deck_that_is_too_small_is_refused(players: int, needed: int) -> None:
    with pytest.raises(RulesError, match=f"{players} players need {needed} cards at least, the deck has 32") as refused:
        house_rules.check_table(CLASSIC, players)
    assert refused.value.problem is RuleProblem.DECK_TOO_SMALL
    house_rules.check_table(house_rules.override(CLASSIC, {"deck": "52"}), players)


@pytest.mark.parametrize(("players", "size"), [(4, 3), (8, 3), (2, 3)])
def test_a_team_size_that_cannot_be_formed_is_refused(players: int, size: int) -> None:
    rules = house_rules.override(CLASSIC, {"team_size": str(size), "deck": "52"})
    with pytest.raises(RulesError, match=f"{players} players cannot form equal teams of {size}") as refused:
        house_rules.check_table(rules, players)
    assert refused.value.problem is RuleProblem.TEAMS
    house_rules.check_table(rules, 9)
    house_rules.check_table(
        house_rules.override(CLASSIC, {"deck": "52"}), 9
    )  # the sheet's twos give way to nine players


@pytest.mark.parametrize(
    ("preset", "players", "named", "deck"),
    [("classic", 4, {}, "32"), ("classic", 8, {}, "52"), ("classic", 8, {"target": "3"}, "52"),
     ("classic", 6, {}, "32"), ("classic", 12, {"deck": "54"}, "54"), ("bell", 4, {"deck": "32"}, "32")],
)  # fmt: skip
def test_many_players_get_a_larger_deck(preset: str, players: int, named: dict[str, str], deck: str) -> None:
    rules = house_rules.override(PRESETS[preset], named)
    assert house_rules.with_room(rules, players) == house_rules.override(rules, {"deck": deck})


def test_a_deck_that_was_named_is_kept_even_if_it_is_too_small() -> None:
    rules = house_rules.override(PRESETS["bell"], {"deck": "32"})
    assert house_rules.with_room(rules, 8) is rules


def test_unprintable_text_is_escaped_only_in_the_sentence() -> None:
    with pytest.raises(RulesError, match=r"no rules named “\\x1b\[2J”") as refused:
        house_rules.preset("\x1b[2J")
    assert refused.value.details["name"] == "\x1b[2J"


def test_every_rule_has_a_short_label_and_other_words_that_people_use() -> None:
    assert [name for name, axis in AXES.items() if not (axis.hints and 0 < len(axis.label) <= 45)] == []


def test_penalty_points_may_be_negative() -> None:
    own = {name for name in AXES if name.endswith("_own")}
    others = {"kems_others", "double_kems_others", "false_kems", "false_double"}
    accused = {"counter_accused", "false_counter"}
    assert {name for name, axis in AXES.items() if axis.least < 0} == own | others | accused
    assert {axis.least for axis in AXES.values()} == {-9, 0, 1}


def test_a_target_of_zero_and_a_chain_of_zero_seconds_are_refused() -> None:
    assert {name for name, axis in AXES.items() if axis.least == 1} == {"chain", "target", "rounds", "win_by"}
