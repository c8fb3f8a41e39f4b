"""The page of the rules, axis by axis and preset by preset, against the data; `-` where the preset never asks."""

from __future__ import annotations

import pytest

from bot.game import house
from bot.game.house import AXES
from bot.game.presets import PRESETS

ORDER = "classic expert escale linternaute bell yokai"
PAGE = """
team_size            2        2        2        2          2        2
deck                 32       32       32       32         54       32
excess               redraw   redraw   redraw   redeal     redraw   keep
redrawn              shuffled shuffled under    -          shuffled -
excess_jokers        no       no       no       no         yes      -
down                 4        4        4        1          4        1
three_alike          ends     ends     ends     allowed    allowed  sweeps
quiet                5        5        5        5          5        5
sweep_vote           15       15       15       15         15       15
must_exchange        yes      yes      yes      no         no       no
refusal_grace        20       20       20       -          -        -
swept                discard  discard  discard  under      discard  discard
pool_four            no       no       no       no         no       yes
holder               partner  partner  team     partner    partner  partner
bell                 no       no       no       no         yes      no
kems                 1        1        2        1          1        1
double_kems          2        2        4        2          2        2
double               at_once  at_once  at_once  two_voices at_once  at_once
chain                -        -        -        3          -        -
false_kems           1        1        1        1          1        1
false_kems_own       0        0        0        0          0        0
false_double         1        2        1        0          1        2
false_double_own     0        0        0        0          0        0
counter_names        player   team     player   player     team     player
counter              1        1        1        1          1        2
counter_two          no_effect counts  no_effect counts    counts   counts
counter_of_two       -        1        -        1          2        2
double_counters      no       yes      no       yes        no       yes
double_counter       -        2        -        2          -        4
false_counter_own    -1       0        0        0          0        0
false_counter        0        1        0        1          1        2
false_double_counter -        2        -        2          -        4
shows                accused  nobody   accuser  accused    nobody   nobody
show_count           2        -        2        2          -        -
show_different       no       -        no       yes        -        -
show_delay           20       -        20       20         -        -
counter_lost         yes      no       yes      no         no       no
false_counter_ends   no       yes      no       no         yes      yes
duel_delay           3        3        -        -          -        -
guess                report   report   not_played not_played not_played points
guess_right          -        -        -        -          -        2
guess_wrong          -        -        -        -          -        2
sign_required        no       no       no       no         no       no
sign_cards           no       no       no       no         yes      no
sign_deadline        90       90       90       90         90       90
four_kems            -        0        -        -          -        -
ends_at              target   target   target   target     rounds   target
target               10       10       10       10         -        10
rounds               -        -        4        -          8        -
win_by               1        2        1        1          -        1
best_of              1        1        1        1          -        1
auto_open            0        0        0        0          0        0
auto_next            0        0        0        0          0        0
"""
ROWS = {name: values for name, *values in (line.split() for line in PAGE.strip().splitlines())}
PLAYERS = {
    "classic": (2, 4, 6, 8, 9, 12),
    "expert": (2, 4, 6, 8, 9, 12),
    "escale": (4,),
    "linternaute": (4, 6, 8),
    "bell": (4,),
    "yokai": (4,),
}


def test_the_page_has_every_axis_and_every_preset() -> None:
    assert set(ROWS) == set(AXES)
    assert list(PRESETS) == ORDER.split()


@pytest.mark.parametrize("name", PRESETS)
def test_the_preset_is_as_on_the_page(name: str) -> None:
    column = ORDER.split().index(name)
    rules = PRESETS[name]
    page = {axis: values[column] for axis, values in ROWS.items() if values[column] != "-"}
    data = {axis: house.text(getattr(getattr(rules, AXES[axis].part), axis)) for axis in page}
    assert data == page
    assert rules.seating.players == PLAYERS[name]
