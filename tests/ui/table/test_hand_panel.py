"""The private panel: the own hand and nothing of anybody else's, every control in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view, seat_view
from bot.game.rules.presets import PRESETS
from bot.game.signs.sign import Sign, emoji_sign, spoken_sign
from bot.game.signs.sign_cards import SignCard, family
from bot.game.signs.sign_plans import one_sign
from bot.game.state import Phase, ShownCards, State
from bot.game.views import SeatView
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.reasons import Motive, Reason
from bot.tables.lobby.coaching import Coaching
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.table.panel.counter_panel import counter_panel
from bot.ui.table.panel.hand_panel import hand_panel, palette
from bot.ui.table.panel.show_panel import show_panel
from bot.ui.table.panel.sign_panel import sign_panel
from bot.ui.table.press_to_action import card_of, cards_of
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces, picture_name
from tests.rules.table import Table, cards, counter, guess, kems, no, put, react, show, sweep
from tests.ui.walk import (
    EN,
    FR,
    TABLE_ID,
    button,
    buttons,
    check_limits,
    faces_in,
    faces_of,
    people,
    row_labels,
    wander,
    words,
)

VS = "\ufe0e"


def seat(table: Table, number: int = 0) -> SeatView:
    return seat_view(table.state, number)


def panel(view: SeatView, texts: Texts = FR, notice: str | None = None, order_seed: int = 1) -> Layout:
    shown = hand_panel(view, people(len(view.table.seats)), TABLE_ID, Faces(texts), notice, order_seed=order_seed)
    check_limits(shown)
    return shown


def enabled(view: Layout) -> set[str]:
    return {item.press.verb for item in buttons(view) if item.is_enabled}


def test_the_hunt_lies_in_the_hand() -> None:
    table = Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH")
    view = panel(seat(table))
    assert [[label.replace(VS, "") for label in row] for row in row_labels(view) if "👀" not in row] == [
        ["8♣", "D♥", "R♠", "A♥"],
        ["🂠"] * 4,
        ["7♠", "7♥", "9♦", "10♣"],
        ["🔔 Kem's !", "🤫 Signe…"],
        ["Contre…", "Double !"],
        ["🧹 Balayage ?", "Oui", "Non"],
    ]
    assert [line.removeprefix("-# ").replace(" ", " ") for line in words(view).splitlines()] == [
        "**Manche 1** · Équipe 1 · **0 — 0** · Équipe 2",
        "Chloé, votre partenaire : aucun geste",
        "Vous : aucun geste",
        "Bruno : aucun geste",
        "Dora : aucun geste",
        "La chasse est ouverte.",
        "Posez une carte, puis prenez-en une.",
        "talon 12 · défausse 0",
        "**Prendre** · une carte du milieu",
        "**Poser** · une carte de votre main",
        "**Votre signe : 👀**",
        "Il se cache parmi ces gestes :",
    ]
    assert enabled(view) == {"put", "gesture", "kems", "double", "counter", "sign_panel", "sweep"}


def test_a_card_put_down_leaves_an_empty_slot_and_is_owed() -> None:
    table = Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH")
    table.do(put("A", "9D"))
    view = panel(seat(table), EN)
    assert [label.replace(VS, "") for label in row_labels(view)[2]] == ["7♠", "7♥", "🂠", "10♣"]
    assert [label.replace(VS, "") for label in row_labels(view)[1]] == ["9♦", "🂠", "🂠", "🂠"]
    assert "**Put down** · you owe 1 card" in words(view)
    assert button(view, "take:QH").is_enabled
    assert not button(view, "empty:hand2").is_enabled


def test_where_one_card_may_be_down_the_others_wait() -> None:
    table = Table("yokai", hands={"A": "7S"})
    table.do(put("A", "7S"))
    assert not any(item.is_enabled for item in buttons(panel(seat(table))) if item.press.verb == TableVerb.PUT)


def test_a_notice_stands_beside_the_present_state_and_moves_nothing() -> None:
    table = Table()
    plain, told = panel(seat(table)), panel(seat(table), notice="Trop tard : Bruno vient de prendre la dame.")
    assert words(told).splitlines()[5:7] == ["La chasse est ouverte.", "-# Trop tard : Bruno vient de prendre la dame."]
    assert len(words(told).splitlines()) == len(words(plain).splitlines())
    assert row_labels(told) == row_labels(plain)


def test_only_the_dealer_can_open_the_hunt() -> None:
    table = Table(opened=False, dealer="A")
    assert button(panel(seat(table, 0)), "open").is_enabled
    assert not button(panel(seat(table, 1)), "open").is_enabled


def test_a_sweep_is_answered_once_and_stops_all_calls() -> None:
    table = Table()
    table.wait(6)
    table.do(sweep("A"))
    assert enabled(panel(seat(table, 0))) == {"gesture", "sign_panel"}
    assert enabled(panel(seat(table, 1))) == {"gesture", "sign_panel", "yes", "no"}
    table.do(no("B"))
    assert "sweep" not in enabled(panel(seat(table, 0))), "the refuser has to exchange first"


@pytest.mark.parametrize(("sweep_by", "may_refuse"), [("anybody", True), ("dealer", False)])
def test_a_dealers_count_is_refused_by_no_button(sweep_by: str, may_refuse: bool) -> None:
    table = Table(dealer="A", sweep_by=sweep_by, sweep_vote=4, three_alike="allowed")
    table.wait(6)
    table.do(sweep("A"))
    view = panel(seat(table, 1))
    assert (button(view, "yes").is_enabled, button(view, "no").is_enabled) == (True, may_refuse)


def test_nothing_moves_between_deal_hunt_and_sweep() -> None:
    ready = Table(opened=False)
    table = Table()
    hunt = table.state
    table.wait(6)
    table.do(sweep("A"))
    states = (ready.state, hunt, table.state)
    assert {tuple(len(row) for row in row_labels(panel(seat_view(state, 0)))) for state in states} == {
        (4, 4, 4, 4, 2, 2, 3)
    }


def test_the_own_sign_hides_among_three_others_in_an_order_that_stays() -> None:
    own = emoji_sign("🍀")
    orders = set()
    for seed in range(40):
        shown = palette((own,), None, seed, size=4)
        assert shown == palette((own,), None, seed, size=4)
        assert len(set(shown)) == 4
        orders.add(shown.index(own))
    assert orders == {0, 1, 2, 3}
    assert set(palette((own,), None, 5, size=4)) - {own} <= set(palette((), None, 5, size=4)) | set(
        palette((own,), None, 5, size=4)
    )
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
    own = seat(table)
    view = panel(replace(own, table=replace(own.table, pool=tuple(table.all_cards())[:20])))
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
    speaking = panel(seat(Table(strategies="total spoken", plans={"#1": plan})))
    assert told in words(speaking).splitlines()


def test_signs_that_were_found_are_told_under_the_hand() -> None:
    table = Table(strategies="double", plans={"#1": "A 👀 C 🍀"})
    plain = panel(seat(table, 2))
    assert words(plain).splitlines()[-2] == "-# **Vos signes : Ana 👀 · vous 🍀**"
    table.do(guess("B", "#1", "🍀"))
    view = panel(seat(table, 2))
    assert "Vous n'avez pas de signe en ce moment." in words(view)
    assert words(view).splitlines()[-2].startswith("-# ⚠️ 🍀 a été trouvé : remplacez-le en silence")
    assert row_labels(view) != row_labels(plain), "the found sign is no gesture of one's own any more"
    assert [len(row) for row in row_labels(view)] == [len(row) for row in row_labels(plain)]
    table.do(guess("D", "#1", "👀", "🍀"))
    told = words(panel(seat(table, 2))).splitlines()
    assert told[-2].startswith("-# ⚠️ Vous êtes démasqués : choisissez un")


def test_a_server_emoji_is_a_picture_and_a_phrase_a_label() -> None:
    table = Table()
    teams = (replace(table.state.teams[0], plan=one_sign(emoji_sign("<:kems:987654321>🍀"))), table.state.teams[1])
    view = panel(seat_view(replace(table.state, teams=teams), 0))
    shown = button(view, "gesture:<:987654321>🍀")
    assert shown.label == "🍀"
    assert shown.emoji is not None
    assert shown.emoji["id"] == 987654321
    assert "Votre signe : <:sign:987654321>🍀" in words(view)


def test_the_variation_selector_comes_back_for_the_eye_but_not_in_the_id() -> None:
    table = Table()
    teams = (replace(table.state.teams[0], plan=one_sign(emoji_sign("🌶️❤️"))), table.state.teams[1])
    view = panel(seat_view(replace(table.state, teams=teams), 0))
    assert button(view, "gesture:🌶❤").label == "🌶️❤️"


def test_the_accused_chooses_what_to_show_and_the_accuser_alone_sees_it() -> None:
    table = Table(hands={"B": "7S 8S 9S TS"}, pool="7C 8C 9C TC")
    table.do(counter("A", "B"))
    view = panel(seat(table, 1))
    assert button(view, "showing").label == "⚠️ Montrez 2 cartes à Ana…"
    assert not [item for item in buttons(panel(seat(table, 0))) if item.press.verb == TableVerb.SHOWING]
    choice = show_panel(seat(table, 1), people(), TABLE_ID, Faces(FR))
    check_limits(choice)
    offered = {cards_of(item.press.arg) for item in buttons(choice) if item.press.verb == TableVerb.SHOW}
    assert offered >= {cards("7S 8S")}
    assert len(offered) == 6
    assert "Faux contre · votre équipe : −1." in words(panel(seat(table, 0)))
    assert "Vous ne pouvez plus contrer de la manche." in words(panel(seat(table, 0))).replace("\n-# ", " ")
    assert "Ana vous contre à tort · Équipe 1 : −1." in words(view)
    assert "Ana contre à tort · votre équipe : −1." in words(panel(seat(table, 2)))
    table.do(show("B", "7S 9S"))
    assert "7♠ 9♠ montrées par Bruno" in words(panel(seat(table, 0))).replace(VS, "")
    assert "vous avez montré 7♠ 9♠ à Ana" in words(panel(seat(table, 1))).replace(VS, "")
    assert "montrées" not in words(panel(seat(table, 2)))
    assert not button(panel(seat(table, 0)), "counter").is_enabled, "a false counter costs the right to counter"


def test_between_rounds_the_hand_gives_way_to_sign_and_next_round() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do(kems("C"))
    view = panel(seat(table))
    assert enabled(view) == {"choose", "next"}
    assert "## Manche 1 · KEM'S !" in words(view)


def test_after_the_match_only_a_rematch_is_left() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"}, scores=(9, 0))
    table.do(kems("C"))
    assert enabled(panel(seat(table))) == {"rematch"}


def counters(view: SeatView, texts: Texts = FR) -> Layout:
    shown = counter_panel(view, people(len(view.table.seats)), TABLE_ID, Faces(texts))
    check_limits(shown)
    return shown


def test_a_counter_names_an_opponent() -> None:
    view = counters(seat(Table(), 0))
    assert [item.label for item in buttons(view)] == ["② Bruno", "② 🤖 Dora", "🂠 Ma main"]
    assert button(view, "counter_at:3").is_enabled


def test_a_counter_names_a_team_or_its_two_kems_where_the_rules_say_so() -> None:
    view = counters(seat(Table("expert"), 1), EN)
    assert [item.label for item in buttons(view)] == ["Team 1", "Double: Team 1", "🂠 My hand"]
    assert {item.press.verb for item in buttons(view)} == {
        TableVerb.COUNTER_TEAM,
        TableVerb.COUNTER_TWO,
        TableVerb.HAND,
    }


def test_nobody_counters_when_the_hunt_is_closed_and_twelve_players_fit() -> None:
    closed = counters(seat(Table(opened=False)))
    assert enabled(closed) == {"hand"}
    assert "ouvre la chasse" in words(closed)
    assert len(buttons(counters(seat(Table(players=12, deck="52"))))) == 11


@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
@pytest.mark.parametrize("name", PRESETS)
def test_a_panel_shows_the_own_hand_the_pool_and_what_was_shown_and_no_other_card(name: str, texts: Texts) -> None:
    table = Table(name, opened=False)
    for step, state in enumerate(wander(table, seed=3, steps=120)):
        if state.phase in (Phase.OVER, Phase.MATCH_OVER):
            continue
        number = step % len(state.seats)
        view = panel(seat_view(state, number), texts)
        own = state.seats[number]
        seen = seat_view(state, number)
        told = [*own.shown, *seen.showed, *(item for item in state.excess if item.seat == number)]
        known = [*own.cards, *_open(state), *seen.by_chance, *(card for item in told for card in item.cards)]
        assert faces_of([*own.cards, *_open(state)], texts) <= faces_in(view) <= faces_of(known, texts)
        carried = {card_of(item.press.arg) for item in buttons(view)} - {None}
        assert carried <= {*own.cards, *_open(state)}


def test_what_is_enabled_to_put_and_take_is_what_the_core_would_take() -> None:
    table = Table(opened=False, three_alike="allowed")
    for step, state in enumerate(wander(table, seed=4, steps=120)):
        number = step % len(state.seats)
        view = player_view(state, number, table.now)
        on = {item.press for item in buttons(panel(view)) if item.is_enabled}
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
    own = seat(table)
    view = panel(replace(own, table=replace(own.table, pool=lying[:14])))
    taken = [card_of(item.press.arg) for item in buttons(view) if item.press.verb == TableVerb.TAKE]
    assert taken == list(lying[:12])
    assert faces_in(view) == faces_of([*lying[:14], *cards("7S 7H 9D TC")], FR)


def test_the_partners_gesture_is_seen_in_the_panel_and_nobody_floods_it() -> None:
    table = Table(players=4)
    table.do(react("C", "🍀"))
    for _ in range(12):
        table.wait(2)
        table.do(react("B", "👀"))
    told = words(panel(seat(table))).splitlines()
    assert told[1].startswith("-# Bruno 👀 · <t:")
    assert told[2] == "-# **Chloé 🍀** votre partenaire · <t:0:R>"
    assert "Bruno" not in "".join(told[2:5])


def test_at_the_end_of_the_match_the_winner_comes_first() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"}, scores=(9, 2))
    table.do(kems("C"))
    assert [line.replace(" ", " ") for line in words(panel(seat(table, 1))).splitlines()] == [
        "## 🏆 Équipe 1 gagne la partie : Ana et Chloé",
        "Équipe 1 · **10 — 2** · Équipe 2",
        "### Manche 1 · KEM'S !",
        "Chloé annonce Kem's ! Ana avait le carré : 7♠︎ 7♥︎ 7♦︎ 7♣︎",
        "Équipe 1 : +1",
    ]


def test_the_mark_of_a_robot_is_no_gesture() -> None:
    table = Table()
    table.do(react("D", "🍀"))
    left = replace(people()[1], is_away=True)
    seated = (people()[0], left, *people()[2:])
    view = hand_panel(seat(table), seated, TABLE_ID, Faces(FR), order_seed=1)
    assert "🤖" not in words(view)
    assert "-# Dora 🍀 · <t:0:R>" in words(view)


def test_a_card_that_would_end_the_round_is_marked_before_it_is_put_down() -> None:
    table = Table(hands={"A": "7S 8H 9D TC"}, pool="7C 7D KS AH")
    view = panel(seat(table))
    assert button(view, "put:7S").label.startswith("⚠")
    assert not button(view, "put:8H").label.startswith("⚠")
    assert "**Poser** · ⚠\ufe0e finit la manche" in words(view), "nothing is owed, so nothing is said of it"
    assert "finit la manche" in words(view)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
@pytest.mark.parametrize("name", PRESETS)
def test_hold_six_signs_a_full_middle_and_cards_to_show_in_one_message(name: str, texts: Texts, theme: Theme) -> None:
    signs = " ".join(f"<:sign{number}:{10**18 + number}>🧑‍🚀🧑‍🚒🏴‍☠️" for number in range(6))
    table = Table(
        players=12,
        deck="52",
        counter_names="player",
        strategies="intermediate presign",
        plans={"#1": f"presign {signs}"},
    )
    table.do(counter("B", "A"))
    own, lying = seat(table), tuple(card for card in table.all_cards() if card not in table.state.seats[0].cards)
    view = replace(
        own,
        table=replace(own.table, rules=PRESETS[name], pool=(None, *lying)),
        owes=0,
        shown=tuple(ShownCards(1 + number % 11, lying[number : number + 2]) for number in range(30)),
    )
    pictures = {picture_name(card, theme, texts.locale): 10**18 for card in table.all_cards()}
    crowd = tuple(Player("*_~`|<@1>" * 9, 1000 + number) for number in range(12))
    fullest = hand_panel(view, crowd, TABLE_ID, Faces(texts, theme, pictures), "x" * 200, order_seed=1)
    check_limits(fullest)
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
    check_limits(counter_panel(view, crowd, TABLE_ID, Faces(texts, theme, pictures)))
    check_limits(sign_panel(view, crowd, TABLE_ID, Faces(texts, theme, pictures), order_seed=1))


def coached(view: SeatView, coaching: Coaching, texts: Texts = FR, notice: str | None = None) -> Layout:
    advice = (a.PutDown(0, card), Reason(Motive.COLLECTS, group=7)) if (card := card_of("9D")) is not None else None
    shown = hand_panel(
        view,
        people(4),
        TABLE_ID,
        Faces(texts),
        notice,
        order_seed=1,
        coaching=coaching,
        advice=advice if coaching is Coaching.ON else None,
    )
    check_limits(shown)
    return shown


@pytest.mark.parametrize(
    ("texts", "told"),
    [(FR, "-# 💡 Posez 9♦\ufe0e : il vous faut quatre 9."), (EN, "-# 💡 Put down 9♦\ufe0e: you want four 9.")],
)
def test_a_hint_stands_where_notices_do_and_moves_nothing(texts: Texts, told: str) -> None:
    table = Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH")
    view = seat(table)
    told_lines = words(coached(view, Coaching.ON, texts)).splitlines()
    assert told_lines[6] == told
    assert len(told_lines) == len(words(coached(view, Coaching.AWAY, texts)).splitlines())
    assert len(told_lines) == len(words(panel(view, texts)).splitlines())


def test_a_refusal_comes_before_a_hint_and_a_long_one_hides_it() -> None:
    view = seat(Table(hands={"A": "7S 7H 9D TC"}, pool="8C QH KS AH"))
    short = words(coached(view, Coaching.ON, notice="Trop tard.")).splitlines()
    assert short[6] == "-# Trop tard."
    assert short[7].startswith("-# 💡 Posez 9♦")
    long = words(coached(view, Coaching.ON, notice="Trop tard, vraiment trop tard, et plus encore. " * 2))
    assert "💡" not in long


def test_the_coach_is_sent_away_and_called_back_by_one_button() -> None:
    view = seat(Table())
    labels = [row_labels(coached(view, coaching))[-2] for coaching in (Coaching.ON, Coaching.AWAY)]
    assert [[" ".join(label.split()) for label in row] for row in labels] == [
        ["Contre…", "Double !", "💡 Stop"],
        ["Contre…", "Double !", "💡 Conseil"],
    ]
    assert button(coached(view, Coaching.ON), "coach:away").is_enabled
    assert button(coached(view, Coaching.AWAY), "coach:on").is_enabled


def test_before_the_first_round_the_coach_speaks_of_the_sign() -> None:
    view = seat(Table.starting())
    assert view.table.phase is Phase.SIGNS
    advice = (a.AcceptSign(0, one_sign(emoji_sign("🍀"))), Reason(Motive.PARTNER_ASKS, seat=2))
    shown = hand_panel(view, people(4), TABLE_ID, Faces(FR), order_seed=1, coaching=Coaching.ON, advice=advice)
    assert words(shown).splitlines()[0] == "💡 Acceptez le signe : Chloé le propose."
