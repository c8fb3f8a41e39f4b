"""Agreeing on a sign in private, answering what was found out of it, and naming the opponents'."""

from __future__ import annotations

import re

import pytest

from bot.game.build_view import seat_view
from bot.game.decide import start_match
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import preset
from bot.game.signs.sign import HOUSE_SIGNS, Strategy, emoji_sign
from bot.game.signs.sign_cards import SignCard, family
from bot.game.signs.sign_plans import one_sign
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.table.panel.hand_panel import hand_panel
from bot.ui.table.panel.sign_panel import sign_panel
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.sign_emojis import shown_sign
from bot.ui.words.sign_plans import plan_digest
from tests.rules.table import Table, accept, accuse, guess, keep, kems, propose
from tests.ui.walk import EN, FR, TABLE_ID, button, buttons, check_limits, people, words

ALL = " ".join(Strategy)


def before_the_deal(players: int = 4) -> Table:
    table = Table(players=players)
    teams = 2
    table.state = evolve_all(
        None, start_match(preset("classic"), seats=players, teams=teams, dealer=players - 1, now=0)
    )
    return table


def panel(table: Table, seat: int, texts: Texts = FR, notice: str | None = None) -> Layout:
    view = seat_view(table.state, seat)
    shown = sign_panel(view, people(len(table.state.seats)), TABLE_ID, Faces(texts), notice, order_seed=9)
    check_limits(shown)
    return shown


def enabled(view: Layout) -> list[str]:
    return [item.press.verb for item in buttons(view) if item.is_enabled]


