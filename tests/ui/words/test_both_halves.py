"""A sign that is seen and said: how it is typed, shown and made; and the sentences about other sheets' rules."""

from __future__ import annotations

import pytest

from bot.game.build_view import seat_view
from bot.game.rules.house_rules import override, preset
from bot.game.signs.sign import combined_sign
from bot.ui.words.rules_text import explain
from bot.ui.words.sign_emojis import fits_an_id, shown_sign
from bot.ui.words.sign_plans import plan_digest
from bot.ui.words.sign_reading import SignTextError, read_sign
from tests.rules.table import Table
from tests.seen import typed
from tests.ui.walk import EN, FR

BOTH = combined_sign("👀", "what weather")


@pytest.mark.parametrize("written", ["👀 + what weather", "👀+What  weather"])
def test_it_is_typed_with_a_plus(written: str) -> None:
    assert read_sign(written, EN, spoken=True) == BOTH
    with pytest.raises(SignTextError, match="one emoji or a few"):
        read_sign(written, EN)


@pytest.mark.parametrize("written", ["👀 +", "👀 + 🍀 x", "a + b 🍀"])
def test_halves_that_are_none_are_refused(written: str) -> None:
    with pytest.raises(SignTextError, match="either emojis or words"):
        read_sign(written, EN, spoken=True)


def test_it_is_shown_as_two_and_no_button_carries_it() -> None:
    assert typed(shown_sign(BOTH)) == "👀 + « what weather »"
    assert not fits_an_id(BOTH)
    plans = [seat_view(Table("yokai", plans={"#1": words}).state, 0).plan for words in ("👀", "👀+say:what_weather")]
    digests = {plan_digest(plan) for plan in plans if plan is not None}
    assert len(digests) == 2


def test_who_scores_nothing_is_said_in_good_french() -> None:
    rules = override(preset("american"), {"false_counter_all": "1", "counter_accused": "-1"})
    said = explain(rules, FR)
    assert "- Faux Kem's : votre équipe perd 1 point, aucune équipe adverse ne marque." in said
    assert "- De plus, chaque équipe adverse marque 1 point." in said
    assert "- Contre-Kem's réussi : l'équipe accusée perd 1 point." in said
    assert not any("chaque équipe adverse ne marque rien" in line for line in said)


def test_a_wrong_guess_frees_no_sign_that_is_never_changed() -> None:
    said = explain(override(preset("yokai"), {"sign_change": "never"}), EN)
    assert "- A sign that was found is changed, and the hunt goes on." in said
