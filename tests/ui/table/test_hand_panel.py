"""The private panel: the own hand and nothing of anybody else's, every control in its place."""

from dataclasses import replace

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.rules.presets import PRESETS
from bot.game.signs import Sign, SignCard, emoji_sign, family, one_sign, spoken_sign
from bot.game.state import Phase, ShownCards, State
from bot.game.views import SeatView
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.reasons import Motive, Reason
from bot.tables.lobby.options import Coaching
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.table.hand_panel import palette
from bot.ui.table.panel_pages import show_panel
from bot.ui.table.press_to_action import card_of, cards_of
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces, picture_name
from tests.rules.table import Table, cards
from tests.ui.table.shown import counters, hand, seen, signs
from tests.ui.walk import (
    BOTH,
    EN,
    FR,
    TABLE_ID,
    button,
    buttons,
    check_limits,
    enabled,
    faces_in,
    faces_of,
    people,
    row_labels,
    wander,
    words,
)

VS = "\ufe0e"


def test_a_card_put_down_leaves_an_empty_slot_and_is_owed() -> None:
    table = Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH")
    table.do("A put 9D")
    view = hand(seen(table), EN)
    assert [label.replace(VS, "") for label in row_labels(view)[2]] == ["7♠", "7♥", "🂠", "10♣"]
    assert [label.replace(VS, "") for label in row_labels(view)[1]] == ["9♦", "🂠", "🂠", "🂠"]
    assert "**Put down** · you owe 1 card" in words(view)
    assert button(view, "take:QH").is_enabled
    assert not button(view, "empty:hand2").is_enabled


@pytest.mark.parametrize(("sweep_by", "may_refuse"), [("anybody", True), ("dealer", False)])
def test_a_dealers_count_is_refused_by_no_button(sweep_by: str, may_refuse: bool) -> None:
    table = Table(dealer="A", sweep_by=sweep_by, sweep_vote=4, three_alike="allowed")
    table.wait(6)
    table.do("A sweep")
    view = hand(seen(table, 1))
    assert (button(view, "yes").is_enabled, button(view, "no").is_enabled) == (True, may_refuse)


def test_the_own_sign_hides_among_three_others_in_an_order_that_stays() -> None:
    own = emoji_sign("🍀")
    orders = set()
    for seed in range(40):
        shown = palette((own,), None, seed, size=4)
        assert shown == palette((own,), None, seed, size=4)
        assert len(set(shown)) == 4
        orders.add(shown.index(own))
    assert orders == {0, 1, 2, 3}
    assert len({frozenset(palette((own,), None, seed, size=4)) for seed in range(40)}) > 10


def test_a_sign_no_button_can_carry_is_left_out() -> None:
    long, spoken = Sign("🍀" * 70), spoken_sign("belle marquise")
    assert len(palette((long, spoken), None, 3, size=4)) == 4
    assert not {long, spoken} & set(palette((long, spoken), None, 3, size=4))


@pytest.mark.parametrize(("count", "size"), [(1, 4), (3, 4), (3, 8), (6, 8)])
def test_signs_never_stand_alone(count: int, size: int) -> None:
    own = tuple(map(emoji_sign, ("👄", "👅", "🦷", "😛", "😮", "🤐")))[:count]
    for seed in range(20):
        shown = palette(own, SignCard.MOUTH, seed, size=size)
        assert len(set(shown)) == len(shown) == size
        assert set(own) < set(shown)
        assert {sign.text for sign in shown} <= set(family(SignCard.MOUTH)), "decoys are of the same kind"


