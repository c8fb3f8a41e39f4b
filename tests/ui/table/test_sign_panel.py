"""Agreeing on a sign in private, answering what was found out of it, and naming the opponents'."""

import re

import pytest

from bot.game.signs import SignCard, Strategy, emoji_sign, family, one_sign
from bot.ui.kit.components import Layout
from bot.ui.table.verbs import TableVerb
from bot.ui.words.sign_plans import plan_digest
from bot.ui.words.signs import shown_sign
from tests.rules.table import Table
from tests.ui.table.shown import hand, seen, signs
from tests.ui.walk import EN, FR, button, buttons, words

ALL = " ".join(Strategy)


def enabled(view: Layout) -> list[str]:
    return [item.press.verb for item in buttons(view) if item.is_enabled]


def test_a_partner_accepts_what_was_proposed_and_no_opponent_hears_of_it() -> None:
    table = Table.starting()
    table.do("C sign 🦊")
    partner = signs(seen(table))
    assert "Chloé propose 🦊. En attente : vous." in words(partner)
    assert button(partner, f"accept:{plan_digest(one_sign(emoji_sign('🦊')))}").label == "Accepter 🦊"
    proposer = signs(seen(table, 2))
    assert "Vous proposez 🦊. En attente : Ana." in words(proposer)
    assert not button(proposer, "empty:accept").is_enabled
    assert "propose" not in enabled(proposer), "one thing is said at a time"
    assert "choose" in enabled(proposer)
    opponent = signs(seen(table, 1))
    assert "propos" not in words(opponent)
    assert "accept" not in enabled(opponent)


def test_between_rounds_the_sign_may_change_and_the_next_round_be_asked_for() -> None:
    table = Table()
    table.do("A kems")
    view = signs(seen(table), EN, "A notice")
    assert words(view).startswith("A notice\n## Round 1 · False Kem's\n")
    assert enabled(view) == ["next", "choose"]
    chosen = signs(seen(table), EN, is_choosing=True)
    assert "False Kem's" not in words(chosen)
    assert enabled(chosen) == ["propose"] * 4 + ["next", "other"]


def test_the_sign_card_is_named_and_its_emojis_offered() -> None:
    table = Table.starting("bell", sign_cards="mouth word")
    view = signs(seen(table))
    assert "Carte signe : **la bouche** · un emoji de ce genre, ou plusieurs : 👄👅💋" in words(view)
    assert "bouche" not in words(signs(seen(table, 1)))
    offered = [item.press.arg for item in buttons(view)][:4]
    assert set(offered) <= set(family(SignCard.MOUTH))
    assert "Sign card: **the word** · words, or emojis of this kind: 💬🗨️" in words(signs(seen(table, 1), EN))
    assert "**l'idée** · votre signe est libre" in words(signs(seen(Table.starting("bell", sign_cards="idea eyes"), 0)))


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
    table.do(f"C sign {plan}")
    partner = signs(seen(table))
    assert f"Chloé propose {proposed}. En attente : vous." in words(partner)
    (accepting,) = [item for item in buttons(partner) if item.press.verb == TableVerb.ACCEPT]
    assert accepting.label == ("Accepter 🍀☕" if plan == "🍀☕" else "Accepter")
    assert proposed not in words(signs(seen(table, 1)))
    table.do(f"A accept {plan}")
    assert f"**{settled}**" in words(signs(seen(table))).splitlines()
    signs(seen(table), EN)


def half_found() -> Table:
    table = Table(strategies=ALL, plans={"#1": "presign A 👀 C 🍀", "#2": "total"})
    table.do("B guess #1 🍀")
    return table


def test_of_a_found_double_the_found_one_is_replaced_or_the_other_kept() -> None:
    view = signs(seen(half_found(), 0))
    told = words(view).splitlines()
    assert "**Vos signes : vous 👀 · Chloé 🍀 (trouvé) + pré-signe**" in told
    assert "⚠️ 🍀 a été trouvé : remplacez-le en silence, ou continuez à un seul signe, ouvertement." in told
    assert button(view, "keep").label == "Continuer à un seul signe"
    offered = [item.press.arg for item in buttons(view) if item.press.verb == TableVerb.PROPOSE]
    assert len(offered) == 4
    assert not {"👀", "🍀"} & set(offered)
    assert "trouvé" not in words(signs(seen(half_found(), 1)))


def test_of_three_signs_two_that_were_found_are_replaced_at_once() -> None:
    table = Table(players=6, team_size=3, strategies="double", plans={"#1": "A 👀 C 🍀 E 🎲"})
    table.do("B guess #1 🍀 🎲")
    view = signs(seen(table))
    assert "⚠️ 🍀 🎲 ont été trouvés : remplacez-les en silence" in words(view)
    offered = [item for item in buttons(view) if item.press.verb == TableVerb.PROPOSE]
    assert all(item.press.arg.count(",") == 1 and item.label.count(" ") == 1 for item in offered)
    each = [sign for item in offered for sign in item.press.arg.split(",")]
    assert len(set(each)) == 8


