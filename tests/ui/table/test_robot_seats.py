"""The place of a robot that a watcher may take stands on the table, and who takes it."""

from dataclasses import replace

import pytest

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import texts_for
from bot.game.build_view import table_view
from bot.game.rules.house_rules import preset
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.seating import free_robots, take_over
from bot.ui.table.pages.board import OpenRobotSeats, table_board
from bot.ui.words.table_text import elide
from tests.rules.table import Table
from tests.ui.walk import FR

PEOPLE = (Player("Léa", 1), Player("Anatole"), Player("Bruno", 2), Player("Marius"))
LOBBY = Lobby(1, TableChannel(1, 2), 1, preset("classic"), 4, PEOPLE, False, "fr", 0, status=Status.PLAYING)
CHLOE = Player("Chloé", 3)


@pytest.mark.parametrize(
    ("name", "said"), [("Anatole", "d'Anatole"), ("Inès 2", "d'Inès 2"), ("Marius", "de Marius"), ("Zoé", "de Zoé")]
)
def test_french_elides_before_a_vowel(name: str, said: str) -> None:
    assert elide(f"la place de {name}", name, texts_for("fr")) == f"la place {said}"
    assert elide(f"Platz von {name}", name, texts_for("de")) == f"Platz von {name}"


def test_the_table_offers_the_first_free_robot_seat_and_names_reservations() -> None:
    view = table_view(Table("classic").state)
    shown = str(table_board(view, PEOPLE, 1, Faces(FR), (), robots=OpenRobotSeats(3, {1: "Chloé"})))
    assert "Prendre la place de Marius 🤖" in shown
    assert ":claim:3" in shown
    assert "🪑 Chloé prend la place d'Anatole à la prochaine donne." in shown
    assert ":claim:" not in str(table_board(view, PEOPLE, 1, Faces(FR), ()))


def test_no_watcher_takes_a_reserved_or_ranked_seat() -> None:
    assert free_robots(LOBBY).keys() == {1, 3}
    for kept in (replace(LOBBY, robots_stay=True), replace(LOBBY, is_ranked=True), replace(LOBBY, status=Status.OVER)):
        assert free_robots(kept) == {}
        assert take_over(kept, 1, CHLOE, from_robot=True) == LobbyRefusal(LobbyCode.SEAT_TAKEN)


def test_a_robot_is_replaced_only_on_request() -> None:
    assert take_over(LOBBY, 1, CHLOE) == LobbyRefusal(LobbyCode.SEAT_TAKEN)
    assert take_over(LOBBY, 0, CHLOE, from_robot=True) == LobbyRefusal(LobbyCode.SEAT_TAKEN)
    assert take_over(LOBBY, 1, Player("Léa", 1), from_robot=True) == LobbyRefusal(LobbyCode.ALREADY_SEATED)
    taken = take_over(LOBBY, 1, CHLOE, from_robot=True)
    assert isinstance(taken, Lobby)
    assert taken.players[1] == CHLOE
