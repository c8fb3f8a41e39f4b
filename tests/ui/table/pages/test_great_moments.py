"""The looks of a hand panel that matter most: what marks them, and that no hand but the reader's is behind them."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.discord.api import components as c
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.text_width import width
from bot.discord.text.texts import Texts
from bot.game.actions import MakeGesture, OpenHunt, PutDown
from bot.game.build_view import player_view, table_view
from bot.game.cards import parse_card
from bot.game.events import CallKind, CallMargin, MatchPaused, Phase, PoolTurnedUp
from bot.game.evolve import evolve
from bot.game.match import Match
from bot.game.signs import GestureKind
from bot.game.state import with_changes
from bot.lessons.lesson import Lesson
from bot.records.player import Player
from bot.robots.level import COACH
from bot.robots.reasons import Motive, MoveReason
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import LINE, SMALL_LINE
from bot.ui.words.table_text import countdown
from tests.rules.table import Table, cards
from tests.together import together
from tests.ui.table.pages.shown import board, counters, hand, seen
from tests.ui.walk import ALL, BOTH, FR, buttons, walk, words

SEVENS = {"A": "7S 7H 7D 7C"}
LONGEST = {
    "fr": "dans 45 secondes", "en": "in 45 seconds", "de": "in 45 Sekunden", "es": "dentro de 45 segundos",
}  # fmt: skip
"""What Discord shows instead of a deadline."""
LONG = ("Alexandrine", "Maximilienne", "Bartholomé", "Clémentine", "Évangéline", "Théophraste")


def look(table: Table, verb: TableVerb, arg: str = "", **more: Any) -> tuple[int, str]:
    """The style and the label of a button on the panel of the first seat."""
    panel = hand(seen(table), FR, now=table.now, **more)
    found = [item for item in walk(panel) if f":{verb}" + (f":{arg}" if arg else "") in item.get("custom_id", "")]
    return found[0]["style"], found[0]["label"]


def test_four_of_a_kind_turn_the_bar_gold_and_the_sign_green() -> None:
    table = Table(hands=SEVENS, plans={"#1": "🛶"})
    panel = hand(seen(table), FR, now=table.now)
    assert panel[0]["accent_color"] == c.GOLD
    assert "Carré de 7 ! Faites 🛶" in words(panel)
    assert look(table, TableVerb.GESTURE, "🛶")[0] == c.SUCCESS
    table.do("A put 7S")
    assert hand(seen(table), FR, now=table.now)[0]["accent_color"] == c.BLUE
    assert look(table, TableVerb.GESTURE, "🛶")[0] == c.SECONDARY


def test_four_of_a_kind_show_a_warning_on_kems_when_only_the_partner_may_call() -> None:
    assert look(Table(hands=SEVENS), TableVerb.KEMS) == (c.SECONDARY, "⚠️ Kem's !")
    assert look(Table("escale", hands=SEVENS), TableVerb.KEMS) == (c.SECONDARY, "🔔 Kem's !")
    assert look(Table(players=2, hands=SEVENS), TableVerb.KEMS) == (c.SECONDARY, "🔔 Kem's !")


def test_the_partners_sign_turns_kems_green_for_ten_seconds() -> None:
    table = Table(plans={"#1": "🛶"})
    table.do("B react 🛶", "C react 🎈")
    assert look(table, TableVerb.KEMS)[0] == c.SECONDARY
    table.do("C react 🛶", "C react 🎈")  # a bluff: C holds nothing
    assert look(table, TableVerb.KEMS)[0] == c.SUCCESS
    table.wait(9.9)
    assert look(table, TableVerb.KEMS)[0] == c.SUCCESS
    table.wait(0.1)
    assert look(table, TableVerb.KEMS)[0] == c.SECONDARY


def test_four_of_a_kind_and_the_partners_sign_turn_the_double_green_and_not_kems() -> None:
    table = Table(hands=SEVENS, plans={"#1": "🛶"})
    assert look(table, TableVerb.DOUBLE)[0] == c.SECONDARY
    table.do("C react 🎈")
    assert look(table, TableVerb.DOUBLE)[0] == c.SECONDARY
    table.do("C react 🛶")
    assert look(table, TableVerb.DOUBLE)[0] == c.SUCCESS
    assert look(table, TableVerb.KEMS) == (c.SECONDARY, "🔔 Kem's !")
    assert "Vous aussi : Double !" in words(hand(seen(table), FR, now=table.now))
    table.wait(10)
    assert look(table, TableVerb.DOUBLE)[0] == c.SECONDARY
    assert "Carré de 7 ! Faites 🛶" in words(hand(seen(table), FR, now=table.now))


def test_the_caption_names_the_lit_call_when_a_bell_is_hit() -> None:
    table = Table(preset="bell", hands=SEVENS, plans={"#1": "🛶"})
    table.do("C react 🛶")
    assert look(table, TableVerb.DOUBLE) == (c.SUCCESS, "🛎️ Super Kem's !")
    assert "Vous aussi : Super Kem's !" in words(hand(seen(table), FR, now=table.now))


def test_the_end_of_a_round_is_two_lines_in_private_and_names_no_team_by_its_number() -> None:
    table = Table(hands=SEVENS, plans={"#1": "🛶"})
    table.do("C kems")
    for seat, told in ((0, "### Vous aviez le carré : +1 NOUS"), (2, "### Vous annoncez : +1 NOUS")):
        shown = words(hand(seen(table, seat), FR, now=table.now))
        assert shown.splitlines()[:2] == [told, "**Nous 1 · Eux 0** (en 10)"]
        assert "Équipe" not in shown
    assert words(hand(seen(table, 1), FR, now=table.now)).splitlines()[0] == "### Ils annoncent : +1 EUX"


def own_lines(table: Table) -> list[str]:
    """The first line of each seat's panel."""
    return [words(hand(seen(table, seat), FR, now=table.now)).splitlines()[0] for seat in range(4)]


