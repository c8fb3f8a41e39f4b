"""Every screen is what it was when it was recorded. A change that is meant: `python -m tests.ui.screens.record`."""

from typing import Final

import pytest

from tests.ui.screens import scenes
from tests.ui.screens.record import built, changes, recorded
from tests.ui.screens.written import written

FEWEST: Final = 900
_MOST_SHOWN: Final = 10


def test_every_screen_is_as_it_was_recorded() -> None:
    now, before = built(), recorded()
    assert sum(map(len, now.values())) >= FEWEST
    found = list(changes(before, now))
    assert not found, "\n".join([*found[:_MOST_SHOWN], f"{len(found)} changes: python -m tests.ui.screens.record"])


def test_a_new_preset_and_a_new_golden_match_change_no_other_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    every = scenes.scenes()["table"]
    monkeypatch.setattr(scenes, "OF_PRESETS", scenes.OF_PRESETS[1:])
    played, golden = scenes._played.__wrapped__()
    without = dict(scenes._table_scenes(played, golden[1:]))
    assert len(without) < len(every)
    assert without == {name: every[name] for name in without}


def test_a_change_is_told_once_with_the_screens_that_have_it() -> None:
    before = {"table": {"a": "| same\n[Go](k1:go)", "b": "[Go](k1:go)", "c": "| gone"}}
    now = {"table": {"a": "| same\n[Run](k1:go)", "b": "[Run](k1:go)", "d": "| new"}}
    assert list(changes(before, now)) == [
        "gone: table: c",
        "new: table: d",
        "changed: table: a, table: b\n    -[Go](k1:go)\n    +[Run](k1:go)",
    ]


def test_what_cannot_be_seen_is_written_visibly() -> None:
    assert written("a\u200bb\u202f!\u2068c") == "| a˙b⍽!\\u2068c"
