"""The different partners with whom a player has played ranked matches."""

from dataclasses import replace

import pytest

from bot.ladder.columns import SeatTally
from bot.ladder.tally import PARTNERS
from bot.store.ladder.careers import encode_partners, first_partners_of, mates_after
from bot.store.schema.ladder import Play

OWN = Play(1, "Ana", 0, 0, 1, 1, has_left=False, is_ranked=True, tally=SeatTally())
OPPONENT = replace(OWN, user_id=2, seat=1, team=1)
PARTNER = replace(OWN, user_id=3, seat=2)
SUBSTITUTE = replace(OWN, user_id=4, seat=2, is_ranked=False)
FOLLOWER = replace(OWN, user_id=5, seat=0)
PLAYS = (OWN, OPPONENT, PARTNER, SUBSTITUTE, FOLLOWER)


def test_partners_are_on_other_seats_of_the_team_and_are_no_substitutes() -> None:
    assert first_partners_of(mates_after(None, OWN, PLAYS, {})) == {3}
    assert first_partners_of(mates_after("[7]", OWN, PLAYS, {})) == {3, 7}


@pytest.mark.parametrize("other", [{"is_ranked": False}, {"has_left": True}])
def test_a_player_who_has_left_or_plays_a_friendly_match_gets_no_partner(other: dict[str, bool]) -> None:
    assert mates_after("[7]", replace(OWN, **other), PLAYS, {}) == "[7]"


def test_a_partner_who_is_being_erased_counts_once() -> None:
    assert first_partners_of(mates_after("[-9]", OWN, PLAYS, {3: -9})) == {-9}


def test_no_partner_is_added_beyond_the_needed_number() -> None:
    many = encode_partners(range(100, 100 + PARTNERS))
    assert mates_after(many, OWN, PLAYS, {}) == many
    one_less = encode_partners(range(101, 100 + PARTNERS))
    assert 3 in first_partners_of(mates_after(one_less, OWN, PLAYS, {}))
