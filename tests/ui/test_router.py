"""Every press has exactly one owner."""

from collections import Counter

from bot.ui.lobby.opening_presses import OpeningPresses
from bot.ui.lobby.presses import LobbyPresses
from bot.ui.lobby.vote_presses import VotePresses
from bot.ui.privacy.presses import PrivacyPresses
from bot.ui.records.past_matches import PastMatches
from bot.ui.records.presses import RecordPresses
from bot.ui.rules.presses import RulesPresses
from bot.ui.server.config_presses import ConfigPresses
from bot.ui.table.people_presses import PeoplePresses
from bot.ui.table.presses import TablePresses
from bot.ui.table.verbs import TableVerb

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
    assert owned == dict.fromkeys(set(Verb) - {TableVerb.EMPTY}, 1)
