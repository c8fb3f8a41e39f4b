"""The fourth line of a hand is the table's: at each second of whole matches it has the last exchange, or the vote.

Robots play in virtual time; meanwhile each look answers a press, and a coach gives a tip.
"""

from itertools import cycle, pairwise
from random import Random
from typing import Final

import pytest

from bot.discord.api.components import parts_of
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.text_width import width
from bot.game.build_view import player_view, table_view
from bot.game.events import Phase
from bot.game.rules.house_rules import read_rules
from bot.game.state import State
from bot.game.views import PlayerView
from bot.records.player import Player
from bot.robots import LEVELS, RobotLevel
from bot.robots.level import COACH
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from bot.ui.words.panel_text import SMALL_LINE
from bot.ui.words.table_text import countdown
from tests.robots.driver import play_match
from tests.ui.table.pages.test_panel_visible import EVERY_SHEET, FACES, NAMES, states
from tests.ui.walk import TABLE_ID

SECOND: Final = 1000
NOTICE: Final = "Trop tard : Bruno vient de prendre la dame, et bien d'autres cartes encore."
HUNTING: Final = (Phase.HUNT, Phase.SWEEP)
SIZES: Final = (
    ("classic target=1", 2),
    ("classic target=1", 4),
    ("linternaute target=1", 6),
    ("classic target=1 deck=52", 12),
)


def fourth_line(view: PlayerView, people: tuple[Player, ...], faces: Faces, at: int, coach: Robot | None) -> str:
    advice = None if coach is None else coach.advise(view, at)
    seen = PanelView(
        view, people, TABLE_ID, faces, at, 1, notice=NOTICE, coaching=Coaching.ON if coach else Coaching.NONE,
        advice=advice,
    )  # fmt: skip
    heading = parts_of(panel_page(seen))[0]
    assert heading["type"] == 10
    line = heading["content"].split("\n")[3].removeprefix("-# ")
    assert width(line) <= SMALL_LINE
    return line


def is_told(line: str, state: State, faces: Faces, at: int) -> bool:
    """Whether a line has the vote with its countdown while that runs, else the last exchange."""
    table = table_view(state)
    if table.phase is Phase.SWEEP:
        is_running = table.ends_at is not None and table.ends_at > at
        return line.startswith("🧹") and (not is_running or countdown(table.ends_at or 0) in line)
    if not table.exchanges:
        return line == faces.texts.t("Nobody has exchanged a card yet.")
    last = table.exchanges[-1]
    return faces.label(last.put[0]) in line and "→" in line


def looked_at(sheet: str, players: int, seed: int, *, is_whole: bool) -> int:
    """Draw a match at each second of its hunts, one seat after the other, or each; how many looks that were."""
    level = (RobotLevel.BEGINNER, RobotLevel.REGULAR)[seed % 2]
    events = play_match(read_rules(sheet), seed=seed, seats=players, level=LEVELS[level]).events
    people = tuple(Player(name, 1000 + seat) for seat, name in enumerate(NAMES[:players]))
    coaches = {seat: Robot(Random(seat), COACH) for seat in range(0, players, 2)}
    turns, languages, looks = cycle(range(players)), cycle(FACES), 0
    for (state, began), (_, ended) in pairwise(states(events, players)):
        if state.phase not in HUNTING:
            continue
        for at in range(-(-began // SECOND) * SECOND, ended, SECOND):
            for seat in range(players) if is_whole else [next(turns)]:
                faces, view = next(languages), player_view(state, seat, at)
                line = fourth_line(view, people, faces, at, coaches.get(seat))
                assert is_told(line, state, faces, at), (line, at, state.phase)
                looks += 1
    return looks


@pytest.mark.parametrize(
    ("sheet", "players", "seeds", "is_whole"),
    [
        *((*size, range(1), False) for size in SIZES),
        *(pytest.param(*sheet, range(1, 5), True, marks=pytest.mark.long) for sheet in EVERY_SHEET),
    ],
)
def test_the_fourth_line_has_the_last_exchange_or_the_vote_at_each_second_of_a_hunt(
    sheet: str, players: int, seeds: range, is_whole: bool
) -> None:
    for seed in seeds:
        looks = looked_at(sheet, players, seed, is_whole=is_whole)
        print(f"{sheet}, {players} players, seed {seed}: {looks} looks")
        assert looks
