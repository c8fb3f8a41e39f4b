"""Results: who called, who had it, what it brought, all hands, and what every gesture meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.build_view import table_view
from bot.game.events import CallKind, CallMargin, Outcome
from bot.game.evolve import evolve
from bot.game.phase import Phase
from bot.ladder.highlights import Feat, Highlights
from bot.ladder.tally import SeatTally
from bot.records.history import RatingChange
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.table.public.board import table_board
from bot.ui.table.public.match_end import MatchEnd, match_end_board
from bot.ui.table.public.story_log import log_line
from bot.ui.words.card_faces import Faces
from tests.rules.table import Table, counter, counter2, double, guess, kems, next_round, react, swap, sweep
from tests.ui.walk import EN, FR, TABLE_ID, TEXT, button, buttons, check_limits, people, walk, words

SEVENS = "7S 7H 7D 7C"


def result(table: Table, texts: Texts = FR) -> Layout:
    view = table_board(table_view(table.state), people(len(table.state.seats)), TABLE_ID, Faces(texts), ())
    check_limits(view)
    return view


def told(table: Table, texts: Texts = FR) -> str:
    return words(result(table, texts)).replace("\ufe0e", "")


def test_a_kems_tells_who_said_it_who_had_it_and_the_points() -> None:
    table = Table(hands={"A": SEVENS}, scores=(4, 2))
    table.do(kems("C"))
    assert told(table).splitlines()[:6] == [
        "## Manche 1 · KEM'S !",
        "Chloé annonce Kem's ! Ana avait le carré : 7♠ 7♥ 7♦ 7♣",
        "Équipe 1 · **5 — 2** · Équipe 2",
        "Équipe 1 : +1",
        f"Bruno {_hand(table, 1)}",
        f"Chloé {_hand(table, 2)}",
    ]


@pytest.mark.parametrize(
    ("language", "held"),
    [
        ("fr", ("7♠ 7♥ 7♦ 7♣", "Équipe 1 · **5 — 2** · Équipe 2", "0:12 Bruno")),
        ("en", ("7♠ 7♥ 7♦ 7♣", "Team 1 · **5 — 2** · Team 2", "0:12 Bruno")),
    ],
)
def test_no_line_breaks_within_a_hand_a_score_or_a_time_and_its_name(language: str, held: tuple[str, ...]) -> None:
    table = Table(hands={"A": SEVENS}, scores=(4, 2))
    table.wait(12)
    table.do(react("B", "🎲"), kems("C"))
    texts = [part["content"] for part in walk(result(table, Texts(language))) if part["type"] == TEXT]
    for words_of_a_line in held:
        assert words_of_a_line.replace(" ", "\u00a0") in "\n".join(texts).replace("\ufe0e", "")


def test_every_penalty_of_the_round_stands_in_its_sum() -> None:
    table = Table(hands={"A": SEVENS}, scores=(4, 2))
    table.do(counter("B", "C"), kems("C"))
    lines = told(table).splitlines()
    assert lines[2:4] == [
        "Équipe 1 · **5 — 1** · Équipe 2",
        "Équipe 1 : +1 · Bruno contre à tort : −1",
    ]
    assert "Team 1: +1 · false counter by Bruno: −1" in told(table, EN)
    table.do(next_round())
    assert table_view(table.state).penalties == ()


def test_a_penalty_that_a_call_makes_up_for_is_told_all_the_same() -> None:
    table = Table(hands={"A": SEVENS})
    table.do(counter("C", "B"), kems("C"))
    assert "Équipe 1 · **0 — 0** · Équipe 2\nÉquipe 1 : +1 · Chloé contre à tort : −1" in told(table)


def test_a_guess_for_points_is_part_of_the_sum() -> None:
    table = Table("yokai", hands={"A": SEVENS})
    table.do(guess("B", "#1", "🍩"), guess("D", "#1", "👀"), kems("C"))
    assert "signe mal deviné par Bruno — Équipe 1 : +2 · signe trouvé par 🤖 Dora : +2" in told(table)


def test_the_log_of_former_rounds_is_short() -> None:
    ends = []
    for call in (kems("C"), counter("B", "A"), kems("B")):
        table = Table(hands={"A": SEVENS})
        table.do(call)
        ends.append(replace(table_view(table.state), round=len(ends) + 1))
    assert log_line(ends[:0], FR) is None
    assert log_line(ends, FR) == "-# Manches : 1 Kem's ① · 2 contre ② · 3 faux Kem's ②"
    many = [replace(ends[0], round=number) for number in range(1, 40)]
    assert (log_line(many, EN) or "").startswith("-# Rounds: … · 28 Kem's ①")


def test_every_gesture_is_told_newest_first_with_what_it_was() -> None:
    table = Table(hands={"A": SEVENS})
    table.wait(29)
    table.do(react("A", "👀"))
    table.wait(9)
    table.do(react("B", "🍀"))
    table.wait(25)
    table.do(react("C", "🍩"), kems("C"))
    assert told(table).splitlines()[-1] == (
        "Signes : 1:03 Chloé 🍩 (bluff) · 0:38 Bruno 🍀 (**le signe**) · 0:29 Ana 👀 (**le signe**)"
    )


def test_a_round_without_gestures_says_so() -> None:
    table = Table(hands={"A": SEVENS})
    table.do(kems("C"))
    assert told(table, EN).splitlines()[-1] == "Signs: none was made"


def test_a_counter_names_the_accused_and_shows_that_hand_alone() -> None:
    table = Table(hands={"B": SEVENS})
    table.do(counter("A", "B"))
    assert "CONTRE-KEM'S !\nAna contre Bruno ! Bruno avait le carré : 7♠ 7♥ 7♦ 7♣" in told(table)


@pytest.mark.parametrize(
    ("call", "french", "english"),
    [
        (CallKind.KEMS, "Bruno annonce Kem's 84 ms trop tard", "84 ms before Bruno's Kem's"),
        (CallKind.DOUBLE, "Bruno annonce un double 84 ms trop tard", "84 ms before Bruno's double"),
        (CallKind.COUNTER, "Bruno contre 84 ms trop tard", "84 ms before Bruno's counter"),
        (
            CallKind.DOUBLE_COUNTER,
            "Bruno annonce un double contre 84 ms trop tard",
            "84 ms before Bruno's double counter",
        ),
    ],
)
def test_a_photo_finish_tells_the_margin(call: CallKind, french: str, english: str) -> None:
    table = Table(hands={"A": SEVENS})
    table.state = evolve(table.state, CallMargin(0, 2, 1, call, 84))
    assert table_view(table.state).result is None
    table.do(kems("C"))
    assert told(table).replace(" ", " ").splitlines()[2] == french
    assert told(table, EN).splitlines()[2] == english
    table.do(next_round())
    assert table.state.margin is None


def test_a_false_kems_tells_no_holder() -> None:
    table = Table()
    table.do(kems("C"))
    assert "Faux Kem's\nChloé annonce Kem's, mais il n'y en a pas.\n" in told(table)
    assert "Équipe 1 · **0 — 1** · Équipe 2\nÉquipe 2 : +1\n" in told(table)


def test_three_alike_end_the_round_without_points() -> None:
    table = Table(hands={"A": "7S"}, pool="7H 7D 8S 9S")
    table.do(*swap("A", "7S", ""))
    assert "Ana pose la troisième pareille : la manche est finie." in told(table)
    assert "Équipe 1 · **0 — 0** · Équipe 2\nAucun point\n" in told(table)
    table = Table(hands={"A": "7S"}, pool="7H 7D 8S 9S")
    table.do(counter("B", "A"), *swap("A", "7S", ""))
    assert "Équipe 1 · **0 — −1** · Équipe 2\nBruno contre à tort : −1\n" in told(table)


def test_three_alike_that_were_turned_up_are_nobodys_doing() -> None:
    table = Table(hands={"A": "7S"}, pool="7H 7D 8S 9S")
    table.do(*swap("A", "7S", ""))
    ended = table.state.result
    assert ended is not None
    table.state = replace(table.state, result=replace(ended, laid_by=None))
    assert "Trois cartes pareilles au milieu : la manche est finie." in told(table)


def test_points_below_zero_carry_a_minus_sign() -> None:
    table = Table("expert", hands={"A": SEVENS}, false_counter_own=-1)
    table.do(counter("A", "#2"))
    assert "Équipe 1 · **−1 — 1** · Équipe 2\nÉquipe 1 : −1 · Équipe 2 : +1" in told(table)


@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
def test_every_outcome_has_its_own_words(texts: Texts) -> None:
    tables = [Table(hands={"A": SEVENS}), Table(hands={"A": SEVENS, "C": "8S 8H 8D 8C"}), Table(hands={"B": SEVENS})]
    tables += [
        Table("expert", hands={"B": SEVENS, "D": "8S 8H 8D 8C"}),
        Table(),
        Table(),
        Table("expert"),
        Table("expert"),
    ]
    calls = [kems("C"), double("C"), counter("A", "B"), counter2("A", "#2"), kems("A"), double("A"), counter("A", "#2")]
    calls.append(counter2("A", "#2"))
    headlines = set()
    for table, call in zip(tables, calls, strict=True):
        table.do(call)
        headlines.add((table.outcome, told(table, texts).splitlines()[0]))
    for rules in ({"max_sweeps": 1}, {"stock": "", "stock_out": "ends"}):
        table = Table(three_alike="allowed", **rules)  # type: ignore[arg-type]  # rules and the stock's cards
        table.wait(5)
        table.do(sweep("A"))
        table.wait(15)
        headlines.add((table.outcome, told(table, texts).splitlines()[0]))
    assert {outcome for outcome, _ in headlines} == set(Outcome) - {Outcome.FOUR_KEMS, Outcome.THREE_ALIKE}
    assert len({line for _, line in headlines}) == len(headlines) == 10


def test_after_a_round_come_the_next_one_and_a_change_of_sign() -> None:
    table = Table(hands={"A": SEVENS}, auto_next=20)
    table.do(kems("C"))
    view = result(table)
    assert {item.press.verb for item in buttons(view) if item.is_enabled} == {"next", "sign_panel"}
    assert "Manche suivante <t:20:R>" in words(view)


def test_the_winners_are_named_and_a_rematch_is_offered() -> None:
    table = Table(hands={"A": SEVENS}, scores=(9, 9))
    table.do(kems("C"))
    assert "🏆 Équipe 1 gagne la partie : Ana et Chloé" in told(table)
    assert [item.press.verb for item in buttons(result(table))] == ["rematch", "shuffle", "watch", "share_match"]


def test_the_end_of_a_match_tells_what_stood_out_the_ratings_and_who_wants_a_rematch() -> None:
    table = Table(hands={"A": SEVENS}, scores=(9, 9))
    table.wait(12.3)
    table.do(kems("C"))
    found = Highlights((0,), SeatTally(kems=2, counters=1), Feat(1, 38_000, 3), Feat(2, 12_300))
    ratings = (RatingChange(1000, 1500, 1512), RatingChange(1001, None, 1480))
    view = match_end_board(
        table_view(table.state), people(), TABLE_ID, Faces(FR), end=MatchEnd(found, ratings), ready={1001}
    )
    check_limits(view)
    lines = words(view).splitlines()
    assert lines[0] == "## 🏆 Équipe 1 gagne la partie : Ana et Chloé"
    assert lines[1] == "Équipe 1 · **10 — 9** · Équipe 2"
    for line in (
        "⭐ Meilleur joueur : Ana · 2 Kem's, 1 contre",
        "🎭 Plus long bluff : Bruno · 0:38 · 3 gestes",
        "⚡ Kem's le plus rapide : Chloé · 12,3 s",
        "📈 Cotes : Ana 1512 (+12) · Bruno 1480 (nouveau)",
        "🔁 Revanche : Bruno ✓ · on attend Ana et Chloé",
    ):
        assert line in lines


def test_gestures_that_are_signs_and_the_latest_of_each_stay_on_a_full_list() -> None:
    table = Table(hands={"A": SEVENS})
    table.do(react("A", "👀"), react("C", "🎈"))
    for number in range(30):
        table.wait(5)
        table.do(react("B", "🍩" if number % 2 else "🎲"))
    table.do(kems("C"))
    line = told(table).splitlines()[-1]
    assert line.count("·") == 11
    assert "Ana 👀 (**le signe**)" in line
    assert "Chloé 🎈" in line


def test_a_match_may_end_level_or_by_a_guess_in_mid_round() -> None:
    level = Table("bell")
    level.do(kems("C"))
    ended = replace(level.state, phase=type(level.state.phase).MATCH_OVER, winner=None)
    assert "🤝 La partie finit à égalité." in words(match_end_board(table_view(ended), people(), TABLE_ID, Faces(FR)))
    guessed = Table("yokai", scores=(9, 0))
    guessed.do(guess("A", "#2", "🍀"))
    assert guessed.state.result is None
    assert "**11 — 0**" in told(guessed)
    assert "🏆 Équipe 1" in told(guessed)


def test_a_won_game_of_a_longer_match_is_told() -> None:
    table = Table("expert", hands={"A": SEVENS}, scores=(9, 0), best_of=3)
    table.do(kems("C"))
    assert "Un jeu est gagné : le score repart à zéro." in told(table)
    assert "(jeux 1 – 0)" in told(table)


def test_while_its_round_goes_on_a_game_won_by_a_guess_is_told() -> None:
    table = Table("yokai", scores=(8, 8), best_of=3)
    table.do(guess("B", "#1", "👀"))
    view = table_view(table.state)
    assert (view.phase, view.game_won) == (Phase.HUNT, True)
    told = words(table_board(view, people(), TABLE_ID, Faces(FR), ()))
    assert "Un jeu est gagné : le score repart à zéro à la prochaine manche." in told
    assert "prochaine manche" not in words(
        table_board(table_view(Table("yokai").state), people(), TABLE_ID, Faces(FR), ())
    )


def test_the_table_message_turns_into_the_result() -> None:
    table = Table(hands={"A": SEVENS})
    table.do(kems("C"))
    turned = table_board(table_view(table.state), people(), TABLE_ID, Faces(FR), (0,))
    assert words(turned) == words(result(table))
    assert button(turned, "next").label == "Manche suivante"


def _hand(table: Table, seat: int) -> str:
    return Faces(FR).labels(table.state.seats[seat].cards).replace("\ufe0e", "")
