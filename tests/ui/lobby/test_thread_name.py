"""A thread is called after those who play in it."""

from dataclasses import replace

from bot.game.rules.house_rules import preset
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.lobby.places import thread_name

PEOPLE = (Player("Léa", 1), Player("Marius"), Player("Bruno", 2), Player("Anatole"))
TABLE = Lobby(1, TableChannel(1, 2), 1, preset("classic"), 4, PEOPLE, True, "fr", 0)


def test_the_name_of_a_thread_says_who_plays_whom() -> None:
    assert thread_name(replace(TABLE, status=Status.PLAYING)) == "Léa & Bruno – Marius & Anatole"


def test_before_teams_are_drawn_the_name_lists_the_people() -> None:
    assert thread_name(replace(TABLE, players=(*PEOPLE[:2], None, None))) == "Léa & Marius"


def test_people_with_the_same_name_are_numbered_even_when_the_host_has_left() -> None:
    alike = (Player("Anatole"), Player("Alex", 1), Player("Marius"), Player("Alex", 2))
    table = replace(TABLE, players=alike, host_id=2, status=Status.PLAYING)
    assert thread_name(table) == "Anatole & Marius – Alex & Alex (2)"


def test_somebody_whose_data_is_deleted_has_no_name() -> None:
    erased = replace(TABLE, players=(Player("", 0), *PEOPLE[1:]), status=Status.PLAYING)
    assert thread_name(erased) == "? & Bruno – Marius & Anatole"
