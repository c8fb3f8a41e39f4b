"""Nights in words."""

import json

import pytest

from bot.discord.text.texts import texts_for
from bot.nights.changes import HostStep, StepKind
from bot.nights.formats import FORMATS, NightFormat
from bot.ui.night.host.host_steps import step_question
from tests.ui.night.samples import running


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_where_pairs_have_signed_up_a_swap_says_whose_the_points_are(form: NightFormat) -> None:
    step = HostStep(StepKind.SWAP, entrant=0, other=5)
    question = json.dumps(step_question(running(16, form), step, texts_for("en")))
    assert "They change places." in question
    assert ("the points belong to those who play" in question) == form.has_pairs
