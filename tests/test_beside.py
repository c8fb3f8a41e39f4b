"""Long computations go on beside the bot: what they return, how they fail, and what they cost the bot itself."""

import time

import pytest

from bot.beside import BesideError, beside
from bot.game.notation.writer import write_match
from bot.nights.formats import FORMATS
from bot.records.archive import PastMatch
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.records.review import review
from bot.tables.nights.night_runner import next_round, pair_off
from tests.store.matches import a_match
from tests.ui.night.samples import running

NAMES = ("Ana", "Bruno", "Chloé", "Dora")


async def test_a_review_and_a_file_are_the_same_and_cost_the_bot_itself_next_to_nothing() -> None:
    events, _ = a_match(target=12)
    match = PastMatch(1, Theme.FRENCH, tuple(Player(name, seat) for seat, name in enumerate(NAMES, 1)), events)
    began = time.process_time()
    wanted = review(match, 0), write_match(events, NAMES)
    costs = time.process_time() - began
    await beside(write_match, events, NAMES)
    began = time.process_time()
    found = await beside(review, match, 0), await beside(write_match, events, NAMES)
    assert time.process_time() - began < costs / 4
    assert found == wanted


async def test_what_fails_there_says_why_and_the_next_call_is_made() -> None:
    with pytest.raises(BesideError, match="ValueError: "):
        await beside(int, "seven")
    assert await beside(int, "7") == 7


@pytest.mark.parametrize("name", FORMATS)
async def test_a_night_is_paired_there_as_it_would_be_here(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For 200 people it takes a second of a core."""
    night = running(24, FORMATS[name])
    wanted = next_round(night)
    monkeypatch.setattr(FORMATS[name].__class__, "pair", None)  # here, not there
    assert await pair_off(night) == wanted
