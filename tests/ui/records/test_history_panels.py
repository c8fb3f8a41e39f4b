"""The panel of a match fits, however much there is to tell. What panels of matches say is on the screens."""

from dataclasses import replace

import pytest

from bot.game.rules.house_rules import preset
from bot.ladder.outcomes import rounds_of
from bot.ui.records.history_panels import match_panel
from tests.examples import combined
from tests.game.matches import play_at_random
from tests.rules.table import Table
from tests.ui.screens.common import ZONE
from tests.ui.screens.records import match_record
from tests.ui.walk import BY_LANGUAGE, EN, check_limits, words


@pytest.mark.parametrize(
    ("name", "language"), combined(["classic", "expert", "bell", "yokai", "american"], ["fr", "en"])
)
def test_every_match_fits_on_a_history_panel(language: str, name: str) -> None:
    texts = BY_LANGUAGE[language]
    rules = preset(name)
    record = replace(match_record(names=["*_~`|<@1>" * 9]), rules=rules)
    view = match_panel(record, rounds_of(play_at_random(rules, 4, 3, moves=4000)), ZONE, texts)
    check_limits(view)
    assert "<@1>" not in words(view)


def test_lines_that_do_not_fit_are_counted() -> None:
    table = Table(target=200, three_alike="allowed")
    table.do("B kems")
    for _ in range(110):
        table.do("- next")
        table.do(f"{'ABCD'[table.state.dealer]} open", "B kems")
    view = match_panel(match_record(), rounds_of((*table.opening, *table.log)), ZONE, EN)
    check_limits(view)
    *rounds, last = words(view).splitlines()
    shown = sum("False Kem's" in line for line in rounds)
    assert last == f"-# and {111 - shown} more rounds"
    assert 40 < shown < 111
