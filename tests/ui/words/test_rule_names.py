"""Every axis, part and value of the rules has its words, short enough for menus and forms, in every language."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import pytest

from bot.discord.text.texts import Texts
from bot.game.cards import DeckKind
from bot.game.rules import house_rules
from bot.game.rules import rules as r
from bot.game.rules.house_rules import RuleProblem, RulesError, read_rules
from bot.game.rules.presets import OPTIONS, PRESETS
from bot.game.rules.rules import AXES, PLAYERS
from bot.ladder.seasons import RankedRules
from bot.records.player import Player
from bot.ui.words.panel_text import seat_news
from bot.ui.words.refusals import rules_error_text
from bot.ui.words.rule_names import PARTS, lobby_line, preset_about, preset_name, rules_about, value_words
from tests.rules.test_presets import mutants
from tests.tables.fakes import PEOPLE, a_lobby, ok
from tests.together import together
from tests.ui.walk import BOTH, EN, EVERY, FR

MAX_TITLE = 45  # Discord's limit for a form's title


def test_every_part_of_the_rules_has_a_label() -> None:
    assert set(PARTS) == {axis.part for axis in AXES.values()}
    assert not set(AXES) & set(PARTS), "a menu tells them apart by their names"


@EVERY
@pytest.mark.parametrize("names", [[axis.label for axis in AXES.values()], [*PARTS.values()]], ids=["axes", "parts"])
def test_labels_are_short_and_differ(names: list[str], texts: Texts) -> None:
    labels = [texts.t(words) for words in names]
    assert len(set(labels)) == len(labels)
    assert all(0 < len(words) <= MAX_TITLE for words in labels)


@BOTH
@together("name", sorted(AXES))
def test_every_value_of_a_choice_has_words_of_its_own(name: str, texts: Texts) -> None:
    values = AXES[name].values
    words = {value_words(name, value, texts) for value in values}
    assert len(words) == len(values)
    if AXES[name].kind not in (int, tuple):
        assert texts is EN or not words & set(values), "these are the words of the notation"


def test_numbers_are_said_as_they_are_and_times_with_their_unit() -> None:
    assert (value_words("target", "12", FR), value_words("quiet", "2.5", FR)) == ("12", "2,5 s")
    assert (value_words("quiet", "2.5", EN), value_words("quiet", "15", EN)) == ("2.5 s", "15 s")
    assert value_words(PLAYERS, "4", FR) == "4"
    assert value_words("deck", DeckKind.D54, FR) == "54 cartes, dont deux jokers"
    assert (value_words("must_exchange", "yes", FR), value_words("must_exchange", "no", EN)) == ("oui", "no")


@pytest.mark.parametrize(("line", "said"), [
    ("classic goal=12", "« Points à atteindre »"),
    ("classic fooo=12", "les *Réglages…* de la table les montrent toutes"),
    ("classic shows=me", "choisissez parmi personne, l'accusé, l'accusateur"),
    ("classic auto_next=x", "« Manche suivante après (0 : jamais) »"),
    ("clasic", "choisissez parmi Classique, Expert"),
    ("poker", f"choisissez parmi {', '.join(preset_name(preset, FR) for preset in PRESETS)}."),
])  # fmt: skip
def test_a_refusal_names_no_rule_by_its_name_in_the_code(line: str, said: str) -> None:
    with pytest.raises(RulesError) as refused:
        read_rules(line)
    told = rules_error_text(refused.value, FR)
    assert said in told
    typed = {name for word in line.split() for name in word.split("=")}
    assert not [name for name in AXES if "_" in name and name in told and name not in typed]


def test_a_change_without_effect_says_what_it_needs() -> None:
    error = RulesError(RuleProblem.NO_EFFECT, name="double_counter", other="double_counters", value="yes")
    assert rules_error_text(error, FR) == (
        "« Double contre » ne change rien ici : il faudrait aussi Doubles contres : oui."
        " Réglez cela, ou laissez cette règle de côté."
    )


@BOTH
def test_typed_text_is_escaped(texts: Texts) -> None:
    for problem, details in (
        (RuleProblem.BAD_WORD, {"word": "@everyone **x**" + "y" * 999}),
        (RuleProblem.UNKNOWN_AXIS, {"name": "<@1>", "known": "double_counter, double_counters"}),
        (RuleProblem.BAD_VALUE, {"name": "deck", "value": "__a__ https://x", "known": "32, 52"}),
    ):
        said = rules_error_text(RulesError(problem, **details), texts)
        assert not any(wild in said for wild in ("@everyone", "**", "<@", "__", "://"))
        assert len(said) < 400


TRUE_OF: Final[Mapping[str, Callable[[r.Rules], bool]]] = {
    "the original rules": lambda rules: not house_rules.house_rules(rules),
    "first to 10 points": lambda rules: is_first_to(rules, 10),
    "double counters": r.plays_double_counters,
    "two points ahead to win": lambda rules: rules.end.win_by == 2 and rules.end.ends_at is r.EndsAt.TARGET,
    "a Kem's scores two": lambda rules: rules.scoring.kems == 2,
    "your own four of a kind counts too": lambda rules: rules.calls.holder is r.Holder.TEAM,
    "one card at a time": lambda rules: rules.exchange.down == 1,
    "three of a kind in the middle play on": lambda rules: rules.exchange.three_alike is r.ThreeAlike.ALLOWED,
    "jokers": lambda rules: rules.deal.deck is DeckKind.D54,
    "a bell and sign cards": lambda rules: rules.calls.bell and rules.signs.sign_cards,
    "three of a kind are swept": lambda rules: rules.exchange.three_alike is r.ThreeAlike.SWEEPS,
    "guessed signs score": lambda rules: rules.signs.guess is r.Guess.POINTS and rules.signs.guess_right > 0,
    "52 cards": lambda rules: rules.deal.deck is DeckKind.D52,
    "first to 5": lambda rules: is_first_to(rules, 5),
    "a wrong call costs a point": lambda rules: (
        rules.scoring.false_kems_own == rules.scoring.false_double_own == rules.scoring.false_counter_own == -1
    ),
}
"""What half lines say, and of which rules it is true. Others are taken to be true where their axes are unchanged."""


def is_first_to(rules: r.Rules, points: int) -> bool:
    return rules.end.ends_at is r.EndsAt.TARGET and rules.end.target == points


def with_options(name: str) -> list[r.Rules]:
    """The preset with each value that its sheet offers."""
    groups = OPTIONS.get(name, ())
    offered = [{axis: values[-1] for axis, values in group.items() if values} for group in groups]
    return [house_rules.override(PRESETS[name], values) for values in offered]


@together("name", [*PRESETS])
def test_the_words_about_a_preset_are_true_of_the_table(name: str) -> None:
    own = PRESETS[name]
    tables = [own, *with_options(name), *(mutant for axis in AXES for mutant in mutants(own, axis))]
    said = [(table, rules_about(table, EN)) for table in tables]
    claims = preset_about(name, EN).split(", ")
    assert said[0][1] == preset_about(name, EN)
    wrong = [
        (claim, house_rules.changes(table))
        for table, line in said
        if line is not None
        for claim in claims
        if claim in TRUE_OF and not TRUE_OF[claim](table)
    ]
    assert wrong == []
    quiet = own.sweep.quiet
    assert {table.sweep.quiet for table, line in said if line is not None} == (
        {quiet} if name == "classic" else {quiet - 1, quiet, quiet + 1}
    ), "another house rule takes nothing away"


def test_a_lobby_is_called_ranked_only_when_its_match_will_be() -> None:
    full = replace(a_lobby(), players=PEOPLE, ranked_rules=RankedRules())
    part = replace(full, players=(*PEOPLE[:3], None))
    robot = replace(full, players=(*PEOPLE[:3], Player("Zoé")))
    assert lobby_line(full, FR).endswith(" · classée")
    assert lobby_line(part, FR).endswith(" · classée sans robots")
    for lobby in (robot, replace(part, starts_at=1)):
        assert "amicale (robots)" in lobby_line(lobby, FR), "robots take the free seats of a call"
    assert lobby_line(replace(full, starts_at=1), FR).endswith(" · classée")


def test_a_ranked_match_that_becomes_friendly_says_so() -> None:
    ranked = ok(replace(a_lobby(), players=PEOPLE, ranked_rules=RankedRules()).start())
    friendly = replace(ranked, is_ranked=False, players=(*PEOPLE[:3], Player("Zoé")))
    assert "La partie devient amicale." in seat_news(ranked, friendly, FR)
    assert "amicale" not in seat_news(friendly, replace(friendly, players=ranked.players), FR)
