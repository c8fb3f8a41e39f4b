"""The settings of a planned night: each is on its panel, changes the draft alone, and is kept with it."""

from dataclasses import replace
from itertools import chain
from typing import Any
from unittest.mock import Mock

import pytest

from bot.discord.api.components import MAX_PARTS
from bot.discord.api.custom_ids import MAX_ID, MOST
from bot.discord.interactions.setting import Checkbox, ChoiceSetting, RoleSetting, Setting
from bot.discord.text.texts import texts_for
from bot.game.rules.house_rules import read_rules
from bot.ladder.seasons import Eligibility
from bot.nights.formats import EXPRESS, FORMATS, LOUNGE, ROTATION, SWISS
from bot.nights.planning.draft import NightDraft
from bot.tables.servers.settings import RuleSet
from bot.ui.night.plan.settings import SETTINGS, PlanState, also_changed, plan_panel
from bot.ui.night.verbs import PlanVerb, night_id
from tests.ui.night.samples import night_of, plan_of
from tests.ui.walk import walk

FR = texts_for("fr")
NIGHT = replace(night_of(3, SWISS, title="Tournoi", rounds=7), id=30)
NEW = PlanState(
    NightDraft("Europe/Paris", plan_of(), id=5),
    read_rules,
    sets=(RuleSet("maison", "escale target=12"),),
    templates=(NIGHT,),
    has_role=True,
    now=plan_of().starts_at,
)
BY_NAME = {one.name: one for one in SETTINGS}


def ids_of(state: PlanState) -> list[str]:
    """Of what stands on both pages."""
    panels = (plan_panel(state, Eligibility.RANKED, FR, is_second=is_second) for is_second in (False, True))
    parts = chain.from_iterable(map(walk, panels))
    both = (night_id(PlanVerb.PUBLISH, state.draft.id),)
    return [*both, *(part["custom_id"] for part in parts if "custom_id" in part and part["custom_id"] not in both)]


def values(setting: Setting[PlanState]) -> list[Any]:
    if isinstance(setting, ChoiceSetting):
        return list(setting.options(NEW, FR))
    return [True, False] if isinstance(setting, Checkbox) else [9, MOST]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_choice_in_the_plan_sets_what_it_says(name: str) -> None:
    setting = BY_NAME[name]
    for value in values(setting):
        state = setting.with_value(NEW, value)
        assert name == "template" or setting.value(state) == value
        others = [one for one in SETTINGS if one.name != name and name not in ("template", "format")]
        assert [one.value(state) for one in others] == [one.value(NEW) for one in others]


def test_a_format_names_what_else_it_changes_and_nothing_that_stays() -> None:
    setting = BY_NAME["format"]
    before = setting.with_value(NEW, SWISS)
    state = setting.with_value(before, EXPRESS)
    said = also_changed(before, state, setting, FR)
    assert said is not None
    changed = [one for one in SETTINGS if one is not setting and one.value(before) != one.value(state)]
    assert {one.name for one in changed} >= {"minutes", "size", "weekly", "ranked"}
    for one in changed:
        value = one.value(state)
        box = f"{'☑' if value else '☐'} {FR.t(one.title)}"
        assert (one.options(state, FR)[value] if isinstance(one, ChoiceSetting) else box) in said
    assert len(said.split(" · ")) == len(changed)
    assert also_changed(state, setting.with_value(state, EXPRESS), setting, FR) is None


def test_a_set_of_the_server_is_chosen_with_its_rules() -> None:
    plan = BY_NAME["rules"].with_value(NEW, "set:maison").plan
    assert (plan.rule_set, plan.rules.preset) == ("maison", "escale")
    assert BY_NAME["rules"].with_value(NEW, "bell").plan.rule_set is None


def test_the_rules_of_a_set_that_is_gone_stay() -> None:
    state = replace(BY_NAME["rules"].with_value(NEW, "set:maison"), sets=())
    assert state.plan.rules == read_rules("escale target=12")
    assert "maison" in str(plan_panel(state, Eligibility.RANKED, FR))


def test_a_night_like_a_former_one_differs_only_in_its_date() -> None:
    plan = BY_NAME["template"].with_value(NEW, NIGHT.id).plan
    assert (plan.title, plan.rounds, plan.format) == ("Tournoi", 7, SWISS)
    assert plan.starts_at > NEW.now


def test_a_robot_plays_with_the_odd_person_of_a_format_for_pairs() -> None:
    assert not NEW.plan.fills_with_robots
    state = BY_NAME["format"].with_value(NEW, SWISS)
    assert state.plan.fills_with_robots
    assert BY_NAME["format"].with_value(state, ROTATION).plan.fills_with_robots, "as the host has seen it last"


def test_tables_always_have_a_channel() -> None:
    assert BY_NAME["channel"].with_value(NEW, None).plan.channel_id == NEW.plan.channel_id
    assert BY_NAME["announce"].with_value(BY_NAME["announce"].with_value(NEW, 9), None).plan.announce_id is None


def test_the_first_page_asks_for_a_channel_while_there_is_none() -> None:
    def first_page(channel_id: int) -> str:
        state = replace(NEW, draft=NEW.draft.with_changes(channel_id=channel_id))
        return str(plan_panel(state, Eligibility.RANKED, FR))

    assert ":channel" in first_page(0)
    assert ":channel" not in first_page(9)
    assert "<#9>" in first_page(9)


def test_a_night_that_is_changed_stays_in_its_channels() -> None:
    changing = replace(NEW, draft=replace(NEW.draft, night_id=30))
    offered = {one.name for one in SETTINGS if one.is_offered(changing)}
    assert {one.name for one in SETTINGS} - offered == {"channel", "announce", "template", "event", "final"}
    assert not [found for found in ids_of(changing) if ":channel" in found or ":announce" in found]


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_the_panel_has_room_for_every_control_and_names_each_once(form: Any) -> None:
    state = replace(NEW, draft=NightDraft("Europe/Paris", plan_of(form), id=MOST))
    for is_second in (False, True):
        assert len(list(walk(plan_panel(state, Eligibility.RANKED, FR, is_second=is_second)))) <= MAX_PARTS
    found = ids_of(state)
    assert max(map(len, found)) <= MAX_ID
    assert len(set(found)) == len(found)
    assert any("final" in one for one in found) == form.may_have_final
    assert any(":rounds" in one for one in found) == (form.has_set_rounds or form is LOUNGE)


@pytest.mark.parametrize(
    ("is_default", "is_of_a_bot", "refused"), [(False, False, None), (True, False, "tout le monde"), (False, True, "✦")]
)
def test_a_night_asks_for_a_role_that_people_may_have(is_default: bool, is_of_a_bot: bool, refused: str | None) -> None:
    role = Mock(mention="✦", is_default=lambda: is_default, is_bot_managed=lambda: is_of_a_bot)
    role.name = "x"
    setting = BY_NAME["role_id"]
    assert isinstance(setting, RoleSetting)
    said = setting.refusal(Mock(), role, FR)
    assert said is None if refused is None else said is not None and refused in said
