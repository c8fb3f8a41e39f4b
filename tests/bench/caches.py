"""`python -m tests.bench.caches`: what each cache of a table's messages buys, in microseconds of the process's time.

Every cache is switched off alone, in turns with none switched off; the least of all rounds counts.
"""

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

import orjson

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import texts_for
from bot.game.build_view import seat_view, table_view
from bot.ui.table.pages.board import table_board
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from tests.bench.panel import PEOPLE, states

ROUNDS, STATES = 15, 60
ROOMS = ("bot.discord.", "bot.ui.table.", "bot.ui.words.")


def caches() -> dict[str, Any]:
    """The cached functions of these rooms by their names."""
    modules = [module for name, module in sys.modules.items() if name.startswith(ROOMS)]
    found = [one for module in modules for one in vars(module).values() if hasattr(one, "cache_parameters")]
    return {f"{one.__module__}.{one.__name__}": one for one in found}


def replace(old: object, new: object) -> None:
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.")]:
        for name, value in list(vars(module).items()):
            if value is old:
                setattr(module, name, new)


def main() -> None:
    faces, drawn = Faces(texts_for("fr")), [state for state, _ in states(STATES, seed=7)]

    def panels() -> int:
        for state in drawn:
            table = table_view(state)
            for seat in range(len(PEOPLE)):
                orjson.dumps(
                    panel_page(PanelView(seat_view(state, seat, table), PEOPLE, 12, faces, state.last_exchange, 1))
                )
        return STATES * len(PEOPLE)

    def boards() -> int:
        for state in drawn:
            orjson.dumps(table_board(table_view(state), PEOPLE, 12, faces, (0, 1)))
        return STATES

    best: dict[tuple[str, str], float] = {}

    def measure(name: str, work: Callable[[], int]) -> None:
        began = time.thread_time()
        count = work()
        took = 1e6 * (time.thread_time() - began) / count
        best[name, work.__name__] = min(best.get((name, work.__name__), took), took)

    gc.disable()
    for work in (panels, boards) * ROUNDS:
        measure("all", work)
        for name, cached in caches().items():
            replace(cached, cached.__wrapped__)
            measure(name, work)
            replace(cached.__wrapped__, cached)
    for name in dict.fromkeys(name for name, _ in best):
        less = 0.0 if name == "all" else 1.0
        panel, board = (best[name, kind] - less * best["all", kind] for kind in ("panels", "boards"))
        print(f"{name:42} panel {panel:+6.1f} us   board {board:+6.1f} us")


if __name__ == "__main__":
    main()
