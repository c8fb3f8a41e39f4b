"""The editor of a table's rules: every page of it within Discord's limits, in both languages."""

from dataclasses import replace
from typing import Any, cast

import pytest

from bot.game.rules.house_rules import AXES, choices, override, preset, text, value_of
from bot.game.rules.line import write_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import PLAYERS
from bot.ladder.eligibility import Gates
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.place import Place
from bot.tables.rule_book import MAX_SETS, RuleSet
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press, parse_id
from bot.ui.kit.texts import Texts
from bot.ui.rules.editor import SAVED, line_form, name_form, number_form, part_of, rules_editor
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rule_names import PARTS, label
from tests.ui.walk import BOTH, EN, FR, SELECT, TABLE_ID, button, buttons, check_limits, people, walk, words

NUMBERS = [name for name in AXES if not choices(name)]
EVERYTHING = {name: (choices(name) or ("9",))[-1] for name in AXES}


def lobby(name: str = "classic", size: int = 4, **values: str) -> Lobby:
    rules = override(preset(name), values)
    return Lobby(TABLE_ID, Place(1, 2), 1000, rules, size, people(size), True, "fr", opened_at=60_000, gates=Gates())


def editor(shown: Lobby, page: str = "", texts: Texts = FR, **options: Any) -> Layout:
    options = {"may_save": True, **options}
    view = rules_editor(shown, write_rules(shown.rules), texts, page=page, back="settings", **options)
    check_limits(view)
    for menu in menus(view):
        assert 1 <= len(menu["options"]) <= 25
        assert sum(option["default"] for option in menu["options"]) <= 1
        assert len(menu["placeholder"]) <= 150
        for option in menu["options"]:
            assert 1 <= len(option["label"]) <= 100
            assert 1 <= len(option["value"]) <= 100
            assert len(option.get("description") or "") <= 100
    return view


def menus(view: Layout) -> list[dict[str, Any]]:
    return [part for part in walk(view) if part["type"] == SELECT]


def menu(view: Layout, custom_id: str) -> dict[str, Any]:
    (found,) = [part for part in menus(view) if part["custom_id"] == f"k1:{TABLE_ID}:{custom_id}"]
    return found


def chosen(menu: dict[str, Any]) -> list[str]:
    return [option["value"] for option in menu["options"] if option["default"]]


@BOTH
@pytest.mark.parametrize("page", ["", SAVED, *PARTS, *AXES, "nonsense"])
def test_every_page_fits_one_message(page: str, texts: Texts) -> None:
    for name in PRESETS:
        editor(lobby(name), page, texts)
    editor(lobby("classic", 12, **EVERYTHING), page, texts, notice="x" * 200)


def test_the_first_page_tells_the_rules_and_where_to_change_them() -> None:
    view = editor(lobby("expert", target="15"))
    assert words(view).splitlines() == [
        "## Règles de la table",
        "-# Expert · 32 cartes · 15 points · amicale (les tables classées se jouent sans option) · robots : habitué",
        "`expert target=15`",
    ]
    assert chosen(menu(view, "rules_preset")) == ["expert"]
    assert [option["value"] for option in menu(view, "rules_preset")["options"]] == list(PRESETS)
    assert [option["value"] for option in menu(view, "rules_page:part")["options"]] == list(PARTS)
    assert chosen(menu(view, "rules_page:part")) == []
    labels = [item.label for item in buttons(view)]
    assert labels == ["← Réglages", "Variante d'origine", "En texte…", "Enregistrer…", "Charger…"]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_offers_all_its_rules_with_their_values(part: str) -> None:
    view = editor(lobby(), part)
    offered = menu(view, "rules_page:axis")["options"]
    axes = {option["value"]: option for option in offered}
    assert set(axes) == {name for name, axis in AXES.items() if axis.part == part}
    assert all(option["label"] == label(axis, FR) for axis, option in axes.items())
    assert chosen(menu(view, "rules_page:part")) == [part]
    assert (part == "pace") is (len(words(view).splitlines()) == 2), "the pace alone is on no sheet"


def test_a_rule_that_has_no_effect_says_so_where_it_is_chosen() -> None:
    axes = {
        option["value"]: option["description"]
        for option in menu(editor(lobby(), "sweep"), "rules_page:axis")["options"]
    }
    assert axes["refusal_grace"] == "20 s"
    idle = editor(lobby(must_exchange="no"), "sweep", EN)
    axes = {option["value"]: option["description"] for option in menu(idle, "rules_page:axis")["options"]}
    assert axes["refusal_grace"] == "20 s (no effect now)"
    assert axes["must_exchange"] == "no"


