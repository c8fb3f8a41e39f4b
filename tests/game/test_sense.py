"""Combinations that make no sense: each is refused for what was changed, says why, and how to mend it."""

from typing import Final

import pytest

from bot.game.rules import house_rules
from bot.game.rules.house_rules import RuleProblem, RulesError
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import AXES, PLAYERS, Rules, unmet
from tests.together import together

MENDED: Final = {
    "redrawn=under excess=redeal": "excess=redraw",
    "excess_jokers=yes": "deck=54",
    "excess_jokers=yes excess=keep deck=54": "excess=redraw",
    "refusal_grace=9 must_exchange=no": "must_exchange=yes",
    "chain=5": "double=two_voices",
    "counter_of_two=2": "counter_two=counts",
    "double_counter=3": "double_counters=yes",
    "false_double_counter=3": "double_counters=yes",
    "four_kems=4": "double_counters=yes",
    "shows=accuser counter_names=team": "counter_names=player",
    "shows=accuser false_counter_ends=yes": "false_counter_ends=no",
    "show_count=3 shows=nobody": "shows=accused",
    "show_delay=5 counter_names=team": "counter_names=player",
    "show_different=yes show_count=1": "show_count=2",
    "guess_right=2": "guess=points",
    "guess_wrong=2 guess=not_played": "guess=points",
    "target=12 ends_at=rounds": "ends_at=target",
    "win_by=2 ends_at=rounds": "ends_at=target",
    "best_of=3 ends_at=rounds": "ends_at=target",
    "rounds=4": "ends_at=rounds",
    "counter_names=team counters=no": "counters=yes",
    "counter_accused=-1 counters=no": "counters=yes",
    "sign_change=after_counter counters=no": "counters=yes",
}
"""House rules of `classic`, the first of which has no effect; and the rule that it needs."""


WORTHLESS: Final = {
    "counters": "no", "kems": "0", "double_kems": "0", "false_kems": "0", "false_double": "0",
}  # fmt: skip


def rules_of(words: str, preset: str = "classic") -> Rules:
    return house_rules.override(PRESETS[preset], dict(word.split("=") for word in words.split()))


@together("words", MENDED)
def test_a_change_without_effect_is_refused_with_what_it_needs(words: str) -> None:
    name, needed = words.partition("=")[0], MENDED[words]
    with pytest.raises(RulesError, match=f"“{name}” changes nothing here: it needs {needed}\\.") as refused:
        house_rules.check_rules(rules_of(words))
    assert refused.value.problem is RuleProblem.NO_EFFECT
    with pytest.raises(RulesError, match=f"“{name}” changes nothing"):
        house_rules.check_table(rules_of(words), 4)
    house_rules.check_table(rules_of(f"{words} {needed}"), 4)


def test_the_sign_rule_for_two_players_only_has_an_effect_when_two_may_play() -> None:
    house_rules.check_rules(rules_of("duel_delay=5"))
    with pytest.raises(RulesError, match="“duel_delay” changes nothing here: it needs players=2"):
        house_rules.check_rules(rules_of("duel_delay=5", "escale"))


def test_the_chain_rule_has_an_effect_only_when_a_double_takes_two_calls() -> None:
    house_rules.check_rules(rules_of("chain=5", "linternaute"))
    house_rules.check_rules(rules_of("four_kems=4 chain=5", "expert"))
    with pytest.raises(RulesError, match="“chain” changes nothing"):
        house_rules.check_rules(rules_of("chain=5", "expert"))


@together("players", [2, 4, 6])
@together("name", PRESETS)
def test_values_that_a_preset_sets_itself_are_no_mistake(name: str, players: int) -> None:
    rules = PRESETS[name]
    house_rules.check_rules(rules)
    if players in rules.seating.players:
        house_rules.check_table(rules, players)