def test_a_counter_is_told_with_a_verb_for_every_reader() -> None:
    table = Table(hands={"B": "7S 7H 7D 7C"})
    table.do("A counter B")
    assert own_lines(table) == [
        "### Vous contrez Bruno : +1 NOUS",
        "### Contré par Ana : +1 EUX",
        "### Ana contre Bruno : +1 NOUS",
        "### Contré par Ana : +1 EUX",
    ]


@pytest.mark.parametrize("texts", ALL)
def test_the_end_of_a_round_is_told_in_a_line_whatever_the_names(texts: Texts) -> None:
    seated = tuple(Player(name, seat) for seat, name in enumerate(("Léa", "Anne-Charlotte", "Jean-Baptiste", "Ana")))
    theirs = {"B": "7S 7H 7D 7C"}
    both = {**theirs, "D": "8S 8H 8D 8C"}
    ends = {"A counter B": theirs, "C counter B": theirs, "D kems": theirs, "D double": both, "B counter A": SEVENS}
    for moves, hands in (*ends.items(), ("C kems", SEVENS), ("A kems", theirs)):
        table = Table(hands=hands)
        table.do(moves)
        for seat in range(4):
            told = words(hand(seen(table, seat), texts, seated=seated)).splitlines()[0]
            assert width(told.removeprefix("### ")) <= LINE + 1, (moves, told)


def test_a_double_shows_one_mark() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C", "C": "8S 8H 8D 8C"})
    table.do("A double")
    assert own_lines(table)[0] == own_lines(table)[2] == "### Double Kem's ! +2 NOUS"
    assert own_lines(table)[1] == "### Leur double Kem's : +2 EUX"


@pytest.mark.parametrize(("seat", "told"), [(1, "trop tard de 180 ms"), (2, "180 ms d'avance")])
def test_a_close_call_says_its_margin_in_private(seat: int, told: str) -> None:
    table = Table(hands=SEVENS)
    table.do("C kems")
    view = seen(table, seat)
    assert view.table.result is not None
    close = replace(view.table.result, margin=CallMargin(0, 2, 1, CallKind.COUNTER, 180))
    shown = words(hand(replace(view, table=replace(view.table, result=close)), FR))
    assert shown.splitlines()[1].endswith(f"(en 10) · {told}")