def test_six_signs_leave_less_room_for_the_middle() -> None:
    table = Table(players=12, deck="52", strategies="intermediate", plans={"#1": "👄 👅 🦷 😛 😮 🤐"})
    own = seen(table)
    view = hand(replace(own, table=replace(own.table, pool=tuple(table.all_cards())[:20])))
    verbs = [item.press.verb for item in buttons(view)]
    assert (verbs.count(TableVerb.GESTURE), verbs.count(TableVerb.TAKE)) == (8, 8)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("👀", "-# Il se cache parmi ces gestes :"),
        ("👀 🍀 🎲", "-# Ils se cachent parmi ces gestes :"),
        ("A 👀 C 🍀", "-# Il se cache parmi ces gestes :"),
        ("👀 say:lucky say:quite_so", "-# Ils se cachent parmi ces gestes :"),
        ("say:lucky", "-# Votre signe se dit : `/kems signe`"),
        ("total", "-# N'importe lequel de ces gestes compte."),
    ],
)
def test_the_gestures_say_what_they_are_worth(plan: str, told: str) -> None:
    speaking = hand(seen(Table(strategies="total spoken", plans={"#1": plan})))
    assert told in words(speaking).splitlines()


def test_signs_that_were_found_are_told_under_the_hand() -> None:
    table = Table(strategies="double", plans={"#1": "A 👀 C 🍀"})
    plain = hand(seen(table, 2))
    assert words(plain).splitlines()[-2] == "-# **Vos signes : Ana 👀 · vous 🍀**"
    table.do("B guess #1 🍀")
    view = hand(seen(table, 2))
    assert "Vous n'avez pas de signe en ce moment." in words(view)
    assert words(view).splitlines()[-2].startswith("-# ⚠️ 🍀 a été trouvé : remplacez-le en silence")
    assert row_labels(view) != row_labels(plain), "the found sign is no gesture of one's own any more"
    assert [len(row) for row in row_labels(view)] == [len(row) for row in row_labels(plain)]
    table.do("D guess #1 👀 🍀")
    told = words(hand(seen(table, 2))).splitlines()
    assert told[-2].startswith("-# ⚠️ Vous êtes démasqués : choisissez un")


def test_the_variation_selector_comes_back_for_the_eye_but_not_in_the_id() -> None:
    assert button(hand(seen(Table(plans={"#1": "🌶️❤️"}))), "gesture:🌶❤").label == "🌶️❤️"


def test_a_server_emoji_is_a_picture_and_a_phrase_a_label() -> None:
    view = hand(seen(Table(plans={"#1": "<:kems:987654321>🍀"})))
    shown = button(view, "gesture:<:987654321>🍀")
    assert shown.label == "🍀"
    assert shown.emoji is not None
    assert shown.emoji["id"] == 987654321
    assert "Votre signe : <:sign:987654321>🍀" in words(view)


def test_the_accused_chooses_what_to_show_and_the_accuser_alone_sees_it() -> None:
    table = Table(hands={"B": "7S 8S 9S TS"}, pool="7C 8C 9C TC")
    table.do("A counter B")
    view = hand(seen(table, 1))
    assert button(view, "showing").label == "⚠️ Montrez 2 cartes à Ana…"
    assert not [item for item in buttons(hand(seen(table, 0))) if item.press.verb == TableVerb.SHOWING]
    choice = show_panel(seen(table, 1), people(), TABLE_ID, Faces(FR))
    check_limits(choice)
    offered = {cards_of(item.press.arg) for item in buttons(choice) if item.press.verb == TableVerb.SHOW}
    assert offered >= {cards("7S 8S")}
    assert len(offered) == 6
    assert "Faux contre · votre équipe : −1." in words(hand(seen(table, 0)))
    assert "Vous ne pouvez plus contrer de la manche." in words(hand(seen(table, 0))).replace("\n-# ", " ")
    assert "Ana vous contre à tort · Équipe 1 : −1." in words(view)
    assert "Ana contre à tort · votre équipe : −1." in words(hand(seen(table, 2)))
    table.do("B show 7S 9S")
    assert "7♠ 9♠ montrées par Bruno" in words(hand(seen(table, 0))).replace(VS, "")
    assert "vous avez montré 7♠ 9♠ à Ana" in words(hand(seen(table, 1))).replace(VS, "")
    assert "montrées" not in words(hand(seen(table, 2)))
    assert not button(hand(seen(table, 0)), "counter").is_enabled, "a false counter costs the right to counter"


