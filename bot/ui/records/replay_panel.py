"""A replay as a message: one step of a round, all hands open, and buttons to any other. It keeps nothing in mind:
every button says by itself which step it leads to.
"""

import re
from typing import Final

from bot.game.replay_steps import RoundReplay
from bot.records.archive import PastMatch
from bot.ui.kit.components import PRIMARY, SUCCESS, Button, Layout, button, layout, rows, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.palette import SLATE
from bot.ui.records.replay_words import step_lines
from bot.ui.records.verbs import RecordsVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText, clock

_ARG: Final = re.compile(r"([0-9]{1,5})[a-z]")


def replay_panel(match: PastMatch, replay: RoundReplay, step: int, faces: Faces) -> Layout:
    """Step `step`, counted from 0, of a round; the nearest one where there is none of that number."""
    t, last = faces.texts.t, len(replay.steps) - 1
    step = min(max(step, 0), last)
    frame = replay.steps[step]
    table_text = TableText(frame.table, match.people, faces)
    told = {
        "number": match.table_id,
        "round": replay.number,
        "rounds": replay.rounds,
        "step": step + 1,
        "steps": last + 1,
    }
    title = t("Replay of table {number} · round {round} of {rounds} · step {step} of {steps}", **told)
    lines = step_lines(frame, table_text)
    if not lines[0].startswith("#"):
        lines[0] = f"### {lines[0]}"
    return layout(
        text(f"-# {title} · {clock(frame.at)}", table_text.heading()),
        text(table_text.pool()),
        text(*(f"{table_text.seat(seat)} {table_text.cards(hand)}" for seat, hand in enumerate(frame.hands))),
        text(*lines),
        *rows(_step_buttons(match.table_id, replay, step, faces)),
        *rows(_round_buttons(match.table_id, replay, faces)),
        colour=SLATE,
    )


def step_of(arg: str) -> int | None:
    """The step that a button's argument names, None for anything else."""
    found = _ARG.fullmatch(arg)
    return None if found is None else int(found[1])


def _to(table_id: int, number: int, step: int, way: str) -> str:
    """The custom id that leads to a step; `way` keeps those apart that lead to the same one."""
    return make_id(table_id, RecordsVerb.REPLAY, f"{step}{way}", number)


def _step_buttons(table_id: int, replay: RoundReplay, step: int, faces: Faces) -> list[Button]:
    t, last, number = faces.texts.t, len(replay.steps) - 1, replay.number
    can_back, can_go = step > 0, step < last
    return [
        button(t("⏮ First"), _to(table_id, number, 0, "f"), is_enabled=can_back),
        button(t("◀ Back"), _to(table_id, number, max(step - 1, 0), "b"), is_enabled=can_back),
        button(t("On ▶"), _to(table_id, number, min(step + 1, last), "n"), style=PRIMARY, is_enabled=can_go),
        button(t("Last ⏭"), _to(table_id, number, last, "l"), is_enabled=can_go),
    ]


def _round_buttons(table_id: int, replay: RoundReplay, faces: Faces) -> list[Button]:
    t, number = faces.texts.t, replay.number
    former, later = max(number - 1, 1), min(number + 1, replay.rounds)
    return [
        button(t("← Round {number}", number=former), _to(table_id, former, 0, "p"), is_enabled=number > 1),
        button(t("Round {number} →", number=later), _to(table_id, later, 0, "q"), is_enabled=number < replay.rounds),
        button(t("🎞 Share"), make_id(table_id, RecordsVerb.SHARE, round=number), style=SUCCESS),
    ]
