"""A running table: everything stays inside the picture and its plate, for any people; small, quick, and steady."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Final

import pytest
from PIL import Image, ImageChops

from bot.art import draw as drawing
from bot.art.draw import SCALE, WIDTH, draw, draw_running_table
from bot.art.writing import Lettering
from bot.discord.pictures.card_faces import rank_of
from bot.discord.text.texts import LANGUAGES
from bot.game.cards import DECKS, Card, DeckKind
from bot.records.pictures import RunningSeat, RunningTable, Theme

MOST_BYTES: Final = {4: 17_000, 12: 25_000}
"""By players."""
NAMES: Final = (
    *("Léa", "Maximilien-Alexandre de la Tour", "🤖 Anatole", "ماريا شلום", "陈伟", "W" * 40, "🦊🦊", "Жанна (🤖)"),
    *("Nguyễn Thị Hằng", "x", "Donaudampfschifffahrtskapitän", "Inès (2)"),
)
GESTURES: Final = (
    "👀",
    "",
    "« Quel temps il fait aujourd'hui, mes amis ! »",
    "👀🍀🎲☕🥁🦊",
    ":trefle:",
    "« " + "W" * 60 + " »",
)
SIZES: Final = ((2, 2), (4, 2), (6, 3), (6, 2), (8, 4), (9, 3), (10, 5), (12, 2), (12, 6))
"""People and teams."""


def a_table(seats: int = 4, teams: int = 2, pool: int = 4, language: str = "fr", **changes: Any) -> RunningTable:
    cards = DECKS[DeckKind.D54]
    people = tuple(
        RunningSeat(NAMES[seat], seat % teams, GESTURES[seat % len(GESTURES)], owes=seat % 5) for seat in range(seats)
    )
    ranks = tuple(rank_of(Card(group, 0), language) for group in range(13))
    lying = tuple(None if slot % 5 == 2 else cards[-1 - slot] for slot in range(pool))
    table = RunningTable(Theme.FRENCH, ranks, people, lying, tuple(str(-10 - team) for team in range(teams)))
    return replace(table, **changes)


@dataclass
class Written:
    """Where words stand, in pixels."""

    left: float
    middle: float
    right: float
    words: str


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    found, write = list[Written](), Lettering.write

    def noted(self: Lettering, on: Any, at: tuple[float, float], drawn: str, colour: str, anchor: Any) -> float:
        wide = write(self, on, at, drawn, colour, anchor)
        left = at[0] - {"l": 0.0, "m": wide / 2, "r": wide}[anchor]
        found.append(Written(left, at[1], left + wide, drawn))
        return wide

    monkeypatch.setattr(Lettering, "write", noted)
    drawing._still.cache_clear()
    return found


def boxes(picture: RunningTable) -> Iterator[tuple[float, float, float, float]]:
    """The plates, and the strip of the score, in pixels."""
    still = drawing._still(tuple((seat.name, seat.team) for seat in picture.seats), picture.scores, picture.note)
    yield 0, 0, WIDTH * SCALE, drawing._SCORE * SCALE
    for plate in still.plates:
        yield tuple(side * SCALE for side in (plate.x, plate.y, plate.x + plate.wide, plate.y + drawing._HIGH))  # type: ignore[misc]


@pytest.mark.parametrize(("seats", "teams"), SIZES)
def test_all_words_stand_inside_their_plates(seats: int, teams: int, written: list[Written]) -> None:
    note = "(Spiele 10 – 10)" if teams == 2 else ""
    picture = a_table(seats, teams, 2 * seats, note=note)
    draw_running_table(picture)
    assert written
    places = [*boxes(picture)]
    for one in written:
        assert any(
            left <= one.left and one.right <= right and top <= one.middle <= bottom
            for left, top, right, bottom in places
        ), one


@pytest.mark.parametrize("seats", [2, 4, 6, 9, 12])
def test_plates_and_cards_touch_neither_each_other_nor_the_edge(seats: int) -> None:
    picture = a_table(seats, 2 if seats % 2 == 0 else 3, 0)
    image = draw_running_table(picture)
    places = [*boxes(picture)]
    for number, (left, top, right, bottom) in enumerate(places):
        assert 0 <= left < right <= image.width
        assert 0 <= top < bottom <= image.height
        for other in places[number + 1 :]:
            assert other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top
    for pool in range(1, seats + 5):
        full = draw_running_table(replace(picture, pool=tuple(Card(0, 0) for _ in range(pool))))
        lying = ImageChops.difference(image, full).getbbox()
        assert lying is not None
        assert all(
            lying[0] >= right or lying[2] <= left or lying[1] >= bottom or lying[3] <= top
            for left, top, right, bottom in places
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranks_follow_the_language(language: str) -> None:
    queen = Card(10, 0)
    shown = [draw_running_table(replace(a_table(language=one), pool=(queen,))) for one in (language, "en")]
    assert (shown[0].tobytes() == shown[1].tobytes()) == (rank_of(queen, language) == rank_of(queen, "en"))


def test_no_part_of_the_picture_moves_during_a_match() -> None:
    table = a_table()
    sizes = {draw_running_table(replace(table, pool=table.pool[:count])).size for count in range(9)}
    assert len(sizes) == 1
    calm = replace(table, seats=tuple(replace(seat, gesture="", owes=0) for seat in table.seats))
    box = ImageChops.difference(
        draw_running_table(calm), draw_running_table(replace(calm, pool=(*calm.pool, Card(0, 0))))
    ).getbbox()
    assert box is not None
    assert (box[2] - box[0], box[3] - box[1]) == pytest.approx((50 * SCALE, 50 * SCALE), abs=4), "one card more"


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize(("seats", "pool"), [(4, 4), (12, 16)])
def test_a_picture_is_small(theme: Theme, seats: int, pool: int) -> None:
    file = draw(a_table(seats, 2, pool, theme=theme))
    assert len(file.data) < MOST_BYTES[seats]
    assert Image.open(BytesIO(file.data)).width == WIDTH * SCALE


def test_a_cached_drawing_is_never_changed() -> None:
    shown, calm = a_table(), replace(a_table(), seats=tuple(replace(seat, gesture="") for seat in a_table().seats))
    before = draw_running_table(calm).tobytes()
    draw_running_table(shown)
    assert draw_running_table(calm).tobytes() == before
