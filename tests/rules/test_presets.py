"""The page of the rules, axis by axis and preset by preset, against the data, so that no value changes unnoticed."""

from dataclasses import replace

import pytest

from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, Rules, unmet

ORDER = "classic expert escale linternaute bell yokai american"
PAGE = """
players              2,4,6,8,9,12 2,4,6,8,9,12 4            4,6,8        4            4            4,6,8
team_size            2            2            2            2            2            2            2
deck                 32           32           32           32           54           32           52
excess               redraw       redraw       redraw       redeal       redraw       keep         keep
redrawn              shuffled     shuffled     under        (shuffled)   shuffled     (shuffled)   (shuffled)
excess_jokers        (no)         (no)         (no)         (no)         yes          (no)         (no)
down                 4            4            4            1            4            1            1
three_alike          ends         ends         ends         allowed      allowed      sweeps       allowed
take_limit           45           45           45           45           45           45           45
swap                 yes          yes          yes          yes          yes          yes          yes
takes_seen           yes          yes          yes          yes          yes          yes          yes
quiet                5            5            5            5            5            5            5
sweep_by             anybody      anybody      anybody      anybody      anybody      anybody      anybody
sweep_vote           8            8            8            8            8            8            8
must_exchange        yes          yes          yes          no           no           no           no
refusal_grace        20           20           20           (20)         (20)         (20)         (20)
swept                discard      discard      discard      under        discard      discard      discard
stock_out            reshuffle    reshuffle    reshuffle    (reshuffle)  reshuffle    reshuffle    reshuffle
max_sweeps           20           20           20           20           20           20           20
holder               partner      partner      team         partner      partner      partner      partner
bell                 no           no           no           no           yes          no           no
kems                 1            1            2            1            1            1            1
kems_others          0            0            0            0            0            0            0
double_kems          2            2            4            2            2            2            1
double_kems_others   0            0            0            0            0            0            0
double               at_once      at_once      at_once      two_voices   at_once      at_once      at_once
chain                (3)          (3)          (3)          3            (3)          (3)          (3)
false_kems           1            1            1            1            1            1            0
false_kems_own       0            0            0            0            0            0            -1
false_double         1            2            1            0            1            2            0
false_double_own     0            0            0            0            0            0            -1
counters             yes          yes          yes          yes          yes          yes          yes
counter_names        player       team         player       player       team         player       team
counter              1            1            1            1            1            2            1
counter_two          no_effect    counts       no_effect    counts       counts       counts       counts
counter_of_two       (1)          1            (1)          1            2            2            1
counter_accused      0            0            0            0            0            0            0
double_counters      no           yes          no           yes          no           yes          no
double_counter       (2)          2            (2)          2            (2)          4            (2)
false_counter_own    -1           0            0            0            0            0            -1
false_counter        0            1            0            1            1            2            0
false_counter_all    0            0            0            0            0            0            0
false_double_counter (2)          2            (2)          2            (2)          4            (2)
false_double_counter_own (0)          0            (0)          0            (0)          0            (0)
shows                accused      (nobody)     accuser      accused      (nobody)     (nobody)     (nobody)
show_count           2            (2)          2            2            (2)          (2)          (2)
show_different       no           (no)         no           yes          (no)         (no)         (no)
show_delay           20           (20)         20           20           (20)         (20)         (20)
counter_lost         yes          (no)         yes          no           (no)         (no)         (no)
false_counter_ends   no           yes          no           no           yes          yes          yes
duel_delay           3            3            (3)          (3)          (3)          (3)          (3)
sign_change          between      between      between      between      between      between      between
signs_told           match        match        match        match        match        match        match
oral_signs         no           no           no           no           no           yes          no
guess                report       report       not_played   not_played   not_played   points       not_played
guess_limit          2            2            (2)          (2)          (2)          (2)          (2)
guess_right          (0)          (0)          (0)          (0)          (0)          2            (0)
guess_wrong          (0)          (0)          (0)          (0)          (0)          2            (0)
guess_wrong_own      (0)          (0)          (0)          (0)          (0)          0            (0)
guess_wrong_all      (0)          (0)          (0)          (0)          (0)          0            (0)
sign_required        no           no           no           no           no           no           no
counter_needs_sign   no           no           no           no           no           no           no
sign_cards           no           no           no           no           yes          no           no
sign_deadline        90           90           90           90           90           90           90
four_kems            (0)          0            (0)          0            (0)          0            (0)
ends_at              target       target       target       target       rounds       target       target
target               10           10           10           10           (10)         10           5
rounds               (8)          (8)          (4)          (8)          8            (8)          (8)
win_by               1            2            1            1            (1)          1            1
best_of              1            1            1            1            (1)          1            1
auto_open            0            0            0            0            0            0            0
auto_next            0            0            0            0            0            0            0
"""
"""In brackets what the preset never asks for, because another of its rules has switched it off."""
ROWS = {name: values for name, *values in (line.split() for line in PAGE.strip().splitlines())}
each_preset = pytest.mark.parametrize("name", PRESETS)


def on_the_page(name: str) -> dict[str, str]:
    column = ORDER.split().index(name)
    return {axis: values[column] for axis, values in ROWS.items()}


def check(name: str, rules: Rules) -> None:
    """The rules are those that the page gives for the preset of this name, to the last value."""
    assert rules.preset == name
    page = {axis: value.strip("()") for axis, value in on_the_page(name).items()}
    assert {axis: house_rules.text(house_rules.value_of(rules, axis)) for axis in AXES} == page


def test_the_page_has_every_axis_and_every_preset() -> None:
    assert set(ROWS) == set(AXES)
    assert list(PRESETS) == ORDER.split()


@each_preset
def test_the_preset_is_as_on_the_page(name: str) -> None:
    check(name, PRESETS[name])


@each_preset
def test_the_page_says_what_the_preset_never_asks_for(name: str) -> None:
    silent = {axis for axis, value in on_the_page(name).items() if value.startswith("(")}
    assert silent == {axis for axis in AXES if unmet(PRESETS[name], axis) is not None}


def mutants(rules: Rules, axis: str) -> list[Rules]:
    """The same rules with any other value of the axis; of a number, its neighbours; of several numbers, one less."""
    present, part = house_rules.value_of(rules, axis), AXES[axis].part
    if isinstance(present, bool):
        others: list[object] = [not present]
    elif isinstance(present, str):
        others = [value for value in AXES[axis].kind if value is not present]
    elif isinstance(present, tuple):
        others = [tuple(kept for kept in present if kept != count) for count in present]
    else:
        others = [present - 1, present + 1]
    return [replace(rules, **{part: replace(getattr(rules, part), **{axis: value})}) for value in others]
