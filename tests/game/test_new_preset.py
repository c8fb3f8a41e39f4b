"""A new preset gets matches of other presets, played by its own rules."""

from dataclasses import replace

import pytest

from bot.game.notation.replay import replay_text
from bot.game.rules.house_rules import RulesError, override
from bot.game.rules.presets import AMERICAN, PRESETS
from bot.game.rules.rules import PLAYERS
from tests.game.new_preset import Hole, mended, notices, playable, played_by

KENT = replace(AMERICAN, preset="kent", scoring=replace(AMERICAN.scoring, kems=3))


@pytest.fixture(autouse=True)
def _kent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "kent", KENT)


def test_a_match_of_another_preset_expects_what_happens_by_the_new_one() -> None:
    text = played_by("kent", {}, "american-six-players")
    assert text is not None
    assert '[Preset "kent"]' in text
    assert replay_text("", text) == []
    assert notices(text, Hole("kems", override(KENT, {"kems": "2"})))
    assert not notices(text, Hole("max_sweeps", override(KENT, {"max_sweeps": "9"})))


def test_a_move_that_the_new_preset_refuses_is_expected_to_be_refused() -> None:
    head = '[Kgn "1"]\n[Preset "kent"]\n[Seed "2"]\n[Signs "#1 👀 / #2 🍀"]\n\n0 D open\n1 D open\n'
    assert mended(f"{head}= score 9 9\n2 X open\n") == f"{head}= refused not_allowed\n= score 0 0\n"


def test_house_rules_without_an_effect_are_left_out() -> None:
    changes = {"kems": "3", "double_counter": "5", "target": "7", PLAYERS: "4"}
    assert playable("kent", changes, 4, "") == {"target": "7"}
    assert playable("kent", changes, 4, "target") == {}
    with pytest.raises(RulesError, match="not 12"):
        playable("kent", {}, 12, "")