@pytest.mark.parametrize("axis", AXES)
def test_a_choice_is_a_menu_and_a_number_a_form(axis: str) -> None:
    shown = lobby()
    present = "4" if axis == PLAYERS else text(value_of(shown.rules, axis))
    view = editor(shown, axis)
    assert chosen(menu(view, "rules_page:axis")) == [axis]
    assert part_of(axis) == AXES[axis].part
    if choices(axis):
        values = menu(view, f"rules_set:{axis}")
        assert tuple(option["value"] for option in values["options"]) == choices(axis)
        assert chosen(values) == [present]
    else:
        assert present in button(view, f"rules_number:{axis}").label


def test_the_number_of_players_is_any_that_makes_teams() -> None:
    values = menu(editor(lobby(size=6), PLAYERS), f"rules_set:{PLAYERS}")
    assert [option["value"] for option in values["options"]] == ["2", "4", "6", "8", "9", "10", "12"]
    assert chosen(values) == ["6"]
    assert chosen(menu(editor(lobby("yokai"), PLAYERS), f"rules_set:{PLAYERS}")) == ["4"]


def test_a_notice_stands_where_the_rule_was_changed() -> None:
    view = editor(lobby(), "double_counter", notice="Non.")
    kinds = [part.get("content") or part.get("custom_id") for part in walk(view)]
    assert kinds.index(f"k1:{TABLE_ID}:rules_number:double_counter") < kinds.index("Non.")
    assert kinds.index("Non.") < kinds.index(f"k1:{TABLE_ID}:rules_reset")


def test_a_pristine_preset_has_nothing_to_go_back_from() -> None:
    assert not button(editor(lobby()), "rules_reset").is_enabled
    assert button(editor(lobby(auto_open="5")), "rules_reset").is_enabled


def test_saving_is_for_those_who_may() -> None:
    assert button(editor(lobby()), "rules_save").is_enabled
    assert not button(editor(lobby(), may_save=False), "rules_save").is_enabled


@BOTH
def test_the_servers_sets_are_defused_and_fill_one_menu(texts: Texts) -> None:
    hostile = [
        RuleSet(f"**@everyone** {number} \u202e", write_rules(lobby(**EVERYTHING).rules)) for number in range(MAX_SETS)
    ]
    view = editor(lobby(), SAVED, texts, sets=hostile)
    assert len(menu(view, "rules_saved")["options"]) == MAX_SETS
    assert not any("\u202e" in option["label"] for option in menu(view, "rules_saved")["options"])
    ours = replace(lobby(), rule_set="Jeudi")
    view = editor(ours, SAVED, texts, sets=[RuleSet("Été", "bell"), RuleSet("Jeudi", "classic")])
    assert chosen(menu(view, "rules_saved")) == ["Jeudi"]
    assert not [
        part for part in menus(editor(lobby(), SAVED, texts)) if part["custom_id"].endswith(RulesVerb.RULES_SAVED)
    ]


@BOTH
@pytest.mark.parametrize("axis", NUMBERS)
async def test_every_number_has_its_form(axis: str, texts: Texts) -> None:
    sent = cast("dict[str, Any]", number_form(lobby(), axis, texts).to_dict())
    assert parse_id(sent["custom_id"]) == Press(TABLE_ID, RulesVerb.RULES_SET, axis)
    assert 0 < len(sent["title"]) <= 45
    (field,) = sent["components"]
    assert 0 < len(field["label"]) <= 45
    assert field["component"]["value"] == text(value_of(lobby().rules, axis))


@BOTH
async def test_the_other_forms_ask_one_question_and_carry_their_ids(texts: Texts) -> None:
    ours = replace(lobby(**EVERYTHING), rule_set="Jeudi")
    for form, verb, written in (
        (line_form(ours, write_rules(ours.rules), texts), RulesVerb.RULES_LINE, write_rules(ours.rules)),
        (name_form(ours, texts), RulesVerb.RULES_NAME, "Jeudi"),
    ):
        sent = cast("dict[str, Any]", form.to_dict())
        assert parse_id(sent["custom_id"]) == Press(TABLE_ID, verb)
        (field,) = sent["components"]
        assert 0 < len(sent["title"]) <= 45
        assert 0 < len(field["label"]) <= 45
        assert field["component"]["value"] == written
        assert len(written) <= field["component"]["max_length"]
