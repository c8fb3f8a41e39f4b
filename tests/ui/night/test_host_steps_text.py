"""What the host reads before a step."""

from __future__ import annotations

import pytest

from bot.nights.host_steps import HostStep, StepKind
from bot.nights.plan import Format
from bot.ui.kit.texts import texts_for
from bot.ui.night.host.host_steps_text import step_costs
from tests.ui.night.samples import running

SWAP = HostStep(StepKind.SWAP, entrant=0, other=5)


@pytest.mark.parametrize("form", Format)
def test_where_pairs_have_signed_up_a_swap_says_whose_results_they_stay(form: Format) -> None:
    costs = step_costs(SWAP, running(16, form), texts_for("en-US"))
    assert costs[0].startswith("They change places.")
    assert ["stay with the pairs" in cost for cost in costs[1:]] == [True] * form.has_pairs
