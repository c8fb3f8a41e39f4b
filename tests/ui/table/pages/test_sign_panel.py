"""Panels about signs in every situation: in both languages, and without the opponents' secrets."""

import re

from bot.discord.api.components import parts_of
from bot.discord.pictures.card_faces import Faces
from bot.game.actions import AcceptSign, ProposeSign
from bot.game.signs import emoji_sign, one_sign
from bot.records.player import Player
from bot.ui.table.pages.sign_panel import sign_form
from bot.ui.words.signs import shown_sign
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.together import together
from tests.ui.screens.situations import SEVENS, after, given_away, situations
from tests.ui.table.pages.shown import hand, seen, signs
from tests.ui.walk import EN, FR, NAMES, TABLE_ID, button, buttons, words

_NAMES = re.compile("|".join(NAMES))


@together("name", [name for name, (looks, _) in situations().items() if "sign:" in looks])
def test_panels_fit_in_both_languages_and_reveal_no_opponents_signs(name: str) -> None:
    _, table = situations()[name]
    for view in (seen(table, seat) for seat in range(len(table.state.seats))):
        own = table.state.teams[view.team]
        known = {sign for report in table.state.reports for sign in report.signs}
        known |= set(own.plan.signs if own.plan else ()) | own.spent
        secret = {sign for team in table.state.teams if team.plan is not None for sign in team.plan.signs} - known
        for build in (signs, hand):
            french, english = build(view, FR), build(view, EN)
            assert not re.search(r"[{}]", words(french) + words(english))
            assert [item.custom_id for item in buttons(french)] == [item.custom_id for item in buttons(english)]
            same = set(words(french).splitlines()) & set(words(english).splitlines())
            assert not {line for line in same if re.search(r"[a-z]{4}", _NAMES.sub("", line))}
            assert not [sign for sign in secret if shown_sign(sign) in words(french)]


def test_no_button_moves_when_a_partner_proposes() -> None:
    table = Table.starting()
    before = parts_of(hand(seen(table)))
    table.do(ProposeSign(2, one_sign(emoji_sign("🍀"))))
    asked = hand(seen(table))
    assert parts_of(asked)[: len(before)] == before
    assert "Chloé propose 🍀. À vous de répondre." in words(asked)
    assert buttons(asked)[-1].label == "Accepter 🍀"
    assert "Vous proposez 🍀. On attend Ana." in words(hand(seen(table, 2)))


def test_an_agreed_sign_is_shown_only_with_a_way_to_change_it() -> None:
    table = Table.starting()
    plan = one_sign(emoji_sign("🍀"))
    table.do(ProposeSign(2, plan), AcceptSign(0, plan))
    agreed = hand(seen(table))
    assert words(agreed) == "**Votre signe : 🍀**"
    assert [item.press.verb for item in buttons(agreed)] == ["choose"]


def test_after_a_round_the_result_comes_first_and_signs_are_chosen_on_request() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do("C kems")
    over = words(hand(seen(table))).splitlines()
    assert over[0] == "### Vous aviez le carré : +1 NOUS"
    assert "propose" not in {item.press.verb for item in buttons(hand(seen(table)))}
    asked = signs(seen(table), is_choosing=True)
    assert "KEM'S" not in words(asked)
    assert button(asked, "other").is_enabled


def test_a_sign_that_a_round_has_shown_is_changed_by_one_press_and_never_by_itself() -> None:
    shown = given_away()
    for seat in (0, 2):
        panel = hand(seen(shown, seat))
        assert "⚠️ Votre signe est grillé : changez-en." in words(panel)
        (change,) = (item for item in buttons(panel) if item.press.verb == "propose")
        assert change.label.startswith("Changer de signe ")
    assert shown.state.teams[0].plan == one_sign(emoji_sign("👀"))
    asked = hand(seen(given_away("C propose 🦊")))
    assert [item.press.verb for item in buttons(asked)] == ["next", "choose", "accept"]
    changed = given_away("C propose 🦊", "A accept 🦊")
    unseen = after(Table(hands={"A": SEVENS}), "B counter A")
    fixed = after(Table(hands={"A": SEVENS}, sign_change="never"), "A react 👀", "B counter A")
    for table in (changed, unseen, fixed):
        assert "trahi" not in words(hand(seen(table)))
        assert "propose" not in {item.press.verb for item in buttons(hand(seen(table)))}


def test_the_form_names_all_partners_however_long_their_names_are() -> None:
    table = Table(players=6, team_size=3, strategies="double spoken", opened=False)
    people = [Player(f"{seat}" * 32, seat + 1) for seat in range(6)]
    view = seen(table, 4)
    form = sign_form(view, TableText(view.table, people, Faces(FR)), TABLE_ID)
    hints = [str(getattr(item, "description", "")) for item in form.children]
    (order,) = (hint for hint in hints if "dans cet ordre" in hint)
    assert [name for name in ("00", "22", "vous") if name not in order] == []
    assert order.endswith(".")
