"""Which tables are ranked, and the reason why one is not."""

import pytest

from bot.conditions import EVERYBODY
from bot.game.rules.house_rules import override, preset
from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import Eligibility, LadderSetup, RankedRules, Schedule, SeasonLength, eligibility, match_weight
from tests.together import together

EVERY = RankedRules()


def judged(
    ranked_rules: RankedRules | None = EVERY, *, name: str = "classic", size: int = 4, robots: int = 0, **rules: str
) -> Eligibility:
    return eligibility(ranked_rules, override(preset(name), rules), size=size, robots=robots)


@pytest.mark.parametrize("name", PRESETS)
def test_every_pristine_preset_is_ranked_unless_the_server_says_otherwise(name: str) -> None:
    assert judged(name=name) is Eligibility.RANKED
    assert judged(RankedRules(presets=("none",)), name=name) is Eligibility.PRESET


@together(
    ("rules", "expected"),
    [
        ({"auto_open": "7", "auto_next": "9"}, Eligibility.RANKED),
        ({"sign_deadline": "30"}, Eligibility.RANKED),
        ({"deck": "52"}, Eligibility.RANKED),
        ({"deck": "54"}, Eligibility.HOUSE_RULES),
        ({"target": "1"}, Eligibility.HOUSE_RULES),
        ({"target": "5"}, Eligibility.RANKED),
        ({"target": "5", "deck": "52"}, Eligibility.RANKED),
        ({"target": "5", "kems": "2"}, Eligibility.HOUSE_RULES),
        ({"name": "yokai", "target": "5"}, Eligibility.HOUSE_RULES),
        ({"deck": "52", "kems": "2"}, Eligibility.HOUSE_RULES),
        ({"team_size": "3", "deck": "52", "size": 6}, Eligibility.OPTIONS),
        ({"team_size": "3", "target": "12", "size": 6}, Eligibility.HOUSE_RULES),
    ],
)
def test_other_clocks_and_sheet_decks_and_five_points_are_ranked_too(
    rules: dict[str, str], expected: Eligibility
) -> None:
    assert judged(**rules) is expected


def test_only_a_short_match_weighs_less() -> None:
    assert {match_weight(rules) for rules in PRESETS.values()} == {1}
    assert match_weight(override(preset("classic"), {"target": "5"})) == 0.5


def test_signs_seasons_and_people_decide_whether_a_match_is_ranked() -> None:
    wanted = RankedRules(sign_required=True)
    assert judged(sign_required="yes") is Eligibility.SIGN_REQUIRED
    assert judged(wanted, sign_required="yes") is Eligibility.RANKED
    assert judged(wanted) is Eligibility.SIGN_NOT_REQUIRED
    assert judged(None) is Eligibility.NO_SEASON
    assert judged(robots=1) is Eligibility.ROBOTS
    assert eligibility(EVERY, PRESETS["classic"], size=4, robots=1, is_entry_met=False) is Eligibility.ENTRY
    assert judged(size=2) is Eligibility.NO_PARTNERS
    assert judged(size=9, deck="52") is Eligibility.RANKED


def test_by_default_a_server_ranks_every_preset_in_monthly_seasons_of_paris() -> None:
    assert LadderSetup() == LadderSetup(RankedRules(), Schedule(SeasonLength.MONTH, "Europe/Paris"))
    assert RankedRules() == RankedRules(tuple(PRESETS), sign_required=False, entry=EVERYBODY)
