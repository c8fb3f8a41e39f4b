"""Moments of hunts of every preset, as their players' panels show them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Final

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces
from bot.game import actions as a
from bot.game.build_view import legal_moves, player_view, seat_view
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import decide
from bot.game.events import Phase
from bot.game.rules.presets import PRESETS
from bot.game.signs import HOUSE_SIGNS, GestureKind
from bot.game.state import with_changes
from bot.game.views import PlayerView, TableView
from bot.lessons.lesson import LESSONS
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.tables.match.logged_match import pool_slots
from bot.ui.table.pages.board import table_board
from bot.ui.table.pages.match_end import match_end_board
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from bot.ui.table.pages.round_end import result_board
from bot.ui.words.refusals import refusal_text
from tests.rules.table import Table

SHOWN: Final = frozenset({Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN})
"""The phases in which a panel shows the hand."""
_NAMES: Final = ("Ana", "Maximilien-Alexandre", "Chloé", "Dora", "Éléonore de la Tour", "Wm", "ماريا", "Hugo")
_TABLE_ID: Final = 123_456
_REFUSED: Final = (Code.NOT_IN_POOL, Code.COUNTER_LOST, Code.CALL_CLOSED)


def public_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    log: Sequence[TableView] = (),
) -> Layout:
    """The table's message while a match runs, and at its end."""
    if view.phase is Phase.MATCH_OVER:
        return match_end_board(view, people, table_id, faces, log=log)
    if view.phase is Phase.OVER:
        return result_board(view, people, table_id, faces, log)
    return table_board(view, people, table_id, faces, opened_hands, log)


@dataclass(frozen=True)
class Hunt:
    """One match for which the geometry has to stay: its table, one seat of it and what the reader has chosen."""

    name: str
    table: Table
    people: tuple[Player, ...]
    seat: int
    seed: int

    def moments(self, steps: int) -> Iterator[PlayerView]:
        """What the seat sees while people put down, take, vote, accuse and make gestures, as the seed says."""
        table, dice = self.table, Random(self.seed)
        seats = len(self.people)
        for _ in range(steps):
            table.wait(dice.choice((0.2, 1, 6)))
            if table.state.phase in SHOWN:
                yield player_view(table.state, self.seat, table.now)
            if table.state.phase not in SHOWN:
                return
            seat = self.seat if dice.random() < 0.4 else dice.randrange(seats)
            legal = sorted(legal_moves(table.state, seat, table.now), key=repr)
            weights = [_weight(action, table, dice) for action in legal]
            if legal and any(weights):
                table.do(dice.choices(legal, weights)[0])
            if dice.random() < 0.3:
                kind = dice.choice((GestureKind.REACT, GestureKind.SAY))
                said = dice.choice(HOUSE_SIGNS) * dice.choice((1, 4)) if kind is GestureKind.REACT else "Quel temps !"
                made = decide(table.state, a.MakeGesture(seat, kind, said), table.now, table.rng)
                if not isinstance(made, Refusal):
                    table.state = made.state


def _weight(action: a.Action, table: Table, dice: Random) -> float:
    """Hunts go on: what would end the round is done seldom, false counters are made now and then."""
    match action:
        case a.CounterPlayer(target=target):
            ends = table.rules.calls.false_counter_ends or table.state.seats[target].holds_kems
            return 0 if ends else 0.3
        case a.CallKems() | a.CallDouble() | a.CounterTeam():
            return 0
        case a.PutDown(seat=seat, card=card):
            return 0.01 if card in seat_view(table.state, seat).third_alike else 4
        case a.Take():
            return 1.5 if dice.random() < 0.7 else 0
        case _:
            return 3


def hunts(preset: str, players: int, theme: Theme, seed: int, strategies: str = "", **rules: str) -> Hunt:
    """A hunt at a table of so many, by a preset, with cards that are shown in such a way."""
    if players > 6 and PRESETS[preset].deal.deck == "32":
        rules["deck"] = "52"
    plans = {"#1": "👀 🍀 🎲 🦊 🎈 🧦"} if "intermediate" in strategies else None
    table = Table(preset, players=players, opened=False, seed=seed, strategies=strategies, plans=plans, **rules)
    slots = pool_slots(players, table.state.strategies, has_wide_cards=theme is not Theme.FRENCH)
    table.state = with_changes(table.state, slots=slots)
    names = islice(cycle(_NAMES), players)
    people = tuple(
        Player(name, None if seat == 3 else 1000 + seat, is_away=seat == 1) for seat, name in enumerate(names)
    )
    return Hunt(f"{preset} {players} {theme} {strategies}", table, people, Random(seed).randrange(players), seed)


def drawn(hunt: Hunt, view: PlayerView, faces: Faces, dice: Random, coach: Robot | None = None) -> Layout:
    """The panel, sometimes with the answer to a press; a coach teaches, or it is sometimes sent away."""
    notices = [None, None, None]
    notice = dice.choice([*notices, *(refusal_text(code, faces.texts) for code in _REFUSED)])
    if coach is None:
        return panel_page(PanelView(view, hunt.people, _TABLE_ID, faces, hunt.table.now, hunt.seed, notice=notice))
    teaches = (hunt.seed + len(hunt.people) // 2) % 2 == 1
    coaching = Coaching.LESSONS if teaches else dice.choice((Coaching.ON, Coaching.AWAY))
    advice = coach.advise(view, hunt.table.now)
    lessons = [lesson for lesson, plan in LESSONS.items() if len(view.partners) == 1 and plan.applies(view)]
    seen = PanelView(
        view,
        hunt.people,
        _TABLE_ID,
        faces,
        hunt.table.now,
        hunt.seed,
        notice=notice,
        coaching=coaching,
        advice=None if coaching is Coaching.AWAY else advice,
        lesson=dice.choice([None, *lessons]) if coaching is Coaching.LESSONS else None,
    )
    return panel_page(seen)
