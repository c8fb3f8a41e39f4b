"""Rules that were stored before an axis was known have its default."""

from __future__ import annotations

import json

import pytest

from bot.game.rules.presets import PRESETS
from bot.store.schema.codec import decode_rules, encode

NEW = [
    *("take_limit", "sweep_by", "stock_out", "max_sweeps", "counter_accused", "false_counter_all"),
    *("false_double_counter_own", "sign_change", "guess_wrong_own", "guess_wrong_all"),
]


@pytest.mark.parametrize("name", PRESETS)
def test_a_missing_axis_has_the_value_of_all_presets(name: str) -> None:
    stored = json.loads(encode(PRESETS[name]))
    gone = [part.pop(axis) for part in stored.values() if isinstance(part, dict) for axis in NEW if axis in part]
    assert len(gone) == len(NEW)
    assert decode_rules(json.dumps(stored)) == PRESETS[name]
