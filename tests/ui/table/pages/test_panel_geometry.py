"""Nothing moves under the thumb: the rows of a hand panel are the same in every state of a hunt."""

from random import Random

import pytest

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.text_width import width
from bot.game.events import Phase
from bot.game.rules.presets import PRESETS
from bot.records.pictures import Theme
from bot.robots.level import COACH
from bot.robots.robot import Robot
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import LINE, SMALL_LINE
from tests.examples import combined, seeds
from tests.ui.table.pages.hunts import drawn, hunts
from tests.ui.walk import ALL, FR, buttons, check_limits, walk

ROW, TEXT = 1, 10
SIZES = {name: rules.seating.players for name, rules in PRESETS.items()}
TABLES = [(name, players) for name, sizes in SIZES.items() for players in sizes]


def shape(panel: Layout) -> list[object]:
    """What stands where: lines and their sizes in texts, buttons in rows but the last, which may be a vote."""
    found: list[object] = []
    for part in walk(panel):
        if part["type"] == ROW:
            found.append(len(part["components"]))
        elif part["type"] == TEXT:
            found.append([line.startswith("-# ") for line in part["content"].split("\n")])
    assert found[0] == [True, False, True, True], "the partners' line is the largest of four"
    assert found.pop() in (2, 3)
    return found


def overlong(panel: Layout) -> list[str]:
    """The lines that may wrap on a phone."""
    lines = [line for part in walk(panel) if part["type"] == TEXT for line in part["content"].split("\n")]
    return [line for line in lines if width(line) > (SMALL_LINE if line.startswith("-# ") else LINE)]


@pytest.mark.parametrize(
    ("table", "coached", "strategies", "theme"),
    combined(TABLES, [False, True], ["", "intermediate"], [Theme.FRENCH, Theme.YOKAI]),
)
@pytest.mark.parametrize("seeds", seeds(1, 2))
def test_the_rows_are_the_same_in_every_state(
    table: tuple[str, int], coached: bool, strategies: str, theme: Theme, seeds: range
) -> None:
    preset, players = table
    phases = set()
    for seed in seeds:
        first: list[object] = []  # a learner's match has a line more than one with a coach
        hunt, dice = hunts(preset, players, theme, seed, strategies), Random(seed)
        coach = Robot(Random(seed), COACH) if coached else None
        for view in hunt.moments(40):
            faces = Faces(ALL[(seed + players) % len(ALL)], theme)
            panel = drawn(hunt, view, faces, dice, coach)
            check_limits(panel)
            found = shape(panel)
            first = first or found
            assert found == first
            assert overlong(panel) == []
            phases.add(view.table.phase)
    assert len(phases) >= 2


def dead(panel: Layout) -> set[str]:
    """What cannot be done, but for empty slots, and for the hand of a player who first takes a card."""
    told = (TableVerb.EMPTY, TableVerb.PUT)
    return {item.press.verb for item in buttons(panel) if not item.is_enabled and item.press.verb not in told}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seeds", seeds(1, 2))
def test_few_controls_of_an_open_hunt_are_disabled(preset: str, seeds: range) -> None:
    for seed in seeds:
        hunt = hunts(preset, 4, Theme.FRENCH, seed)
        for view in hunt.moments(40):
            panel = drawn(hunt, view, Faces(FR), Random(seed))
            assert len(buttons(panel)) <= 22
            if view.table.phase is Phase.HUNT:
                assert len(buttons(panel)) <= 21
                puts = {item.is_enabled for item in buttons(panel) if item.press.verb == TableVerb.PUT}
                assert puts <= {view.may_put_down}
                assert len(dead(panel)) <= 2, dead(panel)


@pytest.mark.parametrize("strategies", ["", "intermediate"])
@pytest.mark.parametrize("players", [2, 4, 6, 8, 9, 10, 12])
@pytest.mark.parametrize("seeds", seeds(1, 3))
def test_the_fullest_panel_fits_and_has_few_disabled_controls(players: int, strategies: str, seeds: range) -> None:
    """Two cards a row, a coach, and as many gestures as the rules allow."""
    faces = Faces(FR, Theme.YOKAI)
    assert faces.in_row == 2
    for seed in seeds:
        hunt, coach, dice = (
            hunts("classic", players, Theme.YOKAI, seed, strategies),
            Robot(Random(seed), COACH),
            Random(seed),
        )
        for view in hunt.moments(40):
            panel = drawn(hunt, view, faces, dice, coach)
            check_limits(panel)
            assert {TableVerb.COACH, TableVerb.KEMS} <= {item.press.verb for item in buttons(panel)}
            if view.table.phase is Phase.HUNT:
                assert len(dead(panel)) <= 2, dead(panel)
