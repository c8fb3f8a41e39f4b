"""What ended a scene of the day before it was solved, in words that speak to the reader."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.daily.scene import ME
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import texts_for
from bot.ui.daily.scene_panel import how_it_was_missed


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "You lay a third of a kind in the middle: the round is over."),
        ("fr", "Vous posez la troisième pareille au milieu : la manche est finie."),
    ],
)
def test_a_reader_is_told_that_their_own_card_was_the_third_alike(locale: str, said: str) -> None:
    result = SimpleNamespace(laid_by=ME)
    match = SimpleNamespace(view=lambda _seat: SimpleNamespace(table=SimpleNamespace(result=result)))
    run: Any = SimpleNamespace(result=None, is_over=True, match=match)
    one: Any = None
    told = how_it_was_missed(one, run, Faces(texts_for(locale)))
    assert told is not None
    assert " ".join(told.split()) == said  # French has a narrow space before a colon
