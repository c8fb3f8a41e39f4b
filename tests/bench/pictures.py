"""Pictures: each kind that the bot draws, beside Pillow's own save of an empty one; and the event loop meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Final

from PIL import Image

from bot.art.boards import MOST_ROWS
from bot.art.cards import card_file
from bot.art.draw import draw
from bot.art.drawing_queue import DrawingQueue
from bot.game.cards import Card
from bot.records.card_theme import Theme
from bot.records.pictures import (
    AnimatedSeat,
    BoardPicture,
    BoardRow,
    CurvePicture,
    MatchPicture,
    Picture,
    RoundAnimation,
    Scene,
    TeamColumn,
)
from tests.bench.figures import Figure, Part, Target

SCENES: Final = 20
"""Of a round's animation."""
_TICK_S: Final = 0.0005
_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R", "A")
_NAMES: Final = ("Léa", "Bruno & Chloé", "Жанна", "Maximilien de la Tour", "שלום כהן", "陈伟", "Inès", "Hugo 🍀")


def _animation(scenes: int) -> RoundAnimation:
    deck = [Card(group, member) for group in range(13) for member in range(4)]
    shots = []
    for step in range(scenes):
        lying = deck[step % 30 :]
        hands = tuple(tuple(lying[4 * seat : 4 * seat + 4]) for seat in range(4))
        shots.append(Scene(f"Léa pose {step}", "0:14", hands, (*lying[16:20], None), step % 4, lying[16]))
    people = tuple(AnimatedSeat(name, seat % 2) for seat, name in enumerate(_NAMES[:4]))
    return RoundAnimation("Table 12", Theme.FRENCH, _RANKS, people, tuple(shots))


def samples(scenes: int = SCENES) -> dict[str, Picture]:
    """A picture of each kind, as full as it gets in a busy server."""
    rows = tuple(
        BoardRow(place, _NAMES[place % len(_NAMES)], str(1700 - 9 * place), f"{70 - place} parties")
        for place in range(1, MOST_ROWS + 1)
    )
    return {
        "leaderboard": BoardPicture("Classement · cote", "Automne 2026", rows),
        "podium": BoardPicture("Podium de la saison", "Automne 2026", rows[:3], has_podium=True),
        "curve": CurvePicture(
            "Cote de Léa", "Automne 2026", tuple(1000 + step * 37 % 211 for step in range(60)), "1 sept.", "21 nov."
        ),
        "match": MatchPicture(
            "Table 12 · classic",
            "21 nov. 2026",
            (
                TeamColumn("Équipe 1", ("Léa", "Chloé"), (1, 1, 3, 5, 7, 8, 10), is_winner=True),
                TeamColumn("Équipe 2", ("Bruno", "Zoé"), (0, 1, 2, 2, 3, 4, -1), is_winner=False),
            ),
        ),
        "animation": _animation(scenes),
    }


def bench_pictures(rounds: int = 5, scenes: int = SCENES) -> Part:
    """Each round draws every kind once, with words of its own, so that nothing is kept from the last one."""
    part = Part(
        "Pictures",
        f"Each kind of picture as a file: a board of {MOST_ROWS} rows, an animation of {scenes} scenes. The reference"
        " is what Pillow needs to save an empty picture of the same size, mode and format with its own options; for an"
        " animation as many, each of another colour, since Pillow keeps one of equal ones. The lag is the longest that"
        " the event loop waits while the bot's own queue draws.",
    )
    for name, picture in samples(scenes).items():
        mine, theirs, lags = [], [], []
        for number in range(rounds):
            fresh = replace(picture, title=f"{picture.title} {number}")
            passed, data = _timed(lambda drawn=fresh: draw(drawn).data)  # type: ignore[misc]
            mine.append(passed)
            theirs.append(_empty_like(data))
            lags.append(asyncio.run(_lag(replace(picture, title=f"{picture.title} – {number}"))))
        part.figures += [
            Figure(name, "ms", tuple(mine), "ms, an empty one", tuple(theirs), Target(most=3.0)),
            Figure(
                f"the event loop's longest wait, {name}",
                "ms",
                tuple(lags),
                target=Target(most=5.0, is_absolute=True),
            ),
        ]
    mine, theirs = [], []
    for number in range(rounds):
        card = Card(number % 13, number % 4)
        passed, data = _timed(lambda drawn=card: card_file(Theme.FRENCH, drawn, _RANKS[drawn.group]))  # type: ignore[misc]
        mine.append(passed)
        theirs.append(_empty_like(data))
    part.figures.append(Figure("card face", "ms", tuple(mine), "ms, an empty one", tuple(theirs), Target(most=3.0)))
    part.notes.append("Card faces are drawn once and uploaded as emojis; all other pictures are drawn when asked for.")
    return part


def _timed(make: Callable[[], bytes]) -> tuple[float, bytes]:
    """Milliseconds, and what was made."""
    began = time.perf_counter()
    data = make()
    return 1000 * (time.perf_counter() - began), data


def _empty_like(data: bytes) -> float:
    """Milliseconds that Pillow needs to save as many empty pictures of the same size in the same format."""
    with Image.open(BytesIO(data)) as picture:
        kind, size, count = picture.format or "", picture.size, getattr(picture, "n_frames", 1)
        mode = picture.mode
    empty = [Image.new(mode, size, tuple(10 * number % 256 for _ in mode)) for number in range(count)]

    def save() -> bytes:
        file = BytesIO()
        if count == 1:
            empty[0].save(file, kind)
        else:
            empty[0].save(file, kind, save_all=True, append_images=empty[1:], duration=900, loop=0)
        return file.getvalue()

    return _timed(save)[0]


async def _lag(picture: Picture) -> float:
    """The longest that a tick came late while the queue drew, in milliseconds."""
    drawing = asyncio.create_task(DrawingQueue().draw(picture))
    worst = 0.0
    while not drawing.done():
        began = time.perf_counter()
        await asyncio.sleep(_TICK_S)
        worst = max(worst, time.perf_counter() - began - _TICK_S)
    await drawing
    return 1000 * worst