def test_a_team_is_asked_for_its_sign() -> None:
    view = panel(before_the_deal(), 0)
    assert words(view).splitlines() == [
        "Votre équipe : vous et Chloé.",
        "Choisissez un signe que tout le monde verra… sans le comprendre.",
        "-# Sans accord, il sera tiré au sort <t:90:R>.",
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
    assert button(partner, f"accept:{plan_digest(one_sign(emoji_sign('🦊')))}").label == "Accepter 🦊"
    proposer = panel(table, 2)
    assert "Vous proposez 🦊. En attente : Ana." in words(proposer)
    assert not button(proposer, "empty:accept").is_enabled
    assert "propose" not in enabled(proposer), "one thing is said at a time"
    assert "choose" in enabled(proposer)
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
    assert {"choose", "keep"} <= set(enabled(panel(table, 1)))
    assert not {"choose", "propose"} & set(enabled(panel(table, 0)))


def test_between_rounds_the_sign_may_change_and_the_next_round_be_asked_for() -> None:
    table = Table()
    table.do(kems("A"))
    view = panel(table, 0, EN, "A notice")
    assert words(view).startswith("A notice\n## Round 1 · False Kem's\n")
    assert enabled(view) == ["next", "choose"]
    chosen = sign_panel(seat_view(table.state, 0), people(), TABLE_ID, Faces(EN), order_seed=9, is_choosing=True)
    assert "False Kem's" not in words(chosen)
    assert enabled(chosen) == ["propose"] * 4 + ["next", "other"]


def test_duellists_have_no_partner_to_ask() -> None:
    assert "Votre équipe" not in words(panel(before_the_deal(players=2), 0))


def test_the_sign_card_is_named_and_its_emojis_offered() -> None:
    table = Table.starting("bell", sign_cards="mouth word")
    view = panel(table, 0)
    assert "Carte signe : **la bouche** · un emoji de ce genre, ou plusieurs : 👄👅💋" in words(view)
    assert "bouche" not in words(panel(table, 1))
    offered = [item.press.arg for item in buttons(view)][:4]
    assert set(offered) <= set(family(SignCard.MOUTH))
    assert "Sign card: **the word** · words, or emojis of this kind: 💬🗨️" in words(panel(table, 1, EN))
    assert "**l'idée** · votre signe est libre" in words(panel(Table.starting("bell", sign_cards="idea eyes"), 0))


@pytest.mark.parametrize(
    ("plan", "proposed", "settled"),
    [
        ("🍀☕", "🍀☕", "Votre signe : 🍀☕"),
        ("presign 🍀", "🍀 + pré-signe", "Votre signe : 🍀 + pré-signe"),
        ("say:quel_temps", "« quel temps »", "Votre signe : « quel temps »"),
        ("A 👀 C 🍀", "vous 👀 · Chloé 🍀", "Vos signes : vous 👀 · Chloé 🍀"),
        ("presign 👀 🍀 🎲", "👀 🍀 🎲 + pré-signe", "Vos signes : 👀 🍀 🎲 + pré-signe"),
        ("total", "le total (tout geste compte)", "Vous jouez le total (tout geste compte)"),
    ],
)
def test_every_plan_is_said_in_words(plan: str, proposed: str, settled: str) -> None:
    table = Table.starting(strategies=ALL)
    table.do(propose("C", plan))
    partner = panel(table, 0)
    assert f"Chloé propose {proposed}. En attente : vous." in words(partner)
    (accepting,) = [item for item in buttons(partner) if item.press.verb == TableVerb.ACCEPT]
    assert accepting.label == ("Accepter 🍀☕" if plan == "🍀☕" else "Accepter")
    assert proposed not in words(panel(table, 1))
    table.do(accept("A", plan))
    assert f"**{settled}**" in words(panel(table, 0)).splitlines()
    panel(table, 0, EN)


def half_found() -> Table:
    table = Table(strategies=ALL, plans={"#1": "presign A 👀 C 🍀", "#2": "total"})
    table.do(guess("B", "#1", "🍀"))
    return table


def test_of_a_found_double_the_found_one_is_replaced_or_the_other_kept() -> None:
    view = panel(half_found(), 0)
    told = words(view).splitlines()
    assert "**Vos signes : vous 👀 · Chloé 🍀 (trouvé) + pré-signe**" in told
    assert "⚠️ 🍀 a été trouvé : remplacez-le en silence, ou continuez à un seul signe, ouvertement." in told
    assert button(view, "keep").label == "Continuer à un seul signe"
    offered = [item.press.arg for item in buttons(view) if item.press.verb == TableVerb.PROPOSE]
    assert len(offered) == 4
    assert not {"👀", "🍀"} & set(offered)
    assert "trouvé" not in words(panel(half_found(), 1))


def test_of_three_signs_two_that_were_found_are_replaced_at_once() -> None:
    table = Table(players=6, team_size=3, strategies="double", plans={"#1": "A 👀 C 🍀 E 🎲"})
    table.do(guess("B", "#1", "🍀", "🎲"))
    view = panel(table, 0)
    assert "⚠️ 🍀 🎲 ont été trouvés : remplacez-les en silence" in words(view)
    offered = [item for item in buttons(view) if item.press.verb == TableVerb.PROPOSE]
    assert all(item.press.arg.count(",") == 1 and item.label.count(" ") == 1 for item in offered)
    signs = [sign for item in offered for sign in item.press.arg.split(",")]
    assert len(set(signs)) == 8


def test_who_was_found_out_chooses_one_single_sign() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign 👀 🍀 🎲"})
    table.do(guess("B", "#1", "🍀"))
    told = words(panel(table, 0)).splitlines()
    assert "⚠️ Vous êtes démasqués : choisissez un signe unique." in told
    assert "-# Démasqués : signe unique jusqu'à la fin de la partie." in told
    assert not any(line.startswith(("Votre signe", "Vos signes")) for line in told)
    offered = {item.press.arg for item in buttons(panel(table, 0)) if item.press.verb == TableVerb.PROPOSE}
    assert "🍀" not in offered


def test_who_was_asked_to_stop_pre_sign_is_told_so() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign 👀"})
    table.do(accuse("B", "#1", "presign"))
    told = words(panel(table, 0, EN)).splitlines()
    assert "**Your sign: 👀**" in told
    assert "-# Found out: no pre-sign any more." in told


def test_a_team_whose_sign_was_named_is_told_that_it_may_change_it() -> None:
    table = Table()
    assert "⚠️" not in words(panel(table, 1))
    table.do(guess("A", "#2", "🍀"))
    assert "⚠️ Un adversaire a voulu deviner votre signe : vous pouvez en changer." in words(panel(table, 1))


def test_a_strategy_is_declared_where_it_was_voted_for_and_once() -> None:
    table = Table(strategies="total presign", plans={"#2": "total"})
    view = panel(table, 0)
    assert [item.label for item in buttons(view)][-3:] == [
        "Signe : Équipe 2…",
        "Équipe 2 : total !",
        "Équipe 2 : plus de pré-signe",
    ]
    assert {"total", "stop_presign"} <= set(enabled(view))
    table.do(accuse("A", "#2", "total"))
    assert not button(panel(table, 0), "total:1").is_enabled
    assert button(panel(table, 0), "stop_presign:1").is_enabled
    assert "stop_presign" not in {item.press.verb for item in buttons(panel(Table(strategies="total"), 0))}
    mute = panel(Table("escale", strategies="total"), 0)
    assert "guess" not in enabled(mute), "these rules do not play it"
    assert "total" in enabled(mute)


def scenes() -> dict[str, Table]:
    """Tables in every state that a team's signs can be in."""
    pending = Table.starting(strategies=ALL, players=12, deck="52", team_size=3)
    pending.do(propose("A", "presign A 👀🍀☕🎩🦊 E 👀🍀☕🎩🎈 I 👀🍀☕🎩🧦"))
    both = half_found()
    both.do(guess("D", "#1", "👀", "🍀"))
    kept = half_found()
    kept.do(keep("A"))
    total = Table(strategies=ALL, plans={"#1": "total", "#2": "total"})
    undeclared = Table(strategies=ALL, plans={"#1": "total", "#2": "total"})
    total.do(accuse("B", "#1", "total"))
    spoken = Table(strategies=ALL, plans={"#1": "say:quel_temps", "#2": "B say:bel_oiseau D 👀"})
    many = Table(strategies=ALL, plans={"#1": "👀 🍀 🎲 🦊 🎈 🧦", "#2": "👀 🍀 🎲 🦊"})
    between = half_found()
    between.do(kems("A"))
    crowd = Table(players=12, deck="52", strategies=ALL, plans={"#1": "👀 🍀 🎲 🦊 🎈 🧦"})
    cards = Table("bell", sign_cards="word mouth", plans={"#1": "say:quel_temps", "#2": "👄"})
    return {
        "voted": Table.starting(strategies=ALL), "pending": pending, "half": half_found(), "both": both, "kept": kept,
        "total": total, "undeclared": undeclared, "spoken": spoken, "many": many, "between": between, "crowd": crowd,
        "cards": cards, "drawn": Table.starting("bell", sign_cards="hand idea"),
    }  # fmt: skip


@pytest.mark.parametrize("name", scenes())
def test_every_panel_keeps_within_discords_limits_in_both_languages(name: str) -> None:
    table = scenes()[name]
    for seat in range(len(table.state.seats)):
        view = seat_view(table.state, seat)
        for build in (sign_panel, hand_panel):
            french, english = (
                build(view, people(len(table.state.seats)), TABLE_ID, Faces(texts), order_seed=9) for texts in (FR, EN)
            )
            for shown in (french, english):
                check_limits(shown)
                assert not re.search(r"[{}]", words(shown))
            assert [item.custom_id for item in buttons(french)] == [item.custom_id for item in buttons(english)]
            same = set(words(french).splitlines()) & set(words(english).splitlines())
            assert not {line for line in same if re.search(r"[a-z]{4}", line)}


@pytest.mark.parametrize("name", scenes())
def test_no_panel_tells_an_opponents_signs(name: str) -> None:
    table = scenes()[name]
    for seat in range(len(table.state.seats)):
        view = seat_view(table.state, seat)
        own = table.state.teams[view.team]
        known = {sign for report in table.state.reports for sign in report.signs}
        known |= set(own.plan.signs if own.plan else ()) | own.spent
        for build in (sign_panel, hand_panel):
            shown = build(view, people(len(table.state.seats)), TABLE_ID, Faces(FR), order_seed=9)
            for team in table.state.teams:
                for sign in () if team.plan is None else team.plan.signs:
                    assert sign in known or shown_sign(sign) not in words(shown)


def test_between_rounds_a_team_is_asked_to_stop_pre_sign_and_of_nothing_else() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"}, strategies="presign total", plans={"#1": "presign 👀"})
    table.do(kems("C"))
    shown = panel(table, 1, EN)
    assert "Do the opponents play pre-sign?" in words(shown)
    assert enabled(shown)[-1] == "stop_presign"
    assert not {"total", "guess"} & set(enabled(shown))
    plain = Table(hands={"A": "7S 7H 7D 7C"})
    plain.do(kems("C"))
    assert "Do the opponents" not in words(panel(plain, 1, EN))
