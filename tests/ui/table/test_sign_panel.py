"""Panels about signs in every situation: in both languages, and without the opponents' secrets."""

import re

import pytest

from bot.ui.words.signs import shown_sign
from tests.ui.screens.situations import situations
from tests.ui.table.shown import hand, seen, signs
from tests.ui.walk import EN, FR, buttons, words


@pytest.mark.parametrize("name", [name for name, (looks, _) in situations().items() if "sign:" in looks])
def test_panels_fit_in_both_languages_and_tell_no_opponents_signs(name: str) -> None:
    _, table = situations()[name]
    for view in (seen(table, seat) for seat in range(len(table.state.seats))):
        own = table.state.teams[view.team]
        known = {sign for report in table.state.reports for sign in report.signs}
        known |= set(own.plan.signs if own.plan else ()) | own.spent
        secret = {sign for team in table.state.teams if team.plan is not None for sign in team.plan.signs} - known
        for build in (signs, hand):
            french, english = build(view, FR), build(view, EN)
            assert not re.search(r"[{}]", words(french) + words(english))
            assert [item.custom_id for item in buttons(french)] == [item.custom_id for item in buttons(english)]
            same = set(words(french).splitlines()) & set(words(english).splitlines())
            assert not {line for line in same if re.search(r"[a-z]{4}", line)}
            assert not [sign for sign in secret if shown_sign(sign) in words(french)]
