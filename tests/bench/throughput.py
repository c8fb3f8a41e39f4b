"""Presses a second in one process, at few and at many tables; the bare bot serves the same stream."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, Part, Target
from tests.bench.press_cost import Measure, both, line
from tests.rig.crowd import SEATS
from tests.rig.wire import Weather

PERSON_S: Final = 0.3
"""Between two presses of one person: the bot takes no more of one person for long."""
MOST_BUSY: Final = 40
"""Tables at which people press; at further ones they look at their hands."""
FEW: Final = 10
CALM: Final = 0.7
"""The share of saturation at which answers are timed."""


async def throughput(folder: Path, numbers: Sequence[int], seconds: float) -> Part:
    """For each number of open tables: what a press costs when many press, and how long answers take below that."""
    part = Part(
        "Presses a second in one process",
        f"People at up to {MOST_BUSY} of the open tables exchange as fast as they are answered, {PERSON_S:g} s apart at"
        " the quickest; the bare bot answers the same presses at the same moments and sends the same edits. The rate is"
        " that of a whole core, by the processor time of a press. Answers are timed at "
        f"{CALM:.0%} of that rate, or where the people of the few tables reach none of that, at theirs.",
    )
    among: dict[int, Measure] = {}
    async with both(0, folder, people=max(numbers)) as (ours, bare):
        for number in numbers:
            ours.crowd.air.change(Weather(limits=False))
            await ours.crowd.open_tables(number - len(ours.crowd.places))
            ours.crowd.air.change(Weather())
            await bare.take_over(ours)
            places = ours.crowd.places[:MOST_BUSY]
            mine = await ours.play(places, seconds, PERSON_S, is_slow=False)
            reference = await bare.repeat(ours)
            part.figures.append(
                Figure(
                    f"presses a second, {number} tables",
                    "a core",
                    (1000 / mine.ms,),
                    "a core, the bare bot",
                    (1000 / reference.ms,),
                    Target(least=0.9),
                )
            )
            calm = await ours.play(places, seconds, _pause(len(places), CALM * 1000 / mine.ms), is_slow=False)
            part.figures.append(
                Figure(
                    f"answers at {CALM:.0%} of that, {number} tables, p99",
                    "ms",
                    (calm.answers.percentile(0.99),),
                    target=Target(most=100, is_absolute=True),
                )
            )
            part.notes += [
                line(f"{number} tables, ours", mine),
                line(f"{number} tables, bare", reference),
                line(f"{number} tables, ours, calm", calm),
            ]
            if number >= FEW:
                among[number] = await ours.play(ours.crowd.places[:FEW], seconds, 2 * PERSON_S, is_slow=False)
    if len(among) > 1:
        few, many = among[min(among)], among[max(among)]
        part.figures.append(
            Figure(
                f"CPU of a press among {max(among)} open tables",
                "ms",
                (many.ms,),
                f"ms among {min(among)}",
                (few.ms,),
                Target(most=1.1),
            )
        )
    return part


def _pause(tables: int, rate: float) -> float:
    """Seconds between two presses of one person, so that all of them together press so often a second."""
    return max(PERSON_S, tables * SEATS / rate)


def bench_throughput(numbers: Sequence[int] = (1, 10, 100, 500, 1000), seconds: float = 12.0) -> Part:
    """`throughput`, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        return asyncio.run(throughput(Path(folder), numbers, seconds))
