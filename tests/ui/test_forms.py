"""Forms: one text that was typed, found wherever Discord puts it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.ui.forms import Form, typed


def submitted(data: object) -> discord.Interaction:
    return cast("discord.Interaction", SimpleNamespace(data=data))


def test_the_typed_text_is_found_where_discord_nests_it() -> None:
    field = {"type": 4, "custom_id": "text", "value": "🍀☕"}
    shapes = [
        {"components": [{"type": 18, "component": field}]},
        {"components": [{"type": 1, "components": [field]}]},
    ]
    assert [typed(submitted(shape)) for shape in shapes] == ["🍀☕", "🍀☕"]
    assert [typed(submitted(shape)) for shape in ({}, None, {"components": [{"type": 18}]})] == ["", "", ""]


async def test_a_form_has_one_field_that_may_hold_a_text_already() -> None:
    form = Form("Rules", "k1:7:rules_line", "One line", written="classic target=12", most=300, is_long=True)
    (label,) = cast("dict[str, Any]", form.to_dict())["components"]
    field = label["component"]
    assert (field["value"], field["max_length"], field["style"]) == ("classic target=12", 300, 2)
    assert submitted({"components": [{**label, "component": {**field, "value": "x"}}]}).data
    assert typed(submitted({"components": [label]})) == "classic target=12"
    assert form.is_finished(), "discord.py would keep it"
