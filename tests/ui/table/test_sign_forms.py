"""The forms about signs: they ask what may be answered, and nothing else; and what was filled in is found again."""

from typing import Any, cast

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.signs import Strategy
from bot.ui.kit.custom_ids import Press, parse_id
from bot.ui.kit.forms import Form
from bot.ui.kit.texts import Texts
from bot.ui.table.sign_panel import guess_form, sign_form
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.walk import BOTH, FR, TABLE_ID, people

ALL = " ".join(Strategy)
TEXT_INPUT, SELECT, LABEL = 4, 3, 18


def sign(table: Table, seat: int = 0, texts: Texts = FR) -> Form:
    view = seat_view(table.state, seat)
    return sign_form(view, TableText(view.table, people(len(table.state.seats)), Faces(texts)), TABLE_ID)


def labels(form: Form) -> list[dict[str, Any]]:
    """The questions, checked against Discord's limits."""
    sent = cast("dict[str, Any]", form.to_dict())
    assert 0 < len(sent["title"]) <= 45
    assert 1 <= len(sent["components"]) <= 5
    for label in sent["components"]:
        assert label["type"] == LABEL
        assert 0 < len(label["label"]) <= 45
        assert 0 < len(label.get("description", "-")) <= 100
        field = label["component"]
        assert field["type"] in (TEXT_INPUT, SELECT)
        if field["type"] == SELECT:
            assert sum(bool(option["default"]) for option in field["options"]) == 1
            assert all(0 < len(option["label"]) <= 100 for option in field["options"])
    return cast("list[dict[str, Any]]", sent["components"])


def options(form: Form, name: str) -> list[str]:
    """The answers that a menu of the form offers; none where there is no such menu."""
    menus = [label["component"] for label in labels(form) if label["component"]["custom_id"] == name]
    return [option["value"] for menu in menus for option in menu["options"]]


@BOTH
async def test_the_forms_carry_their_ids_and_are_left_to_the_router(texts: Texts) -> None:
    table = Table.starting(strategies=ALL)
    for form, press in (
        (sign(table, 0, texts), Press(TABLE_ID, TableVerb.SIGN_TEXT)),
        (guess_form(table_view(table.state), TABLE_ID, 1, texts), Press(TABLE_ID, TableVerb.GUESS_TEXT, "1")),
    ):
        assert parse_id(form.custom_id) == press
        assert labels(form)
        assert form.is_finished(), "discord.py would keep it"


def test_with_a_vote_kind_signs_and_pre_sign_are_asked_for() -> None:
    form = sign(Table.starting(strategies=ALL))
    assert [label["label"] for label in labels(form)] == [
        "Combien de signes",
        "Les signes, séparés par des virgules",
        "Pré-signe : dès trois cartes de même valeur",
    ]
    assert labels(form)[1]["description"] == "Des emojis, ou des mots. Un chacun, dans cet ordre : vous, Chloé."
    assert not labels(form)[1]["component"].get("required", True), "who plays total has none"
    assert options(form, "kind") == ["single", "double", "intermediate", "total"]
    assert options(form, "presign") == ["no", "yes"]


@pytest.mark.parametrize(
    ("strategies", "kinds", "presign"),
    [
        ("double", ["single", "double"], []),
        ("intermediate", ["single", "intermediate"], []),
        ("total", ["single", "total"], []),
        ("presign", [], ["no", "yes"]),
        ("spoken", [], []),
    ],
)
def test_only_what_was_voted_for_is_offered(strategies: str, kinds: list[str], presign: list[str]) -> None:
    form = sign(Table.starting(strategies=strategies))
    assert (options(form, "kind"), options(form, "presign")) == (kinds, presign)


def test_a_card_a_duel_and_what_was_found_out_leave_less_to_choose() -> None:
    with_card = sign(Table.starting("bell", strategies=ALL, sign_cards="mouth eyes"))
    assert options(with_card, "kind") == ["single", "double", "intermediate"]
    assert options(sign(Table.starting(players=2, strategies=ALL)), "kind") == ["single", "intermediate", "total"]
    table = Table(strategies=ALL, plans={"#1": "presign A 👀 C 🍀"})
    table.do("B guess #1 🍀")
    (label,) = labels(sign(table))
    assert label["component"]["required"], "the successor alone is asked for"
    assert label["label"] == "Le nouveau signe"
    table.do("B guess #1 👀 🍀")
    assert (options(sign(table), "kind"), options(sign(table), "presign")) == ([], ["no", "yes"])


def test_the_present_answers_are_chosen_beforehand() -> None:
    table = Table.starting(players=2, strategies=ALL)
    table.do("A sign presign 👀 🍀 🎲")
    chosen = [
        option["value"]
        for label in labels(sign(table))
        if label["component"]["type"] == SELECT
        for option in label["component"]["options"]
        if option["default"]
    ]
    assert chosen == ["intermediate", "yes"]


def test_long_names_are_cut_to_discords_limit() -> None:
    table = Table.starting(players=6, team_size=3, strategies=ALL)
    view = seat_view(table.state, 0)
    crowd = [person.__class__("*" * 40, person.user_id) for person in people(6)]
    labels(sign_form(view, TableText(view.table, crowd, Faces(FR)), TABLE_ID))
