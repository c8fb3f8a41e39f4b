"""The review as a message: every kind of moment in each language, each above the button that shows it."""

from dataclasses import replace

import pytest

from bot.daily.attempt import read_key
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import LANGUAGES, texts_for
from bot.game.events import CardPutDown, GestureMade
from bot.game.replay_steps import replay_round
from bot.records.review import Lapse, Moment, review
from bot.ui.records.replay_panel import RecordsVerb, review_panel, step_of
from bot.ui.table.verbs import CHALLENGE, MOMENT
from tests.records.test_review import CHLOE, disaster, planted
from tests.ui.walk import EN, buttons, check_limits, words

FR = Faces(texts_for("fr"))


def test_a_moment_says_when_what_and_why_and_its_button_leads_there() -> None:
    match = planted()
    shown = review(match, CHLOE)
    panel = review_panel(match, shown, FR)
    told = words(panel).replace("\u00a0", " ")
    assert "**Manche 2 · 0:05** · coût : 2 pts\nA a fait 👀, votre signe, et vous n'avez pas annoncé Kem's." in told
    assert (
        "**Manche 5 · 0:05** · coût : 2 pts\nB a fait 🍀, comme au Kem's de la manche 1 : vous pouviez contrer." in told
    )
    watched, again, forward = (buttons(panel)[kind::3] for kind in range(3))
    keys = [(12, one.round, one.step, -1) for one in shown]
    assert [read_key(button.press.arg) for button in again] == keys
    assert [read_key(button.press.arg) for button in forward] == keys
    assert {(one.press.verb, two.press.verb) for one, two in zip(again, forward, strict=True)} == {(MOMENT, CHALLENGE)}
    for button, moment in zip(watched, shown, strict=True):
        assert (button.press.verb, button.press.round) == (RecordsVerb.MOMENT, moment.round)
        step = step_of(button.press.arg)
        assert step is not None
        assert replay_round(match.events, moment.round).steps[step].event is moment.event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_moment_is_told(language: str) -> None:
    """All of them at once fit one message."""
    match = planted()
    gesture = next(event for event in match.events if isinstance(event, GestureMade))
    card = next(event for event in match.events if isinstance(event, CardPutDown))
    kinds = [
        Moment(kind, card if kind is Lapse.WANTED else gesture, 1, 5000, 1, 2, since=1, held_ms=4000, also=(2, 3))
        for kind in Lapse
    ]
    panel = review_panel(match, kinds, Faces(texts_for(language)))
    check_limits(panel)
    assert "{" not in words(panel)


def test_the_same_mistake_in_several_rounds_is_listed_once() -> None:
    match = disaster()
    told = words(review_panel(match, review(match, CHLOE), FR)).replace("\u00a0", " ")
    assert "**Manche 1 · 0:02** · coût : 5 pts en 5 manches\nKem's annoncé pour rien" in told


def test_a_mistake_that_costs_no_point_is_shown_without_a_cost() -> None:
    (moment,) = [one for one in review(planted(), CHLOE) if one.lapse is Lapse.DOUBLE]
    assert "cost" not in words(review_panel(planted(), [replace(moment, cost=0)], Faces(EN)))


def test_the_review_of_a_nearly_right_counter_names_the_accused_hand() -> None:
    match = disaster(held="8S 8H 8C JC")
    told = words(review_panel(match, review(match, CHLOE), FR)).replace("\u00a0", " ")
    assert "Contre à tort : B avait trois 8, pas quatre." in told
    match = disaster()
    assert "ils n'avaient pas ce que" in words(review_panel(match, review(match, CHLOE), FR))


def test_a_review_without_mistakes_only_claims_what_it_checked() -> None:
    assert "I saw no mistake." in words(review_panel(planted(), [], Faces(EN)))
