"""What the end of a match tells of its players."""

import pytest

from bot.discord.pictures.card_faces import Faces
from bot.game.build_view import table_view
from bot.ladder.columns import SeatTally
from bot.ladder.tally import Highlights
from bot.records.player import Player
from bot.ui.table.pages.match_end import highlight_lines
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.walk import EN

PEOPLE = [Player(name, seat + 1) for seat, name in enumerate(["Ana", "Bruno", "Chloé", "Dora"])]


@pytest.mark.parametrize(
    ("best", "lines"),
    [
        ((), []),
        ((1,), ["⭐ Best player: Bruno · 2 Kem's"]),
        ((1, 2), ["⭐ Best players: Bruno and Chloé"]),
        ((0, 1, 2), []),
    ],
)
def test_two_players_may_share_the_title_of_best_player_but_not_three(best: tuple[int, ...], lines: list[str]) -> None:
    text = TableText(table_view(Table().state), PEOPLE, Faces(EN))
    assert highlight_lines(Highlights(best, SeatTally(kems=2)), text) == lines
