"""The editor of a table's rules: every page of it fits, every rule can be changed. What it says is on the screens."""

from itertools import cycle
from typing import Any

import pytest

from bot.discord.api.components import Layout
from bot.discord.api.custom_ids import Press, parse_id
from bot.discord.interactions.setting import TextSetting, custom_ids_for
from bot.discord.text.texts import Texts
from bot.game.rules.house_rules import override, preset, text, value_of, write_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS
from bot.tables.lobby.lobby import Lobby
from bot.ui.rules.editor import part_of, rules_editor
from bot.ui.rules.rule_settings import SAVED, SETTINGS, RulesState
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rule_names import PARTS, label
from tests.together import together
from tests.ui.screens.common import asked
from tests.ui.screens.limits import form_troubles, troubles
from tests.ui.screens.lobbies import lobby_of
from tests.ui.walk import BOTH, FR, SELECT, TABLE_ID, button, walk, words

NUMBERS = [name for name in AXES if not AXES[name].values]
EVERYTHING = override(preset("classic"), {name: (AXES[name].values or ("9",))[-1] for name in AXES})


def editor(shown: Lobby, page: str = "", texts: Texts = FR, notice: str | None = None) -> Layout:
    line = write_rules(shown.rules)
    return rules_editor(RulesState(shown), line, texts, page=page, back="settings", notice=notice)


def menu(view: Layout, custom_id: str) -> dict[str, Any]:
    """Its options by their values."""
    wanted = f"k1:{TABLE_ID}:{custom_id}"
    (found,) = [part for part in walk(view) if part["type"] == SELECT and part["custom_id"] == wanted]
    return {option["value"]: option for option in found["options"]}


def chosen(options: dict[str, Any]) -> list[str]:
    return [value for value, option in options.items() if option["default"]]


@BOTH
@together(("page", "name"), zip(["", SAVED, *PARTS, *AXES, "nonsense"], cycle(PRESETS), strict=False))
def test_every_page_fits_one_message(page: str, name: str, texts: Texts) -> None:
    views = [editor(lobby_of(name), page, texts)]
    views.append(editor(lobby_of(size=12, rules=EVERYTHING), page, texts, "x" * 200))
    assert [trouble for view in views for trouble in troubles(view)] == []


@together("part", PARTS)
def test_a_part_offers_all_its_rules_with_their_values(part: str) -> None:
    view = editor(lobby_of(), part)
    axes = menu(view, "rules_page:axis")
    assert set(axes) == {name for name, axis in AXES.items() if axis.part == part}
    assert all(option["label"] == label(axis, FR) for axis, option in axes.items())
    assert chosen(menu(view, "rules_page:part")) == [part]
    assert (part == "pace") is (len(words(view).splitlines()) == 2), "the pace alone is on no sheet"


@together("axis", AXES)
def test_a_choice_is_a_menu_and_a_number_a_form(axis: str) -> None:
    view, present = editor(lobby_of(), axis), "4" if axis == PLAYERS else text(value_of(preset("classic"), axis))
    assert chosen(menu(view, "rules_page:axis")) == [axis]
    assert part_of(axis) == AXES[axis].part
    if AXES[axis].values:
        values = menu(view, f"rules_set:{axis}")
        assert (tuple(values), chosen(values)) == (AXES[axis].values, [present])
    else:
        assert present in button(view, f"rules_set:{axis}:form").label


@BOTH
@pytest.mark.parametrize("axis", NUMBERS)
async def test_every_number_has_its_form(axis: str, texts: Texts) -> None:
    setting, lobby = SETTINGS[axis], lobby_of()
    assert isinstance(setting, TextSetting)
    form = asked(setting.form(RulesState(lobby), custom_ids_for(lobby.id, RulesVerb.RULES_SET), texts))
    assert parse_id(form["custom_id"]) == Press(TABLE_ID, RulesVerb.RULES_SET, axis)
    assert form["components"][0]["component"]["value"] == text(value_of(preset("classic"), axis))
    assert list(form_troubles(form)) == []
