"""One hand panel, from the state of a match to the JSON that is sent; beside it the same layout made of discord.ui."""

import gc
import time
from collections.abc import Iterator
from random import Random
from typing import Final

import orjson

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import texts_for
from bot.game.actions import Tick
from bot.game.build_view import legal_moves, seat_view, table_view
from bot.game.decide import next_deadline
from bot.game.events import Phase
from bot.game.rules.presets import PRESETS
from bot.game.state import State
from bot.records.player import Player
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from tests.bench.bare_bot import layout
from tests.bench.core import after, agreed
from tests.bench.figures import Figure, Part

STATES: Final = 1_000
PEOPLE: Final = tuple(Player(name, 100 + seat) for seat, name in enumerate(("Léa", "Hugo", "Chloé", "Inès")))


def states(count: int, seed: int) -> Iterator[tuple[State, int]]:
    """Different states of hunts of all presets in turn, with the seat that looks."""
    rng = Random(seed)
    seen: set[int] = set()
    names = sorted(PRESETS)
    while True:
        rules = PRESETS[names[rng.randrange(len(names))]]
        _, state = agreed(rules, 0, rng)
        now = 0
        for _ in range(200):
            if state.phase is Phase.MATCH_OVER:
                break
            now += rng.randrange(1500)
            due = next_deadline(state)
            seat = rng.randrange(4)
            if due is not None and due <= now:
                _, state = after(state, Tick(), now, rng)
            elif moves := sorted(legal_moves(state, seat, now), key=repr):
                _, state = after(state, rng.choice(moves), now, rng)
            key = hash(repr((state.seats, state.pool)))
            if state.phase is Phase.HUNT and key not in seen:
                seen.add(key)
                yield state, seat
                if len(seen) == count:
                    return


def bench_panel(rounds: int = 5, count: int = STATES) -> Part:
    """Each round draws all its states once; none is drawn twice."""
    part = Part(
        "One hand panel",
        f"{count} different states of hunts of all presets in each round: view, components, JSON. The reference makes"
        " the same components of discord.ui objects, and the same JSON of them; it needs no view. A change redraws the"
        " panels of all four seats, which share its public table; a press that changes nothing redraws one.",
    )
    faces = Faces(texts_for("fr"))
    alone, shared, theirs = [], [], []
    for number in range(rounds):
        drawn = list(states(count, seed=number))
        others = list(states(count, seed=rounds + number))
        layouts = [
            panel_page(PanelView(seat_view(state, seat), PEOPLE, 12, faces, state.last_exchange, 1))
            for state, seat in drawn
        ]
        gc.collect()
        gc.freeze()  # what is kept for the measure costs neither side anything
        began = time.perf_counter()
        for state, seat in drawn:
            _encoded(panel_page(PanelView(seat_view(state, seat), PEOPLE, 12, faces, state.last_exchange, 1)))
        alone.append(1000 * (time.perf_counter() - began) / count)
        began = time.perf_counter()
        for state, _ in others:
            table = table_view(state)
            for seat in range(len(PEOPLE)):
                _encoded(
                    panel_page(PanelView(seat_view(state, seat, table), PEOPLE, 12, faces, state.last_exchange, 1))
                )
        shared.append(1000 * (time.perf_counter() - began) / (count * len(PEOPLE)))
        began = time.perf_counter()
        for panel in layouts:
            view = layout(panel)  # type: ignore[arg-type]  # the components as data
            _encoded(view.to_components())
        theirs.append(1000 * (time.perf_counter() - began) / count)
        gc.unfreeze()
    for name, ours in (("a panel of a change, state to JSON", shared), ("a panel alone, state to JSON", alone)):
        part.figures.append(Figure(name, "ms", tuple(ours), "ms, discord.ui", tuple(theirs)))
    return part


def _encoded(components: object) -> bytes:
    return orjson.dumps({"components": components, "flags": 1 << 15})
