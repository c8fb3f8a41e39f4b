"""Agreeing on a sign in private, naming the opponents', and reading what somebody typed."""

from __future__ import annotations

from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.decide import start_match
from bot.game.evolve import evolve_all
from bot.game.house import preset
from bot.game.signs import HOUSE_SIGNS, emoji_sign
from bot.game.view import seat_view
from bot.ui.faces import Faces
from bot.ui.ids import Press, Verb, parse_id
from bot.ui.sign_view import GuessModal, SignModal, SignTextError, read_sign, sign_panel
from bot.ui.texts import Texts
from tests.rules.table import Table, accept, guess, kems, propose
from tests.ui.walk import EN, FR, TABLE_ID, button, buttons, check_limits, people, words


def before_the_deal(players: int = 4) -> Table:
    table = Table(players=players)
    teams = 2
    table.state = evolve_all(
        None, start_match(preset("classic"), seats=players, teams=teams, dealer=players - 1, now=0)
    )
    return table


def panel(table: Table, seat: int, texts: Texts = FR, notice: str | None = None) -> discord.ui.LayoutView:
    view = seat_view(table.state, seat, table.now)
    shown = sign_panel(view, people(len(table.state.seats)), TABLE_ID, Faces(texts), notice, order_seed=9)
    check_limits(shown)
    return shown


def enabled(view: discord.ui.LayoutView) -> list[str]:
    return [item.press.verb.value for item in buttons(view) if item.is_enabled]


def test_a_team_is_asked_for_its_sign() -> None:
    view = panel(before_the_deal(), 0)
    assert words(view).splitlines() == [
        "**Le signe de votre équipe**",
        "Votre équipe : vous et Chloé. Choisissez un signe que tout le monde verra… sans le comprendre.",
        "Sans accord, il sera tiré au sort <t:90:R>.",
        "Choisissez-en un, ou tapez le vôtre.",
    ]
    assert enabled(view) == ["propose"] * 4 + ["other"]
    shown = [item.press.arg for item in buttons(view)][:4]
    assert len(set(shown)) == 4
    assert set(shown) <= {emoji_sign(sign).text for sign in HOUSE_SIGNS}


def test_a_partner_accepts_what_was_proposed_and_no_opponent_hears_of_it() -> None:
    table = before_the_deal()
    table.do(propose("C", "🦊"))
    partner = panel(table, 0)
    assert "Chloé propose 🦊. En attente : vous." in words(partner)
    assert button(partner, "accept:🦊").label == "Accepter 🦊"
    proposer = panel(table, 2)
    assert "Vous proposez 🦊. En attente : Ana." in words(proposer)
    assert not button(proposer, "empty:accept").is_enabled
    opponent = panel(table, 1)
    assert "propos" not in words(opponent)
    assert "accept" not in enabled(opponent)


def test_a_settled_sign_is_shown_and_one_may_go_on_to_the_hand() -> None:
    table = before_the_deal()
    table.do(propose("C", "🦊"), accept("A", "🦊"))
    assert "Votre signe : 🦊" in words(panel(table, 0))
    assert "🦊" not in words(panel(table, 1))


def test_in_the_hunt_the_sign_stands_and_the_opponents_can_be_named() -> None:
    view = panel(Table(), 0)
    assert enabled(view) == ["hand", "guess"]
    assert button(view, "guess:1").label == "Signe : Équipe 2…"
    assert "guess" not in enabled(panel(Table("escale"), 0)), "these rules do not play it"


def test_a_team_that_was_found_out_may_change_or_keep_its_sign() -> None:
    table = Table()
    table.do(guess("A", "#2", "🍀"))
    assert {"propose", "other", "keep"} <= set(enabled(panel(table, 1)))
    assert "propose" not in enabled(panel(table, 0))


def test_between_rounds_the_sign_may_change_and_the_next_round_be_asked_for() -> None:
    table = Table()
    table.do(kems("A"))
    view = panel(table, 0, EN, "A notice")
    assert words(view).startswith("A notice\n## False Kem's\n")
    assert enabled(view) == ["propose"] * 4 + ["other", "next"]


def test_duellists_have_no_partner_to_ask() -> None:
    assert "Votre équipe" not in words(panel(before_the_deal(players=2), 0))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("🍀", "🍀"),
        (" 🍀 ☕\n", "🍀☕"),
        ("👍🏽", "👍"),
        ("❤️", "❤"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("🇫🇷", "🇫🇷"),
        ("<:kems:123456789012345678>", "<:123456789012345678>"),
        ("<a:kems:1>🍀", "<:1>🍀"),
        ("🍀" * 5, "🍀" * 5),
    ],
)
def test_emojis_are_read_as_a_sign(written: str, normal: str) -> None:
    assert read_sign(written, FR).text == normal


@pytest.mark.parametrize("written", ["", "  ", "bonjour", "🍀!", "a🍀", "<@123>", "<:kems:>", "7♠x", "@everyone"])
def test_anything_else_is_refused_with_a_sentence(written: str) -> None:
    with pytest.raises(SignTextError, match="et rien d'autre"):
        read_sign(written, FR)


def test_a_phrase_has_an_end_and_strange_server_emojis_are_refused() -> None:
    with pytest.raises(SignTextError, match="5 emojis at most"):
        read_sign("🍀" * 6, EN)
    with pytest.raises(SignTextError, match="5 emojis"):
        read_sign("<:kems:12345678901234567890>" * 4, FR)
    assert read_sign("<:kems:12>", FR, usable={12}).text == "<:12>"
    with pytest.raises(SignTextError, match="de ce serveur"):
        read_sign("<:kems:12>", FR, usable={13})


@given(st.text(max_size=200) | st.lists(st.sampled_from(HOUSE_SIGNS), max_size=9).map("".join))
def test_whatever_is_typed_is_a_sign_a_button_can_carry_or_refused(written: str) -> None:
    try:
        sign = read_sign(written, EN)
    except SignTextError:
        return
    view = sign_panel(_proposed(sign.text), people(), TABLE_ID, Faces(EN), order_seed=1)
    assert parse_id(buttons(view)[4].custom_id) == Press(TABLE_ID, Verb.ACCEPT, sign.text)


def _proposed(text: str) -> Any:
    table = before_the_deal()
    table.do(propose("C", text))
    return seat_view(table.state, 0, 0)


@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
async def test_the_forms_ask_one_question_and_carry_their_ids(texts: Texts) -> None:
    for form, press in (
        (SignModal(TABLE_ID, texts), Press(TABLE_ID, Verb.SIGN_TEXT)),
        (GuessModal(TABLE_ID, 1, texts), Press(TABLE_ID, Verb.GUESS_TEXT, "1")),
    ):
        sent = cast("dict[str, Any]", form.to_dict())
        assert parse_id(sent["custom_id"]) == press
        assert 0 < len(sent["title"]) <= 45
        (label,) = sent["components"]
        assert 0 < len(label["label"]) <= 45
        assert form.is_finished(), "discord.py would keep it"
