"""Every screen is what it was when it was recorded, and fits into what Discord takes of one message.

A change that is meant: `python -m tests.ui.screens.record`. One test looks at all, for they take a while to draw.
"""

import re
from typing import Final

import pytest

from bot.discord.api.components import BUTTON, CONTAINER, MENU, ROW, TEXT
from bot.ui.privacy.feature import PrivacyVerb
from tests.ui.screens import scenes
from tests.ui.screens.limits import misfits, troubles
from tests.ui.screens.record import built, changes, recorded
from tests.ui.screens.written import written
from tests.verbs import VERBS

FEWEST: Final = 900
_MOST_SHOWN: Final = 10
UNSHOWN: Final = {PrivacyVerb}
"""Its only button is the yes of a question."""


def test_every_screen_fits_into_a_message_and_is_as_it_was_recorded() -> None:
    assert misfits(scenes.scenes()) == []
    now, before = built(), recorded()
    assert sum(map(len, now.values())) >= FEWEST
    found = list(changes(before, now))
    assert not found, "\n".join([*found[:_MOST_SHOWN], f"{len(found)} changes: python -m tests.ui.screens.record"])


def test_every_feature_with_buttons_has_recorded_screens() -> None:
    shown = {word.split(":")[2] for word in re.findall(r"k1:[^:\s]*:\w+", str(scenes.scenes()))}
    missing = {type(verb) for verb in VERBS} - {type(verb) for verb in VERBS if verb in shown}
    assert missing == UNSHOWN, "no function that `scenes` calls in tests/ui/screens/scenes.py shows these verbs"


def test_a_screen_that_is_too_large_is_found() -> None:
    row = {"type": ROW, "components": [{"type": BUTTON, "custom_id": "k1:7:fly", "label": "x" * 81}] * 6}
    option = {"label": "", "value": "x", "default": True}
    menu = {"type": MENU, "custom_id": "k1:7:show", "min_values": 0, "max_values": 3, "options": [option] * 2}
    bad = [{"type": CONTAINER, "components": [{"type": TEXT, "content": " "}] * 33 + [row, row, menu]}]
    said = "\n".join(troubles(bad))
    refused = ("49 components", "empty", "one custom id", "'k1:7:fly'", "a row of", "too long", "1 values", "3 of 2")
    assert [words for words in (*refused, "the option") if words not in said] == []


@pytest.mark.long
def test_a_new_preset_and_a_new_golden_match_change_no_other_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    every = scenes.scenes()["table"]
    monkeypatch.setattr(scenes, "OF_PRESETS", scenes.OF_PRESETS[1:])
    played, golden = scenes._played.__wrapped__()
    without = dict(scenes._table_scenes(played, golden[1:]))
    assert len(without) < len(every)
    assert without == {name: every[name] for name in without}


def test_a_change_is_reported_once_with_the_screens_that_show_it() -> None:
    before = {"table": {"a": "| same\n[Go](k1:go)", "b": "[Go](k1:go)", "c": "| gone"}}
    now = {"table": {"a": "| same\n[Run](k1:go)", "b": "[Run](k1:go)", "d": "| new"}}
    assert list(changes(before, now)) == [
        "gone: table: c",
        "new: table: d",
        "changed: table: a, table: b\n    -[Go](k1:go)\n    +[Run](k1:go)",
    ]


def test_invisible_characters_are_recorded_visibly() -> None:
    assert written("a\u200bb\u202f!\u2068c") == "| a˙b⍽!\\u2068c"
