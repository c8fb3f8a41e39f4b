"""What a player has to see stands on the hand at every event of played matches: sign, partners, opponents.

Robots play in virtual time; after each event the panel of every seat is drawn, in one language after the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final

import pytest

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.text_width import width
from bot.game.build_view import player_view, table_view
from bot.game.events import Event, Phase
from bot.game.evolve import evolve
from bot.game.rules.house_rules import read_rules
from bot.game.state import State, with_changes
from bot.game.views import PlayerView
from bot.records.player import HelpLevel, Player
from bot.robots import LEVELS, RobotLevel
from bot.tables.match.logged_match import pool_slots
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from bot.ui.words.panel_text import LINE, SMALL_LINE
from bot.ui.words.plan_text import short_plan
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import latest_of_each, team_mark
from tests.robots.driver import play_match
from tests.ui.walk import ALL, BUTTON, ROW, TABLE_ID, walk

NAMES: Final = ("Ana", "Bruno", "Chloé", "Dora", "Émile", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Léa")
FACES: Final = tuple(map(Faces, ALL))
ROUND: Final = frozenset({Phase.DEAL, Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN})
"""While a round runs."""
MOST_BUTTONS: Final = 21
MARKED_FROM: Final = 6
CROWDED_FROM: Final = 10
"""From so many seats on the line of the opponents has their teams' marks, and may have no room for them."""
SHEETS: Final = (
    ("classic target=3", 4),
    ("linternaute target=2", 6),
    ("american target=1", 8),
    ("classic target=1 deck=52", 12),
)
EVERY_SHEET: Final = (
    *((f"{preset} target=3", players) for preset in ("classic", "expert", "linternaute") for players in (4, 6)),
    *((f"{preset} target=3 deck=52", 8) for preset in ("classic", "expert", "linternaute", "yokai")),
    *((f"{preset} target=3", 4) for preset in ("escale", "yokai", "american")),
    ("american target=2", 8),
    ("bell rounds=4", 4),
    ("classic target=2 deck=52", 12),
    ("classic target=3", 2),
)


@dataclass
class Seen:
    """What the panels of a match have shown, in shares of their looks."""

    looks: int = 0
    shown: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("sign", "partners", "opponents"), 0))
    signed: int = 0
    shapes: dict[tuple[int, int], list[object]] = field(default_factory=dict)
    """The rows of each seat in each round."""

    def look(self, view: PlayerView, people: Sequence[Player], panel: Layout, faces: Faces) -> None:
        (container,) = panel
        parts = container["components"]
        sign, partners, opponents, _ = lines = [line.removeprefix("-# ") for line in parts[0]["content"].split("\n")]
        self.looks += 1
        if view.plan is not None:
            self.signed += 1
            self.shown["sign"] += sign.startswith(short_plan(view, faces.texts))
        first, second = [*view.partners], [info.seat for info in view.table.seats if info.team != view.team]
        if not first:  # in a duel the opponent has the partner's place
            first, second = second, [view.seat]
        self.shown["partners"] += stands(view, people, first, partners, has_marks=False)
        has_marks = len(people) >= MARKED_FROM
        ways = {has_marks, len(people) in range(MARKED_FROM, CROWDED_FROM)}
        self.shown["opponents"] += any(stands(view, people, second, opponents, has_marks=marks) for marks in ways)
        assert all(width(line) <= (LINE if line is partners else SMALL_LINE) for line in lines), lines
        shape: list[object] = [
            len(part["components"]) if part["type"] == ROW else [line[:2] for line in part["content"].split("\n")]
            for part in parts
        ]
        last = shape.pop()
        before = self.shapes.setdefault((view.table.round, view.seat), shape)
        assert shape == before, f"round {view.table.round}, seat {view.seat}: {before} -> {shape}"
        buttons = sum(part["type"] == BUTTON for part in walk(panel))
        if len(people) == 4:
            is_vote = view.table.phase is Phase.SWEEP and last == 3
            assert buttons <= MOST_BUTTONS + is_vote, "yes and no stand in the place of one button"


def stands(view: PlayerView, people: Sequence[Player], seats: Sequence[int], line: str, *, has_marks: bool) -> bool:
    """Whether a line names these seats, each with the beginning of its newest gesture, in their order and with their
    marks, or by teams behind one mark.
    """
    made = {item.seat: shown_gesture(item.kind, item.text) for item in latest_of_each(view.table.gestures)}
    shown, teams = [], dict[str, list[str]]()
    for seat in seats:
        initial = "" if seat == view.seat else people[seat].name[0]  # one's own line says "you"
        mark = team_mark(view.table.seats[seat].team) if has_marks else ""
        gesture = re.escape(made[seat][0]) if seat in made else ""
        told = rf"{initial}[^①-⑫]*?{gesture}"
        shown.append(rf"(?:^|[\s*\u200b]){mark}{told}")
        teams.setdefault(mark, []).append(told)
    by_teams = ".*".join(rf"{mark}\**" + "[^①-⑫]*?".join(names) for mark, names in teams.items())
    return any(re.search(way, line) for way in (".*".join(shown), by_teams))


def states(events: Sequence[Event], players: int) -> Iterator[tuple[State, int]]:
    """The match after each event, and when that was (milliseconds)."""
    state = evolve(None, events[0])
    state = with_changes(state, slots=pool_slots(players, state.strategies, has_wide_cards=False))
    for event in events[1:]:
        state = evolve(state, event)
        yield state, event.at


def watched(sheet: str, players: int, seed: int, languages: int) -> Seen:
    """A match of robots, whose level changes with the seed, drawn after each event for every seat."""
    level = (RobotLevel.BEGINNER, RobotLevel.REGULAR, RobotLevel.STRONG)[seed % 3]
    events = play_match(read_rules(sheet), seed=seed, seats=players, level=LEVELS[level]).events
    people = tuple(Player(NAMES[seat], None if seat == 3 else 1000 + seat) for seat in range(players))
    seen, turns, helps = Seen(), cycle(FACES), cycle(HelpLevel)
    for state, at in states(events, players):
        if state.phase not in ROUND:
            continue
        table = table_view(state)
        for seat in range(players):
            view = player_view(state, seat, at, table)
            for faces in islice(turns, languages):
                help_level = next(helps)
                panel = panel_page(PanelView(view, people, TABLE_ID, faces, at, seed, level=help_level))
                seen.look(view, people, panel, faces)
    return seen


@pytest.mark.parametrize(
    ("sheet", "players", "seeds", "languages"),
    [
        *((*sheet, range(1), 1) for sheet in SHEETS),
        *(pytest.param(*sheet, range(1, 7), len(FACES), marks=pytest.mark.long) for sheet in EVERY_SHEET),
    ],
)
def test_sign_partners_and_opponents_stand_on_the_hand_all_the_time(
    sheet: str, players: int, seeds: range, languages: int
) -> None:
    for seed in seeds:
        seen = watched(sheet, players, seed, languages)
        print(f"{sheet}, {players} players, seed {seed}: {seen.looks} panels, {seen.signed} with a sign, {seen.shown}")
        assert len(seen.shapes) >= players
        assert seen.shown == {"sign": seen.signed, "partners": seen.looks, "opponents": seen.looks}