def test_nobody_counters_when_the_hunt_is_closed_and_twelve_players_fit() -> None:
    closed = counters(seen(Table(opened=False)))
    assert enabled(closed) == {"hand"}
    assert "ouvre la chasse" in words(closed)
    assert len(buttons(counters(seen(Table(players=12, deck="52"))))) == 11


def test_what_is_enabled_to_put_and_take_is_what_the_core_would_take() -> None:
    table = Table(opened=False, three_alike="allowed")
    for step, state in enumerate(wander(table, seed=4, steps=120)):
        number = step % len(state.seats)
        view = player_view(state, number, table.now)
        on = {item.press for item in buttons(hand(view)) if item.is_enabled}
        puts = {(press.verb, card_of(press.arg)) for press in on if press.verb in (TableVerb.PUT, TableVerb.TAKE)}
        legal = {(TableVerb.PUT, act.card) for act in view.legal if isinstance(act, a.PutDown)}
        takes = {(TableVerb.TAKE, act.card) for act in view.legal if isinstance(act, a.Take)}
        assert puts <= legal | takes
        assert puts == legal | takes or len(_open(state)) > 8
        assert len([act for verb, act in puts if verb == TableVerb.TAKE]) >= min(8, len(takes)), (
            "none may be out of reach for ever"
        )


def _open(state: State) -> list[object]:
    return [card for card in state.pool if card is not None]


def test_a_pool_wider_than_the_panel_names_cards_beyond_it() -> None:
    table = Table(players=12, deck="52", hands={"A": "7S 7H 9D TC"})
    lying = tuple(card for card in table.all_cards() if card not in cards("7S 7H 9D TC"))
    own = seen(table)
    view = hand(replace(own, table=replace(own.table, pool=lying[:14])))
    taken = [card_of(item.press.arg) for item in buttons(view) if item.press.verb == TableVerb.TAKE]
    assert taken == list(lying[:12])
    assert faces_in(view) == faces_of([*lying[:14], *cards("7S 7H 9D TC")], FR)


def test_the_partners_gesture_is_seen_in_the_panel_and_nobody_floods_it() -> None:
    table = Table(players=4)
    table.do("C react 🍀")
    for _ in range(12):
        table.wait(2)
        table.do("B react 👀")
    told = words(hand(seen(table))).splitlines()
    assert told[1].startswith("-# Bruno 👀 · <t:")
    assert told[2] == "-# **Chloé 🍀** votre partenaire · <t:0:R>"
    assert "Bruno" not in "".join(told[2:5])


def test_the_mark_of_a_robot_is_no_gesture() -> None:
    table = Table()
    table.do("D react 🍀")
    left = replace(people()[1], is_away=True)
    seated = (people()[0], left, *people()[2:])
    view = hand(seen(table), seated=seated)
    assert "🤖" not in words(view)
    assert "-# Dora 🍀 · <t:0:R>" in words(view)


def test_a_card_that_would_end_the_round_is_marked_before_it_is_put_down() -> None:
    table = Table(hands={"A": "7S 8H 9D TC"}, pool="7C 7D KS AH")
    view = hand(seen(table))
    assert button(view, "put:7S").label.startswith("⚠")
    assert not button(view, "put:8H").label.startswith("⚠")
    assert "**Poser** · ⚠\ufe0e finit la manche" in words(view), "nothing is owed, so nothing is said of it"
    assert "finit la manche" in words(view)