@together(
    ("preset", "words"),
    [
        ("classic", "false_counter_ends=yes"),  # its cards to show and its lost counters have no use any more
        ("classic", "counter_names=team"),
        ("classic", "excess=keep must_exchange=no ends_at=rounds"),
        ("expert", "double_counters=no counter_two=no_effect"),
        ("linternaute", "double=at_once shows=nobody"),
        ("bell", "deck=52 ends_at=target"),
        ("yokai", "guess=report"),
        ("escale", "ends_at=rounds"),
        ("classic", "shows=nobody counter_names=team"),
        ("classic", "counter_lost=no false_counter_ends=yes"),
        ("linternaute", "show_different=no shows=nobody"),
        ("bell", "excess_jokers=no deck=52"),
        ("yokai", "guess_right=0 guess=report"),
        *((name, "counters=no") for name in PRESETS),
    ],
)
def test_a_preset_rule_that_others_need_may_be_switched_off(preset: str, words: str) -> None:
    house_rules.check_table(rules_of(words, preset), 4)


@pytest.mark.parametrize(("preset", "words"), [("classic", "win_by=11"), ("expert", "target=1")])
def test_a_lead_beyond_the_target_is_refused(preset: str, words: str) -> None:
    rules = rules_of(words, preset)
    sentence = f"A lead of {rules.end.win_by} is more than the target of {rules.end.target}: choose"
    with pytest.raises(RulesError, match=sentence) as refused:
        house_rules.check_rules(rules)
    assert refused.value.problem is RuleProblem.LEAD
    house_rules.check_rules(rules_of(words + " target=11", "classic" if preset == "classic" else "expert"))


def test_a_match_in_which_nothing_scores_is_refused() -> None:
    nothing = "kems=0 double_kems=0 counter=0 counter_two=counts counter_of_two=0 false_kems=0 false_double=0"
    for words in (nothing, nothing + " false_kems=-1"):
        silent = rules_of(words + " double_counters=yes double_counter=0 false_double_counter=0")
        with pytest.raises(RulesError, match="Nothing scores a point, so nobody can reach the target") as refused:
            house_rules.check_rules(silent)
        assert refused.value.problem is RuleProblem.NO_POINTS
        house_rules.check_rules(house_rules.override(silent, {"ends_at": "rounds"}))
        house_rules.check_rules(house_rules.override(silent, {"counter": "1"}))
        with pytest.raises(RulesError, match="Nothing scores a point"):  # nor does a counter that is not played
            house_rules.check_rules(house_rules.override(PRESETS["classic"], WORTHLESS))


def test_teams_that_no_number_of_players_allows_are_refused() -> None:
    house_rules.check_rules(rules_of("team_size=3"))
    with pytest.raises(RulesError, match="4 players cannot form equal teams of 3"):
        house_rules.check_rules(rules_of("team_size=3", "escale"))


def test_a_rule_that_a_change_makes_useless_is_reset() -> None:
    rules = rules_of("double_counters=yes double_counter=3 shows=accuser show_count=3 target=12")
    off = house_rules.without_idle_changes(
        house_rules.override(rules, {"double_counters": "no"}), keep="double_counters"
    )
    assert house_rules.changes(off) == {"shows": "accuser", "show_count": "3", "target": "12"}
    ends = house_rules.without_idle_changes(house_rules.override(rules, {"false_counter_ends": "yes"}))
    assert "shows" not in house_rules.changes(ends)
    assert "show_count" not in house_rules.changes(ends)
    house_rules.check_rules(ends)
    kept = house_rules.without_idle_changes(rules_of("chain=5"), keep="chain")
    assert house_rules.changes(kept) == {"chain": "5"}, "what was asked for last is refused, not dropped"


@together("name", [name for name, axis in AXES.items() if axis.needs])
def test_every_need_can_be_met_in_the_way_that_it_names(name: str) -> None:
    for preset in PRESETS.values():
        rules = preset
        for _ in range(len(AXES[name].needs)):
            need = unmet(rules, name)
            if need is not None and need.axis != PLAYERS:
                rules = house_rules.override(rules, {need.axis: need.value})
        left = unmet(rules, name)
        assert left is None or left.axis == PLAYERS
    assert unmet(CLASSIC, "target") is None


def test_needs_of_a_rule_name_other_rules() -> None:
    assert {need.axis for axis in AXES.values() for need in axis.needs} <= set(AXES)
