"""The public table: what is on it in every phase, what is not, and that nothing moves under the thumb."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game import actions as a
from bot.game.build_view import table_view
from bot.game.decide import start_match
from bot.game.events import ExcessRedrawn, MatchPaused
from bot.game.evolve import evolve, evolve_all
from bot.game.rules.house_rules import preset
from bot.game.rules.parts import Rules
from bot.game.rules.presets import PRESETS
from bot.game.signs.sign import GestureKind
from bot.game.state import Phase, State
from bot.game.views import GestureInfo
from bot.records.player import Player
from bot.ui.kit.components import Layout
from bot.ui.kit.layouts import at_rest
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.press_to_action import card_of
from bot.ui.table.public.board import table_board
from bot.ui.table.verbs import AT_REST, TableVerb
from bot.ui.words.card_faces import Faces
from tests.rules.table import Table, cards, counter, kems, next_round, no, open_hunt, put, react, sweep, yes
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


def board(state: State, texts: Texts = FR, opened: tuple[int, ...] = (0, 1)) -> Layout:
    return table_board(table_view(state), people(len(state.seats)), TABLE_ID, Faces(texts), opened)


def signs_phase(rules: Rules | None = None, seats: int = 4, teams: int = 2) -> State:
    return evolve_all(None, start_match(rules or preset("classic"), seats=seats, teams=teams, dealer=3, now=0))


@pytest.mark.parametrize("phase", ["ready", "hunt", "over"])
def test_a_paused_table_says_so_and_can_go_on(phase: str) -> None:
    table = Table(opened=phase != "ready", auto_open=5, auto_next=5)
    if phase == "over":
        table.do(kems("A"))
    rows = row_labels(board(table.state))
    paused = evolve(table.state, MatchPaused(1))
    view = at_rest(board(paused), AT_REST)
    check_limits(view)
    assert "⏸ **La partie est en pause.**" in words(view)
    assert "<t:" not in words(view)
    assert [row[: len(before)] for row, before in zip(row_labels(view), rows, strict=False)] == rows, "nothing moves"
    enabled = {item.press.verb for item in buttons(view) if item.is_enabled}
    assert enabled <= {TableVerb.HAND, TableVerb.SIGN_PANEL, RulesVerb.HELP, TableVerb.RESUME}
    assert TableVerb.RESUME in enabled
    abandoned = evolve(table.state, MatchPaused(1, by_itself=True))
    assert "plus personne" in words(board(abandoned))


def test_the_hunt_shows_everything_in_its_place() -> None:
    table = Table(pool="8C QH KS AH")
    table.state = replace(table.state, scores=(4, 2))
    table.do(react("A", "👀"), a.MakeGesture(1, GestureKind.POST, "🍀🍀"))
    view = board(table.state)
    check_limits(view)
    told = words(view).replace(VS, "").replace("\u2003", " ").splitlines()
    assert told == [
        "**Manche 1** · Équipe 1 · **4 — 2** · Équipe 2 · donne : 🤖 Dora",
        "# 8♣ D♥ R♠ A♥",
        "**La chasse est ouverte** · talon 12 · défausse 0",
        "① Ana · ② Bruno · ① Chloé · ② 🤖 Dora",
        "-# Prêts : 3 sur 4",
        "Gestes : Bruno 🍀🍀 · Ana 👀",
    ]
    assert row_labels(view) == [["🂠 Ma main", "🔔 Kem's !", "Contre…", "❔ Aide"]]
    assert all(item.is_enabled for item in buttons(view))


def test_before_the_first_round_there_are_no_cards_to_show() -> None:
    told = words(board(signs_phase())).splitlines()
    assert told == [
        "**Avant la manche 1** · donne : 🤖 Dora",
        "Chaque équipe convient de son signe, en privé.",
        "Équipe 1 … · Équipe 2 … · tirage au sort <t:90:R>",
        "① Ana · ② Bruno · ① Chloé · ② 🤖 Dora",
    ]


def test_one_player_does_not_fill_the_gestures() -> None:
    table = Table()
    table.do(react("A", "👀"))
    for number in range(20):
        table.wait(5)
        table.do(react("B", "🍩" if number % 2 else "🎲"))
    table.wait(5)
    table.do(react("C", "🎈"))
    line = next(line for line in words(board(table.state)).splitlines() if line.startswith("Gestes"))
    assert line.startswith("Gestes : Chloé 🎈 · Bruno 🍩 · Ana 👀 · Bruno 🎲 · ")
    assert line.count("·") == 7


def test_the_mark_of_a_robot_that_took_a_seat_is_no_gesture() -> None:
    table = Table()
    table.do(react("A", "👀"))
    seated = [Player("Zoé", None, is_open=True), *people()[1:]]
    view = table_board(table_view(table.state), seated, TABLE_ID, Faces(FR), ())
    assert "Gestes : Zoé 👀" in words(view)
    assert "① 🤖 Zoé 🪑" in words(view)


def test_the_rounds_before_stand_under_the_score() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do(kems("C"))
    ended = table_view(table.state)
    table.do(next_round())
    view = table_board(table_view(table.state), people(), TABLE_ID, Faces(FR), (), [ended])
    check_limits(view)
    assert words(view).splitlines()[1] == "-# Manches : 1 Kem's ①"


def test_english_tables_speak_english() -> None:
    view = board(Table(pool="QH").state, EN)
    assert "**The hunt is open**" in words(view)
    assert button(view, "hand").label == "🂠 My hand"


def test_while_signs_are_settled_only_the_sign_can_be_reached() -> None:
    view = board(signs_phase())
    check_limits(view)
    assert {item.custom_id.split(":")[2] for item in buttons(view) if item.is_enabled} == {"sign_panel", "help"}
    assert "Équipe 1 … · Équipe 2 … · tirage au sort <t:90:R>" in words(view)


def test_the_dealer_is_asked_to_open_the_hunt() -> None:
    view = board(Table(opened=False).state)
    assert "🤖 Dora ouvre la chasse." in words(view)
    assert "🤖 Dora ouvre la chasse <t:20:R>." in words(board(Table(opened=False, auto_open=20).state))
    assert not button(view, "kems").is_enabled


def test_what_was_redrawn_at_the_deal_is_told_before_the_hunt() -> None:
    table = Table(opened=False)
    state = replace(table.state, excess=(ExcessRedrawn(0, 1, cards("7S 7H 7D"), ()),))
    assert "Bruno a montré 7♠ 7♥ 7♦ et a repioché." in words(board(state)).replace(VS, "")
    table.state = state
    table.do(open_hunt("D"))
    assert "a montré" not in words(board(table.state))


def test_who_owes_a_card_is_named_and_the_pool_opens_to_the_right() -> None:
    table = Table(hands={"B": "7S 7H"}, pool="8C QH KS AH")
    table.do(put("B", "7S"), put("B", "7H"))
    view = board(table.state)
    assert "② Bruno (doit 2 cartes)" in words(view)
    assert "# 8♣ D♥ R♠ A♥\n# 7♠ 7♥" in words(view).replace(VS, "").replace("\u2003", " ")


def test_a_slot_stays_where_it_is_when_its_card_is_taken() -> None:
    table = Table(hands={"A": "7S"}, pool="8C QH KS AH")
    table.do(put("A", "7S"), a.Take(0, cards("QH")[0]))
    assert "# 8♣ — R♠ A♥" in words(board(table.state)).replace(VS, "").replace("\u2003", " ")


def test_a_sweep_says_who_asked_and_who_is_awaited() -> None:
    table = Table()
    table.wait(6)
    table.do(sweep("A"), *yes("C"))
    view = board(table.state)
    told = "🧹 **Ana demande un balayage.** En attente : Bruno et 🤖 Dora. Sans réponse, c'est oui <t:21:R>."
    assert told in words(view)
    assert not any(item.is_enabled for item in buttons(view) if item.press.verb in (TableVerb.KEMS, TableVerb.COUNTER))


def test_the_refuser_is_told_to_exchange_until_when() -> None:
    table = Table()
    table.wait(6)
    table.do(sweep("A"), no("B"))
    assert "Bruno a refusé le balayage et doit échanger, sinon il a lieu <t:26:R>." in words(board(table.state))


def test_who_must_show_cards_is_named_and_the_cards_are_not() -> None:
    table = Table(hands={"B": "7S 8S 9S TS"}, pool="7C 8C 9C TC")
    table.do(counter("A", "B"))
    view = board(table.state)
    assert "Bruno doit montrer des cartes à Ana, en privé." in words(view)
    assert faces_in(view) == faces_of(cards("7C 8C 9C TC"), FR)


def test_nothing_moves_from_the_signs_to_the_end_of_the_hunt() -> None:
    table = Table()
    ready = Table(opened=False).state
    hunt = table.state
    table.wait(6)
    table.do(sweep("A"))
    shapes = {
        tuple(len(row) for row in row_labels(board(state))) for state in (signs_phase(), ready, hunt, table.state)
    }
    assert shapes == {(4,)}


def test_the_score_of_three_teams_and_below_zero() -> None:
    state = replace(signs_phase(seats=6, teams=3), scores=(-1, 0, 3))
    assert "Équipe 1 · **−1** | Équipe 2 · **0** | Équipe 3 · **3**" in words(board(state))


def test_the_fullest_table_still_fits() -> None:
    table = Table(players=12, deck="52")
    view = table_view(table.state)
    gesture = GestureInfo(0, 0, GestureKind.POST, "🍀" * 100, is_sign=None)
    view = replace(
        view,
        pool=tuple(table.all_cards()),
        gestures=(gesture,) * 100,
        seats=tuple(replace(seat, owes=4, must_show_to=0) for seat in view.seats),
    )
    long_names = [Player("*" * 40, 1000 + seat) for seat in range(12)]
    shown = table_board(view, long_names, TABLE_ID, Faces(FR), ())
    check_limits(shown)
    assert len(faces_in(shown)) == 52


def test_a_chain_says_until_when() -> None:
    two_voices = Table("linternaute", hands={"A": "7S 7H 7D 7C"})
    two_voices.do(kems("C"))
    view = board(two_voices.state)
    assert not button(view, "kems").is_enabled
    assert "<t:3:R>" in words(view)


@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
@pytest.mark.parametrize("name", PRESETS)
def test_no_hidden_card_is_ever_on_the_public_table(name: str, texts: Texts) -> None:
    table = Table(name, players=4, opened=False)
    seen = set()
    for state in wander(table, seed=1, steps=150):
        view = board(state, texts)
        check_limits(view)
        seen.add(state.phase)
        if state.phase in (Phase.OVER, Phase.MATCH_OVER):
            continue
        shown_at_the_deal = (
            {card for item in state.excess for card in item.cards} if state.phase is Phase.READY else set()
        )
        open_cards = {card for card in state.pool if card is not None}
        assert faces_of(open_cards, texts) <= faces_in(view) <= faces_of(open_cards | shown_at_the_deal, texts)
        carried = {card_of(item.press.arg) for item in buttons(view)} - {None}
        assert not carried, "cards are taken on the hand panel"
    assert len(seen) >= 3, "it wandered through too little"


@pytest.mark.parametrize(("players", "deck"), [(2, "32"), (6, "32"), (9, "52"), (12, "52")])
def test_tables_of_every_size_keep_within_discords_limits(players: int, deck: str) -> None:
    for state in wander(Table(players=players, deck=deck, opened=False), seed=2, steps=80):
        check_limits(board(state))
