"""The coach of a table: it advises the people of the table by their seats' views, and nobody else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.game import actions as a
from bot.ladder.eligibility import Gates
from bot.records.player import Player
from bot.robots.reasons import Motive
from bot.tables.directory import TableDirectory
from bot.tables.lobby.coaching import Coaching
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause
from tests.tables.fakes import HERE, MemoryStore, Recorder, ScriptedRobot, classic
from tests.tables.virtual import LoopClock, in_virtual_time


@in_virtual_time
async def test_the_people_of_a_table_are_advised_until_they_send_the_coach_away() -> None:
    store = MemoryStore()
    directory = TableDirectory(
        clock=LoopClock(),
        store=store,
        journal=store,
        rng=Random(3),
        watcher=Recorder(),
        robots=lambda _seat, _level: ScriptedRobot(lambda _view: None),
    )
    robots = (Player("Zoé"), Player("Hugo"), Player("Inès"))
    opened = await directory.open_lobby(
        place=HERE,
        host=Player("Ana", 100),
        rules=classic(),
        size=4,
        locale="fr",
        random_teams=False,
        robots=robots,
        coaching=Coaching.ON,
    )
    assert isinstance(opened, Lobby)
    table = await directory.start(opened.id)
    assert isinstance(table, Table)
    advice = table.advice(0)
    assert advice is not None
    assert isinstance(advice[0], a.ProposeSign)
    assert advice[1].why is Motive.NO_SIGN
    assert table.advice(0) == advice, "the same table, the same advice"
    assert [table.advice(seat) for seat in (1, 2, 3)] == [None, None, None], "robots need no coach"
    await table.submit(Pause())
    assert table.advice(0) is None
    await directory.seating.change(table, lambda lobby: replace(lobby, coaching=Coaching.AWAY))
    assert table.lobby.coaching is Coaching.AWAY
    assert table.advice(0) is None
    await directory.close()


def test_no_ranked_match_has_a_coach() -> None:
    players = tuple(Player(name, 100 + seat) for seat, name in enumerate(("Ana", "Bruno", "Chloé", "Dora")))
    lobby = Lobby(1, HERE, 100, classic(), 4, players, True, "fr", opened_at=0, coaching=Coaching.ON, gates=Gates())
    ranked = lobby.start()
    assert isinstance(ranked, Lobby)
    assert (ranked.is_ranked, ranked.coaching) == (True, Coaching.NONE)
    friendly = replace(lobby, gates=None).start()
    assert isinstance(friendly, Lobby)
    assert (friendly.is_ranked, friendly.coaching) == (False, Coaching.ON)
