"""The review as a message: every kind of moment in each language, each above the button that shows it."""

import pytest

from bot.game.replay_steps import replay_round
from bot.records.review import moments, review
from bot.ui.kit.texts import LANGUAGES, texts_for
from bot.ui.records.replay_panel import RecordsVerb, step_of
from bot.ui.records.review_panel import review_panel
from bot.ui.words.card_faces import Faces
from tests.records.test_review import CHLOE, planted
from tests.ui.walk import EN, buttons, check_limits, words

FR = Faces(texts_for("fr"))


def test_a_moment_says_when_what_and_why_and_its_button_leads_there() -> None:
    match = planted()
    shown = review(match, CHLOE)
    panel = review_panel(match, shown, FR)
    told = words(panel).replace("\u00a0", " ")
    assert "**Manche 2 · 0:05** · coût : 2 pts\nA a fait 👀, votre signe, et vous n'avez pas crié Kem's." in told
    assert (
        "**Manche 5 · 0:05** · coût : 2 pts\nB a fait 🍀, comme au Kem's de la manche 1 : vous pouviez contrer." in told
    )
    for button, moment in zip(buttons(panel), shown, strict=True):
        assert (button.press.verb, button.press.round) == (RecordsVerb.MOMENT, moment.round)
        step = step_of(button.press.arg)
        assert step is not None
        assert replay_round(match.events, moment.round).steps[step].event is moment.event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_moment_is_told(language: str) -> None:
    match = planted()
    for moment in moments(match.events, CHLOE):
        panel = review_panel(match, [moment] * 3, Faces(texts_for(language)))
        check_limits(panel)
        assert "{" not in words(panel)


def test_without_a_moment_it_is_praise() -> None:
    assert "I saw nothing to do better" in words(review_panel(planted(), [], Faces(EN)))
