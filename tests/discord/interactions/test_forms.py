"""Forms: one text that was typed, found wherever Discord puts it."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.discord.api.modals import Modal, submitted_fields, submitted_text


def submitted(data: object) -> discord.Interaction:
    return cast("discord.Interaction", SimpleNamespace(data=data, locale="en-US"))


@pytest.mark.parametrize("shape", [{}, None, [], {"components": None}, {"components": [{"type": 18}]}])
def test_a_form_in_which_nothing_was_typed_is_refused(shape: object) -> None:
    with pytest.raises(RefusedError, match="Nothing was filled in"):
        submitted_text(submitted(shape))


def test_a_choice_in_a_form_is_read_like_a_text_and_a_press_is_no_form() -> None:
    parts = ({"type": 4, "custom_id": "text", "value": "🍀☕"}, {"type": 3, "custom_id": "kind", "values": ["double"]})
    shapes = [
        [{"type": 18, "component": part} for part in parts],
        [{"type": 1, "components": [part]} for part in parts],
    ]
    forms = [submitted({"custom_id": "k1:7:sign_text", "components": shape}) for shape in shapes]
    assert [submitted_text(form) for form in forms] == ["🍀☕"] * 2
    assert [submitted_fields(form) for form in forms] == [{"text": "🍀☕", "kind": "double"}] * 2
    press = {"custom_id": "k1:7:show", "component_type": 3, "values": ["7S8S"]}
    unanswered = {"components": [{"type": 3, "custom_id": "kind", "values": []}]}
    assert [submitted_fields(submitted(data)) for data in (press, unanswered, {}, None)] == [{}] * 4


async def test_a_form_may_have_menus_and_fields_that_may_stay_empty() -> None:
    form = Modal("Signs", "k1:7:sign_text")
    form.add_menu("How many", "kind", [("one", "One"), ("two", "Two")], "two")
    form.add_text_input("Which", hint="x" * 200, is_required=False)
    kind, text = cast("dict[str, Any]", form.to_dict())["components"]
    assert {option["value"]: option["default"] for option in kind["component"]["options"]} == {
        "one": False,
        "two": True,
    }
    assert (text["description"], text["component"]["required"]) == ("x" * 100, False)
    assert "description" not in kind
    assert form.is_finished(), "discord.py would keep it"


async def test_a_modal_has_one_field_that_may_be_filled_in_already() -> None:
    form = Modal("Rules", "k1:7:rules_line").add_text_input(
        "One line", written="classic target=12", most=300, is_long=True
    )
    (label,) = cast("dict[str, Any]", form.to_dict())["components"]
    field = label["component"]
    assert (field["value"], field["max_length"], field["style"]) == ("classic target=12", 300, 2)
    assert submitted_text(submitted({"components": [label]})) == "classic target=12"
    assert form.is_finished(), "discord.py would keep it"
