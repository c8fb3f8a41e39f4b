"""Leaderboards, podiums, curves, matches and animations: as approved by eye on both pages, whatever names people have.

When a drawing changes on purpose, look at the picture that the failing test names and copy it into `approved/`.
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

import pytest
from PIL import Image, ImageChops, ImageColor, ImageDraw

from bot.art import drawing_queue
from bot.art.canvas import CREAM, FELT, png
from bot.art.card_layout import SCALE, WIDTH, CardLayout
from bot.art.charts import MOST_ROWS, draw_board
from bot.art.draw import draw, draw_animation
from bot.art.drawing_queue import DrawingError, DrawingProcess, DrawingQueue
from bot.art.table_scene import TableScenes
from bot.game.cards import Card
from bot.records.pictures import (
    AnimatedSeat,
    AnimationFrame,
    BoardPicture,
    BoardRow,
    Curve,
    MatchPicture,
    Picture,
    PictureFile,
    RoundAnimation,
    RunningTable,
    TeamColumn,
    Theme,
)
from tests.art.test_running_table import a_table
from tests.examples import mostly_long
from tests.together import together
from tests.waiting import until

APPROVED: Final = Path(__file__).parent / "approved"
ROWS: Final = (
    BoardRow(1, "Léa 🍀", "1642", "24 parties"),
    BoardRow(2, "Bruno & Chloé", "1588", "31 parties"),
    BoardRow(2, "Жанна 陈", "1588", "12 parties"),
    BoardRow(4, "Un nom vraiment trop long pour la place", "987", "provisoire"),
)
MORE_ROWS: Final = (
    BoardRow(11, "שלום כהן & محمد علي", "12", "30 parties"),
    BoardRow(12, "🦊🦊 & さくら", "12", "29 parties"),
    BoardRow(9999, "Nguyễn Thị Hằng & Maximilien de la Tour", "1000000", "1 partie"),
    BoardRow(100000, "x", "0"),
)
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R", "A")


def an_animation(seats: int, scenes: int, theme: Theme = Theme.FRENCH) -> RoundAnimation:
    deck = [Card(group, member) for group in range(13) for member in range(4)]
    hands = tuple(tuple(deck[4 * seat : 4 * seat + 4]) for seat in range(seats))
    people = tuple(AnimatedSeat(f"Zoé {seat}", seat % 2) for seat in range(seats))
    shots = (
        AnimationFrame(
            f"Zoé {step} pose une carte.", "0:14", hands, (*deck[48:52], None), step % seats, deck[48 + step % 4]
        )
        for step in range(scenes)
    )
    return RoundAnimation("Table 12", theme, RANKS, people, tuple(shots))


def named(table: RunningTable) -> RunningTable:
    """The people of a table with names that are written alike on every machine."""
    names = ("Ana", "Bruno", "Chloé", "Dora", "Émile", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Louise")
    return replace(table, seats=tuple(replace(seat, name=names[place]) for place, seat in enumerate(table.seats)))


SAMPLES: Final[dict[str, Picture]] = {
    "table": named(a_table(note="Manche 3")),
    "table_of_twelve": named(a_table(12, 6, 6, theme=Theme.YOKAI)),
    "board": BoardPicture("Classement · cote", "Automne 2026", ROWS),
    "duos": BoardPicture("Duos", "Saison 12 — Un nom de saison qui va jusqu'au bout de la ligne", MORE_ROWS),
    "podium": BoardPicture("Podium de la saison", "Automne 2026", ROWS[:3], has_podium=True),
    "podium_of_two": BoardPicture(
        "Podium of the season", "Season 3 — A name of a season that is long", MORE_ROWS[:2], has_podium=True
    ),
    "night": BoardPicture(
        "Soirée du vendredi", "5 déc. 2026 · 26 joueurs · 4 rondes", (*ROWS, *MORE_ROWS), has_podium=True
    ),
    "recap": BoardPicture(
        "La soirée en quatre exploits",
        "Un titre de soirée qui va jusqu'au bout de la ligne et plus loin encore · 5 déc. 2026",
        (
            BoardRow(
                0, "Maximilien de la Tour & Nguyễn Thị Hằng", "", "Meilleure paire · 4 Kem's, 1 contre", sign="🥇"
            ),
            BoardRow(0, "שלום כהן", "", "Plus long bluff · 0:48, 5 gestes", sign="🎭"),
            BoardRow(0, "Жанна 陈", "", "Kem's le plus rapide · 0:07", sign="⚡"),
        ),
    ),
    "figures": BoardPicture(
        "Léa",
        "Toutes les saisons",
        (
            BoardRow(0, "Cote", "1240", "provisoire", sign="📈"),
            BoardRow(0, "Parties", "12", "9 classées · 58 % gagnées · 1 nulle", sign="🎴"),
            BoardRow(0, "Kem's", "14", "3 doubles · après 0:42 en moyenne · 2 faux", sign="🔔"),
            BoardRow(0, "Contres", "5", "3 faux · s'est fait contrer 4 fois", sign="✋"),
            BoardRow(0, "Adversaire redoutable : Maximilien de la Tour", "63 %", "5 perdues sur 8", sign="⚔️"),
        ),
        curve=Curve((1000, 1030, 1010, 1120, 1090, 1240), "1 sept.", "21 nov."),
    ),
    "long_curve": BoardPicture(
        "Maximilien de la Tour",
        "Saison 3",
        ROWS[:1],
        curve=Curve(tuple(1500 - i * i % 97 for i in range(200)), "1 sept.", "21 nov."),
    ),
    "six_teams": MatchPicture(
        "Partie 99999",
        "21 nov. 2026, 23:40 (Paris) · expert · règles maison · amical",
        tuple(
            TeamColumn(f"Équipe {team}", ("Maximilien de la To…", "陈伟"), tuple(range(0, 3 * team, team)), team == 6)
            for team in range(1, 7)
        ),
    ),
    "match": MatchPicture(
        "Kem's · partie 12",
        "21 nov. 2026, 23:40 (Paris) · Classique · classée",
        (
            TeamColumn("Équipe 1", ("Léa", "Chloé"), (1, 1, 3, 5, 10), is_winner=True, sign="Signe : 🍀"),
            TeamColumn("Équipe 2", ("Bruno", "🤖 Zoé"), (0, 1, 2, 1, -1), is_winner=False, sign="Signe : 🎩 🦀"),
        ),
        ("⚡ Kem's le plus rapide · Chloé, 0:09",),
        ("🔔", "🔔", "✋", "❌", "🔔"),
        best_round=3,
        headline="🏁 Manche 3 : Chloé, 84 ms avant le contre de Maximilien de la Tour d'Auvergne",
    ),
}


def the_end(seats: int) -> RoundAnimation:
    """The last scene of a round in which the second player held four alike, after a spoken and a drawn gesture."""
    shown = an_animation(seats, 3)
    spoken, drawn, last = shown.frames
    names = ("Léa 🍀", "Maximilien de la Tour", "שלום כהן", "🤖 Zoé", "🦊🦊", "陈伟")
    people = (replace(seat, name=names[place % len(names)]) for place, seat in enumerate(shown.seats))
    told = "Maximilien de la Tour l'annonce, \u2068שלום כהן\u2069 avait le carré : 3♠ 3♥ 3♦ 3♣. "
    scenes = (
        replace(spoken, gesture="« Quel temps il fait aujourd'hui ! »"),
        replace(drawn, gesture="👀🍀"),
        replace(last, caption="KEM'S !", detail=told * 3 + "Fin.", decisive_cards=last.hands[1], actor=1, card=None),
    )
    return replace(shown, seats=tuple(people), frames=scenes)


SCENES: Final = {
    "scene": an_animation(4, 1),
    "two": an_animation(2, 1),
    "twelve": the_end(12),
    "end": the_end(4),
    "gesture": replace(the_end(6), frames=the_end(6).frames[:2]),
    "speech": replace(the_end(3), frames=the_end(3).frames[:1]),
}


def opened(file: PictureFile) -> Image.Image:
    return Image.open(BytesIO(file.data))


def avatar(colour: str = "#aa4466") -> bytes:
    face = Image.new("RGB", (128, 128), colour)
    ImageDraw.Draw(face).ellipse((30, 24, 98, 92), fill="#f6c9a0")
    written = BytesIO()
    face.save(written, "PNG")
    return written.getvalue()


def look(name: str) -> Image.Image:
    if name not in SCENES:
        return opened(draw(SAMPLES[name])).convert("RGB")
    shown = SCENES[name]
    return TableScenes(shown).draw(shown.frames[-1])


@pytest.mark.parametrize("name", [*SAMPLES, *SCENES])
def test_pictures_look_as_approved(name: str, tmp_path: Path) -> None:
    """With room for a few pixels at the edges."""
    found = look(name).reduce(2)
    with Image.open(APPROVED / f"{name}.png") as file:
        approved = file.convert("RGB")
    bands = ImageChops.difference(found, approved).split() if found.size == approved.size else ()
    if not bands or max(sum(band.histogram()[64:]) for band in bands) > found.width * found.height // 20_000:
        found.save(tmp_path / f"{name}.png")
        pytest.fail(f"looks different: see {tmp_path / f'{name}.png'}")


def test_long_words_shrink_before_they_are_truncated() -> None:
    layout = CardLayout(100)
    wide = layout.text("Maximilien", (0, 50), 20)
    assert layout.text("Maximilien", (0, 50), 20, room=wide * 0.8, least=10) <= wide * 0.8
    cut = layout.text("Maximilien", (0, 50), 20, room=wide * 0.3, least=15)
    assert 0 < cut <= wide * 0.3


def test_a_name_does_not_overlap_its_neighbour() -> None:
    short, long = (BoardPicture("x", "", (BoardRow(1, name, "12", "3"),)) for name in ("W" * 40, "W" * 400))
    assert opened(draw(short)).tobytes() == opened(draw(long)).tobytes()


def test_boards_are_bounded_and_may_be_empty() -> None:
    rows = tuple(BoardRow(place, "A", "1") for place in range(1, 200))
    assert opened(draw(BoardPicture("x", "", rows))).size == opened(draw(BoardPicture("x", "", rows[:MOST_ROWS]))).size
    for empty in (
        BoardPicture("x", "", ()),
        BoardPicture("x", "", (), has_podium=True),
        BoardPicture("x", "", (), curve=Curve((), "", "")),
    ):
        assert opened(draw(empty)).width == WIDTH * SCALE
    for values in ((5,) * 60, (0, 10**7), (-3, -1)):
        assert opened(draw(BoardPicture("x", "", (), curve=Curve(values, "", "")))).width == WIDTH * SCALE


@pytest.mark.parametrize("people", [1, 2, 3])
def test_a_podium_is_centred_and_has_a_step_for_each_person(people: int) -> None:
    image = draw_board(BoardPicture("x", "", ROWS[:people], has_podium=True))
    felt = ImageColor.getrgb(FELT)
    floor = [image.getpixel((x, image.height - 1)) != felt for x in range(image.width)]
    left, right = floor.index(True), floor[::-1].index(True)
    assert abs(left - right) <= 1
    assert sum(floor) == pytest.approx(people * 140 * SCALE, abs=2)


def test_an_avatar_is_shown_instead_of_initials_when_it_can_be_read() -> None:
    row = BoardRow(1, "Léa", "1", avatar=avatar("#ff00ff"))
    shown, initials, broken = (
        draw_board(BoardPicture("x", "", (replace(row, avatar=file),), has_podium=True))
        for file in (row.avatar, None, b"no picture")
    )
    assert (255, 0, 255) in {colour for _, colour in shown.getcolors(10**6) or ()}
    assert broken.tobytes() == initials.tobytes()


@together("gesture", ["🍀", "👀🍀🎲☕🥁🦊", "🫩", ":trefle:", "« bonjour »", "x" * 500])
@together("actor", range(4))
def test_a_gesture_is_never_a_blank(gesture: str, actor: int) -> None:
    film = an_animation(4, 1)
    still = replace(film.frames[0], actor=actor)
    signed = replace(still, gesture=gesture)
    table = TableScenes(replace(film, frames=(still, signed)))
    box = ImageChops.difference(table.draw(still), table.draw(signed)).getbbox()
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    middle = table.draw(signed).crop((x - 20, y - 20, x + 20, y + 20))
    paper = sum(count for count, colour in middle.getcolors(1600) or () if colour == ImageColor.getrgb(CREAM))
    assert 0 < paper < 1500, "there is something on the bubble"


@pytest.mark.parametrize("theme", mostly_long(Theme, Theme.FAMILY))
def test_a_film_of_the_biggest_table_is_small(theme: Theme) -> None:
    """Twelve people with avatars that are hard to compress, and a gesture in every second scene."""
    film = an_animation(12, 9, theme)
    noise = Random(1)
    faces = (Image.frombytes("RGB", (128, 128), noise.randbytes(128 * 128 * 3)) for _ in film.seats)
    seats = tuple(replace(seat, avatar=png(face)) for seat, face in zip(film.seats, faces, strict=True))
    scenes = tuple(replace(scene, gesture="👀🍀" * (step % 2)) for step, scene in enumerate(film.frames))
    file = draw_animation(replace(film, seats=seats, frames=scenes))
    assert 10_000 < len(file.data) < 300_000
    shown = opened(file)
    assert (file.suffix, shown.format, shown.n_frames) == ("webp", "WEBP", len(scenes))


def test_an_animation_without_a_scene_is_refused() -> None:
    with pytest.raises(ValueError, match="an animation needs a scene"):
        draw_animation(replace(an_animation(2, 1), frames=()))


async def test_the_queue_draws_a_picture_once_and_forgets_the_oldest() -> None:
    drawn: list[Picture] = []

    def slow(picture: Picture) -> PictureFile:
        drawn.append(picture)
        return PictureFile(b"x" * 10, "png")

    one, two, three = (BoardPicture(title, "", ()) for title in "abc")
    room = DrawingQueue(25, slow)
    first, second = await asyncio.gather(room.draw(one), room.draw(BoardPicture("a", "", ())))
    assert first is second
    for picture in (two, one, three, one):
        await room.draw(picture)
    assert drawn == [one, two, three], "the one that was asked for lately stays"
    await room.draw(two)
    assert drawn[-1] == two


async def test_the_queue_goes_on_when_callers_are_cancelled() -> None:
    done, drawn = threading.Event(), list[str]()

    def slow(picture: Picture) -> PictureFile:
        drawn.append(picture.title)
        done.wait(10)
        return PictureFile(picture.title.encode(), "png")

    room = DrawingQueue(draw=slow)
    first, second, third = (asyncio.create_task(room.draw(BoardPicture(title, "", ()))) for title in "abc")
    await until(lambda: drawn)
    first.cancel()
    second.cancel()
    await asyncio.sleep(0.01)
    assert drawn == ["a"], "one at a time, also when nobody wants it any more"
    done.set()
    assert (await third).data == b"c"
    assert drawn == ["a", "c"], "what nobody waits for is not begun"
    assert first.cancelled()
    assert (await room.draw(BoardPicture("a", "", ()))).data == b"a"
    assert drawn == ["a", "c"], "what was drawn is kept"


@pytest.fixture(scope="module")
def process() -> Iterator[DrawingProcess]:
    """One for all tests: it takes a while to start, and who is killed is replaced."""
    made = DrawingProcess()
    yield made
    made.close()


def test_a_worker_process_draws_the_same_pictures(process: DrawingProcess) -> None:
    assert process.draw(SAMPLES["podium"]) == draw(SAMPLES["podium"])
    first = process.pid
    assert first not in (None, os.getpid())
    assert process.draw(SAMPLES["match"]) == draw(SAMPLES["match"])
    assert process.pid == first


def test_a_failed_picture_does_not_stop_the_queue(process: DrawingProcess) -> None:
    with pytest.raises(DrawingError, match="ValueError: an animation needs a scene"):
        process.draw(replace(an_animation(2, 1), frames=()))
    assert process.draw(SAMPLES["podium"]).suffix == "png"


def test_a_drawing_is_stopped_when_it_takes_too_long(process: DrawingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(drawing_queue, "ANSWER_CPU_S", 0.02)
        with pytest.raises(DrawingError, match="draw took more than"):
            process.draw(an_animation(4, 8))
    assert process.draw(SAMPLES["podium"]).suffix == "png"


def test_a_worker_process_is_replaced_when_it_was_killed(process: DrawingProcess) -> None:
    process.draw(SAMPLES["podium"])
    first = process.pid
    os.kill(first, signal.SIGKILL)
    assert process.draw(SAMPLES["podium"]).suffix == "png"
    assert process.pid != first


def test_a_worker_process_ends_when_it_has_no_work() -> None:
    idle = DrawingProcess(idle_s=0.2)
    idle.draw(SAMPLES["podium"])
    first = idle.pid
    assert first is not None
    ended(first)
    assert idle.draw(SAMPLES["podium"]).suffix == "png"
    assert idle.pid != first
    idle.close()


def test_a_worker_process_ends_when_the_bot_ends() -> None:
    script = (
        "import os, signal\n"
        "from bot.art.drawing_queue import DrawingProcess\n"
        "from bot.records.pictures import BoardPicture\n"
        "process = DrawingProcess()\n"
        "process.draw(BoardPicture('', '', ()))\n"
        "print(process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    ended(int(killed.stdout))


def ended(pid: int) -> None:
    """Waits until a process runs no more."""
    for _ in range(200):
        if not is_running(pid):
            return
        time.sleep(0.05)
    pytest.fail("the process goes on although nobody needs it")


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


async def test_the_event_loop_goes_on_while_a_film_is_drawn(process: DrawingProcess) -> None:
    """Pillow encodes a scene for ten milliseconds without a break: in a thread no other Python would run meanwhile."""
    queue = DrawingQueue(draw=process.draw)
    await queue.draw(SAMPLES["podium"])
    used = time.process_time()
    await queue.draw(an_animation(4, 10))
    assert time.process_time() - used < 0.1, "the work is done elsewhere"