def test_who_was_found_out_chooses_one_single_sign() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign 👀 🍀 🎲"})
    table.do("B guess #1 🍀")
    told = words(signs(seen(table))).splitlines()
    assert "⚠️ Vous êtes démasqués : choisissez un signe unique." in told
    assert "-# Démasqués : signe unique jusqu'à la fin de la partie." in told
    assert not any(line.startswith(("Votre signe", "Vos signes")) for line in told)
    offered = {item.press.arg for item in buttons(signs(seen(table))) if item.press.verb == TableVerb.PROPOSE}
    assert "🍀" not in offered


def test_who_was_asked_to_stop_pre_sign_is_told_so() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign 👀"})
    table.do("B accuse #1 presign")
    told = words(signs(seen(table), EN)).splitlines()
    assert "**Your sign: 👀**" in told
    assert "-# Found out: no pre-sign any more." in told


def test_a_team_whose_sign_was_named_is_told_that_it_may_change_it() -> None:
    table = Table()
    assert "⚠️" not in words(signs(seen(table, 1)))
    table.do("A guess #2 🍀")
    assert "⚠️ Un adversaire a voulu deviner votre signe : vous pouvez en changer." in words(signs(seen(table, 1)))


def test_a_strategy_is_declared_where_it_was_voted_for_and_once() -> None:
    table = Table(strategies="total presign", plans={"#2": "total"})
    view = signs(seen(table))
    assert [item.label for item in buttons(view)][-3:] == [
        "Signe : Équipe 2…",
        "Équipe 2 : total !",
        "Équipe 2 : plus de pré-signe",
    ]
    assert {"total", "stop_presign"} <= set(enabled(view))
    table.do("A accuse #2 total")
    assert not button(signs(seen(table)), "total:1").is_enabled
    assert button(signs(seen(table)), "stop_presign:1").is_enabled
    assert "stop_presign" not in {item.press.verb for item in buttons(signs(seen(Table(strategies="total"), 0)))}
    mute = signs(seen(Table("escale", strategies="total"), 0))
    assert "guess" not in enabled(mute), "these rules do not play it"
    assert "total" in enabled(mute)


def scenes() -> dict[str, Table]:
    """Tables in every state that a team's signs can be in."""
    pending = Table.starting(strategies=ALL, players=12, deck="52", team_size=3)
    pending.do("A sign presign A 👀🍀☕🎩🦊 E 👀🍀☕🎩🎈 I 👀🍀☕🎩🧦")
    both = half_found()
    both.do("D guess #1 👀 🍀")
    kept = half_found()
    kept.do("A keep")
    total = Table(strategies=ALL, plans={"#1": "total", "#2": "total"})
    undeclared = Table(strategies=ALL, plans={"#1": "total", "#2": "total"})
    total.do("B accuse #1 total")
    spoken = Table(strategies=ALL, plans={"#1": "say:quel_temps", "#2": "B say:bel_oiseau D 👀"})
    many = Table(strategies=ALL, plans={"#1": "👀 🍀 🎲 🦊 🎈 🧦", "#2": "👀 🍀 🎲 🦊"})
    between = half_found()
    between.do("A kems")
    crowd = Table(players=12, deck="52", strategies=ALL, plans={"#1": "👀 🍀 🎲 🦊 🎈 🧦"})
    cards = Table("bell", sign_cards="word mouth", plans={"#1": "say:quel_temps", "#2": "👄"})
    return {
        "voted": Table.starting(strategies=ALL), "pending": pending, "half": half_found(), "both": both, "kept": kept,
        "total": total, "undeclared": undeclared, "spoken": spoken, "many": many, "between": between, "crowd": crowd,
        "cards": cards, "drawn": Table.starting("bell", sign_cards="hand idea"),
    }  # fmt: skip


@pytest.mark.parametrize("name", scenes())
def test_panels_fit_in_both_languages_and_tell_no_opponents_signs(name: str) -> None:
    table = scenes()[name]
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
            assert not {line for line in same if re.search(r"[a-z]{4}", line)}
            assert not [sign for sign in secret if shown_sign(sign) in words(french)]


def test_between_rounds_a_team_is_asked_to_stop_pre_sign_and_of_nothing_else() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"}, strategies="presign total", plans={"#1": "presign 👀"})
    table.do("C kems")
    shown = signs(seen(table, 1), EN)
    assert "Do the opponents play pre-sign?" in words(shown)
    assert enabled(shown)[-1] == "stop_presign"
    assert not {"total", "guess"} & set(enabled(shown))
    plain = Table(hands={"A": "7S 7H 7D 7C"})
    plain.do("C kems")
    assert "Do the opponents" not in words(signs(seen(plain, 1), EN))
