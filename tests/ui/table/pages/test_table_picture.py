"""The picture of a running table says what its words say and nothing else, and what it shows is not written."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.picture_words import MAX_ALT, plain
from bot.discord.text.texts import LANGUAGES, texts_for
from bot.game.build_view import table_view
from bot.game.events import MatchPaused, Phase
from bot.game.signs import GestureKind
from bot.game.views import GestureInfo, TableView
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.ui.table.pages.board import table_board
from bot.ui.table.pages.table_picture import captioned_board, is_shown, picture_words, table_picture
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.table.pages.hunts import Hunt, hunts
from tests.ui.walk import buttons, row_labels, words

KINDS: Final = (
    ("classic", 4, Theme.FRENCH, {}),
    ("classic", 4, Theme.YOKAI, {"target": "3", "best_of": "3"}),
    ("linternaute", 6, Theme.FRENCH, {"down": "2"}),
    ("expert", 8, Theme.RUGBY, {}),
    ("expert", 12, Theme.FRENCH, {}),
)
LANGUAGE: Final = ("fr", "de", "en", "es", "fr")


def moments(hunt: Hunt) -> Iterator[TableView]:
    return (view.table for view in hunt.moments(40))


@pytest.fixture(params=range(len(KINDS)), ids=[f"{kind[0]} {kind[1]} {kind[2]}" for kind in KINDS])
def hunted(request: pytest.FixtureRequest) -> tuple[Hunt, Faces]:
    preset, players, theme, rules = KINDS[request.param]
    return hunts(preset, players, theme, 5, **rules), Faces(texts_for(LANGUAGE[request.param]), theme)


def test_the_picture_shows_nothing_that_the_words_do_not_say(hunted: tuple[Hunt, Faces]) -> None:
    hunt, faces = hunted
    seen = 0
    for view in moments(hunt):
        picture = table_picture(view, hunt.people, faces)
        told = plain(words(table_board(view, hunt.people, 1, faces, ())))
        assert picture.pool == tuple(view.pool)
        for card in filter(None, picture.pool):
            assert plain(faces.label(card)) in told
        for seat, info in zip(picture.seats, view.seats, strict=True):
            assert plain(seat.gesture) in told
            assert seat.owes == info.owes
            assert seat.name.removeprefix("🤖 ").split(" ")[0].strip("\u2068\u2069") in told
            seen += bool(seat.gesture)
        assert all(points in told for points in (*picture.scores, picture.note))
    assert seen, "somebody made a gesture"


def test_the_alternative_texts_of_two_pictures_differ(hunted: tuple[Hunt, Faces]) -> None:
    hunt, faces = hunted
    told: dict[str, object] = {}
    for view in moments(hunt):
        picture, alt = table_picture(view, hunt.people, faces), picture_words(view, hunt.people, faces)
        assert 0 < len(alt) < MAX_ALT
        assert told.setdefault(alt, picture) == picture
    assert len(told) > 5


def test_a_picture_replaces_its_words_and_no_button_moves(hunted: tuple[Hunt, Faces]) -> None:
    hunt, faces = hunted
    for view in moments(hunt):
        caption = captioned_board(view, hunt.people, 1, faces, range(len(hunt.people)))
        written = words(caption)
        for label in (faces.texts.t("Gestures: {made}", made=""), faces.texts.t("Team {number}", number=1) + " ·"):
            assert label.strip() not in written
        assert "\u2003" not in written, "no cards in large letters"
        duties = TableText(view, hunt.people, faces).duties() or ""
        assert len(written.splitlines()) <= 2 + len(duties.splitlines())
        board = table_board(view, hunt.people, 1, faces, ())
        assert row_labels(caption) == row_labels(board)
        assert buttons(caption) == buttons(board)


def test_hands_that_are_not_open_are_counted() -> None:
    view, faces = table_view(Table().state), Faces(texts_for("fr"))
    people = [Player(name, number) for number, name in enumerate(("Ana", "Bruno", "Chloé", "Dora"))]
    assert "Prêts : 3 sur 4" in words(captioned_board(view, people, 1, faces, {0, 1, 2}))
    assert "sur 4" not in words(captioned_board(view, people, 1, faces, {0, 1, 2, 3}))


def test_the_picture_is_shown_only_while_a_round_is_played() -> None:
    view = table_view(Table().state)
    shown = {phase for phase in Phase if is_shown(replace(view, phase=phase))}
    assert shown == set(Phase) - {Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER}
    assert not is_shown(replace(view, pause=MatchPaused(0, by_itself=False)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_description_of_the_fullest_table_is_within_discords_limit(language: str) -> None:
    table = Table(players=12, deck="52")
    gestures = tuple(GestureInfo(0, seat, GestureKind.SAY, "W" * 60, is_sign=None) for seat in range(12))
    view = replace(table_view(table.state), gestures=gestures, pool=tuple(table.all_cards())[:16])
    people = [Player("*_" * 20, 1000 + seat) for seat in range(12)]
    faces = Faces(texts_for(language))
    assert len(picture_words(view, people, faces)) <= MAX_ALT
    assert len(table_picture(view, people, faces).pool) == 16


def test_servers_emojis_are_described_by_their_names() -> None:
    view = table_view(Table().state)
    view = replace(view, gestures=(GestureInfo(0, 1, GestureKind.REACT, "<:trefle:123>", is_sign=None),))
    people = [Player(name, number) for number, name in enumerate(("Ana", "Bruno", "Chloé", "Dora"))]
    assert table_picture(view, people, Faces(texts_for("fr"))).seats[1].gesture == ":trefle:"
    assert "② Bruno :trefle:" in picture_words(view, people, Faces(texts_for("fr")))
