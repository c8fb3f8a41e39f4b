"""All benchmarks by name, in the order in which they run, each with what makes it short."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.bench.busy import bench_busy, bench_busy_on_postgres
from tests.bench.core import bench_core
from tests.bench.duels import bench_duels
from tests.bench.figures import Part
from tests.bench.history import bench_history, bench_history_on_postgres
from tests.bench.ladder import bench_ladder
from tests.bench.limits import bench_limits
from tests.bench.memory import bench_memory
from tests.bench.night import bench_night
from tests.bench.panel import bench_panel
from tests.bench.press_cost import bench_put_down
from tests.bench.quick_players import bench_quick_players
from tests.bench.simulation import bench_simulation


@dataclass(frozen=True, slots=True)
class Bench:
    """`run` without arguments measures; with `short` ones it only shows that everything works."""

    run: Callable[..., Part]
    short: Mapping[str, Any]


PARTS: Final = {
    "put_down": Bench(bench_put_down, {"rounds": 1, "seconds": 2.0}),
    "busy": Bench(bench_busy, {"tables": (2,), "seconds": 3.0, "to_capacity": False}),
    "limits": Bench(bench_limits, {"tables": 8, "seconds": 20.0, "many": 20}),
    "quick_players": Bench(bench_quick_players, {"tables": 1, "seconds": 3.0, "latencies": (80,)}),
    "night": Bench(bench_night, {"tables": 2, "seconds": 3.0}),
    "busy_postgres": Bench(bench_busy_on_postgres, {"tables": (2,), "seconds": 3.0}),
    "panel": Bench(bench_panel, {"rounds": 1, "count": 50}),
    "core": Bench(bench_core, {"rounds": 1, "seconds": 0.02}),
    "simulation": Bench(bench_simulation, {"rounds": 1, "matches": 1}),
    "memory": Bench(bench_memory, {"rounds": 1, "tables": 2, "settle_s": 0.0}),
    "ladder": Bench(bench_ladder, {"rounds": 1, "matches": 600}),
    "history": Bench(bench_history, {"matches": 60, "rounds": 1, "seconds": 0.0}),
    "history_postgres": Bench(bench_history_on_postgres, {"matches": 300, "rounds": 1, "seconds": 0.0}),
    "duels": Bench(bench_duels, {}),
}
