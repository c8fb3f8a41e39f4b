"""Limits that nobody knows: how the panels' pace finds them, beside the code that knew none."""

from collections.abc import Iterator, Sequence
from typing import Final

import structlog

from bot.sandbox.discord.assumptions import STRICT, Assumptions
from tests.bench.figures import Figure, Part, Target, at_most
from tests.rig.load import percentile
from tests.rig.panel_load import Played, Unpaced, played

TABLES: Final = (8, 15, 30)
REFUSALS: Final = 50
AGE_S: Final = 6.0
GESTURE_S: Final = 1.0
FEARS: Final = {
    "50 a second of an address": Assumptions(of_address=50),
    "the same, answers counted": Assumptions(of_address=50, counts_answers=True),
    "30 a minute of a channel": Assumptions(of_channel=STRICT.of_channel),
    "all fears": STRICT,
}


def bench_limits(tables: Sequence[int] = TABLES, seconds: float = 600.0, many: int = 80) -> Part:
    part = Part(
        "Limits that nobody knows",
        "Ten minutes in virtual time: the pace of panels and the simulated limits, nothing else. Panels change twice a"
        " second, people press every twenty seconds, a tenth of the changes are gestures of a partner. Refusals stand"
        " beside those of the code without a pace, ages beside those without limits.",
    )
    with structlog.testing.capture_logs():
        for number in tables:
            plain = played(number, seconds)
            part.notes.append(f"{number} tables, no limit: {plain}")
            for fear, assumptions in FEARS.items():
                came, before = played(number, seconds, assumptions), played(number, seconds, assumptions, Unpaced)
                part.notes += [f"{number} tables, {fear}: {came}", f"  without a pace: {before}"]
                part.figures += _figures(f"{number} tables, {fear}:", came, plain, before)
        part.notes.append(f"{many} tables, no limit, the first minute of an address: {played(many, 60)}")
    return part


def _figures(name: str, came: Played, plain: Played, before: Played) -> Iterator[Figure]:
    """An address without a share for each channel is what the bot is to live with; the rest is only shown."""
    is_judged = "channel" not in name and "all" not in name

    def figure(what: str, value: float, unit: str, most: float, usual: str, reference: float) -> Figure:
        beside = (usual, (reference,)) if reference else ("", ())
        return Figure(f"{name} {what}", unit, (value,), *beside, target=at_most(most) if is_judged else Target())

    yield figure("refused", came.refused, "requests", REFUSALS, "before", before.refused)
    yield Figure(f"{name} lost", "presses, panels", (came.lost,), target=at_most(0))
    panels, gestures = (came.ages, plain.ages, AGE_S), (came.gestures, plain.gestures, GESTURE_S)
    for what, (seen, usual, most) in (("age of panels, 95 %", panels), ("of gestures, 95 %", gestures)):
        yield figure(what, percentile(seen, 0.95), "s", most, "without limits", percentile(usual, 0.95))
