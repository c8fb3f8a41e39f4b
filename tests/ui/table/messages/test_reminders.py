"""Absent players are reminded once for each absence, and read what becomes of their seat."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import Mock

import pytest

from bot.game.rules.house_rules import preset
from bot.records.player import Player
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.table.messages import reminders
from bot.ui.table.messages.reminders import Reminders, fates_of
from tests.ui.walk import EN

PEOPLE: Final = (Player("Ana", 1), Player("Anatole"), Player("Bruno", 2), Player("Marius"))
LOBBY: Final = Lobby(1, TableChannel(1, 2), 1, preset("classic"), 4, PEOPLE, False, "en", 0, status=Status.PLAYING)
UNTIL: Final = 60_000


def fates(lobby: Lobby = LOBBY, *seats: int) -> dict[int, str]:
    return fates_of(lobby, dict.fromkeys(seats, UNTIL), EN, is_paused=False)


def test_each_absence_has_its_own_reminder(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[Any] = []

    def notice(*_: object, say: Any, **__: object) -> Any:
        posted.append(say)
        return Mock(is_over=False)

    monkeypatch.setattr(reminders, "Notice", notice)
    absent = {0: UNTIL, 2: UNTIL}
    table: Any = SimpleNamespace(id=1, lobby=LOBBY, is_over=False, table_view=lambda: Mock(pause=None))
    Reminders(Mock(), lambda _table_id: absent).call(table, [0, 2], UNTIL)
    (content,) = posted
    assert content().startswith("<@1> <@2> — the table awaits you")
    del absent[0]
    assert content().startswith("<@2> — ")
    absent[0] = UNTIL
    assert "<@1>" not in content(), "Ana has come back in the meantime"
    table.is_over = True
    assert content() is None


@pytest.mark.parametrize(
    ("absence", "otherwise"),
    [
        (Absence.ROBOT, "Otherwise a robot plays for you"),
        (Absence.SUBSTITUTE, "Otherwise anybody may take your seat"),
        (Absence.END, "Otherwise the table is closed"),
        (Absence.WAIT, "press any of its buttons."),
    ],
)
def test_each_absent_person_is_told_what_the_host_has_chosen(absence: Absence, otherwise: str) -> None:
    (fate,) = fates(replace(LOBBY, absence=absence), 2).values()
    assert otherwise in fate
    assert "pauses" not in fate


def test_a_match_pauses_when_nobody_comes_unless_it_is_to_end() -> None:
    assert all("the match pauses <t:60:R>" in fate for fate in fates(LOBBY, 0, 2).values())
    assert "pauses" not in str(fates(replace(LOBBY, absence=Absence.END), 0, 2))


def test_a_person_who_lost_the_seat_is_told_how_to_get_it_back() -> None:
    assert fates() == {}
    away, opened = replace(PEOPLE[0], is_away=True), replace(PEOPLE[2], is_open=True)
    told = fates(replace(LOBBY, players=(away, PEOPLE[1], opened, PEOPLE[3])))
    assert told[1].startswith("a robot plays for you")
    assert told[2].startswith("anybody may take your seat")
