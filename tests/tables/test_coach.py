"""The coach of a table: it advises the people of the table by their seats' views, and nobody else."""

from dataclasses import replace

from bot.game import actions as a
from bot.ladder.seasons import Gates
from bot.records.player import Player
from bot.robots.reasons import Motive
from bot.tables.lobby.lobby import Coaching
from bot.tables.match.table_actions import Pause
from tests.tables.fakes import PEOPLE, World, a_lobby, ok


async def test_the_people_of_a_table_are_advised_until_they_send_the_coach_away() -> None:
    directory = World().directory
    lobby = replace(a_lobby(robots=[Player("Zoé"), Player("Hugo"), Player("Inès")]), coaching=Coaching.ON)
    opened = ok(await directory.lobbies.open(replace(lobby, random_teams=False)))
    table = await directory.start(opened.id)
    advice = table.advice(0)
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
    lobby = replace(a_lobby(), players=PEOPLE, coaching=Coaching.ON, gates=Gates())
    ranked = ok(lobby.start())
    assert (ranked.is_ranked, ranked.coaching) == (True, Coaching.NONE)
    friendly = ok(replace(lobby, gates=None).start())
    assert (friendly.is_ranked, friendly.coaching) == (False, Coaching.ON)
