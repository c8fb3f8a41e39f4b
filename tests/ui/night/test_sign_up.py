"""Who comes to a night, as its sign-up message and its host read it."""

from dataclasses import replace

from bot.nights.formats import SWISS
from bot.nights.people import pairs, sign_up
from bot.ui.night.sign_up import answer_lines, sign_up_lines
from tests.ui.night.samples import night_of
from tests.ui.screens.common import HOST
from tests.ui.walk import EN

NAMES = ("Ana", "Bruno", "Chloé", "Dora", "Émile", "Fanny")


def test_the_message_names_who_comes_pairs_together_who_looks_for_a_partner_and_who_waits() -> None:
    night = night_of(6, SWISS, NAMES, most=4)
    night = pairs.seek(night, HOST + 2, seeks=True)
    assert sign_up_lines(night, EN) == [
        "**4 signed up**",
        "Ana & Bruno, Chloé, Dora",
        "Looking for a partner: Chloé",
        "Waiting list (2): Émile, Fanny",
    ]
    assert sign_up_lines(night_of(0), EN) == ["**0 signed up**", "Nobody yet: be the first."]


def test_the_host_reads_who_does_not_come_who_is_silent_and_who_has_lost_the_role() -> None:
    night = sign_up.decline(night_of(3, names=NAMES), 9, "Zoé").open_check_in()
    night = sign_up.ready(night, HOST)
    night = night.with_entrant(replace(night.entrants[1], lacks_role=True))
    assert answer_lines(night, EN) == [
        "Not coming (1): Zoé",
        "No answer yet (2): Bruno, Chloé",
        "Without <@&None> (1): Bruno",
    ]