def test_a_person_who_came_after_the_round_reads_the_score_alone() -> None:
    table = Table(hands=SEVENS)
    table.do("C kems")
    shown = words(hand(seen(table), FR, is_new=True))
    assert "Vous" not in shown.splitlines()[0]
    assert shown.splitlines()[0] == "**Nous 1 · Eux 0** (en 10)"


def test_a_gesture_that_was_repeated_stands_once_with_its_times() -> None:
    table = Table(hands=SEVENS, plans={"#1": "🛶"})
    for _ in range(3):
        table.do("B react 🎈")
        table.wait(20)
    table.do("B react 👀", "C kems")
    assert "Bruno 🎈 ×3 (0:00–0:40) · 👀 1:00" in words(board(table))


def test_opponents_of_a_large_table_stand_by_their_teams() -> None:
    table = Table("classic", players=12, deck="52")
    table.do("B react 🎈")
    line = lines_of(table)[2]
    teams = table_view(table.state).teams
    assert [line.count(mark) for mark in "②③④⑤⑥"[: teams - 1]] == [1] * (teams - 1)
    assert "🎈" in line


@pytest.mark.parametrize(("seat", "told"), [(0, "## Gagné 1 à 0 !"), (1, "## Perdu 0 à 1")])
def test_the_end_of_a_match_is_told_from_the_readers_side(seat: int, told: str) -> None:
    table = Table(hands=SEVENS, plans={"#1": "🛶"}, target="1")
    table.do("C kems")
    shown = words(hand(seen(table, seat), FR, now=table.now))
    assert told in shown
    assert "Équipe" not in shown


def lines_of(table: Table, notice: str | None = None, **more: Any) -> list[str]:
    """The four lines above the middle and the caption below it, as the first seat sees them."""
    return words(hand(seen(table), FR, notice, now=table.now, **more)).splitlines()


def test_no_news_replaces_the_four_lines() -> None:
    table = Table(hands={"A": "7S 8S 9S TS", "B": "QS QH AS AH"}, pool="JH JD KS AC", plans={"#1": "🛶"})
    table.do("C react 🎈", "D react 👀", "B put QS", "B take KS")
    shown = lines_of(table)
    for step in ("A put 7S", "D counter A"):
        table.do(step)
        for notice in (None, "Trop tard : Bruno vient de prendre la dame, et bien d'autres cartes encore."):
            *lines, caption = lines_of(table, notice)
            assert lines[0].startswith("-# 🛶\u2002**Nous ")
            assert lines[1:] == shown[1:4]
            assert "Bruno D♠" in lines[3]
            assert width(caption) <= SMALL_LINE
    table.do("A take JH")
    table.wait(5.9)
    assert "contre à tort" in lines_of(table)[4]
    table.wait(0.1)
    assert "contre" not in lines_of(table)[4], "news goes after six seconds"


def test_a_sweep_vote_stays_visible_with_its_deadline_and_its_asker() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, take_limit=4, pool="JH JD KS AC", quiet=0)
    table.do("A put 7S")
    table.wait(4)
    assert "Trop lent" in lines_of(table)[4]
    table.do("B sweep")
    at = table.state.vote.ends_at // 1000 if table.state.vote else 0
    for notice in (None, "Trop tard."):
        *_, vote, caption = lines_of(table, notice)
        assert vote == f"-# 🧹 oui <t:{at}:R> · Bruno demande"
        assert (notice or "Trop lent") in caption
    table.wait(6)
    assert "Trop lent" not in lines_of(table)[4]
    late = hand(seen(table), FR, now=at * 1000 + 999)
    assert words(late).splitlines()[3] == "-# 🧹 · Bruno demande", "at zero its countdown goes"


