"""Limits that nobody knows: how the panels' pace finds them."""

from typing import Final

import structlog

from tests.bench.figures import Figure, Part, at_most
from tests.rig.assumptions import Assumptions
from tests.rig.limits import STRICT
from tests.rig.load import percentile
from tests.rig.panel_load import played

TABLES: Final = 30
REFUSALS: Final = 50
AGE_S: Final = 6.0
GESTURE_S: Final = 1.0
ADDRESS: Final = "50 a second of an address, answers counted"
"""What the bot is to live with; of the other fears it is to lose nothing."""
FEARS: Final = {
    ADDRESS: Assumptions(of_address=50, counts_answers=True),
    "30 a minute of a channel": Assumptions(of_channel=STRICT.of_channel),
    "all fears": STRICT,
}


def bench_limits(tables: int = TABLES, seconds: float = 600.0, many: int = 80) -> Part:
    part = Part(
        "Limits that nobody knows",
        "Ten minutes in virtual time: the pace of panels and the simulated limits, nothing else. Panels change twice a"
        " second, people press every twenty seconds, a tenth of the changes are gestures of a partner. Ages stand"
        " beside those without limits.",
    )
    with structlog.testing.capture_logs():
        plain = played(tables, seconds)
        came = {fear: played(tables, seconds, assumptions) for fear, assumptions in FEARS.items()}
        at_first = played(many, 60)
    part.notes += [f"{tables} tables, {name}: {each}" for name, each in {"no limit": plain, **came}.items()]
    part.notes.append(f"{many} tables, no limit, the first minute of an address: {at_first}")
    met, name = came[ADDRESS], f"{tables} tables, {ADDRESS}:"
    part.figures.append(Figure(f"{name} refused", "requests", (met.refused,), target=at_most(REFUSALS)))
    for what, ages, usual, most in (
        ("age of panels, 95 %", met.ages, plain.ages, AGE_S),
        ("of gestures, 95 %", met.gestures, plain.gestures, GESTURE_S),
    ):
        beside = "without limits", (percentile(usual, 0.95),)
        part.figures.append(Figure(f"{name} {what}", "s", (percentile(ages, 0.95),), *beside, at_most(most)))
    lost = sum(each.lost for each in came.values())
    part.figures.append(Figure(f"{tables} tables, each fear: lost", "presses, panels", (lost,), target=at_most(0)))
    return part
