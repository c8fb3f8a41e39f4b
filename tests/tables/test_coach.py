"""The coach of a table: it advises the people of the table by their seats' views, and nobody else."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.cards import Card, parse_card
from bot.game.decide import start_match
from bot.game.events import Phase
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import preset
from bot.ladder.seasons import RankedRules
from bot.records.player import Player
from bot.robots.level import COACH
from bot.robots.reasons import Motive, MoveReason
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.tables.match.robot_seats import Coach
from bot.tables.match.table_actions import Pause
from tests.examples import seeds
from tests.robots.driver import Record, next_move, submit
from tests.rules.table import Table as Rules
from tests.tables.fakes import PEOPLE, World, a_lobby, ok
from tests.tables.virtual import LoopClock


async def test_the_people_of_a_table_are_advised_until_they_send_the_coach_away() -> None:
    directory = World().directory
    lobby = replace(a_lobby(robots=[Player("Zoé"), Player("Hugo"), Player("Inès")]), coaching=Coaching.ON)
    opened = ok(await directory.lobbies.open(replace(lobby, has_random_teams=False)))
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
    lobby = replace(a_lobby(), players=PEOPLE, coaching=Coaching.ON, ranked_rules=RankedRules())
    ranked = ok(lobby.start())
    assert (ranked.is_ranked, ranked.coaching) == (True, Coaching.NONE)
    friendly = ok(replace(lobby, ranked_rules=None).start())
    assert (friendly.is_ranked, friendly.coaching) == (False, Coaching.ON)


def group(code: str) -> int:
    return parse_card(code).group


def advised(table: Rules) -> Coach:
    """The coach of the first seat of a table."""
    coach = Coach(LoopClock(), Random(1), lambda seat: player_view(table.state, seat, table.now))
    coach.seat([0])
    return coach


async def exchange_of(coach: Coach) -> tuple[Card, MoveReason]:
    """The card that the coach names, a moment after it has seen the table."""
    coach.changed()
    await asyncio.sleep(1)
    advice = coach.advice(0)
    assert advice is not None
    action, reason = advice
    assert isinstance(action, a.PutDown | a.Take)
    return action.card, reason


async def test_a_coach_keeps_to_the_cards_that_it_has_named() -> None:
    """Who is told to collect queens is not told to collect nines a moment later."""
    table = Rules(hands={"A": "7S 8S QH QS", "B": "JS JH AS AH"}, pool="QD TC 9S 9D")
    coach = advised(table)
    put, why = await exchange_of(coach)
    assert (why.group, put.group) == (group("QH"), group("7S"))
    table.do(f"A put {put.code}")
    taken, why = await exchange_of(coach)
    assert (taken.code, why.group) == ("QD", group("QH"))
    table.do("B put AS", "B take QD")
    taken, why = await exchange_of(coach)
    assert why.why is Motive.MAKES_ROOM, "nothing in the middle is for the queens now"
    table.do(f"A take {taken.code}", "B put QD", "B take AS")
    put, why = await exchange_of(coach)
    assert why.group == group("QH")
    assert put.group != group("QH")


async def test_a_coach_chooses_a_new_target_when_its_cards_are_gone_or_a_round_begins() -> None:
    table = Rules(hands={"A": "7S 8S QH QS"}, pool="QD 7D 9S 9D", three_alike="allowed")
    coach = advised(table)
    assert (await exchange_of(coach))[1].group == group("QH")
    table.do("A put QH", "A take 9S", "A put QS", "A take 9D")
    assert (await exchange_of(coach))[1].group == group("7D")


async def test_the_time_of_advice_changes_only_with_the_advised_action() -> None:
    table = Rules(hands={"A": "7S 8S QH QS", "B": "JS JH AS AH"}, pool="QD TC 9S 9D")
    coach = advised(table)
    assert coach.advised_at(0) == 0
    await exchange_of(coach)
    began = coach.advised_at(0)
    table.do("B put AS", "B take TC")
    await exchange_of(coach)
    assert coach.advised_at(0) == began > 0, "the same advice"
    table.do("A put 7S")
    await exchange_of(coach)
    assert coach.advised_at(0) > began


@pytest.mark.parametrize("seeds", seeds(4, 60))
def test_advice_to_put_and_to_take_never_contradict_within_a_round(seeds: range) -> None:
    """A seat that does what its coach says, among robots: what it is told to take it is not told to put down."""
    for seed in seeds:
        told = followed(seed)
        assert told
        for number in {number for *_, number in told}:
            advice = [(action, reason) for action, reason, round_number in told if round_number == number]
            named = [(action, reason) for action, reason in advice if reason.why is not Motive.MAKES_ROOM]
            assert len({reason.group for _, reason in named}) <= 1
            taken = {action.card.group for action, _ in named if isinstance(action, a.Take)}
            put = {action.card.group for action, _ in advice if isinstance(action, a.PutDown)}
            assert taken.isdisjoint(put)


def followed(seed: int) -> list[tuple[a.PutDown | a.Take, MoveReason, int]]:
    """What a coach tells the first of four seats to do with cards, which does it, and in which round."""
    told: list[tuple[a.PutDown | a.Take, MoveReason, int]] = []
    robots = {seat: Robot(Random(seed * 100 + seat)) for seat in (1, 2, 3)}
    coach, rng = Robot(Random(seed), COACH, keeps_target=True), Random(seed)
    opening = start_match(preset("classic"), seats=4, teams=2, dealer=3, now=0)
    record = Record(evolve_all(None, opening), list(opening))
    while record.state.phase is not Phase.MATCH_OVER and record.moves < 400:
        action, reason = coach.advise(player_view(record.state, 0, record.now), record.now)
        if isinstance(action, a.PutDown | a.Take):
            told.append((action, reason, record.state.round))
        _, other, at = next_move(record, robots)
        is_first = action is not None and record.now + 2000 <= at
        submit(record, action if is_first and action else other, record.now + 2000 if is_first else at, rng)
    return told