def test_an_answer_with_a_countdown_disappears_when_it_is_over() -> None:
    table = Table()
    soon = f"🧹 {countdown(table.now + 2000)}"
    assert soon in lines_of(table, soon)[4]
    table.wait(3)
    assert soon not in lines_of(table, soon)[4]


def test_the_caption_of_a_first_match_names_the_rows() -> None:
    table = Table()
    assert "le milieu" in lines_of(table, coaching=Coaching.LESSONS)[4]
    assert "le milieu" in lines_of(table, "Trop tard.", coaching=Coaching.LESSONS)[4]
    assert "Trop tard." in lines_of(table, "Trop tard.", coaching=Coaching.LESSONS)[5]
    assert not any("votre main ▼" in line for line in lines_of(table, coaching=Coaching.ON))


def test_cards_beyond_the_middle_keep_their_line() -> None:
    table = Table(players=12, deck="52", hands={"A": "7S 7H 9D TC"})
    table.state = with_changes(table.state, slots=12)
    view = seen(table)
    lying = tuple(card for card in table.all_cards() if card not in view.hand)
    for pool, told in ((lying[:12], "—"), (lying[:13], Faces(FR).label(lying[12]))):
        crowded = replace(view, table=replace(view.table, pool=pool))
        for notice in (None, "Trop tard."):
            *_, beyond, caption = words(hand(crowded, FR, notice)).splitlines()
            assert beyond == f"-# aussi au milieu : {told}"
            assert notice is None or notice in caption


def test_a_false_counter_says_when_the_right_to_counter_is_lost() -> None:
    for preset, is_lost in (("classic", True), ("linternaute", False)):
        table = Table(preset)
        table.do("A counter B")
        assert ("plus de contre" in lines_of(table)[4]) is is_lost
        assert "Faux contre" in lines_of(table)[4]


def test_the_middle_is_blue_while_a_card_is_owed() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="JH JD KS AC")
    assert (look(table, TableVerb.TAKE, "JH")[0], look(table, TableVerb.PUT, "7S")[0]) == (c.SECONDARY, c.PRIMARY)
    table.do("A put 8S")
    assert (look(table, TableVerb.TAKE, "JH")[0], look(table, TableVerb.PUT, "7S")[0]) == (c.PRIMARY, c.SECONDARY)


def test_two_opponents_are_countered_in_one_tap() -> None:
    panel = hand(seen(Table()), FR)
    assert [item.label for item in buttons(panel) if item.press.verb == TableVerb.COUNTER_AT] == ["✋ Bruno", "✋ Dora"]
    many = hand(seen(Table(players=6)), FR)
    assert TableVerb.COUNTER in {item.press.verb for item in buttons(many)}


def test_the_page_of_counters_keeps_the_hand_and_the_gestures() -> None:
    view = seen(Table(players=6))
    page = counters(view)
    verbs = [item.press.verb for item in buttons(page)]
    assert (verbs.count(TableVerb.PUT), verbs.count(TableVerb.GESTURE), verbs.count(TableVerb.COUNTER_AT)) == (4, 4, 4)
    assert words(page).splitlines()[:4] == words(hand(view, FR)).splitlines()[:4]


@pytest.mark.parametrize("made", ["C react 🛶", "C say lucky"])
@pytest.mark.parametrize("plan", ["total", "say:lucky"])
def test_total_and_spoken_signs_are_never_marked(plan: str, made: str) -> None:
    table = Table(strategies="total spoken", plans={"#1": plan})
    table.do(made)
    assert look(table, TableVerb.KEMS)[0] == c.SECONDARY


def test_the_partner_is_bold_and_opponents_have_a_dot_for_ten_seconds() -> None:
    table = Table()
    table.do("C react 🛶", "D react 🎈")
    _, partner, others, _ = words(hand(seen(table), FR, now=table.now)).splitlines()[:4]
    assert partner == "🤝\u2002**Chloé 🛶** ◀"
    assert others == "-# Bruno\u2002Dora 🎈 •"
    table.wait(10)
    _, partner, others, _ = words(hand(seen(table), FR, now=table.now)).splitlines()[:4]
    assert (partner, others) == ("🤝\u2002Chloé 🛶", "-# Bruno\u2002Dora 🎈")