@pytest.mark.parametrize("theme", Theme)
@BOTH
@pytest.mark.parametrize("name", PRESETS)
def test_hold_six_signs_a_full_middle_and_cards_to_show_in_one_message(name: str, texts: Texts, theme: Theme) -> None:
    phrases = " ".join(f"<:sign{number}:{10**18 + number}>🧑‍🚀🧑‍🚒🏴‍☠️" for number in range(6))
    table = Table(
        players=12,
        deck="52",
        counter_names="player",
        strategies="intermediate presign",
        plans={"#1": f"presign {phrases}"},
    )
    table.do("B counter A")
    own, lying = seen(table), tuple(card for card in table.all_cards() if card not in table.state.seats[0].cards)
    view = replace(
        own,
        table=replace(own.table, rules=PRESETS[name], pool=(None, *lying)),
        owes=0,
        shown=tuple(ShownCards(1 + number % 11, lying[number : number + 2]) for number in range(30)),
    )
    pictures = {picture_name(card, theme, texts.locale): 10**18 for card in table.all_cards()}
    crowd = tuple(Player("*_~`|<@1>" * 9, 1000 + number) for number in range(12))
    faces = Faces(texts, theme, pictures)
    fullest = hand(view, faces, "x" * 200, seated=crowd)
    verbs = {item.press.verb for item in buttons(fullest)}
    assert {
        TableVerb.PUT,
        TableVerb.TAKE,
        TableVerb.GESTURE,
        TableVerb.KEMS,
        TableVerb.SHOWING,
        TableVerb.SIGN_PANEL,
    } <= verbs
    assert Faces(texts, theme).label(view.shown[-1].cards[1]) in words(fullest), "the latest that was shown"
    assert counters(view, faces, crowd)
    assert signs(view, faces, seated=crowd)


def coached(view: SeatView, coaching: Coaching, texts: Texts = FR, notice: str | None = None) -> Layout:
    advice = (a.PutDown(0, card), Reason(Motive.COLLECTS, group=7)) if (card := card_of("9D")) is not None else None
    return hand(view, texts, notice, coaching=coaching, advice=advice if coaching is Coaching.ON else None)


@pytest.mark.parametrize(
    ("texts", "told"),
    [(FR, "-# 💡 Posez 9♦\ufe0e : il vous faut quatre 9."), (EN, "-# 💡 Put down 9♦\ufe0e: you want four 9.")],
)
def test_a_hint_stands_where_notices_do_and_moves_nothing(texts: Texts, told: str) -> None:
    table = Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH")
    view = seen(table)
    told_lines = words(coached(view, Coaching.ON, texts)).splitlines()
    assert told_lines[6] == told
    assert len(told_lines) == len(words(coached(view, Coaching.AWAY, texts)).splitlines())
    assert len(told_lines) == len(words(hand(view, texts)).splitlines())


def test_a_refusal_comes_before_a_hint_and_a_long_one_hides_it() -> None:
    view = seen(Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH"))
    short = words(coached(view, Coaching.ON, notice="Trop tard.")).splitlines()
    assert short[6] == "-# Trop tard."
    assert short[7].startswith("-# 💡 Posez 9♦")
    long = words(coached(view, Coaching.ON, notice="Trop tard, vraiment trop tard, et plus encore. " * 2))
    assert "💡" not in long


def test_the_coach_is_sent_away_and_called_back_by_one_button() -> None:
    view = seen(Table())
    labels = [row_labels(coached(view, coaching))[-2] for coaching in (Coaching.ON, Coaching.AWAY)]
    assert [[" ".join(label.split()) for label in row] for row in labels] == [
        ["Contre…", "Double !", "💡 Stop"],
        ["Contre…", "Double !", "💡 Conseil"],
    ]
    assert button(coached(view, Coaching.ON), "coach:away").is_enabled
    assert button(coached(view, Coaching.AWAY), "coach:on").is_enabled


def test_before_the_first_round_the_coach_speaks_of_the_sign() -> None:
    view = seen(Table.starting())
    assert view.table.phase is Phase.SIGNS
    advice = (a.AcceptSign(0, one_sign(emoji_sign("🍀"))), Reason(Motive.PARTNER_ASKS, seat=2))
    shown = hand(view, coaching=Coaching.ON, advice=advice)
    assert words(shown).splitlines()[0] == "💡 Acceptez le signe : Chloé le propose."
