"""Every press has exactly one owner."""

from collections import Counter

from bot.ui.config_presses import ConfigPresses
from bot.ui.ids import Verb
from bot.ui.lobby_presses import LobbyPresses
from bot.ui.opening_presses import OpeningPresses
from bot.ui.past_matches import PastMatches
from bot.ui.people_presses import PeoplePresses
from bot.ui.privacy_presses import PrivacyPresses
from bot.ui.record_presses import RecordPresses
from bot.ui.rules_presses import RulesPresses
from bot.ui.table_presses import TablePresses
from bot.ui.vote_presses import VotePresses

OWNERS = (
    ConfigPresses,
    LobbyPresses,
    OpeningPresses,
    PastMatches,
    PeoplePresses,
    PrivacyPresses,
    RecordPresses,
    RulesPresses,
    TablePresses,
    VotePresses,
)


def test_each_verb_has_one_owner_but_for_that_of_empty_slots() -> None:
    owned = Counter(verb for owner in OWNERS for verb in owner.verbs)
    assert owned == dict.fromkeys(set(Verb) - {Verb.EMPTY}, 1)