def test_a_chosen_card_shows_itself_and_says_what_to_do() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="JH QD KS AC")
    style, label = look(table, TableVerb.TAKE, "JH", chosen=parse_card("JH"))
    assert (style, label[0]) == (c.SUCCESS, "✓")
    assert "**V♥︎** : contre laquelle" in words(hand(seen(table), FR, now=table.now, chosen=parse_card("JH")))


@BOTH
@together("steps", [(), ("C react 🛶",), ("C react 🎈",), ("A react 🛶",)])
@together("own", ["7S 8S 9S TS", "7S 7H 7D 7C"])
def test_a_panel_is_the_same_whatever_the_partner_holds(texts: Any, steps: tuple[str, ...], own: str) -> None:
    """The text, the marks and the coach of a seat whose partner holds four alike, or nothing."""
    shown = []
    for held in ("AS AH AD AC", "KS QH 8D TC"):
        table = Table(hands={"A": own}, pool="9H JH QD KC", plans={"#1": "🛶"})
        with_partner(table, held)
        table.do(*steps)
        view = player_view(table.state, 0, table.now)
        advice = Robot(Random(1), COACH).advise(view, table.now)
        assert advice is not None, "the coach speaks"
        shown.append(hand(view, texts, now=table.now, coaching=Coaching.ON, advice=advice))
    assert shown[0] == shown[1]


def with_partner(table: Table, held: str) -> None:
    """Gives the third seat these cards, which may lie in the stock or in other hands besides."""
    seats = list(table.state.seats)
    seats[2] = with_changes(seats[2], hand=cards(held))
    table.state = with_changes(table.state, seats=tuple(seats))


def test_a_chosen_card_that_was_taken_says_by_whom() -> None:
    table = Table(hands={"A": "7S 8S 9S TS", "B": "7H 8H 9H TH"}, pool="JH JD KS AC")
    jack = parse_card("JH")
    assert "contre laquelle des vôtres" in words(hand(seen(table), FR, chosen=jack))
    table.do("B put 8H")
    table.do("B take JH")
    shown = words(hand(seen(table), FR, chosen=jack))
    assert "Trop tard : Bruno vient de prendre V♥" in shown
    assert "contre laquelle des vôtres" not in shown


def test_a_paused_panel_goes_on_by_its_own_button() -> None:
    for phase in ("hunt", "over"):
        table = Table(hands=SEVENS, plans={"#1": "🛶"})
        if phase == "over":
            table.do("C kems")
        assert TableVerb.RESUME not in {item.press.verb for item in buttons(hand(seen(table), FR))}
        table.state = evolve(table.state, MatchPaused(table.now))
        shown = [item.label for item in buttons(hand(seen(table), FR)) if item.press.verb == TableVerb.RESUME]
        assert shown == ["▶ Reprendre"], phase


def test_the_middle_has_no_holes_once_it_is_turned_up() -> None:
    turned = 0
    for path in Path("tests/golden").glob("*.kgn"):
        state = None
        for event in Match.from_kgn(path.read_text()).events:
            state = evolve(state, event)
            if isinstance(event, PoolTurnedUp):
                turned += 1
                assert None not in state.pool
    assert turned > 500


def test_no_tip_comes_before_the_hunt_is_open() -> None:
    table = Table(hands=SEVENS)
    tip = (MakeGesture(0, GestureKind.POST, "🍀"), MoveReason(Motive.BLUFFS))
    assert any("💡" in line for line in lines_of(table, advice=tip))
    table.state = with_changes(table.state, phase=Phase.READY)
    assert not any("💡" in line for line in lines_of(table, advice=tip))
    opens = (OpenHunt(0), MoveReason(Motive.IS_DEALER))
    assert any("💡" in line for line in lines_of(table, advice=opens))


