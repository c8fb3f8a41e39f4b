"""What the table says when its seats change during a match."""

from dataclasses import replace
from typing import Final

import pytest

from bot.game.rules.house_rules import preset
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.words.panel_text import seat_news
from tests.ui.walk import EN

ANA, ROBOT, BRUNO, CHLOE = Player("Ana", 1), Player("Anatole"), Player("Bruno", 2), Player("Chloé", 3)
PEOPLE: Final = (ANA, ROBOT, BRUNO, Player("Marius"))
LOBBY: Final = Lobby(1, TableChannel(1, 2), 1, preset("classic"), 4, PEOPLE, False, "en", 0, status=Status.PLAYING)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (BRUNO, BRUNO, ""),
        (BRUNO, replace(BRUNO, is_away=True), "Bruno is away: a robot plays."),
        (replace(BRUNO, is_away=True), BRUNO, "Bruno is back."),
        (BRUNO, CHLOE, "Chloé plays for Bruno."),
        (BRUNO, Player("Zoé"), "Bruno has left: 🤖 Zoé plays."),
    ],
)
def test_only_a_change_of_seats_is_announced_and_only_once(before: Player, now: Player, said: str) -> None:
    was, present = (replace(LOBBY, players=(ANA, ROBOT, player, None)) for player in (before, now))
    assert seat_news(was, present, EN) == said
    assert seat_news(replace(was, is_ranked=True), replace(present, is_ranked=False), EN).endswith(
        "The match is friendly now."
    )
