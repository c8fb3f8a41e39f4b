"""The coach of a table: it advises the people of the table by their seats' views, and nobody else."""

from dataclasses import replace
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.views import SeatView
from bot.ladder.seasons import Gates
from bot.records.player import Player
from bot.robots.reasons import Advice, Motive, Reason
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.tables.match.robot_seats import Coach
from bot.tables.match.table_actions import Pause
from tests.rules.table import Table as Rules
from tests.tables.fakes import PEOPLE, World, a_lobby, ok
from tests.tables.virtual import LoopClock, in_virtual_time


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


class Changing(Robot):
    """A robot that has another goal after each move."""

    def __init__(self, *said: Advice) -> None:
        self._said = [*said]

    def advise(self, view: SeatView, now: int) -> Advice:
        return self._said.pop(0)


@pytest.mark.parametrize(("pool", "taken"), [("QS JC 9H AS", "QS"), ("JC 9H AS KD", "9H")])
def test_a_card_is_taken_for_what_another_one_was_put_down(pool: str, taken: str) -> None:
    """As long as it lies there: a learner who is told to collect queens is not told to collect nines a moment later."""
    table = Rules(hands={"A": "7S 8S QH KS"}, pool=pool)
    queens, nines = (Reason(Motive.COLLECTS, group=parse_card(code).group) for code in ("QH", "9H"))
    said: tuple[Advice, Advice] = (a.PutDown(0, parse_card("7S")), queens), (a.Take(0, parse_card("9H")), nines)
    coach = Coach(LoopClock(), Random(1), lambda seat: player_view(table.state, seat, table.now))
    coach._robots = {0: Changing(*said)}

    @in_virtual_time
    async def run() -> None:
        assert coach.advice(0) == said[0]
        assert coach.advice(0) == (a.Take(0, parse_card(taken)), queens if taken == "QS" else nines)

    run()