def test_kems_stays_green_while_the_lesson_waits_for_the_press() -> None:
    table = Table(hands={"C": "7S 7H 7D 7C"}, plans={"#1": "🛶"})
    table.do("C react 🛶")
    table.wait(60)
    assert look(table, TableVerb.KEMS)[0] == c.SECONDARY
    assert look(table, TableVerb.KEMS, lesson=Lesson.KEMS)[0] == c.SUCCESS


def test_the_lesson_of_a_third_alike_says_what_to_do() -> None:
    table = Table(hands={"A": "8D TS JC TH"}, pool="8S KD 8H KC")
    for advice, told in (
        ((PutDown(0, parse_card("TS")), MoveReason(Motive.COLLECTS, group=parse_card("8D").group)), "💡 Posez 10♠"),
        (None, "posez-en une autre"),
    ):
        assert told in lines_of(table, lesson=Lesson.THREE_ALIKE, advice=advice)[4]


@pytest.mark.parametrize("texts", ALL)
def test_the_first_line_has_the_score_of_each_of_three_teams(texts: Texts) -> None:
    table = Table("american", players=6, scores=(3, 2, 4), plans={"#1": "🛶"})
    first = words(hand(seen(table), texts)).splitlines()[0]
    assert "② 2 · ③ 4" in first
    assert width(first) <= SMALL_LINE


@pytest.mark.parametrize("texts", ALL)
@pytest.mark.parametrize("step", ["D counter #2", "A counter #2", "A kems"])
def test_the_result_of_three_teams_takes_two_lines(texts: Texts, step: str) -> None:
    prices = {"kems_others": -1, "counter_accused": -1, "false_kems": 1}
    table = Table("american", players=6, hands={"B": "7S 7H 7D 7C"}, **prices)
    table.do(step)
    for seat in range(3):
        seated = tuple(Player(name, number + 1) for number, name in enumerate(LONG))
        headline = words(hand(seen(table, seat), texts, seated=seated)).splitlines()[0]
        assert headline.startswith("### ")
        assert width(headline.removeprefix("### ")) <= LINE


def test_opposing_teams_with_equal_points_are_listed_together() -> None:
    table = Table(players=6)
    table.do("A kems")
    assert words(hand(seen(table), FR)).splitlines()[0].endswith("+1 ②③")
    assert words(hand(seen(table, 1), FR)).splitlines()[0].endswith("+1 NOUS · +1 ③")


@pytest.mark.parametrize("texts", ALL)
def test_owed_cards_are_named_in_full_beside_their_deadline(texts: Texts) -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, pool="JH JD KS AC")
    table.do("A put 7S", "A put 8S")
    caption = words(hand(seen(table), texts, now=table.now)).splitlines()[4]
    owed = texts.n("Take {count} card", "Take {count} cards", 2)
    assert caption == f"-# {countdown(table.now + 45_000)} · **{owed}**"


@pytest.mark.parametrize("texts", ALL)
def test_no_line_with_a_deadline_wraps_in_any_language(texts: Texts) -> None:
    seated = tuple(Player(name, number + 1) for number, name in enumerate(LONG[:4]))
    owing = Table(hands={"A": "7S 8S 9S TS"}, pool="JH JD KS AC")
    owing.do("A put 7S", "A put 8S")
    asked = Table(quiet=0)
    asked.do("B sweep")
    refused = Table(quiet=0)
    refused.do("B sweep", "C no")
    for table in (Table(opened=False, dealer="B", auto_open=20), owing, asked, refused):
        lines = words(hand(seen(table), texts, now=table.now, seated=seated)).splitlines()
        told = [re.sub("<t:[^>]*>", LONGEST[texts.locale], line) for line in lines[:5] if "<t:" in line]
        assert len(told) == 1
        assert width(told[0].removeprefix("-# ")) <= SMALL_LINE
        cut = [word.rstrip("…") for word in told[0].split() if word.endswith("…")]
        assert all(any(name.startswith(part) for name in LONG) for part in cut), "a name is cut, never a verb"
