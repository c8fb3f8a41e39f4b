"""A view is built once for each seat and change, and again when time alone makes a move legal."""

import asyncio
from collections import Counter

import pytest

from bot.game import build_view
from bot.game.actions import AskSweep, MakeGesture
from bot.game.build_view import legal_moves, player_view, seat_view
from bot.game.signs import GestureKind
from bot.game.state import State
from tests.tables.fakes import World, done
from tests.tables.virtual import LoopClock


async def test_cached_views_equal_those_of_the_core_at_every_instant() -> None:
    table = await World().hunting()
    for _ in range(4):
        for seat in range(4):
            assert table.seat_view(seat) == seat_view(table._state, seat)
            assert table.seat_view(seat) is table.seat_view(seat)
            assert table.seat_view(seat).table is table.table_view()
            assert table.player_view(seat) == player_view(table._state, seat, LoopClock().now())
        await asyncio.sleep(table.table_view().rules.sweep.quiet / 2)
    assert AskSweep(0) in table.player_view(0).legal


async def test_legal_moves_are_computed_once_for_each_seat_and_change(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[int, int]] = Counter()

    def counted(state: State, seat: int, now: int) -> object:
        asked[id(state), seat] += 1
        return legal_moves(state, seat, now)

    table = await World().hunting()
    await asyncio.sleep(table.table_view().rules.sweep.quiet)
    monkeypatch.setattr(build_view, "legal_moves", counted)
    states = []  # kept, so that no two of them share an identity
    for _ in range(2):
        await done(table, MakeGesture(0, GestureKind.REACT, "☕"))
        states.append(table._state)
        for _ in range(3):
            for seat in range(4):
                assert table.player_view(seat).seat == seat
    assert asked == {(id(state), seat): 1 for state in states for seat in range(4)}
