"""The rules in words: a change of any value that can matter changes the text, in both languages."""

from dataclasses import replace
from typing import Final

import pytest

from bot.discord.api.components import MAX_TEXT
from bot.discord.text.texts import Texts
from bot.game.rules.house_rules import override, preset, text, value_of
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import AXES, PLAYERS, Rules
from bot.game.signs import SignCard, Strategy
from bot.ui.rules.panels import rules_panel, rules_panels
from bot.ui.words.rules_text import explain
from bot.ui.words.signs import strategy_explained
from tests.examples import combined
from tests.ui.walk import BOTH, BY_LANGUAGE, EN, FR, walk, words

SPOKEN: Final = sorted(name for name, axis in AXES.items() if axis.part != "pace")

NEEDED: Final = {
    name: {need.axis: need.value for need in axis.needs if need.axis != PLAYERS} for name, axis in AXES.items()
}
"""What must hold for an axis to matter at all: without it another axis has switched it off."""
FOR_PLAYERS: Final = {"duel_delay": 2, "team_size": 12}
"""Axes that matter to tables of so many players alone."""
EVERYTHING: Final = {
    **{name: value for needed in NEEDED.values() for name, value in needed.items() if name != "ends_at"},
    "show_different": "yes", "counter_lost": "yes", "excess_jokers": "yes", "sign_required": "yes",
    "sign_cards": "yes", "four_kems": "6", "win_by": "2", "best_of": "5", "holder": "team",
}  # fmt: skip


def others(rules: Rules, name: str) -> list[str]:
    """Other values of the axis than the rules have; of a number, the next one and a large one."""
    present = value_of(rules, name)
    if AXES[name].values:
        return [value for value in AXES[name].values if value != text(present)]
    assert not isinstance(present, str)
    return [text(present + 1), text(present + 4)]


@pytest.mark.parametrize(("preset_name", "language"), combined([*PRESETS], ["fr", "en"]))
def test_different_values_have_different_texts(preset_name: str, language: str) -> None:
    texts, unsaid = BY_LANGUAGE[language], []
    for name in SPOKEN:
        rules = override(preset(preset_name), NEEDED[name])
        if FOR_PLAYERS.get(name, 4) not in rules.seating.players:
            rules = override(preset("classic"), NEEDED[name])
        said = explain(rules, texts)
        values = others(rules, name)
        unsaid += [f"{name}={value}" for value in values if explain(override(rules, {name: value}), texts) == said]
    assert unsaid == []


@BOTH
def test_the_text_has_the_numbers_of_the_rules(texts: Texts) -> None:
    numbers = {"quiet": "71", "sweep_vote": "72.5", "refusal_grace": "73", "show_delay": "74", "sign_deadline": "75"}
    numbers |= {"kems": "61", "double_kems": "62", "false_kems": "63", "false_counter_own": "-9", "target": "64"}
    said = "\n".join(explain(override(preset("classic"), numbers), texts))
    assert all(number.removeprefix("-") in said.replace(",5", ".5") for number in numbers.values())
    assert ("72,5 s" if texts is FR else "72.5 s") in said
    assert "-9" not in said, "points that are lost are said in words"


@BOTH
@pytest.mark.parametrize("name", PRESETS)
def test_every_line_is_short_and_the_whole_fits_one_message(name: str, texts: Texts) -> None:
    for rules in (preset(name), override(preset(name), EVERYTHING)):
        lines = explain(rules, texts)
        assert all(line.startswith(("**", "- ")) and len(line) <= 130 and "{" not in line for line in lines)
        assert len(set(lines)) == len(lines)
        shown = [part.get("content", "") for part in walk(rules_panel(rules, texts))]
        assert sum(map(len, shown)) < MAX_TEXT


def test_every_line_is_translated_and_all_languages_have_equally_many() -> None:
    for rules in PRESETS.values():
        french, english = explain(rules, FR), explain(rules, EN)
        assert len(french) == len(english)
        assert [f for f, e in zip(french, english, strict=True) if f == e and "Points" not in f] == []


@BOTH
def test_the_strategies_and_sign_cards_of_a_table_are_explained(texts: Texts) -> None:
    for rules in (preset("classic"), preset("bell")):
        for strategies in ((), *((strategy,) for strategy in Strategy), tuple(Strategy)):
            (panel,) = rules_panels(rules, texts, "Sunday", strategies, is_voted=True)
            said = words(panel)
            assert len(said) < MAX_TEXT
            assert "Sunday" in said
            for strategy in Strategy:
                assert (strategy_explained(strategy, texts) in said) is (strategy in strategies)
            assert all((f"- **{texts.t(card.words)}**" in said) is rules.signs.sign_cards for card in SignCard)
            assert "{" not in said


@BOTH
def test_rules_that_one_message_cannot_hold_come_in_two(texts: Texts) -> None:
    rules = override(preset("expert"), EVERYTHING)
    first, second = rules_panels(rules, texts, None, Strategy)
    assert words(first) == words(rules_panel(rules, texts))
    assert all(strategy_explained(strategy, texts) in words(second) for strategy in Strategy)
    assert len(words(second)) < MAX_TEXT


def test_a_team_without_points_is_described_in_correct_french() -> None:
    rules = override(preset("american"), {"false_counter_all": "1", "counter_accused": "-1"})
    said = explain(rules, FR)
    assert "- Faux Kem's : votre équipe perd 1 point, aucune équipe adverse ne marque." in said
    assert "- En plus, chaque équipe adverse marque 1 point." in said
    assert "- Contre-Kem's réussi : l'équipe accusée perd 1 point." in said
    assert not any("chaque équipe adverse ne marque rien" in line for line in said)


def test_a_wrong_guess_frees_no_sign_that_is_never_changed() -> None:
    said = explain(override(preset("yokai"), {"sign_change": "never"}), EN)
    assert "- A sign that was found is changed, and the hunt goes on." in said


def test_the_rules_state_the_penalty_for_ones_own_team() -> None:
    rules = override(preset("classic"), {"false_kems_own": "-1", "false_kems": "0", "false_double_own": "-2"})
    told = explain(rules, EN)
    assert "- False Kem's: your team loses 1 point, no opposing team scores." in told
    assert "- False double Kem's: your team loses 2 points, each opposing team scores 1 point." in told


def test_a_change_of_signs_after_counters_is_not_mentioned_when_none_is_played() -> None:
    after = override(CLASSIC, {"sign_change": "after_counter"})
    none_played = replace(after, calls=replace(after.calls, counters=False))
    assert any("après un contre" in line for line in explain(after, FR))
    assert not any("contre" in line.casefold() for line in explain(none_played, FR))
